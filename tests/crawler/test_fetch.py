"""The crawler's HTTP client, the rules of robots.txt, and the rate of requests to a host."""

import asyncio
import gzip
import socket
import time
from collections.abc import Sequence
from itertools import pairwise

import aiohttp
import pytest
from aiohttp import web

from sightread.crawler import fetch, rate_limit
from sightread.crawler.fetch import POLICY, Fetcher, Robots, read_robots
from sightread.crawler.journal import RobotsRead
from sightread.crawler.rate_limit import HostQueue, Pace, RateLimit, with_retries
from sightread.render.errors import Private, Rejected, Retryable, Unusable
from sightread.render.network.egress import LOCAL, Egress
from sightread.render.network.http import PRODUCT
from tests.internet import Internet, endless, public_url, victim


async def test_the_bytes_of_one_answer_do_not_count_for_the_next(site_server):
    site = await site_server({"/": "x" * 60_000})
    async with Fetcher(Egress(local=True, most_bytes=100_000)) as fetcher:
        assert [len((await fetcher.get(site.url())).body) for _ in range(3)] == [60_000] * 3


async def test_answers_of_any_status_are_read_decoded_and_after_their_redirects(site_server):
    async def echo(request: web.Request) -> web.Response:
        return web.Response(text=request.headers["User-Agent"])

    states = {"/403": (403, {}, "no"), "/502": (502, {}, "down")}  # as our proxy does
    packed = (200, {"Content-Encoding": "gzip"}, gzip.compress(b"hello"))
    moved = {"/a": (301, {"Location": "b?x=1"}, ""), "/b": "there"}
    site = await site_server({"/gone": (410, {}, "gone"), "/": packed, "/who": echo, **moved, **states})
    async with Fetcher(LOCAL) as fetcher:
        assert (await fetcher.get(site.url("/gone")))[:5] == (site.url("/gone"), 410, b"gone", "text/html; charset=utf-8", "")
        assert (await fetcher.get(site.url("/a")))[:5] == (site.url("/b?x=1"), 200, b"there", "text/html; charset=utf-8", "")
        assert (await fetcher.get(site.url())).body == b"hello"
        assert (await fetcher.get(site.url("/who"))).body.decode() == PRODUCT
        assert [(await fetcher.get(site.url(path))).status for path in states] == [403, 502]
        await fetcher.get(site.url("/a%20b/%D0%B6?c=%2F&d=%C3%A9+e"))
    assert site.requests[-1] == "/a%20b/%D0%B6?c=%2F&d=%C3%A9+e"  # as the site wrote it
    assert PRODUCT.startswith("sightread/")


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://example.com/a", "http://user:secret@127.0.0.1/"])
async def test_a_redirect_that_leaves_the_web_is_refused(site_server, location):
    site = await site_server({"/": (302, {"Location": location}, "")})
    async with Fetcher(LOCAL) as fetcher:
        with pytest.raises(Unusable, match="redirects to"):
            await fetcher.get(site.url())


async def test_a_loop_of_redirects_ends_after_ten(site_server):
    site = await site_server({"/": (302, {"Location": "/"}, "")})
    async with Fetcher(LOCAL) as fetcher:
        with pytest.raises(Unusable, match="more than 10 redirects"):
            await fetcher.get(site.url())
    assert len(site.requests) == 11


async def test_a_small_body_that_inflates_beyond_the_cap_is_refused(site_server):
    bomb = gzip.compress(b"\0" * 5_000_000)
    site = await site_server({"/": (200, {"Content-Encoding": "gzip"}, bomb), "/plain": b"x" * 200_001})
    async with Fetcher(LOCAL, cap=200_000) as fetcher:
        for path, message in (("/", "a body of more than 200000 bytes"), ("/plain", "larger than 200000 bytes")):
            with pytest.raises(Unusable, match=message):
                await fetcher.get(site.url(path))


async def test_a_refused_connection_may_work_later():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        async with Fetcher(LOCAL) as fetcher:
            with pytest.raises(Retryable, match="connection refused"):
                await fetcher.get(url)


