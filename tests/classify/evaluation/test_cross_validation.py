"""Cross-validation by page: no model is asked about a page that it saw."""

from collections.abc import Sequence
from typing import Self

import numpy as np
import pytest
from numpy.typing import NDArray

from sightread.classify.evaluation.cross_validation import FOLDS, TooFewPages, cross_validate
from sightread.classify.evaluation.metrics import Score
from sightread.classify.model import Prediction
from sightread.classify.site.model import SiteModel
from sightread.render.errors import Rejected
from sightread.render.page import Page
from tests.labeling.sites import news_site

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


@pytest.mark.parametrize(("pages", "folds"), [(8, FOLDS), (3, 3), (2, 2)])
def test_there_are_four_folds_where_there_are_enough_pages(pages: int, folds: int):
    assert len(cross_validate(Witness, news_site(pages), [GOLD] * pages).folds) == folds


def test_a_site_learned_rightly_scores_one():
    found = cross_validate(SiteModel, news_site(), [GOLD] * 8)
    assert found.score == Score(1.0, 1.0, 1.0)
    assert set(found.folds) == {found.score}


def test_the_score_is_that_of_all_blocks_together():
    class Halfway(Witness):
        def predict(self, page: Page) -> Prediction:
            return Prediction(np.array([0.0, 0.5, 0.49, 1.0, 1.0, 1.0, 0.0, 0.0]))

    found = cross_validate(Halfway, news_site(4), [GOLD] * 4)
    assert found.score == Score(3 / 4, 3 / 5, pytest.approx(2 / 3))


def test_pages_without_labels_are_left_out_and_keep_their_place():
    labels = [GOLD, np.full(8, -1, np.int8), GOLD, GOLD]
    found = cross_validate(SiteModel, news_site(4), labels)
    assert [held_out is None for held_out in found.held_out] == [False, True, False, False]
    assert [held_out.shape for held_out in found.held_out if held_out is not None] == [(8,)] * 3


def test_blocks_without_labels_are_predicted_but_not_scored():
    partly = GOLD.copy()
    partly[[0, 3]] = -1
    found = cross_validate(SiteModel, news_site(4), [partly] * 4)
    assert found.score.f1 == 1.0
    assert all(held_out.shape == (8,) for held_out in found.held_out)


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


def test_a_fold_whose_training_lacks_a_class_is_rejected():
    with pytest.raises(TooFewPages, match="no content among the labels"):
        cross_validate(SiteModel, news_site(2), [GOLD, np.zeros(8, np.int8)])
