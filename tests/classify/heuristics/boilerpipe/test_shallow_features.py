"""The 67 shallow text features, on blocks whose features can be counted by hand."""

from collections import Counter

import numpy as np
import pytest

from sightread.classify.heuristics.boilerpipe.shallow_features import (
    ALL,
    CONTEXT,
    LOCAL,
    TextBlock,
    number_of_words,
    page_blocks,
    shallow_features,
    shallow_of,
    text_density,
    wrap,
)
from sightread.render.static.parse import read_html

BLOCK = TextBlock("The Ferry left at 10:30. NOBODY saw it | Monday 12 May 2008", 3, frozenset({"p", "div"}))


def feature(blocks: list[TextBlock], name: str) -> list[float]:
    return shallow_features(blocks)[:, ALL.index(name)].tolist()


def test_there_are_23_local_features_64_with_the_neighbours_and_67_in_all():
    assert (len(LOCAL), len(CONTEXT), len(ALL), len(set(ALL))) == (23, 64, 67, 67)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("words", 12),
        ("tokens", 13),
        ("link density", 3 / 12),
        ("text density", 12),
        ("sentences", 1),
        ("mean sentence length", 12),
        ("mean word length", (3 + 5 + 4 + 2 + 6 + 6 + 3 + 2 + 6 + 2 + 3 + 4) / 12),
        ("full stops a word", 1 / 12),
        ("capitalised words", 5),
        ("capitalised share", 5 / 12),
        ("upper-case words", 1),
        ("dates and times", 4),
        ("vertical bars", 1),
        ("in h", 0),
        ("in p", 1),
        ("in div", 1),
        ("in a", 0),
    ],
)
def test_the_features_of_a_block_are_those_counted_by_hand(name: str, value: float):
    assert feature([BLOCK], name) == [pytest.approx(value)]


def test_places_and_neighbours_belong_to_their_block():
    blocks = [TextBlock("one two"), TextBlock("three"), TextBlock("four five six")]
    assert feature(blocks, "place") == [0, 1, 2]
    assert feature(blocks, "relative place") == [0, 0.5, 1]
    assert feature(blocks, "words before") == [0, 2, 3]
    assert feature(blocks, "relative words before") == [0, pytest.approx(2 / 6), 0.5]
    assert feature(blocks, "previous words") == [0, 2, 1]
    assert feature(blocks, "next words") == [1, 3, 0]


def test_quotients_take_nothing_for_a_tenth():
    blocks = [TextBlock("one two"), TextBlock("|"), TextBlock("four five six")]
    assert feature(blocks, "text density to the one before") == [pytest.approx(20), pytest.approx(0.05), pytest.approx(30)]
    assert feature(blocks, "text density to the one after") == [pytest.approx(20), pytest.approx(1 / 30), pytest.approx(30)]
    assert feature(blocks, "words to its neighbours") == [pytest.approx(20), pytest.approx(0.04), pytest.approx(30)]


def test_frequencies_count_equal_texts_over_the_corpus():
    pages = [[TextBlock("Home"), TextBlock("A story")], [TextBlock("Home"), TextBlock("Another")]]
    found = shallow_features(pages[0], Counter(block.text for page in pages for block in page))
    assert found[:, ALL.index("frequency")].tolist() == [2, 1]
    assert found[:, ALL.index("next frequency")].tolist() == [1, 0]
    assert shallow_features(pages[0])[:, ALL.index("frequency")].tolist() == [0, 0]


def test_lines_hold_eighty_characters():
    assert [len(line) for line in wrap("abc " * 60)] == [79, 79, 79]
    assert wrap("a" * 200 + " b") == ["a" * 200, "b"]
    assert wrap("") == []


def test_the_last_line_is_not_counted_but_where_it_is_the_only_one():
    assert text_density("abc " * 21) == 20
    assert text_density("abc " * 5) == 5
    assert text_density("") == 0


def test_nothing_has_no_features():
    assert shallow_features([]).shape == (0, 67)
    assert np.isfinite(shallow_features([TextBlock("|")])).all()


def test_link_density_is_never_more_than_all():
    assert shallow_of(TextBlock("twice", 2)).link_density == 1
    assert shallow_of(TextBlock("»")).link_density == 0


def test_a_word_that_does_not_end_is_read_in_one_pass():
    assert shallow_of(TextBlock("=" * 300_000)).words == 0


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
