"""Health figures of a browser pool, for `/healthz`, `--json` and monitoring of long runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PoolHealth:
    """Health figures of the pool at one moment; counts are since it was opened."""

    open: int
    """Pages open now."""
    waiting: int
    """Pages that wait for their turn."""
    bound: int
    """How many may be open at once now: the requested tabs, or fewer while memory is short or the machine is overloaded."""
    done: int
    """Pages that were read."""
    failed: int
    """Pages that ended in an error of any kind."""
    retried: int
    """Tries that the browser failed and another followed."""
    restarts: int
    """Browsers that were lost or had to be killed."""
    recycled: int
    """Browsers that were replaced because they had done their share of pages or memory."""
    killed_for_memory: int
    """Renderers that were killed because a page took too much."""
    memory: int
    """Bytes that the browser's processes use now; 0 if unknown."""
    alive: bool
    """Whether a browser is up; the next page starts one if none is."""
    draining: bool
    """Whether no new pages are taken."""


@dataclass(slots=True)
class HealthCounters:
    """The counts, while they grow."""

    done: int = 0
    failed: int = 0
    retried: int = 0
    restarts: int = 0
    recycled: int = 0
    killed_for_memory: int = 0
