"""`sightread.extract_many`: main content of many pages without a browser, over processes with one warm model each."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sized
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, TypeAlias, Unpack, overload

from sightread.batch.child_process import ChildProcess
from sightread.batch.outcome import Outcome, defect
from sightread.document.document import Document
from sightread.models.model_choice import DOM_ONLY, FALLBACK, check_name, choose_model
from sightread.reading import read_static
from sightread.reading.extraction import ExtractOptions, ResultForm, check_html
from sightread.render.argument_checks import check_range, check_type
from sightread.render.browser.limiter import cores
from sightread.render.errors import Rejected, SightreadError, Unequipped, Unusable
from sightread.sites.store import SiteStore


class ExtractionOrder(NamedTuple):
    """Instructions for all pages, sent to a worker once."""

    model: str
    output_format: str | None
    options: dict[str, bool]


def serve(connection: Connection, order: ExtractionOrder) -> None:
    """Answer one page after another: HTML and URL come in, and a document, a text or an error goes out."""
    if order.model in ("auto", "site"):  # a wrong name was refused by the parent
        DOM_ONLY[FALLBACK]()
    else:
        choose_model(order.model, "", SiteStore(), rendered=False)
    connection.send(None)
    while True:
        html, url = connection.recv()
        connection.send(_read(order, html, url))


def _read(order: ExtractionOrder, html: str | bytes, url: str) -> Document | str | SightreadError:
    try:
        shape = ResultForm.of("extract_many()", url, order.model, order.output_format, order.options)  # type: ignore[arg-type]
        return shape.applied(read_static(html, url, order.model).document)
    except SightreadError as error:
        return error
    except Exception as error:  # noqa: BLE001  (one page of many: recorded as its error, and the others are read)
        return defect(url, error)


PageInput: TypeAlias = str | bytes | tuple[str | bytes, str]
"""HTML, or HTML with its URL."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Deadlines of a worker, in seconds."""

    start: float = 120.0
    """Until its model is loaded; 2 s on an idle machine."""
    page: float = 60.0
    """For one page: a process that takes longer is replaced. As `Reader(processing=…)`."""
    tries: int = 3
    """Workers in succession that may die before their first page, before it counts as a fault of the machine."""


TIMEOUTS = Timeouts()
SERVE = f"{__name__}:serve"


@overload
def extract_many(
    pages: Iterable[PageInput],
    model: str = "auto",
    *,
    processes: int | None = None,
    output_format: None = None,
    **options: Unpack[ExtractOptions],
) -> Generator[Outcome[Document], None, None]: ...


@overload
def extract_many(
    pages: Iterable[PageInput],
    model: str = "auto",
    *,
    processes: int | None = None,
    output_format: str,
    **options: Unpack[ExtractOptions],
) -> Generator[Outcome[str], None, None]: ...


def extract_many(
    pages: Iterable[PageInput],
    model: str = "auto",
    *,
    processes: int | None = None,
    output_format: str | None = None,
    **options: Unpack[ExtractOptions],
) -> Generator[Outcome[Any], None, None]:
    """Yield the outcome of each page, in order of completion: a `Document`, or with an `output_format` its text, or its error.

    `pages` are HTML, or pairs of HTML and URL; they are taken when a process is free, so an iterator may be of any length. `processes` is
    one per CPU core by default. A page that kills its process, or takes longer than 60 s, fails alone. Closing the generator ends the
    processes. Options are those of `sightread.extract`. Raises `Rejected`, `UnknownModel`, and `Unequipped` if no process can be started.
    """
    check_type("extract_many(): processes", processes, int | None)
    check_range("extract_many(): processes", 1 if processes is None else processes, 1, unit="processes")
    if isinstance(pages, str | bytes) or not isinstance(pages, Iterable):
        raise Rejected("extract_many(): pages is a single page: give a list of HTML, or use sightread.extract")
    ResultForm.of("extract_many()", "", model, output_format, options)
    check_name(model)
    order = ExtractionOrder(model, output_format, {name: bool(value) for name, value in options.items()})
    return _outcomes(pages, order, cores() if processes is None else processes)


