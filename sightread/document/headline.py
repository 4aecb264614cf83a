"""The headline of a page: a block that repeats the page's title."""

from __future__ import annotations

from collections.abc import Sequence

from render.page import Block, Page
from render.text.titles import before_site, is_title
from render.text.words import words

MOST_BLOCKS_BETWEEN = 50
"""Most blocks between a headline and the text, such as author, date and share buttons."""
LEAST_SHARED = 0.6
"""Least share of a headline's words that are in the title, as in `labeling.articles.article`."""
FIRST_BLOCKS = 3
"""Number of leading kept blocks among which a block that repeats the title can be the headline."""


def find_headline(page: Page, first: int, last: int) -> int:
    """Return the row of the page's headline, given the first and the last kept row; -1 for none.

    It is the highest heading before the last kept block that repeats the title; else the only heading of level 1, if it is shortly before
    the first kept block and shares most of its words with the title. The name of the site is no headline.
    """
    rows = [row for row, block in enumerate(page.blocks[:last]) if block.heading and is_title(block.text, page.titles)]
    rows = [row for row in rows if not _is_banner(page, page.blocks[row])]
    if not rows:
        highest = [row for row, block in enumerate(page.blocks) if block.heading == 1]
        near = len(highest) == 1 and first - MOST_BLOCKS_BETWEEN <= highest[0] < first
        rows = [row for row in highest if near and _is_about(page, page.blocks[row]) and not _is_banner(page, page.blocks[row])]
    return min(rows, key=lambda row: (page.blocks[row].heading, row), default=-1)


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
