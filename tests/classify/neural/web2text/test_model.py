"""Web2Text: the path that it takes, what it says of blocks, its files, and its training."""

import sys
from functools import cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sightread.classify.neural.web2text.features import BLOCK_NAMES, EDGE_NAMES, page_features
from sightread.classify.neural.web2text.model import Web2Text
from sightread.classify.neural.web2text.network import (
    FILTERS,
    KERNELS,
    Convolution,
    ConvolutionNetwork,
    log_softmax,
    path_probabilities,
    path_scores,
    with_neighbours,
)
from sightread.classify.neural.web2text.tree import derive_tree
from sightread.classify.training import web2text as web2text_training
from sightread.classify.weights import load_weights, save_weights
from sightread.render.errors import BadRecord, Rejected, Unequipped
from sightread.render.page import Block, Element, Page
from sightread.render.static.parse import read_html
from tests.pages.web2text_html import read_tree

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed: sightread[neural] trains neural models")

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
def any_model() -> Web2Text:
    """A model whose weights are drawn: it has learned nothing, and does all that one does that has."""
    found = any_network(len(BLOCK_NAMES), 2, 1).arrays("leaves") | any_network(len(EDGE_NAMES), 4, 2).arrays("pairs")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.npz"
        save_weights(path, "web2text", found, {"blocks": BLOCK_NAMES, "edges": EDGE_NAMES, "pages": 0})
        return Web2Text.load(path)


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
def test_the_scores_are_those_of_the_best_path_through_each_label(potentials: tuple[np.ndarray, np.ndarray]) -> None:
    paths = all_paths(*potentials)
    scores = path_scores(*potentials)
    for row, label in product(range(len(scores)), (0, 1)):
        assert scores[row, label] == max(score for path, score in paths.items() if path[row] == label)


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


def test_a_page_without_leaves_has_no_path() -> None:
    assert path_probabilities(np.zeros((0, 2)), np.zeros((0, 4))).shape == (0,)


def test_sure_potentials_stay_numbers() -> None:
    logits = np.array([[-1e4, 1e4], [1e4, -1e4]], np.float32)
    found = path_probabilities(log_softmax(logits), np.zeros((1, 4)))
    assert found.tolist() == pytest.approx([1, 0])


def test_a_convolution_reads_the_places_beside_it() -> None:
    values = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
    assert with_neighbours(values).tolist() == [[0, 0, 1, 2, 3, 4], [1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 0, 0]]


def test_the_networks_see_three_places_to_each_side_and_no_further() -> None:
    network = any_network(5, 2, 0)
    values = np.random.default_rng(0).normal(size=(15, 5)).astype(np.float32)
    before = network.logits(values)
    values[7] += 10
    changed = np.flatnonzero(np.abs(network.logits(values) - before).max(1) > 1e-3)
    assert changed.min() >= 4
    assert changed.max() <= 10
    assert len(changed) > 1


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
    kept = any_model().predict_leaves(tree) >= 0.5
    covered = np.bincount(blocks, lengths * kept) * 2 >= np.bincount(blocks, lengths)
    assert 0 < covered.sum() < len(covered)
    assert (any_model().predict(page).relative >= 0.5).tolist() == covered.tolist()


def test_scores_are_probabilities_one_a_block() -> None:
    found = any_model().predict(STORY_PAGE).relative
    assert found.shape == (len(STORY_PAGE.blocks),)
    assert found.dtype == np.float64
    assert ((found >= 0) & (found <= 1)).all()


def test_pages_of_any_shape_are_read() -> None:
    for html in ("<p>One</p>", "<p>One</p><p>Two</p>", "<div>" * 2000 + "deep", "<p>word</p>" * 3000):
        page = read_html(html, "http://a.example/")
        assert any_model().predict(page).relative.shape == (len(page.blocks),)
    assert any_model().predict(Page("", "", "static", (Element("body", -1),), ())).relative.shape == (0,)


def test_a_block_of_white_space_is_no_content() -> None:
    page = Page("", "", "imported", (Element("body", -1),), (Block("\u200b", 0), Block("Text", 0)))
    assert any_model().predict(page).relative[0] == 0


