"""Merges list items that the markup splits into several lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sightread.document.tree.nodes import Heading, List, Node


class Piece(NamedTuple):
    """The nodes of one structural element, and its relation to the element before."""

    nodes: list[Node]
    adjoins: bool
    """Whether no text of the page, kept or not, is between the two."""
    is_sibling: bool
    """Whether both are in one element."""


def joined_lists(pieces: Iterable[Piece]) -> list[Node]:
    """Return the nodes of all pieces, with each list that continues the one right before it merged into it.

    Two such lists are in one element, or have one item each; numbers must continue if the page declares them. Of 434 inspected pages, 17
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
    """Return whether each item is a heading, with at most a list below: items in large type. A card holds more than a heading."""
    return len(items) > 1 and all(isinstance(item[0], Heading) and all(isinstance(node, List) for node in item[1:]) for item in items)


def _goes_on(run: list[List], node: List, is_sibling: bool) -> bool:
    last = run[-1]
    if not is_sibling and (len(last.items) > 1 or len(node.items) > 1):
        return False
    return node.start is None if last.start is None else node.start == last.start + len(last.items)


def _whole(run: list[List]) -> list[Node]:
    return [List(tuple(item for node in run for item in node.items), run[0].start)] if run else []
