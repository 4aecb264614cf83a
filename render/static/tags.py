"""The effect of each HTML tag on the text around it without CSS (HTML standard, section 15.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sightread.render.page import InlineKind

SKIP, BREAK, IMAGE, INLINE, BLOCK, HEADING, PRE, LINK, MARK, BUTTON = range(10)
"""Treatments. Those from `INLINE` on hold text; those from `BLOCK` to `PRE` are blocks in flow."""

TREATMENT = {
    "-text": INLINE,
    **dict.fromkeys(("-comment", "!doctype", "annotation", "annotation-xml", "area", "audio", "base", "canvas", "col", "colgroup"), SKIP),
    **dict.fromkeys(("datalist", "defs", "desc", "embed", "frame", "head", "iframe", "input", "link", "meta", "metadata"), SKIP),
    **dict.fromkeys(("noembed", "noframes", "option", "param", "rp", "script", "select", "source", "style", "symbol"), SKIP),
    **dict.fromkeys(("template", "textarea", "title", "track", "video", "wbr"), SKIP),
    **dict.fromkeys(("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir"), BLOCK),
    **dict.fromkeys(("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "html"), BLOCK),
    **dict.fromkeys(("legend", "li", "main", "menu", "nav", "ol", "p", "search", "section", "summary", "table", "tbody", "td"), BLOCK),
    **dict.fromkeys(("text", "tfoot", "th", "thead", "tr", "ul"), BLOCK),  # a `<text>` is that of a drawing
    **dict.fromkeys(("pre", "listing", "plaintext", "xmp"), PRE),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), HEADING),
    **dict.fromkeys(("strong", "b", "em", "i", "code", "kbd", "samp", "tt", "del", "s", "strike", "sub", "sup", "time"), MARK),
    **{"br": BREAK, "img": IMAGE, "a": LINK, "button": BUTTON},
}
"""The treatment of the text around each tag; any other tag is inline."""

INLINE_KINDS: dict[str, InlineKind] = {
    **dict.fromkeys(("strong", "b"), "strong"),
    **dict.fromkeys(("em", "i"), "emphasis"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
    **dict.fromkeys(("del", "s", "strike"), "deleted"),
    "sub": "subscript",
    "sup": "superscript",
    "time": "time",
}
"""Meaning of a `MARK`, by tag."""

INLINE_TAGS: dict[str, str] = {
    **{"link": "a", "strong": "strong", "emphasis": "em", "code": "code", "deleted": "del"},
    **{"subscript": "sub", "superscript": "sup", "time": "time"},
}
"""The tag of each kind of inline, for writing HTML and for features."""

CODE_LINES = {"fragment": "line", "cm-content": "cm-line", "view-lines": "view-line", "ace_text-layer": "ace_line"}
"""Class names of elements for code whose lines are elements, by those of the lines: Doxygen, CodeMirror, Monaco, Ace."""
CELLS = frozenset(("td", "th"))
PHRASING = frozenset(("p", "dt", "caption", "figcaption", "legend", "summary", "address"))
"""Blocks whose text a `<noscript>` is part of; in any other its text is a block of its own."""
