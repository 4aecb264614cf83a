"""The parts of a soak test: clients of the service, crawls that learn, and a batch of stored pages."""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from hashlib import blake2b
from itertools import cycle
from pathlib import Path
from typing import IO

import msgspec

from benchmarks.service.programs import local_site, start_service
from benchmarks.soak.readings import Account, TestBed, other_than_usual
from sightread.batch.job.manifest import committed, output_rows
from sightread.batch.job.page_row import PageRow
from sightread.batch.job.plan import JOB, load_plan
from sightread.batch.outcome import ArticleText
from sightread.batch.storage import open_storage
from sightread.client.async_client import AsyncClient
from sightread.crawler.corpus import Corpus
from sightread.data.demo import article_paths
from sightread.render.errors import SightreadError, Unequipped
from sightread.server.http import serve_demo
from sightread.server.schema.answers import ExtractAnswer
from sightread.sites.folders import SiteFolder

JOB_PAGES = 5
STOPPING = 60.0
"""Seconds until the service must have ended."""


async def drive_service(test_bed: TestBed) -> Account:
    """Start the service, drive it until the end of the time, and return the account of its pages."""
    visits: list[str] = []
    async with local_site(test_bed.pages, visits) as port:
        service, address = await start_service(port, ("--model", "global", "--tabs", "1"), test_bed.environment)
        end_readings = test_bed.watch.add("service", service.pid)
        clients = _Clients(test_bed, address, port)
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(test_bed.paces.clients):
                    group.create_task(clients.send(number))
                group.create_task(clients.create_jobs())
        finally:
            end_readings()
            service.terminate()
            async with asyncio.timeout(STOPPING):
                await service.wait()
    return clients.account(visits)


class _Clients:
    """Clients, and the results that came to them."""

    def __init__(self, test_bed: TestBed, address: str, port: int) -> None:
        self._test_bed = test_bed
        self._address = address
        self._site = f"http://bench-{port}.example"
        self._requested: list[str] = []
        """URLs, each once: the number of the page with that of the request."""
        self._ended: Counter[str] = Counter()
        self._errors: Counter[str] = Counter()
        self._texts: dict[tuple[str, int], Counter[bytes]] = {}
        self._extracted = self._failed = 0

    def _next_url(self) -> tuple[str, int]:
        number = len(self._requested)
        page = number % len(self._test_bed.pages)
        url = f"{self._site}/{page}?request={number}"
        self._requested.append(url)
        return url, page

    async def send(self, client: int) -> None:
        """Send one request after another: stored HTML and URLs in turn."""
        paces = self._test_bed.paces
        number = client
        async with AsyncClient(self._address) as service:
            await self._test_bed.wait(paces.pause * client / paces.clients)
            while not self._test_bed.stop.is_set():
                url, page = self._next_url()
                number += 1
                kind = "html" if number % 2 else "url"
                try:
                    if kind == "html":
                        answer = await service.extract_html(self._test_bed.pages[page].decode("utf-8", "replace"), url)
                    else:
                        answer = await service.extract(url)
                    self._on_result(kind, page, url, answer)
                except SightreadError as error:
                    self._on_error(url, type(error).__name__)
                await self._test_bed.wait(paces.pause)

    async def create_jobs(self) -> None:
        """Create a job every so often, and take its results."""
        async with AsyncClient(self._address) as service:
            while await self._test_bed.wait(self._test_bed.paces.job_every):
                pages = dict(self._next_url() for _ in range(JOB_PAGES))
                try:
                    job = await service.start_batch(pages)
                    await job.wait()
                    async for outcome in job.results():
                        if outcome.result is not None:
                            self._on_result("url", pages[outcome.url], outcome.url, outcome.result)
                        else:
                            self._on_error(outcome.url, outcome.error.kind if outcome.error else "no result")
                except SightreadError as error:  # the pages that have not ended are lost
                    self._errors[f"job: {type(error).__name__}"] += 1

    def account(self, visits: list[str]) -> Account:
        """Return the account; `visits` are the requests that came to the site, in which no page should be twice."""
        again = sum(count - 1 for count in Counter(visits).values())
        twice = sum(count - 1 for count in self._ended.values())
        lost = sum(not self._ended[url] for url in self._requested)
        others = {f"other {kind} results of page {page}": other_than_usual([found]) for (kind, page), found in self._texts.items()}
        different = {name: count for name, count in others.items() if count}
        errors = dict(self._errors) | different | ({"visited again": again} if again else {})
        return Account(len(self._requested), self._extracted, self._failed, lost, twice, sum(different.values()), errors)

    def _on_result(self, kind: str, page: int, url: str, answer: ExtractAnswer) -> None:
        self._ended[url] += 1
        self._extracted += 1
        markdown = answer.markdown.replace(url.partition("?")[2], "")  # links within the page repeat the number of the request
        text = blake2b(markdown.encode("utf-8", "replace"), digest_size=8).digest()
        self._texts.setdefault((kind, page), Counter())[text] += 1

    def _on_error(self, url: str, kind: str) -> None:
        self._ended[url] += 1
        self._failed += 1
        self._errors[kind] += 1


