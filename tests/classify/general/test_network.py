"""The network of the global model: what its blocks hear of each other, and how features become inputs."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import ThreadpoolController

from sightread.classify.general import network as module
from sightread.classify.general.network import (
    GROUPS,
    LAYERS,
    MESSAGE_WIDTH,
    NEIGHBOUR_STEPS,
    REACHES,
    SHAPES,
    WIDTH,
    Neighbours,
    Network,
    Scale,
    neighbours,
    unpack_network,
)
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html

FEATURES = 5
random = np.random.default_rng(5)


def some_network(columns: int = FEATURES) -> Network:
    chance = np.random.default_rng(3)
    scale = Scale.of(np.where(chance.random((400, columns)) < 0.1, np.nan, chance.normal(size=(400, columns))).astype(np.float32))
    shapes = SHAPES | {"first": (WIDTH, scale.inputs), "first.bias": (WIDTH,)}
    return Network(scale, {name: chance.normal(0, 0.3, shape).astype(np.float16).astype(np.float32) for name, shape in shapes.items()})


NETWORK = some_network()


def some_blocks(count: int) -> tuple[np.ndarray, Neighbours]:
    groups = np.column_stack([np.unique(random.integers(0, 3, count), return_inverse=True)[1] for _ in range(GROUPS)])
    return random.normal(size=(count, FEATURES)).astype(np.float32), Neighbours(
        groups.astype(np.int32), random.uniform(1, 9, count).astype("f")
    )


def by_hand(features: np.ndarray, blocks: Neighbours) -> np.ndarray:
    """The log-odds as the docstrings have them, block by block."""

    def norm(values, name):
        values = (values - values.mean(1)[:, None]) / np.sqrt(values.var(1) + 1e-5)[:, None]
        return values * NETWORK.weights[name] + NETWORK.weights[f"{name}.bias"]

    def apply(name, values):
        return values @ NETWORK.weights[name].T.astype(float) + NETWORK.weights[f"{name}.bias"]

    count = len(features)
    state = apply("first", NETWORK.scale.read(features))
    for layer in range(LAYERS):
        calm = norm(state, f"{layer}.norm")
        message = apply(f"{layer}.messages", calm).reshape(count, GROUPS + 2, MESSAGE_WIDTH)
        received = []
        for block in range(count):
            parts = [calm[block]]
            for kind in range(GROUPS):
                company = np.flatnonzero(blocks.groups[:, kind] == blocks.groups[block, kind])
                parts.append(np.average(message[company, kind], axis=0, weights=blocks.weights[company]))
            parts += [message[block + step, GROUPS] if 0 <= block + step < count else np.zeros(MESSAGE_WIDTH) for step in NEIGHBOUR_STEPS]
            parts += [message[max(block - reach, 0) : block + reach + 1, GROUPS + 1].mean(axis=0) for reach in REACHES]
            received.append(np.concatenate(parts))
        state = state + apply(f"{layer}.out", np.maximum(apply(f"{layer}.inner", np.array(received)), 0))
    return apply("last", norm(state, "last.norm"))[:, 0]


@pytest.mark.parametrize("count", [1, 2, 3, 9, 40])
def test_blocks_hear_the_means_of_their_groups_and_of_what_is_around_them(count: int):
    features, blocks = some_blocks(count)
    features[0, 1] = np.nan
    np.testing.assert_allclose(NETWORK.decide(features, blocks), by_hand(features, blocks), rtol=1e-3, atol=1e-3)


def test_reading_with_one_thread_leaves_numpy_as_many_as_it_had():
    page, pools = some_blocks(200), ThreadpoolController().select(user_api="blas")
    threads = [pool["num_threads"] for pool in pools.info()]
    with ThreadPoolExecutor(4) as readers:
        list(readers.map(lambda _: NETWORK.decide(*page), range(40)))
    assert [pool["num_threads"] for pool in pools.info()] == threads


def test_blocks_of_a_page_are_grouped_by_containers_and_by_what_is_alike():
    page = read_html("<div class=a><p>One</p><p>Two</p></div><div class=a><h2>Three</h2><p>Four</p></div>")
    groups = neighbours(PageArrays(page)).groups
    assert groups.shape == (4, GROUPS)
    alike = {name: groups[:, module.CONTAINERS + place].tolist() for place, name in enumerate(module.ALIKE)}
    parents = groups[:, 1].tolist()
    assert parents[0] == parents[1] != parents[2] == parents[3]
    assert alike["classes"][0] == alike["classes"][3] != alike["classes"][2]
    assert alike["section"] == [0, 0, 1, 1]
    assert groups[:, -1].tolist() == [0] * 4


NUMBERS = st.lists(st.one_of(st.floats(-1e6, 1e6, width=32), st.just(np.nan)), min_size=2, max_size=60)


@settings(max_examples=40, deadline=None)
@given(NUMBERS, NUMBERS)
def test_inputs_rise_with_the_values_and_state_what_is_missing(learned: list[float], new: list[float]):
    scale = Scale.of(np.array(learned, np.float32)[:, None])
    known = {value for value in learned if not np.isnan(value)}
    if len(known) < 2:
        assert scale.inputs == 0
        return
    found = scale.read(np.array(new, np.float32)[:, None])
    missing = np.isnan(new)
    assert (found[missing, 0] == 0).all()
    assert np.abs(found[:, 0]).max() <= 1
    order = np.argsort(new)[: int((~missing).sum())]
    assert (np.diff(found[order, 0]) >= 0).all()
    assert scale.inputs == 1 + np.isnan(learned).any()
    if scale.gaps:
        assert (found[:, 1] == missing).all()


def test_what_is_stored_is_the_same_network():
    again = unpack_network(NETWORK.pack(), FEATURES)
    features, blocks = some_blocks(20)
    np.testing.assert_array_equal(again.decide(features, blocks), NETWORK.decide(features, blocks))


def test_what_is_unseen_is_as_if_it_were_missing():
    features, blocks = some_blocks(20)
    without = NETWORK.decide(features, blocks, [1, 3])
    assert not np.allclose(NETWORK.decide(features, blocks), without)
    features[:, [1, 3]] = np.nan
    inputs = NETWORK.scale.read(features)
    assert not inputs[:, [1, 3]].any()
    other = random.normal(size=features.shape).astype(np.float32)
    other[:, [0, 2, 4]] = features[:, [0, 2, 4]]
    np.testing.assert_array_equal(NETWORK.decide(other, blocks, [1, 3]), without)
