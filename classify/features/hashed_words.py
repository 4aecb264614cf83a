"""Hashed word features: the first words of a block, and the words in the names of its containers.

Each is a logistic regression over hashed words (Weinberger et al. 2009), one number per block, which the models take as one feature more.
The first reads a block's first words, its tag and length, and the heading above it; the second the tags, classes, ids, roles and
`itemprop` of the element and of those above it, cut up where case or a delimiter does. Site names do no harm: no site of a scored page
was trained on, and most names are common to many sites (`footer`, `byline`, `related`).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Page
from sightread.render.page.array_types import Floats
from sightread.render.page.page_arrays import PageArrays

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
    """Hashed words of blocks; blocks with the same ones share a bag."""

    words: NDArray[np.int32]
    """Of all bags, one after the other."""
    starts: NDArray[np.intp]
    """Where each bag begins, and the end of the last; shape (bags + 1,)."""
    values: NDArray[np.float32]
    """Weight of each word of a bag, shape (bags,)."""
    bag: NDArray[np.intp]
    """The bag of each block, shape (blocks,)."""

    @classmethod
    def joined(cls, parts: Sequence[Bags]) -> Bags:
        """Return the bags of several pages as those of one."""
        offsets = np.cumsum([0, *(len(part.words) for part in parts)])
        bags = np.cumsum([0, *(len(part.values) for part in parts)])
        return cls(
            np.concatenate([part.words for part in parts]),
            np.concatenate([[0], *(part.starts[1:] + offset for part, offset in zip(parts, offsets[:-1], strict=True))]).astype(np.intp),
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.bag + first for part, first in zip(parts, bags[:-1], strict=True)]),
        )

    def of_rows(self, rows: NDArray[np.bool_]) -> Bags:
        """Return the bags of some of the blocks, in their order; shape of `rows`: (blocks,)."""
        used = np.zeros(len(self.values), np.bool_)
        used[self.bag[rows]] = True
        sizes = np.diff(self.starts)
        starts = np.concatenate([[0], np.cumsum(sizes[used])]).astype(np.intp)
        return Bags(self.words[np.repeat(used, sizes)], starts, self.values[used], (np.cumsum(used) - 1)[self.bag[rows]])


NO_BAGS = Bags(np.zeros(0, np.int32), np.zeros(1, np.intp), np.zeros(0, np.float32), np.zeros(0, np.intp))


def _share(sizes: NDArray[np.intp]) -> NDArray[np.float32]:
    return (1.0 / np.sqrt(np.maximum(sizes, 1))).astype(np.float32)


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
        total = np.concatenate([[0.0], np.cumsum(self.weights[bags.words], dtype=np.float64)])
        of_bag = (total[bags.starts[1:]] - total[bags.starts[:-1]]) * bags.values + self.intercept
        return np.asarray(of_bag[bags.bag], np.float64)


def first_words(arrays: PageArrays) -> Bags:
    """Return the bags of the blocks' first words; digits count alike."""
    page = arrays.page
    if not page.blocks:
        return NO_BAGS
    firsts_of = [[_number("#" if word.isdigit() else word) for word in words] for words in arrays.first_words]
    above, heading = [], 0  # of each block the heading above it: its place in `halves`
    halves: list[list[int]] = [[]]
    for words, block in zip(firsts_of, page.blocks, strict=True):
        above.append(heading)
        if block.heading:
            heading = len(halves)
            halves.append(words[: LIMITS.words_of_headings])
    flat, starts, place = _flat(firsts_of)
    of_headings, heading_starts, _ = _flat(halves)
    within = np.arange(len(flat)) - starts[place]
    paired = np.flatnonzero((within[:-1] < LIMITS.words_of_headings) & (place[1:] == place[:-1]))
    sizes_above = np.diff(heading_starts)[above]
    headings = of_headings[
        np.arange(sizes_above.sum()) + np.repeat(heading_starts[above] - (np.cumsum(sizes_above) - sizes_above), sizes_above)
    ]
    blocks = np.arange(len(page.blocks))
    firsts = np.array([words[0] if words else 0 for words in firsts_of], np.uint64)
    tags = np.array([_number(f"{page.elements[block.element].tag} {len(block.text).bit_length()}") for block in page.blocks], np.uint64)
    found = [
        (place, _mixed(flat, "word")),
        (place[paired], _mixed(flat[paired] * np.uint64(3) + flat[paired + 1], "pair")),
        (np.repeat(blocks, sizes_above), _mixed(headings, "heading")),
        (blocks, _mixed(firsts, "first")),
        (blocks, _mixed(tags, "tag")),
    ]
    pairs = np.sort(np.concatenate([rows * SIZE + words for rows, words in found]))
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]  # each word once per block; `np.unique` takes four times as long
    sizes = np.bincount(pairs // SIZE, minlength=len(blocks))
    return Bags((pairs % SIZE).astype(np.int32), np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp), _share(sizes), blocks)


