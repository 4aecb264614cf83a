"""The original authors' pages read as ours, and the data sets found or missed."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.datasets.folder import data_folder, read_lines
from benchmarks.datasets.spider import REFERENCES, SITES, convert, read_site, reference_labels
from sightread.render.errors import BadRecord, Rejected
from sightread.render.page import Box, Element, Page, Size, decode_page, encode_page
from sightread.render.static.parse import read_html


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


@pytest.fixture
def page() -> Page:
    return convert(record(SKIP, TITLE, FIRST, SECOND, BLANK, ASIDE))


def test_the_pages_own_words_come_over_each_once(page: Page):
    assert (page.url, page.final_url, page.source) == ("http://news.test/flood", "http://news.test/flood", "imported")
    assert page.titles == ("Flood takes bridge", "Flood - News")
    assert page.descriptions == ("A flood.",)
    assert [link.url for link in page.links] == ["http://news.test/", "http://news.test/b"]
    assert page.body_style == {"color": "black"}
    assert page.document == Size(1600, 4097)


def test_blocks_come_over_in_order_without_the_blank_ones(page: Page):
    assert [block.text for block in page.blocks] == [
        "Skip to content",
        "Flood takes bridge",
        "The flood took the old bridge .",
        "Nobody was hurt.",
        "Buy it",
    ]


def test_a_block_shares_the_ancestors_of_the_one_before_it_but_never_its_element(page: Page):
    assert page.selector_paths() == (
        "body",
        "body/a#skip",
        "body/div#main.wide",
        "body/div#main.wide/article.story.news",
        "body/div#main.wide/article.story.news/h1",
        *["body/div#main.wide/article.story.news/p"] * 3,
        "body/div#main.wide/aside",
    )
    assert [block.element for block in page.blocks] == [1, 4, 5, 6, 8]
    assert page.elements[3] == Element("article", 2, "", ("story", "news"))


def test_ancestors_that_another_block_parted_are_two():
    parted = convert(record(FIRST, ASIDE, SECOND))
    assert parted.tag_paths().count("body/div/article") == 2
    assert parted.tag_paths().count("body/div") == 1


def test_equal_styles_are_one_whatever_their_order(page: Page):
    assert [page.style_of(block) for block in page.blocks] == [
        {"color": "blue", "position": "absolute"},
        {"font-size": "40px"},
        {},
        {},
        {"color": "blue", "position": "absolute"},
    ]
    assert len(page.styles) == 3


def test_boxes_come_over_and_have_no_negative_size(page: Page):
    assert page.blocks[0].box == Box(-9, -500, 0, 1)
    assert page.blocks[1].box == Box(10, 20.5, 600, 40)
    assert page.has_boxes
    assert page.has_styles


def test_headings_have_their_level(page: Page):
    assert [block.heading for block in page.blocks] == [0, 1, 0, 0, 0]


def test_text_inside_links_is_counted_from_the_path_or_the_markup(page: Page):
    assert [block.link_chars for block in page.blocks] == [15, 0, 14, 0, 0]


def test_a_converted_page_is_a_page_on_disk_too(page: Page):
    assert decode_page(encode_page(page)) == page


def test_a_page_without_texts_has_no_blocks():
    assert convert(record()).blocks == ()


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


def test_a_data_set_that_is_not_there_is_rejected_with_where_to_get_it(tmp_path: Path):
    with pytest.raises(Rejected, match=r"npr\.jsonl\.gz: no such data set here \(source: docs/benchmarks\.md"):
        list(read_site(tmp_path, "npr"))


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


def test_no_folder_of_data_is_rejected_with_how_to_name_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("SIGHTREAD_DATA", raising=False)
    with pytest.raises(Rejected, match="name their folder with --data or SIGHTREAD_DATA"):
        data_folder(None)
    with pytest.raises(Rejected, match="missing: no such folder"):
        data_folder(tmp_path / "missing")


def test_every_site_has_rules():
    assert tuple(REFERENCES) == SITES


def test_a_block_of_the_articles_container_is_content_but_for_the_boilerplate_in_it():
    page = read_html("""<div id=storytext><p>Text<div class=internallink><h3>Another story</h3></div></div>
        <div class=storytitle><h1>Title</h1></div><p>Footer""")
    labelled = dict(zip((block.text for block in page.blocks), reference_labels("npr", page).tolist(), strict=True))
    assert labelled == {"Text": 1, "Another story": 0, "Title": 1, "Footer": 0}