async def test_nothing_is_fetched_from_this_machine_by_whatever_name():
    async with victim() as here, Fetcher() as fetcher:
        for url in (
            f"{here.root}/",
            "http://127.0.0.1/",
            "http://localhost/robots.txt",
            "https://[::1]/",
            "http://2130706433/",
            "http://a.localhost/",
        ):
            with pytest.raises(Private):
                await fetcher.get(url)
    assert here.received == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_to_this_machine_is_stopped_at_the_hop(site_server, status):
    async with victim() as here, Fetcher(Internet().egress()) as fetcher:
        for target in (f"{here.root}/", "https://localhost/", "http://127.0.0.1/"):
            site = await site_server({"/": (status, {"Location": "/b"}, ""), "/b": (status, {"Location": target}, "")})
            with pytest.raises(
                Unusable,
                match=r"redirects to \S+: (\S+ leads to )?(127\.0\.0\.1, which is no public address|port \d+ is not one of the web's)",
            ):
                await fetcher.get(public_url(site.root))
            assert site.requests == ["/", "/b"]
    assert here.received == []


async def test_a_name_that_is_rebound_is_fetched_from_the_address_that_was_checked(site_server):
    site, internet = await site_server({"/": "<p>Mine"}), Internet()
    answers = iter([await internet.resolve(public_url(site.root).split("/")[2])])

    async def resolve(_: str) -> Sequence[str]:
        return next(answers, ("127.0.0.1",))

    async with Fetcher(Egress(resolve=resolve, dial=internet.dial)) as fetcher:
        for _ in range(3):
            assert (await fetcher.get("http://rebound.example/")).body == b"<p>Mine"
    assert {port for _, port in internet.dialled} == {80}


@pytest.mark.parametrize("encoding", ["br", "zstd", "deflate", "gzip, gzip", "br, gzip"])
async def test_an_encoding_that_was_not_requested_is_not_decoded(site_server, encoding):
    site = await site_server({"/": (200, {"Content-Encoding": encoding}, b"bomb")})
    async with Fetcher(LOCAL) as fetcher:
        with pytest.raises(Unusable, match="which was not requested"):
            await fetcher.get(site.url())


async def test_a_body_that_comes_byte_by_byte_ends_at_the_time_limit(site_server, monkeypatch):
    monkeypatch.setattr(fetch, "TIMEOUT", aiohttp.ClientTimeout(total=0.5))
    site = await site_server({"/": endless(b"x", 0.05)})
    async with Fetcher(LOCAL) as fetcher:
        with pytest.raises(Retryable, match="no answer within"):
            await fetcher.get(site.url())


def _robots(text: str, url: str = "https://example.com/") -> Robots:
    return Robots(RobotsRead(url, 200, text))


def test_what_is_disallowed_for_everyone_is_disallowed_for_us():
    robots = _robots("User-agent: *\nDisallow: /private\nAllow: /private/open")
    assert not robots.allows("https://example.com/private/a")
    assert robots.allows("https://example.com/private/open/a")
    assert robots.allows("https://example.com/news")


def test_a_group_that_names_us_comes_before_the_one_for_everyone():
    robots = _robots("User-agent: *\nDisallow:\n\nUser-agent: sightread\nDisallow: /")
    assert not robots.allows("https://example.com/news")


@pytest.mark.parametrize(
    ("text", "requested", "delay"),
    [
        ("", None, 0.5),
        ("User-agent: *\nCrawl-delay: 3", None, 3),
        ("User-agent: *\nCrawl-delay: 3", 5.0, 5),
        ("User-agent: *\nCrawl-delay: 3", 0.0, 3),
        ("User-agent: *\nCrawl-delay: 600", None, 30),
        ("User-agent: *\nCrawl-delay: soon", None, 0.5),
    ],
)
def test_the_longer_delay_prevails_up_to_a_cap(text, requested, delay):
    assert _robots(text).delay(requested) == delay


