"""Page type probabilities: article, forum thread, product, and others.

A softmax regression over hashed words (Weinberger et al. 2009) of five sources: the URL, what the page declares, the names of its
elements, its headings, and amounts of content. Each source counts alike, however many words it has.
Probabilities and not a decision: a product's page with forty reviews is two things.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self, get_args

import ada_url
import numpy as np
from numpy.typing import NDArray

from sightread.classify.features.hashed_words import name_parts
from sightread.classify.general.dom_view import dom_view
from sightread.render.labels import PAGE_TYPES, PageType
from sightread.render.network.address import percent_decode
from sightread.render.page import Page
from sightread.render.page.array_types import Floats
from sightread.render.page.page_arrays import PageArrays
from sightread.render.page.view import element_kinds

HASHED_WORDS = 1 << 13
"""Words, hashed. With 2^14 the same: right for .84 of WCXB dev's pages, domains held out."""
REGULARISATION = 3e-5
"""Penalty on the squared weights; with three times as much the log-likelihood is lower by .013, with ten times by .05."""
MOST_ITERATIONS = 200
"""Iterations of L-BFGS."""
NAME_CHARACTERS = 60
"""Characters read of a class, an id or a part of a path."""
MOST_NAMES = 3000
"""Different names of elements that are read."""
_PRICE = re.compile(r"[$€£¥₹\d](?:(?<!\d)\s?\d|(?<=\d)\s?(?:€|USD|EUR|kr\b|zł))")
"""A sign before a number or behind it; the search is several times as fast if both begin with one class of characters."""
_TYPES = re.compile(r'"@type"\s*:\s*(?:"[^"]{1,60}"|\[[^\]]{1,300}\])')
_NAME = re.compile(r"\b\w+(?=\")")
_DECLARED = re.compile(r"(?:article|product|og|twitter|news|book):")

WordSource = Literal["address", "declared", "names", "headings", "amounts"]
SOURCES: tuple[WordSource, ...] = get_args(WordSource)
LEARNED: tuple[tuple[WordSource, ...], ...] = (SOURCES, SOURCES[1:], ("headings", "amounts"))
"""Sources that each page is learned with: pages come without an address, and old ones declare nothing and name little. With the last, the
mean chance of an article rises from .30 to .40 on L3S-GN1's articles, and on WCXB dev as many pages are classified correctly."""

Words = list[tuple[int, float]]
"""Hashed words of a page, and how much each counts."""


@dataclass(frozen=True, slots=True)
class PageTypes:
    """One weight per hashed word and page type."""

    weights: Floats
    """Shape (SIZE, len(PAGE_TYPES))."""
    intercept: Floats
    """Shape (len(PAGE_TYPES),)."""

    @classmethod
    def of(cls, weights: NDArray[np.generic], intercept: NDArray[np.generic]) -> Self:
        """Return stored weights. Raises ValueError if they have another shape."""
        if weights.shape != (HASHED_WORDS, len(PAGE_TYPES)) or intercept.shape != (len(PAGE_TYPES),):
            raise ValueError("its weights of page types are damaged")
        return cls(weights.astype(np.float64), intercept.astype(np.float64))

    def chances(self, words: Words) -> Floats:
        """Return the chance of each kind, in the order of `PAGE_TYPES`; shape (len(PAGE_TYPES),)."""
        rows, values = zip(*words, strict=True) if words else ((), ())
        odds = np.array(values) @ self.weights[list(rows)] + self.intercept if words else self.intercept
        raised = np.exp(odds - odds.max())
        return np.asarray(raised / raised.sum(), np.float64)


class LazyChances(Mapping[PageType, float]):
    """The chance of each type of a page, computed when the first is read: most documents need none."""

    def __init__(self, types: PageTypes, page: Page) -> None:
        self._types, self._page = types, page  # and not its view by markup: documents have the page anyway

    @cached_property
    def _found(self) -> dict[PageType, float]:
        outline = PageArrays(dom_view(self._page).page)
        return dict(zip(PAGE_TYPES, self._types.chances(page_words(outline)).tolist(), strict=True))

    def __getitem__(self, kind: PageType) -> float:
        return self._found[kind]

    def __iter__(self) -> Iterator[PageType]:
        return iter(PAGE_TYPES)

    def __len__(self) -> int:
        return len(PAGE_TYPES)

    def __repr__(self) -> str:
        return repr(self._found)

    def __reduce__(self) -> tuple[type, tuple[Mapping[PageType, float]]]:
        return dict, (self._found,)


def page_words(outline: PageArrays, sources: Sequence[WordSource] = SOURCES) -> Words:
    """Return the words of a page from some of the sources."""
    read: dict[WordSource, Callable[[PageArrays], list[str]]] = {
        "address": _address,
        "declared": _declared,
        "names": _names,
        "headings": _headings,
        "amounts": _amounts,
    }
    found: defaultdict[int, float] = defaultdict(float)
    for source in sources:
        words = set(read[source](outline))
        share = max(len(words), 1) ** -0.5
        for word in words:
            found[zlib.crc32(f"{SOURCES.index(source)}{word}".encode("utf-8", "surrogatepass")) % HASHED_WORDS] += share
    return sorted(found.items())


