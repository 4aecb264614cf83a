"""Training data: the blocks of many pages as arrays, and out-of-fold scores of the lexicons: on their own training blocks these are biased.

Data augmentation: alters the markup of training pages so that models generalise to unseen sites.

Training pages come from the sites and years that they come from: most of them long, with informative names. An augmented page may have less
text (a short notice amid all that surrounds an article, or a text with next to nothing around it), have boxes of another site, and less
informative markup (random names or none, `div` or table cells for everything, lists without list markup, headings that are bold lines).
What a block is stays as it was. This is augmentation as it is done with images (Simard et al. 2003).

Pages of a teacher and those of generated text are augmented: copies of all pages cost .004 of word F1 on WCXB dev, copies of these give
.003 on six other sets and cost nothing (docs/experiments/global-model.md).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sightread.classify.evaluation import domain_folds
from sightread.classify.features.blocks import block_features
from sightread.classify.features.hashed_words import Bags, Lexicon, container_names, first_words, fit_lexicon
from sightread.classify.general.page_type import LEARNED, PageTypes, fit_page_types, page_words
from sightread.classify.model import Model
from sightread.render.labels import CONTENT, THRESHOLD, PageType
from sightread.render.page import Block, Element, Page
from sightread.render.page.array_types import Bools, Features, Floats, Rows
from sightread.render.page.page_arrays import PageArrays


@dataclass(frozen=True, slots=True)
class AugmentationShares:
    """Shares of the training pages that are altered in one way, 0 to 1."""

    content_cut: float = 0.45
    """Pages whose content ends early, if it is prose."""
    others_cut: float = 0.15
    """Pages with little text around their content."""
    without_names: float = 0.6
    """Pages whose names are uninformative: half of these have none, and half have others on each page."""
    plain_landmarks: float = 0.7
    """Of those, the pages whose landmarks are plain boxes too."""
    without_tags: float = 0.2
    """Pages without `p`, and pages without headings."""
    old_markup: float = 0.15
    """Pages laid out in table cells, and pages whose lists have no list markup."""
    grafted: float = 0.5
    """Pages with boxes of another page beside their content."""
    grafted_before: float = 0.4
    """Of these boxes, those that are before the content."""


@dataclass(frozen=True, slots=True)
class AugmentationLimits:
    """How much of a page is altered."""

    least_prose: float = 0.7
    """Share of the characters of content in paragraphs, from which on it is prose. Sites do not cut a list of goods short."""
    paragraph_characters: int = 80
    most_content_kept: float = 0.6
    """Share of the content blocks; the number that is kept is drawn evenly on a logarithmic scale."""
    most_others_kept: float = 0.3
    """Share of the other blocks, all in one run."""
    most_grafts: int = 3
    """Boxes from another page."""
    graft_blocks: int = 4
    """Least blocks of such a box."""
    graft_characters: int = 150
    """Least characters of such a box."""
    graft_depth: int = 3
    """Elements from the body down, to one of which the boxes are appended."""


SHARES = AugmentationShares()
LIMITS = AugmentationLimits()
FOREIGN = -1
"""In place of a block of the page: another page's."""
BOXES = frozenset(("div", "section", "main", "article"))
ITEMS = ("div", "p", "td")
LANDMARKS = frozenset(
    ["article", "main", "header", "footer", "nav", "aside", "section", "figure", "figcaption", "address", "hgroup", "details", "summary"]
)
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
TEXT_ATTRIBUTES = frozenset(("role", "itemprop", "aria-hidden"))
"""Attributes that declare the purpose of an element."""


def augment(page: Page, content: Bools, other: Page, others: Bools, seed: int) -> tuple[Page, Rows]:
    """Return an altered copy of the page, drawn by the seed, and which block of the page each of its blocks is, `FOREIGN` for the other's.

    `content` is which blocks of the page are content, and `others` which may be of the page that boxes are taken from; shape (blocks,).
    """
    chance = np.random.default_rng(seed)
    page, rows = _keep(page, _amount(page, content, chance))
    if chance.random() < SHARES.grafted:
        page, rows = _graft(page, rows, content[rows], other, _boxes(other, others), chance)
    if chance.random() < SHARES.without_names:
        page = _without_names(page, chance)
    tags: dict[str, str] = {}
    if chance.random() < SHARES.without_tags:
        tags["p"] = "div"
    if chance.random() < SHARES.without_tags:
        tags |= dict.fromkeys(HEADINGS, "div")
        page = replace(page, blocks=tuple(msgspec.structs.replace(block, heading=0) for block in page.blocks))
    if chance.random() < SHARES.old_markup:
        tags |= dict.fromkeys(BOXES, "td")
    if chance.random() < SHARES.old_markup:
        tags |= {"ul": "div", "ol": "div", "li": ITEMS[int(chance.integers(len(ITEMS)))]}
    return _retagged(page, tags), rows


