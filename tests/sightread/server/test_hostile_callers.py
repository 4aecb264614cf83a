"""The service and callers who mean it harm: what they send, how slowly, from where, and as whom."""

import asyncio
import gzip
import hmac
import io
import json
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from urllib.parse import urlsplit

import aiohttp
import pytest

from sightread.reading.reader import Reader
from sightread.render.network.egress import LOCAL
from sightread.server import http
from sightread.server.access import gate
from sightread.server.access.gate import GatePolicy, SingleToken
from sightread.server.access.limits import Limits
from sightread.server.http import serve_on_loopback
from sightread.server.process.front import app_of
from sightread.server.service import Service
from tests.processes.families import PATIENCE

TOKEN = "correct-horse-battery-staple"
NO_TOKEN = "any client that reaches it could use it: give --token-file, set SIGHTREAD_TOKEN, or listen on 127.0.0.1"
BODY = {"html": "<p>x", "model": "none such"}
"""A request that is read and judged, and costs no page: 400 tells that the caller got in."""


@asynccontextmanager
async def served(limits=Limits(), token=""):  # noqa: B008  (frozen)
    """A service whose browser is never started: none of these callers gets that far."""
    async with serve_on_loopback(app_of(Service(Reader(), limits, GatePolicy(SingleToken(token) if token else None)))) as address:
        yield address


@asynccontextmanager
async def connection(address, message=b""):
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(address).port)
    try:
        writer.write(message)
        yield reader, writer
    finally:
        writer.close()


async def post(client, address, body=BODY, **headers):
    data = json.dumps(body).encode() if isinstance(body, dict) else body
    async with client.post(f"{address}/api/v1/extract", data=data, headers={"Content-Type": "application/json", **headers}) as answer:
        return answer.status, (await answer.json())["error"]["message"]


async def hung_up(reader):
    """Wait for the end of a connection that brings nothing; one that is hung up on while it sends ends in a reset."""
    with suppress(ConnectionError):
        return await reader.read() == b""
    return True


async def healthy(address):
    async with aiohttp.ClientSession() as session, session.get(f"{address}/healthz", timeout=aiohttp.ClientTimeout(PATIENCE)) as answer:
        return answer.status == 200


def test_a_service_has_no_local_door():
    with pytest.raises(ValueError, match="reads the public web alone"):
        Service(Reader(egress=LOCAL))


@pytest.mark.parametrize(
    "shown", ["", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"bearer  {TOKEN}", "Bearer ", "Bearer \xff"]
)
async def test_without_the_right_token_nothing_is_answered_but_health(client, shown):
    async with served(token=TOKEN) as address:
        headers = {"Authorization": shown, "Content-Type": "application/json"}
        async with client.post(f"{address}/api/v1/extract?token={TOKEN}", data=b"{}", headers=headers) as answer:
            assert (answer.status, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
            assert TOKEN not in await answer.text()
        assert await healthy(address)


async def test_with_the_token_any_name_of_the_service_does(client):
    async with served(token=TOKEN) as address:
        status, message = await post(client, address, Authorization=f"Bearer {TOKEN}", Host="sightread.example")
    assert status == 400
    assert "none such" in message


async def test_the_token_is_compared_in_constant_time(client, monkeypatch):
    compared = []

    def noted(left, right):
        compared.append(right)
        return compare(left, right)

    compare = hmac.compare_digest
    monkeypatch.setattr(gate.hmac, "compare_digest", noted)
    async with served(token=TOKEN) as address:
        assert (await post(client, address, Authorization="Bearer x"))[0] == 401
    assert compared == [TOKEN.encode()]


@pytest.mark.parametrize(
    ("host", "token", "complaint"),
    [
        ("0.0.0.0", "", f"--host 0.0.0.0: {NO_TOKEN}"),
        ("::", "", f"--host ::: {NO_TOKEN}"),
        ("0.0.0.0", "secret", "SIGHTREAD_TOKEN must have at least 16 characters, all of them printable ASCII: openssl rand -hex 24 makes"),
        ("127.0.0.1", "a b c d e f g h i j", "SIGHTREAD_TOKEN must have at least 16 characters"),
    ],
)
def test_the_service_listens_elsewhere_only_with_a_token(sightread, monkeypatch, host, token, complaint):
    monkeypatch.setenv("SIGHTREAD_TOKEN", token)
    ran = sightread("serve", "--port", 0, "--host", host)
    assert (ran.code, ran.complaint[: len(complaint)]) == (2, complaint)


async def test_another_site_gets_no_answer_through_a_visitors_browser(client):
    async with served() as address:
        ask = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
        async with client.options(f"{address}/api/v1/extract", headers=ask) as answer:
            assert answer.status == 403
            assert not [name for name in answer.headers if name.lower().startswith("access-control")]
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):  # sent without asking first
            assert (await post(client, address, **{"Content-Type": kind}))[0] == 415
        assert (await post(client, address, Host=f"evil.example:{urlsplit(address).port}"))[0] == 403


@pytest.mark.parametrize(
    "url", ["http://a\r\nSet-Cookie: x=1/", "http://a/\nforged log line", "http://a/\x00", "http://u:p@a/", "http://a\\@b/", "http://a。b/"]
)
async def test_an_address_that_breaks_lines_is_refused_in_one_line(client, url):
    async with served() as address:
        status, message = await post(client, address, {"url": url})
    assert (status, len(message.splitlines())) == (400, 1)


