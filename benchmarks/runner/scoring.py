"""Scores of what extractors returned, a row per page; what the store has is not measured again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor

import pandas as pd
from rich.progress import Progress

from benchmarks.datasets.samples import Sample
from benchmarks.metrics.measures import MEASURES, VERSIONS
from benchmarks.runner.store import Store, digest
from sightread.classify.evaluation import Score

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
