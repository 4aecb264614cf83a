"""Training the networks of Web2Text (Vogels, Ganea and Eickhoff, ECIR 2018, section 3.3), with PyTorch.

As there: windows of nine leaves, one of each page in turn, 128 at a time, 5,000 steps of Adam at 0.001, dropout of 0.2. A page shorter
than a window is filled up with leaves that count for nothing; the authors' code leaves it out. One thread and one seed give the same
weights again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from sightread.classify.evaluation import block_score
from sightread.classify.neural.web2text.features import BLOCK_NAMES, EDGE_NAMES, PageFeatures, number_kind, page_features
from sightread.classify.neural.web2text.model import FILTERS, KERNELS, Convolution, ConvolutionNetwork, standardise
from sightread.classify.neural.web2text.tree import derive_tree
from sightread.classify.weights import Weights
from sightread.render.errors import Rejected
from sightread.render.page import Page
from sightread.render.page.array_types import Features


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """Settings of the training; those of the authors unless stated."""

    window: int = 9
    """Leaves of a page that are read together."""
    batch: int = 128
    """Windows per step."""
    steps: int = 5000
    learning_rate: float = 1e-3
    dropped_of_256: int = 51
    """Values of 256 that dropout sets to 0: a rate of 0.2."""
    check_interval: int = 100
    """Steps between two evaluations on the held-out pages."""
    most_steps_without_gain: int = 1500
    """Steps without a better network after which training ends; the authors take the best of all steps."""
    hold_out_every: int = 11
    """Every eleventh page is held out."""
    weight_deviation: float = 0.1
    """Standard deviation of the initial weights."""


OPTIONS = TrainingOptions()
_SEED = 0
"""Of all random streams."""
_DROPOUT_STREAM = 1
"""Number of the random stream that dropout draws from."""
_LEAST_DEVIATION = 1e-6
"""Standard deviation below which a feature counts as constant."""

Classes = NDArray[np.int64]
"""One class a row, -1 if it is not known."""


class LabelledRows(NamedTuple):
    """Pages to learn from."""

    features: Sequence[Features]
    """One array per page, shape (rows, inputs); NaN if a feature is not there."""
    labels: Sequence[Classes]

    @classmethod
    def of(cls, pages: Iterable[tuple[Features, Classes]]) -> LabelledRows:
        """Return the pages that have rows."""
        found = [(features, labels) for features, labels in pages if len(labels)]
        return cls([features for features, _ in found], [labels for _, labels in found])


LabelledPage = tuple[PageFeatures, Classes]
"""The features of a page, and one label per leaf."""


def fit(pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Weights:
    """Return the networks of leaves and of pairs: those with the best F1 of leaves, and accuracy of pairs, on pages that are held out.

    Every eleventh page is held out, as the authors hold out 5 of 60. Raises `Rejected` if no page has two leaves.
    """
    derived = [derive_tree(page) for page in pages]
    labelled = [(page_features(tree), of_page[blocks].astype(np.int64)) for (tree, blocks), of_page in zip(derived, labels, strict=True)]
    learned = [page for row, page in enumerate(labelled, 1) if row % OPTIONS.hold_out_every]
    held_out = labelled[OPTIONS.hold_out_every - 1 :: OPTIONS.hold_out_every] or labelled
    leaves, pairs = _leaves(learned), _pairs(learned)
    if not pairs.labels:
        raise Rejected(f"nothing to learn from: none of the {len(learned)} pages has two texts; crawl other pages")
    unseen_leaves, unseen_pairs = (_leaves(held_out), _pairs(held_out)) if _pairs(held_out).labels else (leaves, pairs)
    of_leaves = train(leaves, BLOCK_NAMES, 2, lambda network: block_score(*_read(network, unseen_leaves)).f1)
    of_pairs = train(pairs, EDGE_NAMES, 4, lambda network: _accuracy(*_read(network, unseen_pairs)))
    arrays = of_leaves.arrays("leaves") | of_pairs.arrays("pairs")
    return Weights(arrays, {"blocks": list(BLOCK_NAMES), "edges": list(EDGE_NAMES), "pages": len(pages)})


def _leaves(pages: Iterable[LabelledPage]) -> LabelledRows:
    return LabelledRows.of((features.blocks, labels) for features, labels in pages)


def _pairs(pages: Iterable[LabelledPage]) -> LabelledRows:
    """Return the pairs of neighbours, with 0 to 3 for the labels 00, 01, 10, 11; -1 if one is unknown."""
    return LabelledRows.of(
        (features.edges, np.where((labels[:-1] < 0) | (labels[1:] < 0), -1, 2 * labels[:-1] + labels[1:])) for features, labels in pages
    )


def _read(network: ConvolutionNetwork, examples: LabelledRows) -> tuple[Classes, Classes]:
    """Return the class that the network predicts of each row, and the row's label."""
    return np.concatenate([network.logits(features).argmax(1) for features in examples.features]), np.concatenate(examples.labels)


def _accuracy(found: Classes, labels: Classes) -> float:
    return float((found == labels)[labels >= 0].mean()) if (labels >= 0).any() else 0.0


