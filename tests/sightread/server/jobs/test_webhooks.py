"""Webhooks: signed, tried again, in order, and never to a private address."""

import asyncio
import hashlib
import hmac

import pytest
from aiohttp import web

from sightread.render.errors import Private, Rejected
from sightread.server.jobs import webhooks
from tests.internet import Internet, public_url, victim


async def test_a_webhook_is_signed_tried_again_and_arrives_in_order(site_server, monkeypatch):
    monkeypatch.setattr(webhooks, "PAUSES", (0.01, 0.01))
    arrived, done = [], asyncio.Event()

    async def receive(request):
        arrived.append((await request.read(), dict(request.headers)))
        if len(arrived) == 3:
            done.set()
        return web.Response(status=503 if len(arrived) == 1 else 204)

    site = await site_server({"/hook": receive})
    async with webhooks.Webhooks(Internet().egress()) as sender:
        for body in (b'{"n":1}', b'{"n":2}'):
            sender.deliver(public_url(site.root, path="/hook"), body, "secret", {"X-Kind": "page"}, header="X-Signature")
        await asyncio.wait_for(done.wait(), 10)
    assert [body for body, _ in arrived] == [b'{"n":1}', b'{"n":1}', b'{"n":2}']
    for body, headers in arrived:
        assert headers["X-Signature"] == "sha256=" + hmac.new(b"secret", body, hashlib.sha256).hexdigest()
        assert (headers["Content-Type"], headers["X-Kind"]) == ("application/json", "page")


async def test_no_webhook_reaches_a_private_address_by_itself_or_by_a_redirect(site_server, monkeypatch, caplog):
    monkeypatch.setattr(webhooks, "PAUSES", ())
    async with victim() as prey, webhooks.Webhooks(Internet().egress()) as sender:
        site = await site_server({"/moved": (302, {"Location": prey.root}, "")})
        for url in (f"{prey.root}/", "http://localhost/", "http://[::1]/", "http://169.254.169.254/"):
            with pytest.raises(Private):
                await sender.check(url)
        with pytest.raises(Rejected):
            await sender.check("file:///etc/passwd")
        for url in (f"{prey.root}/", public_url(site.root, path="/moved"), "http://a\r\nX: y/"):
            sender.deliver(url, b"{}")
        while sender.under_way:  # noqa: ASYNC110  (a delivery that is refused sends no event)
            await asyncio.sleep(0.01)
        assert prey.received == []
    assert all("\n" not in record.getMessage() for record in caplog.records)
