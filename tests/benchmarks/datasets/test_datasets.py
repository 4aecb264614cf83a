"""Data sets read as they were published, and as the data folder holds them; the original authors' pages read as ours."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.datasets.folder import data_folder, read_lines
from benchmarks.datasets.originals import read_gold
from benchmarks.datasets.samples import Sample, read_samples
from benchmarks.datasets.spider import REFERENCES, SITES, convert, read_site, reference_labels
from benchmarks.experiments.learning.portals import Stored, read_portals
from sightread.render.errors import BadRecord, Rejected
from sightread.render.page import Box, Element, Size, decode_page, encode_page
from sightread.render.static.parse import read_html

GOLD = "\nURL: http://news.test/a\n<h>Cats &amp; dogs\n\n<p>It rained\n the whole &#8220;day&#8221;.</p>\n\n<l>One\n<l>Two\n"
TEXT = "Cats & dogs\nIt rained the whole “day”.\nOne\nTwo"


@pytest.fixture
def portal_folder(tmp_path: Path) -> Path:
    made = tmp_path / "cleanportaleval"
    for name in ("input", "GoldStandard"):
        (made / name).mkdir(parents=True)
    return made


def test_a_gold_text_is_a_paragraph_a_line():
    assert read_gold(GOLD) == ("http://news.test/a", TEXT)


def test_both_forms_give_the_same_pages(portal_folder: Path):
    (portal_folder / "input" / "news.test_front_01.html").write_bytes("<p>Café".encode("cp1252"))
    (portal_folder / "GoldStandard" / "news.test_front_01.txt").write_text(GOLD)
    published = read_portals(portal_folder.parent)
    assert published == [Stored("news.test", "news.test_front_01", "http://news.test/a", "<p>Café", TEXT)]
    line = {"id": "news.test_front_01", "url": "http://news.test/a", "html": "<p>Café", "text": TEXT + "\n<!-- checked -->"}
    (portal_folder / "pages.jsonl.gz").write_bytes(gzip.compress(json.dumps(line).encode()))
    assert read_portals(portal_folder.parent) == published


HTML = "<html><body><p>Menu</p><p>The river rose.</p></body></html>"


def write_files(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def read_set(folder: Path, name: str) -> list[Sample]:
    return list(read_samples(name, folder))


def test_l3s_keeps_headline_text_and_supplement(tmp_path: Path):
    spans = "".join(f'<div><span class="x-nc-sel{label}">text {label}</span></div>' for label in range(6))
    write_files(tmp_path / "l3s-gn1", {"original/a-b.html": HTML, "annotated/a-b.html": f"<body>{spans}</body>"})
    assert [(page.id, page.gold) for page in read_set(tmp_path, "l3s-gn1")] == [("a-b", "text 1\ntext 2\ntext 3")]


@pytest.mark.parametrize(("pages", "gold"), [("orig", "clean/1.txt"), ("en_original", "en_cleaned/1-cleaned.txt")])
def test_cleaneval_is_read_under_either_name_and_without_its_wrapper(tmp_path: Path, pages: str, gold: str):
    files = {
        f"{pages}/1.html": f'<text id="1" title="x">\n{HTML}\n</text>\n',
        gold: " URL: http://a.test/\n\n<h>Head\n<p>The river\nrose.\n",
    }
    write_files(tmp_path / "cleaneval", files)
    assert read_set(tmp_path, "cleaneval") == [Sample("cleaneval", f"{pages}_1", "http://a.test/", HTML, "Head\nThe river rose.")]


def test_dragnet_s_gold_text_holds_content_and_comments(tmp_path: Path):
    gold = "The river rose.\n!@#$%^&*()  COMMENTS\nWhat a river!\n"
    write_files(tmp_path / "dragnet", {"HTML/5.html": HTML, "Corrected/5.html.corrected.txt": gold})
    assert [(page.id, page.gold) for page in read_set(tmp_path, "dragnet")] == [("5", "The river rose.\nWhat a river!")]


def test_readability_s_gold_text_is_that_of_its_html(tmp_path: Path):
    files = {"test-pages/001/source.html": HTML, "test-pages/001/expected.html": "<div><p>The river <b>ro</b>se.</p><p>It fell.</p></div>"}
    write_files(tmp_path / "readability", files)
    assert [(page.id, page.gold) for page in read_set(tmp_path, "readability")] == [("001", "The river rose.\nIt fell.")]


def test_scrapinghub_s_pages_are_packed(tmp_path: Path):
    truth = {"ab": {"articleBody": "The river rose.", "url": "http://a.test/"}, "cd": {"articleBody": "Lost.", "url": ""}}
    write_files(tmp_path / "scrapinghub", {"html/ab.html.gz": gzip.compress(HTML.encode()), "ground-truth.json": json.dumps(truth)})
    assert read_set(tmp_path, "scrapinghub") == [Sample("scrapinghub", "ab", "http://a.test/", HTML, "The river rose.")]


def step(name: str, identity: str = "", *classes: str) -> dict[str, Any]:
    return {"name": name, "id": identity, "classes": list(classes)}


def text(words: list[str], *selector: dict[str, Any], html: str = "", computed: dict[str, str] | None = None) -> dict[str, Any]:
    """A text block as their collector wrote it."""
    return {
        "bound": {"left": 10, "top": 20.5, "width": 600, "height": 40},
        "computed": computed or {},
        "element": selector[-1],
        "html": html,
        "path": [each["name"] for each in selector],
        "selector": list(selector),
        "text": words,
    }


MAIN = step("div", "main", "wide")
ARTICLE = step("article", "", "story", "news")
SKIP = text(["Skip to content"], step("a", "skip"), html="Skip to content", computed={"position": "absolute", "color": "blue"})
SKIP["bound"] = {"left": -9, "top": -500, "width": -1, "height": 1}
TITLE = text(["Flood takes bridge"], MAIN, ARTICLE, step("h1"), computed={"font-size": "40px"})
FIRST = text(["The flood took", "the old bridge", "."], MAIN, ARTICLE, step("p"), html='The flood took <a href="/b"> the old bridge </a>.')
SECOND = text(["Nobody was hurt."], MAIN, ARTICLE, step("p"), html="Nobody was hurt.")
BLANK = text(["", " "], MAIN, ARTICLE, step("p"))
ASIDE = text(["Buy it"], MAIN, step("aside"), computed={"color": "blue", "position": "absolute"})


def record(*texts: dict[str, Any], **changes: Any) -> dict[str, Any]:
    whole = {
        "url": "http://news.test/flood",
        "titles": ["Flood takes bridge", "", "Flood takes bridge", "Flood - News"],
        "descriptions": ["A flood.", "A flood."],
        "body": {
            "bound": {"left": 0, "top": 0, "width": 1600, "height": 4097},
            "computed": {"color": "black"},
            "scroll": {"left": 0, "top": 0},
        },
        "links": ["http://news.test/", "http://news.test/b", "http://news.test/"],
        "images": [],
        "texts": list(texts),
    }
    return whole | changes


def test_a_page_of_the_authors_comes_over_with_its_words_blocks_boxes_and_styles():
    page = convert(record(SKIP, TITLE, FIRST, SECOND, BLANK, ASIDE))
    assert (page.url, page.final_url, page.source) == ("http://news.test/flood", "http://news.test/flood", "imported")
    assert (page.titles, page.descriptions) == (("Flood takes bridge", "Flood - News"), ("A flood.",))
    assert [link.url for link in page.links] == ["http://news.test/", "http://news.test/b"]
    assert (page.body_style, page.document) == ({"color": "black"}, Size(1600, 4097))
    texts = ["Skip to content", "Flood takes bridge", "The flood took the old bridge .", "Nobody was hurt.", "Buy it"]
    assert [(block.text, block.heading, block.link_chars) for block in page.blocks] == list(
        zip(texts, [0, 1, 0, 0, 0], [15, 0, 14, 0, 0], strict=True)
    )
    plain = {"color": "blue", "position": "absolute"}
    assert [page.style_of(block) for block in page.blocks] == [plain, {"font-size": "40px"}, {}, {}, plain]
    assert len(page.styles) == 3, "equal styles are one"
    assert (page.blocks[0].box, page.blocks[1].box) == (Box(-9, -500, 0, 1), Box(10, 20.5, 600, 40))
    assert decode_page(encode_page(page)) == page
    assert convert(record()).blocks == ()


def test_a_block_shares_the_ancestors_of_the_one_before_it_but_never_its_element():
    page = convert(record(SKIP, TITLE, FIRST, SECOND, BLANK, ASIDE))
    story = "body/div#main.wide/article.story.news"
    before = ("body", "body/a#skip", "body/div#main.wide", story, f"{story}/h1")
    assert page.selector_paths() == (*before, *[f"{story}/p"] * 3, "body/div#main.wide/aside")
    assert [block.element for block in page.blocks] == [1, 4, 5, 6, 8]
    assert page.elements[3] == Element("article", 2, "", ("story", "news"))
    parted = convert(record(FIRST, ASIDE, SECOND)).tag_paths()
    assert (parted.count("body/div/article"), parted.count("body/div")) == (2, 1)


def write(path: Path, *lines: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(b"".join(line + b"\n" for line in lines)))


def test_a_site_is_read_in_the_files_order_duplicates_included(tmp_path: Path):
    pages = [record(FIRST), record(SECOND), record(FIRST)]
    lines = [json.dumps({"id": f"00{row}", "page": each, "gold_text": "gold" if row else None}).encode() for row, each in enumerate(pages)]
    write(tmp_path / "spider" / "npr.jsonl.gz", *lines)
    found = list(read_site(tmp_path, "npr"))
    assert [each.id for each in found] == ["000", "001", "002"]
    assert [each.gold_text for each in found] == ["", "gold", "gold"]
    assert found[0].page == found[2].page == convert(record(FIRST))


@pytest.mark.parametrize("line", [b"not json", b"[1, 2]", b'{"id": '])
def test_a_damaged_line_is_a_bad_record_with_its_number(tmp_path: Path, line: bytes):
    write(tmp_path / "lines.gz", b"{}", line)
    lines = read_lines(tmp_path / "lines.gz")
    assert next(lines) == {}
    with pytest.raises(BadRecord, match=r"lines\.gz line 2: "):
        next(lines)


def test_the_folder_of_the_data_is_named_by_option_or_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SIGHTREAD_DATA", str(tmp_path))
    assert data_folder(None) == tmp_path
    (tmp_path / "other").mkdir()
    assert data_folder(tmp_path / "other") == tmp_path / "other"
    monkeypatch.delenv("SIGHTREAD_DATA", raising=False)
    with pytest.raises(Rejected, match="name their folder with --data or SIGHTREAD_DATA"):
        data_folder(None)
    with pytest.raises(Rejected, match="missing: no such folder"):
        data_folder(tmp_path / "missing")


def test_a_block_of_the_articles_container_is_content_but_for_the_boilerplate_in_it():
    assert tuple(REFERENCES) == SITES
    page = read_html("""<div id=storytext><p>Text<div class=internallink><h3>Another story</h3></div></div>
        <div class=storytitle><h1>Title</h1></div><p>Footer""")
    labelled = dict(zip((block.text for block in page.blocks), reference_labels("npr", page).tolist(), strict=True))
    assert labelled == {"Text": 1, "Another story": 0, "Title": 1, "Footer": 0}
