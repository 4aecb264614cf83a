"""Boilerpipe's filters over blocks labelled content (Kohlschütter, Fankhauser and Nejdl, WSDM 2010, section 4).

Largest Content keeps the run of content blocks with the most words. Main Content keeps the article, from its headline to where its comments
begin. The rules of the second are ours, after the paper's purpose: all that follows a line which opens comments is dropped, runs parted by
few blocks are one, the one with the most words is kept with the text between, and it is extended up to the block that reads like the page's
title. Blocks that are mostly links are not taken in on the way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sightread.classify.heuristics.boilerpipe.shallow_features import Shallow
from sightread.render.page.array_types import Bools, Floats
from sightread.render.text.titles import is_title


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
