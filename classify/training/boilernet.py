"""Training of BoilerNet with PyTorch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from sightread.classify.neural import boilernet
from sightread.classify.neural.boilernet import DENSE, HIDDEN, LAYERS, WINDOW, LeafCounts, Vocabularies, count_leaves, leaves
from sightread.classify.training.torch_loop import Tensors, Window, begin, descend, finish, lay_out, lstm_shapes, read_both_ways
from sightread.classify.weights import Weights
from sightread.render.page import Page

MOST_TAGS, MOST_WORDS = 50, 1000
"""Tags and words of the vocabularies: the authors' own settings."""
DROPOUT = 0.5
"""Of what goes into the output: the authors' own setting."""


class LabelledPages(NamedTuple):
    """Pages to learn from, one label per leaf (-1 unknown)."""

    pages: Sequence[LeafCounts]
    labels: Sequence[NDArray[np.int8]]


def learn_vocabularies(pages: Sequence[Page]) -> Vocabularies:
    """Return the commonest words and tags of the leaves of all pages; of equally common ones the first by alphabet."""
    words: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    for page in pages:
        paths: list[Counter[str]] = []
        for element in page.elements:
            paths.append((paths[element.parent] if element.parent >= 0 else Counter[str]()) + Counter((element.tag,)))
        for leaf in leaves(page):
            words.update(leaf.words)
            tags.update(paths[page.blocks[leaf.row].element])
            tags.update(leaf.inlines)
    return Vocabularies.of(_commonest(words, MOST_WORDS), _commonest(tags, MOST_TAGS))


def fit(pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Weights:
    """Return the network's weights after training, in 16 bits, and its vocabularies."""
    vocabularies = learn_vocabularies(pages)
    found = [(count_leaves(page, vocabularies), of_page) for page, of_page in zip(pages, labels, strict=True) if page.blocks]
    examples = LabelledPages([counts for counts, _ in found], [of_page[counts.rows] for counts, of_page in found])
    known_words, known_tags = len(vocabularies.words) + 1, len(vocabularies.tags) + 1
    shapes: dict[str, tuple[int, ...]] = {"dense.words": (known_words, DENSE), "dense.tags": (known_tags, DENSE), "dense.bias": (DENSE,)}
    inputs = DENSE
    for layer in LAYERS:
        shapes |= lstm_shapes(layer, inputs, HIDDEN)
        inputs = 2 * HIDDEN
    weights = begin(shapes | {"out.weights": (1, inputs), "out.bias": (1,)}, {}, boilernet.FIT.seed)
    known = np.concatenate(examples.labels)
    balance = [float((known >= 0).sum() / (2 * max(int((known == label).sum()), 1))) for label in (0, 1)]
    lengths = [len(counts) for counts in examples.pages]
    descend(weights, lengths, WINDOW, boilernet.FIT, lambda batch: _loss(weights, examples, balance, batch))
    return Weights(finish(weights, np.float16), {"words": list(vocabularies.words), "tags": list(vocabularies.tags)})


def _loss(weights: Tensors, examples: LabelledPages, balance: Sequence[float], batch: Sequence[Window]) -> Any:
    """Return the mean cross-entropy of the leaves of a batch, the two classes weighing the same over all pages."""
    place = weights["out.bias"].device
    states, numbers, turned, _ = lay_out(_dense(weights, examples, batch), batch)
    for layer in LAYERS:
        states = read_both_ways(weights, layer, states, turned)
    is_leaf = torch.from_numpy(numbers > 0).to(place)
    scores = (torch.nn.functional.dropout(states[is_leaf], DROPOUT) @ weights["out.weights"].T + weights["out.bias"])[:, 0]
    labels = np.concatenate([examples.labels[page][start:stop] for page, start, stop in batch])
    importance = np.where(labels < 0, 0.0, np.where(labels == 1, balance[1], balance[0])).astype(np.float32)
    target = torch.from_numpy(np.maximum(labels, 0).astype(np.float32)).to(place)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(scores, target, torch.from_numpy(importance).to(place), reduction="sum")
    return loss / len(labels)


def _dense(weights: Tensors, examples: LabelledPages, batch: Sequence[Window]) -> Any:
    """Return what the dense layer makes of each leaf, shape (leaves, units)."""
    place = weights["out.bias"].device
    words, times, begins, tags, offset = [], [], [], [], 0
    for page, start, stop in batch:
        counts = examples.pages[page]
        first, last = counts.begins[start], counts.begins[stop]
        words.append(counts.words[first:last])
        times.append(counts.times[first:last])
        begins.append(counts.begins[start:stop] - first + offset)
        tags.append(counts.tags[start:stop])
        offset += int(last - first)
    numbers, offsets = (torch.from_numpy(np.concatenate(each)).to(place) for each in (words, begins))
    often = torch.from_numpy(np.concatenate(times)).to(place)
    of_words = torch.nn.functional.embedding_bag(numbers, weights["dense.words"], offsets, mode="sum", per_sample_weights=often)
    of_tags = torch.from_numpy(np.concatenate(tags)).to(place) @ weights["dense.tags"]
    return torch.relu(of_words + of_tags + weights["dense.bias"])


def _commonest(items: Counter[str], most: int) -> list[str]:
    return [item for item, _ in sorted(items.items(), key=lambda pair: (-pair[1], pair[0]))[:most]]
