"""Crawls of whole sites: what is found and left out, interruptions, updates, traps, and hosts that do not answer."""

import asyncio
import gzip
import sqlite3
import time
from pathlib import Path

import pytest
from aiohttp import web

from sightread.crawler import bookkeeping, whole_site
from sightread.crawler.answers import PageAnswer, WholeSiteLimits, WholeSiteOptions
from sightread.crawler.discovery import head_links, page_key, robots_directives, trap_sign
from sightread.crawler.fetch import Fetched, Fetcher
from sightread.crawler.site_state import SiteState, change_probability
from sightread.crawler.urls import Scope, site_of
from sightread.crawler.whole_site import WholeSiteCrawl, read_list
from sightread.reading.site_pages import HtmlPages
from sightread.render.errors import BadRecord, Retryable
from sightread.render.network.egress import LOCAL
from sightread.render.static.parse import read_html
from tests.crawler.sites import article, blog, link, story
from tests.internet import Internet, public_url, victim

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Pages(HtmlPages):
    """Reads HTML; the content is the text of the page's paragraphs."""

    def _read(self, url, answer):
        html = answer.body.decode()
        page = read_html(html, url)
        return PageAnswer(page, " ".join(block.text for block in page.blocks if not block.link_chars), page, html, answer.headers)


class Kept(list):
    """The documents in the order in which they were stored, by address."""

    def add(self, change, result):
        self.append(change)
        return change.document or f"{change.url}.md"

    def end(self):
        return ""


async def crawl(start: str, path: Path | None = None, *, update=False, most=None, egress=LOCAL, **options):
    """Run a crawl, to its end or to a number of changes; return how it ended, what became of pages, the documents, and the reasons."""
    changes, kept = [], Kept()
    with SiteState(path) as state:
        state.add_site(site_of(start), start)
        if update:
            state.begin_round(time.time())
        async with Fetcher(egress) as fetcher:
            run = asyncio.current_task()

            def on_change(change):
                changes.append(change)
                if len(changes) == most:
                    run.cancel()

            crawling = WholeSiteCrawl(state, Pages(fetcher).read, kept, WholeSiteOptions(egress=egress, **options), on_change)
            try:
                end = await crawling.run()
            except asyncio.CancelledError:
                run.uncancel()
                end = "stopped"
        reasons = {url: reason for name in ("skipped", "failed", "gone") for url, reason in state.listed(name)}
    return end, changes, kept, reasons


def read(changes) -> list[str]:
    return [change.url for change in changes if change.state == "read"]


async def test_pages_of_sitemaps_feeds_and_links_are_read_once_and_forbidden_ones_never(site_server):
    pages = blog(6)
    pages["/"] = f'<head><link rel=alternate type="application/rss+xml" href=/feed></head><body>{pages["/"]}'
    for number in (7, 8, 9):
        pages[story(number)] = article(f"story {number}")
    pages["/robots.txt"] = "User-agent: *\nDisallow: /login\nSitemap: /index.xml"
    site = await site_server(pages)
    pages["/robots.txt"] = f"User-agent: *\nDisallow: /login\nSitemap: {site.url('/index.xml')}"
    pages["/index.xml"] = f"<sitemapindex><sitemap><loc>{site.url('/map.xml')}</loc></sitemap></sitemapindex>"
    pages["/map.xml"] = f"<urlset><url><loc>{site.url(story(7))}</loc></url></urlset>"
    pages["/feed"] = f"<rss><channel><item><link>{site.url(story(8))}</link></item></channel></rss>"
    pages[story(8)] = f'<head><link rel=next href="{story(9)}"></head>{article("story 8")}'
    end, changes, kept, reasons = await crawl(site.url())
    assert end == "finished"
    assert sorted(read(changes)) == sorted(site.url(path) for path in ["/tag/fair", *map(story, (0, 1, 2, 3, 4, 5, 7, 8, 9))])
    assert len(set(site.requests)) == len(site.requests)
    assert reasons == {site.url("/login"): "robots.txt forbids it", site.url(): "it has no content"}
    assert len(kept) == 10


