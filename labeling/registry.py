"""The labelers, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from types import MappingProxyType

from labeling.clusterings.base import CLUSTERINGS
from labeling.label_site import label_site
from labeling.labels import SiteLabels
from labeling.published import label_site_as_published
from render.errors import Rejected
from render.page import Page

Labeler = Callable[[Sequence[Page]], SiteLabels]
"""Labels the blocks of the pages of one site. Raises `Rejected` if there is nothing to choose from."""

LABELERS: Mapping[str, Labeler] = MappingProxyType(
    {"auto": label_site, "hdbscan": partial(label_site, clustering=CLUSTERINGS["hdbscan"]), "published": label_site_as_published}
)
"""`auto` is ours, over DBSCAN; `hdbscan` is ours without its radius; `published` is the original paper's, strictly."""


def find_labeler(name: str) -> Labeler:
    """Return the labeler of that name. Raises `Rejected` for a name that is none."""
    if name not in LABELERS:
        near = get_close_matches(name, LABELERS, 1)
        meant = f"did you mean {near[0]}? There" if near else "there"
        raise Rejected(f"no labeler is called {name!r}; {meant} are {', '.join(LABELERS)}")
    return LABELERS[name]
