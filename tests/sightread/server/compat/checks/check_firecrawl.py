"""The official client, unchanged, in both versions of its API, synchronous and asynchronous, against this service."""

import asyncio
import os
import time

import pytest
from firecrawl import AsyncFirecrawl, Firecrawl
from firecrawl.v1 import AsyncV1FirecrawlApp, V1FirecrawlApp
from firecrawl.v1.client import V1ScrapeOptions
from firecrawl.v2.types import PaginationConfig, ScrapeOptions, WaitAction
from firecrawl.v2.utils.error_handler import BadRequestError, FirecrawlError, RequestTimeoutError, UnauthorizedError
from requests import HTTPError

SERVICE, SITE, TOKEN = (os.environ[name] for name in ("SERVICE", "SITE", "TOKEN"))
STORIES = {f"{SITE}/story/{number}" for number in range(1, 5)}
pytestmark = pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecatedSince20")  # of the client's first version
SOON = 0.1
"""Seconds between two looks at a job."""


@pytest.fixture(scope="module")
def client():
    return Firecrawl(api_key=TOKEN, api_url=SERVICE)


@pytest.fixture(scope="module")
def first():
    return V1FirecrawlApp(api_key=TOKEN, api_url=SERVICE)


def ended(look):
    """Return a job's state once it has ended."""
    for _ in range(300):
        if (state := look()).status != "scraping":
            return state
        time.sleep(SOON)
    raise AssertionError("the job does not end")


def test_scrape_gives_the_formats_that_were_requested(client):
    found = client.scrape(
        f"{SITE}/story/1", formats=["markdown", "html", "rawHtml", "links", "images", {"type": "screenshot", "fullPage": True}]
    )
    assert found.markdown.startswith("# Story 1\n\n") and "Imprint" not in found.markdown
    assert found.html.startswith("<article") and "<nav" in found.raw_html
    assert f"{SITE}/imprint" in found.links and found.images == [f"{SITE}/picture.png"]
    assert found.screenshot.startswith("data:image/webp;base64,UklGR")
    assert (found.metadata.title, found.metadata.status_code, found.metadata.language) == ("Story 1", 200, "en")
    assert found.metadata.content_type == "text/html; charset=utf-8"
    assert found.metadata.source_url == found.metadata.url == f"{SITE}/story/1"
    assert found.warning is None


def test_options_of_a_scrape(client):
    found = client.scrape(
        f"{SITE}/story/1",
        formats=["markdown", "branding"],
        only_main_content=False,
        exclude_tags=["h1"],
        wait_for=50,
        timeout=20_000,
        mobile=True,
        headers={"X-Reader": "me", "User-Agent": "mine"},
        actions=[
            WaitAction(milliseconds=10),
            {"type": "scroll", "direction": "down"},
            {"type": "screenshot"},
            {"type": "executeJavascript", "script": "1"},
        ],
        proxy="stealth",
        location={"country": "AT", "languages": ["de-AT"]},
    )
    assert "Imprint" in found.markdown and "# Story 1" not in found.markdown and "language de-AT" in found.markdown
    assert len(found.actions["screenshots"]) == 1
    for part in ("'branding' is left out", "'proxy' is ignored", "scripts of callers are never run", "'User-Agent' is ignored", "country"):
        assert part in found.warning, found.warning
    assert client.scrape(f"{SITE}/story/1", include_tags=[".lead"]).markdown == "The lead of story 1."


def test_what_cannot_be_done_is_said(client):
    with pytest.raises(BadRequestError, match="format 'summary' needs a language model"):
        client.scrape(f"{SITE}/story/1", formats=["summary"])
    with pytest.raises(BadRequestError, match="does not allow the action click"):
        client.scrape(f"{SITE}/story/1", actions=[{"type": "click", "selector": "a"}])
    with pytest.raises(FirecrawlError, match="HTTP status 404") as failed:
        client.scrape(f"{SITE}/gone")
    assert failed.value.status_code == 422
    with pytest.raises(BadRequestError, match=r"127\.0\.0\.1"):
        client.scrape("http://127.0.0.1:8412/")
    with pytest.raises(RequestTimeoutError, match="not read within 1 s") as late:
        client.scrape(f"{SITE}/slow", timeout=1000)
    assert late.value.status_code == 408
    with pytest.raises(UnauthorizedError, match="the token is not valid"):
        Firecrawl(api_key="wrong", api_url=SERVICE).scrape(f"{SITE}/story/1")


def test_map(client):
    found = client.map(SITE, search="story 3", limit=4)
    assert found.links[0].url == f"{SITE}/story/3" and len(found.links) == 4
    assert found.links[0].title == "Story 3 of the paper, about the ferry"
    assert {link.url for link in client.map(SITE).links} >= STORIES
    (page,) = [link for link in client.map(f"{SITE}/story/1").links if link.url == f"{SITE}/story/1"]
    assert (page.title, page.description) == ("Story 1", "All the news of the estuary")


