"""Scores by block and by character."""

import pytest

from sightread.classify.evaluation.metrics import Score, block_score, character_score


def test_blocks_are_counted_once_each_without_weights() -> None:
    assert block_score([1, 1, 0, 0], [1, 0, 1, 0]) == Score(0.5, 0.5, 0.5)


def test_blocks_of_unknown_label_are_ignored() -> None:
    assert block_score([1, 1, 0], [1, -1, -1]) == Score(1.0, 1.0, 1.0)


def test_predictions_may_be_booleans() -> None:
    assert block_score([True, False], [1, 1]) == Score(1.0, 0.5, 2 / 3)


def test_weights_state_how_much_a_block_counts() -> None:
    assert block_score([1, 1, 0], [1, 0, 1], [6.0, 2.0, 4.0]) == Score(0.75, 0.6, 2 / 3)


def test_characters_weigh_a_block_by_its_text() -> None:
    assert character_score([1, 1, 0], [1, 0, 1], ["a" * 6, "bb", "cccc"]) == block_score([1, 1, 0], [1, 0, 1], [6, 2, 4])


def test_arrays_of_unequal_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="unequal shape"):
        block_score([1, 0], [1])


@pytest.mark.parametrize(("predicted", "gold", "f1"), [([0], [0], 1.0), ([1], [0], 0.0), ([0], [1], 0.0), ([], [], 1.0)])
def test_nothing_is_right_only_where_nothing_is_wanted(predicted: list[int], gold: list[int], f1: float) -> None:
    assert block_score(predicted, gold) == Score(f1, f1, f1)