def train(
    examples: LabelledRows, names: Sequence[str], classes: int, score_of: Callable[[ConvolutionNetwork], float]
) -> ConvolutionNetwork:
    """Return the network with the highest `score_of` of those that training evaluates; `names` are those of the features."""
    standard = _standard(examples.features, [number_kind(name) for name in names])
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    student = _Student(standard, classes)
    best, best_score, best_step = student.network(), -np.inf, 0
    try:
        for step, batch in zip(range(1, OPTIONS.steps + 1), _batches(examples, standard), strict=False):
            student.learn(*batch)
            if step % OPTIONS.check_interval == 0:
                network = student.network()
                if (score := score_of(network)) > best_score:
                    best, best_score, best_step = network, score, step
                elif step - best_step >= OPTIONS.most_steps_without_gain:
                    break
    finally:
        torch.set_num_threads(threads)
    return best


class _Student:
    """A network while it learns."""

    def __init__(self, standard: tuple[Features, Features], classes: int) -> None:
        self._standard = standard
        self._random = np.random.default_rng((_SEED, _DROPOUT_STREAM))
        generator = torch.Generator().manual_seed(_SEED)
        self._layers = []
        inputs = len(standard[0])
        for kernel, filters in zip(KERNELS, (*FILTERS, classes), strict=True):
            weights = torch.empty(kernel * inputs, filters)
            torch.nn.init.trunc_normal_(
                weights, 0, OPTIONS.weight_deviation, -2 * OPTIONS.weight_deviation, 2 * OPTIONS.weight_deviation, generator=generator
            )
            self._layers.append((weights.requires_grad_(), torch.zeros(filters, requires_grad=True)))
            inputs = filters
        self._optimizer = torch.optim.Adam([part for layer in self._layers for part in layer], OPTIONS.learning_rate)

    def learn(self, features: Features, labels: Classes) -> None:
        """Take one step; features of shape (windows, rows, inputs), standardised, and labels of shape (windows, rows)."""
        values = torch.from_numpy(features)
        for number, (weights, bias) in enumerate(self._layers):
            if number:
                values = self._drop(values.relu())
            if len(weights) > values.shape[2]:
                padded = torch.nn.functional.pad(values, (0, 0, 1, 1))
                values = torch.cat((padded[:, :-2], values, padded[:, 2:]), 2)
            values = values @ weights + bias
        loss = torch.nn.functional.cross_entropy(values.flatten(0, 1), torch.from_numpy(labels).flatten(), ignore_index=-1)
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()

    def _drop(self, values: Any) -> Any:
        drawn = np.frombuffer(self._random.bytes(values.numel()), np.uint8)
        kept = np.where(drawn < OPTIONS.dropped_of_256, 0, 256 / (256 - OPTIONS.dropped_of_256)).astype(np.float32)
        return values * torch.from_numpy(kept).view(values.shape)

    def network(self) -> ConvolutionNetwork:
        """Return the network as it is now."""
        layers = tuple(Convolution(*(part.detach().numpy().copy() for part in layer)) for layer in self._layers)
        return ConvolutionNetwork(*self._standard, layers)


def _batches(examples: LabelledRows, standard: tuple[Features, Features]) -> Iterator[tuple[Features, Classes]]:
    """Yield batches of windows endlessly: a window of each page, in an order that is shuffled whenever all have had their turn."""
    lengths = np.array([max(len(labels), OPTIONS.window) for labels in examples.labels])
    starts = np.cumsum(lengths) - lengths
    features = np.zeros((int(lengths.sum()), len(standard[0])), np.float32)
    labels = np.full(len(features), -1, np.int64)
    for start, of_page, classes in zip(starts.tolist(), examples.features, examples.labels, strict=True):
        features[start : start + len(classes)] = standardise(of_page, *standard)
        labels[start : start + len(classes)] = classes
    random = np.random.default_rng(_SEED)
    turns = chain.from_iterable(random.permutation(len(lengths)).tolist() for _ in count())
    while True:
        pages = np.fromiter(turns, np.int64, OPTIONS.batch)
        rows = (starts[pages] + random.integers(lengths[pages] - OPTIONS.window + 1))[:, np.newaxis] + np.arange(OPTIONS.window)
        yield features[rows], labels[rows]


def _standard(pages: Sequence[Features], kinds: Sequence[str]) -> tuple[Features, Features]:
    """Return the mean and deviation of the numbers, by kind, and 0 and 1 for the marks; NaN is left out.

    A root's numbers are almost constant among long pages: unscaled they would dominate on a short one.
    """
    known, total, squares = np.zeros((3, len(kinds)))
    for page in pages:
        known += (~np.isnan(page)).sum(0)
        total += np.nansum(page, 0, np.float64)
        squares += np.nansum(page.astype(np.float64) ** 2, 0)
    mean, deviation = np.zeros(len(kinds)), np.ones(len(kinds))
    for kind in sorted(set(kinds) - {""}):
        columns = [number for number, of_column in enumerate(kinds) if of_column == kind]
        count = max(known[columns].sum(), 1)
        mean[columns] = total[columns].sum() / count
        deviation[columns] = np.sqrt(max(squares[columns].sum() / count - mean[columns[0]] ** 2, 0))
    deviation[deviation < _LEAST_DEVIATION] = 1
    return mean.astype(np.float32), deviation.astype(np.float32)
