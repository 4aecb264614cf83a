"""WCXB dev (CC-BY-4.0): its pages, and these as our browser renders them offline, kept in a folder.

A run that was killed continues, and a second renders nothing. A page is kept as the portals' are
(`benchmarks.experiments.learning.portals`). Pages that could not be rendered are in failed.json, by id, and are not tried again until that
file is deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.datasets.folder import read_lines
from benchmarks.experiments.learning.portals import Stored, render_all
from sightread.render.files import write_atomically
from sightread.render.page import Page
from sightread.render.static.parse import read_html

BATCH = 50
"""Pages that a kill loses at most; a browser is opened for each batch, which takes half a second."""
FAILED = "failed.json"


def read_wcxb(data: Path) -> Iterator[dict[str, Any]]:
    """Yield the pages: id, url, html, text (gold), page_type."""
    return read_lines(data / "wcxb-dev" / "pages.jsonl.gz")


def read_rendered(found: Sequence[dict[str, Any]], folder: Path) -> list[Page]:
    """Return the pages of these records as rendered, read without a browser if that fails;
    print how many.

    Raises `StorageFailed`.
    """
    shown = asyncio.run(render_wcxb(found, folder))
    print(f"{len(shown)} pages, {sum(page is None for page in shown)} of them not rendered", flush=True)
    return [page or read_html(record["html"], record["url"] or "") for page, record in zip(shown, found, strict=True)]


async def render_wcxb(found: Sequence[dict[str, Any]], folder: Path) -> list[Page | None]:
    """Return the pages of these records as rendered, None for one that cannot be.

    Raises `StorageFailed`.
    """
    failed = _read_failed(folder / FAILED)
    pages: list[Page | None] = []
    for start in range(0, len(found), BATCH):
        batch = found[start : start + BATCH]
        untried = [record for record in batch if record["id"] not in failed]
        shown = await render_all([_stored(record) for record in untried], folder)
        rendered = {record["id"]: page for record, page in zip(untried, shown, strict=True) if isinstance(page, Page)}
        reasons = {record["id"]: page for record, page in zip(untried, shown, strict=True) if isinstance(page, str)}
        if reasons:
            failed |= reasons
            write_atomically(folder / FAILED, msgspec.json.encode(failed))
        pages += [rendered.get(record["id"]) for record in batch]
    return pages


def _stored(record: dict[str, Any]) -> Stored:
    return Stored("", record["id"], record["url"] or "", record["html"], record["text"])


def _read_failed(path: Path) -> dict[str, str]:
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.is_file() else {}
