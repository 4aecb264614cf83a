"""Votes of extractors: for tokens of a page's text, and for its blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.runner.votes import count_votes, vote_blocks, vote_tokens

PAGE = "home news sport the river rose in the night and the old bridge fell share this"
STORY = "the river rose in the night and the old bridge fell"
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=30)


def vote(page: str, answers: list[str], weights: list[float] | None = None) -> str:
    return count_votes(page, np.array([vote_tokens(page.split(), answer.split()) for answer in answers]), weights)


def test_a_token_is_voted_for_by_the_window_that_ends_or_begins_with_it():
    page = ["a", "b", "c", "d", "e", "f", "g"]
    assert vote_tokens(page, ["b", "c", "d", "e", "f"]).tolist() == [False, True, False, False, False, True, False], (
        "one window has two ends"
    )
    assert vote_tokens(page, page).all()
    assert not vote_tokens(page, ["c", "d", "e"]).any(), "three tokens have no window inside a page"


def test_where_page_and_text_begin_or_end_together_a_window_may_be_short():
    page = ["a", "b", "c", "d", "e", "f", "g"]
    assert vote_tokens(page, ["a", "b"]).tolist() == [True, True, False, False, False, False, False]
    assert vote_tokens(page, ["f", "g"]).tolist() == [False, False, False, False, False, True, True]


def test_two_thirds_decide_and_a_heavier_voter_is_more_easily_believed():
    assert vote(PAGE, [STORY, STORY, ""]) == vote(PAGE, [STORY]) == STORY
    assert vote(PAGE, [STORY, "", "", ""]) == ""
    assert vote(PAGE, [STORY, "", "", ""], [2, 1, 1, 1]) == STORY
    assert vote(PAGE, [PAGE, STORY, STORY, STORY], [1, 1, 1, 1]) == STORY


@given(WORDS, WORDS)
def test_what_is_voted_for_is_on_the_page_in_its_order(page: list[str], answer: list[str]):
    votes = vote_tokens(page, answer)
    assert votes.shape == (len(page),)
    kept = vote(" ".join(page), [" ".join(answer)]).split()
    assert kept == [token for token, is_kept in zip(page, votes, strict=True) if is_kept]
    assert vote_tokens(page, page).all()


def test_a_block_is_worth_the_share_of_its_words_that_a_voter_wants():
    blocks = ["Home", "The river rose in the night, and the old bridge fell.", "", "Day 4", "Share this"]
    answers = ["Day 4\n\nThe river ROSE in the night; and the old bridge fell", "the river rose in the night", ""]
    shares = vote_blocks(blocks, answers)
    assert shares[:, 0].tolist() == [0, 1, 0, 1, 0], "case, punctuation and order do not matter, and a line by itself counts whole"
    assert shares[1, 1] == pytest.approx(4 / 11), "the ends of the two windows of six words"
    assert not shares[:, 2].any()
    assert vote_blocks([], answers).shape == (0, 3)


@given(st.lists(WORDS.map(" ".join), max_size=6), st.lists(WORDS.map("\n".join), min_size=1, max_size=3))
def test_shares_are_shares(blocks: list[str], answers: list[str]):
    shares = vote_blocks(blocks, answers)
    assert shares.shape == (len(blocks), len(answers))
    assert np.all((shares >= 0) & (shares <= 1))
