"""`python -m benchmarks run`: any extractors over any data sets, as far as that was not done before.

Extractions and scores are kept in the cache folder (`benchmarks.runner.store`); a run continues what a killed one began. In the end
each set and extractor has one Parquet file there, a row per page, which `table` reads.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.commands import Command, add_python
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import Sample, find_sets, read_samples
from benchmarks.extractors.registry import GROUPS, Extractor, find_extractors
from benchmarks.extractors.workers import Limits, PageTask, Workers, version_under
from benchmarks.metrics.measures import MEASURES, VERSIONS
from benchmarks.runner.store import Extraction, Store, add_cache, add_jobs, default_cache, digest, write_results
from sightread.classify.evaluation import Score
from sightread.render.errors import Rejected

BATCH = 50
"""Pages that are scored in one go."""

Pair = tuple[str, str]
"""Digests of a text and of a gold text, or these texts themselves."""


def score_samples(store: Store, jobs: int, by: tuple[str, str], samples: Sequence[Sample], progress: Progress) -> pd.DataFrame:
    """Return one row per page, with every measure; `by` is the extractor's name and version, all of whose texts are in the store."""
    kept = store.kept(*by)
    pairs = [(kept[sample.key].digest, digest(sample.gold)) for sample in samples]
    columns: dict[str, list[float]] = {}
    for measure in MEASURES:
        known = store.scores(VERSIONS[measure])
        missing = {pair: sample for pair, sample in zip(pairs, samples, strict=True) if pair not in known}
        if missing:
            texts = {pair: (store.text(*by, sample.key), sample.gold) for pair, sample in missing.items()}
            known |= _measure(store, jobs, measure, texts, progress)
        scores = [known[pair] for pair in pairs]
        columns |= {f"{measure}_{part}": [getattr(score, part) for score in scores] for part in ("precision", "recall", "f1")}
    record = {
        "page": [sample.id for sample in samples],
        "kind": [sample.kind for sample in samples],
        "version": [by[1]] * len(samples),
        "failure": [kept[sample.key].failure for sample in samples],
        "cpu": [kept[sample.key].cpu for sample in samples],
    }
    return pd.DataFrame(record | columns)


def _measure(store: Store, jobs: int, measure: str, texts: Mapping[Pair, Pair], progress: Progress) -> dict[Pair, Score]:
    """Return and keep the scores of texts against gold texts."""
    found: dict[Pair, Score] = {}
    task = progress.add_task(f"scoring by {measure}", total=len(texts))
    every = list(texts.items())
    parts = [every[start : start + BATCH] for start in range(0, len(every), BATCH)]
    with ProcessPoolExecutor(min(jobs, len(parts))) as pool:
        for part in pool.map(_measure_part, [measure] * len(parts), parts):
            store.keep_scores(VERSIONS[measure], part)
            found |= part
            progress.advance(task, len(part))
    progress.remove_task(task)
    return found


def _measure_part(measure: str, texts: Sequence[tuple[Pair, Pair]]) -> dict[Pair, Score]:
    return {key: MEASURES[measure](text, gold) for key, (text, gold) in texts}


MEBIBYTE = 1 << 20
OFTEN = 1.0
"""Seconds between two writes: what a kill can lose."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Options of a run."""

    extractors: Sequence[str]
    sets: Sequence[str] = ()
    data: Path | None = None
    cache: Path | None = None
    jobs: int = 1
    python: Path = Path(sys.executable)
    limits: Limits = field(default_factory=Limits)


def run(plan: Plan) -> int:
    """Extract, score, and write the results. Return 0 also if pages failed: failures are results.

    Raises `Rejected` for a name of none, and for an extractor that was named and does not start; of a group it is left out with a word.
    """
    folder = data_folder(plan.data)
    names = find_sets(plan.sets, folder)
    console = Console(stderr=True, highlight=False)
    workers = Workers(plan.jobs, plan.python, plan.limits)
    ready = list(_versions(plan, console))
    cache = plan.cache or default_cache()
    with Store(cache) as store, _progress(console) as progress:
        for name in names:
            samples = list(read_samples(name, folder))
            for extractor, version in ready:
                _extract(store, workers, extractor, version, samples, progress)
                frame = score_samples(store, plan.jobs, (extractor.name, version), samples, progress)
                write_results(cache, name, extractor.name, frame)
                progress.console.print(_describe(name, extractor, frame), soft_wrap=True)
    return 0


def _versions(plan: Plan, console: Console) -> Iterator[tuple[Extractor, str]]:
    for extractor in find_extractors(plan.extractors):
        try:
            yield extractor, version_under(extractor, plan.python, plan.limits)
        except Rejected as error:
            if extractor.name in plan.extractors or not any(name in GROUPS for name in plan.extractors):
                raise
            console.print(f"left out: {escape(str(error))}", soft_wrap=True)


def _extract(store: Store, workers: Workers, extractor: Extractor, version: str, samples: Sequence[Sample], progress: Progress) -> None:
    """Extract the pages that the store does not have yet."""
    kept = store.kept(extractor.name, version)
    pages = {sample.key: PageTask(sample.key, sample.html, sample.url) for sample in samples}
    missing = [page for key, page in pages.items() if key not in kept]
    if not missing:
        return
    task = progress.add_task(f"{samples[0].data}: {extractor.name}", total=len(pages), completed=len(pages) - len(missing))
    waiting: list[tuple[str, Extraction]] = []
    written = time.monotonic()
    try:
        with closing(workers.extract(extractor, missing)) as found:
            for each in found:
                waiting.append(each)
                progress.advance(task)
                if time.monotonic() - written > OFTEN:
                    store.keep(extractor.name, version, waiting)
                    waiting, written = [], time.monotonic()
    finally:
        store.keep(extractor.name, version, waiting)
        progress.remove_task(task)


def _describe(name: str, extractor: Extractor, frame: pd.DataFrame) -> str:
    failures = Counter(failure.split(":")[0] for failure in frame["failure"] if failure)
    counts = ", ".join(f"{number} {kind}" for kind, number in failures.most_common())
    return escape(
        f"{name}: {extractor.name} {frame['version'].iloc[0]}: {len(frame)} pages, ROUGE-LSum {frame['rouge_f1'].mean():.3f}, "
        f"words {frame['words_f1'].mean():.3f}, {1000 * frame['cpu'].median():.1f} ms of CPU (median), failures: {counts or 'none'}"
    )


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, disable=not console.is_terminal)


def _plan(options: argparse.Namespace) -> Plan:
    limits = Limits(options.cpu, options.memory * MEBIBYTE)
    return Plan(options.extractors, options.sets, options.data, options.cache, max(options.jobs, 1), options.python, limits)


def _add_options(parser: argparse.ArgumentParser) -> None:
    text = "names, the groups ours, peers and all, or module:function"
    parser.add_argument("extractors", nargs="+", metavar="EXTRACTOR", help=text)
    add_python(parser)
    parser.add_argument("--cpu", type=float, default=Limits().cpu, metavar="S", help="CPU seconds per page (default: %(default)g)")
    parser.add_argument("--memory", type=int, default=Limits().memory // MEBIBYTE, metavar="MIB", help="(default: %(default)s)")
    add_cache(parser)
    add_jobs(parser)


COMMAND = Command(
    "run", "run extractors over data sets, as far as that was not done before", lambda options: run(_plan(options)), _add_options
)