@dataclass(slots=True, eq=False)
class _Worker(ChildProcess):
    """A worker process, and the page that it is reading."""

    ends: float = field(default_factory=lambda: time.monotonic() + TIMEOUTS.start)
    """By the monotonic clock: its deadline, while it loads its model or reads a page."""
    page: tuple[int, str] | None = None
    """Index and URL of the page; None while it loads its model, and while it waits for a page."""
    is_warm: bool = False

    @property
    def is_idle(self) -> bool:
        """Whether it waits for a page."""
        return self.is_warm and self.page is None

    def read(self, index: int, html: str | bytes, url: str) -> None:
        """Send it a page. Raises `OSError` if it has died."""
        self.connection.send((html, url))
        self.page, self.ends = (index, url), time.monotonic() + TIMEOUTS.page


class _Workers:
    """The workers of one call; those that die are replaced."""

    def __init__(self, order: ExtractionOrder, number: int) -> None:
        self._order = order
        self._deaths = 0
        self._workers: list[_Worker] = []
        try:
            for _ in range(number):
                self._workers.append(_Worker.start(SERVE, order))
        except Unequipped:
            self.close()
            raise

    @property
    def idle(self) -> _Worker | None:
        """A worker that waits for a page; None if there is none."""
        return next((worker for worker in self._workers if worker.is_idle), None)

    @property
    def is_reading(self) -> bool:
        """Whether a page is under way."""
        return any(worker.page for worker in self._workers)

    def answers(self) -> Iterator[Outcome[Any]]:
        """Wait until a worker has loaded its model, read its page, or failed, and yield the outcomes of pages."""
        active = [worker for worker in self._workers if not worker.is_idle]
        ready = set(wait([worker.connection for worker in active], max(0.0, min(worker.ends for worker in active) - time.monotonic())))
        for worker in active:
            if worker.connection in ready:
                yield from self._answer(worker)
            elif worker.ends <= time.monotonic():
                yield from self.replace(worker, f"not processed within {TIMEOUTS.page:g} s: too large")

    def replace(self, worker: _Worker, reason: str = "", seconds: float = 0.0) -> Iterator[Outcome[Any]]:
        """End a worker and start another; yield the failure of its page. Raises `Unequipped` if workers die before they can read."""
        worker.close(seconds)
        reason = reason or f"the process that read it ended with status {worker.process.returncode}: too large, or a defect of sightread"
        self._deaths = 0 if worker.is_warm else self._deaths + 1
        if self._deaths >= TIMEOUTS.tries:
            remedy = "see the lines above, free some memory, or give fewer"
            raise Unequipped(f"{self._deaths} processes of extract_many ended while they loaded the model: {remedy}")
        self._workers[self._workers.index(worker)] = _Worker.start(SERVE, self._order)
        if worker.page is not None:
            index, url = worker.page
            yield Outcome(index, url, None, Unusable(f"{url or 'the document'}: {reason}"))

    def _answer(self, worker: _Worker) -> Iterator[Outcome[Any]]:
        try:
            answer = worker.connection.recv()
        except (EOFError, OSError):
            yield from self.replace(worker, seconds=1.0)  # so that its status is its own
            return
        page, worker.page, worker.is_warm = worker.page, None, True
        if page is not None:
            index, url = page
            yield Outcome(index, url, None, answer) if isinstance(answer, SightreadError) else Outcome(index, url, answer, None)

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.close()


def _outcomes(pages: Iterable[PageInput], order: ExtractionOrder, processes: int) -> Generator[Outcome[Any], None, None]:
    with closing(_Workers(order, min(processes, max(1, len(pages))) if isinstance(pages, Sized) else processes)) as workers:
        for index, page in enumerate(pages):
            try:
                html, url = _html_and_url(page)
            except SightreadError as error:
                yield Outcome(index, "", None, error)
                continue
            while True:
                while (worker := workers.idle) is None:
                    yield from workers.answers()
                try:
                    worker.read(index, html, url)
                    break
                except OSError:  # it died while it waited
                    yield from workers.replace(worker)
        while workers.is_reading:
            yield from workers.answers()


def _html_and_url(page: object) -> tuple[str | bytes, str]:
    """Return the checked parts of a page. Raises `Rejected`."""
    if isinstance(page, tuple):
        check_type("extract_many(): a page", page, tuple[str | bytes, str])
        html, url = page
    else:
        html, url = page, ""
    check_html("extract_many()", html)
    return html, url
