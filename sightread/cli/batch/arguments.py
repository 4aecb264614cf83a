"""Arguments and option record of `sightread batch`."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightread.cli.options.argument_types import choice, count, seconds
from sightread.document.formats import format_names
from sightread.render.errors import quoted

if TYPE_CHECKING:
    from sightread.document.tree.nodes import Part

INPUT = "a WARC file, a list of URLs (.txt), a corpus, a Parquet or JSON Lines file; a folder, a pattern or a URL of such files"


@dataclass(frozen=True, slots=True)
class BatchCommand:
    """Options of `batch`."""

    paths: tuple[str, ...]
    status: bool
    verify: bool
    plan: bool
    learn_sites: int | None
    shard: str | None
    processes: int | None
    dask: str | None
    input_format: str
    output_format: str
    formats: tuple[str, ...]
    without: tuple[Part, ...]
    static: bool
    model: str
    light: bool
    local: bool
    deadline: float
    url_column: str
    html_column: str
    warc_base: str
    partition_rows: int
    page_seconds: float
    page_memory: int
    log: Path | None
    metrics: Path | None
    browser: Path | None
    home: Path | None
    json: bool


def shard(text: str) -> str:
    """Return a part of a whole, such as 0/8: from 0 on, below the number of shards."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if not found or int(found[1]) >= int(found[2]):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a shard: give I/N with I from 0 to N-1, such as 0/8")
    return text


def rows(text: str) -> int:
    """Return a number of rows, 1 to 20,000."""
    if count(text) > 20_000:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is more than 20000 rows")
    return int(text)


def megabytes(text: str) -> int:
    """Return a number of megabytes, 256 or more: a loaded model takes 100."""
    if count(text) < 256:
        raise argparse.ArgumentTypeError(f"{quoted(text)} MB is less than a model and a page need: give 256 or more")
    return int(text)


def add_without(parser: argparse.ArgumentParser) -> None:
    """Add the option that leaves parts out of the documents, which `extract` has too."""
    parser.add_argument(
        "--without",
        type=choice("comments", "tables", "images", "links"),
        metavar="NAME",
        action="append",
        default=[],
        help="parts to leave out: comments, tables, images or links; repeatable",
    )


def add_batch_command(command: Any) -> None:
    """Add the command to the parser; `command` makes the parser of one, from name, synopsis and help."""
    batch = command("batch", "INPUT OUTPUT [options]", "extract millions of stored pages or URLs, over processes, shards or a cluster")
    batch.set_defaults(module="batch.command", record=BatchCommand)
    batch.add_argument("paths", nargs="*", metavar="INPUT OUTPUT", help=f"{INPUT}; and the folder or URL to write to")
    batch.add_argument("--static", action="store_true", help="read without a browser: no boxes and styles, so only models of the DOM")
    batch.add_argument("--model", default="auto", metavar="NAME", help="(default: auto, a learned site's own model if it is trusted)")
    batch.add_argument(
        "--format",
        dest="formats",
        type=choice(*format_names()),
        action="append",
        default=[],
        metavar="NAME",
        help=f"a format of the documents: {', '.join(format_names())}; repeatable (default: markdown)",
    )
    add_without(batch)
    batch.add_argument(
        "--output-format",
        type=choice("jsonl", "parquet"),
        metavar="NAME",
        default="jsonl",
        help="format of the rows: jsonl or parquet (default: %(default)s)",
    )
    batch.add_argument("--processes", type=count, metavar="N", help="worker processes on this machine (default: one per CPU core)")
    batch.add_argument(
        "--shard",
        type=shard,
        metavar="I/N",
        help="run the I-th of N parts of the job, from 0 (else SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX, with the number of tasks)",
    )
    batch.add_argument("--dask", metavar="ADDRESS", help="run on the workers of a Dask scheduler, such as tcp://host:8786")
    batch.add_argument("--plan", action="store_true", help="only make and store the plan of the job")
    batch.add_argument("--status", action="store_true", help="with OUTPUT alone: show how far the job is")
    batch.add_argument("--verify", action="store_true", help="with OUTPUT alone: check checksums, and that each record is there once")
    batch.add_argument("--learn-sites", type=count, metavar="N", help="with INPUT alone: learn each site with N pages or more in the input")
    batch.add_argument("--log", type=Path, metavar="FILE", help="append events there, one JSON object per line, with the ids of pages")
    batch.add_argument("--metrics", type=Path, metavar="FILE.prom", help="with --status: also write it there as Prometheus metrics")
    batch.add_argument("--json", action="store_true", help="print the result as one line of JSON, and no progress")
    batch.add_argument(
        "--home", type=Path, metavar="FOLDER", help="where learned sites are kept (else SIGHTREAD_HOME, else your data folder)"
    )
    _add_input(batch)
    _add_limits(batch)


def _add_input(batch: Any) -> None:
    group = batch.advanced_group("the input", "its kind, and the columns of its rows")
    group.add_argument(
        "--input-format",
        type=choice("auto", "warc", "urls", "corpus", "parquet", "jsonl"),
        default="auto",
        metavar="NAME",
        help="warc, urls, corpus, parquet or jsonl (default: auto, by the names of the files)",
    )
    group.add_argument(
        "--url-column", default="url", metavar="NAME", help="column with the URL, in Parquet and JSON Lines (default: %(default)s)"
    )
    group.add_argument(
        "--html-column", default="html", metavar="NAME", help="column with the HTML, in Parquet and JSON Lines (default: %(default)s)"
    )
    group.add_argument(
        "--warc-base",
        default="",
        metavar="FOLDER|URL",
        help="where the WARC files lie that rows name by warc_filename, warc_record_offset and warc_record_length",
    )
    group.add_argument(
        "--partition-rows",
        type=rows,
        default=0,
        metavar="N",
        help="rows per partition (default: by the size of the input, 50 to 2000, rendered 10 to 100)",
    )


def _add_limits(batch: Any) -> None:
    group = batch.advanced_group("limits and browser", "what a page may take, and how it is rendered")
    group.add_argument("--page-seconds", type=seconds, default=60.0, metavar="S", help="CPU seconds per page (default: 60)")
    group.add_argument("--page-memory", type=megabytes, default=2048, metavar="MiB", help="memory of a process for pages (default: 2048)")
    group.add_argument("--deadline", type=seconds, default=30.0, metavar="S", help="deadline per rendered page in seconds (default: 30)")
    group.add_argument("--light", action="store_true", help="load no images and no web fonts")
    group.add_argument("--local", action="store_true", help="also open pages of this machine, of private networks and at unusual ports")
    group.add_argument("--browser", type=Path, metavar="FILE", help="the Chromium to use (else SIGHTREAD_BROWSER, else one that is found)")
