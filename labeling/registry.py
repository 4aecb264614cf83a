"""The labelers, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.clusterings import CLUSTERINGS
from sightread.labeling.label_site import label_site
from sightread.labeling.labels import NO_CHOICES, Choices, SiteLabels
from sightread.labeling.published import label_site_as_published
from sightread.render.argument_checks import known_names
from sightread.render.errors import Rejected, quoted
from sightread.render.page import Page


class Labeler(Protocol):
    """Labels the blocks of the pages of one site."""

    def __call__(
        self, pages: Sequence[Page], *, predictions: Sequence[NDArray[np.float64]] | None = None, choices: Choices = NO_CHOICES
    ) -> SiteLabels:
        """Return the labels; options as in `sightread.labeling.label_site`. Raises `Rejected` if there is nothing to choose from."""


def _label_as_published(
    pages: Sequence[Page], *, predictions: Sequence[NDArray[np.float64]] | None = None, choices: Choices = NO_CHOICES
) -> SiteLabels:
    del predictions, choices  # the paper has neither
    return label_site_as_published(pages)


LABELERS: Mapping[str, Labeler] = MappingProxyType(
    {"auto": label_site, "hdbscan": partial(label_site, clustering=CLUSTERINGS["hdbscan"]), "published": _label_as_published}
)
"""`auto` is ours, over DBSCAN; `hdbscan` is ours without its radius; `published` is the original paper's, strictly."""


def find_labeler(name: str) -> Labeler:
    """Return the labeler of that name. Raises `Rejected` for a name that is none."""
    if name not in LABELERS:
        raise Rejected(f"no labeler is called {quoted(name)}; {known_names(name, LABELERS)}")
    return LABELERS[name]
