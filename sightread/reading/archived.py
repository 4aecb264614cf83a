"""Reading of files: `sightread.extract_file`, and archives with a browser and without one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Unpack, overload

from sightread.document.document import Document
from sightread.document.notes import Note
from sightread.reading import Reading, read_static
from sightread.reading.extraction import ExtractOptions, ResultForm
from sightread.reading.reading import read_converted
from sightread.render.archives.base import Archive, choose_page, land
from sightread.render.archives.open import archive_kind, open_archive, open_stored
from sightread.render.argument_checks import check_type
from sightread.render.convert import convert, find_kind, unreadable
from sightread.render.errors import Rejected, Unusable
from sightread.render.network.address import STORED_URL
from sightread.render.page import Page
from sightread.render.static.charset import check_is_text, decode_html

CORPUS = "corpus.json"
_SAMPLE = 16_384
"""Bytes of a file that are searched for signs of other content than text."""


@overload
def extract_file(
    path: Path | str, url: str | None = None, model: str = "auto", *, output_format: None = None, **options: Unpack[ExtractOptions]
) -> Document: ...


@overload
def extract_file(
    path: Path | str, url: str | None = None, model: str = "auto", *, output_format: str, **options: Unpack[ExtractOptions]
) -> str: ...


def extract_file(
    path: Path | str, url: str | None = None, model: str = "auto", *, output_format: str | None = None, **options: Unpack[ExtractOptions]
) -> Document | str:
    """Return the main content of a file, without a browser: an HTML file, or a page of a WARC, HAR or MHTML file or a mirrored folder; of
    plain text, Markdown, JSON, a feed or a PDF all of it.

    `url` is the address of an HTML file, for its links, or selects a page of an archive. Options and errors are those of
    `sightread.extract`; `Reader.extract_archived` reads a file with a browser.
    """
    shape = ResultForm.of("extract_file()", url, model, output_format, options)
    check_type("extract_file(): path", path, str | Path)
    if not Path(path).exists():
        is_url = str(path).startswith(("http://", "https://"))
        raise Rejected(f"extract_file(): {path}: {'a URL: Reader.extract reads it' if is_url else 'there is no such file: check its name'}")
    opened = open_file(Path(path), url or "")
    if isinstance(opened, Page):
        return shape.applied(read_converted(opened, model).document)
    if isinstance(opened, Archive):
        return shape.applied(read_archived_static(opened, url or "", model).document)
    return shape.applied(read_static(opened, url or "", model).document)


def open_given(archive: Archive | Path | str, url: str = "") -> Archive:
    """Return the archive; a path is opened first. Blocks while the archive is indexed. Raises `Rejected` if the path is no archive."""
    return archive if isinstance(archive, Archive) else open_archive(Path(archive), url)


def open_file(path: Path, url: str = "") -> Archive | Page | bytes:
    """Return the content of a file argument: the page of an archive at `url`, the HTML of a single page, or a converted document.

    Raises `Rejected` and `Unusable`.
    """
    if (path / CORPUS).is_file():
        raise Rejected(f"{path}: this is a corpus, not a folder of saved pages: read it with inspect or compare")
    opened = open_stored(path, url)
    if isinstance(opened, Archive):
        land(opened, choose_page(opened, url))  # a wrong address starts no browser
        return opened
    check_not_empty(opened, str(path))
    if kind := find_kind(opened, None, path.name):
        return convert(opened, kind, url, where=str(path))
    try:
        check_is_text(decode_html(opened[:_SAMPLE]), str(path))
    except Unusable as error:
        raise unreadable(str(path)) from error
    return opened


def check_not_empty(content: bytes, name: str) -> None:
    """Raise `Unusable` for a page of white space and byte order marks alone."""
    if len(content) < _SAMPLE and not content.strip(b" \t\r\n\f\0\xef\xbb\xbf\xfe\xff"):
        raise Unusable(f"{name}: it is empty: give the HTML of a page")


def open_input(typed: bytes, url: str = "") -> Page | bytes:
    """Return what standard input holds: the HTML of a page, or a converted document.

    Raises `Rejected` for an archive, which is read by offset, and `Unusable`.
    """
    if archive := archive_kind(typed[:65536]):
        raise Rejected(f"standard input holds a {archive} file: give the file by its name")
    check_not_empty(typed, "standard input")
    kind = find_kind(typed, None)
    return convert(typed, kind, url, where="standard input") if kind else typed


def read_archived_static(archive: Archive, url: str = "", model: str = "auto", home: Path | None = None) -> Reading:
    """Return the main content of an archived page without a browser: from its HTML alone, without its files."""
    landing = land(archive, choose_page(archive, url))
    html = decode_html(landing.answer.body, landing.answer.charset)
    reading = read_static(html, "" if landing.url.startswith(STORED_URL) else landing.url, model, home)
    return noted(replace(reading, page=replace(reading.page, status=landing.answer.status)), archive)


def noted(reading: Reading, archive: Archive) -> Reading:
    """Return the reading with a note of the archive's defects."""
    if not archive.note:
        return reading
    notes = (Note("archive-damaged", f"{archive.where}: {archive.note}"), *reading.document.notes)
    return replace(reading, document=replace(reading.document, notes=notes))
