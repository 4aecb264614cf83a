"""The soak test: service, crawler and batch at once, with their memory over time, what they leave, and every page accounted for.

Without data sets its pages are those of the demo site; `make soak` runs a minute of that.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import msgspec

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import SETS, read_samples, wcxb_markup
from benchmarks.report import grid
from benchmarks.soak.parts import batch_pages, crawl_sites, drive_service
from benchmarks.soak.readings import TOLERANCE, Paces, Part, Record, SoakOptions, TestBed, Watch
from sightread.data.demo import article_paths, build_site
from sightread.render.files import write_atomically

SERVED = 60
"""Pages of WCXB dev that the service reads, at even distances."""
ARCHIVED = 2000
"""Different pages of the batch."""
LARGEST = 40_000
"""Bytes of HTML of a page of the batch: with larger ones 200,000 do not fit into 90 minutes of a core that others use too."""
SHORTEST = 600.0
"""Seconds from which on growth is judged: a shorter run is all start."""
SHORT_PACES = Paces(clients=1, pause=3, job_every=8, delay=0.5, crawl_pause=60)
"""Of such a run, so that every part has work from the beginning."""
GRACE = 5.0
"""Seconds after which nothing of a part may run any more."""


async def soak(pages: Sequence[bytes], archived: Sequence[bytes], work: Path, options: SoakOptions) -> Record:
    """Run service, crawler and batch at once, and return the record; `work` is an empty folder for their files.

    `pages` are read by the service, `archived` by the batch, both HTML in UTF-8.
    """
    temporary = work / "temporary"
    temporary.mkdir()
    for folder in (work, temporary):
        folder.chmod(0o711)  # the browser's user passes through
    watch, stop = Watch(), asyncio.Event()
    test_bed = TestBed(work, temporary, pages, archived, options.paces, watch, stop)
    reading = asyncio.create_task(watch.run(options.every))
    asyncio.get_running_loop().call_later(options.seconds, stop.set)
    async with asyncio.TaskGroup() as group:
        running = {
            "service": group.create_task(drive_service(test_bed)),
            "crawler": group.create_task(crawl_sites(test_bed)),
            "batch": group.create_task(batch_pages(test_bed, options.batch)),
        }
    reading.cancel()
    await asyncio.sleep(GRACE if watch.left() else 0.0)
    parts = tuple(watch.part(name, task.result()) for name, task in running.items())
    return Record(options.seconds, parts, watch.left(), tuple(sorted(path.name for path in temporary.iterdir())))


def is_good(record: Record) -> bool:
    """Return whether each page came out once and always the same, from every part some, nothing is left, and memory is flat."""
    is_whole = all(part.account.is_whole and part.account.extracted and not part.account.different for part in record.parts)
    is_flat = record.seconds < SHORTEST or all(part.growth() <= TOLERANCE for part in record.parts)
    return is_whole and is_flat and not record.left_processes and not record.left_files


def describe(record: Record) -> str:
    """Return the record as tables in Markdown."""
    head = ("part", "pages in", "extracted", "failed", "lost", "twice", "differ", "else", "cores")
    rows = [_account_line(part) for part in record.parts]
    memory = ("part", "MiB, first third", "last third", "growth over the last two thirds", "processes", "open files, growth")
    left = f"left over: {len(record.left_processes)} processes, {len(record.left_files)} temporary files"
    return "\n\n".join((grid(head, rows), grid(memory, [_memory_line(part) for part in record.parts]), left))


def _account_line(part: Part) -> list[str]:
    found = part.account
    numbers = (found.requested, found.extracted, found.failed, found.lost, found.twice, found.different)
    others = ", ".join(f"{name} {count:,}" for name, count in found.errors.items())
    return [part.name, *(f"{number:,}" for number in numbers), others, f"{part.cores:.2f}"]


def _memory_line(part: Part) -> list[str]:
    third = max(1, len(part.readings) // 3)
    first, last = part.readings[:third], part.readings[-third:]
    sizes = (f"{sum(reading.memory for reading in readings) / 2**20 / max(1, len(readings)):.0f}" for readings in (first, last))
    processes = f"{min((reading.processes for reading in last), default=0)} to {max((reading.processes for reading in last), default=0)}"
    return [part.name, *sizes, f"{part.growth():+.1%}", processes, f"{part.growth('files'):+.1%}"]


def run(data: Path | None, minutes: float, batch: int, out: Path | None, work: Path | None) -> int:
    """Print the tables, and write the record; return 1 if a page was lost or differs, something is left or memory grows."""
    pages, archived = _pages(data)
    print(f"batch: {len(archived)} pages of {sum(map(len, archived)) / len(archived) / 1000:.1f} kB on average", flush=True)
    with tempfile.TemporaryDirectory(prefix="soak-", dir=work) as made:
        options = SoakOptions(60 * minutes, batch) if 60 * minutes >= SHORTEST else SoakOptions(60 * minutes, batch, 2.0, SHORT_PACES)
        record = asyncio.run(soak(pages, archived, Path(made), options))
    print(f"{describe(record)}\nload average {os.getloadavg()[0]:.1f}")
    for name in (*record.left_processes, *record.left_files):
        print(f"left: {name}")
    if out is not None:
        write_atomically(out / "soak.json", msgspec.json.encode(record))
    return int(not is_good(record))


def _pages(data: Path | None) -> tuple[list[bytes], list[bytes]]:
    """Return the pages that service and crawler read, and those of the batch; without data sets both are the demo's articles."""
    if data is None and not os.environ.get("SIGHTREAD_DATA"):
        site = build_site()
        pages = [site[path].body for path in article_paths()]
        return pages, pages
    folder = data_folder(data)
    return wcxb_markup(folder, SERVED), _archived(folder)


def _archived(folder: Path) -> list[bytes]:
    """Return pages of all sets that are not larger than `LARGEST`, at even distances."""
    samples = (sample for name in SETS if (folder / name).is_dir() for sample in read_samples(name, folder))
    found = [sample.html.encode("utf-8", "replace") for sample in samples if 0 < len(sample.html) <= LARGEST]
    return list(islice(found[:: max(1, len(found) // ARCHIVED)], ARCHIVED))


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=90.0, metavar="N", help="(default: %(default)g)")
    parser.add_argument("--batch", type=int, default=200_000, metavar="N", help="pages of the batch (default: %(default)s)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write soak.json, with all readings, there")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="where outputs and temporary files are kept while it runs")


COMMAND = Command(
    "soak",
    "service, crawler and batch at once for 90 minutes: memory, leftovers and lost pages",
    lambda options: run(options.data, options.minutes, options.batch, options.out, options.work),
    _add_options,
)
