"""The crawl of a sample: its order, failures, interruptions, and sites that never end."""

import asyncio
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from sightread.crawler import events
from sightread.crawler.corpus import Corpus
from sightread.crawler.crawl import CrawlOptions, RenderedPage, crawl, plan
from sightread.crawler.frontier import LIMITS
from sightread.crawler.urls import Scope
from sightread.render.errors import NoBrowser, Private, Rejected, Retryable, Unusable
from sightread.render.network.egress import LOCAL
from sightread.render.static.parse import read_html
from sightread.render.visit.picture import Picture
from tests.crawler.sites import Rendered, article, blog, link, longest_hold, render, story, town
from tests.internet import Internet, public_url, victim

FAST = CrawlOptions(pages=5, backoff=0.001, egress=LOCAL)


def _paths(corpus):
    return ["/" + page.url.split("/", 3)[3] for page in corpus]


async def test_a_blog_gives_its_stories_and_not_its_front_page(site_server, tmp_path):
    site = await site_server(blog(8))
    corpus = await crawl(site.url(), tmp_path, render, FAST)
    assert _paths(corpus) == [story(number) for number in range(5)]
    assert corpus.picture(0) == Picture((site.url(story(0)).encode(),))
    assert _paths(Corpus.open(tmp_path)) == _paths(corpus)


async def test_a_complete_corpus_returns_without_a_request_and_with_a_larger_count_the_crawl_goes_on(site_server, tmp_path):
    site = await site_server(blog(12))
    few = await crawl(site.url(), tmp_path / "a", render, FAST)
    pages = [*few]
    site.requests.clear()
    for count in (5, 2):
        assert (await crawl(site.url(), tmp_path / "a", render, replace(FAST, pages=count))).digest() == few.digest()
    assert site.requests == []
    more = await crawl(site.url(), tmp_path / "a", render, replace(FAST, pages=9))
    assert [*more][:5] == pages
    assert _paths(more) == [story(number) for number in range(9)]
    assert site.requests == [story(number) for number in range(5, 9)]


async def test_lists_fill_up_a_site_that_has_no_more(site_server, tmp_path):
    site = await site_server({**blog(16), "/login": (403, {}, "")})
    corpus = await crawl(site.url(), tmp_path, render, replace(FAST, pages=25))
    assert _paths(corpus) == [*(story(number) for number in range(16)), "/", "/tag/fair"]
    assert site.requests.count("/") == 1
    assert [reason for _, reason in corpus.failures] == ["HTTP status 403"]


async def test_trouble_is_recorded_and_stops_nothing_and_twins_are_stored_once(site_server, tmp_path):
    site = await site_server(town())
    reported = []
    corpus = await crawl(site.url(), tmp_path, render, replace(FAST, pages=40), reported.append)
    assert {story(number) for number in range(9)} < set(_paths(corpus))
    assert {"/2024/06/flaky-page-of-the-harbour-master", "/2024/06/slow-page-of-the-harbour-master"} < set(_paths(corpus))
    reasons = {url.removeprefix(site.root): reason for url, reason in corpus.failures}
    assert reasons["/2024/06/gone-with-the-wind-and-back"] == "HTTP status 404"
    assert reasons["/2024/06/down-for-a-while-and-longer"].startswith("HTTP status 503")
    assert "application/pdf" in reasons["/2024/06/minutes-of-the-council-as-pdf"]
    assert reasons["/2024/06/empty-page-without-a-word"] == "no text on the page"
    assert "/2024/06/moved-to-another-site-for-good" in reasons
    assert not any("private" in path or "brochure" in path for path in site.requests)
    assert site.requests.count("/2024/06/down-for-a-while-and-longer") == 3
    twins = {frozenset((event.url, event.of)) for event in reported if isinstance(event, events.PageDuplicate)}
    assert twins == {  # either of a pair may be the one that is met first
        frozenset((site.url("/2024/06/same-text-as-story-number-one"), site.url(story(1)))),
        frozenset((site.url("/2024/06/moved-to-story-number-two"), site.url(story(2)))),
    }
    assert len({page.final_url for page in corpus}) == len(corpus)


