"""Surroundings of the parts of a soak test: pages, folders, the end of the time, and the readings."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.soak.readings import Watch


@dataclass(frozen=True, slots=True)
class Paces:
    """How much work there is besides the batch, which runs as fast as one process can."""

    clients: int = 3
    """Of the service, each with one request at a time."""
    pause: float = 5.0
    """Seconds between two requests of a client."""
    job_every: float = 60.0
    """Seconds between two jobs of `JOB_PAGES` pages."""
    delay: float = 2.0
    """Seconds between two pages of a crawl."""
    crawl_pause: float = 15.0
    """Seconds between two crawls."""


@dataclass(frozen=True, slots=True)
class SoakOptions:
    """How long, and how much."""

    seconds: float = 5400.0
    batch: int = 200_000
    """Pages of the batch; what is not extracted when the time is over counts as neither requested nor lost."""
    every: float = 10.0
    """Seconds between two readings."""
    paces: Paces = Paces()


@dataclass(frozen=True, slots=True)
class TestBed:
    """The surroundings of the parts."""

    work: Path
    """For outputs and logs."""
    temporary: Path
    """TMPDIR of all programs that are started; it must be empty at the end."""
    pages: Sequence[bytes]
    """HTML that the service is sent, and that the local site has, in UTF-8."""
    archived: Sequence[bytes]
    """HTML of the batch's input."""
    paces: Paces
    watch: Watch
    stop: asyncio.Event
    """Set when no more work is begun."""

    @property
    def environment(self) -> Mapping[str, str]:
        """Environment of the programs."""
        return os.environ | {"SIGHTREAD_HOME": str(self.work / "home"), "TMPDIR": str(self.temporary)}

    async def wait(self, seconds: float) -> bool:
        """Wait; return whether work continues after it."""
        try:
            async with asyncio.timeout(seconds):
                await self.stop.wait()
        except TimeoutError:
            pass
        return not self.stop.is_set()
