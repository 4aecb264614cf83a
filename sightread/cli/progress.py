"""Progress on standard error: bars on a terminal, lines otherwise, nothing with `--json`."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from crawler.events import CrawlBegun, CrawlEvent, PageDuplicate, PageSetAside, PageStored, VisitFailed, Waiting

TAIL = 24


class CrawlProgress:
    """Shows the crawl and the steps after it; a context manager."""

    def __init__(self, *, quiet: bool) -> None:
        self._console = Console(stderr=True, quiet=quiet, highlight=False)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
            transient=True,
        )
        self._task = self._progress.add_task("crawling", total=None)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._progress.stop()

    def on_crawl(self, event: CrawlEvent) -> None:
        """Show the events of the crawl."""
        match event:
            case CrawlBegun(pages, wanted, note):
                self._progress.update(self._task, completed=pages, total=wanted)
                self.say("; ".join(filter(None, [note, f"going on from {pages} of {wanted} pages" if pages else ""])))
            case PageStored(url, pages):
                self._progress.update(self._task, completed=pages, description=f"crawling {escape(_tail(url))}")
            case VisitFailed(url, reason):
                self.say(f"failed: {reason if url in reason else f'{url}: {reason}'}")
            case Waiting(url, seconds, reason):
                self.say(f"again in {seconds:.0f} s: {reason if url in reason else f'{url}: {reason}'}")
            case PageDuplicate(url, of):
                self.say(f"the same as {of}: {url}")
            case PageSetAside(url):
                self.say(f"skipped, a list of links: {url}")

    def on_step(self, step: str) -> None:
        """Show the step that begins."""
        self._progress.update(self._task, description=step)
        self.say(f"{step} …")

    def say(self, line: str) -> None:
        """Print a line above the bar."""
        if line:
            self._console.print(escape(line), style="dim", soft_wrap=True)


def _tail(url: str) -> str:
    """Return the end of the URL: an 80-column terminal must have space for the bar and the figures."""
    return url if len(url) <= TAIL else f"…{url[-TAIL:]}"