@pytest.mark.parametrize("width", [1, 3])
async def test_slow_tabs_do_not_change_the_way(site_server, tmp_path, width):
    site = await site_server(town())

    async def crawled(name, seed):
        moods = random.Random(seed)

        async def moody(url):
            await asyncio.sleep(moods.random() / 100)
            return await render(url)

        return (await crawl(site.url(), tmp_path / name, moody, replace(FAST, pages=15, width=width))).digest()

    assert await crawled("a", 1) == await crawled("b", 2)


async def test_no_more_visits_run_at_once_than_allowed(site_server, tmp_path):
    site = await site_server(blog(12))
    running, most = 0, 0

    async def counting(url):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.005)
        running -= 1
        return await render(url)

    await crawl(site.url(), tmp_path, counting, replace(FAST, pages=10, width=3))
    assert most == 3


async def test_a_folder_of_another_site_is_refused_and_left_alone(site_server, tmp_path):
    site, other = await site_server(blog(8)), await site_server(blog(8))
    digest = (await crawl(site.url(), tmp_path, render, FAST)).digest()
    with pytest.raises(Rejected, match="choose another folder"):
        await crawl(other.url(), tmp_path, render, FAST)
    assert Corpus.open(tmp_path).digest() == digest
    assert other.requests == []


@pytest.mark.parametrize(
    ("answer", "error", "reason"),
    [
        ((404, {}, "<p>Not found"), Unusable, "HTTP status 404"),
        ((503, {}, ""), Retryable, "HTTP status 503"),
        ((200, {"Content-Type": "application/pdf"}, b"%PDF-1.7"), Unusable, "application/pdf"),
        ("<title>Empty</title>", Unusable, "no text"),
    ],
)
async def test_a_start_page_that_fails_ends_the_crawl_whatever_the_sitemap_has(site_server, tmp_path, answer, error, reason):
    pages = {**blog(8), "/start": answer}
    site = await site_server(pages)
    pages["/sitemap.xml"] = f"<urlset><url><loc>{site.url(story(1))}</loc></url></urlset>"
    (tmp_path / "own").mkdir()
    for folder in (tmp_path / "own", tmp_path / "new"):
        with pytest.raises(error, match=rf"^{site.url('/start')}: .*{reason}"):
            await crawl(site.url("/start"), folder, render, FAST)
    assert [path.name for path in tmp_path.rglob("*")] == ["own"]
    pages["/start"] = article("back again")
    assert len(await crawl(site.url("/start"), tmp_path / "new", render, FAST)) == FAST.pages


@pytest.mark.parametrize("start", ["/", story(0)])
async def test_a_sitemap_that_is_not_there_leaves_nothing_and_another_is_taken(site_server, tmp_path, start):
    site = await site_server(pages := blog(8))
    scope = Scope(sitemap=site.url("/nosuch.xml"))
    with pytest.raises(Unusable, match=r"nosuch\.xml: no sitemap with pages of this site"):
        await crawl(site.url(start), tmp_path / "site", render, replace(FAST, scope=scope))
    assert list(tmp_path.iterdir()) == []
    pages["/map.xml"] = f"<urlset><url><loc>{site.url(story(1))}</loc></url></urlset>"
    scope = Scope(sitemap=site.url("/map.xml"))
    assert site.url(story(1)) in [page.url for page in await crawl(site.url(start), tmp_path / "site", render, replace(FAST, scope=scope))]


async def test_what_somebody_else_put_into_the_folder_stays(site_server, tmp_path):
    (tmp_path / "pictures").mkdir()
    mine = {tmp_path / "notes.txt", tmp_path / "pictures", tmp_path / "pictures" / "mine.webp"}
    for path in mine - {tmp_path / "pictures"}:
        path.write_text("mine")
    with pytest.raises(Unusable):
        await crawl((await site_server({})).url("/start"), tmp_path, render, FAST)
    assert set(tmp_path.rglob("*")) == mine
    site = await site_server(blog(8))  # whose start page is stored, with its picture, before the sitemap fails
    with pytest.raises(Unusable):
        await crawl(site.url(story(0)), tmp_path, render, replace(FAST, scope=Scope(sitemap=site.url("/nosuch.xml"))))
    assert set(tmp_path.rglob("*")) == mine


async def test_a_site_that_forbids_everything_is_not_visited(site_server, tmp_path):
    site = await site_server({**blog(8), "/robots.txt": "User-agent: *\nDisallow: /"})
    with pytest.raises(Unusable, match=r"robots\.txt forbids it"):
        await crawl(site.url(), tmp_path, render, FAST)
    assert site.requests == ["/robots.txt", "/sitemap.xml"]


