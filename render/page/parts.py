"""Parts of a page besides its text: comments, related links, tables of contents, breadcrumbs, bylines.

They are recognised by the names that their elements have on the web at large (classes, ids, roles, tags), and by what such a part holds:
three of the kinds are mostly links, and a byline is short. Whether a part is content is not decided here: that differs from site to site.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from sightread.render.labels import PART_KINDS, PartKind
from sightread.render.page import Block, Element, Page, once
from sightread.render.page.view import block_ranges, enclosing
from sightread.render.text.words import letters

LEAST_LINK_SHARE = 0.5
"""Least share of the characters of related links, tables of contents, breadcrumbs and links to the next page that are inside links."""
LEAST_COLLAPSED_SHARE = 0.9
"""Least share of the characters of a block that no browser laid out which are inside links, for a link of a closed menu."""
SIDE_FRAME_WIDTH = 0.3
"""Greatest width of an iframe at the side, as a share of the viewport's."""
NARROWEST_VIEWPORT = 800
"""CSS px from which on a page has sides: on a phone every iframe is as wide as the page."""
FEWEST_ENTRIES = 3
"""Of a table of contents that no name declares."""
FEWEST_ACTIONS = 4
"""Links of the same words, in elements of the same tag and classes, on a page."""
MOST_ACTION_WORDS = 3
LEAST_INSIDE_LINK = 0.75
"""Least share of the characters of a link for an action, or of an entry of a table of contents, that are inside the link: brackets may be
outside."""
LEAST_ACTION_SHARE = 0.9
"""Least share of the links in such elements that have these words."""
FEWEST_TARGETS = 3
"""Places to which links of the same words lead; the names of types in a reference lead to one each."""
LONGEST_BYLINE_PART = 200
"""Characters."""
LONGEST_IDENTIFIER = 80
"""Characters of a class or id that are compared."""

_END = r"(?:[-_]?(?:list|area|section|wrapper?|container|content|body|box|block|inner|widget|nav|items?|panel))?\d*"


def _named_like(*names: str) -> re.Pattern[str]:
    """Return the pattern of names that end with one of these, with words of layout behind them or not."""
    return re.compile(rf"(?:[a-z0-9]+[-_]+)*(?:{'|'.join(names)}){_END}", re.IGNORECASE)


_NAMES: Mapping[PartKind, re.Pattern[str]] = MappingProxyType(
    {
        "comments": _named_like("(?<!no-)comments?", "commentlist", "comment[-_]?thread", "disqus[-_]thread", "respond", "replies"),
        "related": _named_like(
            "related(?:[-_]?(?:posts?|articles?|stories|links?|pages?|content))?",
            "recommend(?:ed|ations)",
            "see[-_]?also",
            "read[-_]?next",
            "more[-_]?(?:stories|articles|posts)",
            "similar[-_]?posts",
            "you[-_]?may[-_]?(?:also[-_]?)?like",
            "outbrain",
            "taboola",
        ),
        "contents": _named_like("toc", "table[-_]?of[-_]?contents", "contents", "on[-_]?this[-_]?page", "local[-_]?toc"),
        "breadcrumbs": _named_like("bread[-_]?crumbs?", "crumbs?"),
        "byline": _named_like(
            "by[-_]?line",
            "authors?(?:[-_](?:name|info|meta))?",
            "(?:post|entry|article|story)[-_]?(?:meta|info|date|data)",
            "posted[-_]?(?:on|by)",
            "date[-_]?line",
            "pub(?:lished|date)",
            "publish[-_]?date",
        ),
    }
)
_ROLES: Mapping[str, PartKind] = MappingProxyType({"doc-toc": "contents", "doc-biblioref": "related"})
_PROPERTIES: Mapping[str, PartKind] = MappingProxyType(
    {"author": "byline", "datepublished": "byline", "datemodified": "byline", "comment": "comments", "breadcrumb": "breadcrumbs"}
)
_LINKS: frozenset[PartKind] = frozenset(("related", "contents", "breadcrumbs"))
_IN_SEQUENCE = frozenset(("next", "prev", "previous"))
"""Types of links to the page after or before this one (HTML standard, 4.6.7; "previous" is an old spelling)."""
_CONTROLS = frozenset(("form", "button", "label", "fieldset", "select", "textarea"))
_WHOLE = frozenset(("body", "html", "main"))
"""Elements whose classes describe the whole page."""


