"""The comparison's data sets as published, each in a small folder of the same form."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.datasets.samples import Sample, read_samples
from sightread.render.errors import BadRecord, Rejected

PAGE = "<html><body><p>Menu</p><p>The river rose.</p></body></html>"


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def read(folder: Path, name: str) -> list[Sample]:
    return list(read_samples(name, folder))


def test_l3s_keeps_headline_text_and_supplement(tmp_path: Path):
    spans = "".join(f'<div><span class="x-nc-sel{label}">text {label}</span></div>' for label in range(6))
    write(tmp_path / "l3s-gn1", {"original/a-b.html": PAGE, "annotated/a-b.html": f"<body>{spans}</body>"})
    assert [(page.id, page.gold) for page in read(tmp_path, "l3s-gn1")] == [("a-b", "text 1\ntext 2\ntext 3")]


@pytest.mark.parametrize(("pages", "gold"), [("orig", "clean/1.txt"), ("en_original", "en_cleaned/1-cleaned.txt")])
def test_cleaneval_is_read_under_either_name_and_without_its_wrapper(tmp_path: Path, pages: str, gold: str):
    files = {
        f"{pages}/1.html": f'<text id="1" title="x">\n{PAGE}\n</text>\n',
        gold: " URL: http://a.test/\n\n<h>Head\n<p>The river\nrose.\n",
    }
    write(tmp_path / "cleaneval", files)
    assert read(tmp_path, "cleaneval") == [Sample("cleaneval", f"{pages}_1", "http://a.test/", PAGE, "Head\nThe river rose.")]


def test_cleanportaleval_is_read_as_published(tmp_path: Path):
    write(tmp_path / "cleanportaleval", {"input/a_01.html": PAGE, "GoldStandard/a_01.txt": "URL: http://a.test/1\n<p>The river rose."})
    assert [(page.url, page.gold) for page in read(tmp_path, "cleanportaleval")] == [("http://a.test/1", "The river rose.")]


def test_dragnet_s_gold_text_holds_content_and_comments(tmp_path: Path):
    gold = "The river rose.\n!@#$%^&*()  COMMENTS\nWhat a river!\n"
    write(tmp_path / "dragnet", {"HTML/5.html": PAGE, "Corrected/5.html.corrected.txt": gold})
    assert [(page.id, page.gold) for page in read(tmp_path, "dragnet")] == [("5", "The river rose.\nWhat a river!")]


def test_readability_s_gold_text_is_that_of_its_html(tmp_path: Path):
    files = {"test-pages/001/source.html": PAGE, "test-pages/001/expected.html": "<div><p>The river <b>ro</b>se.</p><p>It fell.</p></div>"}
    write(tmp_path / "readability", files)
    assert [(page.id, page.gold) for page in read(tmp_path, "readability")] == [("001", "The river rose.\nIt fell.")]


def test_scrapinghub_s_pages_are_packed(tmp_path: Path):
    truth = {"ab": {"articleBody": "The river rose.", "url": "http://a.test/"}, "cd": {"articleBody": "Lost.", "url": ""}}
    write(tmp_path / "scrapinghub", {"html/ab.html.gz": gzip.compress(PAGE.encode()), "ground-truth.json": json.dumps(truth)})
    assert read(tmp_path, "scrapinghub") == [Sample("scrapinghub", "ab", "http://a.test/", PAGE, "The river rose.")]


def test_our_form_comes_first_where_both_are_there(tmp_path: Path):
    line = {"id": "1", "url": None, "html": PAGE, "text": "Ours.", "page_type": None}
    write(tmp_path / "dragnet", {"HTML/5.html": PAGE, "pages.jsonl.gz": gzip.compress(json.dumps(line).encode())})
    assert [page.gold for page in read(tmp_path, "dragnet")] == ["Ours."]


def test_a_damaged_ground_truth_and_a_damaged_page_are_reported(tmp_path: Path):
    write(tmp_path / "scrapinghub", {"ground-truth.json": "{"})
    with pytest.raises(BadRecord, match=r"ground-truth.json: .*; get the data set again"):
        read(tmp_path, "scrapinghub")
    write(tmp_path / "scrapinghub", {"ground-truth.json": '{"ab": {"articleBody": ""}}', "html/ab.html.gz": b"not gzip"})
    with pytest.raises(Rejected, match=r"ab.html.gz: .*; get the data set again"):
        read(tmp_path, "scrapinghub")


def test_a_set_that_is_not_there_is_reported(tmp_path: Path):
    with pytest.raises(Rejected, match="no such data set here"):
        read(tmp_path, "dragnet")
