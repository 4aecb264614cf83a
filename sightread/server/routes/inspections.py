"""Inspections: what the service's inspector shows, in memory, each at an address with 128 random bits, for a short time.

The address is known to the caller who made the inspection alone, so that a frame, which sends no token, can show it. What may be done
there is what the token that opened it allows at each request: corrections and learning need the scope `learn`, since they change what all
callers get. An inspection ends with its token.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from aiohttp import web

from sightread.server.access.gate import Caller
from sightread.server.inspector import Inspected

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
    """The caller who opened it, with the token's scopes at the last request."""
    scope: str
    """The scope that the token needs for every request; `learn` if the site can be corrected."""
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

    def add(self, shown: Inspected, caller: Caller, url: str = "", scope: str = "read") -> str:
        """Keep an inspection, and return its id; the one that was not used for the longest time gives way."""
        id = secrets.token_hex(16)
        self._kept[id] = Inspection(shown, caller, "learn" if shown.session else scope, time.monotonic(), url)
        sites = [key for key, kept in self._kept.items() if kept.shown.session is not None]
        for old in (*sites[: max(0, len(sites) - MOST_SITES)], *list(self._kept)[: max(0, len(self._kept) - MOST_INSPECTIONS)]):
            self._kept.pop(old, None)
        return id

    def find(self, id: str, rights: Callable[[Caller], frozenset[str]]) -> Inspection:
        """Return an inspection, with the scopes of its caller by `rights`. Raises HTTP 404, also if its token has no right to it by now."""
        found = self._kept.get(id)
        if found is not None:
            found.caller = replace(found.caller, scopes=rights(found.caller))
        if found is None or time.monotonic() - found.used > IDLE_SECONDS or found.scope not in found.caller.scopes:
            self._kept.pop(id, None)
            raise web.HTTPNotFound(text="this inspection has ended: it is past its time, or its token is; read the page again\n")
        found.used = time.monotonic()
        self._kept.move_to_end(id)
        return found
