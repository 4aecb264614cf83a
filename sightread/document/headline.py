"""The headline of a page: a block that repeats the page's title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sightread.render.page import Block, Page
from sightread.render.text.titles import before_site, is_title, segments
from sightread.render.text.words import letters, words

MOST_BLOCKS_BETWEEN = 50
"""Most blocks between a headline and the text, such as author, date and share buttons."""
LEAST_SHARED = 0.6
"""Least share of a headline's words that are in the title, as in `sightread.labeling.articles.article`."""
FIRST_BLOCKS = 3
"""Number of leading kept blocks among which a block that repeats the title can be the headline."""

_NUMBER = re.compile(r"^\s*(?:\d+\.)*\d+\.?\s+")
"""Number of a section before its heading."""


def find_headline(page: Page, kept: Sequence[int]) -> int:
    """Return the row of the page's headline, given the kept rows in order; -1 for none.

    It is the highest heading before the last kept block that repeats the title; else the only heading of level 1, if it is shortly before
    the first kept block and shares most of its words with the title. The name of the site is no headline: where a heading is one part of
    the title, and another below it, before the text, is another part, the first one is that name.
    """
    first, last = kept[0], kept[-1]
    rows = [row for row, block in enumerate(page.blocks[:last]) if block.heading and is_title(block.text, page.titles)]
    rows = [row for row in rows if not _is_banner(page, page.blocks[row])]
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
    """Return whether the URL has neither path nor query."""
    _, mark, rest = url.partition("://")
    return bool(mark) and not rest.partition("#")[0].partition("/")[2]