async def test_a_site_that_has_moved_is_crawled_where_it_is_now(site_server, tmp_path):
    new = await site_server({**blog(4), "/robots.txt": f"User-agent: *\nDisallow: {story(0)}"})
    old = await site_server({"/": (301, {"Location": new.url()}, "")})
    corpus = await crawl(old.url(), tmp_path, render, replace(FAST, pages=3))
    assert [page.url for page in corpus] == [new.url(story(number)) for number in (1, 2, 3)]


async def test_a_missing_browser_passes_through_and_keeps_the_pages(site_server, tmp_path):
    site = await site_server(blog(8))

    async def breaking(url):
        if url.endswith(story(3)):
            raise NoBrowser("no Chromium")
        return await render(url)

    with pytest.raises(NoBrowser):
        await crawl(site.url(), tmp_path, breaking, FAST)
    assert _paths(Corpus.open(tmp_path)) == [story(0), story(1), story(2)]


async def test_a_cancelled_crawl_keeps_what_it_has_and_goes_on_later(site_server, tmp_path):
    site = await site_server(blog(8))
    three_stored = asyncio.Event()

    async def hanging(url):
        if url.endswith(story(3)):
            await asyncio.Event().wait()
        return await render(url)

    def watch(event):
        if isinstance(event, events.PageStored) and event.pages == 3:
            three_stored.set()

    running = asyncio.create_task(crawl(site.url(), tmp_path, hanging, FAST, watch))
    await three_stored.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert _paths(await crawl(site.url(), tmp_path, render, FAST)) == [story(number) for number in range(5)]


@pytest.mark.parametrize("wrong", [{"pages": 0}, {"width": 0}, {"width": 99}, {"delay": -1.0}, {"backoff": float("nan")}])
def test_options_that_make_no_sense_are_rejected(wrong):
    with pytest.raises(Rejected):
        CrawlOptions(**wrong)


@pytest.mark.parametrize("moment", range(3))
async def test_a_killed_crawl_ends_as_one_never_killed(site_server, tmp_path, moment):
    site = await site_server(town())
    whole = await crawl(site.url(), tmp_path / "whole", render, replace(FAST, pages=15))
    requests = len(site.requests)
    site.requests.clear()

    chance = random.Random(moment)
    killed = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.crawler.sites", site.url(), str(tmp_path / "killed"), "15"), cwd=Path(__file__).parents[2]
    )
    last = chance.randrange(1, requests)
    while len(site.requests) < last and killed.returncode is None:  # noqa: ASYNC110  (the server counts, it sends no events)
        await asyncio.sleep(0.001)
    await asyncio.sleep(chance.random() / 100)
    if killed.returncode is None:
        killed.kill()
    await killed.wait()

    again = await crawl(site.url(), tmp_path / "killed", render, replace(FAST, pages=15))
    assert again.digest() == whole.digest()
    assert again.failures == whole.failures
    assert [again.picture(row) for row in range(len(again))] == [whole.picture(row) for row in range(len(whole))]


async def test_a_site_on_this_machine_is_not_crawled_unless_the_local_door_is_open(tmp_path):
    async with victim() as here:
        for url in (here.root, f"http://localhost:{here.port}/", "http://127.0.0.1/"):
            with pytest.raises(Private):
                await crawl(url, tmp_path / str(len(url)), render, CrawlOptions(pages=1))
    assert here.received == []


async def test_the_sitemaps_of_a_public_site_lead_to_no_private_address(site_server, tmp_path):
    async with victim() as here:
        names = "".join(f"Sitemap: {url}\n" for url in (f"{here.root}/sitemap.xml", "http://127.0.0.1/a.xml", "http://localhost/b.xml"))
        site = await site_server({"/robots.txt": (200, {"Content-Type": "text/plain"}, names)})
        tried = []

        async def note(url: str) -> RenderedPage:
            tried.append(url)
            return Rendered(read_html(article("front"), url), None)

        await crawl(public_url(site.root), tmp_path, note, replace(FAST, egress=Internet().egress()))
        assert here.received == []
        assert tried == [public_url(site.root)]


WANTED = 5
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
