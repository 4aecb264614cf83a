"""How a text is measured against gold text, page by page: ROUGE-LSum, words, and shingles of four tokens.

Each is a triple of precision, recall and F1. Means over pages are taken elsewhere (`benchmarks.metrics.means`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType

from benchmarks.metrics.rouge import rouge_lsum
from benchmarks.metrics.words import word_score
from sightread.classify.evaluation import Score

SHINGLE = 4
"""Tokens of a shingle, as in the article extraction benchmark of Scrapinghub (2019)."""
_WORD = re.compile(r"\w+")

Measure = Callable[[str, str], Score]


def shingle_score(extracted: str, gold: str) -> Score:
    r"""Score a text against gold text by its shingles, counted as often as they occur: the protocol of the article extraction benchmark.

    Tokens are `\w+`, as they are written. A text of fewer than four tokens is one shingle. Precision is NaN if nothing was extracted,
    and recall where nothing is wanted: the protocol leaves the page out of that mean.
    """
    given, expected = _shingles(extracted), _shingles(gold)
    agreed, both = (given & expected).total(), given.total() + expected.total()
    precision = agreed / given.total() if given else math.nan
    recall = agreed / expected.total() if expected else math.nan
    return Score(precision, recall, 2 * agreed / both if both else 1.0)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    tokens = _WORD.findall(text)
    return Counter(tuple(tokens[start : start + SHINGLE]) for start in range(max(1, len(tokens) - SHINGLE + 1))) if tokens else Counter()


MEASURES: Mapping[str, Measure] = MappingProxyType({"rouge": rouge_lsum, "words": word_score, "shingles": shingle_score})
"""By the names of the command line. The cache keeps scores by these names: a measure that changes takes another (`VERSIONS`)."""
VERSIONS: Mapping[str, str] = MappingProxyType({"rouge": "rouge 2", "words": "words 1", "shingles": "shingles 1"})
"""Under which scores are kept; a number to count up when a measure changes."""
