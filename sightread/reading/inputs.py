"""Checks of what callers give to be read: HTML, a URL or a path. One given as another raises `Rejected`, which names the right function."""

from __future__ import annotations

import re
from pathlib import Path

from sightread.render.argument_checks import check_type
from sightread.render.errors import Rejected
from sightread.render.network.address import check_url
from sightread.render.static.charset import DecodedHtml

LONGEST_NAME = 255
"""Characters of a file name or URL that is looked for in a string given as HTML."""
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_FILE = re.compile(r"[^<>\n]+\.(x?html?|mht(ml)?|har|warc(\.gz)?)", re.IGNORECASE)
_HOST = re.compile(r"([\w-]+\.)+[^\W\d_]{2,}\.?(:\d+)?([/?#]\S*)?", re.IGNORECASE)
_OTHER_FILE = re.compile(
    r"[^/:?#]+\.(xml|txt|log|md|json|jsonl|csv|tsv|parquet|pdf|docx?|zip|gz|wacz|png|jpe?g|gif|webp|svg)", re.IGNORECASE
)
"""Names of files that people have beside pages; as a name alone, a host that ends like one needs its scheme."""


def check_html(function: str, html: object) -> None:
    """Raise `Rejected` unless `html` is a string or bytes, and neither a URL nor the name of an HTML file or archive."""
    if html is None:
        raise Rejected(f"{function}: html is None: give HTML as a string or bytes; Reader.extract reads a URL, extract_file a file")
    if isinstance(html, Path):
        raise Rejected(f"{function}: html is a path: sightread.extract_file reads a file, and Reader.extract_archived in a browser")
    if not isinstance(html, DecodedHtml):
        check_type(f"{function}: html", html, str | bytes)
    name = _short_text(html)
    if _URL.fullmatch(name):
        raise Rejected(f"{function}: html is a URL: sightread.Reader reads it, with await reader.extract({name!r})")
    if _FILE.fullmatch(name):
        raise Rejected(f"{function}: html is a file name: sightread.extract_file({name!r}) reads it")


def check_file_name(function: str, html: str | bytes) -> None:
    """Raise `Rejected` if the string given as HTML is the name of a file on this machine: for callers of this machine alone."""
    name = _short_text(html)
    if name and "<" not in name and "\n" not in name and "\0" not in name and Path(name).is_file():
        raise Rejected(f"{function}: html is a file name: sightread.extract_file({name!r}) reads it")


def check_page_url(function: str, url: object) -> None:
    """Raise `Rejected` unless `url` is a string that may be the URL of a page."""
    if url is None:
        raise Rejected(f"{function}: url is None: give the URL of a page, such as 'https://example.com/article'")
    if isinstance(url, Path):
        raise Rejected(f"{function}: url is a path: read a file with Reader.extract_archived, or sightread.extract_file without a browser")
    check_type(f"{function}: url", url, str)
    assert isinstance(url, str)
    text = url.strip()
    if text.startswith("<"):
        raise Rejected(f"{function}: url is HTML: give it to Reader.extract_html, or to sightread.extract without a browser")
    if "://" in text:
        check_url(url)
    elif _FILE.fullmatch(text):
        raise Rejected(f"{function}: url is a file name: Reader.extract_archived({text!r}) reads it, or sightread.extract_file")
    elif is_bare_host(text):
        raise Rejected(f"{function}: {text!r} is not an http or https address: give 'https://{text}'")


def is_bare_host(text: str) -> bool:
    """Return whether a text looks like an address without its scheme, and not like a file name."""
    is_file = _OTHER_FILE.fullmatch(text) or ("/" not in text and _FILE.fullmatch(text))
    return _HOST.fullmatch(text) is not None and not is_file


def _short_text(html: object) -> str:
    """Return what is short enough for a name; empty for anything longer."""
    if not isinstance(html, str | bytes) or len(html) > LONGEST_NAME:
        return ""
    return (html if isinstance(html, str) else html.decode("utf-8", "replace")).strip()
