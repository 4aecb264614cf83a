"""Hashed word features: the first words of a block, and the words in the names of its containers.

Each is a logistic regression over hashed words (Weinberger et al. 2009), one number per block, which the models take as one feature more.
The first reads a block's first words, its tag and length, and the heading above it; the second the tags, classes, ids, roles and
`itemprop` of the element and of those above it, cut up where case or a delimiter does. Site names do no harm: no site of a scored page
was trained on, and most names are common to many sites (`footer`, `byline`, `related`).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sightread.render.page.array_types import Floats, Rows
from sightread.render.page.page_arrays import PageArrays
from sightread.render.page.view import element_kinds

SIZE = 1 << 16
"""Weights of a lexicon. With 2^18 its area under the curve is .906 instead of .900 (first words, WCXB dev, by domain)."""


@dataclass(frozen=True, slots=True)
class HashedWordLimits:
    """Limits of the words that the lexicons read of a page."""

    words_of_headings: int = 8
    """Words read of the heading above a block, and words of a block that are read in pairs; of the block itself all its first words."""
    ancestors: int = 10
    """Elements above a block's own whose names are read."""
    distinct_levels: int = 4
    """The fourth ancestor and all further ones count alike."""
    classes: int = 12
    """Classes read of an element."""
    name_characters: int = 60
    """Characters read of a class or an id."""


LIMITS = HashedWordLimits()
REGULARISATION = 1e-5
"""Penalty on the squared weights; 1e-6 is worse by .001 to .006."""
MOST_ITERATIONS = 40
"""Iterations of L-BFGS."""

_PART = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Bags:
    """Hashed words of blocks."""

    words: NDArray[np.int32]
    """Of all blocks, one after the other."""
    starts: NDArray[np.intp]
    """Where those of each block begin, and the end of the last; shape (blocks + 1,). Every block has words."""

    @classmethod
    def of(cls, words: NDArray[np.int32], sizes: NDArray[np.intp]) -> Self:
        """Return the bags of blocks, given how many words each has."""
        return cls(words, np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp))

    @classmethod
    def joined(cls, parts: Sequence[Bags]) -> Self:
        """Return the bags of several pages as those of one."""
        return cls.of(np.concatenate([part.words for part in parts]), np.concatenate([part.sizes for part in parts]))

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Words of each block."""
        return np.diff(self.starts)

    @property
    def values(self) -> NDArray[np.float32]:
        """How much each word of a block counts, shape (blocks,)."""
        return (1.0 / np.sqrt(np.maximum(self.sizes, 1))).astype(np.float32)

    def of_rows(self, rows: NDArray[np.bool_]) -> Bags:
        """Return the bags of some of the blocks, in their order; shape of `rows`: (blocks,)."""
        return Bags.of(self.words[np.repeat(rows, self.sizes)], self.sizes[rows])


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One weight per hashed word."""

    weights: NDArray[np.float32]
    """Shape (SIZE,)."""
    intercept: float

    @classmethod
    def of(cls, weights: NDArray[np.generic], intercept: float) -> Self:
        """Return stored weights. Raises ValueError if they have another shape."""
        if weights.shape != (SIZE,) or not np.isfinite(weights.astype(np.float32)).all():
            raise ValueError("its lexicons are damaged")
        return cls(weights.astype(np.float32), intercept)

    def decide(self, bags: Bags) -> Floats:
        """Return the log-odds of content of each block, shape (blocks,)."""
        of_words = self.weights.take(bags.words)
        return np.asarray(np.add.reduceat(of_words, bags.starts[:-1], dtype=np.float64) * bags.values + self.intercept, np.float64)

    def decide_names(self, page: PageArrays) -> Floats:
        """Return the same of the bags of `container_names`, which need not be made: each kind of elements is summed up once."""
        words, sizes = _words_of_kinds(page)
        of_kinds = np.add.reduceat(self.weights.take(words), np.cumsum(sizes) - sizes, axis=1, dtype=np.float64)
        lineage = page.lineage[: LIMITS.ancestors + 1]
        kind, is_there = page.kind.take(lineage), lineage >= 0
        total = (of_kinds[_levels(len(lineage))[:, None], kind] * is_there).sum(axis=0)
        return np.asarray(total / np.sqrt((sizes.take(kind) * is_there).sum(axis=0)) + self.intercept, np.float64)


