"""Rendering without a browser, and how long one piece of work keeps an event loop from everything else."""

import asyncio
import sys
import time
from typing import NamedTuple

import aiohttp

from sightread.crawler.crawl import CrawlOptions, crawl
from sightread.render.errors import Retryable
from sightread.render.network.egress import LOCAL
from sightread.render.network.http import status_failure, type_failure
from sightread.render.page import Page
from sightread.render.static.parse import read_html
from sightread.render.visit.picture import Picture


class Rendered(NamedTuple):
    page: Page
    picture: Picture | None


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
