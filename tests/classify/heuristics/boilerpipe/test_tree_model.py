"""Trees and the SVM over shallow features: what they learn, that they are data, and that damage is told."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from sightread.classify.heuristics.boilerpipe.shallow_features import CONTEXT
from sightread.classify.heuristics.boilerpipe.tree_model import BoilerpipeTree, DecisionTree, page_features
from sightread.classify.model import Needs, save_payload
from sightread.classify.training.decision_trees import Blocks, TreeLimits, grow_tree
from sightread.render.errors import BadRecord, Rejected
from sightread.render.page import Page
from sightread.render.static.parse import read_html

LONG = "The flood took the old bridge at night, and nobody in the valley knows how to cross the river today."
STUMP = DecisionTree([0, -1, -1], [16.0, 0, 0], [1, -1, -1], [2, -1, -1], [[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]])
"""Content from 17 words on."""


def site(pages: int, words: int = 12) -> tuple[list[Page], list[np.ndarray]]:
    """Pages of long paragraphs, which are content, between short ones, which are not."""
    html = "".join(f"<p>{'menu ' * (row % 3 + 1)}</p><p>{LONG * (row % 2 + 1)}</p>" for row in range(words))
    read = [read_html(f"<h1>{number}</h1>{html}") for number in range(pages)]
    return read, [np.array([len(block.text) > 40 for block in page.blocks], np.int8) for page in read]


def rows(count: int, classes: int) -> Blocks:
    """Blocks whose class is the rounded value of the second of three columns."""
    random = np.random.default_rng(1)
    features = random.uniform(0, 10, (count, 3))
    labels = (features[:, 1] * classes / 10).astype(np.int8)
    return Blocks(features, labels, random.uniform(1, 3, count), np.arange(count) % 10)


def test_what_is_long_on_the_training_pages_is_content_on_another():
    pages, labels = site(9)
    model = BoilerpipeTree().fit(pages[:8], labels[:8])
    assert (model.predict(pages[8]).relative[1:] >= 0.5).astype(int).tolist() == labels[8][1:].tolist()


def test_learning_again_gives_the_same_file(tmp_path: Path):
    pages, labels = site(6)
    for name in ("one", "two"):
        BoilerpipeTree().fit(pages, labels).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_blocks_of_unknown_label_teach_nothing(tmp_path: Path):
    pages, labels = site(6)
    wrong = [np.where(of_page == 1, -1, of_page) if row == 0 else of_page for row, of_page in enumerate(labels)]
    assert BoilerpipeTree().fit(pages, wrong).predict(pages[0]).relative.shape == (len(pages[0].blocks),)
    with pytest.raises(Rejected, match="nothing to learn from: no content"):
        BoilerpipeTree().fit(pages, [np.zeros_like(of_page) for of_page in labels])


def test_blocks_that_nobody_sees_are_never_content_and_teach_nothing():
    page = read_html(f"<p hidden>{LONG}</p><p>{LONG}</p>")
    assert BoilerpipeTree(STUMP).predict(page).relative.tolist() == [0.0, 0.8]
    with pytest.raises(Rejected, match="show no words of both kinds"):
        BoilerpipeTree().fit([page], [np.array([0, 1], np.int8)])


def test_a_model_that_learned_nothing_states_so(tmp_path: Path):
    with pytest.raises(Rejected, match="is not fitted"):
        BoilerpipeTree().predict(read_html("<p>x"))
    with pytest.raises(Rejected, match="is not fitted"):
        BoilerpipeTree().save(tmp_path / "model.json")


def test_a_saved_tree_predicts_the_same(tmp_path: Path):
    pages, labels = site(6)
    model = BoilerpipeTree().fit(pages, labels)
    model.save(tmp_path / "model.json")
    loaded = BoilerpipeTree.load(tmp_path / "model.json")
    assert (loaded.name, loaded.needs) == ("boilerpipe-tree", Needs.DOM)
    assert loaded.predict(pages[0]).relative.tolist() == model.predict(pages[0]).relative.tolist()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"features": [64, -1, -1]}, "node 0 leads nowhere"),
        ({"left": [0, -1, -1]}, "node 0 leads nowhere"),
        ({"right": [3, -1, -1]}, "node 0 leads nowhere"),
        ({"left": [1, -1]}, "lists are of unequal length"),
        ({"probabilities": [[0.5, 0.5], [0.9], [0.2, 0.8]]}, "node 1 has no probabilities"),
        ({"probabilities": [[0.5, 0.5], [1.9, 0.1], [0.2, 0.8]]}, "node 1 has no probabilities"),
        ({"features": [], "thresholds": [], "left": [], "right": [], "probabilities": []}, "lists are of unequal length"),
        ({"features": "none"}, "Expected `array`"),
    ],
)
def test_a_file_that_is_no_tree_is_a_bad_record(tmp_path: Path, change: dict[str, object], why: str):
    save_payload(tmp_path / "model.json", "boilerpipe-tree", msgspec.to_builtins(STUMP) | change)
    with pytest.raises(BadRecord, match=rf"model\.json: not a boilerpipe-tree model: .*{why}"):
        BoilerpipeTree.load(tmp_path / "model.json")


def test_a_page_without_blocks_has_no_predictions():
    assert BoilerpipeTree(STUMP).predict(read_html("")).relative.shape == (0,)
    assert page_features(read_html("")).shape == (0, len(CONTEXT))


@pytest.mark.parametrize("classes", [2, 4])
def test_a_tree_tells_classes_apart(classes: int):
    blocks = rows(2000, classes)
    tree = grow_tree(blocks, classes)
    found = tree.predict(blocks.features)
    assert tree.problem(3, classes) == ""
    assert found.sum(axis=1) == pytest.approx(np.ones(2000), abs=1e-5)
    assert (found.argmax(axis=1) == blocks.labels).mean() > 0.95


def test_a_tree_states_what_scikit_learn_says_of_its_own_rows():
    from sklearn.tree import DecisionTreeClassifier

    blocks = rows(500, 2)
    other = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=20, random_state=0)
    other.fit(blocks.features, blocks.labels, sample_weight=blocks.weights)
    own = grow_tree(blocks, 2, TreeLimits(20, 0.0)).predict(blocks.features)
    assert own[:, 1] == pytest.approx(other.predict_proba(blocks.features)[:, 1], abs=0.05)
    assert (own.argmax(axis=1) == other.predict(blocks.features)).all()


def test_classes_that_never_occur_are_unlikely():
    blocks = rows(300, 2)
    found = grow_tree(blocks, 4, TreeLimits(20, 0.0)).predict(blocks.features)
    assert found.shape == (300, 4)
    assert 0 < found[:, 3].max() < 0.1
