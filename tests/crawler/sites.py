"""Small sites to crawl, as `site_server` serves them: relative links, so that the port does not matter."""

import asyncio
import sys
import time
from collections.abc import Mapping
from typing import NamedTuple

import aiohttp
from aiohttp import web

from sightread.crawler.crawl import CrawlOptions, crawl
from sightread.render.errors import Retryable
from sightread.render.network.egress import LOCAL
from sightread.render.network.http import status_failure, type_failure
from sightread.render.page import Page
from sightread.render.static.parse import read_html
from sightread.render.visit.picture import Picture

FAST = {"backoff": 0.001}


def article(name: str, links: str = "") -> str:
    body = "".join(
        f"<p>Paragraph {number} of {name} tells what happened on that day, and who said what to whom about it.</p>" for number in range(3)
    )
    return f"<title>{name}</title><meta name=description content='All about {name}'>{body}{links}"


def link(path: str, text: str) -> str:
    return f'<a href="{path}">{text}</a> '


def story(number: int) -> str:
    return f"/2024/05/story-number-{number}-of-the-fair"


def blog(stories: int) -> dict[str, object]:
    """A front page that links every story; each story links the front page, the next story, a tag and the log-in."""
    teasers = "".join(f"<li>{link(story(n), f'What happened on day {n} of the fair')}</li>" for n in range(stories))
    links = link("/", "Home") + link("/tag/fair", "fair") + link("/login", "Log in")
    site: dict[str, object] = {
        "/": f"<title>Blog</title><ul>{teasers}</ul>{links}",
        "/tag/fair": f"<p>Stories of the fair</p><ul>{teasers}</ul>",
    }
    site.update({story(n): article(f"story {n}", links + link(story((n + 1) % stories), "Next")) for n in range(stories)})
    return site


def town() -> Mapping[str, object]:
    """A blog with all that goes wrong in one: errors, twins, redirects, a file, a page elsewhere, a forbidden and a flaky one."""
    tries = {"flaky": 0}

    async def flaky(request: web.Request) -> web.Response:
        tries["flaky"] += 1
        if tries["flaky"] % 3:
            return web.Response(status=503)
        return web.Response(text=article("flaky"), content_type="text/html")

    async def slow(request: web.Request) -> web.Response:
        await asyncio.sleep(0.03)
        return web.Response(text=article("slow"), content_type="text/html")

    site = blog(9)
    redirected = {
        "/2024/06/gone-with-the-wind-and-back": (404, {}, "<p>Not found"),
        "/2024/06/down-for-a-while-and-longer": (503, {}, ""),
        "/2024/06/same-text-as-story-number-one": site[story(1)],
        "/2024/06/moved-to-story-number-two": (301, {"Location": story(2)}, ""),
        "/2024/06/minutes-of-the-council-as-pdf": (200, {"Content-Type": "application/pdf"}, b"%PDF-1.7"),
        "/2024/06/moved-to-another-site-for-good": (302, {"Location": "http://localhost:1/"}, ""),
        "/2024/06/private-letters-of-the-mayor": article("private"),
        "/2024/06/empty-page-without-a-word": "<title>Empty</title>",
        "/2024/06/flaky-page-of-the-harbour-master": flaky,
        "/2024/06/slow-page-of-the-harbour-master": slow,
    }
    links = "".join(link(path, "What else happened on this day in June") for path in redirected)
    front = f"{site['/']}{links}{link('/2024/06/brochure.pdf', 'Our new brochure for visitors of the fair')}"
    return {**site, **redirected, "/": front, "/robots.txt": "User-agent: *\nDisallow: /2024/06/private"}


class Rendered(NamedTuple):
    page: Page
    picture: Picture | None
    source: str = ""


async def render(url: str) -> Rendered:
    """Fetch the page and read its blocks from the HTML; its picture is its address."""
    try:
        async with aiohttp.ClientSession() as session, session.get(url) as answer:
            failure = status_failure(url, answer.status) or type_failure(url, answer.headers["Content-Type"])
            if failure:
                raise failure
            page = read_html(await answer.read(), str(answer.url))
            return Rendered(page, Picture((url.encode(),)))
    except aiohttp.ClientError as error:
        raise Retryable(f"{url}: {error}") from error


if __name__ == "__main__":
    start_url, folder, pages = sys.argv[1:]
    asyncio.run(crawl(start_url, folder, render, CrawlOptions(pages=int(pages), backoff=0.01, egress=LOCAL)))


async def longest_hold(work: asyncio.Future[object]) -> float:
    """Wait until the work is done; return the longest processor time, in seconds, that the loop's thread took between two rounds."""
    holds, last = [0.0], time.thread_time()
    while not work.done():
        await asyncio.sleep(0.005)
        last, hold = time.thread_time(), time.thread_time() - last
        holds.append(hold)
    return max(holds)
