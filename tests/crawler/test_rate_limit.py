import asyncio
from itertools import pairwise

import pytest

from sightread.crawler import rate_limit
from sightread.crawler.rate_limit import HostQueue, Pace, RateLimit, with_retries
from sightread.render.errors import Rejected, Retryable, Unusable


async def test_requests_start_a_delay_apart_however_many_wait():
    pace, clock, starts = Pace(0.05), asyncio.get_running_loop().time, []

    async def request():
        await pace.turn()
        starts.append(clock())

    await asyncio.gather(*(request() for _ in range(4)))
    gaps = [later - earlier for earlier, later in pairwise(starts)]
    assert all(gap >= 0.049 for gap in gaps)


async def test_a_page_that_waits_for_its_tab_keeps_the_next_one_of_the_site_waiting():
    pace, clock, starts, both = Pace(0.05), asyncio.get_running_loop().time, [], asyncio.Event()

    async def visit(seconds_without_tab):
        async with pace.visit() as start:
            await asyncio.sleep(seconds_without_tab)
            start()
            starts.append(clock())
            if len(starts) == 2:
                both.set()
            await both.wait()  # the page is open

    await asyncio.gather(visit(0.1), visit(0))
    assert starts[1] - starts[0] >= 0.049


async def test_one_that_is_cancelled_while_it_waits_does_not_hold_the_others_up():
    pace = Pace(0.01)
    await pace.turn()
    waiting = asyncio.create_task(pace.turn())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait_for(pace.turn(), 20)


def _failing(times, error=Retryable):
    failures = [error(f"try {number}") for number in range(1, times + 1)]

    async def attempt():
        if failures:
            raise failures.pop(0)
        return "done"

    return attempt


async def test_what_may_work_later_is_tried_twice_more_and_the_last_failure_is_raised():
    waits = []
    assert await with_retries(_failing(2), 0.001, lambda *wait: waits.append(wait)) == "done"
    assert waits == [(0.001, "try 1"), (0.002, "try 2")]
    for failing, error, last in ((_failing(3), Retryable, "try 3"), (_failing(1, Unusable), Unusable, "try 1")):
        with pytest.raises(error, match=last):
            await with_retries(failing, 0.001, lambda *_: None)


def _queue(urls, **limit):
    return HostQueue(urls, str, RateLimit(**limit))


def _taken(queue, now):
    """The pages that may start at a time."""
    pages = []
    while (taken := queue.take(now)) is not None:
        pages.append(taken[0])
    return pages


NEWS = [f"https://news.example/{number}" for number in range(5)]
TOWN = "https://town.example/"


def test_by_default_two_pages_of_a_host_are_open_half_a_second_apart():
    queue = _queue(NEWS)
    assert _taken(queue, 0.0) == NEWS[:1]
    assert queue.wait(0.1) == pytest.approx(0.4)
    assert _taken(queue, 0.5) == NEWS[1:2]
    assert _taken(queue, 9.0) == []
    assert queue.wait(9.0) is None  # until a page is finished
    queue.finish("news.example")
    assert _taken(queue, 9.0) == NEWS[2:3]


def test_pages_of_other_hosts_go_first_meanwhile():
    queue = _queue([*NEWS, TOWN, "report.html"], at_once=1, delay=0)
    assert _taken(queue, 0.0) == [NEWS[0], TOWN, "report.html"]
    assert not queue.is_empty
    for page in NEWS[1:]:
        queue.finish("news.example")
        assert _taken(queue, 0.0) == [page]
    assert queue.is_empty


@pytest.mark.parametrize("spelling", ["https://NEWS.example/0", "http://news.example:8080/0", "https://news.example./0"])
def test_a_host_is_the_same_by_any_of_its_addresses(spelling):
    assert _taken(_queue([spelling, NEWS[1]], at_once=1), 0.0) == [spelling]


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/", "http://localhost/", "http://[::1]/", "courier.html", "None"])
def test_this_machine_and_files_have_no_limit_unless_it_is_given(url):
    assert len(_taken(_queue([url] * 50), 0.0)) == 50


def test_a_limit_that_is_given_holds_on_this_machine():
    assert len(_taken(_queue(["http://localhost/"] * 50, at_once=3), 0.0)) == 3


def test_an_endless_list_of_one_host_is_read_so_far_and_hosts_are_forgotten(monkeypatch):
    monkeypatch.setattr(rate_limit, "LOOK_AHEAD", 10)
    endless = iter(int, 1)
    queue = HostQueue(endless, lambda _: TOWN)
    assert _taken(queue, 0.0) == [0]
    hosts = HostQueue(range(1000), lambda number: f"https://{number}.example/")
    for number in range(1000):
        taken = hosts.take(float(number))
        assert taken
        hosts.finish(taken[1])
    assert len(hosts._hosts) <= 21


def test_a_host_that_is_forgotten_when_its_delay_is_over_is_not_forgotten_before(monkeypatch):
    monkeypatch.setattr(rate_limit, "LOOK_AHEAD", 10)
    hosts = HostQueue([*NEWS[:1], *(f"https://{number}.example/" for number in range(50)), *NEWS[1:2]], str, RateLimit(delay=5.0))
    for page in range(51):
        hosts.finish(hosts.take(page / 20)[1])
    assert hosts.take(2.6) is None and hosts.wait(2.6) == pytest.approx(2.4)


def test_an_impossible_limit_is_refused():
    with pytest.raises(Rejected, match="at_once is 0: give 1 or more pages of one host"):
        RateLimit(at_once=0)
    with pytest.raises(Rejected, match="delay is -1: give 0 or more seconds"):
        RateLimit(delay=-1)