def first_words(page: PageArrays) -> Bags:
    """Return the bags of the blocks' first words; digits count alike."""
    sizes = np.array([len(words) for words in page.first_words], np.intp)
    starts, blocks = np.cumsum(sizes) - sizes, np.arange(page.count)
    spelt = ["#" if word.isdigit() else word for words in page.first_words for word in words]
    words = _numbers([*spelt, ""])  # the last is for blocks without words
    place = np.repeat(blocks, sizes)
    within = np.arange(len(place)) - starts[place]
    paired = np.flatnonzero((within[:-1] < LIMITS.words_of_headings) & (place[1:] == place[:-1]))
    heading = np.maximum.accumulate(np.where(page.heading > 0, blocks, -1))[:-1]  # above each block but the first
    below = np.flatnonzero(heading >= 0)
    above = heading[below]
    sizes_above = np.minimum(sizes[above], LIMITS.words_of_headings)
    tags = _numbers([f"{tag} {len(text).bit_length()}" for tag, text in zip(page.tags, page.texts, strict=True)])
    found = [
        (place, _mixed(words[:-1], "word")),
        (place[paired], _mixed(words[paired] * np.uint64(3) + words[paired + 1], "pair")),
        (np.repeat(below + 1, sizes_above), _mixed(words[_ranges(starts[above], sizes_above)], "heading")),
        (blocks, _mixed(words[np.where(sizes > 0, starts, -1)], "first")),
        (blocks, _mixed(tags[: page.count], "tag")),
    ]
    pairs = np.sort(np.concatenate([rows * SIZE + words for rows, words in found]))
    is_new = np.concatenate([pairs[:1] >= 0, pairs[1:] > pairs[:-1]])  # each word once per block; `np.unique` takes four times as long
    pairs = pairs[is_new]
    return Bags((pairs & (SIZE - 1)).astype(np.int32), np.searchsorted(pairs, np.arange(page.count + 1) * SIZE))


def container_names(page: PageArrays) -> Bags:
    """Return the bags of the names of the blocks' elements and of those above them."""
    words, sizes = _words_of_kinds(page)
    block, level = np.nonzero(page.lineage[: LIMITS.ancestors + 1].T >= 0)  # block by block, from the element up
    of_names = page.kind[page.lineage[level, block]]
    firsts = (np.cumsum(sizes) - sizes)[of_names] + _levels(LIMITS.ancestors + 1)[level] * words.shape[1]
    lengths = sizes[of_names]
    return Bags.of(words.ravel().take(_ranges(firsts, lengths)).astype(np.int32), np.bincount(block, lengths, page.count).astype(np.intp))


def _levels(count: int) -> Rows:
    """Return of each of as many elements, from a block's own up, as the level of which its names count."""
    return np.minimum(np.arange(count), LIMITS.distinct_levels)


def _words_of_kinds(page: PageArrays) -> tuple[Rows, Rows]:
    """Return the hashed words of the page's `element_kinds`, one kind after the other, shape (levels, words), and the number of each."""
    named = [_numbers_of_names(*each) for each in element_kinds(page.page).kinds]
    numbers = np.array([*chain.from_iterable(named)], np.int64).astype(np.uint64)
    levels = np.arange(LIMITS.distinct_levels + 1, dtype=np.uint64)[:, None]
    return _mixed(numbers + levels, "name"), np.array([len(each) for each in named], np.intp)


