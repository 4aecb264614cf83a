"""Labels of all blocks from the labels of those that are laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.clusterings.distinct_looks import NOISE
from sightread.labeling.labels.labels import SiteLabels
from sightread.render.analysis.laid_out import laid_out
from sightread.render.labels import BOILERPLATE, UNKNOWN
from sightread.render.page import Page

Scalar = TypeVar("Scalar", bound=np.generic)


def label_laid_out(label: Callable[[Sequence[Page]], SiteLabels], pages: Sequence[Page]) -> SiteLabels:
    """Label the pages by their laid-out blocks; the other blocks are noise, and boilerplate if their page is known."""
    shown = [laid_out(page) for page in pages]
    labels = label([page for page, _ in shown])
    assignments, of_pages = [], []
    for page, (_, rows), assigned, own in zip(pages, shown, labels.assignments, labels.labels, strict=True):
        rest = BOILERPLATE if (own != UNKNOWN).any() else UNKNOWN
        assignments.append(_spread(assigned, rows, len(page.blocks), NOISE))
        of_pages.append(_spread(own, rows, len(page.blocks), rest))
    return replace(labels, assignments=tuple(assignments), labels=tuple(of_pages))


def _spread(values: NDArray[Scalar], rows: Sequence[int], count: int, rest: int) -> NDArray[Scalar]:
    """Return the values at their rows among `count`, and `rest` elsewhere."""
    if len(rows) == count:
        return values
    spread = np.full(count, rest, values.dtype)
    spread[list(rows)] = values
    return spread
