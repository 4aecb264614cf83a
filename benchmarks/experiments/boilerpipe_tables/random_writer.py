"""The random writer of Boilerpipe's section 5: how long blocks are, if a writer decides after each word whether to continue.

One writer gives blocks of geometrically distributed lengths. Two of them, one for short text and one for long, give a mixture of two such
distributions (two strata); it is fitted by expectation maximisation to all blocks with words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sightread.render.page.array_types import Floats

MOST_STEPS = 2000
"""Steps of expectation maximisation at most."""
SETTLED = 1e-12
"""Change of the log likelihood per block at which it ends."""
LENGTHS = np.arange(1.0, 101)
"""Words of a block, over which the fit is measured; longer blocks are counted in fitting."""


@dataclass(frozen=True, slots=True)
class Writer:
    """A mixture of strata; tuples of one value per stratum, the shortest first."""

    shares: tuple[float, ...]
    """Of all blocks."""
    stops: tuple[float, ...]
    """Probability that a block ends after any word."""

    def parts(self, lengths: Floats) -> Floats:
        """Return the probability of each length in words by stratum, shape (lengths, strata)."""
        shares, stops = np.array(self.shares), np.array(self.stops)
        return np.asarray(shares * stops * (1 - stops) ** (lengths[:, None] - 1))

    def explained(self, lengths: Floats) -> float:
        """Return R² of the shares of blocks of each of `LENGTHS`."""
        seen = np.bincount(lengths.astype(np.intp), minlength=len(LENGTHS) + 1)[1 : len(LENGTHS) + 1] / len(lengths)
        wrong = seen - self.parts(LENGTHS).sum(axis=1)
        return float(1 - (wrong @ wrong) / ((seen - seen.mean()) @ (seen - seen.mean())))


def fit_writer(lengths: Floats, strata: int) -> Writer:
    """Return the likeliest writer of blocks of these lengths (words, at least 1)."""
    values, counts = np.unique(lengths, return_counts=True)
    shares = np.full(strata, 1 / strata)
    stops = 1 / (np.quantile(lengths, np.arange(1, 2 * strata, 2) / (2 * strata)) + 1)
    before = -np.inf
    for _ in range(MOST_STEPS):
        parts = Writer(tuple(shares), tuple(stops)).parts(values)
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
