"""How long one piece of work keeps an event loop from everything else."""

import asyncio
import time


async def longest_hold(work: asyncio.Future[object]) -> float:
    """Wait until the work is done; return the longest processor time, in seconds, that the loop's thread took between two rounds."""
    holds, last = [0.0], time.thread_time()
    while not work.done():
        await asyncio.sleep(0.005)
        last, hold = time.thread_time(), time.thread_time() - last
        holds.append(hold)
    return max(holds)
