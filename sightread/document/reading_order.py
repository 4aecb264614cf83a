"""Reading order: the order of blocks by layout, if it clearly differs from that of the markup.

CSS `order`, `row-reverse`, `column-reverse` and absolute placement move boxes. Only clear contradictions of the markup are followed: among
the children of one element, all stacked in a column in another order, or all side by side in one row from right to left. Children that
overlap, grids of rows and columns, and the rows of tables stay as they are. A child moves as a whole, so nothing is torn apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sightread.render.page import Page
from sightread.render.text.words import is_right_to_left

MOST_OVERLAP = 2.0
"""CSS px by which neighbours may overlap: borders and rounding."""
MOST_TOP_DISTANCE = 4.0
"""CSS px between the tops of parts of one row."""
LEAST_COMMON_WIDTH = 0.5
"""Least share of the narrower part's width that is below or above the other part in a column."""
MOST_PARTS = 500
"""Most parts of one element; longer lists are always in markup order."""

_FIXED = frozenset(("table", "thead", "tbody", "tfoot", "tr", "dl", "pre"))


class _Placement(NamedTuple):
    """A block (its row) or an element (-1 - its row), and the sides of its box."""

    key: int
    left: float
    top: float
    right: float
    bottom: float


def reading_order(page: Page, rows: Sequence[int]) -> tuple[int, ...]:
    """Return the rows of blocks, given in document order, in reading order; unchanged if any of them has no box."""
    if any(page.blocks[row].box is None for row in rows):
        return tuple(rows)
    parts = _parts(page, rows)
    is_leftward = is_right_to_left(page.language) or page.elements[0].attributes.get("dir") == "rtl"
    moved = {}
    for element, held in parts.items():
        if 1 < len(held) <= MOST_PARTS and page.elements[element].tag not in _FIXED:
            order = _order(held, is_leftward)
            if order is not None:
                moved[element] = order
    return tuple(_walk(parts | moved)) if moved else tuple(rows)


def _parts(page: Page, rows: Sequence[int]) -> dict[int, list[_Placement]]:
    children: dict[int, list[int]] = {}
    for row in rows:
        key, element = row, page.blocks[row].element
        while element >= 0:
            is_known = element in children
            children.setdefault(element, []).append(key)
            if is_known:
                break
            key, element = -1 - element, page.elements[element].parent
    parts: dict[int, list[_Placement]] = {}
    for element in sorted(children, reverse=True):  # children come after their parents
        parts[element] = [_part(page, parts, key) for key in children[element]]
    return parts


def _part(page: Page, parts: dict[int, list[_Placement]], key: int) -> _Placement:
    if key < 0:
        held = parts[-1 - key]
        return _Placement(key, min(p.left for p in held), min(p.top for p in held), max(p.right for p in held), max(p.bottom for p in held))
    box = page.blocks[key].box
    return _Placement(key, box.x, box.y, box.x + box.width, box.y + box.height) if box else _Placement(key, 0, 0, 0, 0)


def _order(parts: list[_Placement], is_leftward: bool) -> list[_Placement] | None:
    """Return the parts in visual order if that clearly contradicts the markup; else None."""
    down = sorted(parts, key=lambda part: part.top)
    if down != parts and all(_above(upper, lower) for upper, lower in pairwise(down)):
        return down
    side = sorted(parts, key=lambda part: part.left, reverse=is_leftward)
    in_row = max(part.top for part in parts) - min(part.top for part in parts) <= MOST_TOP_DISTANCE
    if in_row and side == parts[::-1] and all(_is_side_by_side(one, two) for one, two in pairwise(side)):
        return side
    return None


def _above(upper: _Placement, lower: _Placement) -> bool:
    common = min(upper.right, lower.right) - max(upper.left, lower.left)
    narrower = min(upper.right - upper.left, lower.right - lower.left)
    return upper.bottom <= lower.top + MOST_OVERLAP and upper.top < lower.top and common >= LEAST_COMMON_WIDTH * narrower


def _is_side_by_side(one: _Placement, two: _Placement) -> bool:
    return one.right <= two.left + MOST_OVERLAP or two.right <= one.left + MOST_OVERLAP


def _walk(parts: dict[int, list[_Placement]]) -> Iterator[int]:
    pending = [-1]  # the body, row 0
    while pending:
        key = pending.pop()
        if key >= 0:
            yield key
        else:
            pending += (part.key for part in reversed(parts[-1 - key]))