def _amount(page: Page, content: Bools, chance: Generator) -> Bools:
    """Return which blocks stay."""
    stays = np.ones(len(content), np.bool_)
    draw, inside, around = chance.random(), np.flatnonzero(content), np.flatnonzero(~content)
    if draw < SHARES.content_cut and _is_prose(page, inside):
        stays[inside[max(1, int((LIMITS.most_content_kept * len(inside)) ** chance.random())) :]] = False
    elif draw < SHARES.content_cut + SHARES.others_cut and len(inside) and len(around):
        first = int(chance.integers(len(around)))
        stays = content.copy()
        stays[around[first : first + int(LIMITS.most_others_kept * len(around) * chance.random())]] = True
    return stays


def _is_prose(page: Page, rows: Rows) -> bool:
    """Return whether these blocks are mostly paragraphs."""
    length = np.array([len(page.blocks[row].text) for row in rows.tolist()])
    return bool(length[length >= LIMITS.paragraph_characters].sum() > LIMITS.least_prose * length.sum())


def _keep(page: Page, stays: Bools) -> tuple[Page, Rows]:
    rows = np.flatnonzero(stays)
    before = np.concatenate([[0], np.cumsum(stays)]).tolist()
    images = tuple(image._replace(before=before[image.before]) for image in page.images)
    return replace(page, blocks=tuple(page.blocks[row] for row in rows.tolist()), images=images), rows


def _boxes(page: Page, is_content: Bools) -> list[int]:
    """Return the elements that hold no content but are beside some, or in the body, and have text."""
    arrays = PageArrays(page)
    blocks, content = arrays.blocks_below, arrays.sum_elements(is_content.astype(np.float64))
    characters = arrays.sum_elements(np.array([len(block.text) for block in page.blocks], np.float64))
    return [
        row
        for row in range(1, len(page.elements))
        if not content[row] and blocks[row] >= LIMITS.graft_blocks and characters[row] >= LIMITS.graft_characters
        if content[(above := page.elements[row].parent)] or not above
    ]


def _graft(page: Page, rows: Rows, is_content: Bools, other: Page, boxes: Sequence[int], chance: Generator) -> tuple[Page, Rows]:
    """Return the page with some of these boxes of another before and after all that the body, or an element near it, holds."""
    if not boxes or not page.blocks:
        return page, rows
    chosen = sorted(chance.choice(boxes, min(len(boxes), int(chance.integers(1, LIMITS.most_grafts + 1))), replace=False).tolist())
    content = np.flatnonzero(is_content)
    above = list(page.ancestors(page.blocks[int(content[0])].element))[-LIMITS.graft_depth :] if len(content) else [0]
    host = above[int(chance.integers(len(above)))]
    within = [row for row, block in enumerate(page.blocks) if host in page.ancestors(block.element)]
    first, end = within[0], within[-1] + 1
    elements = list(page.elements)
    sides: tuple[list[Block], list[Block]] = ([], [])
    for box in chosen:
        taken: dict[int, int] = {}
        for row, element in enumerate(other.elements[box:], box):
            if row == box or element.parent in taken:
                taken[row] = len(elements)
                elements.append(element._replace(parent=host if row == box else taken[element.parent]))
        side = sides[0] if chance.random() < SHARES.grafted_before else sides[1]
        side += [
            msgspec.structs.replace(block, element=taken[block.element], style=None, box=None)
            for block in other.blocks
            if block.element in taken
        ]
    before, after = sides
    moved = [len(before) * (image.before > first) + len(after) * (image.before >= end) for image in page.images]
    grafted = replace(
        page,
        elements=tuple(elements),
        blocks=(*page.blocks[:first], *before, *page.blocks[first:end], *after, *page.blocks[end:]),
        images=tuple(image._replace(before=image.before + by) for image, by in zip(page.images, moved, strict=True)),
    )
    foreign = [np.full(len(side), FOREIGN) for side in sides]
    return grafted, np.concatenate([rows[:first], foreign[0], rows[first:end], foreign[1], rows[end:]])


