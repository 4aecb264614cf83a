"""Message-passing network over the blocks of a page.

Message passing (Gilmer et al. 2017) over what blocks share: in each layer a block receives the mean message of the blocks in each of its
groups (as Deep Sets, Zaheer et al. 2017: its containers, its class, its section, the page), those of its neighbours and the mean around it.
`sightread.classify.training.global_network` fits the weights, with PyTorch; prediction needs numpy alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from sightread.classify.weights import Schedule, trainer
from sightread.render.page.array_types import Features, Floats, Rows
from sightread.render.page.page_arrays import PageArrays

LAYERS = 3
WIDTH = 64
"""Numbers that describe a block between the layers."""
INNER_WIDTH = 128
"""Numbers inside a layer."""
MESSAGE_WIDTH = 16
"""Numbers of a message."""
CONTAINERS = 6
"""Elements that group the blocks below them: the block's own and those above it."""
ALIKE = ("classes", "class", "path", "section")
"""Of `PageArrays.alike`."""
GROUPS = CONTAINERS + len(ALIKE) + 1
NEIGHBOUR_STEPS = (-2, -1, 1, 2)
"""Neighbours whose messages a block receives, in blocks."""
REACHES = (4, 12)
"""Blocks to either side whose mean message it receives."""
MESSAGE_SIZE = WIDTH + MESSAGE_WIDTH * (GROUPS + len(NEIGHBOUR_STEPS) + len(REACHES))
QUANTILES = 32
"""Steps by which a feature is brought to the range of -1 to 1."""
QUANTILE_ROWS = 50_000
"""Rows that quantiles are taken from, evenly spaced."""
LEAST_VARIANCE = 1e-5
"""Added to a variance."""
SHAPES: dict[str, tuple[int, ...]] = {
    f"{layer}.{name}": shape
    for layer in range(LAYERS)
    for name, shape in {
        "norm": (WIDTH,),
        "norm.bias": (WIDTH,),
        "messages": (MESSAGE_WIDTH * (GROUPS + 2), WIDTH),
        "messages.bias": (MESSAGE_WIDTH * (GROUPS + 2),),
        "inner": (INNER_WIDTH, MESSAGE_SIZE),
        "inner.bias": (INNER_WIDTH,),
        "out": (WIDTH, INNER_WIDTH),
        "out.bias": (WIDTH,),
    }.items()
} | {"last.norm": (WIDTH,), "last.norm.bias": (WIDTH,), "last": (1, WIDTH), "last.bias": (1,)}
"""Of all weights but those that read the features: `first` of shape (WIDTH, inputs) and `first.bias` of shape (WIDTH,)."""

_OF_GROUPS = slice(WIDTH + 1, WIDTH + 1 + MESSAGE_WIDTH * GROUPS)
"""Of what a block receives, the means over its groups: behind its own numbers and a 1, and before those of near blocks."""

Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Scale:
    """How features become inputs: by their quantiles, 0 if a value is not there (NaN), and for some whether it is."""

    columns: tuple[int, ...]
    """The features, by their columns."""
    edges: tuple[Floats, ...]
    """Quantiles of each, rising; in 64 bits, as numpy requires."""
    gaps: tuple[int, ...]
    """Which of `columns`, by place, have an input more that is 1 if the value is not there."""

    @classmethod
    def of(cls, features: Features) -> Scale:
        """Return the scale of all features that differ anywhere; shape of `features`: (rows, features)."""
        columns: list[int] = []
        edges: list[Floats] = []
        gaps: list[int] = []
        for column, values in enumerate(features.T):
            known = values[np.isfinite(values)]
            if not len(known) or known.min() == known.max():
                continue
            if len(known) < len(values):
                gaps.append(len(columns))
            columns.append(column)
            edges.append(np.unique(np.quantile(known, np.arange(QUANTILES + 1) / QUANTILES).astype(np.float32)).astype(np.float64))
        return cls(tuple(columns), tuple(edges), tuple(gaps))

    @property
    def inputs(self) -> int:
        """Numbers per block."""
        return len(self.columns) + len(self.gaps)

    def inputs_of(self, columns: Sequence[int]) -> list[int]:
        """Return the inputs that some features become."""
        places = [place for place, column in enumerate(self.columns) if column in columns]
        return places + [len(self.columns) + gap for gap, place in enumerate(self.gaps) if place in places]

    def read(self, features: Features) -> Singles:
        """Return the inputs of each row, shape (rows, inputs)."""
        known = len(self.columns)
        found = np.empty((self.inputs, len(features)), np.float32)
        for place, (values, edges) in enumerate(zip(features.T[list(self.columns)].astype(np.float64), self.edges, strict=True)):
            found[place] = np.interp(values, edges, _ticks(len(edges)))
        missing = np.isnan(found[:known])
        found[known:] = missing[list(self.gaps)]
        found[:known][missing] = 0.0
        return found.T


