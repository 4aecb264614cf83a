"""Training of SemText: word vectors with floret, then the network with PyTorch on pages with one label per text block."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from sightread.classify.neural.layers import CLASSES, HASHES, NGRAM_LENGTHS, Floats32, SubwordTable
from sightread.classify.neural.semtext import model as semtext
from sightread.classify.neural.semtext.input import (
    MARGIN,
    PARTS,
    Offsets,
    SemTextInput,
    Vocabulary,
    block_words,
    element_words,
    read_page,
    search_and_combine,
    surroundings,
    tag_words,
)
from sightread.classify.neural.semtext.model import FILTERS, HIDDEN, READS, WINDOW
from sightread.classify.training.torch_loop import Tensors, Window, begin, descend, finish, lay_out, lstm_shapes, read_both_ways
from sightread.classify.weights import Weights
from sightread.render.errors import Unequipped
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.page import Page

DROPOUT = 0.3
"""Of what goes into the LSTM, and of what comes out of it."""
MASKED_SHARE = 0.1
"""Share of the vocabulary that is masked per batch (word dropout), so that no prediction depends on a single word."""
WRONG_LABEL_SCORE = -1e4
"""The score of a label that is known to be wrong."""


def fit(pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Weights:
    """Return the network's weights after training, in 16 bits, and its word vectors, which are trained first. Raises `Unequipped`."""
    table = train_table(training_lines(pages))
    examples = prepare(pages, labels, table)
    weights = begin(_shapes(), {}, semtext.FIT.seed)
    vectors = torch.from_numpy(examples.vectors).to(weights["out.bias"].device)
    lengths = [len(example.given) for example in examples.pages]
    descend(weights, lengths, WINDOW, semtext.FIT, lambda batch: _loss(weights, examples, vectors, batch))
    return Weights({**finish(weights, np.float16), "table": table.codes}, {"reads": READS, "unit": table.unit})


def _shapes() -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {}
    for width, filters in FILTERS.items():
        shapes[f"words{width}.depth"] = (width, VECTOR_SIZE)
        shapes[f"words{width}.point"] = (filters, VECTOR_SIZE)
        shapes[f"words{width}.bias"] = (filters,)
    shapes |= lstm_shapes("lstm", sum(FILTERS.values()) + PARTS * VECTOR_SIZE, HIDDEN)
    shapes |= {"out.weights": (CLASSES, 2 * HIDDEN), "out.bias": (CLASSES,)}
    return shapes | {"chain.first": (CLASSES,), "chain.last": (CLASSES,), "chain.pairs": (CLASSES, CLASSES)}


def _loss(weights: Tensors, examples: TrainingPages, vectors: Any, batch: Sequence[Window]) -> Any:
    """Return the mean negative log-likelihood of the labels of a batch, per text block."""
    place = vectors.device
    around = np.concatenate([examples.pages[page].around[start:stop] for page, start, stop in batch]).astype(np.float32)
    labels = np.concatenate([[-1], *(examples.pages[page].labels[start:stop] for page, start, stop in batch)])
    rows = torch.cat((_texts(weights, examples, vectors, batch), torch.from_numpy(around).to(place)), 1)
    windows, numbers, turned, last = lay_out(torch.nn.functional.dropout(rows, DROPOUT), batch)
    states = torch.nn.functional.dropout(read_both_ways(weights, "lstm", windows, turned), DROPOUT)
    scores = states @ weights["out.weights"].T + weights["out.bias"]
    known = labels[numbers]
    allowed = np.stack((known != 1, known != 0), axis=2)
    penalty = torch.from_numpy(np.where(allowed, 0, WRONG_LABEL_SCORE).astype(np.float32)).to(place)
    return (_log_sum(weights, scores, last) - _log_sum(weights, scores + penalty, last)).sum() / max(int((known >= 0).sum()), 1)


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


TABLE_ROWS = 20_480
"""Of the table: 96 bytes each, 2 MB."""
VECTOR_SIZE = 96
"""Numbers of a vector. Beyond some hundred words of tags and names, what matters of a text is its kind, not its topic."""
PASSES = 6
"""Over the corpus: with frozen tables a corpus of millions of words is well read after a few."""


@dataclass(frozen=True, slots=True)
class TrainingPage:
    """One page: one label per text block (-1 unknown), and the vectors of the surroundings of each."""

    given: SemTextInput
    labels: NDArray[np.int8]
    around: NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class TrainingPages:
    """All pages, and the vectors of all their words."""

    pages: tuple[TrainingPage, ...]
    vectors: Floats32


def prepare(pages: Sequence[Page], labels: Sequence[NDArray[np.int8]], table: SubwordTable) -> TrainingPages:
    """Read pages and their block labels once, for any number of trainings."""
    vocabulary: Vocabulary = {"": 0}
    given = [read_page(page, vocabulary) for page in pages]
    vectors = table.vectors([*vocabulary])
    found = [
        TrainingPage(each, join_labels(page, each.starts, of_page), surroundings(each, vectors).astype(np.float16))
        for page, each, of_page in zip(pages, given, labels, strict=True)
        if page.blocks
    ]
    return TrainingPages(tuple(found), vectors)


def training_lines(pages: Sequence[Page]) -> Iterator[str]:
    """Yield lines for training word vectors: each different text block's words, after those of its element's tag and names."""
    seen: set[str] = set()
    for page in pages:
        starts = search_and_combine(page).tolist()
        for start, stop in pairwise(starts):
            element = page.elements[page.blocks[start].element]
            parent = page.elements[max(element.parent, 0)]
            around = [word for each in (parent, element) for word in (*tag_words(each.tag), *element_words(each.classes, each.id))]
            line = " ".join([*around, *block_words(page.blocks[start:stop])])
            if line not in seen:
                seen.add(line)
                yield line


def train_table(lines: Iterable[str]) -> SubwordTable:
    """Return a table trained on lines of words with a space between them; deterministic. Raises `Unequipped` without floret."""
    try:
        floret = import_module("floret")
    except ModuleNotFoundError as error:
        raise Unequipped("training word vectors needs floret: install sightread[neural]") from error
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.txt")
        corpus.write_text("\n".join(lines) + "\n", "utf-8")
        settings = {"model": "cbow", "mode": "floret", "thread": 1, "verbose": 0, "minCount": 2}
        shape = {"dim": VECTOR_SIZE, "bucket": TABLE_ROWS, "minn": NGRAM_LENGTHS[0], "maxn": NGRAM_LENGTHS[1], "hashCount": HASHES}
        trained = floret.train_unsupervised(str(corpus), **settings, **shape, epoch=PASSES)
    table = np.array(trained.get_input_matrix(), np.float32)[-TABLE_ROWS:]  # the rows before are those of whole words, which are not used
    table /= max(float(np.sqrt(np.square(table).mean())), 1e-9)
    unit = float(np.quantile(np.abs(table), 0.9999)) / 127
    return SubwordTable(np.clip(np.rint(table / unit), -127, 127).astype(np.int8), unit)


def join_labels(page: Page, starts: Offsets, labels: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return one label per text block: that of most of its characters, -1 if none of its blocks is known; shape (text blocks,)."""
    if len(starts) < 2:
        return np.zeros(0, np.int8)
    lengths = np.array([len(block.text) for block in page.blocks], np.float64)
    content = np.add.reduceat(np.where(labels == CONTENT, lengths, 0), starts[:-1])
    boilerplate = np.add.reduceat(np.where(labels == BOILERPLATE, lengths, 0), starts[:-1])
    return np.where(content + boilerplate == 0, UNKNOWN, content >= boilerplate).astype(np.int8)