def test_a_saved_model_reads_pages_alike(tmp_path: Path) -> None:
    any_model().save(tmp_path / "model.npz")
    again = Web2Text.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(again.predict(STORY_PAGE).relative, any_model().predict(STORY_PAGE).relative)
    again.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "model.npz").read_bytes()


def test_a_model_of_other_features_is_refused(tmp_path: Path) -> None:
    any_model().save(tmp_path / "model.npz")
    weights = load_weights(tmp_path / "model.npz", "web2text")
    save_weights(tmp_path / "old.npz", "web2text", weights.arrays, {**weights.about, "blocks": ["another"]})
    with pytest.raises(BadRecord, match="other features"):
        Web2Text.load(tmp_path / "old.npz")


@pytest.mark.parametrize("damage", ["missing", "shape", "type", "infinite"])
def test_a_model_whose_arrays_do_not_fit_is_refused(tmp_path: Path, damage: str) -> None:
    any_model().save(tmp_path / "model.npz")
    found, about = load_weights(tmp_path / "model.npz", "web2text")
    name = "pairs_2_weights"
    if damage == "missing":
        del found[name]
    else:
        wrong = {"shape": found[name][1:], "type": found[name].astype(np.float64), "infinite": found[name] + np.float32(np.inf)}
        found[name] = wrong[damage]
    save_weights(tmp_path / "bad.npz", "web2text", found, about)
    with pytest.raises(BadRecord, match="train it again"):
        Web2Text.load(tmp_path / "bad.npz")


def test_a_model_that_has_not_learned_states_so(tmp_path: Path) -> None:
    with pytest.raises(Rejected, match="not learned yet"):
        Web2Text().predict(STORY_PAGE)
    with pytest.raises(Rejected, match="nothing to save"):
        Web2Text().save(tmp_path / "model.npz")


def test_without_pytorch_training_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    pages, labels = lessons(4)
    with pytest.raises(Unequipped, match=r"sightread\[neural\]"):
        Web2Text().fit(pages, labels)


def test_pages_of_one_text_each_teach_nothing() -> None:
    labelled = web2text_training.LabelledLeaves([page_features(read_tree("<p>Only</p>"))] * 3, [np.ones(1, np.int8)] * 3)
    with pytest.raises(Rejected, match="two texts"):
        Web2Text().fit_labelled(labelled)


def lessons(count: int) -> tuple[list[Page], list[np.ndarray]]:
    """Pages whose links are boilerplate and whose paragraphs are content."""
    random = np.random.default_rng(count)
    pages = []
    for number in range(count):
        menu = "".join(f"<li><a href=/{link}>Part {link}</a></li>" for link in range(random.integers(3, 7)))
        story = "".join(f"<p>The harbour was quiet, and {word} ships lay there.</p>" for word in range(random.integers(2, 6)))
        pages.append(read_html(f"<ul>{menu}</ul><div>{story}</div><p><a href=/>Back</a></p>", f"http://site{number}.example/"))
    return pages, [np.array([block.text.startswith("The") for block in page.blocks]).astype(np.int8) for page in pages]


@needs_torch
def test_it_learns_links_from_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web2text_training, "OPTIONS", web2text_training.TrainingOptions(steps=100))
    model = Web2Text().fit(*lessons(12))
    new, truth = lessons(3)
    for page, of_page in zip(new, truth, strict=True):
        assert ((model.predict(page).relative >= 0.5) == of_page).all()


@needs_torch
def test_training_twice_gives_the_same_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web2text_training, "OPTIONS", web2text_training.TrainingOptions(steps=10, check_interval=10))
    pages, labels = lessons(12)
    one, again = (Web2Text().fit(pages, labels).predict(pages[0]).relative for _ in range(2))
    np.testing.assert_array_equal(one, again)


@needs_torch
def test_an_unknown_label_teaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web2text_training, "OPTIONS", web2text_training.TrainingOptions(steps=10, check_interval=10))
    pages, labels = lessons(12)
    for of_page in labels:
        of_page[0] = -1
    wrong = [np.where(np.arange(len(of_page)) == 0, -1, of_page).astype(np.int8) for of_page in labels]
    np.testing.assert_array_equal(
        Web2Text().fit(pages, labels).predict(pages[0]).relative, Web2Text().fit(pages, wrong).predict(pages[0]).relative
    )
