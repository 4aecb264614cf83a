"""Declarative shadow trees in markup, composed with the content of their hosts.

A parser without a DOM keeps the content of a `<template>` away; so those that become shadow trees are renamed before it reads them.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST = 1000
"""Shadow trees composed of a page; each copies what its host holds, and a hostile page may nest them."""
_NAME = "x-shadow-tree"
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
            pieces += [html[kept : tag.start()], f"<{tag[1]}{_NAME}>"]
            kept = tag.end()
    return "".join((*pieces, html[kept:]))


def compose_shadows(tree: LexborHTMLParser) -> None:
    """Put each shadow tree in its host's place, and what the host holds in its slots; what no slot takes is not shown."""
    shadows = sorted(tree.css(_NAME)[:MOST], key=_depth, reverse=True)  # the innermost first
    for shadow in shadows:
        host = shadow.parent
        if host is not None:
            _compose(host, shadow)


def _compose(host: LexborNode, shadow: LexborNode) -> None:
    light = [child for child in host.iter(include_text=True) if child.mem_id != shadow.mem_id and child.tag != _NAME]
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