def part_blocks(page: Page) -> dict[PartKind, NDArray[np.bool_]]:
    """Return for each kind which blocks are the text of such parts, shape (blocks,): shown, outside of forms and buttons.

    Links alone are no text of comments: they answer, rate, or lead to a profile.
    """
    kinds = find_parts(page)
    is_text = np.zeros(len(page.blocks), np.bool_)
    is_plain = np.zeros(len(page.blocks), np.bool_)
    controls = enclosing(page, _CONTROLS)
    for row, block in enumerate(page.blocks):
        is_text[row] = not block.hidden and controls[block.element] < 0
        is_plain[row] = is_text[row] and block.link_chars < len(block.text)
    return {kind: (kinds == number) & (is_plain if kind == "comments" else is_text) for number, kind in enumerate(PART_KINDS)}


@once
def find_parts(page: Page) -> NDArray[np.int8]:
    """Return for each block the row of its part's kind in `PART_KINDS`, -1 for none, shape (blocks,); of nested parts the outermost."""
    element = np.array([block.element for block in page.blocks], np.intp)
    characters, linked = [0] * len(page.elements), [0] * len(page.elements)
    for block in page.blocks:
        characters[block.element] += len(block.text)
        linked[block.element] += block.link_chars
    for row in range(len(page.elements) - 1, 0, -1):
        parent = page.elements[row].parent
        characters[parent] += characters[row]
        linked[parent] += linked[row]
    kinds: list[int] = []
    for row, each in enumerate(page.elements):
        above = kinds[each.parent] if each.parent >= 0 else -1
        kinds.append(above if above >= 0 else _kind(each, characters[row], linked[row]))
    found = np.array(kinds, np.int8)[element]
    headings = np.array([block.heading > 0 for block in page.blocks], np.bool_)
    found[headings & (found == PART_KINDS.index("byline"))] = -1  # themes put the headline into the element of its date
    found[(found < 0) & contents_lists(page)] = PART_KINDS.index("contents")
    found.flags.writeable = False
    return found


def contents_lists(page: Page) -> NDArray[np.bool_]:
    """Return which blocks are entries of a table of contents, shape (blocks,): links to places in the page, with the words of headings, one
    after the other.
    """
    here = page.address
    headings = {letters(block.text) for block in page.blocks if block.heading} - {""}
    is_entry = [
        not block.heading
        and block.link_chars >= LEAST_INSIDE_LINK * max(len(block.text), 1)
        and letters(block.text) in headings
        and all(
            place and address == here for address, _, place in (mark.target.partition("#") for mark in block.inlines if mark.kind == "link")
        )
        for block in page.blocks
    ]
    found = np.zeros(len(page.blocks), np.bool_)
    for is_run, rows in groupby(range(len(is_entry)), is_entry.__getitem__):
        run = list(rows)
        found[run] = is_run and len(run) >= FEWEST_ENTRIES
    return found


def sequence_links(page: Page) -> NDArray[np.bool_]:
    """Return which blocks are mostly links and lead to the page before or after, by the links' declared types; shape (blocks,)."""
    neighbours = {link.url for link in page.links if link.rel and not _IN_SEQUENCE.isdisjoint(link.rel.lower().split())}
    if not neighbours:
        return np.zeros(len(page.blocks), np.bool_)
    return np.array(
        [
            block.link_chars >= LEAST_LINK_SHARE * len(block.text)
            and any(mark.kind == "link" and mark.target in neighbours for mark in block.inlines)
            for block in page.blocks
        ],
        np.bool_,
    )


def navigation(page: Page) -> NDArray[np.bool_]:
    """Return which blocks are navigation by what the page and its browser declare, shape (blocks,): `sequence_links`, `side_frames`,
    `action_links`, and links of closed menus.

    Of the blocks of built sites that no browser laid out and that are links alone, one in 1,300 is content.
    """
    declared = sequence_links(page) | side_frames(page) | action_links(page)
    if page.source == "static":
        return declared
    collapsed = [block.hidden == "display" and block.link_chars >= LEAST_COLLAPSED_SHARE * len(block.text) for block in page.blocks]
    return declared | np.array(collapsed, np.bool_)


