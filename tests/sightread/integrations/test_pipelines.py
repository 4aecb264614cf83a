"""The adapters for Spark and NeMo Curator by their interfaces, and that for datatrove without it."""

import pandas as pd
import pytest

import sightread
from sightread.integrations.datatrove import SightreadExtractor as DatatroveExtractor
from sightread.integrations.nemo_curator import SightreadAlgorithm, SightreadExtractor
from sightread.integrations.spark import SCHEMA, extract_frames, extractor
from sightread.render.errors import Unequipped

STORY = "The lighthouse at the end of the pier was painted green last summer, and no one in the town knew who had done it. "
PAGE = f"""<html lang="en"><head><title>The green lighthouse</title></head><body><nav><a href="/">Home</a></nav><article>
<h1>The green lighthouse</h1><p>{STORY * 3}</p><p>{STORY * 3}</p></article></body></html>"""
URL = "https://a.example/pier"


def test_spark_has_a_row_per_row_and_errors_as_values():
    frames = [
        pd.DataFrame({"url": [URL, None], "html": [PAGE, b"%PDF-1.7" + bytes(99)]}),
        pd.DataFrame({"url": [URL], "html": [PAGE.encode()]}),
    ]
    first, second = extract_frames(iter(frames))
    assert list(first.columns) == [field.split()[0] for field in SCHEMA.split(", ")]
    assert first["markdown"][0] == sightread.extract(PAGE, URL, output_format="markdown") == second["markdown"][0]
    assert (first["error"][0], first["error"][1], first["url"][1]) == (None, "Unusable", "")
    assert next(extractor("boilerpipe")(iter(frames)))["model"][0] == "boilerpipe"


def test_nemo_curators_interfaces_are_kept():
    parts = SightreadAlgorithm().extract_text(PAGE, frozenset({"the"}), "ENGLISH")
    assert parts[0] == "The green lighthouse" and len(parts) == 3
    assert SightreadAlgorithm().extract_text("%PDF-1.7" + "\x01" * 99) is None
    extract = SightreadExtractor()
    record = extract.extract({"url": URL, "content": PAGE.encode(), "warc_id": "1"})
    assert list(record) == extract.output_columns() and record["text"].startswith("# The green lighthouse")
    assert extract.extract({"url": URL, "content": b"\x89PNG" + bytes(99)}) is None
    assert extract.input_columns() == ["url", "content"]


def test_without_datatrove_the_error_names_the_package():
    with pytest.raises(Unequipped, match="datatrove is not installed here: pip install datatrove"):
        DatatroveExtractor()