LEARNED = (0, 5)
"""Exit codes of a crawl that was learned: trusted, and not trusted."""
_PROGRAM = """
import json, sys
from sightread.cli import parser
for line in sys.stdin:
    print("exit", parser.main(json.loads(line)), flush=True)
"""


async def crawl_sites(test_bed: TestBed) -> Account:
    """Crawl and learn one site after another until the end of the time, and return the account of their pages."""
    counts = CrawlCounts()
    async with serve_demo() as front:
        with (test_bed.work / "crawls.log").open("wb") as log:
            process = await _start(test_bed, log)
            end_readings = test_bed.watch.add("crawler", process.pid)
            try:
                for number, edition in enumerate(cycle(sorted({path.split("/")[1] for path in article_paths()}))):
                    folder = test_bed.work / f"crawl-{number}"
                    requested = {f"{front}{path[1:]}" for path in article_paths() if path.startswith(f"/{edition}/")}
                    counts.add(edition, requested, folder, await _crawl(process, requested, folder, test_bed.paces.delay))
                    shutil.rmtree(folder, ignore_errors=True)
                    if not await test_bed.wait(test_bed.paces.crawl_pause):
                        break
            finally:
                end_readings()
                assert process.stdin is not None
                process.stdin.close()
                await process.wait()
    return counts.account()


async def _start(test_bed: TestBed, log: IO[bytes]) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROGRAM), stdin=pipe, stdout=pipe, stderr=log, env=dict(test_bed.environment), limit=1 << 20
    )


async def _crawl(process: asyncio.subprocess.Process, urls: Collection[str], folder: Path, delay: float) -> int:
    """Have the pages of a list crawled and learned; return the exit code."""
    listed = folder.with_suffix(".txt")
    listed.write_text("\n".join(sorted(urls)))
    options = ("--urls", str(listed), "--out", str(folder), "--delay", str(delay), "--tabs", "1", "--local", "--json")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(["learn", *options]).encode() + b"\n")
    await process.stdin.drain()
    async for line in process.stdout:
        if line.startswith(b"exit "):
            return int(line.split()[1])
    raise Unequipped("the program that crawls ended: see crawls.log in the output")


class CrawlCounts:
    """Counts of the pages of all crawls."""

    def __init__(self) -> None:
        self._articles: dict[str, Counter[bytes]] = {}
        self._found: Counter[str] = Counter()
        self._errors: Counter[str] = Counter()

    def add(self, edition: str, requested: set[str], folder: Path, code: int) -> None:
        """Count the pages of one crawl."""
        urls, failures = list(_urls(folder)), _failures(folder)
        found = requested & set(urls)
        self._found["crawls"] += 1
        self._found["requested"] += len(requested)
        self._found["extracted"] += len(found)
        self._found["failed"] += len(requested & failures - found)
        self._found["lost"] += len(requested - found - failures)
        self._found["twice"] += len(urls) - len(set(urls))
        if others := len(set(urls) - requested):
            self._errors["pages that are no articles"] += others
        if code not in LEARNED:
            self._errors[f"learning ended with {code}"] += 1
            return
        self._articles.setdefault(edition, Counter())[_articles_digest(SiteFolder(folder))] += 1

    def account(self) -> Account:
        """Return the account of all crawls."""
        found = self._found
        different = {edition: other_than_usual([articles]) for edition, articles in self._articles.items()}
        counts = (found["requested"], found["extracted"], found["failed"], found["lost"], found["twice"], sum(different.values()))
        others = {f"crawls of {edition} with other articles": count for edition, count in different.items() if count}
        return Account(*counts, {"crawls": found["crawls"], **others, **self._errors})


