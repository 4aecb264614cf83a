"""Metrics, folds and cross-validation."""

from collections.abc import Sequence
from typing import Self

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightread.classify.evaluation import Score, block_score, character_score, cross_validate, page_folds
from sightread.classify.model import Prediction
from sightread.classify.site.model import SiteModel
from sightread.render.errors import Rejected
from sightread.render.page import Page
from tests.labeling.sites import BODY, QUOTE, make_page, news_site


def test_known_blocks_are_counted_once_each_or_by_their_weights_or_characters() -> None:
    assert block_score([1, 1, 0, 0], [1, 0, 1, 0]) == Score(0.5, 0.5, 0.5)
    assert block_score([1, 1, 0], [1, -1, -1]) == Score(1.0, 1.0, 1.0)
    assert block_score([True, False], [1, 1]) == Score(1.0, 0.5, 2 / 3)
    assert block_score([1, 1, 0], [1, 0, 1], [6.0, 2.0, 4.0]) == Score(0.75, 0.6, 2 / 3)
    assert character_score([1, 1, 0], [1, 0, 1], ["a" * 6, "bb", "cccc"]) == block_score([1, 1, 0], [1, 0, 1], [6, 2, 4])
    with pytest.raises(ValueError, match="unequal shape"):
        block_score([1, 0], [1])


@pytest.mark.parametrize(("predicted", "gold", "f1"), [([0], [0], 1.0), ([1], [0], 0.0), ([0], [1], 0.0), ([], [], 1.0)])
def test_nothing_is_right_only_where_nothing_is_wanted(predicted: list[int], gold: list[int], f1: float) -> None:
    assert block_score(predicted, gold) == Score(f1, f1, f1)


def pages_of(texts: list[str]):
    return [make_page(f"https://x.test/{row}", [BODY(text)]) for row, text in enumerate(texts)]


@settings(deadline=None, derandomize=True)
@given(st.lists(st.sampled_from("abcdefgh"), max_size=20), st.integers(1, 9))
def test_copies_share_a_fold_and_no_fold_is_empty(texts: list[str], folds: int):
    fold = page_folds(pages_of(texts), folds)
    assert fold.shape == (len(texts),)
    assert all(len({fold[row] for row, text in enumerate(texts) if text == own}) == 1 for own in texts)
    assert sorted(set(fold.tolist())) == list(range(min(folds, len(set(texts)))))


def test_a_copy_is_known_by_its_text_whatever_its_address_and_look():
    first, second, third = pages_of(["a", "b", "a"])
    restyled = make_page("https://elsewhere.test/", [QUOTE("a")])
    assert page_folds([first, second, third, restyled], 2).tolist() == [0, 1, 0, 0]
    joined = [make_page("", [BODY("ab"), BODY("c")]), make_page("", [BODY("a"), BODY("bc")])]
    assert len(set(page_folds(joined, 2).tolist())) == 2
    assert page_folds([], 4).shape == (0,)


GOLD = np.array([0, 0, 1, 1, 1, 1, 1, 0], np.int8)


class Witness:
    """A model that keeps the texts it was trained on, and says of every block of a page it saw that it is content."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        self.seen = {block.text for page in pages for block in page.blocks[2:-1]}
        assert all((of_page >= 0).any() for of_page in labels)
        return self

    def predict(self, page: Page) -> Prediction:
        return Prediction(np.array([float(block.text in self.seen) for block in page.blocks]))


def test_no_page_is_predicted_by_a_model_that_saw_it_or_its_copy():
    pages = [*news_site(7), *news_site(3), news_site(1)[0]]
    found = cross_validate(Witness, pages, [GOLD] * 11)
    assert all(not held_out.any() for held_out in found.held_out)


def test_pages_and_blocks_without_labels_are_left_out_and_keep_their_place():
    partly = GOLD.copy()
    partly[[0, 3]] = -1
    found = cross_validate(SiteModel, news_site(4), [partly, np.full(8, -1, np.int8), partly, partly])
    assert found.score.f1 == 1.0
    assert [None if held_out is None else held_out.shape for held_out in found.held_out] == [(8,), None, (8,), (8,)]


def test_the_score_is_that_of_all_blocks_together():
    class Halfway(Witness):
        def predict(self, page: Page) -> Prediction:
            return Prediction(np.array([0.0, 0.5, 0.49, 1.0, 1.0, 1.0, 0.0, 0.0]))

    found = cross_validate(Halfway, news_site(4), [GOLD] * 4)
    assert found.score == Score(3 / 4, 3 / 5, pytest.approx(2 / 3))


@pytest.mark.parametrize(
    ("pages", "labels"),
    [
        (news_site(1), [GOLD]),
        (news_site(1) * 3, [GOLD] * 3),
        (news_site(3), [GOLD, *[np.full(8, -1, np.int8)] * 2]),
        (news_site(2), [np.full(8, -1, np.int8)] * 2),
        ([], []),
    ],
    ids=["one page", "copies of one page", "one labelled page", "no labels", "no pages"],
)
def test_fewer_than_two_different_pages_are_rejected(pages: list[Page], labels: list[NDArray[np.int8]]):
    with pytest.raises(Rejected, match=r"cannot evaluate on \d labelled pages?: at least two different ones are needed"):
        cross_validate(SiteModel, pages, labels)
