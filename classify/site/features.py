"""Features of the site model: sparse, named, one row per block.

What the original paper gave its classifier (Zhou and Mashuq 2013, section 4): computed style, tag path, selectors, sizes. A feature
is a name and a value, and most values are 1; groups can be left out, for the paper's tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from sightread.render.analysis.laid_out import laid_out
from sightread.render.page import Page

Group = Literal["style", "path", "selector", "size", "text"]
GROUPS: frozenset[Group] = frozenset(get_args(Group))
PATH = "path "
"""Prefix of the feature that holds the tag path."""

LOG_LENGTH = 8.0
"""Natural logarithm of the length of a very long block: brings lengths to the scale of the other features."""

TEXT = "text: "
"""Prefix of the feature that holds the beginning of the text: what is the same on several pages is known again."""
TEXT_CHARACTERS = 60

MOST_CACHED = 20_000
"""Blocks of a site whose features are kept in memory: about 100 MB."""

FeatureRow = dict[str, float]


def block_features(page: Page, groups: frozenset[Group] = GROUPS) -> Iterator[FeatureRow]:
    """Yield one mapping of feature name to value for each block of the page."""
    elements: dict[int, FeatureRow] = {}
    for row, block in enumerate(page.blocks):
        if block.element not in elements:
            elements[block.element] = _element_features(page, block.element, groups)
        yield elements[block.element] | _own_features(page, row, groups)


class FeatureCache:
    """The laid-out part and the features of pages that a model is fitted to and reads repeatedly, computed once per page.

    For sites of which each page has hundreds of blocks: some kilobytes per block.
    """

    def __init__(self) -> None:
        self._read: dict[int, tuple[Page, LaidOutFeatures]] = {}

    def read(self, page: Page) -> LaidOutFeatures:
        """Return the page's laid-out part with the features of its blocks."""
        if id(page) not in self._read:
            found = read_laid_out(page, GROUPS)
            self._read[id(page)] = page, found._replace(features=list(found.features))  # the page is kept, so no other gets its id
        return self._read[id(page)][1]


def cache_for(pages: Sequence[Page]) -> FeatureCache | None:
    """Return a cache for pages of at most MOST_CACHED blocks, else None: their features are computed each time."""
    return FeatureCache() if sum(len(page.blocks) for page in pages) <= MOST_CACHED else None


class LaidOutFeatures(NamedTuple):
    """The laid-out part of a page, its rows in the page, and one row of features per block of the part."""

    page: Page
    rows: tuple[int, ...]
    features: Iterable[FeatureRow]


class _Stream:
    """Features that are computed each time, so that a large page takes no memory."""

    def __init__(self, page: Page, groups: frozenset[Group]) -> None:
        self._page, self._groups = page, groups

    def __iter__(self) -> Iterator[FeatureRow]:
        return block_features(self._page, self._groups)


def read_laid_out(page: Page, groups: frozenset[Group]) -> LaidOutFeatures:
    """Return the laid-out part of a page with features that are computed when they are read."""
    shown, rows = laid_out(page)
    return LaidOutFeatures(shown, tuple(rows), _Stream(shown, groups))


def features_of(page: Page, row: int, groups: frozenset[Group] = GROUPS) -> FeatureRow:
    """Return the features of one block of the page."""
    return _element_features(page, page.blocks[row].element, groups) | _own_features(page, row, groups)


def _own_features(page: Page, row: int, groups: frozenset[Group]) -> FeatureRow:
    block = page.blocks[row]
    features: FeatureRow = {}
    if "style" in groups:
        features.update({f"style {name}: {value}": 1.0 for name, value in page.style_of(block).items()})
    if "size" in groups and block.box is not None:
        features[f"width {block.box.width:.0f}px"] = 1.0
    if "text" in groups:
        features["length"] = math.log1p(len(block.text)) / LOG_LENGTH
        features["link share"] = block.link_chars / max(len(block.text), 1)
        features[TEXT + " ".join(block.text[:TEXT_CHARACTERS].split())] = 1.0
    if block.hidden:
        features[f"hidden by {block.hidden}"] = 1.0
    return features


def _element_features(page: Page, element: int, groups: frozenset[Group]) -> FeatureRow:
    row: FeatureRow = {}
    lineage = [page.elements[ancestor] for ancestor in page.ancestors(element)]
    if "path" in groups:
        row[PATH + "/".join(ancestor.tag for ancestor in reversed(lineage))] = 1.0
        row.update({f"{level} up: <{ancestor.tag}>" if level else f"<{ancestor.tag}>": 1.0 for level, ancestor in enumerate(lineage[:4])})
    if "selector" in groups:
        for level, ancestor in enumerate(lineage):
            where = "in " if level else ""
            row.update({f"{where}{ancestor.tag}.{name}": 1.0 for name in ancestor.classes})
            if ancestor.id:
                row[f"{where}{ancestor.tag}#{ancestor.id}"] = 1.0
    return row
