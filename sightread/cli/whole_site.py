"""`sightread extract --site`: every page of one or more sites into a folder; again with what has changed; and how far that is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec

from sightread.batch.outcome import Outcome, PageFolder
from sightread.batch.site_folder import STATE, SiteFolder
from sightread.cli.commands import TABLES, ExtractCommand
from sightread.cli.page_output import LineOutput, check_many, page_format, shaped, write_table
from sightread.cli.progress import SiteProgress
from sightread.cli.run import print_json, print_message, print_result, write
from sightread.cli.visiting import egress, render_options, scope_of
from sightread.crawler.answers import Change, WholeSiteOptions
from sightread.crawler.fetch import Fetcher
from sightread.crawler.journal import AppendFile
from sightread.crawler.site_state import SiteState
from sightread.crawler.urls import Scope, parse_start_url, site_of
from sightread.crawler.warc import ReplayedFetcher, WarcWriter
from sightread.crawler.whole_site import PageReader, WholeSiteCrawl
from sightread.document.document import Document
from sightread.reading.reader import Reader
from sightread.reading.site_pages import HtmlPages, read_rendered, read_replayed
from sightread.render.archives.cdxj import WarcFolder
from sightread.render.browser.limiter import cores
from sightread.render.errors import Rejected, Retryable, SightreadError, Unusable

HTML_PAGES = 8
"""Pages under way at once without a browser."""
MOST_NAMED = 5
"""Lines of a report that name addresses or sites."""


async def extract_site(options: ExtractCommand) -> int:
    """Read the pages of sites, or report how far that is; the exit code is 3 if pages are left, or none was found."""
    if options.status or options.list:
        return await asyncio.to_thread(_report, options)
    if options.targets or options.urls:
        raise Rejected("--site reads whole sites: read files and lists of URLs by a command of their own")
    if options.update and not options.output_dir:
        raise Rejected("--update continues from a folder: add --output-dir FOLDER")
    check_many(options)
    starts = []
    for site in options.site:
        start, note = parse_start_url(site)
        starts.append(start)
        if note:
            print_message(note)
    if options.warc and (options.from_warc or not options.output_dir):
        raise Rejected("--warc is for a crawl into a folder, from servers: add --output-dir FOLDER, and leave --from-warc out")
    archive = await asyncio.to_thread(WarcFolder, options.from_warc) if options.from_warc else None
    if len(starts) > 1 and (options.header or options.cookie or options.credentials):
        raise Rejected(f"--header, --cookie and --credentials are for one site, and {len(starts)} are named: run it once per site")
    with ExitStack() as opened:
        store = opened.enter_context(_Documents(options, site_of(starts[0])))
        crawling = WholeSiteOptions(
            scope_of(options, "/"),
            options.tabs or (HTML_PAGES if options.static else 2 * cores()),
            options.per_host,
            options.delay,
            egress(options),
            options.skip_noindex,
            options.follow_nofollow,
            options.skip_near_duplicates,
            archive=store.warc.write if store.warc else None,
            replayed=archive,
        )
        state = opened.enter_context(SiteState(options.output_dir / STATE if options.output_dir else None))
        if _begin(state, store, options, starts, crawling.scope):
            print_message("finished before: --update reads what is new or may have changed since")
            return 0
        log = opened.enter_context(_Log(options.log))
        progress = opened.enter_context(SiteProgress(state.counts()))

        def on_change(change: Change) -> None:
            log.add(change)
            progress.on_change(change)

        async with _page_reader(options, starts[0], archive) as read:
            crawl = WholeSiteCrawl(state, read, store, crawling, on_change)
            reporting = asyncio.create_task(_show(crawl, progress))
            try:
                end = await crawl.run()
            finally:
                reporting.cancel()
        code = await asyncio.to_thread(_finish, options, state, crawl, end)
    if options.format in TABLES and options.output_dir:
        await asyncio.to_thread(_write_table, options, options.output_dir)
    return code


def _write_table(options: ExtractCommand, path: Path) -> None:
    with PageFolder(path, page_format(options)) as folder:
        write_table(folder, options)


def _begin(state: SiteState, store: _Documents, options: ExtractCommand, starts: list[str], scope: Scope) -> bool:
    """Begin a crawl, continue it, or begin a round of updates; return whether it is finished.

    Raises `Rejected` for another choice of pages or settings.
    """
    with state.transaction():
        state.check("choice of pages", msgspec.json.encode(scope).decode(), "give the same, or choose another folder")
        state.check("archive", "WARC files" if options.warc else "none", "give --warc as at the first run, or choose another folder")
        state.check("format", store.settings, "give the same --format and model, or choose another folder")
        for start in starts:
            state.add_site(site_of(start), start)
        store.cut(state.fact("store", ""))
        state.set_fact("store", store.end())
        is_begun = all(state.known(site.id) for site in state.sites())
        if options.update and is_begun and not state.has_unread():
            state.begin_round(time.time())
        return not options.update and is_begun and not state.counts()["ready"]


class _Documents(ExitStack):
    """Documents of a crawl, in a folder or as JSON lines; a context manager, and the `Store` of the crawl."""

    def __init__(self, options: ExtractCommand, name: str) -> None:
        super().__init__()
        self._options, self._name = options, name
        self.warc = self.enter_context(WarcWriter(options.warc)) if options.warc else None
        self.settings = page_format(options).name + " " + page_format(options).settings
        self._folder = self.enter_context(SiteFolder(options.output_dir, page_format(options))) if options.output_dir else None
        self._lines = None if self._folder else self.enter_context(LineOutput(options))

    def add(self, change: Change, result: Document | SightreadError | None) -> str:
        """Store what became of a page; see `Store`."""
        document = result if isinstance(result, Document) else None
        error = result if isinstance(result, SightreadError) and not change.change else None
        outcome = shaped(Outcome(0, change.url, document, error), self._options)
        if self._lines:
            if document or error:
                self._lines.add(outcome)
            return "-"
        assert self._folder
        return self._folder.add(change, outcome.result or outcome.error)

    def end(self) -> str:
        """Return how far the files are written."""
        end = self._folder.end() if self._folder else ""
        return f"{end} {self.warc.end()}" if self.warc else end

    def cut(self, end: str) -> None:
        """Cut the files back to where they were at the last commit."""
        index, lines, *archived = end.split() or ("0", "0")
        if self._folder:
            self._folder.cut_back(f"{index} {lines}")
        if self.warc:
            self.warc.begin(self._name, " ".join(archived))


class _Log(ExitStack):
    """A line of JSON for each requested page, to a file or standard output; a context manager."""

    def __init__(self, path: Path | None) -> None:
        super().__init__()
        self._is_printed = str(path) == "-"
        self._file = self.enter_context(AppendFile(path)) if path and not self._is_printed else None

    def add(self, change: Change) -> None:
        """Write the line of a page. Raises `StorageFailed`."""
        if self._file or self._is_printed:
            line = msgspec.json.encode({name: value for name, value in change._asdict().items() if value}) + b"\n"
            self._file.append(line) if self._file else write(line.decode())


@asynccontextmanager
async def _page_reader(options: ExtractCommand, start: str, archive: WarcFolder | None) -> AsyncIterator[PageReader]:
    """Yield what reads the pages: a browser, if one is needed, or a client without one; of an archive or live."""
    reach = egress(options)
    async with AsyncExitStack() as opened:
        fetcher = ReplayedFetcher(archive) if archive else Fetcher(reach)
        if options.static:
            yield HtmlPages(await opened.enter_async_context(fetcher), options.model, options.home).read
            return
        rendering = render_options(options, start)
        reader = Reader(options.model, home=options.home, executable=options.browser, tabs=options.tabs, egress=reach, light=options.light)
        await opened.enter_async_context(reader)
        read = partial(read_replayed, fetcher=fetcher, archive=archive) if archive else read_rendered
        yield partial(read, reader, options=rendering)


async def _show(crawl: WholeSiteCrawl, progress: SiteProgress) -> None:
    while True:
        await asyncio.sleep(progress.interval)
        progress.on_counts(await crawl.write(crawl.state.counts), crawl.waiting, crawl.delayed)


def _finish(options: ExtractCommand, state: SiteState, crawl: WholeSiteCrawl, end: str) -> int:
    counts = state.counts()
    for name, reason in list(crawl.waiting.items())[:MOST_NAMED]:
        print_message(f"{name} does not answer: {reason}")
    if end == "empty":
        raise Unusable(f"{', '.join(options.site)}: no page to read was found: see the reasons with --list skipped and --list failed")
    if began := state.fact("round_began"):
        changes = ", ".join(f"{count} {change}" for change, count in state.changes_since(float(began)).items())
        print_message(f"since the last round: {changes}")
    for url, pages in state.wrong_canonicals()[:MOST_NAMED]:
        print_message(f"{pages} pages declare {url} as their canonical address and have other texts: that is ignored")
    left_out = f"{counts['skipped']} left out, {counts['failed']} failed, {counts['gone']} gone"
    if end == "waiting":
        print_message(f"{counts['read']} pages read, {left_out}; {counts['ready']} are to be requested later: run the same command again")
        return Retryable.exit_code
    print_message(f"finished: {counts['read']} pages read, {left_out}")
    return 0


def _report(options: ExtractCommand) -> int:
    path = (options.output_dir or Path()) / STATE
    if not options.output_dir or not path.is_file():
        raise Rejected(f"{path}: there is no crawl of a site: name its folder with --output-dir FOLDER")
    with SiteState(path) as state:
        if options.list:
            for url, reason in state.listed(options.list):
                print_json({"url": url, "reason": reason}) if options.json else write(f"{url}\t{reason}\n")
            return 0
        sites = {site.name: {"known": state.known(site.id)} | dict(state.counts(site.id).items()) for site in state.sites()}
        counts, began = state.counts(), state.fact("round_began")
        condition = "going" if counts["ready"] else "finished" if counts["read"] + counts["gone"] else "empty"
        changes = state.changes_since(float(began)) if began else {}
        wrong = [f"{url} ({pages} pages)" for url, pages in state.wrong_canonicals()]
        near = {"near_duplicates": state.near_duplicates()}
        report = {"state": condition} | dict(counts.items()) | changes | near | {"ignored_canonicals": wrong}
        print_result(report | ({"sites": sites} if options.json or len(sites) > 1 else {}), json=options.json)
    return 0
