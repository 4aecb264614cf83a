"""ROUGE-LSum, sentence by sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.metrics.measures import rouge_lsum, split_sentences

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


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_scores_are_those_of_rouge_score(one: str, other: str):
    scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge_score is in the dependency group peers")

    class Whole:
        def tokenize(self, text: str) -> list[str]:
            return text.split()

    first, second = ("\n".join(map(" ".join, split_sentences(text))) for text in (one, other))
    if first and second:
        expected = scorer.RougeScorer(["rougeLsum"], tokenizer=Whole()).score(second, first)["rougeLsum"]
        found = rouge_lsum(one, other)
        assert (found.precision, found.recall, found.f1) == pytest.approx((expected.precision, expected.recall, expected.fmeasure))


def test_of_several_longest_subsequences_the_one_is_taken_that_rouge_score_takes():
    """Worked by its rules: of "a b" against "b a", both of length 1, the one found from the end is "a", and the union with "b" has both."""
    assert rouge_lsum("b a", "a b").recall == 0.5
    assert rouge_lsum("b a\nb c", "a b").recall == 1


def test_long_sentences_take_no_longer_than_their_table():
    many = " ".join(str(number % 977) for number in range(6000))
    assert rouge_lsum(many, many[::-1][::-1] + " end").recall == pytest.approx(6000 / 6001)
