"""The portals' pages, read as published and as the data folder holds them."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.datasets.originals import read_gold
from benchmarks.experiments.learning.portals import Stored, read_portals
from sightread.render.errors import Rejected

GOLD = "\nURL: http://news.test/a\n<h>Cats &amp; dogs\n\n<p>It rained\n the whole &#8220;day&#8221;.</p>\n\n<l>One\n<l>Two\n"
TEXT = "Cats & dogs\nIt rained the whole “day”.\nOne\nTwo"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "cleanportaleval"
    for name in ("input", "GoldStandard"):
        (made / name).mkdir(parents=True)
    return made


def test_a_gold_text_is_a_paragraph_a_line():
    assert read_gold(GOLD) == ("http://news.test/a", TEXT)


def test_an_annotators_remark_is_no_gold_text():
    assert read_gold("URL: http://news.test/\n\n<!-- no article here -->\n") == ("http://news.test/", "")


def test_both_forms_give_the_same_pages(folder: Path):
    (folder / "input" / "news.test_front_01.html").write_bytes("<p>Café".encode("cp1252"))
    (folder / "GoldStandard" / "news.test_front_01.txt").write_text(GOLD)
    published = read_portals(folder.parent)
    assert published == [Stored("news.test", "news.test_front_01", "http://news.test/a", "<p>Café", TEXT)]
    line = {"id": "news.test_front_01", "url": "http://news.test/a", "html": "<p>Café", "text": TEXT + "\n<!-- checked -->"}
    (folder / "pages.jsonl.gz").write_bytes(gzip.compress(json.dumps(line).encode()))
    assert read_portals(folder.parent) == published


def test_no_data_set_is_rejected_with_where_to_get_it(tmp_path: Path):
    with pytest.raises(Rejected, match=r"docs/benchmarks\.md"):
        read_portals(tmp_path)
