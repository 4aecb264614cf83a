"""Plain text to HTML: paragraphs between empty lines; what is aligned by spaces keeps its form."""

from __future__ import annotations

import re
from html import escape

_WRAPPED = range(40, 110)
"""Characters of the lines of a paragraph that an editor has wrapped, all but the last."""
_ALIGNED = re.compile(r"^(?: {2,}|\t)|\S(?: {3,}|\t)\S", re.MULTILINE)
_ITEM = re.compile(r"[-*•+] +(?=\S)")


def to_html(text: str, _: str) -> str:
    """Return the HTML of plain text."""
    lines = "\n".join(text.expandtabs().replace("\f", "\n\n").splitlines())
    return "".join(map(_element, re.split(r"\n(?:[^\S\n]*\n)+", lines.strip("\n"))))


def _element(paragraph: str) -> str:
    lines = paragraph.split("\n")
    if all(map(_ITEM.match, lines)):
        items = (escape(_ITEM.sub("", line, count=1)) for line in lines)
        return f"<ul><li>{'<li>'.join(items)}</ul>"
    if _ALIGNED.search(paragraph):
        return f"<pre>{escape(paragraph)}</pre>"
    is_wrapped = len(lines) > 1 and all(len(line) in _WRAPPED for line in lines[:-1]) and len(lines[-1]) < _WRAPPED.stop
    return f"<p>{(' ' if is_wrapped else '<br>').join(map(escape, lines))}</p>"