def _without_names(page: Page, chance: Generator) -> Page:
    """Return the page without its names and metadata; elements of one name still share one, or all have none."""
    salt, has_names, is_plain = int(chance.integers(1 << 32)), chance.random() < 1 / 2, chance.random() < SHARES.plain_landmarks

    def rename(name: str) -> str:
        return f"x{zlib.crc32(name.encode('utf-8', 'surrogatepass'), salt):x}"

    elements = tuple(
        element._replace(
            id=rename(element.id) if has_names and element.id else "",
            classes=tuple(map(rename, element.classes)) if has_names else (),
            attributes={name: value for name, value in element.attributes.items() if name not in TEXT_ATTRIBUTES},
        )
        for element in page.elements
    )
    page = replace(page, elements=elements, url="", final_url="", canonical="", descriptions=(), metas=(), json_ld=())
    return _retagged(page, dict.fromkeys(LANDMARKS, "div") if is_plain else {})


def _retagged(page: Page, tags: Mapping[str, str]) -> Page:
    return replace(page, elements=tuple(_with_tag(element, tags) for element in page.elements)) if tags else page


def _with_tag(element: Element, tags: Mapping[str, str]) -> Element:
    return element._replace(tag=tags[element.tag]) if element.tag in tags else element


FOLDS = 4
"""Parts of the sites, each held out once."""


def without_browser(page: Page) -> Page:
    """Return the page as static HTML would give it: no box, no style, no looks that differ by either."""
    if page.source == "static":
        return page
    blocks = tuple(msgspec.structs.replace(block, style=None, box=None) for block in page.blocks)
    return replace(page, blocks=blocks, styles=(), body_style={}, document=None)


