"""Density sum, BTE and tag ratios: their measures on small pages, and the parts of pages that they choose."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.classify.heuristics.densities import composite_densities, count_tags, is_content, mark_content, plateau, read_tree
from sightread.render.page import Page
from sightread.render.static.parse import read_html

PARAGRAPH = "<p>The flood took the old bridge at night, and nobody in the valley knows how to cross the <i>river</i> today.</p>"
NAV = "<ul>" + "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Sport", "Weather", "Shop")) + "</ul>"
STORY = f"<body><nav>{NAV}</nav><main><h1>Bridge</h1>{PARAGRAPH * 4}</main><footer>{NAV}</footer>"


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
