"""What is known of each block of a site before anything is chosen: arrays over all blocks, in page and document order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeling.relevance import Relevance
from labeling.signature import SignatureTable
from render.page import Block, Page
from render.words import words

REPEATED_ON = 3
"""A text on this many different pages belongs to the site, not to an article (a tenth of the pages, where that is more)."""

LONG = 20
"""Characters from which on two pages do not say the same by chance."""
OWN = 0.3
"""A text shares this part of its words with the titles and descriptions of the page that it speaks of, net of what any page shares."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Arrays of one value a block; `page` and `cluster` name rows and clusters."""

    pages: tuple[Page, ...]
    page: NDArray[np.int32]
    row: NDArray[np.int32]
    """The block's row in its own page."""
    cluster: NDArray[np.int32]
    text: NDArray[np.float64]
    """Characters outside links, 0 where the text is not the page's own, or where no reader sees it."""
    relevance: NDArray[np.float64]
    repeated: NDArray[np.bool_]
    """Whether the text belongs to the site, or to another page."""

    def block(self, index: int | np.integer[Any]) -> Block:
        """Return the block behind an index of the arrays."""
        return self.pages[int(self.page[index])].blocks[int(self.row[index])]

    @property
    def clusters(self) -> int:
        """How many clusters there are; noise is none."""
        return int(self.cluster.max(initial=-1)) + 1


def gather(pages: Sequence[Page], table: SignatureTable, cluster: NDArray[np.int32], relevance: Relevance) -> Evidence:
    """Return the evidence of all blocks of the pages."""
    scores = relevance(pages)
    flat = np.concatenate(scores) if scores else np.zeros(0)
    repeated = _repeated(pages, cluster, flat)
    unlinked = [0 if block.hidden else max(0, len(block.text) - block.link_chars) for page in pages for block in page.blocks]
    return Evidence(
        pages=tuple(pages),
        page=table.page,
        row=np.concatenate([np.arange(len(page.blocks), dtype=np.int32) for page in pages]),
        cluster=cluster,
        text=np.where(repeated, 0.0, np.array(unlinked, np.float64)),
        relevance=flat,
        repeated=repeated,
    )


def _repeated(pages: Sequence[Page], cluster: NDArray[np.int32], relevance: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell of each block whether its text belongs to the site, or to another page than its own.

    Furniture stands in one look on many pages. A longer text that two pages share is an advertisement or a teaser, but for a page that it
    speaks of: there it is the headline or the lede that the others tease. A page fetched twice counts once.
    """
    originals = _originals(pages)
    keys = [(original, block.text) for page, original in zip(pages, originals, strict=True) for block in page.blocks]
    looks: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    places: defaultdict[str, set[int]] = defaultdict(set)
    for look, (original, text) in zip(cluster.tolist(), keys, strict=True):
        looks[look, text].add(original)
        places[text].add(original)
    limit = max(REPEATED_ON, len(set(originals)) / 10)
    found = []
    for look, (_, text), gain in zip(cluster.tolist(), keys, relevance.tolist(), strict=True):
        shared = len(places[text]) > 1 and len(text) >= LONG and gain < OWN * len(words(text))
        found.append(shared or len(looks[look, text]) >= limit)
    return np.array(found, np.bool_)


def _originals(pages: Sequence[Page]) -> list[int]:
    """Return for each page the row of the first page of the same address or the same text."""
    first: dict[str | tuple[str, ...], int] = {}
    found = []
    for row, page in enumerate(pages):
        names = [name for name in (page.final_url, tuple(block.text for block in page.blocks)) if name]
        original = min((first[name] for name in names if name in first), default=row)
        first.update((name, original) for name in names if name not in first)
        found.append(original)
    return found
