"""Word F1, the protocol of WCXB."""

import pytest

from benchmarks.metrics.measures import word_score
from sightread.classify.evaluation import Score
from sightread.render.text.words import words


def test_words_are_compared_as_multisets_whatever_their_case_and_order() -> None:
    assert word_score("The end, the END", "end the") == Score(0.5, 1.0, 2 / 3)


def test_words_of_any_script_count() -> None:
    assert word_score("汉字 नमस्ते", "汉字").recall == 1.0


def test_in_scripts_without_spaces_a_clause_is_one_word_by_the_protocol_and_each_character_by_ours() -> None:
    extracted, gold = "昨日の洪水で橋が流された", "昨日の洪水で橋が流された 103 4"
    assert word_score(extracted, gold).recall == 1 / 3
    assert word_score(extracted, gold, words).recall == 12 / 14


@pytest.mark.parametrize(("extracted", "gold", "f1"), [("", "", 1.0), ("a", "", 0.0), ("", "a", 0.0), ("…", "", 1.0)])
def test_empty_gold_requests_an_empty_extraction(extracted: str, gold: str, f1: float) -> None:
    assert word_score(extracted, gold).f1 == f1
