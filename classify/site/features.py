"""Features of the site model: sparse, named, one row per block.

What the original paper gave its classifier (Zhou and Mashuq 2013, section 4): computed style, tag path, selectors, sizes. A feature
is a name and a value, and most values are 1; groups can be left out, for the paper's tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, get_args

from render.page import Page

Group = Literal["style", "path", "selector", "size", "text"]
GROUPS: frozenset[Group] = frozenset(get_args(Group))
PATH = "path "
"""What the name of the feature begins with that holds the tag path."""

LOG_LENGTH = 8.0
"""Natural logarithm of the length of a very long block: brings lengths to the scale of the other features."""

Row = dict[str, float]


def block_features(page: Page, groups: frozenset[Group] = GROUPS) -> Iterator[Row]:
    """Yield one mapping of feature name to value for each block of the page."""
    elements: dict[int, Row] = {}
    for row, block in enumerate(page.blocks):
        if block.element not in elements:
            elements[block.element] = _element_features(page, block.element, groups)
        yield elements[block.element] | _own_features(page, row, groups)


def features_of(page: Page, row: int, groups: frozenset[Group] = GROUPS) -> Row:
    """Return the features of one block of the page."""
    return _element_features(page, page.blocks[row].element, groups) | _own_features(page, row, groups)


def _own_features(page: Page, row: int, groups: frozenset[Group]) -> Row:
    block = page.blocks[row]
    features: Row = {}
    if "style" in groups:
        features.update({f"style {name}: {value}": 1.0 for name, value in page.style_of(block).items()})
    if "size" in groups and block.box is not None:
        features[f"width {block.box.width:.0f}px"] = 1.0
    if "text" in groups:
        features["length"] = math.log1p(len(block.text)) / LOG_LENGTH
        features["link share"] = block.link_chars / max(len(block.text), 1)
    if block.hidden:
        features[f"hidden by {block.hidden}"] = 1.0
    return features


def _element_features(page: Page, element: int, groups: frozenset[Group]) -> Row:
    row: Row = {}
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
