"""Notices that a page requires scripts, in any language: short blocks that name JavaScript, where pages put such notices."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sightread.render.page import Block, Element, Page
from sightread.render.page.page_arrays import innermost
from sightread.render.text.words import count_words

LONGEST_NOTICE = 300
"""Characters; a longer text that names JavaScript is about it."""
BARE_WORDS = 12.0
"""Words outside links of a page that has nothing to read besides its notices."""

_SPELLINGS = (
    *("java script", "джава скрипт", "ява скрипт", "τζάβα σκριπτ", "גאווה סקריפט", "ג'אווה סקריפט", "جافا سكريبت", "جافا سكربت"),
    *("جاوا اسکریپت", "जावा स्क्रिप्ट", "জাভা স্ক্রিপ্ট", "จาวา สคริปต์", "자바 스크립트", "ジャバ スクリプト", "ჯავა სკრიპტ"),
)
_JAVASCRIPT = tuple(spelling.replace(" ", between) for spelling in _SPELLINGS for between in ("", " ", "-", "\u200c"))
_SCRIPTS = re.compile(
    r"(?<![a-z])(?:java|ecma)?s[ck]ript|\bjs\b|скрипт|σκριπτ|סקריפט|سكر[يب]|اسکریپت|स्क्रिप्ट|স্ক্রিপ্ট|สคริปต์|スクリプト|스크립트|სკრიპტ|脚本|腳本",
    re.IGNORECASE,
)
"""Words for scripts, in places for notices: elsewhere they may be stage plays."""
_MARKED = re.compile(
    r"(?<![a-z])(?:(?:no|without|disabled|missing|enable|require)[-_]?(?:js|java-?script|script)|(?:js|java-?script|scripts?)[-_]?"
    r"(?:off|disabled|required|needed|missing|warning|notice|message|alert|error))(?![a-z])",
    re.IGNORECASE,
)
"""Ids and classes of notices."""
_CODE_TAGS = ("pre", "code", "listing", "textarea")


def script_notices(page: Page) -> frozenset[int]:
    """Return the rows of the blocks that state only that the page requires scripts.

    Places for them are a `<noscript>` and elements whose id or class names a notice. In a short text there every block that names scripts
    is one, and all of it if it begins with one; in a longer text the first and the last block may be, or all together. Elsewhere it is a
    notice if it is the only mention of JavaScript in a page without other text, or is before or after all of its text.
    """
    places = [row for row, element in enumerate(page.elements) if element.tag == "noscript" or _is_marked(element)]
    short = [row for row, block in enumerate(page.blocks) if len(block.text) <= LONGEST_NOTICE]
    if not places and not _name_javascript(page.blocks[row].text for row in short):
        return frozenset()
    within = innermost(page, frozenset(places))
    groups: dict[int, list[int]] = {}
    for row, block in enumerate(page.blocks):
        if within[block.element] >= 0:
            groups.setdefault(within[block.element], []).append(row)
    notices = frozenset(row for rows in groups.values() for row in _notices_among(page, rows))
    unscripted = (rows for place, rows in groups.items() if page.elements[place].tag == "noscript")
    bare = notices.union(*(rows for rows in unscripted if _length(page, rows) <= LONGEST_NOTICE))
    if bare and is_bare(page, bare):
        return bare
    outside = [row for row in short if within[page.blocks[row].element] < 0 and _name_javascript((page.blocks[row].text,))]
    if len(outside) != 1 or not _is_apart(page, outside[0]):
        return notices
    is_topic = _name_javascript((*page.titles, *(block.text for block in page.blocks if block.heading)))
    return notices if is_topic else notices.union(outside)


def is_bare(page: Page, notices: Iterable[int]) -> bool:
    """Return whether the page shows almost no text besides its notices."""
    held = frozenset(notices)
    others = (block for row, block in enumerate(page.blocks) if row not in held and is_shown(page, block))
    return sum(map(unlinked_words, others)) <= BARE_WORDS


def is_shown(page: Page, block: Block) -> bool:
    """Return whether a reader may see the block; all of a page that no browser laid out."""
    return page.source == "static" or block.hidden not in ("display", "visibility", "opacity")


def unlinked_words(block: Block) -> float:
    """Return the number of words of a block outside links."""
    if block.link_chars >= len(block.text):
        return 0.0
    return count_words(block.text) * (1 - block.link_chars / len(block.text))


def _is_marked(element: Element) -> bool:
    names = (element.id, *element.classes) if element.id or element.classes else ()
    return element.parent >= 0 and any(map(_MARKED.search, names))


def _name_javascript(texts: Iterable[str]) -> bool:
    folded = "\n".join(texts).casefold()
    return any(spelling in folded for spelling in _JAVASCRIPT)


def _notices_among(page: Page, rows: list[int]) -> Iterable[int]:
    """Return which rows of a place for notices are some."""
    named = [row for row in rows if len(page.blocks[row].text) <= LONGEST_NOTICE and _SCRIPTS.search(page.blocks[row].text)]
    if _length(page, rows) <= LONGEST_NOTICE:
        return rows if rows[0] in named else named
    return named if len(named) == len(rows) else [row for row in named if row in (rows[0], rows[-1])]


def _length(page: Page, rows: Iterable[int]) -> int:
    return sum(len(page.blocks[row].text) for row in rows)


def _is_apart(page: Page, row: int) -> bool:
    """Return whether a block is alone, or before or after all other text and unlike what is beside it; code is not."""
    block, last = page.blocks[row], len(page.blocks) - 1
    if any(page.elements[each].tag in _CODE_TAGS for each in page.ancestors(block.element)):
        return False
    if is_bare(page, (row,)):
        return True
    if row not in (0, last):
        return False
    own, other = (page.elements[page.blocks[each].element] for each in (row, 1 if row == 0 else last - 1))
    return (own.tag, own.parent, own.classes) != (other.tag, other.parent, other.classes)