def test_this_machine_is_not_spared_unless_requested():
    robots = _robots("User-agent: *\nCrawl-delay: 3", "http://127.0.0.1:8000/")
    assert robots.delay() == 0
    assert robots.delay(1.0) == 3


RULES = range(22_000)
HOSTILE = {
    "wildcards": "User-agent: *\n" + "".join(f"Disallow: /*a*{rule}*z\n" for rule in RULES),
    "stars": f"User-agent: *\nDisallow: /{'*a' * 250_000}b",
    "agents": "".join(f"User-agent: a{rule}\n" for rule in RULES) + "".join(f"Disallow: /a{rule}\n" for rule in RULES),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_robots_txt_made_to_be_slow_is_read_and_followed_in_little_time(text):
    began = time.process_time()
    robots = _robots(text)
    assert time.process_time() - began < 2.0
    began = time.process_time()
    for number in range(100):
        robots.allows(f"https://example.com/{'a' * 1800}/{number}")
    assert time.process_time() - began < 1.0  # 10 ms for an address; 74 without a limit


def test_rules_beyond_the_limit_of_those_with_stars_forbid_and_allow_nothing():
    rules = "".join(f"Disallow: /*a{rule}z\n" for rule in range(POLICY.wildcards))
    beyond = "Disallow: /b*c$\nAllow: /b*d*c$\nDisallow: /e\n\nUser-agent: *\nDisallow: /h*"
    robots = _robots(f"User-agent: *\n{rules}{beyond}\nUser-agent: x\nDisallow: /f*g\nDisallow: /")
    places = {"/": True, "/1a7z": False, "/b1c": False, "/b1c1": True, "/bdc": False, "/e": False, "/fg": True, "/h": False}
    assert {place: robots.allows(f"https://example.com{place}") for place in places} == places


def test_sitemaps_are_those_named_else_the_usual_place():
    assert _robots("Sitemap: https://example.com/a.xml\nSitemap: nonsense").sitemaps() == ("https://example.com/a.xml",)
    assert _robots("").sitemaps() == ("https://example.com/sitemap.xml",)


async def test_a_missing_file_or_a_page_in_its_place_allows_everything(site_server):
    site, other = await site_server({}), await site_server({"/robots.txt": "<html><p>Welcome to our site</p>"})
    async with Fetcher(LOCAL) as fetcher:
        read = await read_robots(fetcher, site.url("/deep/page"))
        assert (site.requests, read.status) == (["/robots.txt"], 404)
        for found in (read, await read_robots(fetcher, other.url())):
            assert Robots(found).allows(site.url("/anything"))


@pytest.mark.parametrize("status", [500, 503, 429])
async def test_a_server_in_trouble_forbids_the_whole_site_for_now(site_server, status):
    site = await site_server({"/robots.txt": (status, {}, "")})
    async with Fetcher(LOCAL) as fetcher:
        with pytest.raises(Retryable, match=f"status {status}: the whole site counts as forbidden"):
            await read_robots(fetcher, site.url())


async def test_requests_start_a_delay_apart_however_many_wait():
    pace, clock, starts = Pace(0.05), asyncio.get_running_loop().time, []

    async def request():
        await pace.turn()
        starts.append(clock())

    await asyncio.gather(*(request() for _ in range(4)))
    gaps = [later - earlier for earlier, later in pairwise(starts)]
    assert all(gap >= 0.049 for gap in gaps)


async def test_a_page_that_waits_for_its_tab_keeps_the_next_one_of_the_site_waiting():
    pace, clock, starts, both = Pace(0.3), asyncio.get_running_loop().time, [], asyncio.Event()

    async def visit(seconds_without_tab):
        async with pace.visit() as start:
            await asyncio.sleep(seconds_without_tab)
            start()
            starts.append(clock())
            if len(starts) == 2:
                both.set()
            await both.wait()  # the page is open

    await asyncio.gather(visit(0.1), visit(0))
    assert starts[1] - starts[0] >= 0.2  # the first may be noted late


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
