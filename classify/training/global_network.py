"""Training of the global model's network with PyTorch. It is imported by `sightread.classify.weights.trainer` alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from sightread.classify.general import network
from sightread.classify.general.network import Examples, Singles
from sightread.classify.training.torch_loop import Tensors, Window, begin, descend, finish
from sightread.classify.weights import Schedule

DROPOUT = 0.1
"""Of the inputs, and of what a layer adds."""
WINDOW = 4096
"""Blocks of a page that are read at once, at most."""
FAMILY_DROPOUT = 0.25
"""Chance that a window is read without a family of inputs: what the network finds in the words of a page it then finds in its structure
too, and the other way round. By domain, word F1 on a fourth of WCXB dev is .8745 with it, .8695 and .8677 without."""
PAGE_LOSS_WEIGHT = 0.5
"""How much the loss of pages counts beside that of blocks."""
SMOOTHING_CHARACTERS = 50.0
"""Characters that are added below in the F1 of a page."""


class _Batch(NamedTuple):
    """Windows one after the other, all their blocks in one row."""

    window: Any
    """The window of each block."""
    first: Any
    """The first block of each block's window."""
    end: Any
    groups: list[tuple[Any, Any]]
    """The group of each block of each kind, and the part of its group's weight that each block has, shape (blocks, 1)."""


def train(examples: Examples, schedule: Schedule) -> dict[str, Singles]:
    """Return the network's weights after training."""
    norms = {name: np.full(shape, not name.endswith("bias"), np.float32) for name, shape in network.SHAPES.items() if "norm" in name}
    shapes = network.SHAPES | {"first": (network.WIDTH, examples.inputs.shape[1]), "first.bias": (network.WIDTH,)}
    weights = begin(shapes, norms, schedule.seed)
    descend(weights, np.diff(examples.starts).tolist(), WINDOW, schedule, lambda batch: _loss(weights, examples, batch))
    return finish(weights, np.float32)


def _loss(weights: Tensors, examples: Examples, windows: Sequence[Window]) -> Any:
    """Return the cross-entropy of the blocks, by importance, and what the pages lack in F1, by characters (Dice; Milletari et al. 2016)."""
    begins = examples.starts[:-1]
    rows = np.concatenate([np.arange(begins[page] + start, begins[page] + stop) for page, start, stop in windows])
    place = weights["first"].device
    batch = _lay(examples, rows, [stop - start for _, start, stop in windows], place)
    inputs = torch.from_numpy(examples.inputs[rows].astype(np.float32)).to(place)
    seen = torch.ones(len(windows), inputs.shape[1], device=place)
    for family in examples.families:
        seen[:, family] = (torch.rand(len(windows), device=place) >= FAMILY_DROPOUT).float()[:, None]
    odds = _decide(weights, inputs * seen[batch.window], batch)
    content, importance, length = (
        torch.from_numpy(values[rows].astype(np.float32)).to(place) for values in (examples.content, examples.importance, examples.lengths)
    )
    of_blocks = functional.binary_cross_entropy_with_logits(odds, content, importance, reduction="sum") / (examples.usual * len(windows))
    chance, length = torch.sigmoid(odds), length * (importance > 0)
    right, whole = (odds.new_zeros(len(windows)).index_add(0, batch.window, length * part) for part in (chance * content, chance + content))
    return of_blocks + PAGE_LOSS_WEIGHT * (1 - 2 * right / (whole + SMOOTHING_CHARACTERS)).mean()


def _lay(examples: Examples, rows: NDArray[np.intp], sizes: Sequence[int], place: Any) -> _Batch:
    ends = np.cumsum(sizes)
    window = np.repeat(np.arange(len(sizes)), sizes)
    weight = examples.weights[rows].astype(np.float64)
    groups = []
    for kind in examples.groups[rows].astype(np.intp).T:
        most = int(kind.max()) + 1
        group = np.unique(window * most + kind, return_inverse=True)[1]
        share = weight / np.bincount(group, weight)[group]
        groups.append((torch.from_numpy(group).to(place), torch.from_numpy(share.astype(np.float32)[:, None]).to(place)))
    first, end, number = (torch.from_numpy(each).to(place) for each in ((ends - sizes)[window], ends[window], window))
    return _Batch(number, first, end, groups)


def _decide(weights: Tensors, inputs: Any, batch: _Batch) -> Any:
    """Return the log-odds of each block: what `sightread.classify.general.network.Network.decide` computes, for many windows at once."""
    state = functional.linear(functional.dropout(inputs, DROPOUT), weights["first"], weights["first.bias"])
    for layer in range(network.LAYERS):
        normed = _norm(weights, f"{layer}.norm", state)
        messages = functional.linear(normed, weights[f"{layer}.messages"], weights[f"{layer}.messages.bias"]).split(
            network.MESSAGE_WIDTH, 1
        )
        received = [_average(of_kind, values) for of_kind, values in zip(batch.groups, messages[: network.GROUPS], strict=True)]
        received += [_shifted(messages[-2], batch, step) for step in network.NEIGHBOUR_STEPS] + _around(messages[-1], batch)
        inner = functional.linear(torch.cat([normed, *received], 1), weights[f"{layer}.inner"], weights[f"{layer}.inner.bias"])
        out = functional.linear(functional.relu(inner), weights[f"{layer}.out"], weights[f"{layer}.out.bias"])
        state = state + functional.dropout(out, DROPOUT)
    return functional.linear(_norm(weights, "last.norm", state), weights["last"], weights["last.bias"])[:, 0]


def _norm(weights: Tensors, name: str, values: Any) -> Any:
    return functional.layer_norm(values, (network.WIDTH,), weights[name], weights[f"{name}.bias"], network.LEAST_VARIANCE)


def _average(of_kind: tuple[Any, Any], values: Any) -> Any:
    group, share = of_kind
    return values.new_zeros(int(group.max()) + 1, network.MESSAGE_WIDTH).index_add(0, group, values * share)[group]


def _shifted(values: Any, batch: _Batch, step: int) -> Any:
    """Return the values of the block that many steps away, 0 if its window ends."""
    other = torch.arange(len(values), device=values.device) + step
    return torch.roll(values, -step, 0) * ((other >= batch.first) & (other < batch.end))[:, None]


def _around(values: Any, batch: _Batch) -> list[Any]:
    total = functional.pad(values.double().cumsum(0), (0, 0, 1, 0))
    place = torch.arange(len(values), device=values.device)
    found = []
    for reach in network.REACHES:
        first, last = torch.maximum(place - reach, batch.first), torch.minimum(place + reach + 1, batch.end)
        found.append(((total[last] - total[first]) / (last - first)[:, None]).float())
    return found
