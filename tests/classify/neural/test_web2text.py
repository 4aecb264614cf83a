"""Web2Text: the collapsed DOM of a page, its 128 and 25 features, and the path that the networks' predictions take."""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sightread.classify.neural.web2text.features import BLOCK_NAMES, EDGE_NAMES, LEAF, NODE, PageFeatures, count_text, page_features
from sightread.classify.neural.web2text.model import (
    FILTERS,
    KERNELS,
    Convolution,
    ConvolutionNetwork,
    Networks,
    path_probabilities,
    with_neighbours,
)
from sightread.classify.neural.web2text.tree import TAGS, CollapsedTree, derive_tree
from sightread.render.static.parse import read_html


def read_tree(html: str) -> CollapsedTree:
    return derive_tree(read_html(html, "http://a.example/")).tree


ARTICLE = """
<body>
  <div class="story"><h1>Header</h1><div></div>
    <p>Paragraph with an <em>italic</em> section.<br>Next <a href="/">link <strong>bold</strong></a></p>
  </div>
  <ul><li><a href="/one">One</a></li><li><button>Two</button></li></ul>
</body>
"""


def tags(tree: CollapsedTree, row: int) -> set[str]:
    return {tag for place, tag in enumerate(TAGS) if tree.tags[row] >> place & 1}


def outline(tree: CollapsedTree, row: int = 0) -> list[object]:
    """The tree as nested lists of its leaves' texts."""
    if row in tree.leaves:
        return [tree.texts[int(tree.first[row])]]
    return [outline(tree, child) for child in range(len(tree.parent)) if tree.parent[child] == row]


def test_the_example_of_the_authors_collapses_as_in_their_introduction() -> None:
    tree = read_tree("<body><h1>Header</h1><p>Paragraph with an <i>Italic</i> section.</p></body>")
    assert outline(tree) == [["Header"], [["Paragraph with an"], ["Italic"], ["section."]]]
    assert [tags(tree, row) for row in range(6)] == [{"body"}, {"h1"}, {"p"}, set(), {"em"}, set()]


def test_lines_break_at_blocks_and_rules_and_not_in_a_paragraph() -> None:
    tree = read_tree(ARTICLE)
    assert read_tree("<pre>one\ntwo\n\nthree</pre>").texts == ("one two three",)
    assert tree.texts == ("Header", "Paragraph with an", "italic", "section.", "Next", "link", "bold", "One", "Two")
    assert list(tree.breaks) == [True, True, False, False, True, False, False, True, True]
    assert list(tree.linked) == [False, False, False, False, False, True, True, True, False]


def test_depth_and_length_are_survived() -> None:
    assert read_tree("<div>" * 30_000 + "deep" + "</div>" * 30_000).texts == ("deep",)
    assert len(read_tree("<p>word</p>" * 20_000).texts) == 20_000
    assert len(read_tree("<p> </p>").parent) == 0


