"""Webhooks of the Firecrawl API: their events in order, signed; addresses that are refused."""

import asyncio
import hashlib
import hmac
import json

import aiohttp
import pytest
from aiohttp import web

from tests.internet import public_url
from tests.sightread.server.compat.conftest import SECRET, TOKEN


@pytest.fixture
def received():
    """What the receiver got, in order: headers and body."""
    return asyncio.Queue()


@pytest.fixture
async def receiver(site_server, received):
    async def receive(request: web.Request) -> web.Response:
        received.put_nowait((dict(request.headers), await request.read()))
        return web.Response()

    return public_url((await site_server({"/hook": receive})).root, path="/hook")


async def post(url, body):
    async with (
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {TOKEN}"}) as session,
        session.post(url, json=body) as answer,
    ):
        return answer.status, await answer.json()


async def test_a_batch_sends_its_events_signed_and_in_order(served, receiver, received):
    webhook = {"url": receiver, "headers": {"X-Own": "mine"}, "metadata": {"order": 7}, "events": ["started", "page", "completed"]}
    body = {"urls": [f"{served.site}/story/1", f"{served.site}/gone"], "webhook": webhook}
    status, job = await post(f"{served.url}/v2/batch/scrape", body)
    assert status == 200
    async with asyncio.timeout(60):
        deliveries = [await received.get() for _ in range(4)]
    for headers, raw in deliveries:
        signature = hmac.new(SECRET.encode(), raw, hashlib.sha256).hexdigest()
        assert headers["X-Firecrawl-Signature"] == f"sha256={signature}" and headers["X-Own"] == "mine"
    events = [json.loads(raw) for _, raw in deliveries]
    assert [event["type"] for event in events] == ["batch_scrape.started", *["batch_scrape.page"] * 2, "batch_scrape.completed"]
    assert all(event["id"] == job["id"] and event["metadata"] == {"order": 7} for event in events)
    assert len({event["webhookId"] for event in events}) == 4
    pages = {event["success"]: event for event in events[1:3]}
    assert "The lead of story 1." in pages[True]["data"][0]["markdown"]
    assert pages[True]["data"][0]["metadata"]["sourceURL"] == f"{served.site}/story/1"
    assert "404" in pages[False]["error"] and pages[False]["data"] == []


async def test_only_the_wanted_events_are_sent_and_a_failed_crawl_is_one(served, receiver, received):
    body = {"url": f"{served.site}/nowhere", "limit": 2, "webhook": {"url": receiver, "events": ["failed", "completed"]}}
    assert (await post(f"{served.url}/v1/crawl", body))[0] == 200
    async with asyncio.timeout(60):
        event = json.loads((await received.get())[1])
    assert (event["type"], event["success"], event["data"]) == ("crawl.failed", False, []) and event["error"]
    assert received.empty()


@pytest.mark.parametrize(
    ("webhook", "message"),
    [
        ("http://127.0.0.1:8412/hook", "127.0.0.1"),
        ("http://10.0.0.1/hook", "10.0.0.1"),
        ("file:///etc/passwd", "http"),
        ({"url": "http://9.9.9.9/", "headers": {"X-A": "a\r\nX-B: b"}}, "line break"),
        ({"url": "http://9.9.9.9/", "headers": {"Host": "inside"}}, "Host"),
        ({"url": "http://9.9.9.9/", "metadata": {"a": "b" * 20_000}}, "10000 bytes"),
    ],
)
async def test_a_webhook_that_would_not_be_sent_is_refused_before_the_job(served, webhook, message):
    status, answer = await post(f"{served.url}/v2/batch/scrape", {"urls": [f"{served.site}/story/1"], "webhook": webhook})
    assert status == 400 and message in answer["error"] and answer["success"] is False
