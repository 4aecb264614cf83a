"""Models that vote on blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classify.model import Needs, Prediction
from classify.voting import Voting
from render.static.parse import read_html

PAGE = read_html("<p>one<p>two<p>three")
SHARES = st.lists(st.tuples(*[st.floats(0, 1)] * 3), min_size=1, max_size=4)


class Says:
    """A member that says the same of any page."""

    needs = Needs.DOM

    def __init__(self, *probabilities: float, needs: Needs = Needs.DOM) -> None:
        self.name = "says"
        self.probabilities = np.array(probabilities)
        self.needs = needs
        self.fitted_on = 0

    def fit(self, pages, labels):
        self.fitted_on = len(pages)
        return self

    def predict(self, page):
        return Prediction(self.probabilities[: len(page.blocks)])


def test_half_of_the_weight_decides():
    members = [(Says(1, 1, 0), 2.0), (Says(0, 1, 0), 1.0), (Says(0, 0, 1), 1.0)]
    assert Voting(members).predict(PAGE).relative.tolist() == [0.5, 0.75, 0.25]


@given(SHARES)
def test_probabilities_are_means_but_where_all_doubt(shares: list[tuple[float, float, float]]):
    votes = Voting([(Says(*each), 1.0) for each in shares]).predict(PAGE).relative
    means = np.mean(shares, axis=0)
    assert np.all((votes >= 0) & (votes <= 1))
    if means.max() >= 0.5:
        assert votes == pytest.approx(means)
    else:
        assert votes.max() == (0.5 if means.max() else 0), "the text that most want is kept, and none that nobody does"


def test_a_page_without_blocks_has_no_votes():
    assert Voting([(Says(), 1.0)]).predict(read_html("")).relative.shape == (0,)


def test_members_are_fitted_and_their_needs_added():
    members = [Says(1, 1, 1), Says(1, 1, 1, needs=Needs.DOM | Needs.STYLES)]
    voting = Voting([(member, 1.0) for member in members])
    assert voting.needs == Needs.DOM | Needs.STYLES
    assert voting.fit([PAGE], [np.array([1, 0, 1], np.int8)]) is voting
    assert [member.fitted_on for member in members] == [1, 1]
