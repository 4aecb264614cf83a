import asyncio
from itertools import pairwise

import pytest

from crawler.rate_limit import Pace, with_retries
from render.errors import Retryable, Unusable


async def test_requests_start_a_delay_apart_however_many_wait():
    pace, clock, starts = Pace(0.05), asyncio.get_running_loop().time, []

    async def request():
        await pace.turn()
        starts.append(clock())

    await asyncio.gather(*(request() for _ in range(4)))
    gaps = [later - earlier for earlier, later in pairwise(starts)]
    assert all(gap >= 0.049 for gap in gaps)


async def test_one_that_is_cancelled_while_it_waits_does_not_hold_the_others_up():
    pace = Pace(0.01)
    await pace.turn()
    waiting = asyncio.create_task(pace.turn())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait_for(pace.turn(), 1)


def _failing(times, error=Retryable):
    failures = [error(f"try {number}") for number in range(1, times + 1)]

    async def attempt():
        if failures:
            raise failures.pop(0)
        return "done"

    return attempt


async def test_what_may_work_later_is_tried_twice_more():
    waits = []
    assert await with_retries(_failing(2), 0.001, lambda *wait: waits.append(wait)) == "done"
    assert waits == [(0.001, "try 1"), (0.002, "try 2")]


async def test_the_last_failure_is_raised():
    with pytest.raises(Retryable, match="try 3"):
        await with_retries(_failing(3), 0.001, lambda *_: None)


async def test_what_will_not_work_is_tried_once():
    with pytest.raises(Unusable, match="try 1"):
        await with_retries(_failing(1, Unusable), 0.001, lambda *_: None)
