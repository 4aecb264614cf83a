"""Measures of the blocks of a site: each is a function from the table of the site to one number per block, or whether a property holds.

`sightread.labeling.combination` weighs them. A look is a signature (`sightread.labeling.looks`) at a path of tags and classes. Ours, not
the paper's.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence import SiteTable
from sightread.render.page import Block, Page
from sightread.render.page.array_types import Bools, Floats, Rows
from sightread.render.page.view import enclosing, whole_headline
from sightread.render.text.words import words

Groups = NDArray[np.int32] | Rows
"""Numbers of groups, one per block, from 0 on."""


@dataclass(frozen=True, slots=True)
class MeasureRules:
    """When a measure holds. Shares are 0 to 1."""

    fewest_pages: int = 3
    """Different pages on which a look or a text is common; 2 on sites with fewer pages."""
    most_pages: float = 0.5
    """Share of the pages that have a headline in its look, or a text outside of their content."""
    slot_pages: float = 0.8
    """Share of the pages that have a slot of the template: credits of pictures are on fewer."""
    blocks_per_page: float = 1.1
    """Most blocks of a slot on the pages that have it: one of ten may have it twice."""
    prose_words: float = 10
    """Least mean of words of the blocks of prose; in scripts without spaces each character is a word."""
    different: float = 0.9
    """Least number of texts of prose per page: an advertisement in the language of each page is the same on several."""
    outside_links: float = 0.75
    """Least share of the text of prose that is outside links."""
    recurring: float = 0.15
    """Share of the pairs of neighbouring words that are on half of the pages, from which on a slot holds no prose of its page."""
    numbers: float = 0.2
    """Largest share of words with a digit in prose: datelines, prices and sizes have more."""
    dated: float = 0.8
    """Least share of a look's blocks with a year, an age or a time, if it is one of datelines."""
    longest_dateline: int = 200
    """Characters."""
    years: tuple[int, int] = (1990, 2040)
    edge: float = 0.01
    """Share of the content's characters on a page that may be before its first or after its last block inside the content."""


RULES = MeasureRules()


# Looks, and pages that have them.


def find_looks(table: SiteTable) -> tuple[Rows, Rows]:
    """Return a number for the path of tags with classes of each block, and one for its look; the same for equal ones of any page."""
    numbers: dict[tuple[int, str, tuple[str, ...]], int] = {}
    found = []
    for page in table.pages:
        of_element: list[int] = []
        for element in page.elements:
            above = of_element[element.parent] if element.parent >= 0 else -1
            of_element.append(numbers.setdefault((above, element.tag, element.classes), len(numbers)))
        found += [of_element[block.element] for block in page.blocks]
    path = np.array(found, np.intp)
    return path, number_pairs(path, table.looks.signature)


def number_pairs(one: Groups, other: Groups) -> Rows:
    """Return a number for each distinct pair, from 0 on."""
    key = one.astype(np.int64) * (int(other.max(initial=0)) + 1) + other
    numbers: Rows = np.unique(key, return_inverse=True)[1]
    return numbers


def count_pages(table: SiteTable, groups: Groups) -> Rows:
    """Return for each block how many different pages have its group."""
    pairs = np.unique(np.stack([groups.astype(np.int64), table.original[table.page]]), axis=1)
    pages: Rows = np.bincount(pairs[0])[groups]
    return pages


def is_common(table: SiteTable, groups: Groups) -> Bools:
    """Return for each block whether enough different pages have its group."""
    return count_pages(table, groups) >= min(RULES.fewest_pages, max(2, table.different))


def mean_of_groups(table: SiteTable, groups: Groups, values: Floats | Bools) -> Floats:
    """Return for each block the mean of the values of its group, by the square root of their length."""
    weight = np.sqrt(table.length + 1)
    return np.asarray((np.bincount(groups, weight * values) / np.maximum(np.bincount(groups, weight), 1e-9))[groups])


# Measures.


def mean_prediction(table: SiteTable, path: Rows, look: Rows, prediction: Floats) -> Floats:
    """Return the mean predicted log-odds of each block's look; of its path if few pages have the look, its own if few have the path."""
    mean = prediction
    for groups in (path, look):
        mean = np.where(is_common(table, groups), mean_of_groups(table, groups, prediction), mean)
    return mean


def repeated_share(table: SiteTable, look: Rows) -> Floats:
    """Return the share of the texts of each block's look that are common, word for word."""
    return mean_of_groups(table, look, is_common(table, number_pairs(look, table.text)))


def frames_content(table: SiteTable, look: Rows, is_content: Bools) -> Bools:
    """Return which blocks have a text that half of the pages show in this look, before the first or after the last of their content.

    Links to indexes and licences may share the style of paragraphs.
    """
    length = (table.length * is_content).astype(np.float64)
    outside = []
    for of_page in table.by_page(length):
        up_to = np.cumsum(of_page)
        whole = up_to[-1] if len(of_page) else 0.0
        outside.append(np.minimum(up_to - of_page, whole - up_to) < RULES.edge * whole)
    text = number_pairs(look, table.text)
    is_frequent = is_common(table, text) & (count_pages(table, text) >= RULES.most_pages * table.different)
    return np.asarray(np.concatenate([np.zeros(0, np.bool_), *outside]) & is_frequent)