@pytest.mark.parametrize("model", ["../../etc/passwd", "%2e%2e/x", "a\x00b", "/etc/passwd", "x" * 300, "site/../general", "..", "."])
async def test_no_model_is_a_path(client, model):
    async with served() as address:
        assert (await post(client, address, {"html": "<p>x", "model": model}))[0] == 400


LONG_NAME = json.dumps({"unknown field `x` - at `$" * 40_000: 1}).encode()


@pytest.mark.parametrize(
    "body", [b"[" * 1_000_000, b'{"html":' * 100_000, b'{"html": "' + b"\\ud800" * 1000 + b'"}', b'{"url": 1e999}', LONG_NAME]
)
async def test_hostile_json_is_refused(client, body):
    async with served() as address:
        assert (await post(client, address, body))[0] == 400


async def test_a_compressed_body_is_not_inflated_beyond_the_limit(client):
    async with served() as address:
        data = io.BytesIO(gzip.compress(b" " * 50_000_000))
        async with client.post(
            f"{address}/api/v1/extract", data=data, headers={"Content-Type": "application/json", "Content-Encoding": "gzip"}
        ) as answer:
            assert answer.status in (400, 413)


HEAD = b"POST /api/v1/extract HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "message",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(50),  # TLS
        b"GET /healthz HTTP/9.9\r\n\r\n",
        b"GET\r\n\r\n",
        b"G\xe9T / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nX: a\x00b\r\n\r\n",
        HEAD + b"Content-Length: -1\r\n\r\n",
        HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        HEAD + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nno size\r\n",
    ],
)
async def test_what_is_no_http_gets_400_as_json(message):
    async with served() as address, asyncio.timeout(PATIENCE):
        async with connection(address, message.replace(b"%s", urlsplit(address).netloc.encode())) as (reader, _):
            answer = await reader.read()
        assert await healthy(address)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 "))
    assert b"application/json" in head
    assert json.loads(body)["error"].keys() == {"kind", "message"}


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"Content-Encoding": "gzip"}, b"no gzip", 400),
        ({"Content-Encoding": "gzip"}, gzip.compress(b'{"html": "<p>x", "model": "none such"}', mtime=0)[:-12], 400),
        ({"Content-Encoding": "deflate"}, b"\xff" * 50, 400),
        ({"Content-Encoding": "gzip"}, gzip.compress(b"\xff\xfe", mtime=0), 400),
        ({}, b'{"html": "\xff\xfe"}', 400),
        ({}, json.dumps({"html": "<p>x", "url": "http://\udc80/"}).encode(), 400),
        ({"Content-Encoding": "br"}, b"{}", 415),
        ({"Content-Type": "application/json; charset=utf-16"}, '{"html": "<p>x"}'.encode("utf-16"), 415),
        ({"Content-Type": "application/json; charset=no such"}, b"{}", 415),
    ],
)
async def test_a_body_that_cannot_be_decoded_is_the_callers_fault(client, headers, body, status):
    async with served() as address:
        given = {"Content-Type": "application/json"} | headers
        async with client.post(f"{address}/api/v1/extract", data=body, headers=given) as answer:
            assert (answer.status, answer.content_type) == (status, "application/json")
            assert (await answer.json())["error"]["message"]


async def test_a_body_too_long_is_refused_before_any_of_it_is_sent():
    async with served() as address, asyncio.timeout(PATIENCE):
        head = HEAD % urlsplit(address).netloc.encode()
        async with connection(address, head + b"Content-Length: 11000000\r\n\r\n") as (reader, _):
            assert b" 413 " in await reader.readline()


@pytest.mark.parametrize("come", [1, 1_000_000])
async def test_a_body_that_does_not_come_is_not_waited_for(come):
    async with served(Limits(body_timeout=0.2)) as address, asyncio.timeout(PATIENCE):
        head = HEAD % urlsplit(address).netloc.encode()
        async with connection(address, head + b"Content-Length: 2000000\r\n\r\n" + b"{" * come) as (reader, _):
            assert b" 408 " in await reader.readline()
        assert await healthy(address)


async def test_who_sends_no_request_is_hung_up_on(monkeypatch):
    monkeypatch.setattr(http, "HEAD_TIMEOUT", 0.3)
    async with served() as address, asyncio.timeout(PATIENCE):
        for message in (b"", b"GET /healthz HTTP/1.1\r\nX: "):
            async with connection(address, message) as (reader, writer):
                for _ in range(3):
                    writer.write(b"a")  # as slowly as can be
                    await asyncio.sleep(0.05)
                assert await hung_up(reader)
        assert await healthy(address)


async def test_more_silent_connections_than_there_may_be_do_not_keep_others_out(monkeypatch):
    monkeypatch.setattr(http, "MOST_CONNECTIONS", 256)
    async with served() as address, AsyncExitStack() as stack:
        for _ in range(1000):
            await stack.enter_async_context(connection(address, b"GET /healthz HTTP/1.1\r\n"))
        assert await healthy(address)


async def test_a_connection_too_many_is_hung_up_on_where_all_others_have_asked(monkeypatch):
    monkeypatch.setattr(http, "MOST_CONNECTIONS", 3)
    async with served() as address, asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
        ask = b"GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n" % urlsplit(address).netloc.encode()
        kept = [await stack.enter_async_context(connection(address, ask)) for _ in range(3)]
        for reader, _ in kept:
            assert b" 200 " in await reader.readline()
        async with connection(address, ask) as (reader, _):
            assert await hung_up(reader)
        kept[0][1].close()
        await asyncio.sleep(0.05)
        assert await healthy(address)
