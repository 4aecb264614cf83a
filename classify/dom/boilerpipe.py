"""Boilerpipe's two published decision trees (Kohlschütter, Fankhauser and Nejdl, WSDM 2010, Algorithms 1 and 2).

Departures: our blocks instead of its atomic ones (links and inline tags do not split a block); words as `render.words` counts them, since
white space says nothing in scripts that write none; hidden blocks are never content.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from classify.model import Needs, Probabilities, load_payload, save_payload
from render.page import Block, Page
from render.words import count_words

Tree = Literal["boilerpipe", "boilerpipe-density"]

LINE = 80
"""Characters at which text density wraps lines (section 3.2)."""


class Shallow(NamedTuple):
    """The shallow text features of a block."""

    words: float
    link_density: float
    """Share of the words that stand inside links."""
    text_density: float
    """Words a line when wrapped at 80 characters, the last line left out unless it is the only one."""


EDGE = Shallow(0.0, 0.0, 0.0)
"""What stands before the first and after the last block."""


class Boilerpipe:
    """The published trees; nothing is learned. `boilerpipe` reads numbers of words, `boilerpipe-density` text densities."""

    needs = Needs.DOM

    def __init__(self, name: Tree = "boilerpipe") -> None:
        self.name: str = name
        self._tree = {"boilerpipe": by_words, "boilerpipe-density": by_density}[name]

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Return the model as it is: the trees are published whole."""
        return self

    def predict(self, page: Page) -> Probabilities:
        """Return 1 for content and 0 for boilerplate, shape (blocks,)."""
        seen = [row for row, block in enumerate(page.blocks) if not block.hidden]
        features = [EDGE, *(shallow_features(page.blocks[row]) for row in seen), EDGE]
        probabilities = np.zeros(len(page.blocks))
        for at, row in enumerate(seen):
            probabilities[row] = float(self._tree(*features[at : at + 3]))
        return probabilities

    def save(self, path: Path) -> None:
        """Write the tree's name."""
        save_payload(path, "boilerpipe", self.name)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the tree's name. Raises `BadRecord`."""
        return cls(load_payload(path, "boilerpipe", cast("Any", Tree)))


def shallow_features(block: Block) -> Shallow:
    """Return the block's number of words, link density and text density (section 3.2)."""
    total = count_words(block.text)
    links = [inline for inline in block.inlines if inline.kind == "link"]
    linked = sum(count_words(block.text[link.start : link.end]) for link in links) if links else total * _link_share(block)
    return Shallow(total, min(1.0, linked / total) if total else 0.0, _text_density(block.text))


def _link_share(block: Block) -> float:
    return block.link_chars / max(len(block.text), 1)


def _text_density(text: str) -> float:
    lines: list[list[str]] = [[]]
    length = 0
    for token in text.split():
        if lines[-1] and length + 1 + len(token) > LINE:
            lines.append([])
            length = 0
        length += len(token) + (1 if lines[-1] else 0)
        lines[-1].append(token)
    full = lines[:-1] or lines
    return sum(count_words(" ".join(line)) for line in full) / len(full)


def by_density(before: Shallow, block: Shallow, after: Shallow) -> bool:
    """Algorithm 1: tell content by text and link density of a block and its neighbours."""
    if block.link_density > 0.333333:
        return False
    if before.link_density > 0.555556:
        return after.text_density > 11
    if block.text_density > 9:
        return after.text_density > 0
    return after.text_density > 10 or before.text_density > 4


def by_words(before: Shallow, block: Shallow, after: Shallow) -> bool:
    """Algorithm 2: tell content by number of words and link density of a block and its neighbours."""
    if block.link_density > 0.333333:
        return False
    if before.link_density > 0.555556:
        return block.words > 40 or after.words > 17
    return block.words > 16 or after.words > 15 or before.words > 4
