import time

import pytest

from sightread.crawler.fetch import Fetcher
from sightread.crawler.robots import POLICY, Robots, read_robots
from sightread.crawler.storage.journal import RobotsRead
from sightread.render.errors import Retryable
from sightread.render.network.egress import LOCAL


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


async def test_a_missing_file_allows_everything(site_server):
    site = await site_server({})
    async with Fetcher(LOCAL) as fetcher:
        read = await read_robots(fetcher, site.url("/deep/page"))
    assert site.requests == ["/robots.txt"]
    assert read.status == 404
    assert Robots(read).allows(site.url("/anything"))


async def test_a_page_served_in_its_place_forbids_nothing(site_server):
    site = await site_server({"/robots.txt": "<html><p>Welcome to our site</p>"})
    async with Fetcher(LOCAL) as fetcher:
        assert Robots(await read_robots(fetcher, site.url())).allows(site.url("/a"))


@pytest.mark.parametrize("status", [500, 503, 429])
async def test_a_server_in_trouble_forbids_the_whole_site_for_now(site_server, status):
    site = await site_server({"/robots.txt": (status, {}, "")})
    async with Fetcher(LOCAL) as fetcher:
        with pytest.raises(Retryable, match=f"status {status}: the whole site counts as forbidden"):
            await read_robots(fetcher, site.url())