def _flat(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.uint64], NDArray[np.intp], NDArray[np.intp]]:
    """Return all numbers of some lists one after the other, where each list starts (and the last ends), and the list of each number."""
    sizes = np.array([len(each) for each in lists], np.intp)
    flat = np.array([number for each in lists for number in each], np.uint64)
    return flat, np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp), np.repeat(np.arange(len(lists)), sizes)


def container_names(page: Page) -> Bags:
    """Return the bags of the names of the blocks' elements and of those above them."""
    if not page.blocks:
        return NO_BAGS
    kinds: dict[tuple[str, tuple[str, ...], str, str, str], int] = {}
    names = [(tag, classes, own, more.get("role", ""), more.get("itemprop", "")) for tag, _, own, classes, more, _ in page.elements]
    kind = np.array([kinds.setdefault(each, len(kinds)) for each in names])
    named = [_numbers(*each) for each in kinds]
    sizes = np.array([len(each) for each in named], np.intp)
    firsts = np.cumsum(sizes) - sizes
    rows, bag = np.unique([block.element for block in page.blocks], return_inverse=True)
    chain = _chain(page, rows)
    place, level = np.nonzero(chain >= 0)  # row by row, from the element up
    kind = kind[chain[place, level]]
    lengths = sizes[kind]
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    numbers = np.concatenate(named)[np.repeat(firsts[kind], lengths) + within]
    words = _mixed(numbers + np.repeat(np.minimum(level, LIMITS.distinct_levels), lengths).astype(np.uint64), "name")
    whole = np.bincount(place, lengths, len(rows)).astype(np.intp)
    return Bags(words.astype(np.int32), np.concatenate([[0], np.cumsum(whole)]).astype(np.intp), _share(whole), bag)


def _chain(page: Page, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the elements from each row upwards, shape (rows, ancestors + 1), -1 above the body."""
    parents = np.array([element.parent for element in page.elements], np.intp)
    chain = np.full((len(rows), LIMITS.ancestors + 1), -1, np.intp)
    for level in range(LIMITS.ancestors + 1):
        chain[:, level] = rows
        rows = np.where(rows >= 0, parents[rows], -1)
    return chain


@lru_cache(maxsize=20_000)
def _numbers(tag: str, classes: tuple[str, ...], name: str, role: str, prop: str) -> NDArray[np.uint64]:
    """Return the numbers of an element's names."""
    found = {f"t{tag}", f"r{role}", f"p{prop.lower()}"}
    for each in classes[: LIMITS.classes]:
        found.update(_parts("c", each[: LIMITS.name_characters]))
    found.update(_parts("i", name[: LIMITS.name_characters]))
    return np.array([_number(word) for word in sorted(found)], np.uint64)


@lru_cache(maxsize=50_000)
def name_parts(name: str) -> tuple[str, ...]:
    """Return a name's parts in lower case, cut where case, a digit or a delimiter does."""
    return tuple(part.lower() for part in _PART.findall(name))


@lru_cache(maxsize=50_000)
def _parts(kind: str, name: str) -> tuple[str, ...]:
    """Return the words of a name, pairs of them, and the whole, each behind its kind; numbers count alike."""
    parts = ["0" if part.isdigit() else part for part in name_parts(name)]
    whole = "=" + _NUMBER.sub("0", name.lower())
    return tuple(kind + word for word in (*parts, *(f"{one}_{two}" for one, two in pairwise(parts)), whole))


@lru_cache(maxsize=100_000)
def _number(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))


def _mixed(numbers: NDArray[np.uint64], kind: str) -> NDArray[np.intp]:
    """Return the hash of each number, below `SIZE`: words of another kind have others (Fibonacci hashing, Knuth 1973, section 6.4)."""
    salted = (numbers + np.uint64(_number(kind) << 20)) * np.uint64(0x9E3779B97F4A7C15)  # wraps at 2^64, as it should
    return (salted >> np.uint64(65 - SIZE.bit_length())).astype(np.intp)


def fit_lexicon(bags: Bags, content: NDArray[np.bool_], importance: Floats) -> Lexicon:
    """Fit a weight per word; deterministic. `content` and `importance` (how much each counts) have shape (blocks,)."""
    from scipy import sparse  # noqa: PLC0415  (only training needs scipy, and it takes a while to import)
    from scipy.optimize import minimize  # noqa: PLC0415

    values = np.repeat(bags.values, np.diff(bags.starts))
    every = sparse.csr_matrix((values, bags.words, bags.starts), shape=(len(bags.values), SIZE))
    used_bags, bag = np.unique(bags.bag, return_inverse=True)  # blocks that share a bag are identical here: they count together
    matrix = every[used_bags].astype(np.float32)
    used = np.flatnonzero(np.bincount(matrix.indices, minlength=SIZE))
    matrix = matrix[:, used]
    turned = matrix.T.tocsr()
    share = importance / importance.sum()
    right, wrong = (np.bincount(bag, share * of_class, len(used_bags)).astype(np.float32) for of_class in (content, ~content))

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
