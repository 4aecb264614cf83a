"""Progress of a batch on standard error: a bar on a terminal, else a line every ten seconds; nothing with `--json`."""

from __future__ import annotations

import time
from threading import Lock
from typing import Self

from sightread.batch.runners.worker import Report
from sightread.cli.progress import RATE, REPORT_EVERY, ProgressBar


class BatchProgress(ProgressBar):
    """Counts partitions and pages, with the rate of pages. Reports may come from another thread."""

    def __init__(self, partitions: int, done: int, *, quiet: bool) -> None:
        super().__init__("partitions", RATE, total=partitions, completed=done, quiet=quiet)
        self._partitions, self._done = partitions, done
        self._began = self._reported = time.monotonic()
        self._lock = Lock()
        self.pages = self.failed = 0
        """Pages of this run, those that are not committed yet included; and how many failed."""

    def __enter__(self) -> Self:
        super().__enter__()
        if self._done:
            self.print_line(f"{self._done} of {self._partitions} partitions are committed already")
        return self

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

    def _rate(self) -> str:
        rate = self.pages / max(time.monotonic() - self._began, 0.001)
        return f"{self.pages} pages, {self.failed} failed, {rate:.1f} pages/s"
