"""An upstream proxy: everything goes through it, its refusals are told, and what is private stays refused."""

import asyncio
from base64 import b64encode
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

import pytest
from aiohttp import web

from sightread.crawler.fetch import Fetcher
from sightread.render.browser.browser import Browser
from sightread.render.errors import Private, Rejected, Retryable, Unusable
from sightread.render.network.egress import LOCAL, PUBLIC, Boundary, Egress, Upstream, read_upstream
from tests.internet import DNS_FAILURES, Internet, fail_names

PASSWORD = "pa:ss word"


@dataclass
class Proxy:
    """A proxy of the test's own: it connects every name to the one site that it knows, or says what it is told to say."""

    target: int = 0
    answer: bytes = b""
    requested: list[str] = field(default_factory=list)
    port: int = 0

    def named(self, kind="http", user="", password=""):
        return Upstream(kind, "127.0.0.1", self.port, user, password)


@asynccontextmanager
async def listening(proxy, serve):
    tasks = set()

    async def connected(reader, writer):
        tasks.add(asyncio.current_task())
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await serve(proxy, reader, writer)
                await writer.drain()
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async with await asyncio.start_server(connected, "127.0.0.1", 0) as server:
        proxy.port = server.sockets[0].getsockname()[1]
        yield proxy
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # transports let go of their sockets in the loop's next round


async def join(proxy, reader, writer):
    """Pass bytes to and fro until either side ends."""
    there, back = await asyncio.open_connection("127.0.0.1", proxy.target)

    async def copy(source, sink):
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()

    copies = [asyncio.ensure_future(copy(reader, back)), asyncio.ensure_future(copy(there, writer))]
    try:
        await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in copies:
            task.cancel()
        await asyncio.gather(*copies, return_exceptions=True)
        back.close()
        with suppress(ConnectionError):
            await back.wait_closed()


async def http_proxy(proxy, reader, writer):
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    proxy.requested.append(head)
    writer.write(proxy.answer or b"HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n")
    if not proxy.answer:
        await join(proxy, reader, writer)


async def socks_proxy(proxy, reader, writer):
    _, count = await reader.readexactly(2)
    methods = await reader.readexactly(count)
    writer.write(b"\x05\x02" if 2 in methods else b"\x05\x00")
    if 2 in methods:
        await reader.readexactly(1)
        user, password = [(await reader.readexactly((await reader.readexactly(1))[0])).decode() for _ in range(2)]
        writer.write(b"\x01\x00" if (user, password) == ("ann", PASSWORD) else b"\x01\x01")
    *_, kind = await reader.readexactly(4)
    length = {1: 4, 4: 16}.get(kind) or (await reader.readexactly(1))[0]
    host, port = await reader.readexactly(length), int.from_bytes(await reader.readexactly(2), "big")
    proxy.requested.append(f"{host.decode() if kind == 3 else tuple(host)}:{port}")
    writer.write(proxy.answer or b"\x05\x00\x00\x01\0\0\0\0\0\0")
    if not proxy.answer:
        await join(proxy, reader, writer)


def target_of(site):
    return int(site.root.rpartition(":")[2])


async def test_a_browser_reaches_a_site_through_it_and_in_no_other_way_and_nothing_private(site_server):
    private = ("127.0.0.1", "10.0.0.1", "[::1]", "localhost", "169.254.169.254", "2130706433", "[::ffff:10.0.0.1]", "a.localhost")
    parts = "".join(f"<img src=http://{host}/a><iframe src=https://{host}/b></iframe><img src=http://{host}:22/>" for host in private)
    moves = {f"/{host}": (302, {"Location": f"http://{host}/"}, "") for host in private}
    parts += "".join(f"<img src='{path}'><script>new WebSocket('ws://{path[1:]}/')</script>" for path in moves)
    site = await site_server({"/": f"<p>Text<img src=/x.png>{parts}", **moves})
    async with listening(Proxy(target_of(site)), http_proxy) as proxy:
        dialled = Internet()
        egress = replace(dialled.egress(), upstream=proxy.named("http", "ann", PASSWORD))
        async with Browser(egress=egress) as browser:
            page = (await browser.render("http://only-there.example/")).page
    assert [block.text for block in page.blocks] == ["Text"]
    assert all("only-there.example:80" in requested for requested in proxy.requested) and proxy.requested
    assert {"/x.png", *moves} <= set(site.requests)
    assert {port for _, port in dialled.dialled} == {proxy.port}
    credentials = b64encode(f"ann:{PASSWORD}".encode()).decode()
    assert f"Proxy-Authorization: Basic {credentials}\r\n" in proxy.requested[0]


@pytest.mark.parametrize(("kind", "serve"), [("http", http_proxy), ("socks5", socks_proxy)])
async def test_the_crawlers_own_client_goes_through_it_and_the_site_never_sees_its_password(site_server, kind, serve):
    received = {}

    async def answer(request):
        received.update(request.headers)
        return web.Response(text="User-agent: *")

    site = await site_server({"/robots.txt": answer})
    async with listening(Proxy(target_of(site)), serve) as proxy:
        dialled = Internet()
        async with Fetcher(replace(dialled.egress(), upstream=proxy.named(kind, "ann", PASSWORD))) as fetcher:
            assert (await fetcher.get("http://only-there.example/robots.txt")).status == 200
    assert len(proxy.requested) == 1 and "only-there.example:80" in proxy.requested[0]
    assert {port for _, port in dialled.dialled} == {proxy.port}
    assert received["Host"] == "only-there.example" and not any(name.lower().startswith("proxy-") for name in received)


