"""The command line of the comparison: `run`, and what reads its results."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from benchmarks.datasets import output_paths as places
from benchmarks.extractors.workers import Limits
from benchmarks.metrics.measures import MEASURES
from benchmarks.runner import comparison, ensembles, runs, standings

MEBIBYTE = 1 << 20


def add_comparison(commands: Any, with_data: argparse.ArgumentParser) -> None:
    """Add the commands; `with_data` is a parser that holds --data."""
    cached = argparse.ArgumentParser(add_help=False)
    cached.add_argument("--cache", type=Path, metavar="FOLDER", help="where results are kept (default: the user's cache folder)")
    cached.add_argument("--sets", nargs="+", default=(), metavar="SET", help="data sets (default: all that are there)")
    busy = argparse.ArgumentParser(add_help=False, parents=[with_data, cached])
    busy.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once (default: one per CPU core)")
    measured = argparse.ArgumentParser(add_help=False, parents=[cached])
    measured.add_argument("--measure", choices=tuple(MEASURES), default="rouge", help="(default: %(default)s)")
    _add_run(commands, busy)
    _add_table(commands, measured)
    _add_compare(commands, measured)
    _add_figures(commands, measured)
    command = commands.add_parser("ensembles", parents=[busy], help="ensembles of what run found, learned on the sets that are not scored")
    command.add_argument("--members", nargs="+", default=(), metavar="EXTRACTOR", help="(default: all with results on all the sets)")
    command.set_defaults(run=lambda o: ensembles.run(o.data, o.cache, o.sets, o.members, max(o.jobs, 1)))
    help_text = "complexity of the pages, and its prediction from HTML alone"
    command = commands.add_parser("complexity", parents=[with_data, cached], help=help_text)
    command.set_defaults(run=_tell_complexity)


def _add_run(commands: Any, busy: argparse.ArgumentParser) -> None:
    command = commands.add_parser("run", parents=[busy], help="run extractors over data sets, as far as that was not done before")
    command.add_argument(
        "extractors", nargs="+", metavar="EXTRACTOR", help="names, the groups ours, peers, texts and all, or module:function"
    )
    command.add_argument(
        "--python", type=Path, default=Path(sys.executable), metavar="PATH", help="the interpreter that has them installed"
    )
    command.add_argument("--cpu", type=float, default=Limits().cpu, metavar="S", help="CPU seconds per page (default: %(default)g)")
    command.add_argument("--memory", type=int, default=Limits().memory // MEBIBYTE, metavar="MIB", help="(default: %(default)s)")
    command.set_defaults(run=lambda options: runs.run(_plan(options)))


def _add_table(commands: Any, measured: argparse.ArgumentParser) -> None:
    command = commands.add_parser("table", parents=[measured], help="what run found, with an interval beside every mean")
    command.add_argument("extractors", nargs="*", metavar="EXTRACTOR", help="(default: all that have results)")
    command.add_argument("--by", choices=tuple(standings.WAYS), default="set", help="what the columns are (default: %(default)s)")
    command.add_argument("--csv", action="store_true", help="as CSV, not as Markdown")
    command.add_argument("--out", type=places.file, metavar="FILE", help="write it there as well")
    command.set_defaults(run=lambda options: standings.table(_question(options)))


def _add_compare(commands: Any, measured: argparse.ArgumentParser) -> None:
    command = commands.add_parser("compare", parents=[measured], help="the paired difference of two extractors, and where they differ most")
    command.add_argument("names", nargs=2, metavar="EXTRACTOR")
    command.add_argument("--worst", type=int, default=10, metavar="N", help="pages to show on either side (default: %(default)s)")
    command.set_defaults(run=lambda o: comparison.compare(o.cache, tuple(o.names), o.sets, o.measure, o.worst))


def _add_figures(commands: Any, measured: argparse.ArgumentParser) -> None:
    command = commands.add_parser("figures", parents=[measured], help="how scores and complexity are distributed, as SVG")
    command.add_argument("extractors", nargs="*", metavar="EXTRACTOR", help="(default: all that have results)")
    command.add_argument("--out", type=places.folder, required=True, metavar="FOLDER", help="where the pictures are written")
    command.set_defaults(run=_draw)


def _draw(options: argparse.Namespace) -> int:
    from benchmarks.runner.figures import draw  # noqa: PLC0415  (matplotlib takes a second to import)

    return draw(options.cache, options.sets, options.extractors, options.measure, options.out)


def _tell_complexity(options: argparse.Namespace) -> int:
    from benchmarks.runner import complexity  # noqa: PLC0415  (as does scikit-learn)

    return complexity.run(options.data, options.cache, options.sets)


def _plan(options: argparse.Namespace) -> runs.Plan:
    return runs.Plan(
        extractors=options.extractors,
        sets=options.sets,
        data=options.data,
        cache=options.cache,
        jobs=max(options.jobs, 1),
        python=options.python,
        limits=Limits(options.cpu, options.memory * MEBIBYTE),
    )


def _question(options: argparse.Namespace) -> standings.Question:
    return standings.Question(
        cache=options.cache,
        sets=options.sets,
        extractors=options.extractors,
        measure=options.measure,
        by=options.by,
        as_csv=options.csv,
        out=options.out,
    )
