"""Means, intervals and measures."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.metrics.means import DRAWS, draws, estimate
from benchmarks.metrics.measures import shingle_score

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


def frame(f1: list[float], **columns: list[float]) -> pd.DataFrame:
    return pd.DataFrame({"rouge_f1": f1} | columns)


@given(SCORES)
@settings(deadline=None)
def test_the_mean_lies_in_its_interval_and_the_interval_in_the_scores(scores: list[float]):
    found = estimate([frame(scores)], "rouge")
    assert found.mean == pytest.approx(np.mean(scores))
    assert min(scores) - 1e-9 <= found.low <= found.high <= max(scores) + 1e-9
    assert found.pages == len(scores)


def test_the_interval_is_that_of_the_mean():
    """Of 400 pages, half 0 and half 1, the mean has a standard error of 0.025, and the interval is 1.96 of them to each side."""
    found = estimate([frame([0.0, 1.0] * 200)], "rouge")
    assert found.mean == 0.5
    assert found.low == pytest.approx(0.451, abs=0.006)
    assert found.high == pytest.approx(0.549, abs=0.006)


def test_a_mean_over_sets_counts_each_set_alike_and_draws_within_each():
    large, small = frame([1.0] * 300), frame([0.0] * 10)
    assert estimate([large, small], "rouge")[:3] == (0.5, 0.5, 0.5)


def test_the_same_results_give_the_same_interval_in_every_process():
    found = estimate([frame([0.1, 0.5, 0.9, 1.0, 0.3])], "rouge")
    assert str(found) == ".560 [.260, .860]"
    assert draws(frame([1.0]), "rouge", "f1").shape == (1 + DRAWS,)


def test_shingles_are_worth_what_the_published_protocol_says():
    """Six words have three shingles; the first five have two of them."""
    score = shingle_score("a b c d e", "a b c d e f")
    assert (score.precision, score.recall) == (1, pytest.approx(2 / 3))
    assert shingle_score("one two", "one two").f1 == 1, "a short text is one shingle"
    assert shingle_score("One two", "one two").f1 == 0, "case counts"


def test_a_page_without_extraction_counts_for_recall_alone():
    assert math.isnan(shingle_score("", "a b c d").precision)
    assert shingle_score("", "a b c d").recall == 0
    assert shingle_score("", "").f1 == 1
    pages = pd.DataFrame({"shingles_precision": [1.0, math.nan], "shingles_recall": [1.0, 0.0], "shingles_f1": [1.0, 0.0]})
    assert estimate([pages], "shingles").mean == pytest.approx(2 / 3), "of a mean precision of 1 and a mean recall of a half"
    assert estimate([pages], "shingles", "precision").mean == 1