def _ranges(firsts: NDArray[np.intp], lengths: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return consecutive numbers from each of the first ones on, one range after the other."""
    return np.asarray(np.arange(lengths.sum()) + np.repeat(firsts - (np.cumsum(lengths) - lengths), lengths))


@lru_cache(maxsize=20_000)
def _numbers_of_names(tag: str, classes: tuple[str, ...], name: str, role: str, prop: str) -> Sequence[int]:
    """Return the numbers of an element's names."""
    found = {f"t{tag}", f"r{role}", f"p{prop.lower()}", *_parts("i", name[: LIMITS.name_characters])}
    for each in classes[: LIMITS.classes]:
        found.update(_parts("c", each[: LIMITS.name_characters]))
    return sorted(_numbers(found).tolist())


@lru_cache(maxsize=50_000)
def name_parts(name: str) -> tuple[str, ...]:
    """Return a name's parts in lower case, cut where case, a digit or a delimiter does."""
    return tuple(map(str.lower, _PART.findall(name)))


@lru_cache(maxsize=50_000)
def _parts(kind: str, name: str) -> Sequence[str]:
    """Return the words of a name, pairs of them, and the whole, each behind its kind; numbers count alike."""
    parts = ["0" if part.isdigit() else part for part in name_parts(name)]
    whole = f"{kind}={_NUMBER.sub('0', name.lower())}"
    return [whole, *[kind + part for part in parts], *[f"{kind}{one}_{two}" for one, two in pairwise(parts)]]


def _numbers(words: Iterable[str]) -> NDArray[np.uint64]:
    """Return the hash of each word: all at once, in a third of the time of one by one; a single one if there are no words."""
    parts = "\0".join(words).encode("utf-8", "surrogatepass").split(b"\0")
    return np.fromiter(map(zlib.crc32, parts), np.uint64, len(parts))


def _mixed(numbers: NDArray[np.uint64], kind: str) -> NDArray[np.intp]:
    """Return the hash of each number, below `SIZE`: words of another kind have others (Fibonacci hashing, Knuth 1973, section 6.4)."""
    salted = (numbers + np.uint64(zlib.crc32(kind.encode()) << 20)) * np.uint64(0x9E3779B97F4A7C15)  # wraps at 2^64, as it should
    return (salted >> np.uint64(65 - SIZE.bit_length())).astype(np.intp)


def fit_lexicon(bags: Bags, content: NDArray[np.bool_], importance: Floats) -> Lexicon:
    """Fit a weight per word; deterministic. `content` and `importance` (how much each counts) have shape (blocks,)."""
    from scipy import sparse  # noqa: PLC0415  (only training needs scipy, and it takes a while to import)
    from scipy.optimize import minimize  # noqa: PLC0415

    values = np.repeat(bags.values, bags.sizes)
    matrix = sparse.csr_matrix((values, bags.words, bags.starts), shape=(len(bags.sizes), SIZE))
    used = np.flatnonzero(np.bincount(matrix.indices, minlength=SIZE))
    matrix = matrix[:, used]
    turned = matrix.T.tocsr()
    share = importance / importance.sum()
    right, wrong = ((share * of_class).astype(np.float32) for of_class in (content, ~content))

    def loss(found: Floats) -> tuple[float, Floats]:
        odds = np.clip(matrix @ found[:-1].astype(np.float32) + np.float32(found[-1]), -60, 60)
        pull = wrong - (right + wrong) / (1 + np.exp(odds))
        gradient = np.append(turned @ pull + REGULARISATION * found[:-1], pull.sum(dtype=np.float64))
        cost = right * np.logaddexp(0, -odds) + wrong * np.logaddexp(0, odds)
        return float(cost.sum(dtype=np.float64)) + REGULARISATION / 2 * float(found[:-1] @ found[:-1]), gradient

    found = minimize(loss, np.zeros(len(used) + 1), jac=True, method="L-BFGS-B", options={"maxiter": MOST_ITERATIONS, "maxcor": 10}).x
    weights = np.zeros(SIZE, np.float32)
    weights[used] = found[:-1].astype(np.float16)
    return Lexicon(weights, float(np.float32(found[-1])))
