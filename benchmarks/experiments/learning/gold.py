"""The whole way without a person, judged by text that people chose: `python -m benchmarks gold`.

Chaos: pages of many hosts, labelled one by one and a host at a time. CleanPortalEval: four portals labelled, learned and extracted. Only
the scores and the ceiling see the gold text.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.commands import Command, add_out
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.spider import read_site
from benchmarks.experiments.learning import chaos_set, portals
from benchmarks.experiments.learning.portals import read_portals
from benchmarks.metrics.outcomes import Outcome, live, mean_f1, of
from benchmarks.report import grid
from sightread.render.files import write_atomically

TARGET = 0.91
"""Mean F1 by words on the live pages of chaos, page by page: what the first trial of relevance with text share gave (0.73 without)."""
BANDS = (0.0, 0.5, 0.75, 0.9, 1.0)
"""Confidence: from 0.75 on labels are used unasked (`sightread.labeling.labels.TRUSTED`)."""
GOOD = 0.9
"""F1 from which on a page counts as right: gold texts differ by as much in what they leave out (captions, author notes, footers)."""
WORST = 10


def run(data: Path | None, out: Path | None) -> int:
    """Print the tables, and write gold.md into the folder `out`, which also keeps the renders.

    Return 1 if chaos, page by page, falls below the target.
    """
    folder = data_folder(data)
    stored = read_portals(folder)
    shown = asyncio.run(portals.render_all(stored, out / "renders" if out else None))
    of_chaos = list(chaos_set.chaos_outcomes(list(read_site(folder, chaos_set.DATA))))
    of_portals = [*portals.portal_outcomes(stored, shown), *portals.peer_outcomes(stored)]
    text = markdown(of_chaos, of_portals)
    print(text)
    if out is not None:
        write_atomically(out / "gold.md", text.encode())
    return int(mean_f1(live(of(of_chaos, chaos_set.LOCAL))) < TARGET)


def markdown(of_chaos: Sequence[Outcome], of_portals: Sequence[Outcome]) -> str:
    """Return all tables."""
    parts = [
        f"## chaos: pages of {_count(of_chaos)} hosts\n\nBy words, in per cent, mean over pages.",
        _chaos_table(of_chaos),
        f"## CleanPortalEval: {_count(of_portals)} portals\n\nF1 by words, in per cent, mean over pages.",
        _portal_table(of_portals),
        f"## Confidence\n\nMean F1 in per cent, how many pages reach {100 * GOOD:.0f}, and of how many.",
        _confidence_table(of_chaos, of_portals),
        f"## The {WORST} pages furthest below the ceiling",
        _worst_table(of_chaos, chaos_set.HOST, chaos_set.CEILING),
        _worst_table(of_portals, portals.LEARNED, portals.CEILING),
        *_failures([*of_chaos, *of_portals]),
    ]
    return "\n\n".join(parts) + "\n"


def _count(outcomes: Sequence[Outcome]) -> int:
    return len({outcome.subject.site for outcome in outcomes})


def _chaos_table(outcomes: Sequence[Outcome]) -> str:
    rows = []
    for method in chaos_set.METHODS:
        everywhere = of(outcomes, method)
        alive = live(everywhere)
        shares = [np.mean([getattr(each.words, part) for each in alive]) if alive else np.nan for part in ("precision", "recall")]
        figures = [mean_f1(everywhere), mean_f1(alive), *shares]
        rows.append([method, str(len(everywhere)), *map(_per_cent, figures), str(_failed(everywhere))])
    return grid(("method", "pages", "F1, all", "F1, live", "P, live", "R, live", "failed"), rows)


def _portal_table(outcomes: Sequence[Outcome]) -> str:
    sites = list(dict.fromkeys(outcome.subject.site for outcome in outcomes))
    rows = []
    for method in portals.METHODS:
        everywhere = of(outcomes, method)
        if not everywhere:  # it is not installed
            continue
        rouge = float(np.mean([each.rouge for each in everywhere]))
        figures = [*(mean_f1(live(of(outcomes, method, site))) for site in sites), mean_f1(live(everywhere)), mean_f1(everywhere), rouge]
        rows.append([method, *map(_per_cent, figures), str(_failed(everywhere))])
    ceilings = of(outcomes, portals.CEILING)
    heads = [f"{site} ({len(live(of(ceilings, portals.CEILING, site)))})" for site in sites]
    sums = (f"with an article ({len(live(ceilings))})", f"all ({len(ceilings)})", "ROUGE-LSum, all", "failed")
    return grid(("method", *heads, *sums), rows)


def _confidence_table(of_chaos: Sequence[Outcome], of_portals: Sequence[Outcome]) -> str:
    """Return one row a band of confidence; a column for each kind of confidence and set of pages."""
    columns = {
        "page's, chaos live, page by page": [
            (each.confidence.page, each) for each in live(of(of_chaos, chaos_set.LOCAL)) if each.confidence
        ],
        "page's, chaos live, by host": [(each.confidence.page, each) for each in live(of(of_chaos, chaos_set.HOST)) if each.confidence],
        "site's, chaos live, by host": [(each.confidence.site, each) for each in live(of(of_chaos, chaos_set.HOST)) if each.confidence],
        "page's, portals with an article": [
            (each.confidence.page, each) for each in live(of(of_portals, portals.LABELS)) if each.confidence
        ],
    }
    rows = []
    for low, high in pairwise(BANDS):
        last = high == BANDS[-1]
        cells = [_band([each for value, each in pairs if low <= value < high or (last and value >= high)]) for pairs in columns.values()]
        rows.append([f"{low:g} to {high:g}", *cells])
    return grid(("confidence", *columns), rows)


def _band(outcomes: Sequence[Outcome]) -> str:
    if not outcomes:
        return "none"
    good = np.mean([outcome.words.f1 >= GOOD for outcome in outcomes])
    return f"{_per_cent(mean_f1(outcomes))}, {100 * good:.0f} %, {len(outcomes)}"


def _worst_table(outcomes: Sequence[Outcome], method: str, ceiling: str) -> str:
    best = {outcome.subject[:3]: outcome.words.f1 for outcome in of(outcomes, ceiling)}
    found = sorted(live(of(outcomes, method)), key=lambda outcome: outcome.words.f1 - best[outcome.subject[:3]])[:WORST]
    rows = []
    for subject, _, words, _, confidence, _ in found:
        figures = (words.precision, words.recall, words.f1, best[subject[:3]])
        confidences = f"{confidence.site:.2f}, {confidence.page:.2f}" if confidence else ""
        rows.append([subject.site, subject.page, *map(_per_cent, figures), confidences])
    return grid((method, "page", "P", "R", "F1", "ceiling", "confidence"), rows)


def _failures(outcomes: Sequence[Outcome]) -> list[str]:
    counted = Counter((outcome.method, outcome.failure) for outcome in outcomes if outcome.failure)
    return [f"{number} x {method}: {failure}" for (method, failure), number in counted.items()]


def _failed(outcomes: Sequence[Outcome]) -> int:
    return sum(bool(outcome.failure) for outcome in outcomes)


def _per_cent(value: float) -> str:
    return "" if np.isnan(value) else f"{100 * value:.1f}"


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_out(parser, "write gold.md there, and keep the renders")


COMMAND = Command(
    "gold",
    "labels and site models against text that people chose, beside others",
    lambda options: run(options.data, options.out),
    _add_options,
)
