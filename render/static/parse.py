"""Blocks from HTML without a browser: no boxes and styles, defaults of the HTML standard instead of CSS.

The rules of a block are those of `collect.js`, as far as tags determine them: text belongs to its nearest block-level ancestor, a
block-level child interrupts the run around it, a button is alone. What a browser would not lay out (the `hidden` attribute, an
inline `display:none`, a closed `<details>` or `<dialog>`) is kept here and marked hidden="display": without CSS much of it may be content.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from sightread.render.analysis.overlays import find_overlays
from sightread.render.errors import Unusable
from sightread.render.page import Element, Hidden, Page, uncollected
from sightread.render.static.block_text import above
from sightread.render.static.charset import DecodedHtml, Html, as_decoded, check_is_text
from sightread.render.static.formulas import replace_formulas
from sightread.render.static.head import Resolver, base_url, read_head, read_links
from sightread.render.static.tags import CODE_LINES, HEADING, INLINE, LINK, MARK, TREATMENT
from sightread.render.static.unseen import find_unseen
from sightread.render.static.walk import Walk

NODE_CAP = 100_000
"""Nodes read before the page is cut short, as by the collector."""
_ATTRIBUTES = frozenset(("role", "colspan", "rowspan", "start", "lang", "dir", "datetime", "itemprop", "aria-hidden"))
_CODE_LINES = ", ".join(f"div.{holder} > div.{line}" for holder, line in CODE_LINES.items())


@uncollected
def read_html(html: Html, url: str = "", attributes: tuple[str, ...] = ()) -> Page:
    """Return the page's blocks without rendering it: no boxes, no styles, source "static".

    `url` resolves relative references; `attributes` are kept on elements besides those that structure needs. Bytes are decoded by
    `sightread.render.static.charset.decode_html`. A document without text gives a page without blocks.

    Raises `Unusable` for binary data.
    """
    decoded, tree, undisplayed = open_html(html, url)
    resolver = Resolver(base_url(tree, url))
    code_lines = frozenset(node.mem_id for node in tree.css(_CODE_LINES))
    targets, fragments, links = read_links(tree, resolver)
    anchors = _anchors(tree, fragments)
    walk = Walk(resolver, _ATTRIBUTES.union(attributes), undisplayed, _aria_headings(tree), code_lines, anchors, targets)
    if tree.body is not None:
        walk.read(tree.body, NODE_CAP)
    blocks = tuple([run.finish() for run in walk.runs])
    return read_head(tree, url, resolver)(
        links=links,
        elements=tuple(walk.elements) or (Element("body", -1),),
        blocks=blocks,
        images=tuple(walk.images),
        truncated=walk.truncated,
        overlays=find_overlays(walk.elements, blocks, walk.layers, None) if walk.layers else (),
        guessed_charset=decoded.charset if decoded.is_guessed else "",
    )


def open_html(html: Html, url: str) -> tuple[DecodedHtml, LexborHTMLParser, dict[int, Hidden]]:
    """Return the decoded document, its tree, and how nodes, by `mem_id`, are hidden. Raises `Unusable` for binary data."""
    decoded = as_decoded(html)
    check_is_text(decoded, url)
    try:
        tree = _parse(decoded.utf8)
    except SelectolaxError as error:
        raise Unusable(f"{url or 'the document'}: this HTML cannot be parsed: {error}") from error
    closed = tree.css("[hidden], dialog:not([open]), details:not([open])")  # but for the summary, which those who walk show
    undisplayed: dict[int, Hidden] = dict.fromkeys((node.mem_id for node in closed), "display")
    return decoded, tree, find_unseen(tree, decoded.utf8) | undisplayed


def script_texts(html: DecodedHtml) -> Iterator[str]:
    """Yield the texts of the document's scripts, without JSON-LD. It is parsed when the first is requested."""
    yield from (node.text() for node in LexborHTMLParser(html.utf8).css('script:not([src], [type*="ld+json" i])'))


def _parse(markup: bytes) -> LexborHTMLParser:
    """Return the document's tree, with its shadow trees composed, and without what nests too deep."""
    may_be_deep = markup.count(b"<") > _SUSPECT
    tree = LexborHTMLParser(flatten(markup.decode("utf-8")) if may_be_deep else markup, options=LexborDocumentOptions.WO_EVENTS)
    if tree.css_first('template[shadowrootmode="open" i]'):
        tree = LexborHTMLParser(flatten(open_shadows(markup.decode("utf-8"))), options=LexborDocumentOptions.WO_EVENTS)
        compose_shadows(tree)
    replace_formulas(tree)
    return tree


def _anchors(tree: LexborHTMLParser, names: Collection[str]) -> dict[int, str]:
    """Return the inline and empty elements with one of these names, with it; others have a row in the table."""
    if not names:
        return {}
    named = ((node, node.id or node.attributes.get("name") or "") for node in tree.css("[id], a[name]"))
    inline = (INLINE, LINK, MARK)
    return {
        node.mem_id: name
        for node, name in named
        if name in names and (TREATMENT.get(node.tag or "", INLINE) in inline or node.first_child is None)
    }


def _aria_headings(tree: LexborHTMLParser) -> dict[int, int]:
    """Return heading levels that ARIA gives; 0 if another role takes a heading's level away."""
    levels = {}
    for node in tree.css("[role]"):
        attributes, tag = node.attributes, node.tag or ""
        level = attributes.get("aria-level") or ""
        is_heading, is_tag = (attributes["role"] or "").lower() == "heading", TREATMENT.get(tag) == HEADING
        if is_heading:
            levels[node.mem_id] = min(max(int(level), 1), 9) if level.isdecimal() else int(tag[1]) if is_tag else 2
        elif is_tag:
            levels[node.mem_id] = 0
    return levels


# Changes to markup for the parser: tags that nest too deep are removed, and declarative shadow trees composed. An HTML parser reads deeply
# nested markup in quadratic time. A parser without a DOM keeps the content of a `<template>` away; so those that become shadow trees are
# renamed before it reads them, and then composed with the content of their hosts.


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
_TEMPLATE = re.compile(r"<(/?)template\b([^<>]*)>", re.IGNORECASE)
_OPEN = re.compile(r"\bshadowrootmode\s*=\s*[\"']?open\b", re.IGNORECASE)


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
    shadows = sorted(tree.css(_SHADOW)[:MOST_SHADOWS], key=lambda shadow: len(above(shadow)), reverse=True)  # the innermost first
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
