"""Progress on standard error: bars on a terminal, lines otherwise, nothing with `--json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn

from sightread.batch.outcome import Outcome
from sightread.cli.run import worded_note
from sightread.crawler.answers import Change
from sightread.crawler.events import CrawlBegun, CrawlEvent, PageDuplicate, PageSetAside, PageStored, VisitFailed, Waiting
from sightread.crawler.site_state import State
from sightread.document.document import Document

if TYPE_CHECKING:
    from sightread.batch.runners.local import Report

TAIL = 24
"""Characters of a URL that are shown: an 80-column terminal must have space for the bar and the figures."""
REPORT_EVERY = 10.0
"""Seconds between two lines of progress if there is no terminal."""


class ProgressBar:
    """A bar on standard error, if that is a terminal, and lines above it; a context manager. `last` is the column after the count."""

    def __init__(
        self, description: str, last: ProgressColumn, *, total: int | None = None, completed: int = 0, quiet: bool = False
    ) -> None:
        self._console = Console(stderr=True, quiet=quiet, highlight=False)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), last)
        self._progress = Progress(*columns, console=self._console, disable=not self._console.is_terminal or quiet, transient=True)
        self._task = self._progress.add_task(description, total=total, completed=completed, rate="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._progress.stop()

    def print_line(self, line: str) -> None:
        """Print a line above the bar."""
        if line:
            self._console.print(escape(line), style="dim", soft_wrap=True)


class CrawlProgress(ProgressBar):
    """Shows the crawl and the steps after it."""

    def __init__(self, *, quiet: bool) -> None:
        super().__init__("crawling", TimeElapsedColumn(), quiet=quiet)

    def on_crawl(self, event: CrawlEvent) -> None:
        """Show the events of the crawl."""
        match event:
            case CrawlBegun(pages, total, note):
                self._progress.update(self._task, completed=pages, total=total)
                self.print_line("; ".join(filter(None, [note, f"continuing from {pages} of {total} pages" if pages else ""])))
            case PageStored(url, pages):
                tail = url if len(url) <= TAIL else f"…{url[-TAIL:]}"
                self._progress.update(self._task, completed=pages, description=f"crawling {escape(tail)}")
            case VisitFailed(url, reason):
                self.print_line(f"failed: {reason if url in reason else f'{url}: {reason}'}")
            case Waiting(url, seconds, reason):
                self.print_line(f"again in {seconds:.0f} s: {reason if url in reason else f'{url}: {reason}'}")
            case PageDuplicate(url, of):
                self.print_line(f"the same as {of}: {url}")
            case PageSetAside(url, is_list):
                self.print_line(f"{'skipped, a list of links' if is_list else 'visited for its links first'}: {url}")

    def on_step(self, step: str) -> None:
        """Show the step that begins."""
        self._progress.update(self._task, description=step)
        self.print_line(f"{step} …")


class RateProgress(ProgressBar):
    """Counts pages with their rate; without a terminal it prints a line every `REPORT_EVERY` seconds."""

    def __init__(self, what: str, total: int, already: int, note: str, *, quiet: bool = False) -> None:
        super().__init__(what, TextColumn("{task.fields[rate]}"), total=total, completed=already, quiet=quiet)
        self._total, self._already, self._done = total, already, already
        self._note = f"{already} of {total} {note}" if already else ""
        self._began = self._reported = monotonic()
        self.pages = self.failed = 0
        """Pages of this run, and how many of them failed."""

    def __enter__(self) -> Self:
        super().__enter__()
        self.print_line(self._note)
        return self

    @property
    def _pages_per_second(self) -> float:
        return self.pages / max(monotonic() - self._began, 0.001)

    def _show(self, unit: str, rate: str) -> None:
        self._progress.update(self._task, completed=self._done, rate=rate)
        if not self._console.is_terminal and monotonic() - self._reported >= REPORT_EVERY:
            self._reported = monotonic()
            self.print_line(f"{self._done} of {self._total} {unit}, {rate}")


class PageProgress(RateProgress):
    """Shows how many pages of a list are read, with rate and remaining time; each code of their notes once."""

    def __init__(self, total: int, already: int) -> None:
        super().__init__("extracting", total, already, "pages are there already; delete the folder's index.jsonl to read them again")
        self._notes: dict[str, tuple[int, str]] = {}

    def on_outcome(self, outcome: Outcome[Document]) -> None:
        """Count a page; show why it failed."""
        self.pages += 1
        self._done += 1
        if outcome.error is not None:
            self.failed += 1
            reason = str(outcome.error)
            self.print_line(f"failed: {reason if outcome.url in reason else f'{outcome.url}: {reason}'}")
        for note in outcome.result.notes if outcome.result else ():
            pages, first = self._notes.get(note.code, (0, f"{outcome.url}: {worded_note(note.message)}"))
            self._notes[note.code] = pages + 1, first
        rate = self._pages_per_second
        self._show("pages", f"{self.failed} failed, {rate:.1f} pages/s, {_duration((self._total - self._done) / rate)} left")

    def finish(self) -> None:
        """Show the notes, each code once, and the result in one line."""
        for code, (pages, first) in self._notes.items():
            more = f" (and {pages - 1} more {'page' if pages == 2 else 'pages'})" if pages > 1 else ""
            self.print_line(f"note {code}: {first}{more}")
        seconds = monotonic() - self._began
        self.print_line(f"{self.pages - self.failed} of {self.pages} pages extracted in {_duration(seconds)}")


class SiteProgress(ProgressBar):
    """Shows how far the crawl of whole sites is: a bar, or a line every `REPORT_EVERY` seconds; and why pages failed."""

    def __init__(self, counts: Mapping[State, int]) -> None:
        super().__init__("extracting", TextColumn("{task.fields[rate]}"), completed=_settled(counts), total=sum(counts.values()) or None)
        self.interval = 1.0 if self._console.is_terminal else REPORT_EVERY
        self._began, self._pages, self._errors = monotonic(), 0, 0

    def on_change(self, change: Change) -> None:
        """Count a requested page; show why it failed, or what changed."""
        self._pages += 1
        if change.state == "failed":
            self._errors += 1
            self.print_line(f"failed: {change.url}: {change.reason}")

    def on_counts(self, counts: Mapping[State, int], waiting: Mapping[str, str], delayed: Sequence[str]) -> None:
        """Show the number of pages per state, the rate, the remaining time, and the sites that wait for an answer or for their delay."""
        rate = self._pages / max(monotonic() - self._began, 0.001)
        left = f", {_duration(counts['ready'] / rate)} left" if rate else ""
        silent = f"; waiting for {', '.join([*waiting][:3])}" if waiting else ""
        paced = f"; the delay of {', '.join(delayed[:3])}{' and others' * (len(delayed) > 3)}" if delayed else ""
        shown = f"{counts['ready']} ready, {self._errors} failed, {rate:.1f} pages/s{left}{silent}{paced}"
        self._progress.update(self._task, completed=_settled(counts), total=sum(counts.values()), rate=shown)
        if not self._console.is_terminal:
            self.print_line(f"{_settled(counts)} of {sum(counts.values())} known pages, {shown}")


def _settled(counts: Mapping[State, int]) -> int:
    return sum(counts.values()) - counts["ready"]


class SitesProgress(ProgressBar):
    """Counts the sites of a list; a line for each that ends, here or elsewhere."""

    def __init__(self, total: int, *, quiet: bool) -> None:
        super().__init__("sites", TextColumn("{task.fields[rate]}"), total=total, quiet=quiet)

    def on_site(self, row: Mapping[str, Any]) -> None:
        """Show what became of a site."""
        self._progress.advance(self._task)
        self.print_line(": ".join(filter(None, (row["state"], row["site"], row["reason"]))))

    def on_counts(self, states: Sequence[str]) -> None:
        """Show how many sites are under way, on all machines together."""
        self._progress.update(self._task, rate=f"{states.count('running')} under way, {states.count('queued')} wait")


class BatchProgress(RateProgress):
    """Counts partitions and pages, those that are not committed yet included. Reports may come from another thread."""

    def __init__(self, partitions: int, done: int, *, quiet: bool) -> None:
        super().__init__("partitions", partitions, done, "partitions are committed already", quiet=quiet)
        self._lock = Lock()

    def on_report(self, report: Report) -> None:
        """Count what a worker reports."""
        with self._lock:
            self.pages += report.pages
            self.failed += report.failed
            self._done += report.kind == "done"
            if report.message and report.kind != "failed":  # failures are printed at the end
                self.print_line(report.message)
            self._show("partitions", f"{self.pages} pages, {self.failed} failed, {self._pages_per_second:.1f} pages/s")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
