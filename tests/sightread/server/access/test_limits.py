"""The queue of requests: bounded, in turns between callers, with a reserve for those who have few."""

import asyncio

import pytest
from aiohttp import web

from sightread.server.access.limits import Limits, RequestQueue


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
