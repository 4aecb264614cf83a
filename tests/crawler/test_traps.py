"""Sites that never end: a crawl visits a bounded number of addresses, and takes the stories first."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta

import pytest

from sightread.crawler.crawl import CrawlOptions, crawl, plan
from sightread.crawler.frontier import LIMITS
from sightread.crawler.urls import Scope
from sightread.render.errors import Unusable
from sightread.render.network.egress import LOCAL
from tests.crawler.sites import article, blog, link, longest_hold, render, story

WANTED = 5
FAST = CrawlOptions(pages=WANTED, backoff=0.001, egress=LOCAL)
MOST = LIMITS.visits(WANTED)


class Endless(dict[str, object]):
    """A site that has a page for every address."""

    def __init__(self, pages: dict[str, object], make: Callable[[str], object]) -> None:
        super().__init__(pages)
        self._make = make

    def get(self, path: str, default: object = None) -> object:
        return self[path] if path in self else self._make(path)


def calendar(path: str) -> object:
    if not path.startswith("/calendar/"):
        return (404, {}, "<p>Not found")
    day = date.fromordinal(int(path.rpartition("/")[2]))
    return "".join(
        link(f"/calendar/{(day + timedelta(step)).toordinal()}", f"Events of {day + timedelta(step)}") for step in (-1, 1, 7, 365)
    )


def sessions(path: str) -> object:
    return article(
        "the one page that there is", "".join(link(f"/?session={path.count('0')}{n}{'0' * len(path)}", "More") for n in range(5))
    )


def deeper(path: str) -> object:
    return "<ul>" + "".join(f"<li>{link(f'{path}/{name}', f'All that happened in {name}')}" for name in ("one", "two")) + "</ul>"


async def test_rules_and_addresses_without_number_hold_nobody_else_up(site_server, tmp_path):
    """Two thousand addresses are compared with the rules of 500 KB and with patterns of many stars."""
    rules = "User-agent: *\n" + "".join(f"Disallow: /*a*{rule}*z\n" for rule in range(22_000))
    pages: dict[str, object] = {**blog(8), "/robots.txt": rules}
    site = await site_server(pages)
    pages["/sitemap.xml"] = "\n".join(site.url(f"/{'a' * 100}/{number}/z") for number in range(2_000))
    scope = Scope(exclude=("/" + "*a" * 40 + "*b",) * 50)
    planning = asyncio.ensure_future(plan(site.url(), render, replace(FAST, scope=scope)))
    assert await longest_hold(planning) < 0.25
    assert len((await planning).taken) == WANTED


async def test_a_calendar_without_end_comes_after_the_stories(site_server, tmp_path):
    site = await site_server(Endless({**blog(8), "/": f"{blog(8)['/']}{link('/calendar/738000', 'Calendar')}"}, calendar))
    corpus = await crawl(site.url(), tmp_path, render, FAST)
    assert [page.url for page in corpus] == [site.url(story(number)) for number in range(WANTED)]


@pytest.mark.parametrize(
    ("start", "make"), [("/calendar/738000", calendar), ("/", sessions), ("/one", deeper)], ids=["calendar", "sessions", "depth"]
)
async def test_a_site_that_is_nothing_but_a_trap_is_left(site_server, tmp_path, start, make):
    site = await site_server(Endless({"/robots.txt": (404, {}, ""), "/sitemap.xml": (404, {}, "")}, make))
    with suppress(Unusable):
        await crawl(site.url(start), tmp_path, render, FAST)
    visits = [path for path in site.requests if path not in ("/robots.txt", "/sitemap.xml")]
    assert 0 < len(visits) <= MOST
