"""The collapsed DOM of Web2Text from HTML, as the paper reads it: every text node is a leaf, except those of the tags that it skips."""

from __future__ import annotations

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from sightread.classify.neural.web2text.tree import CollapsedTree, TreeBuilder
from sightread.render.errors import Unusable
from sightread.render.static.charset import as_decoded, check_is_text
from sightread.render.static.parse import NODE_CAP, flatten

_FIELDS = frozenset(("input", "select", "textarea"))
_SKIPPED = frozenset(
    (
        *("-comment", "!doctype", "canvas", "head", "iframe", "img", "meta", "noembed", "noframes", "noscript", "object", "option"),
        *("script", "style", "template", "title", "video"),
    )
)
"""The authors' list (head, iframe, img, meta, noscript, script, style, title, video), and what else shows no text of the page."""
_RULES = frozenset(("br", "hr"))


def read_tree(html: str | bytes, url: str = "") -> CollapsedTree:
    """Return the collapsed DOM of an HTML document; without text it has no nodes. Raises `Unusable` for anything other than HTML."""
    decoded = as_decoded(html)
    check_is_text(decoded, url)
    try:
        parsed = LexborHTMLParser(flatten(decoded.text), options=LexborDocumentOptions.WO_EVENTS)
    except SelectolaxError as error:
        raise Unusable(f"{url or 'the document'}: this HTML cannot be parsed: {error}") from error
    builder = TreeBuilder(_classes)
    if parsed.body is not None:
        _walk(parsed.body, builder)
    return builder.finish()


def _walk(body: LexborNode, builder: TreeBuilder) -> None:
    """Read the body and all under it, without recursion; a page of more than `NODE_CAP` nodes is cut short."""
    builder.open("body", body)
    depth, node = 0, body.first_child
    parents: list[LexborNode] = []
    for _ in range(NODE_CAP):
        while node is None:
            if not depth:
                return
            builder.close()
            depth -= 1
            node = parents.pop().next
        tag = node.tag or ""
        if tag == "-text":
            builder.text(node.text_content or "")
        elif tag in _RULES:
            builder.line_break()
        elif tag in _FIELDS:
            builder.form_field()
        elif tag not in _SKIPPED:
            child = node.first_child
            if child is not None:
                builder.open(tag, node)
                parents.append(node)
                depth += 1
                node = child
                continue
        node = node.next


def _classes(node: LexborNode) -> str:
    return node.attributes.get("class") or ""
