"""Training data of SemText: word vectors trained with floret, and pages with one label per text block."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sightread.classify.neural.layers import HASHES, NGRAM_LENGTHS, SubwordTable, Vectors
from sightread.classify.neural.semtext.input import (
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
from sightread.render.errors import Unequipped
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.page import Page

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
    vectors: Vectors


def prepare(pages: Sequence[Page], labels: Sequence[NDArray[np.int8]], table: SubwordTable) -> TrainingPages:
    """Read pages and their block labels once, for any number of trainings."""
    vocabulary = Vocabulary()
    given = [read_page(page, vocabulary) for page in pages]
    vectors = table.vectors(vocabulary.words)
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
