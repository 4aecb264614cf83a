"""Lazy content: scrolls the page viewport by viewport if it shows signs of content that loads on scrolling.

Rows that a page takes away again when they leave the view (virtual scrolling) are not gathered: the page is collected from the top, as it
is there. A page that grows as it is scrolled is followed beyond the height it had only if that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from render.visit.settle import QUIET, IsolatedWorld, settle

Scroll = Literal["lazy", "none", "endless"]
"""How a page is scrolled before it is collected: where something waits to be scrolled to, never, or until no more comes."""

LAZY: dict[str, Any] = {"steps": 40, "cap": 4000, "pause": 50, "patience": 0, "endless": False}
"""At most 40 viewports and 4 s; a step takes two frames and what the page then does at once."""
ENDLESS: dict[str, Any] = {"steps": 60, "cap": 15_000, "pause": 50, "patience": 1000, "endless": True}
"""At most 60 steps and 15 s, and twice 1 s at the end of the page for more to come."""

_STEP = "async (options, make) => JSON.stringify(await make.lazy(make.dom()).step(options))"


async def step_through(world: IsolatedWorld, has_pending_request: Callable[[], bool], endless: bool) -> int:
    """Scroll through the page and back to its top, and wait until it is as it stays; return the number of steps."""
    taken = msgspec.json.decode(await world.evaluate(_STEP, ENDLESS if endless else LAZY), type=int)
    await settle(world, has_pending_request, hold=QUIET)
    return taken
