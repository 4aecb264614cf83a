"""Markdown to HTML: CommonMark with tables, by markdown-it-py; metadata of its front matter."""

from __future__ import annotations

import re
from html import escape

from markdown_it import MarkdownIt

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
_FIELD = re.compile(r"""^(title|author|date|description|lang)\s*:\s*["']?(.*?)["']?\s*$""", re.IGNORECASE | re.MULTILINE)
_META = {"author": 'name="author"', "date": 'property="article:published_time"', "description": 'name="description"'}


def to_html(text: str, _: str) -> str:
    """Return the HTML of a Markdown document."""
    text = text.replace("\r\n", "\n")
    front = _FRONT.match(text)
    fields = {name.lower(): escape(given) for name, given in _FIELD.findall(front[1])} if front else {}
    head = "".join(f'<meta {_META[name]} content="{given}">' for name, given in fields.items() if name in _META)
    title = f"<title>{fields['title']}</title>" if "title" in fields else ""
    body: str = (
        MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"]).render(text[front.end() :] if front else text)
    )
    return f'<html lang="{fields.get("lang", "")}"><head>{title}{head}</head><body>{body}</body></html>'
