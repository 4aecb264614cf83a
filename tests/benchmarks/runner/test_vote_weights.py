"""Learning what voters are worth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.runner.vote_weights import PageVotes, learn_weights


def pages_of_votes(reliable: int, number: int = 60, seed: int = 0) -> list[PageVotes]:
    """Return pages of ten blocks and three voters; one voter is right nine times in ten, the others guess."""
    drawn = np.random.default_rng(seed)
    pages = []
    for _ in range(number):
        expected = (drawn.uniform(size=10) < 0.5).astype(float)
        votes = drawn.integers(0, 2, size=(10, 3)).astype(float)
        right = drawn.uniform(size=10) < 0.9
        votes[:, reliable] = np.where(right, expected, 1 - expected)
        words = drawn.integers(1, 50, size=10).astype(float)
        pages.append(PageVotes(votes, words, expected, float((words * expected).sum())))
    return pages


@pytest.mark.parametrize("reliable", [0, 1, 2])
def test_the_voter_that_is_right_has_the_weight(reliable: int):
    learned = learn_weights([pages_of_votes(reliable, number=300)])
    others = np.delete(learned.weights[:3], reliable)
    assert learned.weights[reliable] > 1
    assert np.all(others < 0), "what they add to the agreement is taken back"
    alone = np.zeros((1, 3))
    alone[0, reliable] = 1
    assert learned.probabilities(alone)[0] >= 0.5 > learned.probabilities(1 - alone)[0]


def test_a_set_counts_as_much_as_another_however_many_pages_it_has():
    learned = learn_weights([pages_of_votes(0, number=10), pages_of_votes(1, number=300)])
    assert learned.weights[0] > 0.25 * learned.weights[1], "by pages it would be a thirtieth of the evidence"


def test_the_same_pages_give_the_same_weights():
    one, other = (learn_weights([pages_of_votes(0)]) for _ in range(2))
    assert one.weights.tolist() == other.weights.tolist()
    assert one.intercept == other.intercept


@given(st.lists(st.tuples(st.integers(0, 40), st.floats(0, 1), st.booleans()), max_size=8))
@settings(deadline=None)
def test_f1_is_a_share_and_right_choices_are_worth_one(blocks: list[tuple[int, float, bool]]):
    words = np.array([float(number) for number, _, _ in blocks])
    expected = np.array([share for _, share, _ in blocks])
    kept = np.array([is_kept for _, _, is_kept in blocks], np.bool_)
    page_votes = PageVotes(np.zeros((len(blocks), 1)), words, expected, float((words * expected).sum()))
    assert 0 <= page_votes.f1(kept) <= 1 + 1e-9
    whole = PageVotes(page_votes.votes, words, kept.astype(float), float(words[kept].sum()))
    assert whole.f1(kept) == pytest.approx(1)


def test_a_page_without_blocks_or_gold_text_is_no_obstacle():
    empty = PageVotes(np.zeros((0, 3)), np.zeros(0), np.zeros(0), 0.0)
    learned = learn_weights([[*pages_of_votes(0), empty]])
    assert learned.probabilities(empty.votes).shape == (0,)
    assert empty.f1(np.zeros(0, np.bool_)) == 1
