"""Brief reading: the blocks that `read_html` gives, by their text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.render.errors import Unusable
from sightread.render.page import Page
from sightread.render.static.brief import read_brief
from sightread.render.static.parse import read_html

TEXTS = st.sampled_from(["Rain", " Rain fell ", "on\n the  quay", " ", "\n", "", "雨。", "a&nbsp;b", "<br>", "<img>", "<!-- -->"])
TAGS = ("div", "p", "span", "a href=/x", "b", "h2", "ul", "li", "table", "tr", "td", "section class='a b' id=c", "noscript")
PARTS = st.recursive(
    TEXTS,
    lambda parts: st.builds(
        lambda tag, inside: f"<{tag}>{''.join(inside)}</{tag.split()[0]}>",
        st.sampled_from((*TAGS, "pre", "blockquote", "script")),
        st.lists(parts, max_size=4),
    ),
    max_leaves=25,
)


def rows(page: Page) -> list[tuple[object, ...]]:
    found = []
    for block in page.blocks:
        above = [page.elements[row] for row in page.ancestors(block.element)]
        names = [(each.tag, each.id, each.classes) for each in above]
        found.append((" ".join(block.text.split()), names, block.heading, block.hidden))
    return found


@settings(max_examples=300, deadline=None)
@given(st.lists(PARTS, max_size=6).map("".join))
def test_blocks_are_those_of_the_whole_reading(html: str):
    html = f"<title> A  title </title><body lang=en>{html}"
    brief, whole = read_brief(html, "https://a.example/"), read_html(html, "https://a.example/")
    assert rows(brief) == rows(whole)
    assert [block.link_chars > 0 for block in brief.blocks] == [block.link_chars > 0 for block in whole.blocks]
    assert brief.titles == whole.titles


def test_text_that_is_not_displayed_is_marked():
    html = """<p>One<div hidden><b>Two</b><p>Three</div><p style='color: red; DISPLAY: none'>Four<p>Five <b style='font-size:0'>Six</b>
    <details><summary>Seven</summary><p>Eight</details><div hidden><details><summary>Nine</summary></details></div>"""
    found = {block.text: block.hidden for block in read_brief(html).blocks}
    assert found == {block.text: block.hidden for block in read_html(html).blocks}
    assert [word for word, hidden in found.items() if not hidden] == ["One", "Five", "Seven"]


def test_line_breaks_and_preserved_white_space_stay():
    page = read_brief("<p>One  <b>line</b><br>and\nanother</p><pre>\n  if x:\n    y\n</pre><p>2 <a href=/>links  here</a>")
    assert [block.text for block in page.blocks] == ["One line\nand another", "  if x:\n    y", "2 links here"]
    assert [block.link_chars for block in page.blocks] == [0, 0, len("links here")]


def test_no_page_is_too_deep_or_too_long():
    page = read_brief("<div>" * 3000 + "deep" + "</div>" * 3000 + "<p>x" * 60_000)
    assert page.truncated
    assert page.blocks[0].text == "deep"
    assert len(page.ancestors(page.blocks[0].element)) <= 600


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 40, b"%PDF-1.4\n" + bytes(range(256)) * 8])
def test_binary_data_is_refused(data: bytes):
    with pytest.raises(Unusable):
        read_brief(data)