@dataclass(frozen=True, slots=True)
class TrainingBlocks:
    """All blocks of some pages, arrays of shape (blocks,) and `features` of shape (blocks, len(NAMES))."""

    outlines: tuple[PageArrays, ...]
    features: Features
    words: Bags
    names: Bags
    content: Floats
    """The chance that a block is content: 0 or 1 if a person decided."""
    known: Bools
    """Whether there is a label."""
    page: NDArray[np.intp]
    fold: NDArray[np.intp]
    """The fold of each page's domain, shape (pages,)."""
    taught: Bools
    """Whether a teacher decided, or the page is a copy, shape (pages,): of these neither words nor names are learned."""
    natural: Bools
    """Whether people wrote a page's text, shape (pages,): of generated text neither words nor page types are learned."""

    @classmethod
    def of(
        cls,
        given: Sequence[Page],
        labels: Sequence[NDArray[np.int8]],
        generated: Sequence[bool] = (),
        unlabelled: Sequence[Page] = (),
        teacher: Model | None = None,
    ) -> TrainingBlocks:
        """Return the blocks of pages, as static HTML gives them, with one label per block (-1: unknown). `generated` is whether the text of
        each page is generated; by default it is of none.

        Behind them are those of unlabelled pages, with what a teacher makes of them, and of an augmented copy of each of these and of each
        page of generated text (a noisy student; Xie et al. 2020): a block keeps the chance that it has on its own page, and what is another
        page's has none.
        """
        read = [teacher.predict(without_browser(page)) for page in unlabelled] if teacher is not None else []
        pages = [without_browser(page) for page in (*given, *unlabelled[: len(read)])]
        content = [*((of_page == CONTENT).astype(np.float64) for of_page in labels), *(each.probabilities for each in read)]
        known = [*(of_page >= 0 for of_page in labels), *(np.ones(len(each.probabilities), np.bool_) for each in read)]
        kept = [*(of_page == CONTENT for of_page in labels), *(each.relative >= THRESHOLD for each in read)]
        fold, taught = domain_folds(pages, FOLDS), np.arange(len(pages)) >= len(given)
        natural = np.ones(len(pages), np.bool_)
        natural[: len(generated)] = ~np.array(generated, np.bool_)
        copied = np.flatnonzero(taught | ~natural)
        others = copied[_others(2 * fold[copied] + natural[copied])]
        pairs = zip(copied.tolist(), others.tolist(), strict=True)
        copies = [augment(pages[row], kept[row], pages[other], kept[other] | ~known[other], row) for row, other in pairs]
        for row, (_, rows) in zip(copied.tolist(), copies, strict=True):
            content.append(np.where(rows == FOREIGN, 0.0, content[row][rows]))
            known.append((rows == FOREIGN) | known[row][rows])
        outlines = [PageArrays(page) for page in (*pages, *(copy for copy, _ in copies))]
        return cls(
            tuple(outlines),
            np.concatenate([block_features(outline) for outline in outlines]),
            Bags.joined([first_words(outline) for outline in outlines]),
            Bags.joined([container_names(outline) for outline in outlines]),
            np.concatenate(content),
            np.concatenate(known),
            np.repeat(np.arange(len(outlines)), [outline.count for outline in outlines]),
            np.concatenate([fold, fold[copied]]),
            np.concatenate([taught, np.ones(len(copied), np.bool_)]),
            np.concatenate([natural, natural[copied]]),
        )

    @property
    def plain(self) -> Bools:
        """Whether a person labelled a block: names are learned from such alone."""
        return self.known & ~self.taught[self.page]

    @property
    def natural_blocks(self) -> Bools:
        """Whether a block is plain and people wrote the text of its page: words are learned from such alone."""
        return self.plain & self.natural[self.page]

    @property
    def lengths(self) -> Floats:
        """Characters of each block."""
        return np.concatenate([outline.length for outline in self.outlines])

    @property
    def importance(self) -> Floats:
        """How much a labelled block counts: the root of its length, and a page as the root of the sum of that over its blocks."""
        roots = np.sqrt(self.lengths + 1) * self.known
        of_page = np.bincount(self.page, roots)[self.page]
        return roots / np.sqrt(np.maximum(of_page, 1.0))

    def held_out(self) -> Iterator[tuple[Bools, Bools]]:
        """Yield the blocks of each fold of sites, and the plain ones of the others; no fold without which a class is missing."""
        for number in np.unique(self.fold):
            held_out = self.fold[self.page] == number
            rest = self.plain & ~held_out
            if len(np.unique(self.content[rest] > 0)) == len((False, True)):
                yield held_out, rest


def fit_lexicons(training: TrainingBlocks) -> tuple[dict[str, Lexicon], dict[str, Floats]]:
    """Return the lexicons fitted to all blocks, and the out-of-fold scores of each block, grouped by site, shape (blocks,); 0 where no
    lexicon could be fitted. By the names of `LEXICONS`.
    """
    lexicons, scores = {}, {}
    vocabularies = {"words": (training.words, training.natural_blocks), "names": (training.names, training.plain)}
    for name, (bags, rows) in vocabularies.items():
        scores[name] = np.zeros(len(training.content))
        for held_out, rest in training.held_out():
            scores[name][held_out] = _lexicon(training, bags, rows & rest).decide(bags.of_rows(held_out))
        lexicons[name] = _lexicon(training, bags, rows)
    return lexicons, scores


def _others(groups: Rows) -> Rows:
    """Return for each page one of its group, by chance, seldom itself."""
    chance = np.random.default_rng(0)
    rows = {number: np.flatnonzero(groups == number) for number in np.unique(groups).tolist()}
    return np.array([chance.choice(rows[number]) for number in groups.tolist()], np.intp)


def _lexicon(training: TrainingBlocks, bags: Bags, rows: Bools) -> Lexicon:
    return fit_lexicon(bags.of_rows(rows), training.content[rows] > 0, training.importance[rows])


def fit_types(training: TrainingBlocks, kinds: Sequence[PageType | None]) -> PageTypes:
    """Fit to pages of known types, as they are, read from all sources and from some; deterministic. `kinds` has shape (pages,),
    None for an unknown type.
    """
    typed = {row: kind for row, kind in enumerate(kinds) if kind is not None}
    words = [page_words(training.outlines[row], sources) for sources in LEARNED for row in typed]
    return fit_page_types(words, [*typed.values()] * len(LEARNED))
