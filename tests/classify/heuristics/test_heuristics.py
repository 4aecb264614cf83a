"""Boilerpipe, density sum, BTE and tag ratios: their measures, published trees and filters, and the parts of pages that they choose."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.classify.heuristics.boilerpipe import (
    CONTEXT,
    LOCAL,
    Shallow,
    TextBlock,
    by_density,
    by_words,
    number_of_words,
    page_blocks,
    shallow_features,
    shallow_of,
    text_density,
)
from sightread.classify.heuristics.boilerpipe_tree import BoilerpipeTree, DecisionTree
from sightread.classify.heuristics.densities import composite_densities, count_tags, is_content, mark_content, plateau, read_tree
from sightread.models.registry import MODELS
from sightread.render.errors import Rejected
from sightread.render.page import Block, Element, Inline, Page
from sightread.render.static.parse import read_html
from tests.labeling.sites import AD, BODY, NAV, make_page

BLOCK = TextBlock("The Ferry left at 10:30. NOBODY saw it | Monday 12 May 2008", 3, frozenset({"p", "div"}))


def feature(blocks: list[TextBlock], name: str) -> list[float]:
    return shallow_features(blocks)[:, CONTEXT.index(name)].tolist()


def test_the_features_of_a_block_are_those_counted_by_hand():
    assert (len(LOCAL), len(CONTEXT), len(set(CONTEXT))) == (23, 64, 64)
    mean = (3 + 5 + 4 + 2 + 6 + 6 + 3 + 2 + 6 + 2 + 3 + 4) / 12
    counted = {"words": 12, "tokens": 13, "link density": 3 / 12, "text density": 12, "sentences": 1, "mean sentence length": 12}
    counted |= {"mean word length": mean, "full stops a word": 1 / 12, "capitalised words": 5, "capitalised share": 5 / 12}
    counted |= {"upper-case words": 1, "dates and times": 4, "vertical bars": 1, "in h": 0, "in p": 1, "in div": 1, "in a": 0}
    assert {name: feature([BLOCK], name)[0] for name in counted} == pytest.approx(counted)


def test_places_and_neighbours_belong_to_their_block():
    blocks = [TextBlock("one two"), TextBlock("three"), TextBlock("four five six")]
    assert feature(blocks, "place") == [0, 1, 2]
    assert feature(blocks, "relative place") == [0, 0.5, 1]
    assert feature(blocks, "words before") == [0, 2, 3]
    assert feature(blocks, "relative words before") == [0, pytest.approx(2 / 6), 0.5]
    assert feature(blocks, "previous words") == [0, 2, 1]
    assert feature(blocks, "next words") == [1, 3, 0]


def test_the_last_line_is_not_counted_but_where_it_is_the_only_one():
    assert text_density("abc " * 21) == 20
    assert text_density("abc " * 5) == 5
    assert text_density("") == 0


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


THIRD, MORE_THAN_A_THIRD = 0.333333, 1 / 3
FIVE_NINTHS, MORE_THAN_FIVE_NINTHS = 0.555556, 0.555557
FAR = Shallow(100, 0, 100)
"""A neighbour with much text."""


def density(value: float) -> Shallow:
    return Shallow(0, 0, value)


def count(value: float) -> Shallow:
    return Shallow(value, 0, 0)


@pytest.mark.parametrize(
    ("before", "block", "after", "content"),
    [
        (FAR, Shallow(100, MORE_THAN_A_THIRD, 100), FAR, False),
        (FAR, Shallow(100, THIRD, 100), FAR, True),
        (Shallow(9, MORE_THAN_FIVE_NINTHS, 9), density(100), density(11), False),
        (Shallow(9, MORE_THAN_FIVE_NINTHS, 9), density(0), density(11.1), True),
        (Shallow(9, FIVE_NINTHS, 9), density(100), density(11), True),
        (density(4), density(9), density(10), False),
        (density(4.1), density(9), density(10), True),
        (density(4), density(9), density(10.1), True),
        (density(4), density(9.1), density(0), False),
        (density(100), density(9.1), density(0), False),
        (density(4), density(9.1), density(0.1), True),
    ],
)
def test_the_tree_of_densities_is_algorithm_1(before: Shallow, block: Shallow, after: Shallow, content: bool):
    assert by_density(before, block, after) is content


@pytest.mark.parametrize(
    ("before", "block", "after", "content"),
    [
        (FAR, Shallow(100, MORE_THAN_A_THIRD, 100), FAR, False),
        (FAR, Shallow(100, THIRD, 100), FAR, True),
        (Shallow(9, MORE_THAN_FIVE_NINTHS, 9), count(40), count(17), False),
        (Shallow(9, MORE_THAN_FIVE_NINTHS, 9), count(41), count(17), True),
        (Shallow(9, MORE_THAN_FIVE_NINTHS, 9), count(40), count(18), True),
        (Shallow(9, FIVE_NINTHS, 9), count(40), count(17), True),
        (count(4), count(16), count(15), False),
        (count(5), count(16), count(15), True),
        (count(4), count(16), count(16), True),
        (count(4), count(17), count(15), True),
        (count(4), count(17), count(0), True),
    ],
)
def test_the_tree_of_word_numbers_is_algorithm_2(before: Shallow, block: Shallow, after: Shallow, content: bool):
    assert by_words(before, block, after) is content


def test_link_density_is_the_share_of_words_inside_links_and_without_ranges_of_characters():
    links = (Inline(0, 4, "link"), Inline(15, 19, "link"), Inline(5, 8, "strong"))
    blocks = (
        Block("read all of it here today", 0, inlines=links, link_chars=8),
        Block("ten chars!", 0, link_chars=5),
        Block("twice", 0, inlines=(Inline(0, 5, "link"), Inline(0, 5, "link")), link_chars=5),
    )
    read = page_blocks(Page("", "", "imported", (Element("body", -1),), blocks))[1]
    assert [shallow_of(block).link_density for block in read] == pytest.approx([2 / 6, 0.5, 1.0])


PARAGRAPH = "The flood took the old bridge at night, and nobody in the valley knows how to cross the river today."


def kept(name: str, page: Page) -> list[int]:
    return np.flatnonzero(MODELS[name].make().predict(page).relative >= 0.5).tolist()


def test_paragraphs_are_kept_and_links_and_short_texts_dropped():
    page = make_page("https://x.test/", [NAV("Home"), NAV("Sports"), AD("Buy it."), *[BODY(PARAGRAPH)] * 3, NAV(PARAGRAPH), AD("The end.")])
    assert kept("boilerpipe", page) == kept("boilerpipe-density", page) == [2, 3, 4, 5]
    neighbours = "<p>Buy it.</p><p{}>" + PARAGRAPH + "</p><p>The end.</p>"
    assert kept("boilerpipe", read_html(neighbours.format(""))) == [0, 1, 2]
    assert kept("boilerpipe", read_html(neighbours.format(" hidden"))) == [], "a hidden block is no neighbour"


def test_filters_keep_the_run_with_the_most_words_or_the_article_from_its_headline_to_the_comments():
    story = "<h1>The old bridge</h1><p>By Ada</p>" + f"<p>{PARAGRAPH}</p>" * 4
    links = "<ul>" + "<li><a href=/x>Elsewhere</a></li>" * 4 + "</ul>"
    page = read_html(f"<title>The old bridge</title><p>{PARAGRAPH}</p>{links}{story}<h2>Comments</h2><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p>")
    assert kept("boilerpipe-largest", page) == [6, 7, 8, 9, 10, 11, 12, 13]
    assert kept("boilerpipe-article", page) == [5, 6, 7, 8, 9, 10]
    short = read_html("<p>Few words</p><p><a href=/>Home</a></p>")
    assert kept("boilerpipe-largest", short) == kept("boilerpipe-article", short) == []


STUMP = DecisionTree([0, -1, -1], [16.0, 0, 0], [1, -1, -1], [2, -1, -1], [[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]])
"""Content from 17 words on."""


def site(pages: int, words: int = 12) -> tuple[list[Page], list[np.ndarray]]:
    """Pages of long paragraphs, which are content, between short ones, which are not."""
    html = "".join(f"<p>{'menu ' * (row % 3 + 1)}</p><p>{PARAGRAPH * (row % 2 + 1)}</p>" for row in range(words))
    read = [read_html(f"<h1>{number}</h1>{html}") for number in range(pages)]
    return read, [np.array([len(block.text) > 40 for block in page.blocks], np.int8) for page in read]


def test_what_is_long_on_the_training_pages_is_content_on_another():
    pages, labels = site(9)
    model = BoilerpipeTree().fit(pages[:8], labels[:8])
    assert (model.predict(pages[8]).relative[1:] >= 0.5).astype(int).tolist() == labels[8][1:].tolist()


def test_unknown_and_hidden_blocks_teach_nothing():
    pages, labels = site(6)
    unknown = [np.where(of_page == 1, -1, of_page) if row == 0 else of_page for row, of_page in enumerate(labels)]
    assert (BoilerpipeTree().fit(pages, unknown).predict(pages[0]).relative[1:] >= 0.5).any()
    page = read_html(f"<p hidden>{PARAGRAPH}</p><p>{PARAGRAPH}</p>")
    assert BoilerpipeTree(STUMP).predict(page).relative.tolist() == [0.0, 0.8]
    with pytest.raises(Rejected, match="show no words of both kinds"):
        BoilerpipeTree().fit([page], [np.array([0, 1], np.int8)])


PARAGRAPH_HTML = "<p>The flood took the old bridge at night, and nobody in the valley knows how to cross the <i>river</i> today.</p>"
MENU = "<ul>" + "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Sport", "Weather", "Shop")) + "</ul>"
STORY = f"<body><nav>{MENU}</nav><main><h1>Bridge</h1>{PARAGRAPH_HTML * 4}</main><footer>{MENU}</footer>"


def test_tags_are_counted_between_blocks_and_inside_them():
    page = read_html("<div><p>one</p><p>two <b>three</b><br>four</p></div><ul><li><img src=/x.png alt=x>five</li></ul>")
    tags = count_tags(page)
    assert tags.before.tolist() == [2, 2, 5]  # <div><p>; </p><p>; </p></div><ul><li><img>
    assert tags.inside.tolist() == [0, 3, 0]
    assert tags.words.tolist() == [1, 3, 1]


@given(st.lists(st.integers(-3, 3), max_size=9))
def test_the_plateau_is_the_run_of_the_largest_sum(gains: list[int]):
    start, end = plateau(np.array(gains, np.float64))
    best = max((sum(gains[i:j]) for i, j in itertools.combinations(range(len(gains) + 1), 2)), default=0)
    assert sum(gains[start:end]) == max(best, 0)
    assert start <= end


def page_of(characters: int, linked: int, tags: int) -> Page:
    links = f"<a href=/>{'x' * linked}</a>" if linked else ""
    return read_html(f"<body><p>{links}{'y' * (characters - linked)}{'<b>z</b>' * (tags - bool(linked))}</p>")


def test_the_composite_density_is_that_of_the_paper():
    page = page_of(60, 20, 3)
    tree = read_tree(page)
    node = 1  # the paragraph: 62 characters, of them 20 linked; tags: a, b, b
    c, lc, t, lt = 62.0, 20.0, 3.0, 1.0
    base = math.log(c / (c - lc) * lc + lc / c * c + math.e)
    assert (tree.characters[node], tree.link_characters[node], tree.tags[node], tree.link_tags[node]) == (c, lc, t, lt)
    assert composite_densities(tree)[node] == pytest.approx(c / t * math.log(c / lc * t / lt, base))


def test_the_element_of_the_largest_density_sum_is_content():
    tree = read_tree(read_html(STORY))
    densities = composite_densities(tree)
    sums = np.zeros(len(tree.parents))
    np.add.at(sums, tree.parents[1:], densities[1:])
    assert mark_content(tree, densities)[int(np.argmax(sums))]


def test_lines_far_above_the_others_are_content_and_those_without_text_never():
    assert is_content(np.array([1.0] * 9 + [90, 100, 95, 90] + [1] * 9)).tolist() == [False] * 9 + [True] * 4 + [False] * 9
    assert not is_content(np.zeros(4)).any()
    assert is_content(np.zeros(0)).shape == (0,)