REFUSALS = [
    (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", Unusable, r"127\.0\.0\.1:\d+ requires a name and password, others"),
    (b"HTTP/1.1 403 Forbidden\r\n\r\n", Unusable, r"refuses to connect to a\.example:80 \(403 Forbidden\): it must allow CONNECT"),
    (b"HTTP/1.1 502 Bad Gateway\r\n\r\n", Retryable, r"cannot connect to a\.example:80 \(502 Bad Gateway\): try again later"),
    (b"SSH-2.0-OpenSSH\r\n\r\n", Unusable, "does not answer as an HTTP proxy does"),
    (b"HTTP/1.1 200 OK\r\n\r\n<p>Text", Unusable, "sent more than the head"),
    (b"HTTP/1.1 403 \x1b[2J\x07\r\n\r\n", Unusable, "does not answer as an HTTP proxy does"),
    (b"\x05\x02\x00\x01\0\0\0\0\0\0", Unusable, "does not connect to a.example:80: its rules do not allow it"),
    (b"\x05\x05\x00\x01\0\0\0\0\0\0", Retryable, "nothing listens there"),
    (b"\x05", Unusable, "it hung up"),
]


@pytest.mark.parametrize(("answer", "error", "message"), REFUSALS)
async def test_its_refusals_are_reported_in_one_line(answer, error, message):
    serve, kind = (socks_proxy, "socks5") if answer.startswith(b"\x05") else (http_proxy, "http")
    async with listening(Proxy(answer=answer), serve) as proxy:
        with pytest.raises(error, match=message) as raised:
            await Boundary(Egress(upstream=proxy.named(kind, "ann", PASSWORD))).connect("a.example", 80)
    assert "\n" not in str(raised.value) and PASSWORD not in str(raised.value)


async def test_another_password_and_a_proxy_that_is_not_there_are_reported():
    async with listening(Proxy(), socks_proxy) as proxy:
        with pytest.raises(Unusable, match="rejected the name and password"):
            await Boundary(Egress(upstream=proxy.named("socks5", "ann", "wrong"))).connect("a.example", 80)
    with pytest.raises(Retryable, match=rf"the upstream proxy 127\.0\.0\.1:{proxy.port}: connection refused"):
        await Boundary(Egress(upstream=proxy.named())).connect("a.example", 80)


async def test_a_page_says_that_the_proxy_wants_a_password():
    answer = b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"
    async with listening(Proxy(answer=answer), http_proxy) as proxy, Browser(egress=Egress(upstream=proxy.named())) as browser:
        for url in ("http://a.example/", "https://a.example/"):
            with pytest.raises(
                Unusable, match=r"^https?://a\.example/: the upstream proxy .* requires a name and password, which it did not"
            ):
                await browser.render(url)


@pytest.mark.parametrize("code", DNS_FAILURES)
async def test_a_proxy_whose_name_is_unknown_is_no_fault_of_the_page(monkeypatch, code):
    fail_names(monkeypatch, code)
    with pytest.raises(Retryable, match=rf"the upstream proxy nowhere\.invalid:80: {DNS_FAILURES[code]}"):
        await Boundary(Egress(local=True, upstream=Upstream("http", "nowhere.invalid", 80))).connect("a.invalid", 80)


@pytest.mark.parametrize("host", ["127.0.0.1", "10.0.0.1", "::1", "localhost", "inner.example"])
async def test_private_addresses_and_names_that_lead_to_them_from_here_are_refused_before_it_is_asked(host):
    async def resolve(name):
        return {"inner.example": ("10.1.2.3",), "localhost": ("127.0.0.1",)}[name]

    async with listening(Proxy(), http_proxy) as proxy:
        boundary = Boundary(replace(PUBLIC, resolve=resolve, upstream=proxy.named()))
        with pytest.raises(Private):
            await boundary.connect(host, 80)
        with pytest.raises(Private):
            await boundary.connect("a.example", 22)
    assert proxy.requested == []


async def test_with_the_local_door_private_addresses_are_reached_through_it(site_server):
    site = await site_server({"/": "<p>Text"})
    async with listening(Proxy(target_of(site)), http_proxy) as proxy:
        opened = await Boundary(replace(LOCAL, upstream=proxy.named())).connect("10.0.0.1", 8080)
        opened.close()
    assert proxy.requested[0].startswith("CONNECT 10.0.0.1:8080 HTTP/1.1\r\nHost: 10.0.0.1:8080\r\n")


def test_an_address_is_read_with_its_name_and_password():
    assert read_upstream("http://ann:pa%3Ass%20word@Proxy.Example:3128") == Upstream("http", "proxy.example", 3128, "ann", PASSWORD)
    assert read_upstream("http://proxy.example/") == Upstream("http", "proxy.example", 80)
    assert read_upstream("socks5://[::1]") == Upstream("socks5", "::1", 1080)
    assert str(read_upstream("socks5://[::1]")) == "the upstream proxy [::1]:1080"
    egress = Egress(upstream=read_upstream("http://ann:s3cret@proxy.example:3128"))
    assert "s3cret" not in repr(egress) and "ann" not in repr(egress.upstream)


@pytest.mark.parametrize(
    "url",
    [
        *("", "proxy.example:3128", "https://proxy.example:443", "socks4://proxy.example", "http://", "http://proxy.example/path"),
        *(
            "http://ann:s3cret@",
            "http://ann:s3cret@proxy.example:99999",
            "http://an%0d%0an:s3cret@proxy.example",
            "http://:s3cret@p.example",
        ),
        "http://proxy.example\r\n:80",
        f"http://{'a' * 256}:s3cret@proxy.example",
    ],
)
def test_an_address_that_is_none_is_refused_and_not_repeated(url):
    with pytest.raises(Rejected, match="upstream proxy") as raised:
        read_upstream(url)
    assert "\n" not in str(raised.value) and "s3cret" not in str(raised.value)
