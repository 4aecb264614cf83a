"""Cluster hierarchy of a minimum spanning tree; equal distances merge at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def single_linkage(edges: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Return the hierarchy in scipy's form, shape (nodes - 1, 4): the two that are joined, their distance, and how many nodes that makes.

    `edges` has rows of one node, the other, and their distance. That form knows pairs only. If more than two are joined at one
    distance, as happens all the time among looks, those of at least `size` nodes come first: then none of them is taken for a part of
    another, and none that is less becomes one of them on the way.
    """
    count = len(edges) + 1
    ordered = edges[np.argsort(edges[:, 2], kind="stable")]
    levels = np.split(ordered, np.flatnonzero(np.diff(ordered[:, 2])) + 1)
    top = list(range(2 * count - 1))
    held = [1] * count
    joined = np.empty((count - 1, 4))
    for level in levels:
        pairs = [(_root(top, int(one)), _root(top, int(other))) for one, other, _ in level]
        for group in _groups(pairs):
            first, *others = sorted(group, key=lambda node: held[node] < size)
            for other in others:
                node = len(held)
                held.append(held[first] + held[other])
                joined[node - count] = first, other, level[0, 2], held[node]
                top[first] = top[other] = node
                first = node
    return joined


def _groups(pairs: Iterable[tuple[int, int]]) -> Iterable[list[int]]:
    """Return the nodes that the pairs connect, those that are connected together."""
    leader: dict[int, int] = {}
    for one, other in pairs:
        leader.setdefault(one, one)
        leader.setdefault(other, other)
        leader[_root(leader, one)] = _root(leader, other)
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for node in leader:
        groups[_root(leader, node)].append(node)
    return groups.values()


def _root(leader: dict[int, int] | list[int], node: int) -> int:
    while leader[node] != node:
        leader[node] = leader[leader[node]]
        node = leader[node]
    return node
