"""Properties of a page that many modules read, computed once per page: elements around others, places, ranges of blocks, the headline.

Its named parts, and names and times of authors, are in `sightread.render.page.parts`, measures as arrays in
`sightread.render.page.page_arrays`.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, count
from typing import NamedTuple

from sightread.render.page import Block, Page, once
from sightread.render.text.words import before_site, is_title, letters, segments, words

MOST_BLOCKS_BETWEEN = 50
"""Most blocks between a headline and the text, such as author, date and share buttons."""
LEAST_SHARED = 0.6
"""Least share of a headline's words that are in the title, as in `sightread.labeling.articles`."""
FIRST_BLOCKS = 3
"""Number of leading kept blocks among which a block that repeats the title can be the headline."""

_NUMBER = re.compile(r"^\s*(?:\d+\.)*\d+\.?\s+")
"""Number of a section before its heading."""


@once
def rows_of_tags(page: Page) -> Mapping[str, Sequence[int]]:
    """Return the rows of the elements of each tag."""
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for row, element in enumerate(page.elements):
        rows[element.tag].append(row)
    return rows


@once
def enclosing(page: Page, tags: Collection[str]) -> Sequence[int]:
    """Return for each element the innermost element of one of the tags around it, itself included; -1 for none."""
    of_tag = rows_of_tags(page)
    return innermost(page, {row for tag in tags if tag in of_tag for row in of_tag[tag]})


def innermost(page: Page, rows: Collection[int]) -> Sequence[int]:
    """Return for each element the innermost one of these elements around it, itself included; -1 for none."""
    if not rows:
        return (-1,) * len(page.elements)
    found = [0 if 0 in rows else -1]
    for row, element in enumerate(page.elements[1:], 1):
        found.append(row if row in rows else found[element.parent])
    return found


def outermost(page: Page, rows: Collection[int]) -> Sequence[int]:
    """Return for each element the outermost one of these elements around it, itself included; -1 for none."""
    if not rows:
        return (-1,) * len(page.elements)
    found = [0 if 0 in rows else -1]
    for row, element in enumerate(page.elements[1:], 1):
        around = found[element.parent]
        found.append(row if around < 0 and row in rows else around)
    return found


LONGEST_NAMES = 8000
"""Characters that are read of the names of an element: models cache what they make of names. Builders of sites write up to 6000."""
Kind = tuple[str, tuple[str, ...], str, str, str]


class ElementKinds(NamedTuple):
    """Elements of a page grouped by their tag, classes, id, role and `itemprop`: a page has a third as many kinds as elements."""

    kind: Sequence[int]
    """Of each element, its row in `kinds`."""
    kinds: Sequence[Kind]


@once
def element_kinds(page: Page) -> ElementKinds:
    """Return the kinds of the page's elements."""
    numbers: defaultdict[Kind, int] = defaultdict(count().__next__)
    kind = [
        numbers[tag, classes, name, more.get("role", "") if more else "", more.get("itemprop", "") if more else ""]
        for tag, _, name, classes, more, _ in page.elements
    ]
    return ElementKinds(kind, tuple(map(_shortened, numbers)))


def _shortened(kind: Kind) -> Kind:
    tag, classes, *names = kind
    if len(tag) + sum(map(len, classes)) + sum(map(len, names)) <= LONGEST_NAMES:
        return kind
    name, role, prop = (each[:LONGEST_NAMES] for each in names)
    return tag[:LONGEST_NAMES], tuple(" ".join(classes)[:LONGEST_NAMES].split()), name, role, prop


@once
def class_places(page: Page) -> Sequence[int]:
    """Return a number for the tags and classes from the body down to each element; ids are left out, they name single elements."""
    numbers: defaultdict[tuple[int, str, tuple[str, ...]], int] = defaultdict(count().__next__)
    places: list[int] = []
    for tag, parent, _, classes, _, _ in page.elements:
        places.append(numbers[places[parent] if parent >= 0 else -1, tag, classes])
    return places


@once
def block_ranges(page: Page) -> tuple[Sequence[int], Sequence[int]]:
    """Return the first block of each element, and the block after its last; the first is not below the second if it has none."""
    first, end = array("i", [len(page.blocks)] * len(page.elements)), array("i", [0] * len(page.elements))
    for row, block in enumerate(page.blocks):
        first[block.element], end[block.element] = min(first[block.element], row), row + 1
    for row in range(len(page.elements) - 1, 0, -1):
        parent = page.elements[row].parent
        first[parent], end[parent] = min(first[parent], first[row]), max(end[parent], end[row])
    return first, end


# The headline.


