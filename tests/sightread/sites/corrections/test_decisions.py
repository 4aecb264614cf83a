"""Answers to questions: how many decide a look; one that is not confirmed, or is contradicted, decides nothing."""

from dataclasses import replace as replaced

import msgspec
import numpy as np
import pytest

from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.sites.corrections.anchors import Names, anchor_pages, block_anchor
from sightread.sites.corrections.matching import decide_page, match_corrections
from sightread.sites.corrections.records import Correction, Corrections
from tests.labeling.sites import articles, discussed

PAGES = [discussed(article, 2) for article in articles(4)]
ANCHORS = anchor_pages(PAGES)
COMMENT = len(PAGES[0].blocks) - 3


def given(page, *, is_content, needs=1, block=COMMENT):
    """An answer about the look of the comments, on one of them."""
    anchor = block_anchor(ANCHORS[page], block, Names.of(PAGES))
    return Correction(is_content, "look", anchor, page=PAGES[page].url, needs=needs)


def decided(*answers):
    found = match_corrections(ANCHORS, Corrections(answers))
    labels = [set(of_page[COMMENT : COMMENT + 2].tolist()) for of_page in found.labels]
    return found, labels


YES, NO, DOUBTED = given(0, is_content=True), given(1, is_content=False), given(0, is_content=True, needs=2)


@pytest.mark.parametrize(
    ("answers", "of_all"),
    [
        ((YES,), CONTENT),
        ((DOUBTED,), None),
        ((DOUBTED, given(1, is_content=True)), CONTENT),
        ((YES, NO), None),
        ((YES, NO, given(2, is_content=False)), BOILERPLATE),
        ((DOUBTED, NO, given(2, is_content=True)), CONTENT),
        ((DOUBTED, NO), None),
    ],
)
def test_enough_answers_decide_a_look_and_too_few_or_contradictory_ones_nothing(answers, of_all):
    _, labels = decided(*answers)
    assert all(of_page == {UNKNOWN if of_all is None else of_all} for of_page in labels)


def test_an_answer_in_doubt_is_no_evidence_and_says_so():
    found, _ = decided(DOUBTED)
    assert all(np.all(weights == 1) for weights in found.weights())
    (match,) = found.unconfirmed
    assert match.blocks == {0: (COMMENT,)}  # what was shown
    assert found.describe() == "1 of 1 corrections match" and "must confirm it first" in match.describe()


def test_a_mark_decides_whatever_was_answered_and_the_same_answer_again_counts():
    mark = msgspec.structs.replace(NO, needs=0)
    assert decided(YES, mark)[1][3] == {BOILERPLATE}
    assert len(Corrections((mark,)).with_answer(mark).made) == 1
    assert decided(*Corrections((DOUBTED,)).with_answer(DOUBTED).made)[1][3] == {CONTENT}


def test_a_new_page_follows_what_is_decided_alone():
    new = replaced(PAGES[3], url="https://x.test/new", final_url="https://x.test/new")
    assert decide_page(new, Corrections((DOUBTED,))) == {}
    assert decide_page(new, Corrections((YES,))) == {COMMENT: True, COMMENT + 1: True}
