"""HDBSCAN on weighted points against the `hdbscan` package on all the blocks."""

import numpy as np
import pytest
from hdbscan import HDBSCAN
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from sightread.labeling import clusterings
from sightread.labeling.clusterings import hdbscan
from tests.labeling.tables import Blocks, one_hot, partition, table_of

Leaves = tuple[frozenset[frozenset[int]], frozenset[int]]

few_blocks = st.lists(st.tuples(st.tuples(st.integers(0, 8), st.integers(0, 400)), st.integers(1, 4)), min_size=2, max_size=8).map(
    lambda looks: [look for look, copies in looks for _ in range(copies)][:18]
)


def distances(blocks: Blocks) -> np.ndarray:
    """One path or property more or less is as far as one standard deviation of the width."""
    columns = one_hot(blocks)
    looks, widths = columns[:, :-1], columns[:, -1]
    apart = ((looks[:, None] - looks) ** 2).sum(axis=2)
    return np.sqrt(apart * (np.sort(widths).std() or 1.0) ** 2 + (widths[:, None] - widths) ** 2)


def leaves(blocks: Blocks, size: int) -> set[Leaves]:
    """What the package, which does not count a block among its own samples, makes of the blocks in many orders: of equal distances it
    takes whichever comes first.
    """
    between, found = distances(blocks), set()
    model = HDBSCAN(metric="precomputed", min_cluster_size=size, min_samples=size - 1, cluster_selection_method="leaf")
    for rows in (np.arange(len(blocks)), np.arange(len(blocks))[::-1]):
        for shift in range(len(blocks)):
            order = np.roll(rows, shift)
            numbers = np.empty(len(blocks), np.intp)
            numbers[order] = model.fit(between[np.ix_(order, order)]).labels_
            clusters, noise = partition(numbers)
            found.add((frozenset(clusters), noise))
    return found


def is_tied(blocks: Blocks, size: int, clusters: frozenset[frozenset[int]]) -> bool:
    """Whether some block reaches two of the clusters at the same distance: the package gives it to one, and here it is noise."""
    between = distances(blocks)
    core = np.sort(between, axis=1)[:, size - 1]
    reach = np.maximum(np.maximum(core[:, None], core), between)
    least = [sorted(min(reach[row, list(members - {row})]) for members in clusters if members - {row}) for row in range(len(blocks))]
    return any(len(of_block) > 1 and of_block[0] == of_block[1] for of_block in least)


def join_rare(blocks: Blocks, clusters: frozenset[frozenset[int]]) -> set[frozenset[int]]:
    """Give each block that is in none to the cluster of the nearest width of its signature, else to one cluster a signature."""
    of_block = {row: f"cluster {number}" for number, members in enumerate(clusters) for row in members}
    joined: dict[str, set[int]] = {}
    for row, (signature, width) in enumerate(blocks):
        near = [
            (abs(blocks[other][1] - width), blocks[other][1], name) for other, name in of_block.items() if blocks[other][0] == signature
        ]
        joined.setdefault(of_block.get(row) or (min(near)[2] if near else f"signature {signature}"), set()).add(row)
    return {frozenset(members) for members in joined.values()}


@settings(max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.filter_too_much])
@given(few_blocks, st.integers(2, 4))
@example([(4, 141), (2, 98), (6, 179), (2, 253), (7, 146), (1, 17), (0, 298)], 3)
@example([(5, 2), (5, 24), (4, 7), (4, 25), (5, 20), (1, 21), (3, 13), (4, 8), (3, 28)], 3)
def test_weighted_points_give_the_leaves_that_the_package_finds_among_all_the_blocks(blocks: Blocks, size: int):
    assume(len(set(blocks)) > 1 and len(blocks) > size)
    found = leaves(blocks, size)
    assume(len(found) == 1)
    ((clusters, _),) = found
    assume(not is_tied(blocks, size, clusters))
    assert partition(hdbscan(table_of(blocks), size))[0] == join_rare(blocks, clusters)


def test_a_style_that_changes_from_block_to_block_divides_nothing():
    article, notes = [(3 + row % 3, 600) for row in range(30)], [(6, 200)] * 30
    found = hdbscan(table_of([*article, *notes], pages=4))
    assert len(set(found[30:].tolist())) == 1
    assert not set(found[30:].tolist()) & set(found[:30].tolist())


def test_a_rare_width_between_two_clusters_of_its_signature_joins_the_narrower():
    blocks = [(0, 100)] * 10 + [(0, 500)] * 10 + [(0, 300)]
    assert hdbscan(table_of(blocks, pages=10))[-1] == 0


def test_a_look_must_repeat_on_half_of_the_pages_to_be_a_cluster_of_its_own():
    blocks = [(0, 100)] * 9 + [(0, 500)] * 3
    assert hdbscan(table_of(blocks, pages=6)).tolist() == [0] * 9 + [1] * 3
    assert hdbscan(table_of(blocks, pages=12)).tolist() == [0] * 12


def test_a_block_as_near_to_one_cluster_as_to_another_is_in_neither():
    blocks = [(0, 100)] * 4 + [(0, 300)] * 4 + [(1, 200)]
    assert hdbscan(table_of(blocks), 4).tolist() == [0] * 4 + [1] * 4 + [2]


def test_where_there_are_too_many_signatures_the_rare_ones_are_left_apart(monkeypatch: pytest.MonkeyPatch):
    blocks = [(0, 100)] * 10 + [(4, 500)] * 10 + [(1, 110), (5, 490)]
    assert hdbscan(table_of(blocks, pages=10)).tolist() == [0] * 10 + [1] * 10 + [0, 1]
    monkeypatch.setattr(clusterings, "MOST_POINTS", 3)
    assert hdbscan(table_of(blocks, pages=10)).tolist() == [0] * 10 + [1] * 10 + [2, 3]
