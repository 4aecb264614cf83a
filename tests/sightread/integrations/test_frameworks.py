"""The adapters with the frameworks that they are for, in an environment of their own: its packages would change those of the project.

The environment is a layer over this one, below `.venv`, made once per lock (`frameworks.lock`; `make lock` renews it). All checks
(`checks/`) run in one Python of their own. They are skipped only if the packages cannot be had.
"""

import builtins
import os
import re
import subprocess
from pathlib import Path

import pandas as pd
import pytest

import sightread
from sightread.integrations.nemo_curator import SightreadAlgorithm, SightreadExtractor
from sightread.integrations.scrapy import SightreadPipeline
from sightread.integrations.spark import SCHEMA, extract_frames, extractor
from sightread.render.errors import Unequipped
from tests.processes.environments import ROOT, layered_python, pins

CHECKS = Path(__file__).parent / "checks"
LOCK = Path(__file__).parent / "frameworks.lock"
FRAMEWORKS = {"scrapy": 2, "langchain": 3, "llamaindex": 4, "datatrove": 1, "dask": 2}
"""The frameworks with their numbers of checks."""


@pytest.fixture(scope="session")
def python(tmp_path_factory) -> Path:
    """The Python of an environment that holds the frameworks."""
    return layered_python("frameworks", LOCK, tmp_path_factory)


def test_each_adapter_works_with_its_framework(python):
    files = [str(CHECKS / f"check_{framework}.py") for framework in FRAMEWORKS]
    command = [str(python), "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *files]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTEST_ADDOPTS": "", "PYTHONWARNINGS": ""})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(rf"^{sum(FRAMEWORKS.values())} passed in", ran.stdout, re.MULTILINE), ran.stdout


def test_the_lock_agrees_with_the_projects_and_names_no_host():
    base, own = pins(ROOT / "requirements.lock"), pins(LOCK)
    assert {name: version for name, version in own.items() if base.get(name, version) != version} == {}
    assert {"scrapy", "langchain-core", "llama-index-core", "datatrove", "distributed"} <= set(own)
    assert "://" not in LOCK.read_text() and "@" not in LOCK.read_text()


STORY = "The lighthouse at the end of the pier was painted green last summer, and nobody in the town could say who had done it. "
PAGE = f"""<html lang="en"><head><title>The green lighthouse</title><meta name="author" content="Ana Lim"></head><body>
<nav><a href="/">Home</a></nav><article><h1>The green lighthouse</h1><p>{STORY * 3}</p><p>{STORY * 3}</p></article></body></html>"""
URL = "https://post.example/lighthouse"


def absent(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let imports of a package fail."""
    real = builtins.__import__

    def refuse(module: str, *rest: object, **more: object) -> object:
        if module.partition(".")[0] == name:
            raise ModuleNotFoundError(f"No module named {name!r}")
        return real(module, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    monkeypatch.setattr("sightread.integrations.import_module", lambda module: refuse(module))


def test_without_scrapy_the_pipeline_states_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    absent(monkeypatch, "itemadapter")
    with pytest.raises(Unequipped, match="scrapy is not installed here: pip install scrapy"):
        SightreadPipeline().process_item({"url": URL, "html": "<p></p>"})


PIER_STORY = "The lighthouse at the end of the pier was painted green last summer, and no one in the town knew who had done it. "
PIER_PAGE = f"""<html lang="en"><head><title>The green lighthouse</title></head><body><nav><a href="/">Home</a></nav><article>
<h1>The green lighthouse</h1><p>{PIER_STORY * 3}</p><p>{PIER_STORY * 3}</p></article></body></html>"""
PIER = "https://a.example/pier"


def test_spark_has_a_row_per_row_and_errors_as_values():
    frames = [
        pd.DataFrame({"url": [PIER, None], "html": [PIER_PAGE, b"%PDF-1.7" + bytes(99)]}),
        pd.DataFrame({"url": [PIER], "html": [PIER_PAGE.encode()]}),
    ]
    first, second = extract_frames(iter(frames))
    assert list(first.columns) == [field.split()[0] for field in SCHEMA.split(", ")]
    assert first["markdown"][0] == sightread.extract(PIER_PAGE, PIER, output_format="markdown") == second["markdown"][0]
    assert (first["error"][0], first["error"][1], first["url"][1]) == (None, "Unusable", "")
    assert next(extractor("boilerpipe")(iter(frames)))["model"][0] == "boilerpipe"


def test_nemo_curators_interfaces_are_kept():
    parts = SightreadAlgorithm().extract_text(PIER_PAGE, frozenset({"the"}), "ENGLISH")
    assert parts[0] == "The green lighthouse" and len(parts) == 3
    assert SightreadAlgorithm().extract_text("%PDF-1.7" + "\x01" * 99) is None
    extract = SightreadExtractor()
    record = extract.extract({"url": PIER, "content": PIER_PAGE.encode(), "warc_id": "1"})
    assert list(record) == extract.output_columns() and record["text"].startswith("# The green lighthouse")
    assert extract.extract({"url": PIER, "content": b"\x89PNG" + bytes(99)}) is None
    assert extract.input_columns() == ["url", "content"]
