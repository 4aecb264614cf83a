"""The service's part of a soak test: clients that send stored HTML and URLs of a local site in turn, and now and then a job."""

from __future__ import annotations

import asyncio
from collections import Counter
from hashlib import blake2b

from benchmarks.service.programs import local_site, start_service
from benchmarks.soak.readings import Account, other_than_usual
from benchmarks.soak.test_bed import TestBed
from sightread.client.async_client import AsyncClient
from sightread.render.errors import SightreadError
from sightread.server.schema.answers import ExtractAnswer

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
