"""Folds by page."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.classify.evaluation.folds import page_folds
from tests.labeling.sites import BODY, QUOTE, make_page


def pages_of(texts: list[str]):
    return [make_page(f"https://x.test/{row}", [BODY(text)]) for row, text in enumerate(texts)]


@settings(deadline=None, derandomize=True)
@given(st.lists(st.sampled_from("abcdefgh"), max_size=20), st.integers(1, 9))
def test_copies_share_a_fold_and_no_fold_is_empty(texts: list[str], folds: int):
    fold = page_folds(pages_of(texts), folds)
    assert fold.shape == (len(texts),)
    assert all(len({fold[row] for row, text in enumerate(texts) if text == own}) == 1 for own in texts)
    assert sorted(set(fold.tolist())) == list(range(min(folds, len(set(texts)))))


@pytest.mark.parametrize(("count", "folds"), [(8, 4), (10, 4), (7, 3)])
def test_different_pages_are_spread_evenly(count: int, folds: int):
    sizes = np.bincount(page_folds(pages_of([str(row) for row in range(count)]), folds))
    assert sizes.max() - sizes.min() <= 1


def test_a_copy_is_known_by_its_text_whatever_its_address_and_look():
    first, second, third = pages_of(["a", "b", "a"])
    restyled = make_page("https://elsewhere.test/", [QUOTE("a")])
    assert page_folds([first, second, third, restyled], 2).tolist() == [0, 1, 0, 0]


def test_blocks_joined_differently_are_different_pages():
    assert len(set(page_folds([make_page("", [BODY("ab"), BODY("c")]), make_page("", [BODY("a"), BODY("bc")])], 2).tolist())) == 2


def test_no_pages_have_no_folds():
    assert page_folds([], 4).shape == (0,)