@pytest.mark.parametrize("most", [1, 4, 9, 15])
async def test_a_crawl_that_is_stopped_continues_with_the_pages_and_the_order_of_one_that_was_not(site_server, tmp_path, most):
    site = await site_server(blog(20))
    whole = await crawl(site.url())
    first = await crawl(site.url(), tmp_path / "state", most=most)
    second = await crawl(site.url(), tmp_path / "state")
    assert first[0] == "stopped" and second[0] == "finished"
    assert read(first[2] + second[2]) == read(whole[2])


async def test_an_update_reports_new_changed_moved_and_gone_documents_and_receives_no_body_of_others(site_server, tmp_path):
    pages = {"/": "<p>News of the town" + "".join(link(f"/n/{number}", "more") for number in range(9))}
    answered = []

    async def answer(request):
        number, text = request.path, texts.get(request.path)
        if text is None:
            return web.Response(status=404)
        if text.startswith("/"):
            return web.Response(status=301, headers={"Location": text})
        tag = f'"{hash(text)}"'
        answered.append((number, request.headers.get("If-None-Match") == tag))
        if answered[-1][1]:
            return web.Response(status=304)
        return web.Response(text=text, content_type="text/html", headers={"ETag": tag})

    texts = {f"/n/{number}": article(f"town {number}", link("/n/0", "first")) for number in range(9)}
    pages.update(dict.fromkeys([*texts, "/n/30", "/n/31"], answer))
    site = await site_server(pages)
    await crawl(site.url(), tmp_path / "state")
    answered.clear()
    texts["/n/1"] = article("town 1, rewritten")
    texts["/n/2"] = article("town 2", "<nav>another design <a href=/x.pdf>and advertisement</a></nav>")  # beyond the content
    del texts["/n/3"]
    texts["/n/4"], texts["/n/30"] = "/n/30", texts["/n/4"]
    texts["/n/31"] = article("town 31")
    pages["/"] += link("/n/31", "newest")
    _, changes, _, reasons = await crawl(site.url(), tmp_path / "state", update=True)
    told = {change.url.removeprefix(site.root): change.change for change in changes if change.change}
    assert told == {"/n/1": "changed", "/n/3": "gone", "/n/4": "moved", "/n/31": "new"}
    assert dict(answered) == {
        **{f"/n/{number}": True for number in (0, 5, 6, 7, 8)},
        "/n/1": False,
        "/n/2": False,
        "/n/30": False,
        "/n/31": False,
    }
    names = {change.url.removeprefix(site.root): change.document for change in changes}
    assert names["/n/1"].endswith("/n/1.md") and names["/n/30"].endswith("/n/4.md")  # the name stays
    assert reasons[site.url("/n/3")] == "HTTP status 404"


async def test_rules_of_pages_for_crawlers_are_followed_as_requested(site_server):
    pages = {
        "/": article("front", link("/a", "one") + "<a rel=nofollow href=/b>two</a>" + link("/c", "three") + link("/f", "four")),
        "/a": (200, {"X-Robots-Tag": "otherbot: noindex, noindex"}, article("a")),
        "/b": article("b"),
        "/c": f'<meta name=robots content="noindex, nofollow">{article("c", link("/d", "deep"))}',
        "/d": article("d"),
        "/f": "<html lang=fr><link rel=alternate hreflang=de href=/de><link rel=alternate hreflang=it href=/it>" + article("f"),
        "/de": f"<html lang=de>{article('de')}",
    }
    site = await site_server(pages)
    paths = lambda changes: {url.removeprefix(site.root) for url in read(changes)}  # noqa: E731
    assert paths((await crawl(site.url()))[1]) == {"/", "/a", "/c", "/f", "/de"}
    _, changes, _, reasons = await crawl(site.url(), skips_noindex=True, follows_nofollow=True)
    assert paths(changes) == {"/", "/a", "/b", "/d", "/f", "/de"} and reasons[site.url("/c")] == "it declares noindex"
    site.requests.clear()
    _, changes, _, reasons = await crawl(site.url(), scope=Scope(within="/", language="de"))
    assert "/de" in paths(changes) and "/f" not in paths(changes) and "/it" not in site.requests
    assert reasons[site.url("/it")] == "its language is it, not de"


