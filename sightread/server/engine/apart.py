"""Reads one page in a process of its own, which is killed at the page's deadline: a thread cannot be ended."""

from __future__ import annotations

import asyncio
import math
import os
import re
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from sightread.batch.child_process import start_process
from sightread.reading.reader import Reader
from sightread.render.browser.browser import Rendered
from sightread.render.errors import Unusable
from sightread.render.page import Page
from sightread.server.schema.requests import PageOptions

MOST_ELEMENTS = 20_000
MOST_CHARACTERS = 1_000_000
"""Of a page that is read in a thread, in some seconds at most; to start a process takes two."""
NICENESS = 9
"""Added to that of the worker: pages that are read in a thread have priority."""
_PARTS = re.compile(r"[\s>+~|]+|[(\\]")
"""Combinators of a selector, and functions; what follows an escape is not read."""


class Work(NamedTuple):
    """A page to read, and what is made of its reading."""

    make: Callable[[Any, Any], Any]
    """A function of a module, from a `Reading`, or without a model the rendered page, and the request to the answer."""
    request: Any
    rendered: Rendered
    model: str
    home: Path | None


def is_slow(page: Page, request: PageOptions) -> bool:
    """Return whether the page is read in a process of its own: it is large, or a selector takes a time with a power of its depth."""
    selectors = (*request.keep_selectors, *request.drop_selectors)
    if any(":has" in selector.lower() or len(_PARTS.findall(selector.strip())) > 1 for selector in selectors):
        return True
    return is_large(page)


def is_large(page: Page) -> bool:
    """Return whether what a model does with the page takes more than some seconds."""
    return len(page.elements) > MOST_ELEMENTS or sum(len(block.text) for block in page.blocks) > MOST_CHARACTERS


async def perform(work: Work, seconds: float, ends: float = math.inf) -> Any:
    """Return the answer. Raises `Unusable` if it is not there within some seconds, or at `ends` of the event loop's clock."""
    name = work.request.url or "the document"
    process, connection = start_process(f"{__name__}:serve")
    try:
        async with asyncio.timeout_at(min(ends, asyncio.get_running_loop().time() + seconds)):
            answer = await asyncio.to_thread(_exchange, connection, work)
    except TimeoutError as error:
        raise Unusable(f"{name}: too large: not processed within its deadline") from error
    except (EOFError, OSError) as error:
        raise Unusable(f"{name}: too large: the process that read it ended") from error
    finally:
        process.kill()
        await asyncio.to_thread(process.wait)
    if isinstance(answer, Exception):
        raise answer
    return answer


def _exchange(connection: Connection, work: Work) -> Any:
    with connection:
        connection.send(work)
        return connection.recv()


def serve(descriptor: int) -> None:
    """Read one page: `Work` comes in, and the answer or its error goes out."""
    os.nice(NICENESS)
    with Connection(descriptor) as connection:
        work: Work = connection.recv()
        try:
            source = Reader(home=work.home).apply(work.rendered, work.model) if work.model else work.rendered
            answer = work.make(source, work.request)
        except Exception as error:  # noqa: BLE001  (raised where it is awaited)
            answer = error
        connection.send(answer)
