"""Decides once per site whether comments, related links, tables of contents, breadcrumbs and bylines are content.

Labels are decided look by look. Whether such a part belongs to the content is a question of the site, not of a look: if nearly all of the
text of its kind has one label on all pages, the rest gets that label too. What the user chose goes before any evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from labeling.labels import Choices, PartDecision
from render.analysis.page_parts import part_blocks
from render.array_types import Labels
from render.labels import BOILERPLATE, CONTENT, PART_KINDS, UNKNOWN, PartKind
from render.page import Page

CLEAR_SHARE = 0.8
"""Share of the text of a kind with one label from which on the rest gets that label; between, each look keeps its own."""


def decide_parts(pages: Sequence[Page], labels: Sequence[Labels], choices: Choices) -> tuple[tuple[PartDecision, ...], tuple[Labels, ...]]:
    """Return a decision for each kind that is on the pages or was chosen, and the labels that follow from them.

    Pages without labels count for nothing and stay as they are.
    """
    parts = [part_blocks(page) for page in pages]
    decisions = []
    for kind in PART_KINDS:
        pages_with, share = _share(pages, labels, [of_page[kind] for of_page in parts])
        if kind in choices:
            decisions.append(PartDecision(kind, choices[kind], pages_with, share, is_chosen=True))
        elif pages_with:
            keep = True if share >= CLEAR_SHARE else False if share <= 1 - CLEAR_SHARE else None
            decisions.append(PartDecision(kind, keep, pages_with, share))
    return tuple(decisions), tuple(_apply(of_page, blocks, decisions) for of_page, blocks in zip(labels, parts, strict=True))


def _share(pages: Sequence[Page], labels: Sequence[Labels], blocks: Sequence[NDArray[np.bool_]]) -> tuple[int, float]:
    """Return how many labelled pages have blocks of a kind, and which share of their characters is content."""
    pages_with, characters, content = 0, 0, 0
    for page, of_page, which in zip(pages, labels, blocks, strict=True):
        rows = np.flatnonzero(which & (of_page != UNKNOWN))
        pages_with += bool(len(rows))
        for row in rows.tolist():
            characters += len(page.blocks[row].text)
            content += len(page.blocks[row].text) * int(of_page[row] == CONTENT)
    return pages_with, content / max(characters, 1)


def _apply(labels: Labels, blocks: Mapping[PartKind, NDArray[np.bool_]], decisions: Sequence[PartDecision]) -> Labels:
    found = labels.copy()
    for decision in decisions:
        if decision.keep is not None:
            found[blocks[decision.kind] & (labels != UNKNOWN)] = CONTENT if decision.keep else BOILERPLATE
    return found