async def test_canonical_addresses_count_where_the_text_is_the_same(site_server):
    everything = "<link rel=canonical href=/>"
    pages = {
        "/": article("front", "".join(link(f"/{name}", f"page {name}") for name in ("p?print=1", "x", "y", "z"))),
        "/p": article("p"),
        "/p?print=1": f"<link rel=canonical href=/p>{article('p')}",
        **{f"/{name}": everything + article(name) for name in "xyz"},
    }
    site = await site_server(pages)
    _, changes, _, reasons = await crawl(site.url())
    documents = {change.url.removeprefix(site.root) for change in changes if change.state == "read"}
    assert documents - {"/p?print=1"} == {"/", "/p", "/x", "/y", "/z"}
    assert reasons == {site.url("/p?print=1"): f"the same text as {site.url('/p')}, its canonical address"}


class Lenient(dict):
    """Pages of a site that answers any other address with status 200 and an error, or leads it elsewhere."""

    elsewhere = ""

    def get(self, path, default=None):
        error = article(f"an error: {path} is not there")
        answer = (302, {"Location": self.elsewhere}, "") if self.elsewhere else (200, {}, error)
        return super().get(path) or (default if path == "/robots.txt" else answer)


async def test_error_pages_and_walls_are_known_by_their_look_and_are_no_documents(site_server, tmp_path):
    walled = [f"/{name}" for name in "abcdefghij"]
    pages = Lenient({"/": article("front", "".join(link(path, "more") for path in (*walled, "/missing", "/real", "/of/fair")))})
    pages |= dict.fromkeys(walled, article("the wall before which you stand")) | {"/real": article("real"), "/of/fair": "<ul>"}
    site = await site_server(pages)
    end, _, kept, reasons = await crawl(site.url(), tmp_path / "state")
    assert end == "finished"
    found = {url.removeprefix(site.root): reason for url, reason in reasons.items()}
    assert found == dict.fromkeys(walled, bookkeeping.ONE_LOOK) | {"/missing": bookkeeping.NO_ADDRESS, "/of/fair": "it has no content"}
    assert [(change.url.removeprefix(site.root), change.change) for change in kept if change.state != "failed"] == [
        *(("/", "new"), ("/a", "new"), ("/a", "gone"), ("/real", "new"))
    ]
    del pages["/real"]
    pages |= {"/b": article("b"), "/of/fair": article("fair")}
    _, changes, _, _ = await crawl(site.url(), tmp_path / "state", update=True)
    changed = {change.url.removeprefix(site.root): change.change for change in changes if change.change}
    assert changed == {"/real": "gone", "/b": "new", "/of/fair": "new"}
    pages["/real"] = article("real")
    _, changes, _, _ = await crawl(site.url(), tmp_path / "state", update=True)
    assert {change.url.removeprefix(site.root): change.change for change in changes if change.change} == {"/real": "new"}

    pages |= dict.fromkeys(walled, article("an article with many addresses " * 20))
    _, changes, kept, reasons = await crawl(site.url())
    assert reasons[site.url("/b")] == f"the same text as {site.url('/a')}" and "gone" not in {change.state for change in kept}
    assert len({*read((await crawl(site.url(), most_known=4))[1])}) < 4

    pages.elsewhere = "/"
    end, changes, _, reasons = await crawl(site.url())
    assert (
        read(changes)[0] == site.url() and reasons[site.url("/missing")] == f"it leads to {site.url()}, as addresses do that do not exist"
    )


