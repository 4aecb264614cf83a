"""A rendered page divided into blocks by its markup alone, as models trained on static HTML require.

A browser divides text by computed style: a permalink that shows on hover is a block beside its heading, a link with `display: block` is a
block inside its list item. The DOM-only models are trained on static pages, where none of that is visible, and score such pieces too low.
This view merges the pieces again, without a second parse: consecutive blocks whose nearest block-level ancestor by tag is the same element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Block, Element, Inline, Page
from sightread.render.static.tags import BLOCK, BUTTON, CELLS, HEADING, PRE, TREATMENT

_NOT_LAID_OUT = "display"
"""The one way of hiding text that markup has too (`hidden`, a closed `<details>`); all others are CSS."""


class DomView(NamedTuple):
    """A page without boxes and styles, and which of its blocks each block of the original page is part of."""

    page: Page
    row_of: NDArray[np.intp]
    """Shape (blocks of the original page,): rows in `page.blocks`."""


def dom_view(page: Page) -> DomView:
    """Return the page as static HTML would give it: without boxes and styles, and with the blocks merged that only CSS separates.

    A static page is returned as it is. Two blocks that are in the same element and are shown alike stay separate: an element without text
    divides them, which markup does too. The view has the elements that hold blocks, images or cells, and their ancestors.
    """
    if page.source == "static":
        return DomView(page, np.arange(len(page.blocks)))
    owners = _owners(page.elements)
    groups = _groups(page.blocks, owners)
    row_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    places = _kept_elements(page, {owners[group[0].element] for group in groups})
    elements = tuple(
        element._replace(parent=places[element.parent] if element.parent >= 0 else -1)
        for element, place in zip(page.elements, places, strict=True)
        if place >= 0
    )
    blocks = tuple(_merged(group, page.elements, owners, places) for group in groups)
    firsts = [*np.cumsum([0, *(len(group) for group in groups)]).tolist()]
    starts = dict(zip(firsts, range(len(firsts)), strict=True))
    images = tuple(
        image._replace(element=places[image.element], before=starts.get(image.before, int(row_of[image.before - 1]) + 1), box=None)
        for image in page.images
    )
    view = replace(page, elements=elements, blocks=blocks, images=images, styles=(), body_style={}, document=None, overlays=())
    return DomView(view, row_of)


def _owners(elements: Sequence[Element]) -> list[int]:
    """Return the nearest element around each, itself included, that is block-level by its tag, or a button."""
    owners: list[int] = []
    for row, element in enumerate(elements):
        treatment = TREATMENT.get(element.tag, 0)
        is_owner = element.parent < 0 or BLOCK <= treatment <= PRE or treatment == BUTTON
        owners.append(row if is_owner else owners[element.parent])
    return owners


def _groups(blocks: Sequence[Block], owners: Sequence[int]) -> list[list[Block]]:
    """Return the runs of consecutive blocks that markup alone does not separate."""
    groups: list[list[Block]] = []
    for block in blocks:
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and owners[last.element] == owners[block.element]
            and (last.element, last.hidden) != (block.element, block.hidden)
            and (last.hidden == _NOT_LAID_OUT) == (block.hidden == _NOT_LAID_OUT)
        ):
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _kept_elements(page: Page, holders: set[int]) -> list[int]:
    """Return the new row of each element, -1 for those that the view leaves out."""
    needed = holders.union((image.element for image in page.images), (0,))
    is_kept = [row in needed or element.tag in CELLS for row, element in enumerate(page.elements)]
    for row in range(len(page.elements) - 1, 0, -1):
        if is_kept[row]:
            is_kept[page.elements[row].parent] = True
    counts = np.cumsum(is_kept) - 1
    return [int(count) if kept else -1 for count, kept in zip(counts, is_kept, strict=True)]


def _merged(group: Sequence[Block], elements: Sequence[Element], owners: Sequence[int], places: Sequence[int]) -> Block:
    """Return the pieces as one block of their owner."""
    first = group[0]
    owner = owners[first.element]
    hidden = first.hidden if first.hidden == _NOT_LAID_OUT else ""
    if len(group) == 1:  # as of most blocks: nothing is to be joined
        place, text = places[owner], first.text
        return Block(text, place, None, None, first.inlines, first.link_chars, hidden, 0, first.heading, first.marker)
    texts: list[str] = []
    inlines: list[Inline] = []
    length = 0
    for piece in group:
        inlines += (inline._replace(start=inline.start + length, end=inline.end + length) for inline in piece.inlines)
        texts.append(piece.text)
        length += len(piece.text) + 1
    levels = {piece.heading for piece in group}
    heading = levels.pop() if len(levels) == 1 else _level(elements[owner])
    linked = sum(piece.link_chars for piece in group)
    return Block(" ".join(texts), places[owner], None, None, tuple(inlines), linked, hidden, 0, heading, first.marker)


def _level(element: Element) -> int:
    return int(element.tag[1]) if TREATMENT.get(element.tag) == HEADING else 0
