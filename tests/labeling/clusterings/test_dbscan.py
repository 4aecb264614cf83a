"""Clusters on merged rows against scikit-learn's DBSCAN on all the blocks, and against the closed form."""

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN
from sklearn.preprocessing import StandardScaler

from sightread.labeling.clusterings.dbscan import dbscan
from sightread.labeling.evidence.signature import SignatureTable
from tests.labeling.tables import Blocks, few_looks, one_hot, one_look, partition, table_of

TIE = 1e-6
"""Distances this near to eps fall on either side by rounding."""

BORDER = [(0, width) for width in (40, 20, 50, 0, 10, 60, 0, 50, 10, 30, 10, 10)]
"""With eps just over 10 px and 4 samples, the block 30 wide is on the border of two clusters: it belongs to the one that comes first."""


BORDERS = [(0, 300), (2, 0), (0, 300), (3, 60), (0, 50), (3, 300), (3, 10), (2, 60), (3, 60), (2, 10)]
"""With eps 3 and 6 samples, blocks stand on the border of clusters of two other signatures."""


@settings(max_examples=40, deadline=None, derandomize=True)
@given(few_looks | one_look, st.sampled_from((0.2, 0.5, 1.0, 2.5, 4.0, 6.0)), st.integers(1, 6))
@example(BORDER, 12 / float(np.std([width for _, width in BORDER])), 4)
@example(BORDERS, 3.0, 6)
def test_merged_rows_give_the_partition_of_all_the_blocks(blocks: Blocks, eps: float, min_samples: int):
    columns = StandardScaler().fit_transform(one_hot(blocks))
    distances = np.linalg.norm(columns[:, None] - columns[None], axis=2)
    assume(not (np.abs(distances - eps) < TIE).any())
    whole = DBSCAN(eps=eps, min_samples=min_samples).fit_predict(columns)
    assert partition(dbscan(table_of(blocks), eps, min_samples)) == partition(whole)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(few_looks | one_look)
def test_by_the_papers_figures_a_cluster_is_a_signature_with_widths_linked_below_half_a_deviation(blocks: Blocks):
    deviation = float(np.std([width for _, width in blocks]))
    assume(all(abs(abs(a - b) - deviation / 2) > TIE for _, a in blocks for _, b in blocks))
    expected, chain, last = [], [], None
    for index in sorted(range(len(blocks)), key=lambda index: blocks[index]):
        row, width = blocks[index]
        if last is not None and (row != last[0] or width - last[1] > deviation / 2):
            expected.append(frozenset(chain))
            chain = []
        chain.append(index)
        last = row, width
    assert partition(dbscan(table_of(blocks))) == ({*expected, frozenset(chain)}, frozenset())


def test_clusters_are_numbered_as_they_appear():
    assert dbscan(table_of([(5, 10), (0, 10), (5, 10), (3, 10)])).tolist() == [0, 1, 0, 2]


def test_blocks_like_no_other_are_noise_where_two_samples_are_asked():
    assert dbscan(table_of([(0, 10), (1, 10), (0, 10)]), min_samples=2).tolist() == [0, -1, 0]


@pytest.mark.parametrize("count", [1, 3])
def test_blocks_that_do_not_differ_at_all_are_one_cluster(count: int):
    assert dbscan(table_of([(0, 700)] * count)).tolist() == [0] * count


def test_no_blocks_have_no_clusters():
    empty = SignatureTable((), np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.int32))
    assert dbscan(empty).shape == (0,)