_ALONE = Lock()
"""One reader at a time: the number of threads that numpy's products take is one for the whole process."""


@cache
def _blas() -> ThreadpoolController:
    """Return what sets that number: products as small as these take twice the CPU time on two threads, and no less time."""
    return ThreadpoolController().select(user_api="blas")


@cache
def _ticks(count: int) -> Floats:
    """Return as many inputs at even distances."""
    return np.linspace(-1.0, 1.0, count)


class Neighbours(NamedTuple):
    """The groups and neighbours by which blocks of a page exchange messages."""

    groups: NDArray[np.int32]
    """The number of each block's group of each kind; shape (blocks, GROUPS)."""
    weights: Singles
    """How much each block's message counts, shape (blocks,): the root of its length."""


def neighbours(page: PageArrays) -> Neighbours:
    """Return the groups and neighbours of the page's blocks."""
    groups = np.vstack([page.above(np.arange(CONTAINERS)), *(page.alike[name] for name in ALIKE), np.zeros(page.count, np.intp)])
    return Neighbours(groups.T.astype(np.int32), np.sqrt(page.length + 1.0).astype(np.float32))


@dataclass(frozen=True)
class Network:
    """A fitted network."""

    scale: Scale
    weights: Mapping[str, Singles]

    def decide(self, features: Features, blocks: Neighbours, unseen: Sequence[int] = ()) -> Floats:
        """Return the log-odds of content of each block of a page, shape (blocks,); `features` has shape (blocks, features).

        Of the features in the columns of `unseen` nothing is known of any block.
        """
        if not len(features):
            return np.zeros(0)
        inputs = self.scale.read(features)
        if unseen:
            inputs[:, self.scale.inputs_of(unseen)] = 0.0
        with _ALONE, _blas().limit(limits=1):
            return self._score(inputs, _Average.of(blocks))

    def _score(self, inputs: Singles, average: _Average) -> Floats:
        first, layers, last = self._products
        state = inputs @ first[:-1]
        state += first[-1]
        received = np.zeros((len(inputs), MESSAGE_SIZE + 1), np.float32)
        received[:, WIDTH] = 1.0  # its weights are the biases
        for to_messages, to_inner, out, out_bias in layers:
            np.multiply(state, _inverse_spread(state), out=received[:, :WIDTH])
            messages = received[:, : WIDTH + 1] @ to_messages
            received[:, _OF_GROUPS] = average.of_groups(messages[:, : GROUPS * MESSAGE_WIDTH])
            _receive_near(messages[:, GROUPS * MESSAGE_WIDTH :], received[:, _OF_GROUPS.stop :])
            inner = received @ to_inner
            state += np.maximum(inner, 0.0, out=inner) @ out
            state += out_bias
        return np.asarray((state @ last[:-1] * _inverse_spread(state) + last[-1])[:, 0], np.float64)

    @cached_property
    def _products(self) -> tuple[Singles, list[tuple[Singles, ...]], Singles]:
        """Return the weights of the first step, of the layers and of the last step, as products need them: inputs by outputs."""
        layers = [
            (
                *(self._folded(f"{layer}.{name}", f"{layer}.norm") for name in ("messages", "inner")),
                self._centred(f"{layer}.out").T,
                self._centred(f"{layer}.out.bias"),
            )
            for layer in range(LAYERS)
        ]
        return np.vstack([self._centred("first").T, self._centred("first.bias")]), layers, self._folded("last", "last.norm")

    def _centred(self, name: str) -> Singles:
        """Return the weights of what is added to a block's state less their mean over its numbers: norms then need not subtract it."""
        return np.asarray(self.weights[name] - self.weights[name].mean(axis=0), np.float32)

    def _folded(self, name: str, norm: str) -> Singles:
        """Return the weights of what reads a normed state: of its numbers, the bias, and of the messages received, if there are any."""
        own, rest = np.split(self.weights[name], [WIDTH], axis=1)
        bias = own @ self.weights[f"{norm}.bias"] + self.weights[f"{name}.bias"]
        return np.vstack([(own * self.weights[norm]).T, bias, rest.T])

    def pack(self) -> dict[str, NDArray[Any]]:
        """Return the arrays as they are stored."""
        scale: dict[str, NDArray[Any]] = {
            "columns": np.array(self.scale.columns, np.int16),
            "counts": np.array([len(edges) for edges in self.scale.edges], np.int16),
            "edges": np.concatenate(self.scale.edges).astype(np.float32),
            "gaps": np.array(self.scale.gaps, np.int16),
        }
        return scale | {name: array.astype(np.float16) for name, array in self.weights.items()}


