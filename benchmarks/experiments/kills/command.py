"""`python -m benchmarks kills SUBJECT`: what becomes of the work if processes of a job, a batch, the service or the pool are killed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.experiments.kills import batch, job, pool, service, sites
from benchmarks.experiments.throughput.batch_jobs import add_largest, add_learned, learned_pages, stored_pages
from benchmarks.sites.built_sites import SiteStore

Run = Callable[[argparse.Namespace], int]


def _add_job(parser: argparse.ArgumentParser) -> Run:
    parser.add_argument("--times", type=int, default=10, metavar="N", help="kills in each step (default: %(default)s)")
    return lambda options: job.run(options.times)


def _add_batch(parser: argparse.ArgumentParser) -> Run:
    add_pages(parser, 2000, "stored pages per job")
    add_largest(parser)
    parser.add_argument("--times", type=int, default=20, metavar="N", help="kills (default: %(default)s)")
    add_learned(parser)

    def run(options: argparse.Namespace) -> int:
        def pages(home: Path) -> Iterator[tuple[str, str]]:
            if options.learned:
                return learned_pages(SiteStore.open(options.data, options.work), options.learned, home, options.pages)
            return stored_pages(data_folder(options.data), options.pages, options.largest)

        return batch.run(pages, options.pages, options.times)

    return run


def _add_service(parser: argparse.ArgumentParser) -> Run:
    parser.add_argument("--times", type=int, default=10, metavar="N", help="kills (default: %(default)s)")
    parser.add_argument("--every", type=float, default=8.0, metavar="S", help="mean seconds between them (default: %(default)g)")
    parser.add_argument("--postgresql", action="store_true", help="two processes on a PostgreSQL server, which must be installed")
    return lambda options: service.run(options.data, options.times, options.every, is_postgresql=options.postgresql)


def _add_pool(parser: argparse.ArgumentParser) -> Run:
    add_pages(parser, 500, "how many are read")
    parser.add_argument("--every", type=float, default=3.0, metavar="S", help="mean seconds between two kills (default: %(default)g)")
    return lambda options: pool.run(options.data, options.pages, options.every)


def _add_sites(parser: argparse.ArgumentParser) -> Run:
    parser.add_argument("--sites", type=int, default=14, metavar="N", help="sites (default: %(default)s)")
    parser.add_argument("--pages", type=int, default=20, metavar="N", help="articles of each (default: %(default)s)")
    parser.add_argument("--delay", type=float, default=2.0, metavar="S", help="seconds between two visits (default: %(default)g)")
    parser.add_argument("--times", type=int, default=5, metavar="N", help="kills of one of two workers (default: %(default)s)")
    parser.add_argument("--dask", type=Path, metavar="PYTHON", help="over Dask, which this interpreter has, in place of PostgreSQL")
    return lambda options: sites.run(sites.Sites(options.sites, options.pages, options.delay), options.times, options.dask)


SUBJECTS: Mapping[str, tuple[str, Callable[[argparse.ArgumentParser], Run]]] = {
    "job": ("`sightread demo` killed in each of its steps: what the next run ends with", _add_job),
    "batch": ("killed and frozen processes, a full disk: no row lost, none twice", _add_batch),
    "service": ("killed under load: what becomes of accepted jobs", _add_service),
    "sites": ("workers that learn many sites, one of them killed: every site once, at its pace, as fast as two", _add_sites),
    "pool": ("processes of its browsers killed: no page lost, nothing left over", _add_pool),
}


def _add_options(parser: argparse.ArgumentParser) -> None:
    subjects = parser.add_subparsers(required=True, metavar="SUBJECT")
    for name, (text, add) in SUBJECTS.items():
        of_subject = subjects.add_parser(name, help=text)
        of_subject.set_defaults(run_subject=add(of_subject))


COMMAND = Command(
    "kills",
    "kill processes of a job, a batch, the service or the browser pool: what becomes of their work",
    lambda options: int(options.run_subject(options)),
    _add_options,
)
