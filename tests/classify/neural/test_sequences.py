"""The parts that SemText and BoilerNet read sequences with: the LSTM, the random field and the windows."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.classify.neural.crf import Chain
from sightread.classify.neural.lstm import BiLstm, Lstm, cut, pad, unpad

RANDOM = np.random.default_rng(5)


def floats(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def lstm(inputs=3, hidden=4):
    return Lstm(floats(4 * hidden, inputs), floats(4 * hidden, hidden), floats(4 * hidden))


def by_definition(layer, steps):
    """The equations of Hochreiter and Schmidhuber with forget gates, one step after another."""
    state = cell = np.zeros(layer.hidden.shape[1])
    for given_step in steps:
        opened, forgets, fresh, shown = np.split(layer.inputs @ given_step + layer.hidden @ state + layer.bias, 4)
        cell = 1 / (1 + np.exp(-forgets)) * cell + 1 / (1 + np.exp(-opened)) * np.tanh(fresh)
        state = 1 / (1 + np.exp(-shown)) * np.tanh(cell)
        yield state


def test_an_lstm_follows_its_equations():
    layer, steps = lstm(), floats(1, 7, 3)
    assert layer.read(steps)[0] == pytest.approx(np.array(list(by_definition(layer, steps[0]))), abs=1e-5)


def test_each_window_is_read_from_both_of_its_own_ends():
    both = BiLstm(lstm(), lstm())
    rows = floats(12, 3)
    windows, lengths = pad(rows, np.array([0, 5, 12]))
    found = unpad(both.read(windows, lengths), lengths)
    for start, stop in ((0, 5), (5, 12)):
        there = np.array(list(by_definition(both.forward, rows[start:stop])))
        back = np.array(list(by_definition(both.backward, rows[start:stop][::-1])))[::-1]
        assert found[start:stop] == pytest.approx(np.concatenate((there, back), axis=1), abs=1e-5)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 1000))
def test_probabilities_are_those_of_all_label_sequences_together(sizes, seed):
    random = np.random.default_rng(seed)
    chain = Chain(random.normal(size=2), random.normal(size=2), random.normal(size=(2, 2)))
    scores, lengths = pad(random.normal(size=(sum(sizes), 2)), np.cumsum([0, *sizes]))
    found = chain.probabilities(scores, lengths)
    for window, size in enumerate(sizes):
        totals = np.zeros((size, 2))
        for labels in product((0, 1), repeat=size):
            gain = chain.first[labels[0]] + chain.last[labels[-1]] + sum(chain.pairs[pair] for pair in pairwise(labels))
            weight = np.exp(gain + sum(scores[window, step, label] for step, label in enumerate(labels)))
            totals[np.arange(size), labels] += weight
        assert found[window, :size] == pytest.approx(totals[:, 1] / totals.sum(axis=1), abs=1e-6)
        assert not found[window, size:].any()


@given(st.integers(0, 5000), st.integers(1, 100))
def test_windows_are_few_nearly_equal_and_none_too_long(count, most):
    sizes = np.diff(cut(count, most))
    assert sizes.sum() == count
    assert len(sizes) == -(-count // most)
    assert not len(sizes) or (sizes.max() <= most and sizes.max() - sizes.min() <= 1)


def test_what_is_padded_comes_back_as_it_was():
    rows = floats(9, 2)
    windows, lengths = pad(rows, np.array([0, 1, 4, 9]))
    assert windows.shape == (3, 5, 2)
    assert np.array_equal(unpad(windows, lengths), rows)
