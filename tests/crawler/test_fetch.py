"""The HTTP client of the crawler, and the rules of robots.txt."""

import gzip
import socket
import time
from collections.abc import Sequence

import aiohttp
import pytest
from aiohttp import web

from sightread.crawler import fetch
from sightread.crawler.fetch import POLICY, Fetcher, Robots, read_robots
from sightread.crawler.journal import RobotsRead
from sightread.render.errors import Private, Retryable, Unusable
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