def _address(outline: PageArrays) -> list[str]:
    """Return words of the URL: of its host without the last label, of its path with their place, and the names of its parameters."""
    page = outline.page
    try:
        url = ada_url.URL(page.final_url or page.url)
    except ValueError:
        return []
    steps = [step for step in url.pathname.split("/") if step]
    words = [f"depth {min(len(steps), 6)}"]
    for label in url.hostname.split(".")[:-1]:
        words += [f"host {word}" for word in name_parts(label)]
    for place, step in enumerate(steps):
        parts = name_parts(percent_decode(step)[:NAME_CHARACTERS])
        words += [f"digits {len(part)}" if part.isdigit() else f"path {part}" for part in parts[:4]]
        words.append(f"{min(len(parts), 9)} words, {len(steps) - place} from the end")
    return words + [f"query {pair.partition('=')[0].lower()[:NAME_CHARACTERS]}" for pair in url.search.lstrip("?").split("&")[:6] if pair]


def _declared(outline: PageArrays) -> list[str]:
    """Return the types that the page declares: of its JSON-LD, of Open Graph, and the names of its metas."""
    page = outline.page
    types = [found for script in page.json_ld for found in _TYPES.findall(script)]  # those of what it names too: offers, comments
    words = [f"type {kind.lower()}" for found in types for kind in _NAME.findall(found)[1:]]
    words += [f"{meta.name} {meta.content.lower()[:30]}" for meta in page.metas if meta.name in ("og:type", "generator", "twitter:card")]
    return words + [f"meta {meta.name}" for meta in page.metas if _DECLARED.match(meta.name)]


def _names(outline: PageArrays) -> list[str]:
    """Return words of the classes, ids, roles and microdata of the page's elements."""
    kinds = element_kinds(outline.page).kinds
    named = {name[:NAME_CHARACTERS] for _, classes, own, _, _ in kinds for name in (*classes, own)}
    words = {part for name in sorted(named)[:MOST_NAMES] for part in name_parts(name) if len(part) > 2}
    return [*words, *{f"is {each.lower()[:NAME_CHARACTERS]}" for _, _, _, *attributes in kinds for each in attributes if each}]


def _headings(outline: PageArrays) -> list[str]:
    """Return words of the title, and of headings by their level."""
    page = outline.page
    words = [f"title {word}" for title in page.titles[:1] for word in name_parts(title[:1000])[:20]]
    for levels, most in (((1,), 20), ((2, 3), 60)):
        texts = (block.text for block in page.blocks if block.heading in levels)
        words += [f"h{levels[0]} {word}" for word in [part for text in texts for part in name_parts(text[:200])][:most]]
    return words


def _amounts(outline: PageArrays) -> list[str]:
    """Return amounts on a logarithmic scale, as words: of blocks, text, links, prices and tags."""
    page, length = outline.page, outline.length
    kind, kinds = element_kinds(page)
    tags: Counter[str] = Counter()
    for row, count in Counter(kind).items():
        tags[kinds[row][0]] += count
    levels, text = Counter(outline.heading.tolist()), "\0".join(outline.texts)
    whole = float(length.sum()) + 1
    logarithms = {
        "blocks": outline.count,
        "text": whole,
        "prices": len(_PRICE.findall(text)),
        "times": sum(inline.kind == "time" for block in page.blocks for inline in block.inlines),
        "questions": text.count("?"),
        "longest": length.max(initial=0.0),
        "long": (length > 200).sum(),
        "code": tags["code"] + tags["pre"],
        "images": len(page.images),
        "links": len(page.links),
        **{tag: tags[tag] for tag in ("table", "li", "article")},
        **{f"headings {level}": levels[level] for level in (1, 2, 3, 4)},
    }
    words = [f"{name} {int(1.5 * np.log2(1 + value))}" for name, value in logarithms.items()]
    return [*words, f"linked {int(10 * float(outline.linked.sum()) / whole)}"]


def fit_page_types(pages: Sequence[Words], kinds: Sequence[PageType]) -> PageTypes:
    """Fit to the words of pages whose kind is known; deterministic. A word of no page has no weight."""
    from scipy import sparse  # noqa: PLC0415  (only training needs scipy, and it takes a while to import)
    from scipy.optimize import minimize  # noqa: PLC0415

    ends = np.cumsum([0, *(len(words) for words in pages)])
    columns, values = (np.array([pair[part] for words in pages for pair in words]) for part in (0, 1))
    known, places = np.unique(columns, return_inverse=True)
    matrix = sparse.csr_matrix((values, places, ends), shape=(len(pages), len(known)))
    truth = np.array([[kind == each for each in PAGE_TYPES] for kind in kinds], np.float64)

    def loss(flat: Floats) -> tuple[float, Floats]:
        found = flat.reshape(-1, len(PAGE_TYPES))
        odds = matrix @ found[:-1] + found[-1]
        odds -= odds.max(axis=1, keepdims=True)
        logs = odds - np.log(np.exp(odds).sum(axis=1, keepdims=True))
        away = (np.exp(logs) - truth) / len(pages)
        gradient = np.vstack([matrix.T @ away + REGULARISATION * found[:-1], away.sum(axis=0)])
        return float(-(logs * truth).sum() / len(pages) + REGULARISATION / 2 * (found[:-1] ** 2).sum()), gradient.ravel()

    start = np.zeros((len(known) + 1) * len(PAGE_TYPES))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": MOST_ITERATIONS}).x.reshape(-1, len(PAGE_TYPES))
    weights = np.zeros((HASHED_WORDS, len(PAGE_TYPES)))
    weights[known] = found[:-1].astype(np.float16)
    return PageTypes(weights, found[-1].astype(np.float32).astype(np.float64))