def test_a_crawl_with_pages_of_results_and_errors(client):
    job = client.crawl(
        SITE, limit=20, exclude_paths=["imprint"], scrape_options=ScrapeOptions(formats=["markdown", "links"]), poll_interval=SOON
    )
    assert (job.status, job.next) == ("completed", None)
    assert {page.metadata.source_url for page in job.data} >= STORIES and len(job.data) == job.completed == len(STORIES) + 1
    assert all(page.markdown and page.links and page.metadata.content_type.startswith("text/html") for page in job.data)
    page = client.get_crawl_status(job.id, PaginationConfig(auto_paginate=False))
    assert len(page.data) == 2 and page.next.startswith(f"{SERVICE}/v2/crawl/{job.id}?skip=")
    assert len(client.get_crawl_status_page(page.next).data) == 2
    errors = client.get_crawl_errors(job.id)
    assert [error.url for error in errors.errors] == [f"{SITE}/gone"] and "404" in errors.errors[0].error
    assert errors.robots_blocked == [f"{SITE}/secret"]
    assert client.cancel_crawl(job.id) is False  # it has ended


def test_a_crawl_is_cancelled(client):
    job = client.start_crawl(f"{SITE}/slow", limit=5)
    assert job.id in [active.id for active in client.get_active_crawls().crawls]
    assert client.cancel_crawl(job.id) is True
    assert client.get_crawl_status(job.id).status == "cancelled"
    with pytest.raises(FirecrawlError, match="you have no job with this id"):
        client.get_crawl_status("00000000-0000-0000-0000-000000000000")


def test_a_batch(client):
    urls = [f"{SITE}/story/{number}" for number in (1, 2, 3)]
    started = client.start_batch_scrape(
        [*urls, f"{SITE}/gone", "http:///"], formats=["markdown"], idempotency_key="one", ignore_invalid_urls=True
    )
    assert started.invalid_urls == ["http:///"]
    job = ended(lambda: client.get_batch_scrape_status(started.id))
    assert job.status == "completed" and {page.metadata.source_url for page in job.data} == set(urls)
    assert [error.url for error in client.get_batch_scrape_errors(started.id).errors] == [f"{SITE}/gone"]
    again = client.start_batch_scrape(
        [*urls, f"{SITE}/gone", "http:///"], formats=["markdown"], idempotency_key="one", ignore_invalid_urls=True
    )
    assert again.id == started.id


def test_the_asynchronous_client():
    async def use():
        client = AsyncFirecrawl(api_key=TOKEN, api_url=SERVICE)
        page, links, job = await asyncio.gather(
            client.scrape(f"{SITE}/story/2"), client.map(SITE), client.batch_scrape(sorted(STORIES), poll_interval=SOON)
        )
        assert page.markdown.startswith("# Story 2") and {link.url for link in links.links} >= STORIES
        assert {each.metadata.source_url for each in job.data} == STORIES

    asyncio.run(use())


def test_the_first_version_of_the_api(first):
    page = first.scrape_url(f"{SITE}/story/1", formats=["markdown", "rawHtml", "links", "screenshot@fullPage"])
    assert page.markdown.startswith("# Story 1") and page.rawHtml and page.links and page.screenshot.startswith("data:image/webp")
    assert (page.metadata["title"], page.metadata["statusCode"]) == ("Story 1", 200)
    assert set(first.map_url(SITE).links) >= STORIES
    crawl = first.async_crawl_url(SITE, limit=3, scrape_options=V1ScrapeOptions(formats=["markdown"]), ignore_sitemap=True)
    assert ended(lambda: first.check_crawl_status(crawl.id)).completed == 3
    assert len(first.check_crawl_status(crawl.id).data) == 3  # two answers
    batch = first.batch_scrape_urls([f"{SITE}/story/1", f"{SITE}/gone"], formats=["markdown"], poll_interval=1)
    assert (batch.status, len(batch.data)) == ("completed", 1)
    slow = first.async_crawl_url(f"{SITE}/slow", limit=3)
    assert first.cancel_crawl(slow.id) == {"success": True, "status": "cancelled"}
    assert first.check_crawl_errors(crawl.id).errors == []
    with pytest.raises(HTTPError, match="format 'json' needs a language model"):
        first.scrape_url(f"{SITE}/story/1", formats=["json"], json_options={"prompt": "title"})


def test_the_first_version_asynchronously():
    async def use():
        client = AsyncV1FirecrawlApp(api_key=TOKEN, api_url=SERVICE)
        page, links = await asyncio.gather(client.scrape_url(f"{SITE}/story/2"), client.map_url(SITE))
        assert page.markdown.startswith("# Story 2") and set(links.links) >= STORIES

    asyncio.run(use())
