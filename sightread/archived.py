"""Reading pages from archives: opens them, extracts without a browser, reports their faults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from render.archives.base import Archive, choose_page, land
from render.archives.open import archive_kind, open_archive, open_stored
from render.errors import Rejected
from render.network.address import STORED_URL
from render.static.charset import decode_html
from sightread.reading import Reading, read_static

CORPUS = "corpus.json"


def open_given(archive: Archive | Path | str, url: str = "") -> Archive:
    """Return the archive, opened where a path was given. Blocks while it is indexed. Raises `Rejected` for what is none."""
    return archive if isinstance(archive, Archive) else open_archive(Path(archive), url)


def open_file(path: Path, url: str = "") -> Archive | bytes:
    """Return what a command's file holds: an archive, whose page at `url` is there, or the HTML of a page.

    Raises `Rejected` and `Unusable`.
    """
    if (path / CORPUS).is_file():
        raise Rejected(f"{path}: a corpus that crawl wrote, and no folder of saved pages: inspect and compare read it")
    opened = open_stored(path, url)
    if isinstance(opened, Archive):
        land(opened, choose_page(opened, url))  # a wrong address starts no browser
    return opened


def check_is_page(typed: bytes) -> None:
    """Raise `Rejected` if standard input holds an archive: it is read by offset, which takes a file."""
    if kind := archive_kind(typed[:65536]):
        raise Rejected(f"standard input holds a {kind} file: give the file by its name")


def read_archived_static(archive: Archive, url: str = "", model: str = "auto", home: Path | None = None) -> Reading:
    """Return the main content of an archive's page without a browser: of its HTML alone, without its files."""
    landing = land(archive, choose_page(archive, url))
    html = decode_html(landing.answer.body, landing.answer.charset)
    reading = read_static(html, "" if landing.url.startswith(STORED_URL) else landing.url, model, home)
    return noted(replace(reading, page=replace(reading.page, status=landing.answer.status)), archive)


def noted(reading: Reading, archive: Archive) -> Reading:
    """Return the reading with what is odd about its archive in its note."""
    if not archive.note:
        return reading
    note = "; ".join(filter(None, (f"{archive.where}: {archive.note}", reading.note)))
    return replace(reading, document=replace(reading.document, note=note))
