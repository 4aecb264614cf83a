"""Documents that are no HTML, converted to pages that are content alone: plain text, Markdown, JSON, feeds and PDF.

Each kind becomes HTML, which `sightread.render.static.parse` reads like any other: headings, lists, code and metadata are the
page's.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Literal

from sightread.render.errors import Unusable
from sightread.render.page import Page
from sightread.render.static.charset import decode_html
from sightread.render.static.parse import read_html

Kind = Literal["text", "markdown", "json", "feed", "pdf"]
"""A kind of document that is no HTML; the page's `recovered_from`."""
SNIFFED = 4096
"""Bytes from which a kind is determined; a feed may begin with a long comment or a style sheet."""
READABLE = "HTML, plain text, Markdown, JSON, RSS, Atom and PDF are read"

_TYPES: dict[str, Kind] = {
    **dict.fromkeys(("text/markdown", "text/x-markdown"), "markdown"),
    **dict.fromkeys(("application/rss+xml", "application/atom+xml", "application/rdf+xml"), "feed"),
    **dict.fromkeys(("application/pdf", "application/x-pdf"), "pdf"),
    **dict.fromkeys(("application/json", "text/json", "application/x-json"), "json"),
    "text/plain": "text",
}
_NAMES: dict[str, Kind] = {
    **dict.fromkeys(("md", "markdown", "mdown"), "markdown"),
    **dict.fromkeys(("txt", "text", "log", "rst", "adoc"), "text"),
    **dict.fromkeys(("rss", "atom"), "feed"),
    "json": "json",
    "pdf": "pdf",
}
"""By the ending of a file or of a URL's path, if its type is vague or unknown."""
VAGUE = ("", "text/plain", "application/octet-stream", "binary/octet-stream", "application/xml", "text/xml")
_HTML = re.compile(rb"\W*<(?:!doctype html|html)\b", re.IGNORECASE)
_FEED = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*(?:(?:<\?[^>]*>|<!--.*?-->|<!DOCTYPE[^>]*>)\s*)*<(?:rss|feed|rdf:RDF)[\s>]", re.DOTALL)
_MARKUP = re.compile(rb"<[a-zA-Z!/?]")


def find_kind(start: bytes, media_type: str | None, name: str = "") -> Kind | None:
    """Return the kind of a document that begins so; None for HTML, and for what cannot be read.

    `media_type` is that of its Content-Type, None for a file; `name` is the file's, or the path of the URL.
    """
    start = start[:SNIFFED]
    if media_type is None and _HTML.match(start):
        return None
    if start.lstrip()[:5] == b"%PDF-":
        return "pdf"
    if _FEED.match(start):
        return "feed"
    given = (media_type or "").partition(";")[0].strip().lower()
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if given in VAGUE and ending in _NAMES:
        return _NAMES[ending]
    if given in _TYPES or given.endswith("+json"):
        return _TYPES.get(given, "json")
    if media_type is None and not name:  # standard input
        begins = start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        return "json" if begins in (b"{", b"[") else None if _MARKUP.search(start) or b"\0" in start else "text"
    return None


def unreadable(name: str, media_type: str = "") -> Unusable:
    """Return the error for a document that cannot be read; its type is guessed from the name if it is not known."""
    guessed = mimetypes.guess_type(name)[0]
    kind = media_type.partition(";")[0].strip().lower() or (guessed if guessed and not guessed.startswith("text/") else "binary data")
    return Unusable(f"{name}: its content is {kind}: {READABLE}")


def convert(content: bytes, kind: Kind, url: str = "", charset: str = "", where: str = "") -> Page:
    """Return a document as a page of which every block is content (`Page.recovered_from` is its kind).

    `charset` is that of its Content-Type, for text; `where` names it in errors. Raises `Unusable` for damaged content, for a document
    without text, and for a PDF that needs a password; `Unequipped` without the package for PDF files.
    """
    where = where or url or "the document"
    markup, is_whole = _CONVERTERS[kind](content, where, charset)
    page = read_html(markup, url)
    if not page.blocks:
        raise Unusable(f"{where}: no text in it")
    return replace(page, recovered_from=kind, truncated=page.truncated or not is_whole)


Converted = tuple[str, bool]
"""HTML, and whether it is the whole document."""


def _of_text(module: str, content: bytes, where: str, charset: str) -> Converted:
    html: str = import_module(f"{__name__}.{module}").to_html(decode_html(content, charset).text, where)
    return html, True


def _of_bytes(module: str, content: bytes, where: str, _: str) -> Converted:
    found: Converted = import_module(f"{__name__}.{module}").to_html(content, where)
    return found


_CONVERTERS: dict[Kind, Callable[[bytes, str, str], Converted]] = {
    "text": partial(_of_text, "text"),
    "markdown": partial(_of_text, "markdown"),
    "json": partial(_of_text, "json"),
    "feed": partial(_of_bytes, "feed"),
    "pdf": partial(_of_bytes, "pdf"),
}
"""Imported when they are needed: none of them is part of reading a page."""
