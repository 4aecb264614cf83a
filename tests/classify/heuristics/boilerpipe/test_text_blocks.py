"""Atomic text blocks: where tags part them, what is linked, what encloses them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classify.heuristics.boilerpipe.text_blocks import TextBlock, number_of_words, page_blocks, read_blocks
from render.static.parse import read_html


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


def test_headings_paragraphs_and_divisions_around_a_block_are_told():
    blocks = read_blocks("<div><h2>Head</h2><p>Text <b>bold</b></p>tail</div>end")
    assert [sorted(block.enclosing) for block in blocks] == [["div", "h"], ["div", "p"], ["div", "p"], ["div"], []]


@pytest.mark.parametrize("html", ["", "<p></p>", "<!-- -->", "   ", "<body>\n<p> </p>"])
def test_a_document_without_text_has_no_blocks(html: str):
    assert read_blocks(html) == []


def test_nesting_without_end_is_read():
    assert texts("<div>" * 30_000 + "deep") == ["deep"]


def test_a_page_gives_its_own_visible_blocks():
    page = read_html("<h1>The <b>old</b> bridge</h1><p hidden>Not shown</p><div><p>It <a href=/x>fell</a></p></div>")
    rows, blocks = page_blocks(page)
    assert rows == [0, 2]
    assert blocks == [
        TextBlock("The old bridge", 0, frozenset({"h"})),
        TextBlock("It fell", 1, frozenset({"div", "p"})),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("don't stop", 2),
        ("a | b - c", 3),
        ("2.2-inch screens", 2),
        ("l’été à Paris", 3),
        ("桥" * 17, 10),
        ("नदी पर पुल", 3),
        ("see 桥" + "桥" * 16, 11),
    ],
)
def test_words_are_what_white_space_parts_and_in_other_scripts_1_7_characters(text: str, words: float):
    assert number_of_words(text) == pytest.approx(words)


@given(st.lists(st.text("abc .<>", max_size=8), max_size=20))
def test_no_letter_of_the_body_is_lost(parts: list[str]):
    html = "<i>".join(part.replace("<", " ").replace(">", " ") for part in parts)
    assert "".join(texts(f"<body>{html}")).replace(" ", "") == "".join(html.replace("<i>", "").split())
