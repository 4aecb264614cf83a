"""Blocks from HTML without a browser: no boxes and styles, defaults of the HTML standard instead of CSS.

The rules of a block are those of `collect.js`, as far as tags determine them: text belongs to its nearest block-level ancestor, a
block-level child interrupts the run around it, a button is alone. What a browser would not lay out (the `hidden` attribute, an
inline `display:none`, a closed `<details>` or `<dialog>`) is kept here and marked hidden="display": without CSS much of it may be content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, SelectolaxError

from sightread.render.analysis.overlays import find_overlays
from sightread.render.errors import Unusable
from sightread.render.page import Element, Page
from sightread.render.static.charset import DecodedHtml, Html, as_decoded, check_is_text
from sightread.render.static.formulas import may_hold_formulas, replace_formulas
from sightread.render.static.head import Resolver, base_url, read_head, read_links
from sightread.render.static.markup import compose_shadows, flatten, may_hold_shadows, may_nest_deep, open_shadows
from sightread.render.static.tags import CODE_LINES, HEADING, INLINE, LINK, MARK, TREATMENT
from sightread.render.static.walk import ElementTable, Walk

NODE_CAP = 100_000
"""Nodes read before the page is cut short, as by the collector."""
_ATTRIBUTES = frozenset(("role", "colspan", "rowspan", "start", "lang", "dir", "datetime", "itemprop", "aria-hidden"))
_CODE_LINES = ", ".join(f"div.{holder} > div.{line}" for holder, line in CODE_LINES.items())
_NOT_DISPLAYED = re.compile(r"display\s*:\s*none", re.IGNORECASE)


def read_html(html: Html, url: str = "", attributes: tuple[str, ...] = ()) -> Page:
    """Return the page's blocks without rendering it: no boxes, no styles, source "static".

    `url` resolves relative references; `attributes` are kept on elements besides those that structure needs. Bytes are decoded by
    `sightread.render.static.charset.decode_html`. A document without text gives a page without blocks.

    Raises `Unusable` for binary data.
    """
    decoded = as_decoded(html)
    check_is_text(decoded, url)
    try:
        tree = _parse(decoded.utf8)
    except SelectolaxError as error:
        raise Unusable(f"{url or 'the document'}: this HTML cannot be parsed: {error}") from error
    resolver = Resolver(base_url(tree, url))
    table = ElementTable(_ATTRIBUTES.union(attributes))
    walk = Walk(resolver, table, _undisplayed(tree), _aria_headings(tree), _code_lines(tree), _anchors(tree))
    if tree.body is not None:
        walk.read(tree.body, NODE_CAP)
    blocks = walk.blocks()
    head = read_head(tree, resolver)
    return Page(
        url=url,
        final_url=url,
        source="static",
        elements=tuple(table.elements) or (Element("body", -1),),
        blocks=blocks,
        titles=head.titles,
        descriptions=head.descriptions,
        metas=head.metas,
        json_ld=head.json_ld,
        canonical=head.canonical,
        language=head.language,
        images=tuple(walk.images),
        links=read_links(tree, resolver),
        truncated=walk.truncated,
        overlays=find_overlays(table.elements, blocks, table.layers, None),
        password_fields=len(tree.css('input[type="password" i]')),
        guessed_charset=decoded.charset if decoded.is_guessed else "",
    )


def script_texts(html: DecodedHtml) -> Iterator[str]:
    """Yield the texts of the document's scripts, without JSON-LD. It is parsed when the first is requested."""
    yield from (node.text() for node in LexborHTMLParser(html.utf8).css('script:not([src], [type*="ld+json" i])'))


def _parse(markup: bytes) -> LexborHTMLParser:
    """Return the document's tree, with its shadow trees composed, and without what nests too deep."""
    has_shadows = may_hold_shadows(markup)
    if not has_shadows and not may_nest_deep(markup):
        tree = LexborHTMLParser(markup, options=LexborDocumentOptions.WO_EVENTS)
        if may_hold_formulas(markup):
            replace_formulas(tree)
        return tree
    text = markup.decode("utf-8")
    if has_shadows:
        text = open_shadows(text)
    tree = LexborHTMLParser(flatten(text), options=LexborDocumentOptions.WO_EVENTS)
    if has_shadows:
        compose_shadows(tree)
    if may_hold_formulas(markup):
        replace_formulas(tree)
    return tree


def _undisplayed(tree: LexborHTMLParser) -> frozenset[int]:
    """Return the elements that HTML alone keeps from being laid out."""
    styled = (node for node in tree.css('[style*="display" i]') if _NOT_DISPLAYED.search(node.attributes["style"] or ""))
    closed = tree.css("[hidden], dialog:not([open]), details:not([open])")  # but for the summary: see `_enter`
    return frozenset(node.mem_id for node in (*styled, *closed))


def _code_lines(tree: LexborHTMLParser) -> frozenset[int]:
    """Return the elements that are one line of code each: their white space is kept."""
    return frozenset(node.mem_id for node in tree.css(_CODE_LINES))


def _anchors(tree: LexborHTMLParser) -> dict[int, str]:
    """Return the inline and empty elements that a link of the page leads to, with their names; others have a row in the table."""
    names = {(node.attributes["href"] or "").partition("#")[2] for node in tree.css('a[href*="#"]')} - {""}
    if not names:
        return {}
    named = ((node, node.attributes.get("id") or node.attributes.get("name") or "") for node in tree.css("[id], a[name]"))
    inline = (INLINE, LINK, MARK)
    return {
        node.mem_id: name
        for node, name in named
        if name in names and (TREATMENT.get(node.tag or "", INLINE) in inline or node.first_child is None)
    }


def _aria_headings(tree: LexborHTMLParser) -> dict[int, int]:
    """Return heading levels that ARIA gives; 0 if another role takes a heading's level away."""
    levels = {}
    for node in tree.css('[role="heading" i], h1[role], h2[role], h3[role], h4[role], h5[role], h6[role]'):
        attributes = node.attributes
        level = attributes.get("aria-level") or ""
        is_heading = (attributes["role"] or "").lower() == "heading"
        default = int(node.tag[1]) if TREATMENT.get(node.tag or "") == HEADING and node.tag else 2
        levels[node.mem_id] = min(max(int(level), 1), 9) if is_heading and level.isdecimal() else default if is_heading else 0
    return levels
