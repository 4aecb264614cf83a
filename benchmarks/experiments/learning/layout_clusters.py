"""Per-site learning by host beside learning by layout: pages of built sites in one pile, grouped in several ways, each group learned alike.

The pile has what the ways differ in: two hosts with one theme, half of its pages each; two sites of different generators on one host; and
sites with one host each. Layouts are clustered as large pipelines do it: a vector of the page's tag paths, cosine distance, and
agglomerative clustering with a largest distance, over the whole pile.

Every figure is the word F1 of a page's document against its gold text. Learning is that of `sightread learn`. A group's own model, if it is
trusted, reads pages of folds that it was not trained on; else the global model reads them.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import AgglomerativeClustering
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import adjusted_rand_score

from benchmarks.commands import Command, add_out, add_pages
from benchmarks.datasets.samples import at_even_distances
from benchmarks.metrics.means import bootstrap
from benchmarks.metrics.words import word_score
from benchmarks.report import grid, publish
from benchmarks.sites.build import read_sites
from benchmarks.sites.captures import capture_sites
from sightread.classify.model import Prediction
from sightread.document.document import build_document
from sightread.document.selection import EVERY_PART, Policy
from sightread.render.errors import Rejected
from sightread.render.page import Page
from sightread.review.workbench import Workbench
from sightread.sites.corrections.records import NO_CORRECTIONS
from sightread.sites.learn import predict_site
from sightread.sites.parts import site_policy

EVERY = 3
"""Of the sites of the parts that choose and calibrate, in their order, one per this number is in the pile, and those below."""
TWO_HOSTS = "hexo-next"
"""Its pages are divided between two hosts, in turn."""
ONE_HOST = ("jekyll-minima", "vitepress-default")
"""A blog and its documentation."""
DISTANCES = (0.2, 0.4, 0.6)
"""Cosine distances up to which clusters are joined; which is best is not known beforehand, so all are reported."""
SHOWN = 12
"""Hosts in the second table."""
LEAST = 10
"""Pages of a group that is learned, as of a batch at least."""


class PiledPage(NamedTuple):
    """A page of the pile."""

    page: Page
    gold: str
    site: str
    host: str


class Outcome(NamedTuple):
    """Result of a way of grouping."""

    way: str
    groups: int
    learned: int
    trusted: int
    f1: NDArray[np.float64]
    """Of each page of the pile."""
    seconds: float
    """Of the CPU: grouping and learning."""


def pile(out: Path, names: Sequence[str], pages: int) -> list[PiledPage]:
    """Return the given number of pages of each site. Raises `Rejected` if a site is missing."""
    found = []
    for site in capture_sites(out, only=names):
        rows = at_even_distances(range(len(site.pages)), pages)
        for place, row in enumerate(rows):
            host = f"{TWO_HOSTS}-{place % 2}" if site.site.name == TWO_HOSTS else site.site.name
            host = "-and-".join(ONE_HOST) if site.site.name in ONE_HOST else host
            found.append(PiledPage(site.pages[row], site.gold[row].gold, site.site.name, host))
    if missing := set(names) - {each.site for each in found}:
        raise Rejected(f"{out}: {', '.join(sorted(missing))} are not there: run build-sites")
    return found


def tag_paths(page: Page, *, with_classes: bool) -> Counter[str]:
    """Return how often each path of tags from the body down occurs among a page's elements; `with_classes` adds the classes of the last."""
    paths: list[str] = []
    found: Counter[str] = Counter()
    for element in page.elements:
        above = paths[element.parent] if 0 <= element.parent < len(paths) else ""
        paths.append(f"{above}/{element.tag}")
        found[paths[-1] + ("." + ".".join(sorted(element.classes)) if with_classes and element.classes else "")] += 1
    return found


def cluster(pages: Sequence[Page], distance: float, *, with_classes: bool) -> list[int]:
    """Return the number of each page's cluster."""
    counts = DictVectorizer().fit_transform([tag_paths(page, with_classes=with_classes) for page in pages])
    vectors = TfidfTransformer(use_idf=False, sublinear_tf=True).fit_transform(counts)  # of length 1
    distances = np.clip(1 - (vectors @ vectors.T).toarray(), 0, None)
    grouping = AgglomerativeClustering(None, metric="precomputed", linkage="average", distance_threshold=distance)
    return [int(label) for label in grouping.fit_predict(distances)]


def piled_sites(out: Path) -> list[str]:
    """Return the names of the sites of the pile."""
    known = [site.name for _, site in read_sites(out) if site.part != "final"]
    return sorted({*known[::EVERY], TWO_HOSTS, *ONE_HOST})


