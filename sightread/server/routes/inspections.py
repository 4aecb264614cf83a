"""Inspections: what the service's inspector shows, in memory, each at an address with 128 random bits, for a short time.

The address is known to the caller who made the inspection alone, so that a frame, which sends no token, can show it. What may be done
there is what the caller's token allowed: corrections and learning need the scope `learn`, since they change what all callers get.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass

from aiohttp import web

from sightread.server.access.gate import Caller
from sightread.server.local.inspector import Inspected

MOST_INSPECTIONS = 16
"""Inspections in memory: a page with its picture takes some MB."""
MOST_SITES = 4
"""Of them, those of learned sites: the features of one take up to 100 MB."""
IDLE_SECONDS = 900.0
"""For which an inspection is kept after it was last used."""


@dataclass(slots=True)
class Inspection:
    """One inspection."""

    shown: Inspected
    caller: Caller
    used: float
    """Time of its last request, of a monotonic clock."""
    url: str = ""
    """Of the page, if it is a single one."""
    learning: str = ""
    """The id of the job that learns its site."""
    successor: str = ""
    """The inspection of the site that was learned."""


class Inspections:
    """The inspections in memory."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Inspection] = OrderedDict()

    def add(self, shown: Inspected, caller: Caller, url: str = "") -> str:
        """Keep an inspection, and return its id; the one that was not used for the longest time gives way."""
        id = secrets.token_hex(16)
        self._kept[id] = Inspection(shown, caller, time.monotonic(), url)
        sites = [key for key, kept in self._kept.items() if kept.shown.session is not None]
        for old in (*sites[: max(0, len(sites) - MOST_SITES)], *list(self._kept)[: max(0, len(self._kept) - MOST_INSPECTIONS)]):
            self._kept.pop(old, None)
        return id

    def find(self, id: str) -> Inspection:
        """Return an inspection. Raises HTTP 404."""
        found = self._kept.get(id)
        if found is None or time.monotonic() - found.used > IDLE_SECONDS:
            self._kept.pop(id, None)
            raise web.HTTPNotFound(text="this inspection is past its time: read the page again\n")
        found.used = time.monotonic()
        self._kept.move_to_end(id)
        return found
