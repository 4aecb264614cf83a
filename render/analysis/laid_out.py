"""The page without text that is not laid out."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from sightread.render.page import Page


def laid_out(page: Page) -> tuple[Page, tuple[int, ...]]:
    """Return the page with only the blocks that are laid out, and their rows in the page that was given.

    Text that is laid out and kept from view by other means stays: it has a box and a style.
    """
    rows = tuple(row for row, block in enumerate(page.blocks) if block.hidden != "display")
    if len(rows) == len(page.blocks):
        return page, rows
    before = list(accumulate((block.hidden != "display" for block in page.blocks), initial=0))
    images = tuple(image._replace(before=before[image.before]) for image in page.images)
    return replace(page, blocks=tuple(page.blocks[row] for row in rows), images=images), rows
