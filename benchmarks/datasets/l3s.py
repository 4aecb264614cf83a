"""L3S-GN1, Boilerpipe's own data: 621 news pages, each text block labelled by a person (Kohlschütter, Fankhauser and Nejdl 2010).

Its blocks were cut by the annotators' tool and have lost their tags, which the features need. So the pages are cut anew (`read_blocks`),
and each of our blocks takes the label that most of its letters have in the given ones; one of which less than half is found there has none,
and is neither learned nor scored. Labels 4 and 5 are read as they were checked by eye: related content and comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.alignment.align import align, align_moved, settle
from benchmarks.alignment.gold_labels import letters_of
from benchmarks.datasets.atomic_blocks import read_blocks
from benchmarks.datasets.folder import read_lines
from sightread.classify.heuristics.boilerpipe.shallow_features import TextBlock
from sightread.render.page.array_types import Labels
from sightread.render.static.parse import read_html

NAME = "l3s-gn1"
BOILERPLATE, HEADLINE, FULL_TEXT, SUPPLEMENTAL, RELATED, COMMENTS = range(6)
"""The labels as given."""
UNKNOWN = -1
FOUND = 0.5
"""Least share of a block's letters that are in labelled blocks."""


class Agreement(NamedTuple):
    """How a page's own blocks and the given ones cover each other. Characters are letters, digits and marks."""

    given: int
    """Blocks given."""
    same: int
    """Of ours that are exactly one of those given."""
    pure: int
    """Of ours with a label: whose letters all have it."""
    characters: int
    """Given."""
    found: int
    """Of these, in our blocks."""


@dataclass(frozen=True, slots=True)
class Annotated:
    """A page in our blocks, with the labels of the given ones."""

    id: str
    blocks: list[TextBlock]
    labels: Labels
    """One per block, `UNKNOWN` where there is none."""
    titles: tuple[str, ...]
    agreement: Agreement


def read_l3s(data: Path) -> Iterator[Annotated]:
    """Yield the pages. Raises `Rejected` if the set is not there."""
    for record in read_lines(data / NAME / "pages.jsonl.gz"):
        yield annotate(record)


def annotate(record: dict[str, Any]) -> Annotated:
    """Return the page of a record with `id`, `html` and `blocks`, pairs of text and label."""
    blocks = read_blocks(record["html"])
    labels, agreement = transfer([block.text for block in blocks], record["blocks"])
    return Annotated(record["id"], blocks, labels, read_html(record["html"]).titles, agreement)


def transfer(texts: Sequence[str], given: Sequence[tuple[str, int]]) -> tuple[Labels, Agreement]:
    """Return a label for each text from blocks that were cut otherwise, in the same order on the page."""
    page_texts, given_texts = [letters_of(text) for text in texts], [letters_of(text) for text, _ in given]
    page, given_letters = "".join(page_texts), "".join(given_texts)
    edges, given_edges = (np.cumsum([0, *map(len, parts)]) for parts in (page_texts, given_texts))
    partners = align_moved(page, given_letters, settle(page, align(page, given_letters), edges))
    origin = np.repeat(np.arange(len(given)), np.diff(given_edges))
    of_block = np.array([label for _, label in given], np.int8)
    labels = np.full(len(texts), UNKNOWN, np.int8)
    same = pure = 0
    for row, (start, end) in enumerate(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)):
        found = partners[start:end][partners[start:end] >= 0]
        if end > start and len(found) >= FOUND * (end - start):
            seen = of_block[origin[found]]
            labels[row] = np.bincount(seen).argmax()
            pure += bool((seen == labels[row]).all())
            first, last = origin[found[[0, -1]]].tolist()
            whole = len(found) == end - start == given_edges[first + 1] - given_edges[first]
            same += bool(whole and first == last and (np.diff(found) == 1).all())
    return labels, Agreement(len(given), same, pure, len(given_letters), int((partners >= 0).sum()))
