"""The reader of the service without the service, in a process of its own: `-m benchmarks.service.reader_alone DATA COUNT PORT LOAD`.

It reads pages for as many seconds as each line of its standard input names, and prints pages per second. It has the niceness of the
service's worker, so that what else the machine does slows both alike.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.datasets.samples import wcxb_markup
from benchmarks.service.programs import local_egress
from sightread.reading.reader import Reader
from sightread.render.errors import PageFailed
from sightread.server.process.worker import NICENESS


async def main(data: str, count: str, port: str, load: str) -> None:
    """Read pages of the site at the port, or their HTML, in rounds."""
    os.nice(NICENESS)
    pages = [body.decode("utf-8", "replace") for body in wcxb_markup(Path(data), int(count))]
    with TemporaryDirectory() as home:
        async with Reader("global", home=home, egress=local_egress(int(port))) as reader:
            while line := await asyncio.to_thread(sys.stdin.readline):
                print(await _rate(reader, pages, "" if load == "html" else f"http://bench-{port}.example", float(line)), flush=True)


async def _rate(reader: Reader, pages: Sequence[str], root: str, seconds: float) -> float:
    """Return the pages per second, with as many pages ahead as the reader has."""
    read, began = 0, time.perf_counter()

    async def work(row: int) -> None:
        nonlocal read
        while time.perf_counter() - began < seconds:
            number = row % len(pages)
            row += reader.pages_ahead
            with suppress(PageFailed):
                document = await (reader.extract(f"{root}/{number}") if root else reader.extract_html(pages[number]))
                await reader.process("", document.to_json)
                read += 1

    await asyncio.gather(*(work(first) for first in range(reader.pages_ahead)))
    return read / (time.perf_counter() - began)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
