"""Labels from blocks that were cut otherwise, and the scores and learners of Boilerpipe's experiments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.datasets.l3s import UNKNOWN, annotate, transfer
from benchmarks.experiments.boilerpipe_tables.random_writer import Writer, fit_writer
from benchmarks.experiments.boilerpipe_tables.trials import best_cut, divide, methods, published, run_trials, score_by_svm
from benchmarks.experiments.boilerpipe_tables.weighted_scores import area_under_curve, weighted_scores
from sightread.classify.heuristics.boilerpipe.shallow_features import ALL, Shallow
from sightread.classify.training.decision_trees import Blocks

STORY = "The ferry has carried workers across the estuary every night for ninety years."


def test_our_blocks_take_the_labels_of_the_given_ones():
    html = f"<title>Ferry</title><ul><li>Home<li>News</ul><h1>Ferry</h1><p>{STORY}</p><p>Nobody labelled this part of the page.</p>"
    page = annotate({"id": "1", "html": html, "blocks": [["Home News", 0], ["Ferry", 1], [STORY, 2]]})
    assert page.labels.tolist() == [0, 0, 1, 2, UNKNOWN]
    assert page.titles == ("Ferry",)
    assert page.agreement[:3] == (3, 2, 4)  # Home and News are one block there
    assert page.agreement.characters == page.agreement.found


def test_a_block_of_two_labels_takes_the_one_of_most_letters():
    labels, agreement = transfer([f"By Ada {STORY}"], [("By Ada", 3), (STORY, 2)])
    assert labels.tolist() == [2]
    assert (agreement.same, agreement.pure) == (0, 0)


def test_without_letters_there_are_no_labels():
    assert transfer(["|", ""], [("|", 0)])[0].tolist() == [UNKNOWN, UNKNOWN]
    assert transfer(["x"], [])[0].tolist() == [UNKNOWN]


def blocks(labels: list[int], weights: list[float]) -> Blocks:
    count = len(labels)
    return Blocks(np.zeros((count, 1)), np.array(labels, np.int8), np.array(weights, np.float64), np.arange(count) % 2)


def scores(reported: list[int], classes: int = 2) -> np.ndarray:
    return np.eye(classes)[reported]


def test_scores_count_weights():
    found = weighted_scores(blocks([1, 1, 0, 0], [3, 1, 2, 4]), scores([1, 0, 1, 0]))
    assert (found.precision, found.recall, found.f1.mean) == (pytest.approx(3 / 5), pytest.approx(3 / 4), pytest.approx(6 / 9))
    assert found.mean_f1 == pytest.approx((4 * 6 / 9 + 6 * 8 / 11) / 10)
    assert found.f1.low <= found.f1.mean <= found.f1.high


def test_of_four_classes_the_f1_is_the_mean_by_their_shares():
    found = weighted_scores(blocks([0, 1, 2, 3], [4, 1, 4, 1]), scores([0, 2, 2, 3], 4))
    assert found.by_class == pytest.approx((1, 0, 8 / 9, 1))
    assert found.f1.mean == pytest.approx((4 + 0 + 4 * 8 / 9 + 1) / 10)


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(1, 4)), min_size=2, max_size=12))
def test_the_area_is_the_chance_that_content_scores_higher(rows: list[tuple[int, bool, int]]):
    values, positive, weights = (np.array(column) for column in zip(*rows, strict=True))
    if positive.all() or not positive.any():
        return
    wins = [
        weights[i] * weights[j] * (0.5 if values[i] == values[j] else values[i] > values[j])
        for i in np.flatnonzero(positive)
        for j in np.flatnonzero(~positive)
    ]
    total = weights[positive].sum() * weights[~positive].sum()
    assert area_under_curve(values.astype(float), positive, weights.astype(float)) == pytest.approx(sum(wins) / total)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers(1, 4)), min_size=1, max_size=12))
def test_the_best_cut_errs_least(rows: list[tuple[int, bool, int]]):
    values, content, weights = (np.array(column) for column in zip(*rows, strict=True))
    cut, is_above = best_cut(values.astype(float), content, weights.astype(float))
    errors = {(c, above): weights[((values > c) == above) != content].sum() for c in values for above in (True, False)}
    assert errors[cut, is_above] == min(errors.values())


def test_folds_are_of_whole_pages_and_of_equal_size():
    assert np.bincount(divide(25)).tolist() == [3, 3, 3, 3, 3, 2, 2, 2, 2, 2]


def test_published_trees_read_the_whole_page_and_are_judged_where_labels_are():
    page = [Shallow(30, 0, 12), Shallow(5, 0, 5), Shallow(3, 1, 3), Shallow(2, 0, 2)]
    trials = {each.method: each.scores.argmax(axis=1).tolist() for each in published([page], [np.array([True, False, True, True])])}
    assert trials == {"keep everything": [1, 1, 1], "Algorithm 1, as published": [1, 0, 0], "Algorithm 2, as published": [1, 0, 0]}


def learnable(classes: int) -> Blocks:
    """Blocks whose number of words tells their class."""
    random = np.random.default_rng(2)
    labels = random.integers(0, classes, 1000).astype(np.int8)
    features = random.uniform(0, 1, (1000, len(ALL)))
    features[:, ALL.index("words")] = 10 * labels + random.uniform(0, 9, 1000)
    return Blocks(features, labels, np.ones(1000), np.arange(1000) % 30)


def test_whoever_reads_the_telling_feature_learns_it_from_other_pages():
    rows = learnable(2)
    names = ("1R, words", "1R, mean word length", "tree, number of words, with neighbours", "linear SVM, all features")
    learners = [method for method in methods(2) if method.name in names]
    accuracy = {each.method: float((each.scores.argmax(axis=1) == rows.labels).mean()) for each in run_trials(rows, 2, learners)}
    assert set(accuracy) == set(names)
    assert min(accuracy["1R, words"], accuracy["tree, number of words, with neighbours"]) > 0.99
    assert accuracy["linear SVM, all features"] > 0.95
    assert accuracy["1R, mean word length"] < 0.6


def test_the_svm_finds_a_line_counts_weights_and_bears_a_feature_that_never_changes():
    rows = learnable(2)
    features = np.column_stack([rows.features, np.ones(len(rows.labels))])
    even = score_by_svm(Blocks(features, rows.labels, rows.weights, rows.pages), features)[:, 1]
    heavy = score_by_svm(Blocks(features, rows.labels, np.where(rows.labels == 1, 100.0, 1.0), rows.pages), features)[:, 1]
    assert ((even > 0) == rows.labels).mean() > 0.95
    assert (heavy > 0).sum() >= (even > 0).sum()


def test_two_random_writers_are_distinguished():
    random = np.random.default_rng(3)
    lengths = np.concatenate([random.geometric(0.4, 7000), random.geometric(0.02, 3000)]).astype(np.float64)
    writer = fit_writer(lengths, 2)
    assert writer.shares == pytest.approx((0.7, 0.3), abs=0.02)
    assert writer.stops == pytest.approx((0.4, 0.02), rel=0.1)
    assert writer.explained(lengths) > fit_writer(lengths, 1).explained(lengths)


def test_a_writer_gives_every_length_its_probability():
    assert Writer((0.5, 0.5), (1.0, 0.5)).parts(np.array([1.0, 2.0])).sum(axis=1).tolist() == [0.75, 0.125]