def _articles_digest(folder: SiteFolder) -> bytes:
    """Return a digest of the articles' records and text, without the version, which is the name of the folder."""
    digest = blake2b(digest_size=8)
    for line in folder.article_lines.read_bytes().splitlines():
        article = msgspec.json.decode(line, type=ArticleText)
        digest.update(msgspec.json.encode(msgspec.structs.replace(article, version="")) + b"\n")
    return digest.digest()


def _urls(folder: Path) -> Iterator[str]:
    if (folder / "corpus.json").is_file():
        yield from (page.url for page in Corpus.open(folder))


def _failures(folder: Path) -> set[str]:
    return {failure.url for failure in Corpus.open(folder).failures} if (folder / "corpus.json").is_file() else set()


ARCHIVE = "pages.warc.gz"


async def batch_pages(test_bed: TestBed, count: int) -> Account:
    """Extract the given number of pages, or as many as the time allows, and return the account of them."""
    index, output = test_bed.work / "index.jsonl", test_bed.work / "rows"
    await asyncio.to_thread(_write_input, index, test_bed.archived, count)
    options = ("--static", "--processes", "1", "--warc-base", str(test_bed.work), "--json")
    with (test_bed.work / "batch.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "sightread.cli.parser", "batch", str(index), str(output), *options),
            stdout=log,
            stderr=log,
            env=dict(test_bed.environment),
        )
        end_readings = test_bed.watch.add("batch", process.pid)
        ended, stopped = asyncio.ensure_future(process.wait()), asyncio.ensure_future(test_bed.stop.wait())
        try:
            await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
            end_readings()
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            code = await ended
    return await asyncio.to_thread(_account, output, len(test_bed.archived), count, code)


def _write_input(index: Path, pages: Sequence[bytes], count: int) -> None:
    """Write the pages as a WARC file, and an index that names its records in turn."""
    places: list[tuple[int, int]] = []
    with (index.parent / ARCHIVE).open("wb") as file:
        for number, page in enumerate(pages):
            record = gzip.compress(_record(number, page), 6, mtime=0)
            places.append((file.tell(), len(record)))
            file.write(record)
    with index.open("w") as lines:
        for number in range(count):
            offset, length = places[number % len(places)]
            row = {"url": _url(number % len(places)), "warc_filename": ARCHIVE}
            lines.write(json.dumps({**row, "warc_record_offset": offset, "warc_record_length": length}) + "\n")


def _record(number: int, page: bytes) -> bytes:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(page) + page
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: {_url(number)}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def _url(number: int) -> str:
    return f"https://stored.example/{number}"


def _account(output: Path, pages: int, count: int, code: int) -> Account:
    """Compare the rows with the index: every position once, with the URL of its page, and each page's rows equal. Of a batch that was
    stopped, the positions of its committed parts count.
    """
    if code and not (output / JOB).is_file():
        return Account(0, 0, 0, 0, 0, 0, {"stopped before the plan was made": 1})
    storage = open_storage(str(output))
    plan = load_plan(storage)
    requested = set(_positions(output) if code else range(count))
    digests: dict[int, Counter[bytes]] = {}
    states: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    seen: set[int] = set()
    for row in output_rows(storage, plan):
        states["twice"] += row.position in seen
        seen.add(row.position)
        states[row.state] += 1
        if row.error:
            errors[row.error] += 1
        if row.url != _url(row.position % pages):
            errors["the URL of another page"] += 1
        digests.setdefault(row.position % pages, Counter())[_digest(row)] += 1
    if code not in (0, 128 + signal.SIGTERM):
        errors[f"exit code {code}"] += 1
    failed, lost, twice = states["failed"] + states["skipped"], len(requested - seen), states["twice"] + len(seen - requested)
    return Account(len(requested), states["extracted"], failed, lost, twice, other_than_usual(digests.values()), errors)


def _positions(output: Path) -> Iterator[int]:
    storage = open_storage(str(output))
    for partition in load_plan(storage).partitions:
        for entry in committed(storage, partition):
            yield from range(entry.start, entry.end)


def _digest(row: PageRow) -> bytes:
    return blake2b(msgspec.json.encode(msgspec.structs.replace(row, position=0, seconds=0.0, cpu_seconds=0.0)), digest_size=8).digest()
