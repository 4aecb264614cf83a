"""The process that extracts pages of a batch: one warm model, and with rendering one browser of its own; pages come over a connection.

It may be killed by a page: its parent starts another (`sightread.batch.job.page_process`).
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from sightread.batch.child_process import limit_memory
from sightread.batch.inputs.files import InputRecord
from sightread.batch.job.page_row import PageRow, row_of, row_of_text
from sightread.batch.job.plan import ExtractionOptions
from sightread.batch.outcome import defect
from sightread.crawler.rate_limit import PAGES_AT_ONCE, Pace, default_delay
from sightread.document.document import Document
from sightread.models.model_choice import choose_model
from sightread.reading import apply_model, read_static
from sightread.reading.plain_text import read_text, text_of_page
from sightread.render.errors import SightreadError, Unequipped, Unusable
from sightread.render.network.address import check_url, origin_of
from sightread.render.page import decode_page
from sightread.render.static.charset import DecodedHtml, decode_html
from sightread.sites.store import site_store


class PageProcessOrder(msgspec.Struct, frozen=True):
    """Instructions for all pages, sent to a process once."""

    extraction: ExtractionOptions
    home: str | None = None
    """The folder of learned sites; None for the default."""
    browser: str | None = None
    """The Chromium to use; None for one that is found."""
    memory: int = 2 << 30
    """Bytes that a page may allocate without a browser."""


class Task(msgspec.Struct, frozen=True, array_like=True):
    """A page to extract."""

    source: str
    record: InputRecord


def failed_row(task: Task, error: Exception) -> PageRow:
    """Return the row of a page that failed."""
    record = task.record
    return PageRow(task.source, record.position, record.url, "failed", str(error), type(error).__name__)


MOST_HOSTS = 1000


def serve(connection: Connection, order: PageProcessOrder) -> None:
    """Answer one page after another: a `Task` comes in, and its `PageRow` goes out, after an empty text, or why no page can be read."""
    try:
        if order.extraction.static:
            _serve_static(connection, order)
        else:
            asyncio.run(_serve_rendered(connection, order))
    except Unequipped as error:
        connection.send(str(error))


def _serve_static(connection: Connection, order: PageProcessOrder) -> None:
    home = Path(order.home) if order.home else None
    model = order.extraction.model
    choose_model("auto" if model == "site" else model, "", site_store(home), rendered=False)
    limit_memory(order.memory)
    connection.send("")
    tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(connection, tasks.put), daemon=True).start()
    while (task := tasks.get()) is not None:
        began, began_cpu = time.perf_counter(), time.thread_time()
        if order.extraction.fast:
            row = finished(task, partial(_fast, task))
        else:
            row = finished(task, partial(_static, task, order.extraction, home))
        seconds, cpu = time.perf_counter() - began, time.thread_time() - began_cpu
        connection.send(msgspec.structs.replace(row, seconds=round(seconds, 4), cpu_seconds=round(cpu, 4)))


def _receive(connection: Connection, put: Callable[[Task | None], None]) -> None:
    """Pass on what comes in: the parent never waits for a page to be done before it can send the next."""
    with suppress(EOFError, OSError):
        while True:
            put(connection.recv())
    put(None)


def finished(task: Task, extract: Callable[[], PageRow]) -> PageRow:
    """Return the row of a page: what `extract` returns, or its error."""
    try:
        return extract()
    except SightreadError as error:
        return failed_row(task, error)
    except MemoryError:
        return failed_row(task, Unusable(f"{task.record.url or 'the document'}: too large: it needs more memory than a page may take"))
    except Exception as error:  # noqa: BLE001  (one page of many: recorded as its error, and the others are read)
        return failed_row(task, defect(task.record.url, error))


def _fast(task: Task) -> PageRow:
    record = task.record
    if record.page:
        return row_of_text(task.source, record, text_of_page(decode_page(record.page, record.url)))
    return row_of_text(task.source, record, read_text(_html(record, "--fast"), record.url))


def _static(task: Task, options: ExtractionOptions, home: Path | None) -> PageRow:
    record = task.record
    if record.page:
        document = _rendered_before(record, options.model, home)
    else:
        document = read_static(_html(record, "--static"), record.url, options.model, home).document
    return row_of(task.source, record, document, options)


def _html(record: InputRecord, option: str) -> DecodedHtml:
    if not record.html:
        raise Unusable(f"{record.url}: a URL, which only a browser opens: leave {option} out")
    return decode_html(record.html, record.charset)


def _rendered_before(record: InputRecord, model: str, home: Path | None) -> Document:
    page = decode_page(record.page, record.url)
    choice = choose_model(model, page.final_url, site_store(home), rendered=page.source == "browser")
    return apply_model(choice, page, is_new=False).document


async def _serve_rendered(connection: Connection, order: PageProcessOrder) -> None:
    from sightread.reading.reader import Reader  # noqa: PLC0415
    from sightread.render.browser.browser import STORED, RenderOptions  # noqa: PLC0415  (a browser, which static jobs do not need)
    from sightread.render.network.egress import Egress  # noqa: PLC0415

    options, loop = order.extraction, asyncio.get_running_loop()
    live = RenderOptions(deadline=options.deadline, render=options.render)
    stored = replace(STORED, deadline=options.deadline, render=options.render)
    home = Path(order.home) if order.home else None
    tasks: asyncio.Queue[Task | None] = asyncio.Queue()

    async def extract(task: Task) -> None:
        record, began = task.record, time.perf_counter()
        try:
            if record.page:
                document = await asyncio.to_thread(_rendered_before, record, options.model, home)
            elif record.html:
                html = decode_html(record.html, record.charset)
                document = await reader.extract_html(html, record.url, options=stored)
            else:
                async with hosts.visit(record.url):
                    document = await reader.extract(record.url, options=live)
            row = await asyncio.to_thread(finished, task, lambda: row_of(task.source, record, document, options))
        except SightreadError as error:
            row = failed_row(task, error)
        except Exception as error:  # noqa: BLE001  (one page of many: recorded as its error, and the others are read)
            row = failed_row(task, defect(record.url, error))
        row = msgspec.structs.replace(row, seconds=round(time.perf_counter() - began, 4))
        async with sending:
            await asyncio.to_thread(connection.send, row)

    sending, hosts = asyncio.Lock(), _Hosts()
    browser = Path(order.browser) if order.browser else None
    egress = Egress(local=options.local)
    async with Reader(options.model, home=order.home, executable=browser, tabs=1, egress=egress, light=options.light) as reader:
        connection.send("")
        put = lambda task: loop.call_soon_threadsafe(tasks.put_nowait, task)  # noqa: E731
        threading.Thread(target=_receive, args=(connection, put), daemon=True).start()
        running: set[asyncio.Task[None]] = set()
        while (task := await tasks.get()) is not None:
            working = asyncio.ensure_future(extract(task))
            running.add(working)
            working.add_done_callback(running.discard)
        for working in running:
            working.cancel()


class _Hosts:
    """Spares the hosts of live pages: at most two pages of one host at once, half a second apart; on this machine any number."""

    def __init__(self) -> None:
        self._hosts: dict[str, tuple[Pace, asyncio.Semaphore]] = {}

    @asynccontextmanager
    async def visit(self, url: str) -> AsyncIterator[None]:
        """Wait until the URL's host may be visited; the visit is the block."""
        if len(self._hosts) > MOST_HOSTS:
            self._hosts.clear()
        at_once = PAGES_AT_ONCE if default_delay(url) else MOST_HOSTS
        pace, free = self._hosts.setdefault(origin_of(check_url(url).href), (Pace(default_delay(url)), asyncio.Semaphore(at_once)))
        async with free:
            await pace.turn()
            yield
