"""Input of SemText: per text block its words, and the vectors of its tags and class names.

Tags and class names are translated to words (Zhang and Wang 2021). Our choice is how they are put together: as the mean of the vectors of
their words, once of the nearest element alone and once of the whole path from the body down, the nearer the weightier. A paragraph's tag
carries little information, and on most pages it has no class of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from classify.neural.embeddings import Vectors
from classify.neural.semtext.text_blocks import Offsets, search_and_combine
from classify.neural.semtext.vocabulary import MOST_NAME_WORDS, MOST_WORDS, name_words, tag_words, text_words
from render.page import Block, InlineKind, Page
from render.static.tags import INLINE_TAGS

MARGIN = 3
"""Empty words around each text, so that the widest kernel (7) sees no other text."""
DECAY = 0.7
"""What an element counts in the mean over a path, of what its child counts."""
INLINES: tuple[InlineKind, ...] = ("link", "strong", "emphasis", "code")
"""Inline kinds whose tags count as the text block's own, each by the share of the text that it covers."""
PARTS = 4
"""Vectors of a text block's surroundings: tags near and along the path, names near and along the path."""

Numbers = NDArray[np.int32]


class Vocabulary:
    """Words by number, in the order in which they came up; number 0 is no word."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}

    def numbers(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of the words; new ones are entered."""
        known = self._numbers
        return [known.setdefault(word, len(known)) for word in words]

    @property
    def words(self) -> list[str]:
        """The words, by number."""
        return list(self._numbers)


@dataclass(frozen=True, slots=True)
class Bags:
    """Some words an element: their numbers one after another, and how many there are of each element."""

    numbers: Numbers
    counts: Offsets

    @classmethod
    def of(cls, bags: Sequence[Sequence[int]]) -> Bags:
        """Return the bags of words."""
        numbers = np.array([number for bag in bags for number in bag], np.int32)
        return cls(numbers, np.fromiter(map(len, bags), np.intp, len(bags)))

    def means(self, vectors: Vectors) -> Vectors:
        """Return the mean vector of each bag, zeros for an empty one; shape (bags, size)."""
        means = np.zeros((len(self.counts), vectors.shape[1]), np.float32)
        filled = self.counts > 0
        if filled.any():
            starts = (np.cumsum(self.counts) - self.counts)[filled]
            means[filled] = np.add.reduceat(vectors[self.numbers], starts, axis=0) / self.counts[filled, np.newaxis]
        return means


@dataclass(frozen=True, slots=True)
class Reading:
    """A page as SemText reads it; words are numbers of a vocabulary."""

    starts: Offsets
    """Where text blocks begin among the page's blocks, and their number; shape (text blocks + 1,)."""
    words: Numbers
    """The words of all text blocks, `MARGIN` zeros before each and after the last."""
    begins: Offsets
    """Where the words of each text block begin and, at the end, where another one's would; shape (text blocks + 1,)."""
    elements: Offsets
    """The element that each text block is in."""
    covered: NDArray[np.float32]
    """Share of each text block that each of `INLINES` covers, shape (text blocks, inlines)."""
    inlines: Bags
    parents: Offsets
    """Of each element; -1 for the body."""
    tags: Bags
    names: Bags

    def __len__(self) -> int:
        return len(self.elements)

    def text(self, start: int, stop: int) -> tuple[Numbers, Offsets]:
        """Return the words of some text blocks, with their margins, and where each begins in them."""
        offset = self.begins[start] - MARGIN
        return self.words[offset : self.begins[stop]], self.begins[start : stop + 1] - offset


