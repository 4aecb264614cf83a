"""`Reader.extract_many` and `sightread.extract_many`: errors as values, in one browser or over processes; sites learned."""

import asyncio
import gc
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import count, islice
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

import sightread
from sightread.batch import child_process, processes
from sightread.batch.job.plan import InputOptions, JobOptions, make_plan
from sightread.batch.outcome import as_completed
from sightread.batch.processes import Timeouts
from sightread.batch.site_learning import count_sites, learn_sites
from sightread.batch.storage import FolderStorage
from sightread.crawler.corpus import Corpus
from sightread.reading.reader import Reader
from sightread.render.static.parse import read_html
from sightread.sites.folders import SiteHome
from tests.pages.stories import ARTICLE


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def reader(tmp_path_factory):
    async with sightread.Reader(home=tmp_path_factory.mktemp("home"), egress=sightread.Egress(local=True), tabs=2) as opened:
        yield opened


async def test_outcomes_come_as_pages_are_read_and_errors_are_values(reader, serve):
    others_are_read = Event()

    def slow() -> str:
        others_are_read.wait(20)
        return ARTICLE

    site = serve({"/slow": slow, "/ferry": ARTICLE})
    urls = [site.url("/slow"), site.url("/missing"), "courier.invalid", None, site.url("/ferry")]
    outcomes = []
    async for outcome in reader.extract_many(urls):
        outcomes.append(outcome)
        if len(outcomes) == 4:
            others_are_read.set()
    assert outcomes[-1].index == 0
    assert [each.index for each in sorted(outcomes, key=lambda each: each.index) if each.error] == [1, 2, 3]
    by_index = {each.index: each for each in outcomes}
    assert isinstance(by_index[1].error, sightread.Unusable)
    assert isinstance(by_index[2].error, sightread.Rejected)
    assert "ninety years" in by_index[4].unwrap().text
    with pytest.raises(sightread.Unusable):
        by_index[1].unwrap()


async def test_no_more_pages_of_a_host_are_open_than_the_limit_allows(reader, serve):
    opened: list[None] = []
    counts = []

    def counted() -> str:
        opened.append(None)
        counts.append(len(opened))
        sleep(0.05)  # so that a second page, if it is opened, is counted
        opened.pop()
        return ARTICLE

    site = serve({f"/{number}": counted for number in range(4)})
    urls = [site.url(f"/{number}") for number in range(4)]
    outcomes = [outcome async for outcome in reader.extract_many(urls, rate_limit=sightread.RateLimit(at_once=1))]
    assert [outcome.error for outcome in outcomes] == [None] * 4
    assert counts == [1] * 4


async def test_leaving_the_loop_cancels_the_pages_under_way_and_takes_no_more(reader, serve):
    is_left = Event()

    def endless() -> str:
        is_left.wait(20)
        return ARTICLE

    site = serve({"/": ARTICLE, "/endless": endless})
    taken = []

    def urls() -> Iterator[str]:
        yield site.url("/")
        for number in range(1000):
            taken.append(number)
            yield site.url("/endless")

    async with aclosing(reader.extract_many(urls())) as outcomes:
        async for outcome in outcomes:
            assert outcome.error is None
            break
    is_left.set()
    assert len(taken) <= 5
    assert reader.health.open == reader.health.waiting == 0


async def test_no_more_than_the_bound_is_under_way():
    under_way, most = 0, 0

    async def work(number: int) -> int:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return number

    outcomes = [outcome async for outcome in as_completed(range(50), work, str, 3)]
    assert sorted(outcome.result for outcome in outcomes) == list(range(50))
    assert most == 3


async def test_a_machine_that_lacks_something_ends_the_whole_with_one_error(caplog):
    async def work(_: int) -> None:
        raise sightread.NoBrowser("no Chromium was found: install one")

    with pytest.raises(sightread.NoBrowser):
        _ = [outcome async for outcome in as_completed(range(3), work, str, 2)]
    gc.collect()  # which reports the errors of tasks that were not retrieved
    assert not caplog.records


async def test_sites_with_enough_pages_are_learned_and_the_others_left(tmp_path):
    with Corpus.create(tmp_path / "in", "https://a.example/") as corpus:
        for host, pages in (("a.example", 6), ("www.b.example", 5), ("b.example", 4), ("c.example", 2)):
            for number in range(pages):
                corpus.append(read_html(f"<title>{number}</title><p>Page {number} of {host}", f"https://{host}/{number}"))
    storage = FolderStorage(tmp_path / "out")
    plan = make_plan(JobOptions(InputOptions(str(tmp_path / "in"), partition_rows=7)), storage)
    assert count_sites(plan, storage) == {"a.example": 6, "b.example": 9, "c.example": 2}
    found = []
    for shard in ((0, 2), (1, 2)):
        async with aclosing(learn_sites(plan, storage, 5, Reader(), tmp_path / "home", shard)) as results:
            found += [result async for result in results]
    assert sorted((each.site, each.pages, each.learned_from) for each in found) == [("a.example", 6, 0), ("b.example", 9, 0)]
    assert all(each.outcome.startswith("not learned: ") for each in found)
    assert not SiteHome.of("https://a.example/", tmp_path / "home").path.exists()


