"""Bylines: author and time as shown beside the text.

The labeler finds the datelines of a site by their look over all pages instead (`sightread.labeling.measures`).
"""

from __future__ import annotations

import re

from sightread.render.page import Block, Page, once

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
