"""Cross-validation folds by page: no page, and no copy of it, is in two folds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from render.page import Page


def page_folds(pages: Sequence[Page], folds: int) -> NDArray[np.intp]:
    """Return a fold number per page, shape (pages,); pages of equal text share theirs. There are never more folds than different pages."""
    groups: dict[tuple[str, ...], int] = {}
    group = [groups.setdefault(tuple(block.text for block in page.blocks), len(groups)) for page in pages]
    return np.array(group, np.intp) % max(1, min(folds, len(groups)))
