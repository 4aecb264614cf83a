"""ROUGE-LSum, sentence by sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.rouge import rouge_lsum

TEXTS = st.lists(st.sampled_from(["the", "river", "rose.", "A", "bridge", "fell!", "\n"]), max_size=30).map(" ".join)


def test_the_union_over_sentences_counts():
    """The worked example of Lin (2004), section 3.2: w1 w2 w3 w4 w5 against w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5 share w1 w2 w3 w5."""
    score = rouge_lsum("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    assert score.recall == pytest.approx(4 / 5)
    assert score.precision == pytest.approx(4 / 10)


def test_order_counts_inside_a_sentence_but_not_between_them():
    assert rouge_lsum("It rained. The bridge fell.", "The bridge fell. It rained.").f1 == 1
    assert rouge_lsum("fell bridge the", "the bridge fell").recall == pytest.approx(1 / 3)


def test_a_token_counts_no_more_often_than_either_text_has_it():
    score = rouge_lsum("no", "no\nno\nno")
    assert (score.precision, score.recall) == (1, pytest.approx(1 / 3))


def test_a_sentence_ends_at_a_mark_before_white_space_and_at_a_line():
    assert rouge_lsum("c d. a b.", "a b. c d.").f1 == 1, "two sentences each"
    assert rouge_lsum("c d\na b", "a b\nc d").f1 == 1, "two lines each"
    assert rouge_lsum("2.5 in version", "version 2.5").recall == 0.5, "one sentence, in another order"


@pytest.mark.parametrize(("extracted", "gold", "f1"), [("", "", 1), ("", "text", 0), ("text", " \n", 0)])
def test_empty_texts(extracted: str, gold: str, f1: float):
    assert rouge_lsum(extracted, gold).f1 == f1


@given(TEXTS, TEXTS)
def test_scores_are_shares_and_a_text_agrees_with_itself(one: str, other: str):
    score = rouge_lsum(one, other)
    assert 0 <= score.precision <= 1
    assert 0 <= score.recall <= 1
    assert rouge_lsum(one, one).f1 == 1
