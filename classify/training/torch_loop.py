"""PyTorch training loop, shared by SemText, BoilerNet and the global model's network. Imported by `sightread.classify.weights` alone.

Weights are a flat table of tensors under the names by which they are stored, so that training, storing and reading share one vocabulary.
One thread and one seed give the same weights again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from sightread.classify.neural.layers import DIRECTIONS, cut, pad, reverse
from sightread.classify.weights import Schedule

WARM_UP_SHARE = 0.1
"""Of the steps, in which the rate rises."""
MOST_NORM = 1.0
"""Of a gradient; longer ones are shortened to it, since an LSTM's can explode (Pascanu, Mikolov and Bengio 2013)."""
BATCHES_PER_DRAW = 16
"""Batches that are filled from one draw of windows sorted by length: less padding, and still mixed pages."""

Tensors = dict[str, Any]
Number = TypeVar("Number", np.float16, np.float32)
Shapes = Mapping[str, tuple[int, ...]]


class Window(NamedTuple):
    """A part of a page that is read as one sequence."""

    page: int
    start: int
    stop: int


def begin(shapes: Shapes, arrays: Mapping[str, NDArray[Any]], seed: int) -> Tensors:
    """Return the tensors that training begins with: the given arrays, or random ones (uniform, by their last dimension) if none."""
    source = torch.Generator().manual_seed(seed)
    place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    weights = {}
    for name, shape in shapes.items():
        width = 1 / shape[-1] ** 0.5
        found = torch.rand(shape, generator=source) * 2 * width - width
        if name in arrays:
            found = torch.from_numpy(arrays[name].astype(np.float32))
        weights[name] = found.to(place).requires_grad_()
    return weights


def finish(weights: Tensors, kind: type[Number]) -> dict[str, NDArray[Number]]:
    """Return the tensors as arrays."""
    return {name: tensor.detach().cpu().numpy().astype(kind) for name, tensor in weights.items()}


class Sequences(NamedTuple):
    """Rows of a batch laid out as windows of one length, padded with zeros."""

    states: Any
    """Shape (windows, steps, size)."""
    numbers: NDArray[np.int64]
    """The row of each step, counted from 1, 0 for padding; shape (windows, steps)."""
    turned: Any
    """Steps from the last to the first of each window: `sightread.classify.neural.layers.reverse`."""
    last: Any
    """The last step of each window."""


def lay_out(rows: Any, batch: Sequence[Window]) -> Sequences:
    """Return the rows of a batch, which are one after another, as windows; shape of `rows`: (rows, size)."""
    edges = np.cumsum([0, *(stop - start for _, start, stop in batch)])
    where, lengths = pad(np.arange(1, edges[-1] + 1, dtype=np.float32)[:, np.newaxis], edges)
    numbers = where[:, :, 0].astype(np.int64)
    states = torch.cat((rows.new_zeros(1, rows.shape[1]), rows))[torch.from_numpy(numbers).to(rows.device)]
    turned = torch.from_numpy(reverse(lengths, numbers.shape[1])).to(rows.device)
    return Sequences(states, numbers, turned, torch.from_numpy(lengths - 1).to(rows.device))


def lstm_shapes(name: str, inputs: int, hidden: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a bidirectional layer's weights, as `sightread.classify.neural.layers.BiLstm` reads them."""
    shapes: dict[str, tuple[int, ...]] = {}
    for direction in DIRECTIONS:
        shapes[f"{name}.{direction}.inputs"] = (4 * hidden, inputs)
        shapes[f"{name}.{direction}.hidden"] = (4 * hidden, hidden)
        shapes[f"{name}.{direction}.bias"] = (4 * hidden,)
    return shapes


def read_both_ways(weights: Tensors, name: str, windows: Any, turned: Any) -> Any:
    """Return the layer's states, shape (windows, steps, 2 hidden); `turned` are the steps of `sightread.classify.neural.layers.reverse`."""
    there = _read(weights, f"{name}.forward", windows)
    back = _read(weights, f"{name}.backward", torch.take_along_dim(windows, turned[:, :, None], 1))
    return torch.cat((there, torch.take_along_dim(back, turned[:, :, None], 1)), 2)


def _read(weights: Tensors, name: str, windows: Any) -> Any:
    inputs, hidden, bias = (weights[f"{name}.{part}"] for part in ("inputs", "hidden", "bias"))
    state = windows.new_zeros(1, len(windows), hidden.shape[1])
    parts = [inputs, hidden, bias, torch.zeros_like(bias)]
    return torch.lstm(windows, (state, state), parts, True, 1, 0.0, True, False, True)[0]


def descend(weights: Tensors, lengths: Sequence[int], longest: int, schedule: Schedule, loss_of: Callable[[list[Window]], Any]) -> None:
    """Train the weights in place with Adam: pages of these lengths are read in windows of at most `longest`, `loss_of` a batch."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the order of a sum changes with the number of threads, and the weights with it
    random = np.random.default_rng(schedule.seed)
    torch.manual_seed(schedule.seed)
    windows = [[Window(page, *edges) for edges in pairwise(cut(length, longest).tolist())] for page, length in enumerate(lengths)]
    batches = -(-sum(min(len(of_page), schedule.most_windows) for of_page in windows) // schedule.batch)
    optimiser = torch.optim.Adam(weights.values(), lr=schedule.rate)
    pace = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, schedule.rate, total_steps=batches * schedule.epochs, pct_start=WARM_UP_SHARE, cycle_momentum=False
    )
    try:
        for _ in range(schedule.epochs):
            for batch in _batches(windows, schedule, random):
                optimiser.zero_grad()
                loss = loss_of(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(weights.values(), MOST_NORM)
                optimiser.step()
                pace.step()
    finally:
        torch.set_num_threads(threads)


def _batches(windows: Sequence[Sequence[Window]], schedule: Schedule, random: np.random.Generator) -> Iterator[list[Window]]:
    """Yield batches of windows of about one length, in no order, at most `most_windows` of a page."""
    drawn: list[Window] = []
    for of_page in windows:
        most = min(len(of_page), schedule.most_windows)
        drawn += [of_page[at] for at in random.permutation(len(of_page))[:most].tolist()]
    drawn = [drawn[at] for at in random.permutation(len(drawn)).tolist()]
    size = schedule.batch
    for first in range(0, len(drawn), BATCHES_PER_DRAW * size):
        pool = sorted(drawn[first : first + BATCHES_PER_DRAW * size], key=lambda window: window.stop - window.start)
        ready = [pool[at : at + size] for at in range(0, len(pool), size)]
        for at in random.permutation(len(ready)).tolist():
            yield ready[at]
