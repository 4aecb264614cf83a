"""Atomic text blocks: words, links, and the tags that enclose them."""

import pytest

from sightread.classify.heuristics.boilerpipe.text_blocks import TextBlock, number_of_words, page_blocks
from sightread.render.static.parse import read_html


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
