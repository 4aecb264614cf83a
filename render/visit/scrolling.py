"""Lazy content: scrolls the page viewport by viewport if it shows signs of content that loads on scrolling.

Rows that a page takes away again when they leave the view (virtual scrolling) are not gathered: the page is collected from the top, as it
is there. A page that grows as it is scrolled is followed beyond the height it had only if that is requested.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Literal

from sightread.render.visit.settle import LIMITS, IsolatedWorld, Settled, settle

Scroll = Literal["lazy", "none", "endless"]
"""How a page is scrolled before it is collected: where something waits to be scrolled to, never, or until no more comes."""


@dataclass(frozen=True, slots=True)
class StepLimits:
    """How far a page is scrolled; times in ms."""

    steps: int = 40
    """Of a viewport each."""
    cap: int = 4000
    """For all steps."""
    pause: int = 50
    """After a step, for the browser to have nothing to do; two frames pass before."""
    timeout: int = 0
    """Twice at the end of the page, for more to come."""
    endless: bool = False
    """Whether the page is followed beyond the height that it had."""


LAZY = StepLimits()
ENDLESS = StepLimits(steps=60, cap=15_000, timeout=1000, endless=True)

_STEP = "async (options, make) => JSON.stringify(await make.lazy(make.dom()).step(options))"


async def step_through(world: IsolatedWorld, has_pending_request: Callable[[float], bool], endless: bool) -> Settled:
    """Scroll through the page and back to its top, and wait until it is stable."""
    await world.evaluate(_STEP, asdict(ENDLESS if endless else LAZY))
    return await settle(world, has_pending_request, hold=LIMITS.quiet)
