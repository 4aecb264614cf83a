"""Preview of a correction before it is saved: which pages change, by which words, and which of them may get worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from render.labels import THRESHOLD, UNKNOWN
from render.page import Page
from render.words import plain_words
from sightread.review.workbench import Trained, Workbench

MOST_TEXTS = 6
"""Texts listed per page and direction, longest first."""
TEXT_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class PageChange:
    """The changes on one page."""

    page: int
    title: str
    gained: int
    """Words that its document gains."""
    lost: int
    against_prediction: int
    """Words among them that change against the global model's prediction."""
    gained_texts: tuple[str, ...]
    lost_texts: tuple[str, ...]
    blocks: Mapping[int, bool]
    """Rows of the blocks that change: True for those that are kept then."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The changes on all pages; pages that may get worse come first."""

    pages: tuple[PageChange, ...]
    all_pages: int
    decided: int
    """Blocks that the correction decides."""
    expected_before: float
    expected_after: float
    trusted_before: bool
    trusted_after: bool

    @property
    def changed(self) -> int:
        """How many pages change."""
        return len(self.pages)


def compare(bench: Workbench, before: Trained, after: Trained) -> Preview:
    """Return what changes between two states of a site."""
    changes = [_page_change(bench, before, after, row) for row in range(len(bench.pages))]
    changed = [change for change in changes if change.blocks]
    labels = zip(before.matching.labels, after.matching.labels, strict=True)
    decided = sum(int(((new != UNKNOWN) & (new != old)).sum()) for old, new in labels)
    return Preview(
        pages=tuple(sorted(changed, key=lambda change: (-change.against_prediction, -(change.gained + change.lost), change.page))),
        all_pages=len(changes),
        decided=decided,
        expected_before=round(before.expected_f1, 4),
        expected_after=round(after.expected_f1, 4),
        trusted_before=not before.site_evaluation.distrust_reason,
        trusted_after=not after.site_evaluation.distrust_reason,
    )


def _page_change(bench: Workbench, before: Trained, after: Trained, row: int) -> PageChange:
    page = bench.pages[row]
    old, new = (frozenset(state.readings[row].document.rows) for state in (before, after))
    overall = bench.predictions[row].relative >= THRESHOLD
    against = [block for block in new ^ old if bool(overall[block]) != (block in new)]
    return PageChange(
        page=row,
        title=min(page.titles, key=len, default=page.url),
        gained=_words(page, new - old),
        lost=_words(page, old - new),
        against_prediction=_words(page, against),
        gained_texts=_texts(page, new - old),
        lost_texts=_texts(page, old - new),
        blocks={block: block in new for block in sorted(new ^ old)},
    )


def _words(page: Page, rows: Iterable[int]) -> int:
    return sum(len(plain_words(page.blocks[row].text)) for row in rows)


def _texts(page: Page, rows: frozenset[int]) -> tuple[str, ...]:
    counted = Counter({page.blocks[row].text: len(page.blocks[row].text) for row in sorted(rows)})
    return tuple(text if len(text) <= TEXT_CHARACTERS else f"{text[: TEXT_CHARACTERS - 1]}…" for text, _ in counted.most_common(MOST_TEXTS))


def changed_pages(before: Trained, after: Trained) -> int:
    """Return on how many pages the document differs."""
    pairs = zip(before.readings, after.readings, strict=True)
    return int(np.sum([old.document.rows != new.document.rows for old, new in pairs]))