async def test_nearly_the_same_text_is_marked_or_left_out_and_a_version_of_a_page_is_no_second_document(site_server):
    text = "".join(article(f"the harbour, its ships, its masters and the long winter of {year}") for year in range(1900, 1910))
    pages = {
        "/": article("front", "".join(link(path, "more") for path in ("/print/a", "/a", "/b", "/c", "/other"))),
        "/a": text,
        "/print/a": f"{text}<p>Printed today",
        "/b": f"{text}<p>Seen by nine people",
        "/c": f"<link rel=canonical href=/a>{text}<p>Seen by ten people",
        "/other": article("another thing"),
    }
    site = await site_server(pages)
    _, changes, kept, reasons = await crawl(site.url())
    nearly = f"nearly the same text as {site.url('/a')}"
    assert reasons == {site.url("/print/a"): nearly, site.url("/c"): nearly}
    near = {change.url: (change.near, change.similarity > 0.8) for change in kept if change.near}
    assert near == {site.url("/b"): (site.url("/a"), True)}
    assert [change.change for change in kept if change.url in (site.url("/print/a"), site.url("/a"))] == ["new", "moved", "changed"]
    _, changes, _, reasons = await crawl(site.url(), skips_near_duplicates=True)
    assert reasons[site.url("/b")] == nearly and site.url("/b") not in read(changes)


async def test_traps_are_left_within_fifty_requests(site_server):
    async def calendar(request):
        month = int(request.query.get("m", 0))
        days = "".join(f"<td>{day}" for day in range(1, 29 + month % 4))
        name = MONTHS[month % 12]
        links = link(f"?m={month + 1}", "next") + link(f"?m={month - 1}", "back")
        return web.Response(
            text=f"<h1>{name} {2020 + month // 12}</h1><p>No events<table><tr>{days}</table>{links}", content_type="text/html"
        )

    async def same(request):
        count, path = len(site.requests), request.path
        queries = link(f"{path}?sid={count}x&v={count}", "on") + link(f"{path}?tab{count}=1&{request.query_string}", "more")
        deeper = link(f"{path.rstrip('/')}/down/", "deep") + link(f"{path.rstrip('/')}/x{count}/", "deeper")
        return web.Response(text=article(f"of {path[:5]}", queries + deeper), content_type="text/html")

    class Everything(dict):
        def get(self, path, default=None):
            return super().get(path) or (same if path.partition("?")[0].startswith(("/same", "/deep/")) else default)

    site = await site_server(
        Everything({"/": blog(3)["/"] + link("/calendar", "dates") + link("/same", "s") + link("/deep/", "d"), "/calendar": calendar})
    )
    end, _, _, reasons = await crawl(site.url())
    for trap in ("/calendar", "/same", "/deep"):
        assert 10 < sum(path.startswith(trap) for path in site.requests) <= 50
    assert end == "finished" and sum("a trap" in reason for reason in reasons.values()) > 3
    assert trap_sign("https://e.com/a/b/a/b/a/b/a/b") and not trap_sign("https://e.com/2024/05/05/may")
    assert (
        page_key("https://e.com/a;jsessionid=1F?b=2") == page_key("https://www.e.com/a?PHPSESSID=ab&b=2") == page_key("http://e.com/a?b=2")
    )


async def test_a_host_that_does_not_answer_for_a_while_costs_no_page(site_server, monkeypatch):
    quick = WholeSiteLimits(backoff=0.01, longest_pause=0.02)
    monkeypatch.setattr(bookkeeping, "LIMITS", quick)
    monkeypatch.setattr(whole_site, "LIMITS", quick)
    pages, refused = blog(8), []
    texts = dict(pages, **{"/robots.txt": ""})

    async def flaky(request):
        is_down = 4 < len(site.requests) < 60
        refused.extend([request.path] * is_down)
        return web.Response(status=503) if is_down else web.Response(text=texts[request.path], content_type="text/html")

    pages.update(dict.fromkeys(texts, flaky))
    site = await site_server(pages)
    end, changes, _, reasons = await crawl(site.url())
    assert end == "finished" and len(refused) > 50
    assert sorted(read(changes)) == sorted(site.url(path) for path in ("/tag/fair", *map(story, range(8))))
    assert {*reasons} == {site.url(), site.url("/login")}


