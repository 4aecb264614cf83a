"""The batch's part of a soak test: stored pages from a loop, without a browser, by one process.

The loop is a list of WARC records, as in Common Crawl's index, which names each record of one file again and again: every row is extracted
anew, and rows of the same page must be equal.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec

from benchmarks.soak.readings import Account, other_than_usual
from benchmarks.soak.test_bed import TestBed
from sightread.batch.job.manifest import committed, output_rows
from sightread.batch.job.page_row import PageRow
from sightread.batch.job.plan import JOB, load_plan
from sightread.batch.job.storage import open_storage

ARCHIVE = "pages.warc.gz"


async def batch_pages(test_bed: TestBed, count: int) -> Account:
    """Extract the given number of pages, or as many as the time allows, and return the account of them."""
    index, output = test_bed.work / "index.jsonl", test_bed.work / "rows"
    await asyncio.to_thread(_write_input, index, test_bed.archived, count)
    options = ("--static", "--processes", "1", "--warc-base", str(test_bed.work), "--json")
    with (test_bed.work / "batch.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "sightread.cli.parser", "batch", str(index), str(output), *options),
            stdout=log,
            stderr=log,
            env=dict(test_bed.environment),
        )
        end_readings = test_bed.watch.add("batch", process.pid)
        ended, stopped = asyncio.ensure_future(process.wait()), asyncio.ensure_future(test_bed.stop.wait())
        try:
            await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
            end_readings()
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            code = await ended
    return await asyncio.to_thread(_account, output, len(test_bed.archived), count, code)


def _write_input(index: Path, pages: Sequence[bytes], count: int) -> None:
    """Write the pages as a WARC file, and an index that names its records in turn."""
    places: list[tuple[int, int]] = []
    with (index.parent / ARCHIVE).open("wb") as file:
        for number, page in enumerate(pages):
            record = gzip.compress(_record(number, page), 6, mtime=0)
            places.append((file.tell(), len(record)))
            file.write(record)
    with index.open("w") as lines:
        for number in range(count):
            offset, length = places[number % len(places)]
            row = {"url": _url(number % len(places)), "warc_filename": ARCHIVE}
            lines.write(json.dumps({**row, "warc_record_offset": offset, "warc_record_length": length}) + "\n")


def _record(number: int, page: bytes) -> bytes:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(page) + page
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: {_url(number)}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def _url(number: int) -> str:
    return f"https://stored.example/{number}"


def _account(output: Path, pages: int, count: int, code: int) -> Account:
    """Compare the rows with the index: every position once, with the URL of its page, and each page's rows equal. Of a batch that was
    stopped, the positions of its committed parts count.
    """
    if code and not (output / JOB).is_file():
        return Account(0, 0, 0, 0, 0, 0, {"stopped before the plan was made": 1})
    storage = open_storage(str(output))
    plan = load_plan(storage)
    requested = set(_positions(output) if code else range(count))
    digests: dict[int, Counter[bytes]] = {}
    states: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    seen: set[int] = set()
    for row in output_rows(storage, plan):
        states["twice"] += row.position in seen
        seen.add(row.position)
        states[row.state] += 1
        if row.error:
            errors[row.error] += 1
        if row.url != _url(row.position % pages):
            errors["the URL of another page"] += 1
        digests.setdefault(row.position % pages, Counter())[_digest(row)] += 1
    if code not in (0, 128 + signal.SIGTERM):
        errors[f"exit code {code}"] += 1
    failed, lost, twice = states["failed"] + states["skipped"], len(requested - seen), states["twice"] + len(seen - requested)
    return Account(len(requested), states["extracted"], failed, lost, twice, other_than_usual(digests.values()), errors)


def _positions(output: Path) -> Iterator[int]:
    storage = open_storage(str(output))
    for partition in load_plan(storage).partitions:
        for entry in committed(storage, partition):
            yield from range(entry.start, entry.end)


def _digest(row: PageRow) -> bytes:
    return blake2b(msgspec.json.encode(msgspec.structs.replace(row, position=0, seconds=0.0, cpu_seconds=0.0)), digest_size=8).digest()
