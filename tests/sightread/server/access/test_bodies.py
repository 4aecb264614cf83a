"""Requests of many callers: memory for their bodies and places in the queue are bounded, and fair between them."""

import asyncio
import gzip
import json
import os
import socket
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle, islice
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import web

from sightread.reading.reader import Reader
from sightread.server.access.gate import GatePolicy, TokenFile
from sightread.server.access.limits import Limits, RequestQueue
from sightread.server.http import serve_on_loopback
from sightread.server.process.front import app_of
from sightread.server.service import Service
from tests.processes.services import address_of, ask, started

PATHS = ("/api/v1/jobs", "/v1/crawl", "/v2/batch/scrape", "/api/v1/extract", "/mcp", "/v1/extract", "/loader")
TURNED_AWAY = {408, 413, 429, 503}
MEBIBYTE = 1 << 20


@asynccontextmanager
async def uploads(address, token, length, sent, count):
    """Connections that declare a body of some length, to the paths in turn, and send those parts of it, by their encoding, in turn."""
    url, loop = urlsplit(address), asyncio.get_running_loop()

    async def send(connection, path, encoding):
        head = f"POST {path} HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        head += f"Content-Encoding: {encoding}\r\nContent-Length: {length}\r\n\r\n"
        await loop.sock_sendall(connection, head.encode())
        await loop.sock_sendall(connection, sent[encoding])

    async with AsyncExitStack() as stack:
        opened = []
        for path, encoding in islice(zip(cycle(PATHS), cycle(sent)), count):
            connection = stack.enter_context(socket.create_connection((url.hostname, url.port)))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)
            connection.setblocking(False)
            stack.callback(asyncio.create_task(send(connection, path, encoding)).cancel)
            opened.append(connection)
        yield opened


def callers(folder):
    """A file of tokens, and those of an attacker and of another caller."""
    file = TokenFile(folder / "tokens.json")
    return file.path, *(file.add(name, ["read", "jobs"]) for name in ("attacker", "other"))


def resident_bytes(*processes):
    pages = sum(int(Path(f"/proc/{process}/statm").read_text().split()[1]) for process in processes)
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the memory of another process")
async def test_a_thousand_bodies_that_stop_cost_little_memory_and_no_other_caller_a_refusal(tmp_path):
    file, attacker, other = callers(tmp_path)
    with started(tmp_path, "--token-file", str(file)) as service:
        address = await asyncio.to_thread(address_of, service)
        _, health, _ = await asyncio.to_thread(ask, f"{address}/healthz")
        processes = service.pid, health["process"]
        before = resident_bytes(*processes)
        grown = []
        sent = {"identity": bytes(9_800_000), "gzip": gzip.compress(bytes(9_800_000))}
        async with uploads(address, attacker, 9_900_000, sent, 1000):
            for path in PATHS:
                body = {"html": "<p>x" * 25_000, "model": "none such"}
                for _ in range(5):  # on a machine with other work this body may come too slowly, too
                    status, said, _ = await asyncio.to_thread(ask, f"{address}{path}", body, Authorization=f"Bearer {other}")
                    if status != 408:
                        break
                assert status not in TURNED_AWAY, (path, said)
                grown.append(resident_bytes(*processes) - before)
                await asyncio.sleep(0.5)
    assert max(grown) <= 150_000_000, grown


async def test_slow_bodies_of_one_caller_leave_memory_for_others(tmp_path):
    file, attacker, other = callers(tmp_path)
    service = Service(Reader(), Limits(body_memory=MEBIBYTE, body_timeout=2.0), gate=GatePolicy(TokenFile(file)))
    headers = {"Authorization": f"Bearer {other}", "Content-Type": "application/json"}
    body = json.dumps({"html": "<p>x" * 25_000, "model": "none such"}).encode()
    async with (
        asyncio.timeout(60),
        serve_on_loopback(app_of(service)) as address,
        aiohttp.ClientSession() as session,
        uploads(address, attacker, 200_000, {"identity": bytes(1000)}, 60) as opened,
    ):
        for path in PATHS:
            async with session.post(f"{address}{path}", data=body, headers=headers) as answer:
                assert answer.status not in TURNED_AWAY, path
        statuses = [int((await asyncio.get_running_loop().sock_recv(each, 100)).split()[1]) for each in opened]
    assert {408, 429} <= set(statuses) <= {408, 429, 503}
    assert statuses.count(408) < 10  # the others were never read


async def test_bodies_of_unknown_size_wait_for_each_other_and_are_all_read():
    limits = Limits(body=100_000, body_memory=200_000)
    async with serve_on_loopback(app_of(Service(Reader(), limits))) as address, aiohttp.ClientSession() as session:
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        body = gzip.compress(b'{"html": "<p>x", "model": "none such"}')

        async def post():
            async with session.post(f"{address}/api/v1/extract", data=body, headers=headers) as answer:
                return answer.status

        assert await asyncio.gather(*(post() for _ in range(10))) == [400] * 10


async def test_callers_take_turns():
    queue, order = RequestQueue(Limits(waiting=10, at_once=1)), []

    async def work(caller):
        async with queue.place(caller):
            order.append(caller)
            await asyncio.sleep(0)

    await asyncio.gather(*(work(caller) for caller in ("a", "a", "a", "a", "b", "b", "c")))
    assert order == ["a", "a", "b", "c", "a", "b", "a"]
    assert queue.under_way == 0


async def test_who_has_nothing_under_way_waits_for_no_request_of_others():
    queue, release, begun = RequestQueue(Limits(at_once=2)), asyncio.Event(), []

    async def work(caller):
        async with queue.place(caller):
            begun.append(caller)
            await release.wait()

    tasks = [asyncio.create_task(work(caller)) for caller in "aaab"]
    await asyncio.sleep(0.01)
    assert begun == ["a", "a", "b"]
    release.set()
    await asyncio.gather(*tasks)


async def test_a_full_queue_refuses_its_filler_and_has_a_reserve_for_others():
    queue, release = RequestQueue(Limits(waiting=8)), asyncio.Event()

    async def work(caller):
        async with queue.place(caller):
            await release.wait()

    tasks = [asyncio.create_task(work("a")) for _ in range(7)] + [asyncio.create_task(work("b"))]
    await asyncio.sleep(0)
    with pytest.raises(web.HTTPTooManyRequests, match="Too Many Requests") as refused:
        queue.check("a")
    assert (refused.value.headers["Retry-After"], refused.value.text) == (
        "2",
        "7 of the 8 requests under way are yours: wait for some of them",
    )
    queue.check("b")
    tasks += [asyncio.create_task(work("b")), asyncio.create_task(work("c"))]
    await asyncio.sleep(0)
    with pytest.raises(web.HTTPServiceUnavailable):
        queue.check("d")
    release.set()
    await asyncio.gather(*tasks)
    queue.check("a")


async def test_one_who_leaves_the_queue_keeps_nobody_waiting_and_draining_refuses_those_who_wait():
    queue, release = RequestQueue(Limits(at_once=1)), asyncio.Event()

    async def work(caller):
        async with queue.place(caller):
            await release.wait()
            return caller

    first, gone, waiting, last = (asyncio.create_task(work(caller)) for caller in "abcd")
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    assert queue.under_way == 3
    last.cancel()
    draining = asyncio.create_task(queue.drain())
    await asyncio.sleep(0)
    with pytest.raises(web.HTTPServiceUnavailable):
        await waiting
    with pytest.raises(web.HTTPServiceUnavailable):
        queue.check("e")
    assert not draining.done()
    release.set()
    assert await first == "a"
    await draining