async def test_a_page_that_fails_for_the_time_being_comes_last_and_a_server_without_answer_ends_a_run(site_server, monkeypatch):
    monkeypatch.setattr(bookkeeping, "LIMITS", WholeSiteLimits(backoff=0.01))
    tries = []

    async def flaky(request):
        tries.append(1)
        return web.Response(text=article("flaky"), content_type="text/html") if len(tries) == 3 else web.Response(status=500)

    async def later(request):
        return web.Response(status=503, headers={"Retry-After": "4000"})

    pages = {
        "/": article("front", link("/flaky", "f") + link("/later", "l") + link("/other", "o")),
        "/flaky": flaky,
        "/other": article("o"),
    }
    site = await site_server(pages)
    assert [url.rpartition("/")[2] for url in read((await crawl(site.url()))[1])] == ["", "other", "flaky"]
    monkeypatch.setattr(whole_site, "LONGEST_WAIT", 0.01)
    pages["/later"] = later
    assert (await crawl(site.url()))[0] == "waiting"
    with pytest.raises(Retryable, match="connection refused"):
        await crawl("http://127.0.0.1:1/")


async def test_nothing_of_a_public_site_leads_to_a_private_address(site_server):
    async with victim() as here:
        pages = {
            "/": f"<link rel=alternate type=application/rss+xml href={here.root}/feed>"
            + article("front", link("/out", "o") + link("/in", "i")),
            "/out": (302, {"Location": f"{here.root}/page"}, ""),
            "/in": (302, {"Location": "/out"}, ""),
            "/robots.txt": f"Sitemap: {here.root}/map.xml",
            "/map.xml": gzip.compress(bytes(30_000_000)),
        }
        site = await site_server(pages)
        start = public_url(site.root).rstrip("/")
        pages["/robots.txt"] += f"\nSitemap: {start}/map.xml"
        end, changes, _, reasons = await crawl(f"{start}/", egress=Internet().egress(), delay=0.0)
        assert here.received == [] and end == "finished"
        assert read(changes) == [f"{start}/"]
        assert reasons == {f"{start}/out": f"leads to another site: {here.root}/page", f"{start}/in": f"leads to {start}/out"}


async def test_an_old_robots_txt_is_read_again_and_an_origin_without_one_is_left(site_server, tmp_path, monkeypatch):
    pages = {"/": article("front", link("/a", "a") + link("/b", "b"))} | {path: article(path) for path in ("/a", "/b")}
    site = await site_server(pages)
    pages["/"] += link(site.url("/c").replace("http:", "https:"), "c")
    read_robots = whole_site.read_robots

    async def without_https(fetcher, url):
        if url.startswith("https:"):
            raise Retryable(f"{url}: connection refused")
        return await read_robots(fetcher, url)

    monkeypatch.setattr(whole_site, "read_robots", without_https)
    monkeypatch.setattr(whole_site, "LIMITS", WholeSiteLimits(robots_age=0.0))
    end, changes, _, reasons = await crawl(site.url())
    assert end == "finished" and len(read(changes)) == 3
    assert [*reasons.values()] == ["robots.txt forbids it"]
    assert site.requests.count("/robots.txt") > 2


async def test_sitemaps_and_feeds_without_number_are_read_as_far_as_the_limits(site_server, monkeypatch):
    monkeypatch.setattr(bookkeeping, "LIMITS", WholeSiteLimits(sitemaps=7, feeds=3))

    async def index(request):
        names = "".join(f"<sitemap><loc>{site.url(f'{request.path}{number}.xml')}</loc></sitemap>" for number in range(5))
        return web.Response(text=f"<sitemapindex>{names}</sitemapindex>", content_type="text/xml")

    class Everything(dict):
        def get(self, path, default=None):
            return super().get(path) or (index if path.startswith("/sitemap.xml") else default)

    feeds = "".join(f"<link rel=alternate type=application/rss+xml href=/feed{number}>" for number in range(9))
    site = await site_server(Everything({"/": feeds + article("front")}))
    assert (await crawl(site.url()))[0] == "finished"
    assert sum(path.startswith("/sitemap.xml") for path in site.requests) == 7
    assert sum(path.startswith("/feed") for path in site.requests) == 3


