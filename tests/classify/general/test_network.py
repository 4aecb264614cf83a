"""The network of the global model: what its blocks hear of each other, how features become inputs, and a model that has one."""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import ThreadpoolController

from sightread.classify.features.registry import outline_features
from sightread.classify.general import network as module
from sightread.classify.general.model import COLUMNS, TOGETHER, GlobalModel
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
    fit_network,
    neighbours,
    unpack_network,
)
from sightread.classify.weights import Schedule, load_weights, save_weights
from sightread.render.errors import BadRecord, Unequipped
from sightread.render.labels import CONTENT
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html
from tests.classify.sites_to_learn import LABELS, NEW, NEW_LABELS, PAGES

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
    assert groups[:, 1].tolist() == [0, 0, 1, 1]  # the parent
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


FEW, FEW_LABELS = PAGES[:4], LABELS[:4]
"""Pages for models that need not be right."""


@pytest.fixture(scope="module")
def trees() -> GlobalModel:
    return GlobalModel().fit(FEW, FEW_LABELS)


@pytest.fixture(scope="module")
def file(trees: GlobalModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of trees and a network that nothing was taught."""
    path = tmp_path_factory.mktemp("models") / "global.npz"
    trees.save(path)
    arrays, about = load_weights(path, "global")
    packed = some_network(len(COLUMNS)).pack()
    save_weights(path, "global", arrays | {f"network.{name}": array for name, array in packed.items()}, about)
    return path


def test_a_reason_tells_what_the_network_adds(trees: GlobalModel, file: Path):
    model = GlobalModel.load(file)
    alone, both = dict(trees.explain(NEW, 1)), dict(model.explain(NEW, 1))
    (own,) = (what for what in both if what.startswith(TOGETHER))
    assert float(own.rsplit(": ", 1)[1]) == pytest.approx(2 * both[own], rel=1e-2)
    assert {what: weight / 2 for what, weight in alone.items()} == pytest.approx(
        {what: both[what] for what in both if what != own}, abs=1e-4
    )
    sums = np.array([sum(weight for _, weight in model.explain(NEW, row)) for row in range(len(NEW.blocks))])
    odds = np.log(1 / model.predict(NEW).relative - 1)
    slope, offset = np.polyfit(sums, odds, 1)
    np.testing.assert_allclose(odds, slope * sums + offset, atol=1e-3)


def test_a_model_with_a_network_is_stored_whole(file: Path, tmp_path: Path):
    model = GlobalModel.load(file)
    model.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == file.read_bytes()
    np.testing.assert_array_equal(GlobalModel.load(tmp_path / "again.npz").predict(NEW).relative, model.predict(NEW).relative)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda arrays: arrays.pop("network.0.inner"), "its network has no '0.inner'"),
        (lambda arrays: arrays.update({"network.last": arrays["network.last"][:, 1:]}), "its network is damaged"),
        (lambda arrays: arrays["network.columns"].__setitem__(0, 999), "other features than this sightread has"),
        (lambda arrays: arrays["network.first"].__setitem__((0, 0), np.nan), "its network is damaged"),
        (lambda arrays: arrays["network.counts"].__setitem__(0, 0), "its network is damaged"),
    ],
    ids=["a part missing", "too narrow", "a column too many", "not a number", "no quantile"],
)
def test_a_network_that_is_none_is_refused(file: Path, tmp_path: Path, change, complaint: str):
    arrays, about = load_weights(file, "global")
    change(arrays)
    save_weights(tmp_path / "bad.npz", "global", arrays, about)
    with pytest.raises(BadRecord, match=complaint):
        GlobalModel.load(tmp_path / "bad.npz")


def test_without_pytorch_fitting_a_network_states_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "sightread.classify.training.global_network", raising=False)
    with pytest.raises(Unequipped, match="neural"):
        GlobalModel().fit(FEW, FEW_LABELS, schedule=Schedule(1, 1e-3))


SCHEDULE = Schedule(epochs=30, rate=5e-3, batch=4)
BRIEF = replace(SCHEDULE, epochs=2)


@cache
def features_of_pages() -> tuple[np.ndarray, list[PageArrays]]:
    outlines = [PageArrays(page) for page in PAGES]
    return np.concatenate([outline_features(outline) for outline in outlines]), outlines


def teach(labels: Sequence[np.ndarray], schedule: Schedule = SCHEDULE) -> Network:
    pytest.importorskip("torch", reason="training needs the extra `neural`")
    label = np.concatenate(labels)
    return fit_network(*features_of_pages(), label == CONTENT, (label >= 0).astype(np.float64), schedule)


@pytest.fixture(scope="module")
def taught() -> Network:
    return teach(LABELS)


def test_what_is_learned_holds_on_a_page_of_another_site(taught: Network):
    outline = PageArrays(NEW)
    assert ((taught.decide(outline_features(outline), neighbours(outline)) >= 0) == (NEW_LABELS == CONTENT)).all()


def test_training_twice_gives_the_same_network():
    one, again = (teach(LABELS, BRIEF) for _ in range(2))
    assert all(np.array_equal(array, again.weights[name]) for name, array in one.weights.items())


def test_a_block_without_a_label_teaches_nothing_but_is_heard():
    one, other, known = (teach([np.append(np.int8(first), labels[1:]) for labels in LABELS], BRIEF) for first in (-1, -2, 1))
    assert np.array_equal(one.weights["first"], other.weights["first"])
    assert not np.array_equal(one.weights["first"], known.weights["first"])


def test_a_model_is_fitted_with_a_network_where_one_is_wanted(tmp_path: Path):
    pytest.importorskip("torch", reason="training needs the extra `neural`")
    model = GlobalModel().fit(FEW, FEW_LABELS, schedule=BRIEF)
    assert any(what.startswith(TOGETHER) for what, _ in model.explain(NEW, 0))
    model.save(tmp_path / "model.npz")
    loaded = GlobalModel.load(tmp_path / "model.npz")
    np.testing.assert_allclose(loaded.predict(NEW).relative, model.predict(NEW).relative, atol=1e-2)
