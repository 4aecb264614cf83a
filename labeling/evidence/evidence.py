"""Per-block evidence of a site, as arrays over all blocks in page and document order."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence.article_place import ArticlePlace
from sightread.labeling.evidence.page_copies import COPIES
from sightread.labeling.evidence.relevance import Relevance
from sightread.labeling.evidence.site_table import SiteTable
from sightread.render.text.words import words

REPEATED_ON = 3
"""A text on this many different pages belongs to the site, not to an article (a tenth of the pages, if that is more)."""

LEAST_OWN_SHARE = 0.3
"""Least share of a text's words that are also in the titles and descriptions of the page that it is about, net of what any page shares."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Arrays of one value per block of the table; `cluster` names clusters."""

    table: SiteTable
    cluster: NDArray[np.int32]
    text: NDArray[np.float64]
    """Characters outside links, 0 if the text is not the page's own, or is hidden."""
    relevance: NDArray[np.float64]
    repeated: NDArray[np.bool_]
    """Whether the text belongs to the site, or to another page."""
    places: dict[tuple[int, int, int], ArticlePlace] = field(init=False, default_factory=dict, repr=False, compare=False)
    """Results of `sightread.labeling.articles.geometry.find_places` by cluster, page and container: templates that rival each other ask
    for the same places."""

    @property
    def own_relevance(self) -> NDArray[np.float64]:
        """The relevance, but 0 if the text is not the page's own."""
        return np.where(self.repeated, 0.0, self.relevance)

    @property
    def clusters(self) -> int:
        """How many clusters there are; noise is none."""
        return int(self.cluster.max(initial=-1)) + 1


def gather(table: SiteTable, cluster: NDArray[np.int32], relevance: Relevance) -> Evidence:
    """Return the evidence of all blocks of the site."""
    scores = relevance(table.pages)
    flat = np.concatenate(scores) if scores else np.zeros(0)
    repeated = _repeated(table, cluster, flat)
    return Evidence(table, cluster, np.where(repeated, 0.0, table.outside_links.astype(np.float64)), flat, repeated)


def _repeated(table: SiteTable, cluster: NDArray[np.int32], relevance: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each block whether its text belongs to the site, or to another page than its own.

    Furniture has one look on many pages. A longer text that two pages share is an advertisement or a teaser, except on the page that it
    is about: there it is the headline or the lede that the others repeat. A page fetched twice counts once, a page that holds several
    others not at all.
    """
    looks: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    places: defaultdict[int, set[int]] = defaultdict(set)
    of_block = list(zip(cluster.tolist(), table.text.tolist(), table.original[table.page].tolist(), strict=True))
    for look, text, original in of_block:
        if table.copies.is_collection[original]:
            continue
        looks[look, text].add(original)
        places[text].add(original)
    limit = max(REPEATED_ON, len(np.unique(table.original)) / 10)
    blocks = (block for page in table.pages for block in page.blocks)
    found = []
    for (look, text, _), block, gain in zip(of_block, blocks, relevance.tolist(), strict=True):
        shared = len(places[text]) > 1 and len(block.text) >= COPIES.least_text and gain < LEAST_OWN_SHARE * len(words(block.text))
        found.append(shared or len(looks[look, text]) >= limit)
    return np.array(found, np.bool_)
