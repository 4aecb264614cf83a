"""Looks that are once on each page, in slots of the template, and what they hold: prose of the page, or a preview of other text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sightread.labeling.evidence import SiteTable
from sightread.render.page import Block, Page
from sightread.render.page.array_types import Bools, Rows
from sightread.render.text.words import letters, words


@dataclass(frozen=True, slots=True)
class SingleRules:
    """When a look is once on each page, and when it is a slot of the template."""

    blocks_per_page: float = 1.1
    """At most, on the pages that have it: one of ten may have it twice."""
    share_of_pages: float = 0.75
    """Of the site, that have a slot: credits of pictures are on fewer."""


SINGLE = SingleRules()


@dataclass(frozen=True, slots=True)
class ProseRules:
    """When the text of a slot is prose that was written for its page. Shares are 0 to 1."""

    fewest_pages: int = 3
    """Pages that show the slot."""
    judged_pages: int = 50
    """Of more pages, these at even distances are looked at."""
    words: float = 10
    """Least mean over its blocks; in scripts without spaces each character is a word."""
    numbers: float = 0.2
    """Largest share of words with a digit: datelines, prices and sizes have more."""
    different: float = 0.9
    """Least number of texts per page: an advertisement in the language of each page is the same on several."""
    outside_links: float = 0.75
    """Least share of the text that is outside links."""
    recurring: float = 0.15
    """Share of its pairs of neighbouring words that are on half of the pages, from which on it is no prose of its page."""
    templated: float = 0.8
    """Share of those pairs from which on it is a sentence of the template with gaps, as a licence with the name of the page is."""
    previews: float = 0.5
    """Share of the blocks that begin like other text of their page, from which on all are previews."""
    previewed: int = 60
    """Letters and digits by which the beginning of a text is found in another text of its page."""


PROSE = ProseRules()

_PIXELS = re.compile(r"(\d*[1-9]\d{0,3}(?:\.\d{1,6})?)px")


def find_single(table: SiteTable, look: Rows) -> Bools:
    """Return which blocks are of a look that is once on each page that has it, shape (blocks,); copies of a page count for nothing."""
    pages, blocks = pages_and_blocks(table, look)
    return np.asarray((blocks <= SINGLE.blocks_per_page * pages)[look])


def pages_and_blocks(table: SiteTable, look: Rows) -> tuple[Rows, Rows]:
    """Return for each look how many different pages have it, and how many blocks they have of it."""
    is_original = table.original[table.page] == table.page
    looks = int(look.max(initial=-1)) + 1
    pairs = np.unique(np.stack([look, table.page])[:, is_original], axis=1)
    return np.bincount(pairs[0], minlength=looks), np.bincount(look[is_original], minlength=looks)


def find_slots(table: SiteTable, look: Rows, is_single: Bools) -> Bools:
    """Return which blocks are in a slot of the page's template, shape (blocks,): of a look that most pages have, each once (`find_single`).

    Such is the site's motto, or the line of tags below each article. Text larger than the body's is none: it may be the headline of pages
    without titles.
    """
    first = np.unique(look, return_index=True)[1]
    pages, _ = pages_and_blocks(table, look)
    is_slot = (pages >= SINGLE.share_of_pages * len(set(table.original.tolist()))) & is_single[first]
    for number in np.flatnonzero(is_slot).tolist():
        row = int(first[number])
        is_slot[number] = font_scale(table.pages[table.page[row]], table.block(row)) <= 1
    return np.asarray(is_slot[look])


def find_prose(table: SiteTable, look: Rows, is_single: Bools) -> tuple[Bools, Bools]:
    """Return which blocks are prose that was written for their page, in slots of the template, and which are sentences of the template.

    Both of shape (blocks,), of a look that most pages have, each once; mostly outside links and of at least some words. Prose has few
    numbers, and is in other words on other pages: the summary of an article, the description of a product.
    """
    prose, templated = np.zeros(len(look), np.bool_), np.zeros(len(look), np.bool_)
    for slot in _text_slots(table, look, is_single):
        numbers = np.mean([any(map(str.isdigit, word)) for text in slot.texts for word in text])
        recurring = _recurring_share(slot.texts)
        different = len(set(map(tuple, slot.texts))) / len(slot.texts)
        prose[slot.rows] = numbers <= PROSE.numbers and recurring < PROSE.recurring and different >= PROSE.different
        templated[slot.rows] = recurring >= PROSE.templated
    return prose, templated


def find_previews(table: SiteTable, look: Rows, is_single: Bools, likely: Bools) -> Bools:
    """Return which blocks preview other text of their page, shape (blocks,): the last message of a chat, in the list of chats.

    Of a look as for `find_prose`, whose beginning is on most pages in a longer text, or in one of a look that is there several times, that
    is `likely` content.
    """
    found = np.zeros(len(look), np.bool_)
    singles, likelies = table.by_page(is_single), table.by_page(likely)
    others: dict[int, list[tuple[str, bool]]] = {}
    for slot in _text_slots(table, look, is_single):
        for page in set(table.page[slot.judged].tolist()) - others.keys():
            blocks = zip(table.pages[page].blocks, singles[page].tolist(), likelies[page].tolist(), strict=True)
            others[page] = [(letters(block.text), is_one) for block, is_one, is_likely in blocks if is_likely]
        copied = [_is_preview(table.block(row), others[int(table.page[row])]) for row in slot.judged]
        found[slot.rows] = np.mean(copied) > PROSE.previews
    return found


class _TextSlot(NamedTuple):
    """A slot of the template that holds text: its blocks, and those to judge it by with their words, no two on copies of a page."""

    rows: Rows
    judged: list[int]
    texts: list[list[str]]


def _text_slots(table: SiteTable, look: Rows, is_single: Bools) -> Iterator[_TextSlot]:
    """Yield each look that most pages have, each once, with enough words and mostly outside links.

    Headings are left out: a headline repeats text of its page.
    """
    pages, _ = pages_and_blocks(table, look)
    fewest = max(PROSE.fewest_pages, SINGLE.share_of_pages * len(set(table.original.tolist())))
    is_original = table.original[table.page] == table.page
    for number in np.unique(look[is_single & (pages >= fewest)[look]]).tolist():
        rows = np.flatnonzero(look == number)
        is_text = table.outside_links[rows].sum() >= max(1.0, PROSE.outside_links * table.length[rows].sum())
        if not is_text or table.block(rows[0]).heading:
            continue
        originals = rows[is_original[rows]]
        judged = originals[:: -(-len(originals) // PROSE.judged_pages)].tolist()
        texts = [words(table.block(row).text) for row in judged]
        if sum(map(len, texts)) >= PROSE.words * len(texts):
            yield _TextSlot(rows, judged, texts)


def _recurring_share(texts: Sequence[Sequence[str]]) -> float:
    """Return the share of the pairs of neighbouring words that are in half of the texts, each given as words."""
    in_texts = Counter(pair for text in texts for pair in set(pairwise(text)))
    pairs = Counter(pair for text in texts for pair in pairwise(text))
    recurring = sum(times for pair, times in pairs.items() if in_texts[pair] >= max(2, len(texts) / 2))
    return recurring / max(pairs.total(), 1)


def _is_preview(block: Block, others: Sequence[tuple[str, bool]]) -> bool:
    """Return whether the beginning of a block is in another text: a longer one, or one of a look that is not single."""
    own = letters(block.text)
    beginning = own[: PROSE.previewed]
    return bool(own) and any(beginning in other and (len(other) > len(own) or not is_single) for other, is_single in others)


def font_scale(page: Page, block: Block) -> float:
    """Return the block's font size in units of the body's; 1 if either is not known."""
    body, own = (_PIXELS.fullmatch(style.get("font-size", "")) for style in (page.body_style, page.style_of(block)))
    return float(own[1]) / float(body[1]) if own and body else 1.0
