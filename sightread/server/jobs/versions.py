"""Earlier versions of pages: what a caller received last of each page, so that the next answer has what changed since."""

from __future__ import annotations

import asyncio
import zlib
from difflib import unified_diff
from typing import Any

from sightread.crawler.urls import normalize
from sightread.render.errors import Rejected
from sightread.server.jobs.database import Database
from sightread.server.schema.answers import ChangeRecord, ExtractAnswer
from sightread.server.schema.requests import PageOptions

KEPT = 90 * 86_400.0
"""Seconds for which a version is kept that no request is compared with."""
MOST_LINES = 5_000
"""Of two versions of which a difference is made: its time grows with the product."""
LONGEST = 2_000_000


def schema(blob: str) -> str:
    """Return the statement that makes the table; `blob` is the type of bytes."""
    return f"""CREATE TABLE IF NOT EXISTS versions (caller TEXT NOT NULL, url TEXT NOT NULL, tag TEXT NOT NULL,
        at DOUBLE PRECISION NOT NULL, body {blob} NOT NULL, PRIMARY KEY (caller, url, tag))"""


class Versions:
    """The last version of each page, by caller and tag. Methods raise `StorageFailed`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def compare(self, caller: str, request: PageOptions, answer: ExtractAnswer) -> None:
        """Add to an answer what changed since the version that is kept of its page, if that is requested.

        Raises `Rejected` for HTML that has neither an address nor a tag.
        """
        if "change" in request.outputs:
            sql = "SELECT at, body FROM versions WHERE caller = ? AND url = ? AND tag = ?"
            found = await self._database.run(lambda work: work.query(sql, _key(caller, request, answer)))
            answer.change = await asyncio.to_thread(_change, found, answer.markdown[:LONGEST])

    async def keep(self, caller: str, request: PageOptions, answer: ExtractAnswer) -> None:
        """Keep the Markdown of an answer as the version that the next one is compared with, if that is requested."""
        if "change" in request.outputs:
            body = await asyncio.to_thread(lambda: zlib.compress(answer.markdown[:LONGEST].encode("utf-8", "surrogatepass")))
            sql = (
                "INSERT INTO versions VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (caller, url, tag) DO UPDATE SET at = excluded.at, body = excluded.body"
            )
            await self._database.run(lambda work: work.query(sql, (*_key(caller, request, answer), work.now(), body)))

    async def purge(self) -> None:
        """Delete versions that were not compared for long."""
        await self._database.run(lambda work: work.query("DELETE FROM versions WHERE at < ?", (work.now() - KEPT,)))


def _key(caller: str, request: PageOptions, answer: ExtractAnswer) -> tuple[str, str, str]:
    if not (answer.page.url or request.change_tag):
        raise Rejected("change: the HTML has no address by which its earlier version is found: give url, or change_tag")
    return caller, normalize(answer.page.url) or answer.page.url, request.change_tag


def _change(found: list[tuple[Any, ...]], text: str) -> ChangeRecord:
    if not found:
        return ChangeRecord("new")
    at, earlier = found[0][0], zlib.decompress(found[0][1]).decode("utf-8", "surrogatepass")
    if earlier == text:
        return ChangeRecord("same", at)
    lines = earlier.splitlines(), text.splitlines()
    is_short = all(len(each) <= MOST_LINES for each in lines)
    return ChangeRecord("changed", at, "\n".join(unified_diff(*lines, lineterm="", n=1)) if is_short else "")
