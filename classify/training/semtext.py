"""Training of SemText's network with PyTorch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from sightread.classify.neural.layers import CLASSES, pad, reverse
from sightread.classify.neural.semtext.input import MARGIN, PARTS
from sightread.classify.neural.semtext.model import FILTERS, HIDDEN, WINDOW, Reads, select
from sightread.classify.schedule import Schedule
from sightread.classify.training.semtext_input import TrainingPages
from sightread.classify.training.torch_loop import Tensors, Window, begin, descend, finish, lstm_shapes, read_both_ways

DROPOUT = 0.3
"""Of what goes into the LSTM, and of what comes out of it."""
MASKED_SHARE = 0.1
"""Share of the vocabulary that is masked per batch (word dropout), so that no prediction depends on a single word."""
WRONG_LABEL_SCORE = -1e4
"""The score of a label that is known to be wrong."""


def train(examples: TrainingPages, reads: Reads, arrays: Mapping[str, NDArray[Any]], schedule: Schedule) -> dict[str, NDArray[np.float32]]:
    """Return the network's weights after training, from the given ones if there are any."""
    size = examples.vectors.shape[1]
    inputs = sum(FILTERS.values()) + select(np.zeros((1, PARTS * size), np.float32), reads).shape[1]
    weights = begin(_shapes(size, inputs), arrays, schedule.seed)
    vectors = torch.from_numpy(examples.vectors).to(weights["out.bias"].device)
    lengths = [len(example.given) for example in examples.pages]
    descend(weights, lengths, WINDOW, schedule, lambda batch: _loss(weights, examples, vectors, (batch, reads)))
    return finish(weights)


def _shapes(size: int, inputs: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {}
    for width, filters in FILTERS.items():
        shapes[f"words{width}.depth"] = (width, size)
        shapes[f"words{width}.point"] = (filters, size)
        shapes[f"words{width}.bias"] = (filters,)
    shapes |= lstm_shapes("lstm", inputs, HIDDEN)
    shapes |= {"out.weights": (CLASSES, 2 * HIDDEN), "out.bias": (CLASSES,)}
    return shapes | {"chain.first": (CLASSES,), "chain.last": (CLASSES,), "chain.pairs": (CLASSES, CLASSES)}


def _loss(weights: Tensors, examples: TrainingPages, vectors: Any, given: tuple[Sequence[Window], Reads]) -> Any:
    """Return the mean negative log-likelihood of the labels of a batch, a text block."""
    batch, reads = given
    place = vectors.device
    around, labels = [], []
    for page, start, stop in batch:
        example = examples.pages[page]
        around.append(select(example.around[start:stop].astype(np.float32), reads))
        labels.append(example.labels[start:stop])
    edges = np.cumsum([0, *(stop - start for _, start, stop in batch)])
    rows = torch.cat((_texts(weights, examples, vectors, batch), torch.from_numpy(np.concatenate(around)).to(place)), 1)
    where, lengths = pad(np.arange(1, edges[-1] + 1, dtype=np.float32)[:, np.newaxis], edges)
    numbers = torch.from_numpy(where[:, :, 0].astype(np.int64)).to(place)
    rows = torch.nn.functional.dropout(rows, DROPOUT)
    windows = torch.cat((rows.new_zeros(1, rows.shape[1]), rows))[numbers]
    turned = torch.from_numpy(reverse(lengths, windows.shape[1])).to(place)
    states = torch.nn.functional.dropout(read_both_ways(weights, "lstm", windows, turned), DROPOUT)
    scores = states @ weights["out.weights"].T + weights["out.bias"]
    known = np.concatenate(([-1], np.concatenate(labels)))[where[:, :, 0].astype(np.intp)]
    allowed = np.stack((known != 1, known != 0), axis=2)
    penalty = torch.from_numpy(np.where(allowed, 0, WRONG_LABEL_SCORE).astype(np.float32)).to(place)
    at = torch.from_numpy(lengths - 1).to(place)
    return (_log_sum(weights, scores, at) - _log_sum(weights, scores + penalty, at)).sum() / max(int((known >= 0).sum()), 1)


def _texts(weights: Tensors, examples: TrainingPages, vectors: Any, batch: Sequence[Window]) -> Any:
    """Return what the convolutions make of each text block, shape (text blocks, filters)."""
    words, at, counts, offset = [], [], [], 0
    for page, start, stop in batch:
        numbers, begins = examples.pages[page].given.text(start, stop)
        of_window = np.diff(begins) - MARGIN
        starts = np.cumsum(of_window) - of_window
        words.append(numbers)
        at.append(np.arange(of_window.sum()) + np.repeat(begins[:-1] - starts, of_window) + offset)
        counts.append(of_window)
        offset += len(numbers)
    place = vectors.device
    numbers = torch.from_numpy(np.concatenate(words)).to(place)
    is_read = (torch.rand(len(vectors), 1, device=place) >= MASKED_SHARE).to(vectors.dtype)
    read = vectors[numbers] * is_read[numbers]
    rows = torch.from_numpy(np.concatenate(at)).to(place)
    lengths = torch.from_numpy(np.concatenate(counts)).to(place)
    around = [read[rows + shift - MARGIN] for shift in range(2 * MARGIN + 1)]
    found = []
    for width in FILTERS:
        first = MARGIN - width // 2
        depth = weights[f"words{width}.depth"]
        mixed = sum(around[first + shift] * depth[shift] for shift in range(width))
        strongest = torch.segment_reduce(mixed @ weights[f"words{width}.point"].T, "max", lengths=lengths, axis=0)
        found.append(torch.relu(strongest + weights[f"words{width}.bias"]))
    return torch.cat(found, 1)


def _log_sum(weights: Tensors, scores: Any, last: Any) -> Any:
    """Return the logarithm of the sum over all label sequences that the scores allow, a window; `last` is the last step of each."""
    ahead = [weights["chain.first"] + scores[:, 0]]
    for step in range(1, scores.shape[1]):
        before = ahead[-1][:, :, None] + weights["chain.pairs"]
        ahead.append(torch.logaddexp(before[:, 0], before[:, 1]) + scores[:, step])
    ends = torch.stack(ahead, 1)[torch.arange(len(scores), device=scores.device), last]
    ends = ends + weights["chain.last"]
    return torch.logaddexp(ends[:, 0], ends[:, 1])
