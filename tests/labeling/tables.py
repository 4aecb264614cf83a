"""Small tables of looks, written block by block, and what two clusterings of them have in common."""

import numpy as np
from hypothesis import strategies as st

from sightread.labeling.looks import Signature, SignatureTable

SIGNATURES = tuple(
    Signature(path, style)
    for path in ("body/p", "body/div/p", "body/ul/li")
    for style in ({}, {"color": "red"}, {"color": "red", "float": "left"})
)
Blocks = list[tuple[int, int]]
"""Of each block the row of its signature, and its width."""

few_looks = st.lists(st.tuples(st.integers(0, len(SIGNATURES) - 1), st.sampled_from((0, 10, 20, 30, 45, 60, 300))), min_size=1, max_size=30)
one_look = st.lists(st.tuples(st.just(0), st.integers(0, 12).map(lambda tens: 10 * tens)), min_size=1, max_size=30)
many_looks = st.lists(st.tuples(st.integers(0, len(SIGNATURES) - 1), st.integers(0, 400)), min_size=1, max_size=60)
repeated_looks = st.lists(st.tuples(st.tuples(st.integers(0, 5), st.integers(0, 400)), st.integers(1, 6)), min_size=1, max_size=16).map(
    lambda looks: [look for look, copies in looks for _ in range(copies)]
)


def table_of(blocks: Blocks, pages: int = 1) -> SignatureTable:
    """The blocks as those of a site, dealt out to the pages in turn."""
    rows, widths = np.array(blocks, np.float64).reshape(-1, 2).T
    return SignatureTable(SIGNATURES, rows.astype(np.int32), widths, np.arange(len(blocks), dtype=np.int32) % pages)


def one_hot(blocks: Blocks) -> np.ndarray:
    """One row a block: a column for each path and each property with its value, and the width."""
    keys = [{("path", SIGNATURES[row].tag_path), *SIGNATURES[row].style.items()} for row, _ in blocks]
    names = sorted(set().union(*keys))
    return np.array(
        [[float(name in of_block) for name in names] + [float(width)] for of_block, (_, width) in zip(keys, blocks, strict=True)]
    )


def partition(found: np.ndarray) -> tuple[set[frozenset[int]], frozenset[int]]:
    """The blocks of each cluster, whatever its number, and the noise."""
    groups = {int(number): frozenset(np.flatnonzero(found == number).tolist()) for number in np.unique(found)}
    noise = groups.pop(-1, frozenset())
    return set(groups.values()), noise
