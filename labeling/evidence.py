"""Per-block evidence of a site, as arrays over all blocks in page and document order.

Relevance of blocks: longest common subsequences with the titles and descriptions of the page.

The paper (Zhou and Mashuq 2013, section 3.3) sums, over a cluster's blocks, the length of the longest common subsequence of
characters with the page's titles and descriptions: `character_relevance`. Two departures make `token_relevance`:

- Words instead of characters (single characters in scripts that write no spaces): any two long English texts share most of their
  letters in order, but few of their words.
- Contrast: words that a block shares as well with the titles and descriptions of other pages are no evidence, so as many are subtracted as
  it shares with three quarters of them at most. Site slogans and descriptions that all pages repeat vanish by themselves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from sightread.labeling.looks import COPIES, PageCopies, SignatureTable, build_table, find_copies
from sightread.render.analysis.jsonld import read_linked
from sightread.render.page import Block, Page
from sightread.render.text.words import words

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class SiteTable:
    """The blocks of a site in page and document order, with their looks and texts; nothing is decided yet.

    Arrays have one value per block, unless noted.
    """

    pages: tuple[Page, ...]
    looks: SignatureTable
    """The look of each block: what is clustered."""
    copies: PageCopies
    row: NDArray[np.int32]
    """The block's row in its own page."""
    length: NDArray[np.int64]
    """Characters."""
    outside_links: NDArray[np.int64]
    """Characters outside links; 0 if the block is hidden."""
    text: NDArray[np.int32]
    """A number for the text: equal texts have the same number."""

    @property
    def original(self) -> NDArray[np.intp]:
        """For each page, the row of the first page that is the same."""
        return self.copies.original

    @property
    def different(self) -> int:
        """How many different pages there are."""
        return len(np.unique(self.original))

    @property
    def page(self) -> NDArray[np.int32]:
        """Row of each block's page."""
        return self.looks.page

    def block(self, index: int | np.integer[Any]) -> Block:
        """Return the block behind an index of the arrays."""
        return self.pages[int(self.page[index])].blocks[int(self.row[index])]

    def range_of(self, page: int) -> tuple[int, int]:
        """Return the run of a page's blocks in the arrays, half open."""
        low, high = np.searchsorted(self.page, np.array([page, page + 1], np.int32))  # of another type, all pages would be copied
        return int(low), int(high)

    def by_page(self, values: NDArray[Scalar]) -> tuple[NDArray[Scalar], ...]:
        """Return the values of all blocks as one array per page."""
        return tuple(np.split(values, np.searchsorted(self.page, np.arange(1, len(self.pages)))))


def read_site(pages: Sequence[Page]) -> SiteTable:
    """Return the table of the pages of a site."""
    numbers: dict[str, int] = {}
    blocks = [block for page in pages for block in page.blocks]
    return SiteTable(
        pages=tuple(pages),
        looks=build_table(pages),
        copies=find_copies(pages),
        row=np.concatenate([np.zeros(0, np.int32), *(np.arange(len(page.blocks), dtype=np.int32) for page in pages)]),
        length=np.array([len(block.text) for block in blocks], np.int64),
        outside_links=np.array([0 if block.hidden else max(0, len(block.text) - block.link_chars) for block in blocks], np.int64),
        text=np.array([numbers.setdefault(block.text, len(numbers)) for block in blocks], np.int32),
    )


MOST_REFERENCES, MOST_CHARACTERS, MOST_TOKENS = 50, 20_000, 1000
"""Limits of titles and descriptions: different texts per page, and of each the first characters and tokens. The longest
description of the authors' pages has 600 characters; some pages put an article there, or a million characters.
"""
CONTRASTS = 8
"""Other pages whose titles and descriptions are set off against a page's own: with one, chance decides between looks of like relevance."""
CONTRAST_QUANTILE = 0.75
"""Which of their numbers of shared words is subtracted. By the mean, long comments are relevant to a long description (chaos by host .966,
.971 by this one); by the largest, short texts lose what they have (352 built sites .001 less)."""
_OTHER = "\ue000"
_FIRST_CODE = 0xE001
"""Tokens become single code points, so that the comparison runs on strings; from here on there are no surrogates."""