def action_links(page: Page) -> NDArray[np.bool_]:
    """Return which blocks are links for an action on what they are beside, such as "source", "Reply" or "Read more"; shape (blocks,).

    They are links of the same few words in elements alike, and lead to different places, or run a script.
    """
    found = np.zeros(len(page.blocks), np.bool_)
    alike: defaultdict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(list)
    for row, block in enumerate(page.blocks):
        if block.link_chars and block.link_chars >= LEAST_INSIDE_LINK * len(block.text):
            element = page.elements[block.element]
            alike[element.tag, element.classes].append(row)
    here = {"", page.address}
    for rows in alike.values():
        if len(rows) < FEWEST_ACTIONS:
            continue
        text, count = Counter(page.blocks[row].text for row in rows).most_common(1)[0]
        if count >= max(FEWEST_ACTIONS, LEAST_ACTION_SHARE * len(rows)) and len(text.split()) <= MOST_ACTION_WORDS:
            same = [row for row in rows if page.blocks[row].text == text]
            targets = {mark.target for row in same for mark in page.blocks[row].inlines if mark.kind == "link"}
            found[same] = len(targets) >= FEWEST_TARGETS or {target.partition("#")[0] for target in targets} <= here
    return found


def side_frames(page: Page) -> NDArray[np.bool_]:
    """Return which blocks are in an iframe at the side of the page, such as a list of classes or an advertisement; shape (blocks,)."""
    found = np.zeros(len(page.blocks), np.bool_)
    frames = [row for row, element in enumerate(page.elements) if element.tag == "iframe"]
    if not frames or page.viewport is None or page.viewport.width < NARROWEST_VIEWPORT:
        return found
    firsts, ends = block_ranges(page)
    for rows in (list(range(firsts[frame], ends[frame])) for frame in frames):
        boxes = [box for row in rows if (box := page.blocks[row].box) is not None and box.width > 0]
        width = max((box.x + box.width for box in boxes), default=0.0) - min((box.x for box in boxes), default=0.0)
        found[rows] |= 0 < width <= SIDE_FRAME_WIDTH * page.viewport.width
    return found


def _kind(element: Element, characters: int, linked: int) -> int:
    if element.tag in _WHOLE or not characters:
        return -1
    for kind in _named(element):
        if kind in _LINKS and linked < LEAST_LINK_SHARE * characters:
            continue
        if kind == "byline" and characters > LONGEST_BYLINE_PART:
            continue
        return PART_KINDS.index(kind)
    return -1


def _named(element: Element) -> list[PartKind]:
    """Return the kinds of parts that have names like the element's."""
    attributes = element.attributes
    found = [_ROLES[role] for role in attributes.get("role", "").split() if role in _ROLES]
    found += [_PROPERTIES[name] for name in attributes.get("itemprop", "").lower().split() if name in _PROPERTIES]
    named = {kind for name in (element.id, *element.classes) for kind in _kinds_of(name[:LONGEST_IDENTIFIER])}
    return found + [kind for kind in _NAMES if kind in named]


@lru_cache(maxsize=1 << 14)
def _kinds_of(name: str) -> tuple[PartKind, ...]:
    """Return the kinds of parts that have such a name."""
    return tuple(kind for kind, pattern in _NAMES.items() if pattern.fullmatch(name))


# Bylines: author and time as shown beside the text. The labeler finds those of a site by their look instead.


LONGEST_NAME = 50
"""Most characters of a name."""
LONGEST_BYLINE = 150
"""Most characters of a byline; a date in a longer block is part of the text, unless it is at its beginning."""
BEGINNING = 40

_MEMBER = re.compile(
    r"/(?:u|users?|members?|profiles?|people|authors?|account|contributors?)/[^/?#]+|/(?:u|user|member|profile)[.=-]\w|/@[^/?#]+|/user\d|/~\w"
    r"|[?&;/](?:u|user|uid|user_?id|member|profile|mid|author)=|(?:member|profile|userinfo|viewprofile)\.\w{2,4}\?|action=profile",
    re.IGNORECASE,
)
_HOST = re.compile(r"https?://(?:[^/:?#]*\.)?([^./:?#]+\.[^./:?#]+)", re.IGNORECASE)
_MARKED = re.compile(
    r"author|user-?_?name|nick-?_?name|poster|commenter|creator|by-?line|display-?_?name|post-?_?user|message-?_?name", re.IGNORECASE
)
_NO_NAME = re.compile(
    r"\W*(?:log ?in|sign ?(?:in|up)|register|profile|follow|reply|share|report|cancel|join|home|\d+|(?:get|view|all|read|see) .*)\W*",
    re.IGNORECASE,
)
_BY = re.compile(
    r"^(?:(?:posted|written|asked|answered|originally posted|review(?:ed)?|submitted|comment)?\s*(?:by|von|par|por|di|door)\s+|@)",
    re.IGNORECASE,
)

