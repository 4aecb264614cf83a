"""Bidirectional LSTMs over windows of a page, in numpy: shared by SemText and BoilerNet.

Hochreiter and Schmidhuber (1997), with forget gates; the gates are in the order input, forget, cell, output, as PyTorch keeps them.
A page longer than a window is cut into windows of nearly equal length, which are read side by side: time is linear in the page's length.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightread.render.page.array_types import Rows

Floats32 = NDArray[np.float32]

DIRECTIONS = ("forward", "backward")


@dataclass(frozen=True, slots=True)
class Lstm:
    """One direction of one layer: weights of shape (4 hidden, inputs) and (4 hidden, hidden), bias of shape (4 hidden,)."""

    inputs: Floats32
    hidden: Floats32
    bias: Floats32

    def read(self, windows: Floats32) -> Floats32:
        """Return the hidden states of each step, shape (windows, steps, hidden), of windows of shape (windows, steps, inputs)."""
        number, steps, _ = windows.shape
        size = self.hidden.shape[1]
        given = (windows.reshape(number * steps, -1) @ self.inputs.T + self.bias).reshape(number, steps, 4 * size)
        state = np.zeros((number, size), np.float32)
        cell = np.zeros((number, size), np.float32)
        states = np.empty((number, steps, size), np.float32)
        turned = np.ascontiguousarray(self.hidden.T)
        for step in range(steps):
            gates = given[:, step] + state @ turned
            opened = squash(gates)
            cell = opened[:, size : 2 * size] * cell + opened[:, :size] * np.tanh(gates[:, 2 * size : 3 * size])
            state = opened[:, 3 * size :] * np.tanh(cell)
            states[:, step] = state
        return states


@dataclass(frozen=True, slots=True)
class BiLstm:
    """Both directions of one layer."""

    forward: Lstm
    backward: Lstm

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], name: str) -> BiLstm:
        """Return the layer whose weights are the arrays `NAME.forward.inputs` and so on. Raises `KeyError` if one is missing."""
        layers = []
        for direction in DIRECTIONS:
            inputs, hidden, bias = (arrays[f"{name}.{direction}.{part}"].astype(np.float32) for part in ("inputs", "hidden", "bias"))
            if not inputs.shape[0] == hidden.shape[0] == bias.shape[0] == 4 * hidden.shape[1]:
                raise ValueError(f"{name}.{direction}: weights whose shapes do not fit each other")
            layers.append(Lstm(inputs, hidden, bias))
        return cls(*layers)

    def read(self, windows: Floats32, lengths: Rows) -> Floats32:
        """Return both directions' states side by side, shape (windows, steps, 2 hidden). Values beyond a window's length are undefined."""
        there = self.forward.read(windows)
        turned = reverse(lengths, windows.shape[1])
        back = self.backward.read(np.take_along_axis(windows, turned[:, :, np.newaxis], axis=1))
        return np.concatenate((there, np.take_along_axis(back, turned[:, :, np.newaxis], axis=1)), axis=2)


def reverse(lengths: Rows, steps: int) -> Rows:
    """Return, for each window, the steps from its last to its first, and then the padding; shape (windows, steps)."""
    at = np.arange(steps)[np.newaxis]
    last = lengths[:, np.newaxis] - 1
    return np.where(at <= last, last - at, at)


def cut(count: int, most: int) -> Rows:
    """Return where windows of at most `most` steps begin in a sequence of `count`, and its end; as few and as equal as can be."""
    windows = -(-count // most)
    return np.linspace(0, count, windows + 1).round().astype(np.intp) if windows else np.zeros(1, np.intp)


def pad(rows: Floats32, edges: Rows) -> tuple[Floats32, Rows]:
    """Return the rows between the edges as windows of one length, padded with zeros, and how long each is."""
    lengths = np.diff(edges)
    padded = np.zeros((len(lengths), int(lengths.max(initial=0)), rows.shape[1]), np.float32)
    padded[np.arange(padded.shape[1])[np.newaxis] < lengths[:, np.newaxis]] = rows
    return padded, lengths


def unpad(padded: NDArray[Any], lengths: Rows) -> NDArray[Any]:
    """Return the rows of windows one after another, without what pads them."""
    return padded[np.arange(padded.shape[1])[np.newaxis] < lengths[:, np.newaxis]]


def squash(values: Floats32) -> Floats32:
    """Return the logistic function of each value, without overflow."""
    squashed: Floats32 = np.tanh(np.float32(0.5) * values)
    return np.float32(0.5) * (squashed + np.float32(1))
