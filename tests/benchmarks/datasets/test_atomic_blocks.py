"""Atomic text blocks of HTML: which tags separate them, what is linked, what encloses them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.datasets.atomic_blocks import read_blocks


def texts(html: str) -> list[str]:
    return [block.text for block in read_blocks(html)]


def test_every_tag_but_a_link_parts_two_blocks():
    html = "<p>One <a href=/x>two</a> three<b>four</b> five<br>six</p>seven<img src=x>eight"
    assert texts(html) == ["One two three", "four", "five", "six", "seven", "eight"]


def test_comments_part_nothing_and_scripts_are_not_read():
    assert texts("one <!-- not this -->two<script>three</script><style>p{}</style><noscript>four</noscript>") == ["one two"]


def test_words_of_links_are_counted():
    assert [block.linked for block in read_blocks("<p>One <a>two three</a> four</p><p><a>all of it</a></p><p>none</p>")] == [2, 3, 0]


def test_a_link_that_is_not_closed_ends_with_its_parent():
    assert next(block.linked for block in read_blocks("<div><a href=/x>in</div><div>also in, says the parser</div>")) == 1


def test_headings_paragraphs_and_divisions_around_a_block_are_reported():
    blocks = read_blocks("<div><h2>Head</h2><p>Text <b>bold</b></p>tail</div>end")
    assert [sorted(block.enclosing) for block in blocks] == [["div", "h"], ["div", "p"], ["div", "p"], ["div"], []]


@pytest.mark.parametrize("html", ["", "<p></p>", "<!-- -->", "   ", "<body>\n<p> </p>"])
def test_a_document_without_text_has_no_blocks(html: str):
    assert read_blocks(html) == []


def test_nesting_without_end_is_read():
    assert texts("<div>" * 30_000 + "deep") == ["deep"]


@given(st.lists(st.text("abc .<>", max_size=8), max_size=20))
def test_no_letter_of_the_body_is_lost(parts: list[str]):
    html = "<i>".join(part.replace("<", " ").replace(">", " ") for part in parts)
    assert "".join(texts(f"<body>{html}")).replace(" ", "") == "".join(html.replace("<i>", "").split())
