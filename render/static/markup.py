"""Changes to markup for the parser: tags that nest too deep are removed, and declarative shadow trees composed.

An HTML parser reads deeply nested markup in quadratic time. A parser without a DOM keeps the content of a `<template>` away; so those that
become shadow trees are renamed before it reads them, and then composed with the content of their hosts.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

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


MOST_SHADOWS = 1000
"""Shadow trees composed of a page; each copies what its host holds, and a hostile page may nest them."""
_SHADOW = "x-shadow-tree"
_NAMED = b"shadowrootmode"
_TEMPLATE = re.compile(r"<(/?)template\b([^<>]*)>", re.IGNORECASE)
_OPEN = re.compile(r"\bshadowrootmode\s*=\s*[\"']?open\b", re.IGNORECASE)


def may_hold_shadows(html: bytes) -> bool:
    """Whether the markup names shadow trees anywhere; few pages have any."""
    return _NAMED in html.lower()  # looking for a name in any case takes 40 times as long


def open_shadows(html: str) -> str:
    """Return the markup with its open shadow trees as elements; most markup comes back as it is."""
    if not _OPEN.search(html):
        return html
    pieces: list[str] = []
    kept = 0
    opened: list[bool] = []
    for tag in _TEMPLATE.finditer(html):
        if tag[1]:
            is_shadow = bool(opened) and opened.pop()
        else:
            is_shadow = bool(_OPEN.search(tag[2]))
            opened.append(is_shadow)
        if is_shadow:
            pieces += [html[kept : tag.start()], f"<{tag[1]}{_SHADOW}>"]
            kept = tag.end()
    return "".join((*pieces, html[kept:]))


def compose_shadows(tree: LexborHTMLParser) -> None:
    """Put each shadow tree in its host's place, and what the host holds in its slots; what no slot takes is not shown."""
    shadows = sorted(tree.css(_SHADOW)[:MOST_SHADOWS], key=_depth, reverse=True)  # the innermost first
    for shadow in shadows:
        host = shadow.parent
        if host is not None:
            _compose(host, shadow)


def _compose(host: LexborNode, shadow: LexborNode) -> None:
    light = [child for child in host.iter(include_text=True) if child.mem_id != shadow.mem_id and child.tag != _SHADOW]
    by_slot: dict[str, list[LexborNode]] = {}
    for child in light:
        by_slot.setdefault((child.attributes.get("slot") or "") if child.is_element_node else "", []).append(child)
    for slot in shadow.css("slot"):
        assigned = by_slot.pop(slot.attributes.get("name") or "", [])
        if assigned:
            for fallback in list(slot.iter(include_text=True)):
                fallback.decompose()
        for child in assigned:
            slot.insert_child(child)
    for child in light:
        child.decompose()
    shadow.unwrap()


def _depth(node: LexborNode) -> int:
    depth = 0
    at = node.parent
    while at is not None:
        depth += 1
        at = at.parent
    return depth