def run(out: Path, names: Sequence[str], pages: int, to: Path | None) -> int:
    """Print a row per way of grouping, and the difference to grouping by host with its interval."""
    piled = pile(out, names or piled_sites(out), pages)
    of_pages = [each.page for each in piled]
    began = time.process_time()
    predictions = predict_site(of_pages)
    seconds = time.process_time() - began
    global_f1 = np.array([_f1(each, found) for each, found in zip(piled, predictions, strict=True)])
    learner = _Learner(piled, global_f1)
    ways: dict[str, Callable[[], Sequence[object]]] = {
        "by host": lambda: [each.host for each in piled],
        "by site, as it was built": lambda: [each.site for each in piled],
    }
    for distance in DISTANCES:
        ways[f"layout: tag paths, {distance:g}"] = partial(cluster, of_pages, distance, with_classes=False)
        ways[f"layout: tag paths with classes, {distance:g}"] = partial(cluster, of_pages, distance, with_classes=True)
    outcomes = [Outcome("global model alone", 0, 0, 0, global_f1, seconds)]
    agreement: dict[str, float] = {}
    for way, group in ways.items():
        began = time.process_time()
        groups = [str(label) for label in group()]
        agreement[way] = adjusted_rand_score([each.site for each in piled], groups)
        outcomes.append(learner.learn(way, groups, time.process_time() - began))
        print(f"{way}: {outcomes[-1].f1.mean():.4f}", flush=True)
    publish("layout-clusters", [_table(outcomes, agreement), _by_host(piled, outcomes)], to)
    return 0


class _Group(NamedTuple):
    """A learned group of pages."""

    is_learned: bool
    f1: dict[int, float]
    """Of the pages that its own model reads, by row of the pile; empty if it is not trusted."""
    seconds: float


class _Learner:
    """Learns groups of pages; a group that several ways have is learned once."""

    def __init__(self, piled: Sequence[PiledPage], global_f1: NDArray[np.float64]) -> None:
        self._piled = piled
        self._global_f1 = global_f1
        self._known: dict[tuple[int, ...], _Group] = {}

    def learn(self, way: str, groups: Sequence[str], seconds: float) -> Outcome:
        """Learn each group that has enough pages, and return the outcome; `seconds` is the CPU time of the grouping."""
        f1 = self._global_f1.copy()
        found = []
        for label in dict.fromkeys(groups):
            rows = tuple(row for row, group in enumerate(groups) if group == label)
            if len(rows) >= LEAST:
                found.append(self._known.get(rows) or self._known.setdefault(rows, self._group(rows)))
                for row, score in found[-1].f1.items():
                    f1[row] = score
        learned, trusted = sum(each.is_learned for each in found), sum(bool(each.f1) for each in found)
        return Outcome(way, len(set(groups)), learned, trusted, f1, seconds + sum(each.seconds for each in found))

    def _group(self, rows: Sequence[int]) -> _Group:
        began = time.process_time()
        try:
            trained = Workbench([self._piled[row].page for row in rows]).train(NO_CORRECTIONS)
        except Rejected:
            return _Group(False, {}, time.process_time() - began)
        seconds = time.process_time() - began
        if trained.site_evaluation.distrust_reason:
            return _Group(True, {}, seconds)
        policy = site_policy(trained.labels.parts)
        pairs = zip(rows, trained.evaluation.held_out, strict=True)
        read = {row: Prediction(found, needs_postprocessing=True) for row, found in pairs if found is not None}
        return _Group(True, {row: _f1(self._piled[row], found, policy) for row, found in read.items()}, seconds)


def _f1(piled: PiledPage, prediction: Prediction, policy: Policy = EVERY_PART) -> float:
    return word_score(build_document(piled.page, prediction, policy=policy).text, piled.gold).f1


def _table(outcomes: Sequence[Outcome], agreement: Mapping[str, float]) -> str:
    reference = next(each for each in outcomes if each.way == "by host").f1
    head = ("grouped", "groups", "learned", "trusted", "like the sites (ARI)", "word F1", "minus by host", "CPU seconds")
    rows = []
    for each in outcomes:
        gain = bootstrap(list(each.f1 - reference))
        difference = "" if each.way == "by host" else f"{gain.mean:+.4f} [{gain.low:+.4f}, {gain.high:+.4f}]"
        ari = f"{agreement[each.way]:.2f}" if each.way in agreement else ""
        counts = (f"{each.groups or ''}", f"{each.learned or ''}", f"{each.trusted or ''}")
        rows.append((each.way, *counts, ari, f"{each.f1.mean():.4f}", difference, f"{each.seconds:.0f}"))
    return grid(head, rows)


def _by_host(piled: Sequence[PiledPage], outcomes: Sequence[Outcome]) -> str:
    """Return the word F1 of the hosts that differ most between grouping by host and the best layout."""
    layouts = [each for each in outcomes if each.way.startswith("layout")]
    chosen = [*(each for each in outcomes if not each.way.startswith("layout")), max(layouts, key=lambda each: each.f1.mean())]
    rows = []
    for host in dict.fromkeys(each.host for each in piled):
        of_host = np.array([each.host == host for each in piled])
        means = [float(each.f1[of_host].mean()) for each in chosen]
        rows.append((abs(means[-1] - means[1]), (host, f"{of_host.sum()}", *(f"{mean:.3f}" for mean in means))))
    rows.sort(key=lambda row: -row[0])
    return grid(("host", "pages", *(each.way for each in chosen)), [row for _, row in rows[:SHOWN]])


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sites", type=Path, metavar="SITES", help="the folder of build-sites")
    parser.add_argument("--only", nargs="+", default=[], metavar="SITE", help="sites of the pile (default: one in three)")
    add_pages(parser, 25, "of each site, at even distances")
    add_out(parser, "write layout-clusters.md there")


COMMAND = Command(
    "layout-clusters",
    "learning by host beside learning by clusters of pages with one layout, and the global model",
    lambda options: run(options.sites, options.only, options.pages, options.out),
    _add_options,
    needs_data=False,
)
