"""`sightread.read`: a page read with a browser, for scripts and notebooks that are not asynchronous.

One thread runs an event loop with one reader for each egress boundary. They start with the first page and end with the program, so that the
second page waits for no browser. A call works inside a running event loop too, which waits meanwhile.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from contextlib import AsyncExitStack
from typing import Unpack, overload

from sightread.document.document import Document
from sightread.reading.extraction import ExtractOptions, ResultForm
from sightread.reading.reader import LIVE, Reader
from sightread.render.argument_checks import check_type
from sightread.render.browser.browser import RenderOptions
from sightread.render.loop_thread import LoopThread
from sightread.render.network.egress import PUBLIC, Egress


class _Background(LoopThread):
    """The thread, with its readers."""

    def __init__(self) -> None:
        super().__init__("sightread")
        self._readers: dict[Egress, asyncio.Task[Reader]] = {}
        self._open = AsyncExitStack()

    async def reader(self, egress: Egress) -> Reader:
        """Return the reader of a boundary; a browser that could not start is tried again at the next call."""
        if egress not in self._readers or (self._readers[egress].done() and self._readers[egress].exception()):
            self._readers[egress] = asyncio.ensure_future(self._open.enter_async_context(Reader(egress=egress)))
        return await asyncio.shield(self._readers[egress])

    def close(self) -> None:
        """Close the readers, and end the thread."""
        self.run(self._open.aclose())
        super().close()


_background: _Background | None = None
_lock = threading.Lock()


def _started() -> _Background:
    global _background
    with _lock:
        if _background is None:
            _background = _Background()
            atexit.register(_background.close)
        return _background


def _forget() -> None:
    """Forget the thread, which a forked process does not have."""
    global _background, _lock
    if _background is not None:
        atexit.unregister(_background.close)
    _background, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)


@overload
def read(
    url: str,
    model: str = "auto",
    *,
    output_format: None = None,
    options: RenderOptions = LIVE,
    egress: Egress = PUBLIC,
    **given: Unpack[ExtractOptions],
) -> Document: ...


@overload
def read(
    url: str,
    model: str = "auto",
    *,
    output_format: str,
    options: RenderOptions = LIVE,
    egress: Egress = PUBLIC,
    **given: Unpack[ExtractOptions],
) -> str: ...


def read(
    url: str,
    model: str = "auto",
    *,
    output_format: str | None = None,
    options: RenderOptions = LIVE,
    egress: Egress = PUBLIC,
    **given: Unpack[ExtractOptions],
) -> Document | str:
    """Return the main content of the page at `url`, rendered by a browser: a `Document`, or with an `output_format` its text.

    Synchronous: asynchronous programs have `Reader`, which also reads many pages at once. The first call starts a browser, which ends with
    the program. `options` are those of rendering, `egress` the reachable addresses (`Egress(local=True)` for this machine and private
    networks); others are those of `sightread.extract`. Raises `Retryable`, `Unusable`, `Rejected`, `UnknownModel`, and `NoBrowser`.
    """
    shape = ResultForm.of("read()", url, model, output_format, given)
    check_type("read(): egress", egress, Egress)
    background = _started()

    async def extract() -> Document:
        return await (await background.reader(egress)).extract(url, model=model, options=options)

    return shape.applied(background.run(extract()))
