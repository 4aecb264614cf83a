"""Progress of a batch on standard error: a bar on a terminal, else a line every ten seconds; nothing with `--json`."""

from __future__ import annotations

import time
from threading import Lock
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from sightread.batch.runners.worker import Report
from sightread.cli.progress import REPORT_EVERY


class BatchProgress:
    """Counts partitions and pages, with the rate of pages; a context manager. Reports may come from another thread."""

    def __init__(self, partitions: int, done: int, *, quiet: bool) -> None:
        self._console = Console(stderr=True, quiet=quiet, highlight=False)
        self._partitions, self._done = partitions, done
        self._began = self._reported = time.monotonic()
        self._lock = Lock()
        self.pages = self.failed = 0
        """Pages of this run, those that are not committed yet included; and how many failed."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
        self._progress = Progress(*columns, console=self._console, disable=not self._console.is_terminal or quiet, transient=True)
        self._task = self._progress.add_task("partitions", total=partitions, completed=done, rate="")

    def __enter__(self) -> Self:
        self._progress.start()
        if self._done:
            self.print_line(f"{self._done} of {self._partitions} partitions are committed already")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._progress.stop()

    def on_report(self, report: Report) -> None:
        """Count what a worker reports."""
        with self._lock:
            self.pages += report.pages
            self.failed += report.failed
            self._done += report.kind == "done"
            self._progress.update(self._task, completed=self._done, rate=self._rate())
            if report.message and report.kind != "failed":  # failures are printed at the end
                self.print_line(report.message)
            if not self._console.is_terminal and time.monotonic() - self._reported >= REPORT_EVERY:
                self._reported = time.monotonic()
                self.print_line(f"{self._done} of {self._partitions} partitions, {self._rate()}")

    def print_line(self, line: str) -> None:
        """Print a line."""
        self._console.print(escape(line), style="dim", soft_wrap=True)

    def _rate(self) -> str:
        rate = self.pages / max(time.monotonic() - self._began, 0.001)
        return f"{self.pages} pages, {self.failed} failed, {rate:.1f} pages/s"
