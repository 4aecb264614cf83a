"""Webhooks: signed, tried again, in order, and never to a private address."""

import asyncio
import hashlib
import hmac
from dataclasses import replace
from itertools import chain, repeat

import pytest
from aiohttp import web

from sightread.render.errors import Private, Rejected
from sightread.render.network import egress
from sightread.server.jobs import webhooks
from tests.internet import Internet, public_url, victim

MOVES = (301, 302, 303, 307, 308)


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
            sender.deliver(public_url(site.root, path="/hook"), body, {"X-Kind": "page", "X-Signature": webhooks.signature(body, "secret")})
        await asyncio.wait_for(done.wait(), 60)
    assert [body for body, _ in arrived] == [b'{"n":1}', b'{"n":1}', b'{"n":2}']
    for body, headers in arrived:
        assert headers["X-Signature"] == "sha256=" + hmac.new(b"secret", body, hashlib.sha256).hexdigest()
        assert (headers["Content-Type"], headers["X-Kind"]) == ("application/json", "page")


async def test_no_webhook_reaches_a_private_address_by_itself_or_by_a_redirect(site_server, monkeypatch, caplog):
    monkeypatch.setattr(webhooks, "PAUSES", ())
    monkeypatch.setattr(egress, "LIMITS", replace(egress.LIMITS, keep_addresses=0.0))
    internet = Internet()
    async with victim() as prey, webhooks.Webhooks(internet.egress()) as sender:
        targets = (prey.root, f"http://localhost:{prey.port}/", f"//127.0.0.1:{prey.port}/", "http://rebound-1.example/", "/further")
        moves = {f"/{status}/{row}": (status, {"Location": target}, "") for status in MOVES for row, target in enumerate(targets)}
        site = await site_server(moves | {"/refresh": (200, {"Refresh": f"0; url={prey.root}"}, ""), "/further": "never asked for"})
        public = await internet.resolve(f"site-{site.root.rpartition(':')[2]}.example")
        rebound = [f"rebound-{number}.example" for number in range(1, 5)]
        for number, name in enumerate(rebound, 1):  # public when it is checked, or also when it is checked again, then private
            internet.rebound[name] = chain(public * number, repeat("127.0.0.1"))
        for url in (f"{prey.root}/", "http://localhost/", "http://[::1]/", "http://169.254.169.254/"):
            with pytest.raises(Private):
                await sender.check(url)
        with pytest.raises(Rejected):
            await sender.check("file:///etc/passwd")
        for name in rebound:
            await sender.check(f"http://{name}/")
        for url in (
            *(f"{prey.root}/", "http://a\r\nX: y/", *(f"http://{name}:{port}/" for name in rebound for port in (80, 443))),
            *(public_url(site.root, path=path) for path in (*moves, "/refresh")),
        ):
            sender.deliver(url, b"{}")
        while sender.under_way:  # noqa: ASYNC110  (a delivery that is refused sends no event)
            await asyncio.sleep(0.01)
        assert prey.received == []
        assert {address[:4] for address, _ in internet.dialled} == {"9.9."}
    assert set(site.requests) == {"/", *moves, "/refresh"}
    assert all("\n" not in record.getMessage() for record in caplog.records)


async def test_a_service_that_stops_waits_for_no_receiver(site_server, monkeypatch):
    monkeypatch.setattr(webhooks, "PAUSES", (1000.0,))
    tried = asyncio.Event()

    async def refuse(_):
        tried.set()
        return web.Response(status=503)

    site = await site_server({"/hook": refuse})
    async with asyncio.timeout(60), webhooks.Webhooks(Internet().egress()) as sender:
        sender.deliver(public_url(site.root, path="/hook"), b"{}")
        await tried.wait()
