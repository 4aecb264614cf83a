"""Options that the commands of the comparison share: `run`, and what reads its results."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from benchmarks.metrics.measures import MEASURES


def add_cache(parser: argparse.ArgumentParser) -> None:
    """Add where results are kept, and of which sets."""
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where results are kept (default: the user's cache folder)")
    parser.add_argument("--sets", nargs="+", default=(), metavar="SET", help="data sets (default: all that are there)")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add how many processes work."""
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once (default: one per CPU core)")


def add_measure(parser: argparse.ArgumentParser) -> None:
    """Add the measure that is shown."""
    parser.add_argument("--measure", choices=tuple(MEASURES), default="rouge", help="(default: %(default)s)")


def add_results(parser: argparse.ArgumentParser) -> None:
    """Add which stored results are shown."""
    parser.add_argument("extractors", nargs="*", metavar="EXTRACTOR", help="(default: all that have results)")
    add_cache(parser)
    add_measure(parser)
