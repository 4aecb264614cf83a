"""The proxy as its clients meet it: browsers, our own HTTP client, and whoever else finds its port."""

import asyncio
import socket
import threading
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from sightread.render.errors import Retryable, Unusable
from sightread.render.network import egress
from sightread.render.network import proxy as proxies
from sightread.render.network.egress import LOCAL, PUBLIC, Boundary, Egress
from sightread.render.network.proxy import Proxy
from tests.internet import Internet, endless, public_url, victim


@asynccontextmanager
async def connected(proxy):
    """A raw connection to the proxy."""
    parts = urlsplit(proxy.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def ask(proxy, request: str) -> str:
    """Send a request as it stands, and return all that comes back until the proxy hangs up."""
    async with asyncio.timeout(60), connected(proxy) as (reader, writer):
        writer.write(request.encode("latin-1"))
        return (await reader.read()).decode("latin-1")


def where(url):
    parts = urlsplit(url)
    return parts.hostname, parts.port or 80


async def test_a_plain_request_reaches_the_server_as_if_there_were_no_proxy(site_server):
    seen = []

    async def note(request: web.Request) -> web.Response:
        seen.append((request.method, request.raw_path, sorted((name.lower(), value) for name, value in request.headers.items())))
        return web.Response(body=await request.read())

    site = await site_server({"/a b": note})
    async with Proxy(Boundary(LOCAL)) as proxy, aiohttp.ClientSession() as session:
        for through in (None, proxy.url):
            async with session.post(URL(site.url("/a%20b?c=%2F"), encoded=True), data=b"x" * 100_000, proxy=through) as answer:
                assert await answer.read() == b"x" * 100_000
    direct, proxied = seen
    assert proxied[:2] == direct[:2] == ("POST", "/a%20b?c=%2F")
    assert [field for field in proxied[2] if field[0] != "connection"] == direct[2]


async def test_requests_follow_each_other_on_one_connection(site_server):
    site, internet = await site_server({f"/{n}": f"<p>{n}" for n in range(5)}), Internet()
    async with Proxy(Boundary(internet.egress())) as proxy, aiohttp.ClientSession() as session:
        for n in range(5):
            async with session.get(public_url(site.root, f"/{n}"), proxy=proxy.url) as answer:
                assert await answer.text() == f"<p>{n}"
    assert len(internet.dialled) == 1


async def test_a_tunnel_passes_on_what_it_is_given_in_both_directions(site_server):
    async def echo(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        async for message in socket:
            await socket.send_bytes(message.data[::-1])
        return socket

    site = await site_server({"/": echo})
    host, port = where(site.root)
    async with Proxy(Boundary(LOCAL)) as proxy, connected(proxy) as (reader, writer):
        writer.write(f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 200 Connection established\r\n\r\n"
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"400" in await reader.readline()  # the server's own answer: this is no WebSocket
    async with Proxy(Boundary(LOCAL)) as proxy, aiohttp.ClientSession() as session:
        async with session.ws_connect(site.url(), proxy=proxy.url, max_msg_size=0) as talk:  # an upgrade of a plain request
            for size in (1, 70_000, 5_000_000):
                await talk.send_bytes(b"ab" * size)
                assert await talk.receive_bytes() == b"ba" * size
        assert proxy.received > 10_000_000


@pytest.mark.parametrize(
    ("first", "arrives"),
    [
        (b"\x16\x03\x01\x02\x00\x01", True),
        (b"GET /socket HTTP/1.1\r\n\r\n", True),
        (b"\x00\x01\x00\x00\x21\x12\xa4\x42", False),
        (b"\x00\x14\x00\x01", False),
        (b"SSH-2.0-x\r\n", False),
        (b"EHLO x\r\n", False),
        (b"GET", False),
    ],
    ids=["TLS", "a WebSocket", "STUN", "STUN over TCP", "SSH", "SMTP", "too little to know"],
)
@pytest.mark.parametrize("at_once", [True, False])
async def test_a_tunnel_carries_tls_and_web_sockets_alone(first, arrives, at_once):
    came = bytearray()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.extend(await reader.read(100))
        writer.write(b"taken")
        writer.close()

    async with await asyncio.start_server(take, "127.0.0.1", 0) as server, Proxy(Boundary(LOCAL)) as proxy:
        host, port = server.sockets[0].getsockname()
        async with connected(proxy) as (reader, writer):
            writer.write(f"CONNECT {host}:{port} HTTP/1.1\r\n\r\n".encode() + first[: len(first) * at_once])
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
            for byte in first[len(first) * at_once :]:
                writer.write(bytes([byte]))
                await asyncio.sleep(0.001)
            with suppress(TimeoutError, ConnectionError):
                async with asyncio.timeout(60 if arrives else 0.2):
                    assert await reader.read() == (b"taken" if arrives else b"")
        assert bytes(came)[:2] == (first[:2] if arrives else b"")


@pytest.mark.parametrize("request_line", ["CONNECT {host}:{port} HTTP/1.1", "GET http://{host}:{port}/ HTTP/1.1"])
async def test_a_private_address_gets_no_connection_and_the_reason_is_kept(request_line):
    async with victim() as here, Proxy(Boundary(PUBLIC)) as proxy:
        for port in (80, here.port):
            answer = await ask(proxy, f"{request_line.format(host='127.0.0.1', port=port)}\r\nHost: example.com\r\n\r\n")
            assert answer.startswith("HTTP/1.1 403 ")
            failure = proxy.failure("127.0.0.1", port, "http://front.example/")
            assert isinstance(failure, Unusable)
            assert str(failure).startswith("http://front.example/: it leads on: ")
    assert here.received == []


async def test_a_connection_that_fails_is_reported_with_its_reason_until_it_works(site_server, unused_tcp_port):
    async with Proxy(Boundary(LOCAL)) as proxy:
        assert (await ask(proxy, f"GET http://127.0.0.1:{unused_tcp_port}/ HTTP/1.1\r\n\r\n")).startswith("HTTP/1.1 502 ")
        failure = proxy.failure("127.0.0.1", unused_tcp_port, "http://a.example/")
        assert isinstance(failure, Retryable)
        assert str(failure) == "http://a.example/: connection refused: nothing listens there now"
        assert proxy.failure("127.0.0.1", 1, "http://a.example/") is None
        runner = web.ServerRunner(web.Server(lambda _: asyncio.sleep(0, web.Response())))
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", unused_tcp_port).start()
        assert "200 OK" in await ask(proxy, f"GET http://127.0.0.1:{unused_tcp_port}/ HTTP/1.0\r\n\r\n")
        assert proxy.failure("127.0.0.1", unused_tcp_port, "http://a.example/") is None
        await runner.cleanup()


@pytest.mark.parametrize(
    "request_text",
    [
        "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n",  # what a page would send that found the port
        "GET http://user@example.com/ HTTP/1.1\r\n\r\n",
        "GET ftp://example.com/ HTTP/1.1\r\n\r\n",
        "GET http://example.com:0/ HTTP/1.1\r\n\r\n",
        "GET http://example.com:99999/ HTTP/1.1\r\n\r\n",
        "GET http://example.com/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "GET http://example.com/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET http://example.com/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "GET http://example.com/ HTTP/1.1\r\nX : 1\r\n\r\n",
        "GET http://example.com/ HTTP/1.1\r\nX: 1\n\nY: 2\r\n\r\n",
        "GET http://example.com/ HTTP/1.1\r\n folded: 1\r\n\r\n",
        "CONNECT example.com HTTP/1.1\r\n\r\n",
        "CONNECT user@example.com:443 HTTP/1.1\r\n\r\n",
        "\x16\x03\x01 hello \r\n\r\n",
        "\r\n\r\n",
    ],
)
async def test_what_is_no_clear_request_is_refused_before_anything_is_dialled(request_text):
    internet = Internet()
    async with Proxy(Boundary(internet.egress())) as proxy:
        assert (await ask(proxy, request_text)).startswith("HTTP/1.1 400 ")
    assert (internet.resolved, internet.dialled) == ([], [])


async def test_a_head_without_end_is_refused():
    async with Proxy(Boundary(PUBLIC)) as proxy:
        assert (await ask(proxy, "GET http://example.com/ HTTP/1.1\r\nX: " + "a" * proxies.LIMITS.head_bytes)).startswith("HTTP/1.1 431 ")


async def test_the_host_field_follows_from_the_address(site_server):
    async def host(request: web.Request) -> web.Response:
        return web.Response(text=request.headers["Host"])

    site = await site_server({"/": host})
    async with Proxy(Boundary(LOCAL)) as proxy:
        answer = await ask(proxy, f"GET {site.root} HTTP/1.0\r\nHost: secret.internal\r\nProxy-Authorization: x\r\n\r\n")
    assert answer.endswith(f"\r\n\r\n{urlsplit(site.root).netloc}")


async def test_a_proxy_that_is_requested_itself_answers_once():
    async with Proxy(Boundary(LOCAL)) as proxy:
        assert (await ask(proxy, f"GET {proxy.url}/ HTTP/1.1\r\n\r\n")).startswith("HTTP/1.1 400 ")
    async with Proxy(Boundary(PUBLIC)) as proxy:
        assert (await ask(proxy, f"GET {proxy.url}/ HTTP/1.1\r\n\r\n")).startswith("HTTP/1.1 403 ")


async def test_a_connection_that_was_opened_for_one_server_leads_to_no_other(site_server):
    site, internet = await site_server({"/": "<p>Mine"}), Internet()
    async with victim() as here, Proxy(Boundary(internet.egress())) as proxy:
        first = f"GET {public_url(site.root)} HTTP/1.1\r\n\r\n"
        answer = await ask(proxy, f"{first}GET {here.root}/ HTTP/1.1\r\n\r\n")
        assert "Secret" not in answer
    assert here.received == []


async def test_more_bytes_than_are_allowed_end_the_connection_and_open_no_other(site_server):
    site = await site_server({"/": b"x" * 3_000_000})
    async with Proxy(Boundary(Egress(local=True, most_bytes=1_000_000))) as proxy:
        assert len(await ask(proxy, f"GET {site.root}/ HTTP/1.0\r\n\r\n")) < 2_000_000
        assert (await ask(proxy, f"GET {site.root}/ HTTP/1.0\r\n\r\n")).startswith("HTTP/1.1 502 ")
        failure = proxy.failure(*where(site.root), site.root)
        assert isinstance(failure, Unusable)
        assert "more than 1000000 bytes for one page" in str(failure)


async def test_a_client_that_does_not_read_holds_the_server_back(site_server):
    site = await site_server({"/": endless(b"x" * 65_536)})
    async with Proxy(Boundary(LOCAL)) as proxy, connected(proxy) as (_, writer):
        writer.write(f"GET {site.root}/ HTTP/1.1\r\n\r\n".encode())
        before = -1
        while proxy.received > before or not before:
            before = proxy.received
            await asyncio.sleep(0.2)
        assert before < 50_000_000  # what the sockets' own buffers hold


async def test_a_request_without_an_answer_is_pending_for_its_site_alone(site_server):
    arrived = asyncio.Event()

    async def stuck(_: web.Request) -> web.Response:
        arrived.set()
        await asyncio.sleep(60)
        return web.Response()

    site, internet = await site_server({"/": stuck}), Internet()
    url = public_url(site.root)
    async with Proxy(Boundary(internet.egress())) as proxy, connected(proxy) as (_, writer):
        writer.write(f"GET {url} HTTP/1.1\r\n\r\n".encode())
        await arrived.wait()
        host = urlsplit(url).hostname
        names = {host: True, f"www.{host}": True, "other.example": False, "other.test": False}
        assert {name: proxy.has_pending_request(name, 60) for name in names} == names
        assert not proxy.has_pending_request(host, 0)
        proxy.cut()
        await asyncio.sleep(0.05)
        assert not proxy.has_pending_request(host, 60)


async def test_too_many_connections_are_hung_up_on(monkeypatch):
    monkeypatch.setattr(proxies, "LIMITS", proxies.ProxyLimits(connections=2))
    async with Proxy(Boundary(PUBLIC)) as proxy, connected(proxy), connected(proxy):
        await asyncio.sleep(0.05)
        async with connected(proxy) as (reader, _):
            assert await reader.read() == b""


async def test_everything_ends_with_the_block(site_server):
    arrived = asyncio.Event()

    async def stuck(_: web.Request) -> web.Response:
        arrived.set()
        await asyncio.sleep(60)
        return web.Response()

    async def never(_):
        await asyncio.Event().wait()
        return ()

    site = await site_server({"/": stuck})
    async with (
        asyncio.timeout(60),
        Proxy(Boundary(Egress(local=True, resolve=never))) as proxy,
        connected(proxy) as (reader, writer),
        connected(proxy) as (other, asking),
    ):
        writer.write(f"GET {site.root}/ HTTP/1.1\r\n\r\n".encode())
        asking.write(b"CONNECT silent.example:443 HTTP/1.1\r\n\r\n")
        await arrived.wait()
        await proxy.__aexit__()
        assert (await reader.read(), await other.read()) == (b"", b"")
    assert [task for task in asyncio.all_tasks() if "_Client" in str(task)] == []


async def test_names_without_an_answer_hold_up_their_own_page_alone(monkeypatch):
    asked, silent = [], threading.Event()

    def getaddrinfo(host, *_, **__):  # as the system's resolver: it blocks its thread
        asked.append(host)
        if host.startswith("silent"):
            silent.wait()
        raise socket.gaierror(socket.EAI_AGAIN, "as the test requires")

    async def status(proxy, host):
        async with connected(proxy) as (reader, writer):
            writer.write(f"CONNECT {host}:443 HTTP/1.1\r\n\r\n".encode())
            return await reader.readline()

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(egress, "LIMITS", replace(egress.LIMITS, resolve=3.0, quick_failure=0.3))
    boundary, loop = Boundary(PUBLIC), asyncio.get_running_loop()
    try:
        async with Proxy(boundary) as hostile, Proxy(boundary) as other, asyncio.timeout(60):
            waiting = [asyncio.create_task(status(hostile, f"silent-{i}.example")) for i in range(200)]
            while len(asked) < egress.LIMITS.lookups_of_page:  # noqa: ASYNC110  (a thread sends no event)
                await asyncio.sleep(0.01)
            assert b" 502 " in await status(other, "unknown.example")
            assert not any(task.done() for task in waiting)
            assert {line.split()[1] for line in await asyncio.gather(*waiting)} == {b"502"}
            began = loop.time()
            await status(other, "silent-0.example")  # it is known to have no answer
            assert loop.time() - began < egress.LIMITS.resolve
            assert len([host for host in asked if host.startswith("silent")]) == egress.LIMITS.lookups_of_page
            silent.set()
            await asyncio.sleep(0.2)
            await status(hostile, "silent-0.example")
            assert asked.count("silent-0.example") == 1  # the failure, which took long, is kept
            await status(hostile, "silent-199.example")
            assert asked.count("silent-199.example") == 1  # the page has places again
    finally:
        silent.set()