async def test_a_page_whose_server_names_a_time_is_requested_again_then_and_not_before(reader, site_server):
    waits, counts = {"/soon": "", "/busy": "1", "/later": "86400"}, Counter()
    ready = datetime.now(UTC)

    async def busy(request):
        nonlocal ready
        counts[request.path] += 1
        if request.path == "/soon" and counts["/soon"] == 1:
            ready = datetime.now(UTC) + timedelta(seconds=2)
        elif request.path == "/soon" and datetime.now(UTC) >= ready:
            return web.Response(text=ARTICLE, content_type="text/html")
        date = format_datetime(ready + timedelta(seconds=1), usegmt=True)  # in whole seconds
        return web.Response(status=429, headers={"Retry-After": waits[request.path] or date})

    site = await site_server(dict.fromkeys(waits, busy))
    async with aclosing(reader.extract_many([site.url(path) for path in waits])) as outcomes:
        found = {outcome.url: outcome.error async for outcome in outcomes}
    assert found[site.url("/soon")] is None
    assert isinstance(found[site.url("/busy")], sightread.Retryable)
    assert counts == {"/soon": 2, "/busy": 3, "/later": 1}


TOWNS = ("Aldmoor", "Breck", "Carrow", "Dunlin", "Elver", "Fenwick", "Garle", "Hythe", "Islay", "Jarrow")


def page(number: int) -> str:
    town = TOWNS[number % len(TOWNS)]
    return f"""<title>{town} looks back</title><nav><a href="/">Home</a></nav><article><h1>{town} looks back</h1>
        <p>The coopers of {town} kept a ledger for {number} hundred years, and it came to light under a stair this spring.</p>
        <p>It names their masters, their apprentices, and what each was fined for when work in {town} was done badly.</p></article>"""


def url(number: int) -> str:
    return f"https://courier.example/{number}"


def workers() -> list[int]:
    """Process ids of the workers that this process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"sightread.batch.processes" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def test_one_bad_page_in_ten_changes_nothing_for_the_others() -> None:
    bad = {9: None, 19: b"%PDF-1.7\n" + bytes(range(256)), 29: ""}
    pages = [bad.get(number, (page(number), url(number))) for number in range(30)]
    outcomes = {each.index: each for each in sightread.extract_many(pages, processes=2, output_format="markdown")}
    assert sorted(outcomes) == list(range(30))
    for number, outcome in outcomes.items():
        if number in bad:
            assert isinstance(outcome.error, sightread.SightreadError) and outcome.result is None
        else:
            assert outcome.result == sightread.extract(page(number), url(number), output_format="markdown")
            assert (outcome.error, outcome.url) == (None, url(number))


def test_processes_that_are_killed_are_replaced_and_lose_no_more_than_their_page() -> None:
    def pages() -> Iterator[str]:
        for number in range(12):
            if number == 5:
                for worker in workers():
                    os.kill(worker, signal.SIGKILL)
            yield page(number)

    outcomes = list(sightread.extract_many(pages(), processes=2, include_links=False))
    failed = [each for each in outcomes if each.error]
    assert sorted(each.index for each in outcomes) == list(range(12))
    assert len(failed) <= 2
    assert all("the process that read it ended with status -9" in str(each.error) for each in failed)
    read = next(each for each in outcomes if not each.error)
    alone = sightread.extract(page(read.index), include_links=False)
    assert isinstance(read.unwrap(), sightread.Document)  # without a format
    assert (read.unwrap().to_json("left_out"), read.unwrap().notes) == (alone.to_json("left_out"), alone.notes)


def test_a_page_that_takes_too_long_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "TIMEOUTS", Timeouts(page=1.5))
    large = "<main>" + "".join(f"<p>{page(number)}" for number in range(20_000))
    outcomes = {each.index: each for each in sightread.extract_many([page(1), large, page(2)], processes=1, output_format="text")}
    assert "not processed within 1.5 s: too large" in str(outcomes[1].error)
    assert outcomes[0].error is outcomes[2].error is None


def test_pages_are_taken_as_processes_become_free_and_closing_ends_the_processes() -> None:
    taken = []

    def pages() -> Iterator[str]:
        for number in count():
            taken.append(number)
            yield page(number)

    outcomes = sightread.extract_many(pages(), processes=1, output_format="text")
    assert len(list(islice(outcomes, 3))) == 3
    assert len(taken) <= 5
    assert len(workers()) == 1
    outcomes.close()
    assert workers() == []


def test_processes_that_die_before_they_have_their_order_are_waited_for_and_a_fault_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Dead(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)  # dead, and still to be waited for
            started.append(self)

    monkeypatch.setattr(child_process, "SINGLE_THREAD", {"PYTHONMALLOC": "none"})  # with which no Python starts
    monkeypatch.setattr(subprocess, "Popen", Dead)
    with pytest.raises(sightread.Unequipped, match="3 processes of extract_many ended while they loaded the model"):
        list(sightread.extract_many([page(1)], processes=1))
    assert [process.returncode for process in started] == [1] * 3