class Examples(NamedTuple):
    """The blocks of many pages, to be learned from; arrays of shape (blocks,) unless stated."""

    inputs: NDArray[np.float16]
    """Shape (blocks, inputs)."""
    families: Sequence[Sequence[int]]
    """Inputs that are left out together in training."""
    groups: NDArray[np.int32]
    """Shape (blocks, GROUPS); as in `Neighbours`."""
    weights: Singles
    content: Floats
    """The chance that a block is content: 0 or 1 if a person decided."""
    importance: Floats
    """How much a block counts; 0 if it has no label."""
    lengths: Floats
    """Characters."""
    starts: Rows
    """The first block of each page, and the end of the last; shape (pages + 1,)."""

    @property
    def usual(self) -> float:
        """How much a page counts on the average."""
        return float(self.importance.sum()) / (len(self.starts) - 1)


def fit_network(
    features: Features,
    families: Sequence[Sequence[int]],
    pages: Sequence[PageArrays],
    content: Floats,
    importance: Floats,
    schedule: Schedule,
) -> Network:
    """Fit to the blocks of pages, whose features are concatenated page by page; deterministic. Raises `Unequipped` without PyTorch.

    `features` has shape (blocks, features), `families` are columns of it of one kind, which the network learns to do without; `content` and
    `importance`, shape (blocks,), are the label of a block and its weight, 0 if it is unknown.
    """
    training = trainer("global_network")
    known = np.flatnonzero(importance > 0)
    scale = Scale.of(features[known[:: max(1, len(known) // QUANTILE_ROWS)]])
    inputs = np.concatenate(
        [scale.read(part).astype(np.float16) for part in np.array_split(features, max(1, len(features) // QUANTILE_ROWS))]
    )
    neighbours_of_pages = [neighbours(page) for page in pages if page.count]
    lengths = np.concatenate([page.length for page in pages])
    starts = np.concatenate([[0], np.cumsum([page.count for page in pages if page.count])]).astype(np.intp)
    groups, weights = (np.concatenate(part) for part in zip(*neighbours_of_pages, strict=True))
    of_families = [scale.inputs_of(family) for family in families]
    return Network(scale, training.train(Examples(inputs, of_families, groups, weights, content, importance, lengths, starts), schedule))


def unpack_network(arrays: Mapping[str, NDArray[Any]], columns: int) -> Network:
    """Return the values that `pack` stored. Raises ValueError if the arrays make no network that reads this number of features."""
    try:
        parts = np.split(arrays["edges"].astype(np.float64), np.cumsum(arrays["counts"].astype(np.intp))[:-1])
        scale = Scale(tuple(arrays["columns"].tolist()), tuple(parts), tuple(arrays["gaps"].tolist()))
        expected = SHAPES | {"first": (WIDTH, scale.inputs), "first.bias": (WIDTH,)}
        weights = {name: arrays[name].astype(np.float32) for name in expected}
    except KeyError as error:
        raise ValueError(f"its network has no {error.args[0]!r}") from error
    known = all(0 <= column < columns for column in scale.columns) and all(0 <= gap < len(scale.columns) for gap in scale.gaps)
    fits = known and len(scale.columns) == len(parts) and all(len(edges) for edges in parts)
    if not fits or any(weights[name].shape != shape or not np.isfinite(weights[name]).all() for name, shape in expected.items()):
        raise ValueError("its network is damaged")
    return Network(scale, weights)


class _Average(NamedTuple):
    """The weighted means of all kinds of groups, computed together."""

    group: Rows
    """The group of each block of each kind, among the groups of all kinds; shape (blocks * GROUPS,)."""
    order: Rows
    """Places in `group`, group by group."""
    starts: Rows
    """Where each group begins in that order; shape (groups,)."""
    weights: Singles
    """Of each block, shape (blocks, 1)."""
    total: Singles
    """Of each group, the sum of its blocks' weights; shape (groups, 1)."""

    @classmethod
    def of(cls, blocks: Neighbours) -> _Average:
        numbers = blocks.groups.max(axis=0).astype(np.intp) + 1
        group = (blocks.groups + (np.cumsum(numbers) - numbers)).ravel()
        group = (np.cumsum(np.bincount(group) > 0) - 1)[group]  # without gaps
        order = np.sort(group * len(group) + np.arange(len(group))) % len(group)  # as a stable argsort, several times as fast
        sizes = np.bincount(group)
        total = np.bincount(group, np.repeat(blocks.weights, GROUPS)).astype(np.float32)
        return cls(group, order, np.cumsum(sizes) - sizes, blocks.weights[:, None], total[:, None])

    def of_groups(self, values: Singles) -> Singles:
        """Return the mean over each block's group of each kind, shape of `values`: (blocks, GROUPS * MESSAGE_WIDTH)."""
        rows = (values * self.weights).reshape(-1, MESSAGE_WIDTH).take(self.order, axis=0)
        sums = np.add.reduceat(rows.view(np.complex64), self.starts).view(np.float32)  # two numbers at once: half of the time
        return (sums / self.total).take(self.group, axis=0).reshape(values.shape)


def _inverse_spread(state: Singles) -> Singles:
    """Return what norms multiply the state of each block by, shape (blocks, 1); its mean is 0."""
    variance = np.einsum("ij,ij->i", state, state) / np.float32(WIDTH)
    return np.asarray(1.0 / np.sqrt(variance + np.float32(LEAST_VARIANCE)), np.float32)[:, None]


def _receive_near(messages: Singles, received: Singles) -> None:
    """Write what blocks receive from near ones: the message of each neighbour, 0 if the page ends, and the means around them.

    Half of the messages are to neighbours; the other half is averaged over each block and those within the given distance on either side.
    """
    count, near = len(messages), messages[:, :MESSAGE_WIDTH]
    to = np.split(received, len(NEIGHBOUR_STEPS) + len(REACHES), axis=1)
    for step, columns in zip(NEIGHBOUR_STEPS, to, strict=False):
        if step < 0:
            columns[-step:] = near[:step]
        else:
            columns[:-step] = near[step:]
    total = np.zeros((count + 1, MESSAGE_WIDTH))
    np.cumsum(messages[:, MESSAGE_WIDTH:], axis=0, dtype=np.float64, out=total[1:])
    place = np.arange(count)
    for reach, columns in zip(REACHES, to[len(NEIGHBOUR_STEPS) :], strict=True):
        first, last = np.maximum(place - reach, 0), np.minimum(place + reach + 1, count)
        columns[:] = (total.take(last, axis=0) - total.take(first, axis=0)) / (last - first)[:, None]
