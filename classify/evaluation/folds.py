"""Cross-validation folds: no page, and no copy of it, is in two folds, or no site is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightread.render.network.address import host_of
from sightread.render.page import Page

SECOND_LEVEL = frozenset(("ac", "co", "com", "edu", "gov", "ne", "net", "or", "org"))
"""Labels before a country's under which domains are given out, as in co.uk."""


def page_folds(pages: Sequence[Page], folds: int) -> NDArray[np.intp]:
    """Return a fold number per page, shape (pages,); pages of equal text share theirs. There are never more folds than different pages."""
    groups: dict[tuple[str, ...], int] = {}
    group = [groups.setdefault(tuple(block.text for block in page.blocks), len(groups)) for page in pages]
    return np.array(group, np.intp) % max(1, min(folds, len(groups)))


def domain_folds(pages: Sequence[Page], folds: int) -> NDArray[np.intp]:
    """Return a fold number per page, shape (pages,); pages of one domain share theirs, a page without a URL has one of its own."""
    domains: dict[str, int] = {}
    names = (_domain(host_of(page.url)) or f"page {row}" for row, page in enumerate(pages))
    return np.array([domains.setdefault(name, len(domains)) for name in names], np.intp) % folds


def _domain(host: str) -> str:
    labels = host.split(".")
    return ".".join(labels[-3 if len(labels) > 2 and labels[-2] in SECOND_LEVEL else -2 :])