@once
def titled_headings(page: Page) -> tuple[int, ...]:
    """Return the rows of the headings that repeat the page's title and are not the name of its site."""
    titled = (row for row, block in enumerate(page.blocks) if block.heading and is_title(block.text, page.titles))
    return tuple(row for row in titled if not _is_banner(page, page.blocks[row]))


@once
def whole_headline(page: Page) -> int:
    """Return the row of the page's headline, regardless of what is kept; -1 for none.

    It is the highest heading that repeats the title, else the first of level 1, else the first block that repeats the title.
    """
    first = next((row for row, block in enumerate(page.blocks) if block.heading == 1), -1)
    if titled := titled_headings(page):
        return min(titled, key=lambda row: (page.blocks[row].heading, row))
    return first if first >= 0 else next((row for row, block in enumerate(page.blocks) if is_title(block.text, page.titles)), -1)


def find_headline(page: Page, kept: Sequence[int]) -> int:
    """Return the row of the page's headline, given the kept rows in order; -1 for none.

    It is the highest heading before the last kept block that repeats the title; else the only heading of level 1, if it is shortly before
    the first kept block and shares most of its words with the title. The name of the site is no headline: where a heading is one part of
    the title, and another below it, before the text, is another part, the first one is that name.
    """
    first, last = kept[0], kept[-1]
    rows = [row for row in titled_headings(page) if row < last]
    if not rows:
        highest = [row for row, block in enumerate(page.blocks) if block.heading == 1]
        near = len(highest) == 1 and first - MOST_BLOCKS_BETWEEN <= highest[0] < first
        rows = [row for row in highest if near and _is_about(page, page.blocks[row]) and not _is_banner(page, page.blocks[row])]
    headline = min(rows, key=lambda row: (page.blocks[row].heading, row), default=-1)
    return _below_site_name(page, headline, kept) if headline >= 0 else -1


def _below_site_name(page: Page, headline: int, kept: Sequence[int]) -> int:
    """Return the heading below a headline that is another part of the title, if there is one before the text, else the headline.

    The longer part of a title may be the name of the site: a headline of a few Chinese characters is shorter than most names.
    """
    text = next((row for row in kept if row > headline and not page.blocks[row].heading), headline)
    name = letters(page.blocks[headline].text)
    for title in page.titles:
        parts = {letters(part) for part in segments(title)} - {""}
        for row in range(headline + 1, text) if name in parts else ():
            if page.blocks[row].heading and letters(_NUMBER.sub("", page.blocks[row].text)) in parts - {name}:
                return row
    return headline


def untagged_headline(page: Page, rows: Sequence[int]) -> int:
    """Return the row of an early kept block that repeats the title, if no kept block is a heading of level 1; else -1."""
    if any(page.blocks[row].heading == 1 for row in rows):
        return -1
    return next((row for row in rows[:FIRST_BLOCKS] if is_title(page.blocks[row].text, page.titles)), -1)


def _is_about(page: Page, block: Block) -> bool:
    """Return whether most words of a heading are in a title before the name of its site."""
    own = frozenset(words(block.text))
    titles = (frozenset(words(before_site(title))) for title in page.titles)
    return any(len(own & title) >= LEAST_SHARED * len(own) for title in titles) if own else False


def _is_banner(page: Page, block: Block) -> bool:
    """Return whether a heading is the name of the site: it repeats that name, or is a link to the home page as a whole."""
    if any(meta.name == "og:site_name" and is_title(block.text, (meta.content,)) for meta in page.metas):
        return not any(meta.name == "og:title" and is_title(block.text, (meta.content,)) for meta in page.metas)
    link = next((inline for inline in block.inlines if inline.kind == "link" and inline.end - inline.start == len(block.text)), None)
    return link is not None and _is_start_page(link.target) and not _is_start_page(page.final_url or page.url)


def _is_start_page(url: str) -> bool:
    _, mark, rest = url.partition("://")
    return bool(mark) and not rest.partition("#")[0].partition("/")[2]


# The page without text that is not laid out.


def laid_out(page: Page) -> tuple[Page, tuple[int, ...]]:
    """Return the page with only the blocks that are laid out, and their rows in the page that was given.

    Text that is laid out and kept from view by other means stays: it has a box and a style.
    """
    rows = tuple(row for row, block in enumerate(page.blocks) if block.hidden != "display")
    if len(rows) == len(page.blocks):
        return page, rows
    before = list(accumulate((block.hidden != "display" for block in page.blocks), initial=0))
    images = tuple(image._replace(before=before[image.before]) for image in page.images)
    return replace(page, blocks=tuple(page.blocks[row] for row in rows), images=images), rows
