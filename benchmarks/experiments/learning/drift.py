"""Detection of changed sites from new pages. False alarms on the same template, and what is noticed of redesigns.

The authors' seven sites are learned by one half of their pages, and the other half is read: as it is, redesigned in several ways, and
pages of the other sites. The templates of the demo site are redesigns of one another. "Wrong" means a character F1 below 0.9 against the
site's own article containers, or the demo site's gold labels.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.spider import SITES, read_site, reference_labels
from benchmarks.experiments.learning.demo import TEMPLATES, gold_labels, render_demo
from benchmarks.experiments.learning.redesigns import REDESIGNS, rebuild_only
from sightread.classify.evaluation import character_score
from sightread.crawler.corpus import Corpus
from sightread.data.demo import article_paths
from sightread.labeling.known_clusters import DRIFT, has_drifted
from sightread.labeling.looks import find_copies
from sightread.models.model_choice import DOM_ONLY, FALLBACK
from sightread.render.labels import THRESHOLD
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.sites import learn as job
from sightread.sites.folders import SiteFolder
from sightread.sites.refresh import RefreshDecision, decide_refresh
from sightread.sites.store import LearnedSite

DIVISIONS = 2
"""Ways to halve the pages of a site."""
WRONG = 0.9
DRAWS = 200
"""Sets of new pages drawn to judge a site by."""
SIZES = (5, 10)
"""Pages in a set."""
OTHERS = 4
"""Pages read of each other site."""

Gold = Sequence[tuple[Page, Labels]]


@dataclass(frozen=True, slots=True)
class Read:
    """How one page was read."""

    strange: bool
    changed: bool
    """Whether it is evidence that the site has changed."""
    section: str
    """The section for which the page counts once with its others; empty if the page counts alone."""
    is_trusted: bool
    """Whether the site's own model reads it."""
    own: float
    """F1 of the site's own model."""
    fallback: float
    """F1 of the model that reads it else."""

    @property
    def taken(self) -> float:
        """F1 of what `auto` gives."""
        return self.own if self.is_trusted else self.fallback


