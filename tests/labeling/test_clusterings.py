"""Clusterings of the blocks of a site, against scikit-learn's and the `hdbscan` package, and their clusters on new pages."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hdbscan import HDBSCAN
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN
from sklearn.preprocessing import StandardScaler

from sightread.labeling import clusterings
from sightread.labeling.clusterings import CLUSTERINGS, EPS, dbscan, hdbscan
from sightread.labeling.known_clusters import Interval, KnownClusters, KnownLook, assign, remember
from sightread.labeling.looks import WIDEST, Signature, SignatureTable, build_table
from tests.labeling.sites import BODY, FOOTER, NAV, make_page

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


every_clustering = pytest.mark.parametrize("name", CLUSTERINGS)


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
@pytest.mark.parametrize("count", [1, 2, 3, 100])
def test_blocks_that_do_not_differ_at_all_are_one_cluster(name: str, count: int):
    assert CLUSTERINGS[name](table_of([(0, 700)] * count, pages=count)).tolist() == [0] * count


@every_clustering
def test_a_site_where_no_look_repeats_has_as_many_clusters(name: str):
    signatures = tuple(Signature("body/p", {"left": f"{row}px"}) for row in range(3000))
    rows = np.arange(3000, dtype=np.int32)
    assert len(set(CLUSTERINGS[name](SignatureTable(signatures, rows, np.full(3000, 500.0), rows // 100)).tolist())) == 3000


TIE = 1e-6
"""Distances this near to eps fall on either side by rounding."""


@settings(max_examples=40, deadline=None, derandomize=True)
@given(few_looks | one_look)
def test_merged_rows_give_the_partition_of_all_the_blocks(blocks: Blocks):
    columns = StandardScaler().fit_transform(one_hot(blocks))
    distances = np.linalg.norm(columns[:, None] - columns[None], axis=2)
    assume(not (np.abs(distances - EPS) < TIE).any())
    whole = DBSCAN(eps=EPS, min_samples=1).fit_predict(columns)
    assert partition(dbscan(table_of(blocks))) == partition(whole)


some_blocks = few_looks | one_look | many_looks | repeated_looks
arbitrary_widths = st.lists(st.floats(0, WIDEST), min_size=1, max_size=20)


def assigned(known: KnownClusters, blocks: Blocks) -> list[int]:
    return assign(known, table_of(blocks)).tolist()


@pytest.mark.parametrize("name", CLUSTERINGS)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(blocks=some_blocks, pages=st.sampled_from((1, 6, 20)))
def test_the_blocks_that_were_clustered_get_their_clusters_back(name: str, blocks: Blocks, pages: int):
    table = table_of(blocks, pages)
    clusters = CLUSTERINGS[name](table)
    assert assign(remember(table, clusters), table).tolist() == clusters.tolist()


@settings(max_examples=40, deadline=None, derandomize=True)
@given(some_blocks, many_looks)
def test_a_new_block_belongs_to_the_cluster_of_the_nearest_old_one_of_its_signature_within_eps(blocks: Blocks, others: Blocks):
    table = table_of(blocks)
    clusters = dbscan(table)
    reach = 0.5 * (float(np.sort(table.width).std()) or 1.0)
    for (row, width), found in zip(others, assigned(remember(table, clusters), others), strict=True):
        near = [(abs(other - width), int(cluster)) for (same, other), cluster in zip(blocks, clusters, strict=True) if same == row]
        least = min(near, default=(np.inf, -1))[0]
        assert found in {cluster for distance, cluster in near if distance == least} if least <= reach else found == -1


@settings(max_examples=40, deadline=None, derandomize=True)
@given(some_blocks, many_looks, st.integers(0, 59))
def test_what_a_block_is_assigned_to_depends_on_no_other_block(blocks: Blocks, others: Blocks, which: int):
    table = table_of(blocks)
    known = remember(table, dbscan(table))
    one = which % len(others)
    assert assigned(known, others)[one] == assigned(known, [others[one]])[0]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(arbitrary_widths)
def test_any_widths_at_all_are_remembered_and_survive_json(widths: list[float]):
    table = replace(table_of([(0, 0)] * len(widths)), width=np.array(widths))
    known = remember(table, dbscan(table))
    assert msgspec.json.decode(msgspec.json.encode(known), type=KnownClusters) == known
    assert assign(known, table).tolist() == dbscan(table).tolist()


def test_the_widths_of_a_cluster_are_one_interval_however_many_there_are():
    table = table_of([(0, width) for width in range(300, 700)] + [(1, 100)] * 3)
    assert remember(table, dbscan(table)).looks == (
        KnownLook(SIGNATURES[0].digest(), (Interval(300, 699, 0),)),
        KnownLook(SIGNATURES[1].digest(), (Interval(100, 100, 1),)),
    )


def test_a_width_within_reach_of_none_is_none_even_between_two_of_one_cluster():
    table = table_of([(0, 0), (0, 1000), (1, 0), (1, 1000)])
    known = remember(table, np.array([0, 0, 1, 2], np.int32))
    assert known.reach == 250
    assert assigned(known, [(0, 250), (0, 251), (0, 749), (0, 750), (0, 1250), (0, 1251)]) == [0, -1, -1, 0, 0, -1]
    assert assigned(known, [(1, 250), (1, 251), (1, 750)]) == [1, -1, 2]


def test_of_two_clusters_as_near_as_one_another_the_narrower_wins():
    known = KnownClusters(50.0, (KnownLook(SIGNATURES[0].digest(), (Interval(100, 120, 4), Interval(180, 200, 7))),))
    assert assigned(known, [(0, 149), (0, 150), (0, 151), (0, 49), (0, 50), (0, 250), (0, 251)]) == [4, 4, 7, -1, 4, 7, -1]


def test_looks_that_were_never_seen_are_in_none():
    pages = [make_page(f"https://x.test/{row}", [NAV("Home"), BODY("Text."), FOOTER("Rights")]) for row in range(3)]
    known = remember(build_table(pages), dbscan(build_table(pages)))
    serif = replace(BODY, style={"font-family": "serif"})
    moved = replace(BODY, path="main/section/div/p")
    new = make_page(
        "https://x.test/new", [serif("a"), BODY("b"), moved("c"), replace(BODY, width=690.0)("d"), replace(NAV, width=700.0)("e")]
    )
    assert assign(known, build_table([new])).tolist() == [-1, 1, -1, 1, -1]


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