def token_relevance(pages: Sequence[Page]) -> list[NDArray[np.float64]]:
    """Return one array per page with each block's relevance score, in tokens; negative if the block fits another page better.

    Text inside links does not count: related links are about the same things.
    """
    declared = [_declared_tokens(page) for page in pages]
    codes: dict[str, str] = {}  # strings of one code point per token: the same for the same token, one for all that no reference holds
    coded = {
        texts: ["".join(codes.setdefault(token, chr(_FIRST_CODE + len(codes))) for token in text) for text in texts]
        for texts in dict.fromkeys(declared)
    }
    scores = []
    for page, own, others in zip(pages, declared, _contrasts(declared), strict=True):
        unlinked = np.array([1 - block.link_chars / max(len(block.text), 1) for block in page.blocks])
        texts = ["".join(codes.get(token, _OTHER) for token in words(block.text)) for block in page.blocks]
        gain = _gain(texts, coded[own], [coded[other] for other in others])
        scores.append(gain * unlinked)
    return scores


def _gain(texts: Sequence[str], own: Sequence[str], others: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Return how many more tokens each text shares with a page's own references than with those of most others."""
    references = [group for group in (own, *others) if group]
    if not texts or not references:
        return np.zeros(len(texts))
    shared = cdist(texts, [text for group in references for text in group], scorer=LCSseq.similarity, dtype=np.int32)
    closest = np.maximum.reduceat(shared, np.cumsum([0, *map(len, references[:-1])]), axis=1)
    gain = closest[:, 0].astype(np.float64) if own else np.zeros(len(texts))
    return gain - np.quantile(closest[:, 1 if own else 0 :], CONTRAST_QUANTILE, axis=1) if others else gain


def declared_text(page: Page) -> tuple[str, ...]:
    """Return the page's titles and descriptions from markup, Open Graph, Twitter and JSON-LD, each once."""
    linked = read_linked(page)
    texts = (linked.title, linked.description, *page.titles, *page.descriptions)
    return tuple(islice(dict.fromkeys(text[:MOST_CHARACTERS] for text in texts if text), MOST_REFERENCES))


def character_relevance(pages: Sequence[Page]) -> list[NDArray[np.float64]]:
    """Return the paper's score: the longest common subsequence of characters with the nearest title or description."""
    scores = []
    for page in pages:
        references = [text[:MOST_CHARACTERS] for text in islice(dict.fromkeys((*page.titles, *page.descriptions)), MOST_REFERENCES)]
        closest = (max((LCSseq.similarity(block.text, text) for text in references), default=0) for block in page.blocks)
        scores.append(np.fromiter(closest, np.float64, len(page.blocks)))
    return scores


Relevance = Callable[[Sequence[Page]], list[NDArray[np.float64]]]


_Declared = tuple[tuple[str, ...], ...]
"""The tokens of each title and description of a page."""


def _declared_tokens(page: Page) -> _Declared:
    return tuple(sorted({tuple(words(text)[:MOST_TOKENS]) for text in declared_text(page)} - {()}))


def _contrasts(declared: Sequence[_Declared]) -> list[list[_Declared]]:
    """Return for each page what `CONTRASTS` others declare that differs from its own, or all others if they are fewer.

    Its own if all pages declare the same; nothing if no other declares any. The choice depends on what pages declare, not on their order.
    """
    pages = Counter(texts for texts in declared if texts)
    ring = sorted(pages, key=lambda texts: blake2b(repr(texts).encode()).digest())
    place = {texts: row for row, texts in enumerate(ring)}
    found = []
    for texts in declared:
        first = place.get(texts, -1) + 1
        others = [ring[(first + step) % len(ring)] for step in range(min(CONTRASTS, len(ring) - (texts in place)))]
        found.append(others or [texts] * (pages[texts] > 1))
    return found


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