_NAME_BEFORE_TIME = re.compile(r"([^\n·•|]{2,50}?)\s*[·•|]\s*")
_MACHINE_READABLE = re.compile(r"\d{4}-\d\d-\d\d|\d{10,}")
_UNIT = r"(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|mos|months?|y|yrs?|years?)"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-zé]{0,7}\.?"
_CLOCK = r"(?:,?\s+(?:at\s+)?\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]\.?m\.?)?)?"
_TIME = re.compile(
    rf"\b(?:(?:\d+|an?|one|few|several)\+?\s*{_UNIT}\s+ago\b|just now\b|yesterday{_CLOCK}(?!\w)|today(?=,? (?:at )?\d){_CLOCK}"
    r"|vor \d+ \w{3,8}|il y a \d+ \w{3,8}|hace \d+ \w{3,8}|\d+ \w{3,6} fa\b"
    rf"|\d{{4}}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}{_CLOCK}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[ -]{_MONTH},?[ -]\d{{2,4}}{_CLOCK}|\d{{1,2}}[./-]\d{{1,2}}[./-](?:\d{{4}}|\d\d){_CLOCK}"
    rf"|{_MONTH}\s+\d{{4}}(?!\d)|{_MONTH}\s+\d{{1,2}}{_CLOCK}(?![\w,]))",
    re.IGNORECASE,
)


@once
def authors_of_blocks(page: Page) -> tuple[str, ...]:
    """Return the author's name that each block shows; empty for none."""
    return tuple(author_of(page, block) for block in page.blocks)


@once
def times_of_blocks(page: Page) -> tuple[str, ...]:
    """Return when the text of each block was written, as `time_of` does."""
    return tuple(time_of(page, block) for block in page.blocks)


def author_of(page: Page, block: Block) -> str:
    """Return the author's name that the block shows; empty if it shows none.

    The name is a link to a member's page, or a short block whose element or parent has such a class (`author`, `username`).
    """
    for mark in block.inlines:
        if mark.kind == "link" and _MEMBER.search(mark.target, 8) and _site(mark.target) == _site(page.final_url or page.url):
            name = _name(block.text[mark.start : mark.end])
            if name:
                return name
    named = _NAME_BEFORE_TIME.match(block.text) if len(block.text) <= LONGEST_BYLINE else None
    if named and _TIME.match(block.text, named.end()):
        return _name(named[1])
    if len(block.text) > LONGEST_NAME:
        return ""
    row = block.element
    for _ in range(2):
        element = page.elements[row]
        if element.attributes.get("itemprop") in ("author", "creator") or any(map(_MARKED.search, (*element.classes, element.id))):
            return _name(block.text.partition("\n")[0])
        row = element.parent
        if row <= 0:
            break
    return ""


def time_of(page: Page, block: Block) -> str:
    """Return when the block's text was written: the machine-readable time if the page declares one, else the time as shown; or nothing."""
    declared = next((mark.target for mark in block.inlines if mark.kind == "time"), "") or page.elements[block.element].attributes.get(
        "datetime", ""
    )
    if declared and not declared.startswith("P"):  # no duration
        return declared
    found = _TIME.search(block.text[:LONGEST_BYLINE])
    if found and (len(block.text) <= LONGEST_BYLINE or found.start() <= BEGINNING):
        return " ".join(found[0].split())
    return ""


def find_time(text: str) -> re.Match[str] | None:
    """Return where the text shows its first time or date; None if it shows none."""
    return _TIME.search(text)


def is_machine_readable(time: str) -> bool:
    """Return whether a time is machine-readable: a time that is only shown may also be the day when a member joined."""
    return bool(_MACHINE_READABLE.match(time))


def _site(url: str) -> str:
    """Return the last two labels of the host: close enough to the site, since an error costs only a name."""
    found = _HOST.match(url)
    return found[1].lower() if found else ""


def _name(text: str) -> str:
    name = _BY.sub("", " ".join(text.split())).strip(" ,:|·•-–")
    return name if name and len(name) <= LONGEST_NAME and not _NO_NAME.fullmatch(name) and not _TIME.fullmatch(name) else ""
