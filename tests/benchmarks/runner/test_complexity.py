"""Page complexity and its classifier."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.datasets.samples import Sample
from benchmarks.metrics.features import FEATURES, describe
from benchmarks.runner.complexity import CLASSIFIERS, classify, folds_of


def sample(html: str, gold: str) -> Sample:
    return Sample("cleaneval", "1", "", html, gold)


@pytest.mark.parametrize(
    ("html", "gold", "complexity"),
    [
        ("<p>one two three four", "one", 0.75),
        ("<p>one<script>two</script><style>three</style>", "one", 0),
        ("<p>one", "one two three", 0),
        ("<p>one two", "", 1),
        ("", "", 0),
        ("<title>one</title>", "one", 0),
    ],
)
def test_complexity_is_the_share_of_words_that_nobody_wants(html: str, gold: str, complexity: float):
    assert describe(sample(html, gold))["complexity"] == pytest.approx(complexity)


def test_features_are_shares_of_tags():
    reported = describe(sample("<div><p>one</p><p>two <a href=/>three</a></p></div>", "one"))
    assert (reported["p"], reported["a"], reported["div"], reported["li"]) == (0.5, 0.25, 0.25, 0)
    assert reported["tags_a_word"] == pytest.approx(4 / 3)


@pytest.fixture(scope="module")
def pages() -> pd.DataFrame:
    """Pages of two sets, whose share of links tells their complexity, more or less."""
    drawn = np.random.default_rng(0)
    complexity = drawn.uniform(size=200)
    frame = pd.DataFrame({name: drawn.uniform(size=200) for name in FEATURES})
    frame["a"] = complexity + drawn.normal(0, 0.05, size=200)
    return frame.assign(complexity=complexity, data=["cetd"] * 80 + ["dragnet"] * 120, page=[str(row) for row in range(200)])


def test_every_page_is_judged_once_and_folds_are_dealt_within_each_set(pages: pd.DataFrame):
    fold = folds_of(pages)
    assert np.bincount(fold[:80]).tolist() == [16] * 5
    assert np.bincount(fold[80:]).tolist() == [24] * 5


@pytest.mark.parametrize("name", list(CLASSIFIERS))
def test_what_the_features_tell_is_learned(pages: pd.DataFrame, name: str):
    message = classify(pages, CLASSIFIERS[name], 0.5)
    assert np.mean(message == (pages["complexity"] >= 0.5)) > 0.9


def test_no_page_is_judged_by_a_classifier_that_saw_it(pages: pd.DataFrame):
    seen: list[set[float]] = []

    class Witness:
        def fit(self, values, _):
            seen.append({row[0] for row in values})
            return self

        def predict(self, values):
            assert not {row[0] for row in values} & seen[-1]
            return np.ones(len(values), np.bool_)

    assert classify(pages, Witness, 0.5).all()
    assert len(seen) == 5
