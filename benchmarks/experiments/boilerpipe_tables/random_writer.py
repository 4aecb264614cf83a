"""The random writer of Boilerpipe's section 5: how long blocks are, if a writer decides after each word whether to go on.

One writer gives blocks of geometrically distributed lengths. Two of them, one for short text and one for long, give a mixture of two such
distributions (two strata); it is fitted by expectation maximisation to all blocks with words.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

STEPS = 2000
"""Of expectation maximisation at most."""
SETTLED = 1e-12
"""Change of the log likelihood a block at which it ends."""
SHOWN = 100
"""Lengths, in words, over which the fit is measured and drawn; blocks beyond are counted in fitting."""
STYLE: Any = {"svg.hashsalt": "sightread", "svg.fonttype": "path", "font.size": 8}

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Writer:
    """A mixture of strata; tuples of one value a stratum, the shortest first."""

    shares: tuple[float, ...]
    """Of all blocks."""
    stops: tuple[float, ...]
    """Probability that a block ends after any word."""

    def density(self, lengths: Floats) -> Floats:
        """Return the probability of each length in words, shape (lengths,)."""
        return np.asarray(self._parts(lengths).sum(axis=1))

    def is_long(self, lengths: Floats) -> NDArray[np.bool_]:
        """Tell which lengths are likelier to come from the last stratum than from all others."""
        parts = self._parts(lengths)
        return np.asarray(parts[:, -1] > parts[:, :-1].sum(axis=1))

    def _parts(self, lengths: Floats) -> Floats:
        shares, stops = np.array(self.shares), np.array(self.stops)
        return np.asarray(shares * stops * (1 - stops) ** (lengths[:, None] - 1))


def fit_writer(lengths: Floats, strata: int) -> Writer:
    """Return the likeliest writer of blocks of these lengths (words, at least 1)."""
    values, counts = np.unique(lengths, return_counts=True)
    shares = np.full(strata, 1 / strata)
    stops = 1 / (np.quantile(lengths, np.arange(1, 2 * strata, 2) / (2 * strata)) + 1)
    before = -np.inf
    for _ in range(STEPS):
        parts = Writer(tuple(shares), tuple(stops))._parts(values)
        total = parts.sum(axis=1)
        likelihood = float(counts @ np.log(total)) / counts.sum()
        if likelihood - before < SETTLED:
            break
        before = likelihood
        owned = parts / total[:, None] * counts[:, None]
        shares = owned.sum(axis=0) / counts.sum()
        stops = owned.sum(axis=0) / (owned * values[:, None]).sum(axis=0)
    order = np.argsort(-stops)
    return Writer(tuple(shares[order].tolist()), tuple(stops[order].tolist()))


def fit_quality(writer: Writer, lengths: Floats) -> tuple[float, float]:
    """Return R² and root mean square error of the shares of blocks of 1 to `SHOWN` words."""
    seen = observed(lengths)
    wrong = seen - writer.density(np.arange(1.0, SHOWN + 1))
    return float(1 - (wrong @ wrong) / ((seen - seen.mean()) @ (seen - seen.mean()))), float(np.sqrt((wrong @ wrong) / SHOWN))


def observed(lengths: Floats) -> Floats:
    """Return the share of blocks of each length from 1 to `SHOWN` words."""
    return np.asarray(np.bincount(lengths.astype(np.intp), minlength=SHOWN + 1)[1 : SHOWN + 1] / len(lengths))


def draw_writers(lengths: Floats, writers: Sequence[Writer]) -> bytes:
    """Return the SVG of observed shares and the writers' curves."""
    words = np.arange(1.0, SHOWN + 1)
    with mpl.rc_context(STYLE):
        figure = Figure((5, 3), layout="constrained")
        axes = figure.subplots()
        axes.plot(words, observed(lengths), "o", markersize=2.5, color="#8a8a8a", label="blocks of L3S-GN1")
        for writer, colour, name in zip(writers, ("#d1651a", "#1f6fb4"), ("one stratum", "two strata"), strict=True):
            axes.plot(words, writer.density(words), color=colour, label=f"random writer, {name}")
        axes.set(xscale="log", yscale="log", ylim=(1e-4, 0.5), xlabel="words in the block", ylabel="share of blocks")
        axes.legend(frameon=False)
        text = io.BytesIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()
