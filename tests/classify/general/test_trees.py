"""Boosted trees as arrays: they say what scikit-learn says, and why."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from sightread.classify.general.trees import Growth, grow

SMALL = Growth(trees=9, leaves=7, least=5, part=1.0)


def rows(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns that matter, one that does not, one without values, and values that are not there; content is a part of the plane."""
    chance = np.random.default_rng(seed)
    features = chance.normal(size=(count, 5)).astype(np.float32)
    content = (features[:, 0] * features[:, 1] > 0.2) | (features[:, 2] > 1)
    features[chance.random((count, 5)) < 0.1] = np.nan
    features[:, 3] = np.nan
    return features, content


@pytest.fixture(scope="module")
def grown():
    features, content = rows(1, 900)
    return grow(features, content, np.ones(900), SMALL)


def test_the_odds_are_those_of_scikit_learn(grown):
    features, content = rows(1, 900)
    known = [0, 1, 2, 4]
    other = HistGradientBoostingClassifier(
        learning_rate=SMALL.rate,
        max_iter=SMALL.trees,
        max_leaf_nodes=SMALL.leaves,
        max_bins=SMALL.bins,
        min_samples_leaf=SMALL.least,
        l2_regularization=SMALL.penalty,
        early_stopping=False,
        random_state=0,
    ).fit(features[:, known], content)
    new = rows(2, 300)[0]
    np.testing.assert_allclose(grown.decide(new), other.decision_function(new[:, known]), atol=1e-5)


def test_contributions_add_up_to_the_odds_and_what_is_not_read_has_none(grown):
    new = rows(3, 20)[0]
    for row, odds in zip(new, grown.decide(new), strict=True):
        shares = grown.contributions(row)
        assert shares.sum() + grown.base == pytest.approx(odds, abs=1e-5)
        assert shares[3] == 0


def test_the_same_rows_give_the_same_trees_and_rows_that_count_more_others(grown):
    features, content = rows(1, 900)
    again = grow(features, content, np.ones(900), SMALL)
    for name, array in grown.arrays.items():
        np.testing.assert_array_equal(array, again.arrays[name])
    leaning = grow(features, content, np.where(content, 9.0, 1.0), SMALL)
    assert leaning.decide(features).mean() > grown.decide(features).mean() + 1


def test_a_split_may_ask_only_whether_a_value_is_there_and_a_value_may_be_infinite():
    features = np.random.default_rng(4).normal(size=(400, 1)).astype(np.float32)
    features[::2] = np.nan
    trees = grow(features, np.isnan(features[:, 0]), np.ones(400), SMALL)
    leaf = trees.arrays["first"] == np.arange(len(trees.arrays["first"]))
    assert np.isposinf(trees.arrays["threshold"][~leaf]).any()
    new = np.array([[np.nan], [-1e30], [0], [np.inf], [-np.inf]], np.float32)
    assert (trees.decide(new) > 0).tolist() == [True, False, False, False, False]


def test_no_row_gives_no_odds(grown):
    assert grown.decide(np.zeros((0, 5), np.float32)).shape == (0,)
