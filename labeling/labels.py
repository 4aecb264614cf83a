"""What the labeler says of a site: its clusters, one label a block, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

CONTENT, BOILERPLATE, UNKNOWN = 1, 0, -1
"""Labels. A page that no content cluster reaches is unknown, never negative."""

TRUSTED = 0.75
"""Least confidence at which a site's labels, and the model trained on them, are used unasked."""

NOISE = -1
"""The cluster of blocks like no other."""

Labels = NDArray[np.int8]
Role = Literal["body", "part", ""]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Blocks of a site that look alike."""

    id: int
    blocks: int
    pages: int
    characters: int
    link_share: float
    """Share of its characters inside links, 0 to 1."""
    relevance: float
    """Site-wide sum of its blocks' relevance scores (Algorithm 1)."""
    text_share: float
    """Its share of the site's non-link text, 0 to 1."""
    role: Role
    """`body` where it was chosen as the text of a template, `part` where it belongs to the same articles, empty for boilerplate."""
    template: int
    """Which template it is content of, counted from 0; -1 for boilerplate."""
    tag_path: str
    style: Mapping[str, str]
    """The computed properties that differ from the body's, of its commonest signature."""
    width: float
    """Median width in CSS px; 0 where there are no boxes."""
    samples: tuple[str, ...]
    """Up to three of its texts, the longest of distinct pages."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure the labeler is of a site, and why."""

    value: float
    """0 to 1: the least of coverage, agreement and twice the text share; less where few pages, or no titles, speak for it."""
    coverage: float
    """Share of the pages with text that the content clusters reach."""
    agreement: float
    """Share of the labelled pages whose own text would have picked the same cluster."""
    text_share: float
    """Median share of a labelled page's non-link text that is labelled content."""
    advice: tuple[str, ...]
    """What would help, one sentence each; empty where nothing is amiss."""


@dataclass(frozen=True, slots=True)
class SiteLabels:
    """The labels of a site: `labels[i][j]` and `assignments[i][j]` are those of block j of page i."""

    clusters: tuple[Cluster, ...]
    assignments: tuple[NDArray[np.int32], ...]
    labels: tuple[Labels, ...]
    page_confidence: tuple[float, ...]
    confidence: Confidence
