"""Per-block evidence of a site, as arrays over all blocks in page and document order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeling.page_copies import COPIES, find_originals
from labeling.relevance import Relevance
from labeling.signature import SignatureTable
from render.page import Block, Page
from render.words import words

REPEATED_ON = 3
"""A text on this many different pages belongs to the site, not to an article (a tenth of the pages, if that is more)."""

OWN = 0.3
"""Least share of a text's words that are also in the titles and descriptions of the page that it is about, net of what any page shares."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Arrays of one value per block; `page` and `cluster` name rows and clusters."""

    pages: tuple[Page, ...]
    page: NDArray[np.int32]
    original: NDArray[np.intp]
    """For each page, the row of the first page that is the same: its own if none before it is."""
    row: NDArray[np.int32]
    """The block's row in its own page."""
    width: NDArray[np.float64]
    """CSS px; 0 if the page has no boxes."""
    cluster: NDArray[np.int32]
    length: NDArray[np.int64]
    """Characters."""
    text: NDArray[np.float64]
    """Characters outside links, 0 if the text is not the page's own, or is hidden."""
    relevance: NDArray[np.float64]
    repeated: NDArray[np.bool_]
    """Whether the text belongs to the site, or to another page."""

    def block(self, index: int | np.integer[Any]) -> Block:
        """Return the block behind an index of the arrays."""
        return self.pages[int(self.page[index])].blocks[int(self.row[index])]

    @property
    def own_relevance(self) -> NDArray[np.float64]:
        """The relevance, but 0 if the text is not the page's own."""
        return np.where(self.repeated, 0.0, self.relevance)

    @property
    def clusters(self) -> int:
        """How many clusters there are; noise is none."""
        return int(self.cluster.max(initial=-1)) + 1


def gather(pages: Sequence[Page], table: SignatureTable, cluster: NDArray[np.int32], relevance: Relevance) -> Evidence:
    """Return the evidence of all blocks of the pages."""
    scores = relevance(pages)
    flat = np.concatenate(scores) if scores else np.zeros(0)
    original = find_originals(pages)
    repeated = _repeated(pages, original.tolist(), cluster, flat)
    length = np.array([len(block.text) for page in pages for block in page.blocks], np.int64)
    unlinked = [0 if block.hidden else max(0, len(block.text) - block.link_chars) for page in pages for block in page.blocks]
    return Evidence(
        pages=tuple(pages),
        page=table.page,
        original=original,
        row=np.concatenate([np.arange(len(page.blocks), dtype=np.int32) for page in pages]),
        width=table.width,
        cluster=cluster,
        length=length,
        text=np.where(repeated, 0.0, np.array(unlinked, np.float64)),
        relevance=flat,
        repeated=repeated,
    )


def _repeated(
    pages: Sequence[Page], originals: Sequence[int], cluster: NDArray[np.int32], relevance: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return for each block whether its text belongs to the site, or to another page than its own.

    Furniture has one look on many pages. A longer text that two pages share is an advertisement or a teaser, except on the page that it
    is about: there it is the headline or the lede that the others repeat. A page fetched twice counts once.
    """
    keys = [(original, block.text) for page, original in zip(pages, originals, strict=True) for block in page.blocks]
    looks: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    places: defaultdict[str, set[int]] = defaultdict(set)
    for look, (original, text) in zip(cluster.tolist(), keys, strict=True):
        looks[look, text].add(original)
        places[text].add(original)
    limit = max(REPEATED_ON, len(set(originals)) / 10)
    found = []
    for look, (_, text), gain in zip(cluster.tolist(), keys, relevance.tolist(), strict=True):
        shared = len(places[text]) > 1 and len(text) >= COPIES.least_text and gain < OWN * len(words(text))
        found.append(shared or len(looks[look, text]) >= limit)
    return np.array(found, np.bool_)