async def test_a_site_without_pages_is_empty_and_not_finished(site_server):
    assert (await crawl((await site_server({})).url()))[0] == "empty"


@pytest.mark.parametrize(
    "feed",
    [
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="self" href="/s"/><link href="https://e.com/a"/></entry></feed>',
        b'<rdf:RDF xmlns:rdf="x" xmlns="y"><item><link> https://e.com/a </link></item><item><link>https://e.com/a</link></item></rdf:RDF>',
    ],
)
def test_a_feed_names_pages(feed):
    found = read_list(Fetched("https://e.com/feed", 200, feed), "feed", "https://e.com/")
    assert [entry.url for entry in found.pages] == ["https://e.com/a"]


def test_what_a_head_declares():
    html = "<base href=/b/><link rel='next stylesheet' href=2><link rel=alternate hreflang=DE href=de>"
    html += "<link rel=alternate type=application/atom+xml href=f>"
    assert head_links(html, "https://e.com/a") == (("https://e.com/b/2",), (("de", "https://e.com/b/de"),), ("https://e.com/b/f",))
    page = read_html("<meta name=robots content=None>")
    assert robots_directives(page, "") >= {"noindex", "nofollow"}
    assert robots_directives(read_html(""), "max-snippet: 20, googlebot: noindex, sightread: nofollow") == {"max-snippet: 20", "nofollow"}


def test_the_learned_rate_of_change_decides_when_a_page_is_requested_again(tmp_path):
    week = 7 * 86_400.0
    assert change_probability(0, 0, 0, 0) == 1
    assert change_probability(1, 0, week, week) > 0.2 > 0.05 > change_probability(30, 0, 30 * week, week)
    assert change_probability(30, 0, 30 * week, 4 * week) > 0.05 and change_probability(30, 20, 30 * week, week) > 0.5
    (tmp_path / "state").write_bytes(b"x" * 4096)
    with pytest.raises(BadRecord), SiteState(tmp_path / "state"):
        pass
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("PRAGMA user_version = 9")
    with pytest.raises(BadRecord, match="version 9"), SiteState(tmp_path / "other"):
        pass


@pytest.mark.parametrize(("options", "limit"), [({"width": 3}, 3), ({"width": 8, "per_host": 2}, 2)])
async def test_no_more_pages_are_open_at_once_than_all_hosts_and_each_of_them_may_have(site_server, options, limit):
    is_open, most = 0, 0

    async def counted(request):
        nonlocal is_open, most
        is_open += 1
        most = max(most, is_open)
        await asyncio.sleep(0.02)
        is_open -= 1
        return web.Response(text=article(request.path), content_type="text/html")

    paths = [f"/story-{number}" for number in range(12)]
    site = await site_server({"/": article("front", "".join(link(path, path) for path in paths)), **dict.fromkeys(paths, counted)})
    _, changes, _, _ = await crawl(site.url(), **options)
    assert (len(read(changes)), most) == (13, limit)


async def test_a_chain_of_redirects_without_end_is_left_as_a_trap(site_server):
    async def hop(request):
        number = int(request.path.rpartition("/")[2])
        return web.Response(status=302 if number < 200 else 404, headers={"Location": f"/hop/{number + 1}"})

    class Endless(dict):
        def get(self, path, default=None):
            return super().get(path) or (hop if path.startswith("/hop/") else default)

    site = await site_server(Endless({"/": article("front", link("/hop/0", "first"))}))
    assert (await crawl(site.url()))[0] == "finished"
    assert 10 < sum(path.startswith("/hop/") for path in site.requests) <= 50
