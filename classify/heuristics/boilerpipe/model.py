"""Boilerpipe's two published decision trees, with its filters (Kohlschütter, Fankhauser and Nejdl, WSDM 2010, Algorithms 1 and 2).

Departures: on a page, our blocks instead of its atomic ones (`sightread.classify.heuristics.boilerpipe.text_blocks`); hidden blocks are
never content.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Self, cast

import numpy as np
from numpy.typing import NDArray

from sightread.classify.heuristics.boilerpipe.filters import largest_content, main_content
from sightread.classify.heuristics.boilerpipe.shallow_features import Shallow, shallow_of
from sightread.classify.heuristics.boilerpipe.text_blocks import page_blocks
from sightread.classify.model import Needs, Prediction, load_payload, save_payload
from sightread.render.page import Page
from sightread.render.page.array_types import Bools

Name = Literal["boilerpipe", "boilerpipe-density", "boilerpipe-largest", "boilerpipe-article"]

Rule = Callable[[Shallow, Shallow, Shallow], bool]


EDGE = Shallow(0.0, 0.0, 0.0)
"""The neighbour before the first and after the last block."""


class Boilerpipe:
    """The published trees; nothing is learned.

    `boilerpipe` reads numbers of words (Algorithm 2), `boilerpipe-density` text densities (Algorithm 1); `boilerpipe-largest` and
    `boilerpipe-article` filter what Algorithm 2 keeps, by Largest Content and Main Content.
    """

    needs = Needs.DOM

    def __init__(self, name: Name = "boilerpipe") -> None:
        self.name: str = name

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Return the model as it is: the trees are published whole."""
        return self

    def predict(self, page: Page) -> Prediction:
        """Return 1 for content and 0 for boilerplate, shape (blocks,)."""
        rows, blocks = page_blocks(page)
        shallow = [shallow_of(block) for block in blocks]
        content = apply_rule(by_density if self.name == "boilerpipe-density" else by_words, shallow)
        if self.name == "boilerpipe-largest":
            content = largest_content(shallow, content)
        elif self.name == "boilerpipe-article":
            content = main_content([block.text for block in blocks], shallow, content, page.titles)
        probabilities = np.zeros(len(page.blocks))
        probabilities[rows] = content
        return Prediction(probabilities)

    def save(self, path: Path) -> None:
        """Write the tree's name."""
        save_payload(path, "boilerpipe", self.name)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the tree's name. Raises `BadRecord`."""
        return cls(load_payload(path, "boilerpipe", cast("Any", Name)))


def boilerpipe_density() -> Boilerpipe:
    """Return the published tree of densities."""
    return Boilerpipe("boilerpipe-density")


def boilerpipe_largest() -> Boilerpipe:
    """Return the published tree of numbers of words with the filter Largest Content."""
    return Boilerpipe("boilerpipe-largest")


def boilerpipe_article() -> Boilerpipe:
    """Return the published tree of numbers of words with the filter Main Content."""
    return Boilerpipe("boilerpipe-article")


def apply_rule(rule: Rule, blocks: Sequence[Shallow]) -> Bools:
    """Return which blocks of a page a published tree keeps, shape (blocks,)."""
    rows = [EDGE, *blocks, EDGE]
    return np.array([rule(*rows[at : at + 3]) for at in range(len(blocks))], np.bool_)


def by_density(before: Shallow, block: Shallow, after: Shallow) -> bool:
    """Algorithm 1: classifies by text and link density of a block and its neighbours."""
    if block.link_density > 0.333333:
        return False
    if before.link_density > 0.555556:
        return after.text_density > 11
    if block.text_density > 9:
        return after.text_density > 0
    return after.text_density > 10 or before.text_density > 4


def by_words(before: Shallow, block: Shallow, after: Shallow) -> bool:
    """Algorithm 2: classifies by number of words and link density of a block and its neighbours."""
    if block.link_density > 0.333333:
        return False
    if before.link_density > 0.555556:
        return block.words > 40 or after.words > 17
    return block.words > 16 or after.words > 15 or before.words > 4
