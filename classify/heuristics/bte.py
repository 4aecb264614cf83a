"""Body text extraction (Finn, Kushmerick and Smyth 2001, section 3).

A page is a row of tokens, tags and words. Its body is the run of tokens for which the words inside and the tags outside are most: the long
plateau in the curve of tags against tokens. The paper tries every pair of ends; the same run is the one of the largest sum where a word
counts 1 and a tag -1, which one pass finds (Bentley 1984, Kadane's algorithm).

Departures: on a `Page` the tags are those that it keeps (`classify.features.tag_positions`), and a block is taken whole.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from classify.features.tag_positions import count_tags
from classify.model import Prediction
from classify.parameter_free import Published
from render.page import Page

_UNSEEN = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style|noscript|head|title)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TOKEN = re.compile(r"<[a-z/!?][^<>]*>|[^\s<]+|<", re.IGNORECASE)


class BodyText(Published):
    """BTE: the one run of blocks with the most words and the fewest tags."""

    name = "bte"

    def predict(self, page: Page) -> Prediction:
        """Return 1 for the blocks of the run and 0 for all others, shape (blocks,)."""
        tags = count_tags(page)
        gains = np.column_stack([-tags.before, tags.words - tags.inside]).ravel()
        start, end = plateau(gains)
        probabilities = np.zeros(len(page.blocks))
        probabilities[tags.rows[start // 2 : end // 2]] = 1.0
        return Prediction(probabilities)


def plateau(gains: NDArray[np.float64]) -> tuple[int, int]:
    """Return the half-open run of the largest sum, (0, 0) where no sum is positive; of equal sums the first and shortest."""
    sums = np.concatenate(([0.0], np.cumsum(gains)))
    lowest = np.minimum.accumulate(sums)
    end = int(np.argmax(sums - lowest))
    if sums[end] <= lowest[end]:
        return 0, 0
    return int(np.flatnonzero(sums[: end + 1] == lowest[end])[-1]), end


def read_tokens(html: str) -> tuple[list[str], NDArray[np.bool_]]:
    """Return the tokens of a document and which of them are tags; comments, scripts, styles and the head are left out."""
    tokens = _TOKEN.findall(_UNSEEN.sub(" ", html))
    return tokens, np.array([len(token) > 1 and token[0] == "<" and token[-1] == ">" for token in tokens], np.bool_)


def extract_body(html: str) -> str:
    """Return the words of the body, a line break where tags part them: the paper's own protocol, on tokens of HTML."""
    tokens, is_tag = read_tokens(html)
    start, end = plateau(np.where(is_tag, -1.0, 1.0))
    lines: list[list[str]] = [[]]
    for token, tag in zip(tokens[start:end], is_tag[start:end].tolist(), strict=True):
        if not tag:
            lines[-1].append(token)
        elif lines[-1]:
            lines.append([])
    return "\n".join(" ".join(line) for line in lines if line)


MODEL = BodyText
