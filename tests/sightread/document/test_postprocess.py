"""Post-processing: what is kept beside the blocks that a model keeps; and the order in which a reader meets blocks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.document.document import build_document
from sightread.document.postprocess import belonging
from sightread.document.reading_order import reading_order
from sightread.render.page import Block, Box, Element, Image, Page
from sightread.render.static.parse import read_html

DATA = "<tr><td>KEEP one<td>KEEP 1<tr><td>KEEP two<td>2"


def belongs(html: str) -> set[str]:
    """The texts that belong to those that begin with KEEP."""
    return texts_added(f"<html><head><title>What it is - Site</title></head><body>{html}")


def texts_added(html: str, url: str = "https://example.org/") -> set[str]:
    """The texts beside those that begin with KEEP."""
    page = read_html(html, url)
    kept = np.array([block.text.startswith("KEEP") for block in page.blocks])
    return {page.blocks[row].text for row in belonging(page, kept) if not kept[row]}


@pytest.mark.parametrize(
    ("banner", "headline"),
    [
        ('<h1><a href="/">What it is</a></h1>', {"What it was"}),
        ("<h1>Site</h1>", {"What it was"}),
        ("<h1>What it is</h1>", {"What it is"}),
    ],
    ids=["a link to the home page", "the site's own name", "no banner"],
)
def test_the_banner_of_the_site_is_no_headline(banner: str, headline: set[str]) -> None:
    head = '<title>What it is</title><meta property="og:site_name" content="Site"><meta name="twitter:title" content="What it was">'
    html = f'<head>{head}<meta name="twitter:title" content="Site"></head><body>{banner}<h1>What it was</h1><p>KEEP'
    assert texts_added(html, "https://example.org/a") == headline


def test_the_headline_belongs_where_it_stands_before_what_is_kept() -> None:
    assert belongs("<h2>What it is</h2><h1>What it is</h1><p>KEEP") == {"What it is"}
    assert belongs("<h1>Another thing</h1><p>KEEP") == set()
    assert belongs("<p>KEEP<h1>What it is</h1>") == set()


@pytest.mark.parametrize(
    ("title", "body", "headline"),
    [
        ("The old bridge fell (2025) | Valley News", "<h1>The old bridge fell</h1><p>by Ann<p>KEEP", {"The old bridge fell"}),
        ("Promises - Guides | MDN", "<h1>Promises</h1><p>KEEP", {"Promises"}),
        ("The old bridge fell - Valley News", "<h1>Valley News</h1><p>KEEP", set()),
        ("The old bridge fell", "<h1>The bridge</h1><h1>that fell</h1><p>KEEP", set()),
        ("The old bridge fell", "<p>KEEP<h1>The old bridge</h1><p>Others", set()),
    ],
    ids=["part of the title", "a short part", "the site's name", "not the only one", "after the beginning"],
)
def test_the_only_first_heading_is_the_headline_if_it_is_mostly_the_title(title: str, body: str, headline: set[str]) -> None:
    assert texts_added(f"<head><title>{title}</title></head><body>{body}", "https://example.org/a") == headline


@pytest.mark.parametrize(
    ("title", "body", "headline"),
    [
        ("The Tide Tables: 港の朝", "<h1>The Tide Tables</h1><h1>6 港の朝</h1><p>KEEP", {"6 港の朝"}),
        ("港の朝 :: The Tide Tables :: Talks", "<h1>The Tide Tables</h1><h3>港の朝</h3><p>KEEP", {"港の朝"}),
        ("The Tide Tables: 港の朝", "<h1>The Tide Tables</h1><p>KEEP<h2>港の朝</h2><p>KEEP", {"The Tide Tables", "港の朝"}),
        ("The old bridge fell | News", "<h1>The old bridge fell</h1><h2>More</h2><p>KEEP", {"The old bridge fell"}),
    ],
    ids=["numbered", "three parts", "below the text", "no other part"],
)
def test_a_name_of_the_site_that_is_longer_than_the_headline_is_none_where_that_is_a_heading_below(
    title: str, body: str, headline: set[str]
):
    assert texts_added(f"<head><title>{title}</title></head><body>{body}", "https://example.org/a") == headline


@pytest.mark.parametrize("head", ["<tr><th>Name<th>Size", "<thead><tr><td>Name<td>Size<tbody>", "<tr><td><h3>Name</h3><td><b>Size</b>"])
def test_a_table_of_data_of_which_half_is_kept_is_kept_whole(head: str) -> None:
    assert belongs(f"<p>KEEP this<table>{head}{DATA}</table>") == {"Name", "Size", "2"}


def test_a_table_inside_a_cell_has_a_head_of_its_own() -> None:
    html = f"<table><tr><td>Menu<td>Search<tr><td><table><tr><th>Name<th>Size{DATA}</table><td>Advertisement</table>"
    assert belongs(html) == {"Name", "Size", "2"}


@pytest.mark.parametrize(
    "table",
    [
        "<tr><td><p>Home<p>News<td>Search<tr><td>KEEP one<td>KEEP 1<tr><td>KEEP two<td>KEEP 2",
        "<tr><td>Home<td>Search<tr><td>KEEP one<td>KEEP 1",
        "<tr><td>Home<td>Search<tr><td>KEEP one<tr><td>KEEP two",
        f"<tr><td>Home<td>Search{DATA}<tr><td>KEEP {'long ' * 100}<td>x",
        f"<tr><td>Home<td>Search{DATA}<tr><td>{'Not expected at all. ' * 10}<td>x",
    ],
    ids=["cells of several blocks", "one row", "one column", "a cell of prose", "less than half is kept"],
)
def test_a_table_that_arranges_a_page_has_no_head(table: str) -> None:
    assert belongs(f"<table>{table}</table>") == set()


CODE = "<pre>x = 1</pre>"
LINES = "<figure><table><tr><td><pre>1</pre><td><pre>x = 1</pre></table></figure>"


@pytest.mark.parametrize(
    ("html", "added"),
    [
        (f"<div><p>KEEP a{CODE}<p>KEEP b</div>", {"x = 1"}),
        (f"<div><p>KEEP a<div><div>{CODE}</div></div><p>KEEP b</div>", set()),
        (f"<div><p>KEEP a{LINES}<p>KEEP b</div>", {"1", "x = 1"}),
        (f"<div><p>KEEP a<h2>Next</h2>{CODE}<p>KEEP b</div>", {"Next", "x = 1"}),
        ("<div><p>KEEP a<h2>Next</h2><p>An advertisement<p>KEEP b</div>", set()),
        (f"<div><p>KEEP a{CODE}</div><footer>Imprint</footer>", {"x = 1"}),
        (f"<div><p>KEEP a</div><footer>{CODE}</footer>", set()),
        (f"<p>KEEP a{CODE}<p>Imprint", set()),
    ],
    ids=[
        *("code between paragraphs", "code in another container", "code with line numbers", "a heading and code", "a gap that holds more"),
        *("code that ends a text", "code beside a text", "code in no container"),
    ],
)
def test_code_and_headings_between_kept_blocks_are_kept(html: str, added: set[str]) -> None:
    assert belongs(html) == added


@pytest.mark.parametrize(
    ("html", "added"),
    [
        ("<ol><li>KEEP one<li>two<li>KEEP three</ol>", {"two"}),
        ("<ol><li>KEEP one<li>two</ol>", set()),
        ("<dl><dt>KEEP a<dd>first<dt>b<dd>KEEP second</dl>", {"first", "b"}),
        ("<ul><li>KEEP one<li>two<li>KEEP three</ul>", set()),
        ("<ol><li>KEEP one<li><p>Ann<p>May 5<p>Reply</p><li>KEEP three</ol>", set()),
        ("<ol><li>KEEP one</ol><p>two<ol><li>KEEP three</ol>", set()),
    ],
    ids=["a numbered list", "its last item", "terms", "a list without numbers", "comments", "two lists"],
)
def test_items_between_kept_ones_of_a_numbered_list_are_kept(html: str, added: set[str]) -> None:
    assert belongs(html) == added


def test_code_that_the_browser_did_not_lay_out_belongs_to_text_that_is_shown_no_more_than_to_none() -> None:
    page = read_html("<div><p>KEEP one<pre hidden>def f</pre><p>KEEP two<pre hidden>def g</pre></div><div><p>three<pre>def h</pre></div>")
    kept = np.array([block.text.startswith("KEEP") for block in page.blocks])
    assert [block.hidden for block in page.blocks] == ["", "display", "", "display", "", ""]
    assert belonging(page, kept) == {}
    tab = replace(page, blocks=tuple(replace(block, hidden="display") for block in page.blocks))
    assert {page.blocks[row].text for row in belonging(tab, kept)} == {"def f", "def g"}


def page(*boxes: tuple[float, float, float, float], language: str = "en") -> Page:
    """A page of one `<div>`, with a paragraph at each of the boxes."""
    elements = (Element("body", -1), Element("div", 0), *(Element("p", 1) for _ in boxes))
    blocks = tuple(Block(f"text {row}", row + 2, box=Box(*box)) for row, box in enumerate(boxes))
    return Page(url="", final_url="", source="browser", elements=elements, blocks=blocks, language=language)


def order(shown: Page) -> tuple[int, ...]:
    return reading_order(shown, range(len(shown.blocks)))


@pytest.mark.parametrize(
    ("boxes", "expected"),
    [
        (((0, 0, 100, 20), (0, 20, 100, 20), (0, 40, 100, 20)), (0, 1, 2)),
        (((0, 40, 100, 20), (0, 0, 100, 20), (0, 20, 100, 20)), (1, 2, 0)),
        (((200, 0, 90, 300), (100, 0, 90, 200), (0, 0, 90, 250)), (2, 1, 0)),
        (((0, 40, 100, 20), (200, 0, 100, 20)), (0, 1)),  # two columns: no part stands above the other
        (((0, 30, 100, 20), (0, 0, 100, 40)), (0, 1)),  # they overlap
        (((100, 0, 90, 20), (0, 0, 90, 20), (100, 30, 90, 20), (0, 30, 90, 20)), (0, 1, 2, 3)),  # a grid
        (((200, 0, 100, 100), (0, 0, 300, 100)), (0, 1)),  # a picture floats to the right of text
    ],
)
def test_parts_are_read_as_they_are_shown_where_that_is_clear(boxes: tuple, expected: tuple[int, ...]) -> None:
    assert order(page(*boxes)) == expected


def test_a_row_of_a_language_written_leftward_is_in_order() -> None:
    boxes = (200, 0, 90, 20), (100, 0, 90, 20), (0, 0, 90, 20)
    assert order(page(*boxes, language="ar")) == (0, 1, 2)
    assert order(page(*boxes[::-1], language="he-IL")) == (2, 1, 0)


def test_without_boxes_the_markup_tells() -> None:
    shown = page((0, 40, 100, 20), (0, 0, 100, 20))
    assert order(replace(shown, blocks=(replace(shown.blocks[0], box=None), shown.blocks[1]))) == (0, 1)


def test_a_part_moves_as_a_whole_with_its_picture() -> None:
    elements = tuple(Element(*each) for each in (("body", -1), ("section", 0), ("p", 1), ("p", 1), ("section", 0), ("p", 4)))
    boxes = ((2, 100), (3, 120), (5, 0))
    blocks = tuple(Block(f"text {row}", element, box=Box(0, top, 100, 20)) for row, (element, top) in enumerate(boxes))
    image = Image("https://e.org/a.jpg", "a", 1, 1, Box(0, 110, 100, 90))
    shown = Page(url="", final_url="", source="browser", elements=elements, blocks=blocks, images=(image,))
    document = build_document(shown, np.ones(3))
    assert document.rows == (2, 0, 1)
    assert document.markdown == "text 2\n\ntext 0\n\n![a](https://e.org/a.jpg)\n\ntext 1"


@given(st.lists(st.tuples(*[st.integers(0, 50).map(float)] * 4), max_size=8))
def test_every_block_is_read_once(boxes: list) -> None:
    shown = page(*boxes)
    assert sorted(order(shown)) == list(range(len(boxes)))