def run(data: Path | None) -> int:
    """Print one row per change.

    Return 1 if more sets of pages than chance allows give a false alarm, or of ten pages miss a change of everything, if a page is wrong
    without a word, or if a refresh is refused that should be taken.
    """
    found: dict[str, list[tuple[LearnedSite, list[Read]]]] = {}
    refreshed: dict[str, list[RefreshDecision]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (old, new) in enumerate(_halves(data_folder(data))):
            learned = _learn(Path(folder) / str(number), [page for page, _ in old])
            for change, pages in new.items():
                found.setdefault(change, []).append((learned, [_read(learned, *page) for page in pages]))
            for change in ("none", "everything"):
                decision = _refresh(Path(folder) / f"{number}-{change}", learned, [page for page, _ in new[change]])
                refreshed.setdefault(change, []).append(decision)
        for number, (name, old, new_pages) in enumerate(_templates()):
            learned = _learn(Path(folder) / f"demo-{number}", [page for page, _ in old])
            found.setdefault(name, []).append((learned, [_read(learned, *page) for page in new_pages]))
    rows = {change: _row(of_change) for change, of_change in found.items()}
    _print(rows, refreshed)
    alarms, missed = max(rows["none"][1:3]), 1 - min(rows["everything"][2], rows["another site"][2])
    refused = any(decision.reason for decisions in refreshed.values() for decision in decisions)
    return int(alarms > DRIFT.most_chance or missed > DRIFT.most_chance or refused or any(row[-1] for row in rows.values()))


def _halves(data: Path) -> Iterator[tuple[Gold, Mapping[str, Gold]]]:
    """Yield one half of a site's pages, and what becomes of the other half by each change."""
    sites = {name: [found.page for found in read_site(data, name)] for name in SITES}
    for name, pages in sites.items():
        golden = [(page, reference_labels(name, page)) for row, page in enumerate(pages) if find_copies(pages).original[row] == row]
        others = [(page, reference_labels(other, page)) for other in SITES if other != name for page in sites[other][:OTHERS]]
        others = [
            (replace(page, final_url=pages[row % len(pages)].final_url), gold) for row, (page, gold) in enumerate(others)
        ]  # in place of the site
        for seed in range(DIVISIONS):
            order = np.random.default_rng(seed).permutation(len(golden))
            old, new = ([golden[row] for row in half] for half in np.array_split(order, 2))
            changed = {change: [(redesign(page), gold) for page, gold in new] for change, redesign in REDESIGNS.items()}
            for change, part in (("the articles alone", 1), ("all but the articles", 0)):
                changed[change] = [(rebuild_only(page, np.flatnonzero(gold == part)), gold) for page, gold in new]
            yield old, {**changed, "another site": others}


def _templates() -> Iterator[tuple[str, Gold, Gold]]:
    """Yield the demo site's pages of one template, and those of another."""
    pages = asyncio.run(render_demo(article_paths()))
    by_name = {name: [(page, gold_labels(page)) for page in pages if name in page.elements[0].classes] for name in TEMPLATES}
    for old in TEMPLATES:
        yield "demo: the same", by_name[old][::2], by_name[old][1::2]
        for new in TEMPLATES:
            if new != old:
                yield "demo: another template", by_name[old], by_name[new]


def _learn(folder: Path, pages: Sequence[Page]) -> LearnedSite:
    site = _site(folder, pages)
    job.label(site)
    job.train(site)
    job.evaluate(site)
    return LearnedSite.load(SiteFolder(folder))


def _site(folder: Path, pages: Sequence[Page]) -> job.Site:
    with Corpus.create(folder, pages[0].url) as corpus:
        for page in pages:
            corpus.append(page)
    return job.Site.open(folder)


def _refresh(folder: Path, old: LearnedSite, pages: Sequence[Page]) -> RefreshDecision:
    _site(folder, pages)
    learned = job.learn_corpus(folder)
    return decide_refresh(old, job.Site.open(folder), learned)


def _read(learned: LearnedSite, page: Page, gold: Labels) -> Read:
    probabilities = learned.model.predict(page).probabilities
    found = learned.familiarity(page, probabilities)
    assert found is not None
    texts = [block.text for block in page.blocks]
    own, other = (
        character_score(values >= THRESHOLD, gold, texts).f1 for values in (probabilities, DOM_ONLY[FALLBACK]().predict(page).relative)
    )
    return Read(found.is_strange, found.is_changed, "" if found.counted_as == found.url else found.counted_as, found.is_trusted, own, other)


def _row(of_change: Sequence[tuple[LearnedSite, Sequence[Read]]]) -> tuple[float, ...]:
    """Return the shares of strange pages, of sets in which a change is detected, of pages read by the fallback; mean F1s; shares of wrong
    pages.
    """
    reads = [read for _, of_site in of_change for read in of_site]
    noticed = [np.mean([_noticed(*pair, size) for pair in of_change]) for size in SIZES]
    return (
        float(np.mean([read.strange for read in reads])),
        *map(float, noticed),
        float(np.mean([not read.is_trusted for read in reads])),
        *(float(np.mean([getattr(read, name) for read in reads])) for name in ("taken", "own", "fallback")),
        float(np.mean([read.taken < WRONG for read in reads])),
        float(np.mean([read.taken < WRONG and not read.strange for read in reads])),
    )


def _noticed(learned: LearnedSite, reads: Sequence[Read], size: int) -> float:
    """Return in how many of the sets of `size` pages, drawn with replacement, the site is detected as changed."""
    assert learned.site_evaluation and learned.site_evaluation.usual
    rate = learned.site_evaluation.usual.odd
    drawn = np.random.default_rng(0).choice(len(reads), (DRAWS, size))
    sets = [{reads[row].section or number: reads[row].changed for number, row in enumerate(of_set)} for of_set in drawn]
    return float(np.mean([has_drifted(sum(evidence.values()), len(evidence), rate) for evidence in sets]))


def _print(rows: Mapping[str, Sequence[float]], refreshed: Mapping[str, Sequence[RefreshDecision]]) -> None:
    head = ("strange", *(f"noticed/{size}" for size in SIZES), "fallback", "F1 auto", "own", FALLBACK, "wrong", "unsaid")
    print(f"{'what is new':24}" + "".join(f"{name:>12}" for name in head))
    for change, row in rows.items():
        print(f"{change:24}" + "".join(f"{value:12.3f}" for value in row))
    for change, decisions in refreshed.items():
        taken = sum(not decision.reason for decision in decisions)
        print(f"refresh, {change} new: {taken} of {len(decisions)} taken, {sum(each.drifted for each in decisions)} detected as changed")
        for decision in decisions:
            if decision.reason:
                print(f"  not taken: {decision.reason}")


COMMAND = Command("drift", "detection of redesigns, and acceptance of refreshes", lambda options: run(options.data))