MARKUP = st.recursive(
    st.sampled_from(["word ", "more <br>", " ", "<hr>", "<input>"]),
    lambda inner: st.tuples(st.sampled_from(("div", "p", "span", "a", "b", "ul", "td", "section")), st.lists(inner, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"
    ),
    max_leaves=20,
)


@settings(max_examples=60)
@given(MARKUP)
def test_every_tree_is_sound(html: str) -> None:
    tree = read_tree(html)
    count = len(tree.texts)
    for row in range(1, len(tree.parent)):
        above = int(tree.parent[row])
        assert above < row
        assert tree.first[above] <= tree.first[row] < tree.stop[row] <= tree.stop[above]
        assert sum(tree.parent == above) > 1
    assert list(tree.first[tree.leaves]) == list(range(count))
    assert list(tree.stop[tree.leaves]) == list(range(1, count + 1))
    assert sorted(tree.leaves.tolist()) == tree.leaves.tolist()


HTML = """
<body>
  <ul class="menu"><li><a href="/">Home</a></li><li><a href="/">News</a></li></ul>
  <div><h1>The Harbour 2026</h1><p>Ships are late. Why? Ask <b>Ann</b> at ann@port.example or https://port.example/ now</p></div>
  <fieldset><p>© Port</p><p>Home</p></fieldset>
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


def test_there_are_as_many_as_in_the_paper(found: PageFeatures) -> None:
    assert (len(set(BLOCK_NAMES)), len(set(EDGE_NAMES)), len(LEAF), len(NODE)) == (128, 25, 24, 20)
    assert (found.blocks.shape, found.edges.shape) == ((8, 128), (7, 25))


def test_copies_of_a_text_and_of_a_class_path_are_counted(found: PageFeatures) -> None:
    assert column(found, "has_duplicate") == [1, -1, -1, -1, -1, -1, -1, 1]
    assert column(found, "same_class_path") == pytest.approx([2 / 8, 2 / 8, 1 / 8, 2 / 8, 1 / 8, 2 / 8, 2 / 8, 2 / 8])
    many = page_features(read_tree("<p>Same</p>" * 11 + "<p>Other</p>"))
    assert column(many, "has_10_duplicates") == [1] * 11 + [-1]


def test_what_the_text_of_a_leaf_holds(found: PageFeatures) -> None:
    characters = np.array([len(text) for text in TEXTS])
    assert column(found, "relative_position") == pytest.approx((np.cumsum(characters) - characters / 2) / characters.sum())
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


def test_edges_know_hops_line_breaks_and_the_common_ancestor(found: PageFeatures) -> None:
    assert edge(found, "hops_2") == [1, -1, -1, 1, 1, -1, 1]
    assert edge(found, "hops_3") == [-1, -1, 1, -1, -1, -1, -1]
    assert edge(found, "hops_4") == [-1, 1, -1, -1, -1, -1, -1]
    assert edge(found, "hops_more") == [-1, -1, -1, -1, -1, 1, -1]
    assert edge(found, "line_break") == [1, 1, 1, -1, -1, 1, 1]
    assert edge(found, "common_ancestor_link_density")[0] == 1
    assert edge(found, "common_ancestor_contains_form") == [-1, 1, -1, -1, -1, 1, 1]


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


STORY_PAGE = read_html(
    "".join(
        f"<div><h2>Part {part}</h2><p>The <b>ferry {part}</b> left at <a href=/{part}>noon</a>, and <i>nobody</i> saw it.<br>So it is."
        f"<ul><li><a href=/a>Map</a> | <a href=/b>List</a></li><li>{'word ' * part}</li></ul></div>"
        for part in range(1, 12)
    ),
    "http://a.example/",
)


def any_network(inputs: int, classes: int, seed: int) -> ConvolutionNetwork:
    random = np.random.default_rng(seed)
    layers = []
    width = inputs
    for kernel, filters in zip(KERNELS, (*FILTERS, classes), strict=True):
        layers.append(
            Convolution(random.normal(0, 0.2, (kernel * width, filters)).astype(np.float32), random.normal(size=filters).astype(np.float32))
        )
        width = filters
    return ConvolutionNetwork(np.zeros(inputs, np.float32), np.ones(inputs, np.float32), tuple(layers))


@cache
def any_networks() -> Networks:
    """Networks whose weights are drawn."""
    return Networks(any_network(len(BLOCK_NAMES), 2, 1), any_network(len(EDGE_NAMES), 4, 2))


HALVES = st.integers(1, 7).flatmap(
    lambda count: st.tuples(
        arrays.arrays(np.float64, (count, 2), elements=st.integers(-40, 40)),
        arrays.arrays(np.float64, (count - 1, 4), elements=st.integers(-40, 40)),
    )
)


def all_paths(leaves: np.ndarray, pairs: np.ndarray) -> dict[tuple[int, ...], float]:
    """Every labelling and its score."""
    rows = range(len(leaves))
    return {
        path: sum(leaves[row, path[row]] for row in rows) + sum(pairs[row, 2 * path[row] + path[row + 1]] for row in rows[:-1])
        for path in product((0, 1), repeat=len(leaves))
    }


@settings(max_examples=60)
@given(HALVES)
def test_one_half_divides_as_the_best_path_does(potentials: tuple[np.ndarray, np.ndarray]) -> None:
    paths = all_paths(*potentials)
    best = [path for path, score in paths.items() if score == max(paths.values())]
    found = path_probabilities(*potentials) >= 0.5
    if len(best) == 1:
        assert tuple(found.astype(int)) == best[0]
    else:
        assert [any(path[row] for path in best) for row in range(len(found))] == found.tolist()


def test_a_long_page_is_read_as_by_plain_products() -> None:
    network = any_network(len(BLOCK_NAMES), 2, 0)
    values = features = np.random.default_rng(0).normal(size=(700, len(BLOCK_NAMES))).astype(np.float32)
    for kernel, layer in zip(KERNELS, network.layers, strict=True):
        values = (values if kernel == 1 else with_neighbours(values)) @ layer.weights + layer.bias
        values, last = np.maximum(values, 0), values
    np.testing.assert_allclose(network.logits(features), last, rtol=1e-3, atol=1e-3)


def test_an_unknown_feature_counts_as_the_mean() -> None:
    network = any_network(3, 2, 0)._replace(mean=np.array([1, 2, 3], np.float32))
    unknown, mean = np.full((2, 3), np.nan, np.float32), np.tile(network.mean, (2, 1))
    assert network.logits(unknown).tolist() == network.logits(mean).tolist()


def test_a_block_is_content_where_the_path_covers_half_of_it() -> None:
    page = STORY_PAGE
    tree, blocks = derive_tree(page)
    lengths = np.array([len(text) for text in tree.texts])
    kept = any_networks().predict_leaves(tree) >= 0.5
    covered = np.bincount(blocks, lengths * kept) * 2 >= np.bincount(blocks, lengths)
    assert 0 < covered.sum() < len(covered)
    assert (any_networks().predict(page) >= 0.5).tolist() == covered.tolist()
