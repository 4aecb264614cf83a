"""Guard against deeply nested markup, which an HTML parser reads in quadratic time."""

from __future__ import annotations

import re

DEEPEST = 512
"""Levels of elements kept, as in Chromium's parser; what nests deeper becomes a child of the last of them."""

_SUSPECT = 20_000
"""Tags. Fewer cannot hold the parser for more than about a second, at any nesting; almost no real page has more."""
_SLACK = 1000
"""Levels left to the parser. More than `DEEPEST`: a scan without a parser also counts what is in scripts."""
_NESTING = re.compile(
    r"<(/?)(?:a|abbr|address|article|aside|b|big|blockquote|button|center|code|details|dialog|dir|div|dl|em|fieldset|figure|font|footer"
    r"|form|h[1-6]|header|hgroup|i|main|menu|nav|nobr|ol|pre|s|search|section|small|span|strike|strong|summary|svg|table|tt|u|ul)"
    r"(?=[\s/>])[^<>]*>",
    re.IGNORECASE,
)
"""Tags that nest until they are closed; those that the next of their kind closes (`p`, `li`, `td`) need one of these between them."""


def may_nest_deep(html: bytes) -> bool:
    """Whether the markup has enough tags that they may nest deeper than a parser should read."""
    return html.count(b"<") > _SUSPECT


def flatten(html: str) -> str:
    """Return the markup without the tags that are nested too deep; most markup comes back as it is."""
    if html.count("<") <= _SUSPECT:
        return html
    pieces = []
    depth = kept = 0
    for tag in _NESTING.finditer(html):
        depth = max(depth - 1, 0) if tag[1] else depth + 1
        if depth + bool(tag[1]) > _SLACK:
            pieces.append(html[kept : tag.start()])
            kept = tag.end()
    pieces.append(html[kept:])
    return "".join(pieces)