def read_page(page: Page, vocabulary: Vocabulary) -> Reading:
    """Return the page as SemText reads it. Its words are entered into the vocabulary."""
    starts = search_and_combine(page)
    words = [0] * MARGIN
    begins = [MARGIN]
    for start, stop in pairwise(starts.tolist()):
        words += vocabulary.numbers(_words(page.blocks[start:stop])) or [0]
        words += [0] * MARGIN
        begins.append(len(words))
    firsts = [page.blocks[start] for start in starts[:-1].tolist()]
    names = [tuple(_names(element.classes, element.id)) for element in page.elements]
    return Reading(
        starts=starts,
        words=np.array(words, np.int32),
        begins=np.array(begins, np.intp),
        elements=np.array([block.element for block in firsts], np.intp),
        covered=np.array([_covered(block) for block in firsts], np.float32).reshape(-1, len(INLINES)),
        inlines=Bags.of([vocabulary.numbers(tag_words(INLINE_TAGS[kind])) for kind in INLINES]),
        parents=np.array([element.parent for element in page.elements], np.intp),
        tags=Bags.of([vocabulary.numbers(tag_words(element.tag)) for element in page.elements]),
        names=Bags.of([vocabulary.numbers(of_element) for of_element in names]),
    )


def surroundings(reading: Reading, vectors: Vectors) -> Vectors:
    """Return what each text block is in: `PARTS` vectors side by side, shape (text blocks, PARTS * size)."""
    tags, names = reading.tags.means(vectors), reading.names.means(vectors)
    is_named = reading.names.counts > 0
    tag_paths, name_paths, nearest = _along_paths(reading.parents, tags, names, is_named)
    near = tags[reading.elements] + reading.covered @ reading.inlines.means(vectors)
    parts = (near, tag_paths[reading.elements], names[nearest][reading.elements], name_paths[reading.elements])
    return np.concatenate(parts, axis=1)


def corpus_lines(pages: Sequence[Page]) -> Iterator[str]:
    """Yield lines for training word vectors: each different text block's words, after those of its element's tag and names."""
    seen: set[str] = set()
    for page in pages:
        starts = search_and_combine(page).tolist()
        for start, stop in pairwise(starts):
            element = page.elements[page.blocks[start].element]
            parent = page.elements[max(element.parent, 0)]
            around = [word for each in (parent, element) for word in (*tag_words(each.tag), *_names(each.classes, each.id))]
            line = " ".join([*around, *_words(page.blocks[start:stop])])
            if line not in seen:
                seen.add(line)
                yield line


def _words(blocks: Sequence[Block]) -> list[str]:
    words: list[str] = []
    for block in blocks:
        words += text_words(block.text, MOST_WORDS - len(words))
    return words


def _names(classes: Sequence[str], identity: str) -> list[str]:
    return [word for name in (identity, *classes) if name for word in name_words(name)][:MOST_NAME_WORDS]


def _covered(block: Block) -> list[float]:
    lengths = dict.fromkeys(INLINES, 0)
    for inline in block.inlines:
        if inline.kind in lengths:
            lengths[inline.kind] += inline.end - inline.start
    lengths["link"] = max(lengths["link"], block.link_chars)
    return [min(1.0, length / max(len(block.text), 1)) for length in lengths.values()]


def _along_paths(parents: Offsets, tags: Vectors, names: Vectors, is_named: NDArray[np.bool_]) -> tuple[Vectors, Vectors, Offsets]:
    """Return the weighted means of tags and of names down to each element, and the nearest element with a name, itself included."""
    depths: list[int] = []
    for parent in parents.tolist():
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    depth = np.array(depths, np.intp)
    order = np.argsort(depth, kind="stable")
    edges = np.searchsorted(depth[order], np.arange(depth.max(initial=0) + 2))
    weights = np.stack((np.ones(len(parents), np.float32), is_named.astype(np.float32)))
    sums = np.stack((tags, names))
    nearest = np.arange(len(parents))
    for start, stop in zip(edges[1:-1].tolist(), edges[2:].tolist(), strict=True):
        rows = order[start:stop]
        above = parents[rows]
        sums[:, rows] += DECAY * sums[:, above]
        weights[:, rows] += DECAY * weights[:, above]
        nearest[rows] = np.where(is_named[rows], rows, nearest[above])
    means = sums / np.maximum(weights, np.float32(1e-9))[:, :, np.newaxis]
    return means[0], means[1], nearest
