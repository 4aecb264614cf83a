"""Boilerpipe's two published decision trees, with its filters (Kohlschütter, Fankhauser and Nejdl, WSDM 2010, Algorithms 1 and 2).

Departures: on a page, our blocks instead of its atomic ones (`sightread.classify.heuristics.boilerpipe.shallow_features`); hidden blocks
are never content.

Boilerpipe's filters over blocks labelled content (Kohlschütter, Fankhauser and Nejdl, WSDM 2010, section 4).

Largest Content keeps the run of content blocks with the most words. Main Content keeps the article, from its headline to where its comments
begin. The rules of the second are ours, after the paper's purpose: all that follows a line which opens comments is dropped, runs parted by
few blocks are one, the one with the most words is kept with the text between, and it is extended up to the block that reads like the page's
title. Blocks that are mostly links are not taken in on the way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self, cast

import numpy as np
from numpy.typing import NDArray

from sightread.classify.heuristics.boilerpipe.shallow_features import Shallow, page_blocks, shallow_of
from sightread.classify.model import Needs, Prediction, load_payload, save_payload
from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Floats
from sightread.render.text.words import is_title


@dataclass(frozen=True, slots=True)
class ArticleLimits:
    """Limits of the article that Main Content keeps.

    The first four were chosen on L3S-GN1 itself, with Algorithm 2: token F1 .967; with 3 blocks between two runs .967, with 120 words .966,
    with a headline 30 blocks above .966, with lists of links included .962.
    """

    most_blocks_between: int = 2
    """Blocks that may separate two runs of one article."""
    least_words_before: int = 60
    """Words of content before a line that ends an article."""
    most_words_of_line: int = 15
    """Words of such a line."""
    headline_blocks_above: int = 100
    """Blocks above the article that may be its headline."""
    headline_blocks_inside: int = 3
    """Blocks of the article itself that may be its headline."""
    most_link_density: float = 0.333333
    """Link density above which a block is a list of links, as in both published trees."""


LIMITS = ArticleLimits()

_OPENS_COMMENTS = re.compile(
    r"comments?\b|\d+ comments?\b|(?:post|add|leave|write) (?:a |an |your )?(?:comment|reply)|your comments"
    r"|readers?['’]?s? (?:comments|views)|have your say|what (?:do )?you think|(?:please )?rate this|discuss this|talkback"
    r"|kommentare?\b|comentarios?\b|commentaires?\b",
    re.IGNORECASE,
)


def largest_content(blocks: Sequence[Shallow], content: Bools) -> Bools:
    """Keep the run of content blocks with the most words; shape (blocks,)."""
    start, end = _largest(content, np.array([block.words for block in blocks]), 0)
    kept = np.zeros(len(content), np.bool_)
    kept[start:end] = content[start:end]
    return kept


def main_content(texts: Sequence[str], blocks: Sequence[Shallow], content: Bools, titles: Sequence[str]) -> Bools:
    """Keep the article of a page with these titles; row i of all is block i."""
    words = np.array([block.words for block in blocks])
    is_prose = np.array([block.link_density <= LIMITS.most_link_density for block in blocks], np.bool_)
    content = content.copy()
    content[_end_of_article(texts, words, content) :] = False
    start, end = _largest(content, words, LIMITS.most_blocks_between)
    kept = np.zeros(len(content), np.bool_)
    kept[start:end] = content[start:end] | is_prose[start:end]
    for row in range(min(start + LIMITS.headline_blocks_inside, end) - 1, max(start - LIMITS.headline_blocks_above, 0) - 1, -1):
        if is_title(texts[row], titles):
            kept[row:start] |= is_prose[row:start]
            kept[row] = True
            break
    return kept


def _end_of_article(texts: Sequence[str], words: Floats, content: Bools) -> int:
    """Return the first row that opens comments with an article before it; the number of rows if there is none."""
    before = np.cumsum(words * content) - words * content
    for row in np.flatnonzero((words <= LIMITS.most_words_of_line) & (before >= LIMITS.least_words_before)).tolist():
        if _OPENS_COMMENTS.match(texts[row]):
            return int(row)
    return len(texts)


def _largest(content: Bools, words: Floats, between: int) -> tuple[int, int]:
    """Return the run with the most words of content, (0, 0) where there is no content; of equal ones the first."""
    rows = np.flatnonzero(content)
    if not len(rows):
        return 0, 0
    runs = np.split(rows, np.flatnonzero(np.diff(rows) > between + 1) + 1)
    best = max(runs, key=lambda run: float(words[run].sum()))
    return int(best[0]), int(best[-1]) + 1


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
