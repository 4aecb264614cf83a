"""A linear-chain conditional random field over content and boilerplate, in numpy (Lafferty, McCallum and Pereira 2001)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightread.classify.neural.lstm import Floats32
from sightread.render.page.array_types import Rows

CLASSES = 2
"""Boilerplate and content, in this order."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Potentials of the first label, of the last, and of each pair of neighbours (from, to)."""

    first: Floats32
    last: Floats32
    pairs: Floats32

    def probabilities(self, scores: Floats32, lengths: Rows) -> NDArray[np.float64]:
        """Return the probability of content at each step, by the forward-backward algorithm; shape (windows, steps).

        `scores` are those of each step alone, shape (windows, steps, 2). Steps beyond a window's length have 0.

        The paper decodes the best sequence; a model here predicts a probability per block, which is this, and keeps those above one half.
        """
        windows, steps, _ = scores.shape
        emitted = scores.astype(np.float64)
        is_step = np.arange(steps)[np.newaxis] < lengths[:, np.newaxis]
        ahead = np.zeros((windows, steps, CLASSES))
        behind = np.zeros((windows, steps, CLASSES))
        for step in range(steps):
            before = ahead[:, step - 1, :, np.newaxis] + self.pairs
            ahead[:, step] = (_sum(before) if step else self.first) + emitted[:, step]
        for step in range(steps - 1, -1, -1):
            after = (behind[:, step + 1] + emitted[:, step + 1])[:, :, np.newaxis] + self.pairs.T if step < steps - 1 else None
            is_last = (lengths == step + 1)[:, np.newaxis]
            behind[:, step] = self.last if after is None else np.where(is_last, self.last, _sum(after))
        joint = ahead + behind
        return np.where(is_step, 1 / (1 + np.exp(np.clip(joint[:, :, 0] - joint[:, :, 1], -700, 700))), 0.0)


def _sum(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the sum over the middle axis, of which there are two."""
    total: NDArray[np.float64] = np.logaddexp(scores[:, 0], scores[:, 1])
    return total
