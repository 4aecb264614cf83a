"""JSON to HTML: a document is code, indented; a JSON Feed (jsonfeed.org) is a feed."""

from __future__ import annotations

from html import escape
from typing import Any

import msgspec

from sightread.render.convert.feed import Entry, Feed
from sightread.render.errors import Unusable

MOST_LEVELS = 20
"""Of a document that is indented: with a thousand, each of its lines would begin with two thousand spaces."""


def to_html(text: str, where: str) -> str:
    """Return the HTML of a JSON document. Raises `Unusable` if it is none."""
    try:
        document: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Unusable(f"{where}: no JSON: {error}") from error
    if isinstance(document, dict) and str(document.get("version", "")).startswith("https://jsonfeed.org/version/"):
        return _feed(document).html
    code = msgspec.json.format(text.lstrip("\ufeff"), indent=2) if _is_flat(document, MOST_LEVELS) else text
    return f'<pre><code class="language-json">{escape(code)}</code></pre>'


def _is_flat(value: Any, levels: int) -> bool:
    """Return whether a value nests within that many levels."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(_is_flat(each, levels - 1) for each in inner)


def _feed(document: dict[str, Any]) -> Feed:
    items = document.get("items")
    return Feed(
        _string(document.get("title")),
        _string(document.get("description")),
        _string(document.get("language")),
        tuple(map(_entry, (item for item in items if isinstance(item, dict)) if isinstance(items, list) else ())),
    )


def _entry(item: dict[str, Any]) -> Entry:
    plain = escape(_string(item.get("content_text") or item.get("summary"))).replace("\n", "<br>")
    authors = item.get("authors")
    people = [item.get("author"), *(authors if isinstance(authors, list) else ())]
    names = [_string(person.get("name")) for person in people if isinstance(person, dict)]
    return Entry(
        _string(item.get("title")),
        _string(item.get("url") or item.get("external_url")),
        ", ".join(filter(None, names)),
        _string(item.get("date_published")),
        _string(item.get("content_html")) or plain,
    )


def _string(given: object) -> str:
    return given if isinstance(given, str) else ""
