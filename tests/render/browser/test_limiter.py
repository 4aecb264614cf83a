"""Turns: the least first, one beyond the limit for who has nothing, and nobody lost who leaves."""

import asyncio

import pytest

from sightread.render.browser.limiter import WORKS_FOR, Turns


async def test_who_has_the_least_under_way_is_next_and_who_has_nothing_may_exceed_the_limit():
    turns, begun, ends = Turns(lambda _: 2, reserve=1), [], {}

    async def work(name):
        WORKS_FOR.set(name[0])
        async with turns.turn():
            begun.append(name)
            await ends.setdefault(name, asyncio.Event()).wait()

    async def end(name):
        ends[name].set()
        for _ in range(5):
            await asyncio.sleep(0)

    tasks = {name: asyncio.create_task(work(name)) for name in ("a1", "a2", "a3", "a4", "b1", "b2", "c1")}
    await asyncio.sleep(0.01)
    assert begun == ["a1", "a2", "b1"]  # b has a place beside the two of a, and c none beside that
    assert (turns.opened, turns.waiting) == (3, 4)
    await end("a1")
    assert begun[3:] == ["c1"]
    tasks["b2"].cancel()
    await end("b1")
    await end("a2")
    assert begun[4:] == ["a3"]
    turns.refuse(ValueError("closed"))
    with pytest.raises(ValueError, match="closed"):
        await tasks["a4"]
    await end("c1")
    await end("a3")
    await asyncio.wait_for(turns.emptied(), 1)
