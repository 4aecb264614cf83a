"""The 128 and 25 features: their lists, their values on a small page, and what never changes them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.classify.neural.web2text.features import (
    BLOCK_NAMES,
    EDGE_NAMES,
    LEAF,
    NODE,
    PageFeatures,
    count_text,
    number_kind,
    page_features,
)
from tests.pages.web2text_html import read_tree

HTML = """
<body>
  <ul class="menu"><li><a href="/">Home</a></li><li><a href="/">News</a></li></ul>
  <div><h1>The Harbour 2026</h1><p>Ships are late. Why? Ask <b>Ann</b> at ann@port.example or https://port.example/ now</p></div>
  <form><p>© Port</p><p>Home</p><input></form>
</body>
"""
TEXTS = (
    "Home",
    "News",
    "The Harbour 2026",
    "Ships are late. Why? Ask",
    "Ann",
    "at ann@port.example or https://port.example/ now",
    "© Port",
    "Home",
)


@pytest.fixture(scope="module")
def found() -> PageFeatures:
    tree = read_tree(HTML)
    assert tree.texts == TEXTS
    return page_features(tree)


def column(found: PageFeatures, name: str) -> list[float]:
    return found.blocks[:, BLOCK_NAMES.index(name)].tolist()


def edge(found: PageFeatures, name: str) -> list[float]:
    return found.edges[:, EDGE_NAMES.index(name)].tolist()


def test_there_are_as_many_as_in_the_paper() -> None:
    assert (len(BLOCK_NAMES), len(EDGE_NAMES), len(LEAF), len(NODE)) == (128, 25, 24, 20)
    assert len(set(BLOCK_NAMES)) == 128
    assert len(set(EDGE_NAMES)) == 25


def test_a_row_a_leaf_and_a_row_between_two(found: PageFeatures) -> None:
    assert found.blocks.shape == (8, 128)
    assert found.edges.shape == (7, 25)


def test_copies_of_a_text_and_of_a_class_path_are_counted(found: PageFeatures) -> None:
    assert column(found, "has_duplicate") == [1, -1, -1, -1, -1, -1, -1, 1]
    assert column(found, "same_class_path") == pytest.approx([2 / 8, 2 / 8, 1 / 8, 2 / 8, 1 / 8, 2 / 8, 2 / 8, 2 / 8])
    many = page_features(read_tree("<p>Same</p>" * 11 + "<p>Other</p>"))
    assert column(many, "has_10_duplicates") == [1] * 11 + [-1]


def test_what_the_text_of_a_leaf_holds(found: PageFeatures) -> None:
    assert column(found, "log_words") == pytest.approx([math.log(words) for words in (1, 1, 3, 5, 1, 9, 1, 1)])
    assert column(found, "average_word_length")[2] == pytest.approx((3 + 7 + 4) / 3)
    assert column(found, "stopword_ratio")[3] == pytest.approx(2 / 5)
    assert column(found, "has_multiple_sentences") == [-1, -1, -1, 1, -1, -1, -1, -1]
    assert column(found, "punctuation")[3] == 2
    assert column(found, "numeric_ratio")[2] == pytest.approx(4 / 16)
    assert column(found, "contains_year") == [-1, -1, 1, -1, -1, -1, -1, -1]
    assert column(found, "contains_email") == [-1, -1, -1, -1, -1, 1, -1, -1]
    assert column(found, "contains_url") == [-1, -1, -1, -1, -1, 1, -1, -1]
    assert column(found, "contains_copyright") == [-1, -1, -1, -1, -1, -1, 1, -1]
    assert column(found, "capital_ratio")[2:4] == pytest.approx([2 / 3, 3 / 5])


def test_positions_rise_from_nothing_to_the_whole_page(found: PageFeatures) -> None:
    characters = np.array([len(text) for text in TEXTS])
    assert column(found, "relative_position") == pytest.approx((np.cumsum(characters) - characters / 2) / characters.sum())


def test_parents_and_grandparents_sum_up_what_stands_under_them(found: PageFeatures) -> None:
    total = sum(map(len, TEXTS))
    paragraph = sum(map(len, TEXTS[3:6]))
    assert column(found, "parent_text_share")[3] == pytest.approx(paragraph / total)
    assert column(found, "grandparent_text_share")[3] == pytest.approx((paragraph + len(TEXTS[2])) / total)
    assert column(found, "root_text_share") == pytest.approx([1] * 8)
    assert column(found, "parent_link_density")[:3] == pytest.approx([1, 1, 0])
    assert column(found, "root_link_density")[0] == pytest.approx(8 / total)
    assert column(found, "parent_contains_form")[-3:] == [-1, 1, 1]
    assert column(found, "root_contains_form")[0] == 1
    assert column(found, "parent_contains_email")[3:6] == [1, 1, 1]


def test_tags_are_those_of_the_merged_nodes(found: PageFeatures) -> None:
    assert column(found, "tag_li")[:3] == [1, 1, -1]
    assert column(found, "tag_a")[:3] == [1, 1, -1]
    assert column(found, "tag_b")[3:6] == [-1, 1, -1]
    assert column(found, "parent_tag_p")[3:6] == [1, 1, 1]
    assert column(found, "parent_tag_ul")[:3] == [1, 1, -1]


def test_an_ancestor_that_is_not_there_leaves_its_features_open(found: PageFeatures) -> None:
    assert column(found, "has_grandparent") == [1] * 8
    flat = page_features(read_tree("<body><p>One</p><p>Two</p></body>"))
    assert column(flat, "has_parent") == [1, 1]
    assert column(flat, "has_grandparent") == [-1, -1]
    assert np.isnan(column(flat, "grandparent_link_density")).all()
    alone = page_features(read_tree("<body><p>One</p></body>"))
    assert column(alone, "has_parent") == [-1]
    assert alone.edges.shape == (0, 25)


def test_edges_know_hops_line_breaks_and_the_common_ancestor(found: PageFeatures) -> None:
    assert edge(found, "hops_2") == [1, -1, -1, 1, 1, -1, 1]
    assert edge(found, "hops_3") == [-1, -1, 1, -1, -1, -1, -1]
    assert edge(found, "hops_4") == [-1, 1, -1, -1, -1, -1, -1]
    assert edge(found, "hops_more") == [-1, -1, -1, -1, -1, 1, -1]
    assert edge(found, "line_break") == [1, 1, 1, -1, -1, 1, 1]
    assert edge(found, "common_ancestor_link_density")[0] == 1
    assert edge(found, "common_ancestor_contains_form") == [-1, 1, -1, -1, -1, 1, 1]


def test_marks_are_not_standardised_and_numbers_are() -> None:
    assert number_kind("grandparent_log_characters") == number_kind("root_log_characters") != number_kind("log_characters") != ""
    assert number_kind("common_ancestor_text_share")
    assert not number_kind("parent_contains_form")
    assert not number_kind("hops_2")
    marks = [number for number, name in enumerate(BLOCK_NAMES) if not number_kind(name)]
    assert set(np.unique(page_features(read_tree(HTML)).blocks[:, marks])) == {-1.0, 1.0}


def test_sentences_end_with_their_marks_in_any_script() -> None:
    counts, ends = count_text(("One. Two! Three", "版权所有。联系我们", "e.g. 3.5", "Why?", "停?…", "为什么？"), np.zeros(6, bool))
    assert counts.sentences.tolist() == [3, 2, 2, 1, 1, 1]
    assert ends.question.tolist() == [False, False, False, True, False, True]


TEXT = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp")), min_size=1, max_size=30), min_size=1, max_size=12
)


@settings(max_examples=60)
@given(TEXT)
def test_counts_of_many_are_the_counts_of_each(texts: list[str]) -> None:
    whole, _ = count_text(texts, np.zeros(len(texts), bool))
    for row, text in enumerate(texts):
        alone, _ = count_text([text], np.zeros(1, bool))
        assert [field[row] for field in whole] == [field[0] for field in alone]


@settings(max_examples=50)
@given(TEXT)
def test_features_are_finite_where_the_ancestor_is_there(texts: list[str]) -> None:
    tree = read_tree("".join(f"<div><p>{text.replace('<', '').replace('&', '')}<b>x</b></p></div>" for text in texts))
    found = page_features(tree)
    assert np.isfinite(found.edges).all()
    assert np.isfinite(found.blocks[:, : BLOCK_NAMES.index("has_parent")]).all()
    assert np.abs(found.blocks[np.isfinite(found.blocks)]).max() <= 15
