"""What every clustering keeps to."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.labeling.clusterings.base import CLUSTERINGS
from sightread.labeling.evidence.signature import WIDEST, Signature, SignatureTable
from tests.labeling.tables import Blocks, many_looks, partition, repeated_looks, table_of

every_clustering = pytest.mark.parametrize("name", CLUSTERINGS)


def test_there_are_two_and_dbscan_comes_first():
    assert list(CLUSTERINGS) == ["dbscan", "hdbscan"]


@every_clustering
@settings(max_examples=40, deadline=None, derandomize=True)
@given(blocks=many_looks | repeated_looks, pages=st.sampled_from((1, 5, 12)))
def test_equal_blocks_get_equal_clusters_and_numbers_have_no_gaps(name: str, blocks: Blocks, pages: int):
    found = CLUSTERINGS[name](table_of(blocks, pages))
    assert found.dtype == np.int32
    assert len(set(zip(blocks, found.tolist(), strict=True))) == len(set(blocks))
    firsts = [number for row, number in enumerate(found.tolist()) if number not in found[:row]]
    assert [number for number in firsts if number >= 0] == list(range(found.max() + 1))


@every_clustering
@settings(max_examples=40, deadline=None, derandomize=True)
@given(blocks=many_looks | repeated_looks, chance=st.randoms(use_true_random=False))
def test_the_order_of_blocks_and_signatures_changes_numbers_alone(name: str, blocks: Blocks, chance):
    table = table_of(blocks)
    order, names = list(range(len(blocks))), list(range(len(table.signatures)))
    chance.shuffle(order)
    chance.shuffle(names)
    shuffled = SignatureTable(
        tuple(table.signatures[row] for row in names),
        np.argsort(names)[table.signature[order]].astype(np.int32),
        table.width[order],
        table.page[order],
    )
    back = np.empty(len(order), np.int32)
    back[order] = CLUSTERINGS[name](shuffled)
    assert partition(back) == partition(CLUSTERINGS[name](table))


@every_clustering
def test_no_blocks_have_no_clusters(name: str):
    assert CLUSTERINGS[name](SignatureTable((), np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.int32))).shape == (0,)


@every_clustering
@pytest.mark.parametrize("count", [1, 2, 3, 100])
def test_blocks_that_do_not_differ_at_all_are_one_cluster(name: str, count: int):
    assert CLUSTERINGS[name](table_of([(0, 700)] * count, pages=count)).tolist() == [0] * count


@every_clustering
def test_the_widest_block_there_can_be_is_a_block_like_others(name: str):
    blocks = [(0, 700), (1, 120), (2, 300)] * 10
    found = CLUSTERINGS[name](table_of([*blocks, (3, int(WIDEST))], pages=10))
    assert found.tolist() == [*[0, 1, 2] * 10, 3]


@every_clustering
def test_a_site_where_no_look_repeats_has_as_many_clusters(name: str):
    signatures = tuple(Signature("body/p", {"left": f"{row}px"}) for row in range(3000))
    rows = np.arange(3000, dtype=np.int32)
    assert len(set(CLUSTERINGS[name](SignatureTable(signatures, rows, np.full(3000, 500.0), rows // 100)).tolist())) == 3000
