"""The typed client, with a real service."""

import asyncio
import re
import time

import pytest
import pytest_asyncio
from aiohttp import web

import sightread
from sightread.client.async_client import RetryPolicy
from sightread.reading.reader import Reader
from sightread.server.access.gate import GatePolicy, SingleToken
from sightread.server.http import serve_on_loopback
from sightread.server.process.front import app_of
from sightread.server.service import Service
from tests.internet import Internet, public_url
from tests.sightread.server.jobs.test_jobs import LONG, story

SOON = RetryPolicy(tries=3, first_pause=0.01, longest_pause=0.05)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def address(tmp_path_factory):
    reader = Reader("boilerpipe", home=tmp_path_factory.mktemp("home"), tabs=2, egress=Internet().egress())
    async with reader, serve_on_loopback(app_of(Service(reader, gate=GatePolicy(SingleToken("a-token-of-the-tests"))))) as url:
        yield url


@pytest_asyncio.fixture(loop_scope="session")
async def client(address):
    async with sightread.AsyncClient(address, token="a-token-of-the-tests", retry=SOON) as opened:
        yield opened


async def test_pages_are_extracted_rendered_and_explained(client, site_server):
    site = await site_server({"/a": story(1)})
    url = public_url(site.root, path="/a")
    page = await client.extract(url, outputs=("links", "screenshot", "response", "page_html", "html"))
    assert (page.metadata.title, page.page.response.status, page.page.screenshot.tiles[0][:4]) == ("Ferry 1", 200, b"RIFF")
    assert "Number 1." in page.markdown and page.page.html.startswith("<!DOCTYPE html>") and page.html
    assert "ninety years" in (await client.extract_html(story(2), "https://courier.example/2")).text
    chunks = (await client.extract(url, outputs=("chunks",), chunk_tokens=50, chunk_overlap=20)).chunks
    assert len(chunks) > 1 and all(page.markdown[each.start : each.end] == each.text and each.url == url for each in chunks)
    with pytest.raises(sightread.Rejected, match="chunk_overlap is 90, more than half of a chunk: give 50 or less"):
        await client.extract(url, chunk_tokens=100, chunk_overlap=90)
    rendered = await client.render(url)
    assert rendered.blocks[0].text == "Ferry 1" and rendered.blocks[0].box
    explained = await client.explain(url, model="global", evidence=3)
    assert {len(block.evidence) for block in explained.blocks} == {3}
    assert all(block.kept and block.reason for block in explained.blocks)


async def test_a_wrong_option_and_one_url_for_many_are_refused_before_a_request(client):
    with pytest.raises(TypeError, match="'outptus'"):
        await client.extract("https://courier.example/", outptus=("html",))
    with pytest.raises(sightread.Rejected, match="give a list of URLs; extract reads one"):
        await anext(client.extract_many("https://courier.example/"))


async def test_a_job_is_cancelled(client, site_server):
    arrived = asyncio.Event()

    async def never(_):
        arrived.set()
        await asyncio.sleep(60)

    site = await site_server({"/": never})
    job = await client.start_batch([public_url(site.root)])
    await arrived.wait()
    assert (await job.cancel()).state == "cancelled"
    assert (await (await client.job(job.id)).wait()).state == "cancelled"
    assert [outcome async for outcome in job.results()] == []


async def test_errors_are_those_of_the_reader(client, address):
    with pytest.raises(sightread.Private, match="no public address"):
        await client.extract("http://127.0.0.1/secret")
    with pytest.raises(sightread.UnknownModel, match="no model is called 'gpt'"):
        await client.extract_html(story(1), model="gpt")
    with pytest.raises(sightread.Rejected, match="does not allow the action click"):
        await client.extract("http://a.example/", actions=({"type": "click", "selector": "a"},))
    with pytest.raises(sightread.Rejected, match="no job with this id"):
        await client.job("none")
    async with sightread.AsyncClient(address, token="another-token-16") as stranger:
        with pytest.raises(sightread.Rejected, match="the token is not valid: it is unknown, expired or revoked"):
            await stranger.jobs()
    with pytest.raises(sightread.Rejected, match="the client is not open"):
        await sightread.AsyncClient().jobs()


@pytest.mark.parametrize(
    ("url", "guess"),
    [
        ("localhost:8412", "http://localhost:8412"),
        ("foo", "http://foo"),
        ("", "http://127.0.0.1:8412"),
        ("http://", "http://127.0.0.1:8412"),
        ("ftp://read.example", "http://127.0.0.1:8412"),
        ("http://read.example:port", "http://127.0.0.1:8412"),
        ("http://read.example/?token=1", "http://127.0.0.1:8412"),
        (8412, "http://127.0.0.1:8412"),
    ],
)
@pytest.mark.parametrize("kind", [sightread.Client, sightread.AsyncClient])
def test_what_is_no_url_of_a_service_is_refused_at_once(kind, url, guess):
    with pytest.raises(sightread.Rejected, match=f"is not the URL of a service: give one such as {re.escape(guess)}$"):
        kind(url)


async def test_a_busy_service_is_asked_again_and_a_gone_one_is_reported(site_server):
    requested = []

    async def busy(_):
        requested.append(time.monotonic())
        if len(requested) < 3:
            return web.json_response(
                {"error": {"kind": "Service Unavailable", "message": "busy"}}, status=503, headers={"Retry-After": "1"}
            )
        return web.json_response({"within": "/", "links": [], "spare": [], "refused": []})

    site = await site_server({"/api/v1/map": busy})
    async with sightread.AsyncClient(site.root, retry=SOON) as client:
        assert (await client.map("http://a.example/")).within == "/"
        assert len(requested) == 3
    async with sightread.AsyncClient("http://127.0.0.1:1", retry=SOON) as client:
        with pytest.raises(sightread.Retryable, match="is the service running"):
            await client.map("http://a.example/")


async def test_the_synchronous_client_does_the_same(address, site_server):
    site = await site_server({"/a": story(1)})
    url = public_url(site.root, path="/a")

    def use():
        with sightread.Client(address, token="a-token-of-the-tests") as client:
            text = client.extract(url).text
            first = next(iter(client.extract_many([url])))
            job = client.start_batch([url])
            return (
                text,
                first.result.text,
                [outcome.result.text for outcome in job.results()],
                job.wait().state,
                client.jobs()[0].id == job.id,
            )

    text, streamed, stored, state, is_listed = await asyncio.to_thread(use)
    assert LONG.strip() in text
    assert (streamed, stored, state, is_listed) == (text, [text], "done", True)
    with pytest.raises(sightread.Rejected, match="the client is not open"):
        sightread.Client().jobs()
