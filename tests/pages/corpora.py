"""Corpora of small pages, which no browser rendered."""

from collections.abc import Iterable
from pathlib import Path

from sightread.crawler.corpus import Corpus
from sightread.render.page import Page


def write_corpus(folder: Path, pages: Iterable[Page], start: str = "https://x.test/") -> Path:
    """Write pages of a site as a corpus, and return its folder."""
    with Corpus.create(folder, start) as corpus:
        for page in pages:
            corpus.append(page)
    return folder
