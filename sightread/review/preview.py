"""Preview of a correction before it is saved: which pages change, by which words, and which of them may get worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightread.render.labels import UNKNOWN
from sightread.render.page import Page
from sightread.render.text.words import plain_words
from sightread.review.questions import evidence_for_content
from sightread.review.workbench import Trained, Workbench

MOST_TEXTS = 6
"""Texts listed per page and direction, longest first."""
TEXT_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class PagePreview:
    """The changes on one page."""

    page: int
    title: str
    gained: int
    """Words that its document gains."""
    lost: int
    against_evidence: int
    """Words among them that change against the evidence, as it was before: with some, the page may get worse."""
    gained_texts: tuple[str, ...]
    lost_texts: tuple[str, ...]
    blocks: Mapping[int, bool]
    """Rows of the blocks that change: True for those that are kept then."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The changes on all pages; pages that may get worse come first."""

    pages: tuple[PagePreview, ...]
    all_pages: int
    may_get_worse: int
    """Pages that change against the evidence."""
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
    evidence = evidence_for_content(bench, before)
    changes = [_page_change(bench.pages[row], before, after, row, evidence[row] > 0) for row in range(len(bench.pages))]
    changed = [change for change in changes if change.blocks]
    labels = zip(before.matching.labels, after.matching.labels, strict=True)
    decided = sum(int(((new != UNKNOWN) & (new != old)).sum()) for old, new in labels)
    return Preview(
        pages=tuple(sorted(changed, key=lambda change: (-change.against_evidence, -(change.gained + change.lost), change.page))),
        all_pages=len(changes),
        may_get_worse=sum(change.against_evidence > 0 for change in changed),
        decided=decided,
        expected_before=round(before.expected_f1, 4),
        expected_after=round(after.expected_f1, 4),
        trusted_before=not before.site_evaluation.distrust_reason,
        trusted_after=not after.site_evaluation.distrust_reason,
    )


def _page_change(page: Page, before: Trained, after: Trained, row: int, expected: NDArray[np.bool_]) -> PagePreview:
    old, new = (frozenset(state.readings[row].document.rows) for state in (before, after))
    against = [block for block in new ^ old if bool(expected[block]) != (block in new)]
    return PagePreview(
        page=row,
        title=min(page.titles, key=len, default=page.url),
        gained=_words(page, new - old),
        lost=_words(page, old - new),
        against_evidence=_words(page, against),
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
