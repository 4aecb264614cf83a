"""Linear SVM over the shallow features, as data: Boilerpipe's second learner.

The loss is the squared hinge with a penalty on the squared weights, liblinear's primal problem, minimised by L-BFGS. Features are taken as
log(1 + x), for numbers of words run over four orders of magnitude, and standardised by the training blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classify.heuristics.boilerpipe.decision_trees import Blocks

PENALTY = 1e-4
"""Of the squared weights, against the mean loss: that of `classify.general.binned_svm`, taken over and not tuned here (F1 0.963 on
L3S-GN1)."""
STEPS = 300
"""Of L-BFGS at most."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LinearSvm:
    """Arrays of shape (features,)."""

    means: Floats
    scales: Floats
    weights: Floats
    intercept: float

    def decide(self, features: Floats) -> Floats:
        """Return one decision value per row, content if it is above 0."""
        return np.asarray(((np.log1p(features) - self.means) / self.scales) @ self.weights + self.intercept)


def fit_svm(blocks: Blocks) -> LinearSvm:
    """Return the SVM of these blocks, label 1 against all others. Deterministic."""
    from scipy.optimize import minimize  # noqa: PLC0415  (only training needs it, and it takes a while to import)

    spread = np.log1p(blocks.features)
    means, scales = spread.mean(axis=0), spread.std(axis=0)
    scales[scales == 0] = 1.0
    points = ((spread - means) / scales).astype(np.float32)
    sign = np.where(blocks.labels == 1, 1, -1).astype(np.float32)
    share = (blocks.weights / blocks.weights.sum()).astype(np.float32)

    def loss(found: Floats) -> tuple[float, Floats]:
        weights = found[:-1]
        short = np.maximum(0, 1 - sign * (points @ weights.astype(np.float32) + np.float32(found[-1])))
        pull = -2 * share * sign * short
        gradient = np.append(points.T @ pull + PENALTY * weights, pull.sum(dtype=np.float64))
        return float((share * short * short).sum(dtype=np.float64)) + PENALTY / 2 * float(weights @ weights), gradient

    found = minimize(loss, np.zeros(points.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x
    return LinearSvm(means, scales, found[:-1], float(found[-1]))