def is_headline(table: SiteTable, look: Rows) -> Bools:
    """Return which blocks are of a look of headlines: half of the pages have their headline in it, each another one."""
    headlines = [np.arange(len(page.blocks)) == whole_headline(page) for page in table.pages]
    share = np.bincount(look, np.concatenate([np.zeros(0, np.bool_), *headlines])) / np.maximum(np.bincount(look), 1)
    found = np.zeros(len(look), np.bool_)
    for number in np.flatnonzero(share >= RULES.most_pages).tolist():
        rows = np.flatnonzero(look == number)
        different = min(len(set(table.original[table.page[rows]].tolist())), len(set(table.text[rows].tolist())))
        found[rows] = different >= RULES.most_pages * table.different
    return found


def is_prose(table: SiteTable, look: Rows) -> Bools:
    """Return which blocks are prose that was written for their page: the summary of an article, the description of a product.

    Of a look that is in a slot of the template: most pages have it, each once. It is no heading and mostly outside links, has some words on
    average, few numbers, and is in other words on other pages.
    """
    is_original = table.original[table.page] == table.page  # copies of a page count for nothing
    pages, blocks = count_pages(table, look), np.bincount(look, is_original)[look]
    is_slot = (pages >= max(RULES.fewest_pages, RULES.slot_pages * table.different)) & (blocks <= RULES.blocks_per_page * pages)
    found = np.zeros(len(look), np.bool_)
    for number in np.unique(look[is_slot]):
        rows = np.flatnonzero(look == number)
        texts = [words(table.block(row).text) for row in rows[is_original[rows]]]
        count = sum(map(len, texts))
        numbers = sum(any(map(str.isdigit, word)) for text in texts for word in text)
        is_text = not table.block(rows[0]).heading and count >= RULES.prose_words * len(texts) and numbers <= RULES.numbers * count
        is_text &= table.outside_links[rows].sum() >= RULES.outside_links * table.length[rows].sum()
        is_text &= len(set(map(tuple, texts))) >= RULES.different * len(texts)
        found[rows] = is_text and _recurring_share(texts) < RULES.recurring
    return found


def _recurring_share(texts: Sequence[Sequence[str]]) -> float:
    """Return the share of the pairs of neighbouring words that are in half of the texts, each given as words."""
    in_texts = Counter(pair for text in texts for pair in set(pairwise(text)))
    pairs = Counter(pair for text in texts for pair in pairwise(text))
    recurring = sum(times for pair, times in pairs.items() if in_texts[pair] >= max(2, len(texts) / 2))
    return recurring / max(pairs.total(), 1)


_NO_DATELINE = frozenset({"td", "th", "dd", "dt", "pre", "code", "figcaption", "caption", "blockquote"})
"""Tags whose text belongs to the content though it holds a year: tables, definitions, code, captions, quotations."""
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_AGE = re.compile(
    r"\d[\w\s,]{0,200}?(?:\b(?:ago|geleden|fa|temu|назад|тому|önce|पहले)\b|[前전])|\b(?:vor|il y a|hace|há|منذ|לפני)\s+\d", re.IGNORECASE
)
"""The age of an article in the commonest languages: "2 years, 10 months ago", "vor 3 Tagen", "3 天前"."""


def is_dateline(table: SiteTable, look: Rows) -> Bools:
    """Return which blocks are of a look of datelines: of an article, or of each post of a thread.

    Most of its blocks are short lines with a year, an age or a time in any language, and most other words recur on other pages in this
    look. They are in the container of the article without being about it, so relevance is no evidence for them.
    """
    dated = np.concatenate([np.zeros(0, np.bool_), *map(_dated_lines, table.pages)])
    share = np.bincount(look, dated) / np.maximum(np.bincount(look), 1)
    found = np.zeros(len(dated), np.bool_)
    for number in np.flatnonzero(share >= RULES.dated).tolist():
        rows = np.flatnonzero(look == number)
        found[rows] = _recurs(table, rows)
    return found


def _dated_lines(page: Page) -> Bools:
    """Return which blocks are short lines with a year, an age or a declared time, outside of what holds years itself; shape (blocks,)."""
    around = enclosing(page, _NO_DATELINE)
    return np.array([around[block.element] < 0 and _is_dated(block) for block in page.blocks], np.bool_)


def _is_dated(block: Block) -> bool:
    if block.hidden or block.heading or len(block.text) > RULES.longest_dateline:
        return False
    low, high = RULES.years
    return (
        any(mark.kind == "time" for mark in block.inlines)
        or _AGE.search(block.text) is not None
        or any(low <= int(year) <= high for year in _YEAR.findall(block.text))
    )


def _recurs(table: SiteTable, rows: Rows) -> bool:
    """Return whether half of the words of the blocks, but for numbers, are on several pages in the same look."""
    pages = table.original[table.page[rows]].tolist()
    of_block = [{word for word in words(table.block(row).text) if not word.isdigit()} for row in rows]
    on: defaultdict[str, set[int]] = defaultdict(set)
    for page, found in zip(pages, of_block, strict=True):
        for word in found:
            on[word].add(page)
    recurring = sum(len(on[word]) >= RULES.fewest_pages for found in of_block for word in found)
    return len(set(pages)) >= RULES.fewest_pages and 2 * recurring >= sum(map(len, of_block))
