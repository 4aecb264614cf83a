"""Properties of a page without any extractor: its complexity, and the HTML features that the comparison predicts it from.

Bevendorff et al. 2023, section 4: complexity is 1 - (word tokens of the gold text / word tokens of all text of the body but scripts and
styles), within 0 and 1. The features are counts of tags as shares of all tags, and tags for each word.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from selectolax.lexbor import LexborHTMLParser

from benchmarks.datasets.samples import Sample
from benchmarks.runner.results import PAGES, read_results, write_results
from sightread.render.text.words import plain_words

SHARES = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "table", "a", "div", "br", "strong", "em")
"""Tags whose share of all tags is a feature, as in the comparison's published code."""
TAGS_A_WORD = "tags_a_word"
FEATURES = (*SHARES, TAGS_A_WORD)


def write_pages(cache: Path, data: str, samples: Sequence[Sample]) -> None:
    """Write one row per page, unless that was done for these very pages."""
    known = read_results(cache, data, PAGES)
    if known is None or list(known["key"]) != [sample.key for sample in samples]:
        write_results(cache, data, PAGES, pd.DataFrame([describe(sample) for sample in samples]))


def describe(sample: Sample) -> dict[str, str | float]:
    """Return page, kind, key, complexity and features of a page."""
    tree = LexborHTMLParser(sample.html)
    body = tree.body
    for node in tree.css("script, style"):
        node.decompose()
    words = len(plain_words(body.text(separator=" "))) if body is not None else 0
    gold_words = len(plain_words(sample.gold))
    counts = [len(tree.css(f"body {tag}")) for tag in SHARES]
    tags = len(tree.css("body *"))
    shares = {tag: count / max(tags, 1) for tag, count in zip(SHARES, counts, strict=True)}
    complexity = 1 - min(gold_words / words, 1.0) if words else 0.0
    row: dict[str, str | float] = {"page": sample.id, "kind": sample.kind, "key": sample.key, "complexity": complexity}
    return row | shares | {TAGS_A_WORD: tags / max(words, 1)}
