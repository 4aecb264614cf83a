"""Built sites (`benchmarks.sites`) learned as `sightread learn` does it: labels, site model and `auto` beside the global model and
other extractors.

Every figure is the word F1 between a page's document and its gold text, averaged over the pages of a site; in scripts without spaces
each character is a word. The site model's predictions of a page are those of the fold that did not see it; `auto` takes them if the site
is trusted and its model believed, else the global model's.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from benchmarks.commands import Command, add_pages, add_python
from benchmarks.datasets.samples import at_even_distances
from benchmarks.extractors.registry import SITE_PEERS, Extractor
from benchmarks.extractors.workers import PageTask, Workers, installed
from benchmarks.metrics.means import bootstrap
from benchmarks.metrics.measures import word_score
from benchmarks.sites.built_sites import BuiltSite, SiteStore, add_sites
from benchmarks.sites.captures import CapturedSite, capture_sites
from benchmarks.training.global_model import fold_model
from sightread.classify.model import Model, Prediction
from sightread.crawler.corpus import Corpus
from sightread.document.document import build_document
from sightread.document.selection import EVERY_PART, Policy
from sightread.labeling.known_clusters import held_out_shares
from sightread.labeling.labels import SiteLabels
from sightread.models.model_choice import DOM_ONLY, FALLBACK, site_policy
from sightread.render.errors import Rejected
from sightread.render.labels import CONTENT, THRESHOLD, UNKNOWN
from sightread.render.page import Page
from sightread.render.static.parse import read_html
from sightread.render.text.words import words
from sightread.sites import learn
from sightread.sites.trust import Familiarity, SiteEvaluation, UsualValues, expected_page_f1, unseen_expected_f1

TOLERANCE = 0.005
"""Word F1 by which `auto` may be below the global model before a site is listed as made worse."""
WAYS = ("labels", "site", "auto", "rendered", "static")
WIDTH = 11
"""Characters of a column."""
LEAST_RENDERED = 0.8
"""Least share of a site's pages that were rendered, of one that is scored: some themes show nothing without scripts from the network."""


class SiteRow(msgspec.Struct, frozen=True):
    """Mean word F1 of the pages of a site, by what extracted them."""

    name: str
    generator: str
    part: str
    pages: int
    labels: float
    site: float
    auto: float
    rendered: float
    """By the global model, from the rendered page."""
    static: float
    """By the global model, from the HTML alone."""
    peers: Mapping[str, float]
    """By other extractors, from the HTML alone."""
    distrust_reason: str = msgspec.field(name="doubt")
    """Why the site's model is not trusted; empty if it is."""
    expected: float
    """The F1 that `learn` expects of the site's model; 0 if nothing could be learned."""
    site_evaluation: SiteEvaluation | None = msgspec.field(name="standing", default=None)
    """Evaluation of the site's model by `learn`; None if nothing could be learned."""

    @property
    def scores(self) -> dict[str, float]:
        """By name of the way."""
        return {name: getattr(self, name) for name in WAYS} | dict(self.peers)


@dataclass(frozen=True, slots=True)
class Peers:
    """Other extractors, and the interpreter that has them."""

    extractors: Sequence[Extractor]
    python: Path

    def f1(self, pages: Sequence[PageTask], gold: Sequence[str]) -> dict[str, float]:
        """Return the mean word F1 of each; a page that one fails or hangs on counts as empty."""
        found = {}
        for extractor in self.extractors:
            texts = dict(Workers(1, self.python).extract(extractor, pages))
            found[extractor.name] = mean_text([texts[page.key].text for page in pages], gold)
        return found


@dataclass(frozen=True, slots=True)
class Options:
    """Pages to learn from, and what reads them."""

    pages: int = 0
    """Pages of each site to learn from, at even distances, 0 for all."""
    python: Path = Path(sys.executable)
    """The interpreter of the peers."""
    models: Path | None = None
    """Folder of `train-global`: the global model is the one that did not learn from the site's generator; without it the shipped one."""
    shuffle: int | None = None
    """Seed of a random order of each site's pages."""


def run(
    store: SiteStore, parts: Sequence[str] = (), only: Sequence[str] = (), options: Options | None = None, rows_to: Path | None = None
) -> int:
    """Print a row per site and the means; the rows are appended to the file `rows_to` as JSON lines, for `python -m benchmarks trust`."""
    options = options or Options()
    if options.pages < 0:
        raise Rejected(f"--pages {options.pages}: a number of pages is wanted, or 0 for all")
    if options.shuffle is not None and options.shuffle < 0:
        raise Rejected(f"--shuffle {options.shuffle}: a seed of 0 or more is wanted")
    sites = store.sites(parts, only)
    peers = Peers(installed(SITE_PEERS, options.python), options.python)
    sites = [each.site for each in capture_sites(store, sites) if len(each.pages) >= LEAST_RENDERED * len(each.site.pages)]
    ways = (*WAYS, *(each.name for each in peers.extractors))
    print(f"{'site':32}{'part':10}{'pages':>6}" + "".join(f"{name[:WIDTH]:>{WIDTH + 1}}" for name in ways) + "  expected")
    with ProcessPoolExecutor(2) as pool:
        rows = []
        for row in pool.map(score_site, repeat(store), sites, repeat(peers), repeat(options)):
            rows.append(row)
            scores = "".join(f"{score:{WIDTH + 1}.3f}" for score in row.scores.values())
            print(
                f"{row.name:32}{row.part:10}{row.pages:6}{scores}  {row.expected:.3f} {'' if row.distrust_reason else 'trusted'}",
                flush=True,
            )
            if rows_to:
                with rows_to.open("ab") as file:
                    file.write(msgspec.json.encode(row) + b"\n")
    for row in rows:
        if row.distrust_reason:
            print(f"{row.name}: not trusted: {row.distrust_reason}")
    for part in sorted({row.part for row in rows}):
        _print_means(part, [row for row in rows if row.part == part])
    return 0


def _print_means(part: str, rows: Sequence[SiteRow]) -> None:
    means = {name: bootstrap([row.scores[name] for row in rows]) for name in rows[0].scores}
    print(f"{part}, mean of {len(rows)} sites: " + ", ".join(f"{name} {mean.mean:.4f}" for name, mean in means.items()))
    gains = [row.auto - row.rendered for row in rows]
    gain = bootstrap(gains)
    print(f"  auto minus global {gain.mean:+.4f} [{gain.low:+.4f}, {gain.high:+.4f}] over resampled sites; least {min(gains):+.4f}")
    trusted = [row for row in rows if not row.distrust_reason]
    worse = [f"{row.name} {row.auto - row.rendered:+.3f}" for row in rows if row.auto < row.rendered - TOLERANCE]
    print(f"  trusted {len(trusted)} of {len(rows)}; worse than global by over {TOLERANCE}: {', '.join(worse) or 'none'}")
    if trusted:
        off = np.mean([abs(row.expected - row.site) for row in trusted])
        print(f"  expected and true F1 of the trusted sites differ by {off:.4f} on average")


def score_site(store: SiteStore, site: BuiltSite, peers: Peers, options: Options) -> SiteRow:
    """Learn one site in a scratch folder, and score every way of reading its pages."""
    captured = capture_sites(store, [site])[0]
    chosen = at_even_distances(range(len(captured.pages)), options.pages or len(captured.pages))
    if options.shuffle is not None:
        chosen = np.random.default_rng(options.shuffle).permutation(chosen).tolist()
    model = fold_model(options.models, site.generator) if options.models is not None else DOM_ONLY[FALLBACK]()
    with tempfile.TemporaryDirectory(prefix="site-scores-") as scratch:
        folder = Path(scratch) / "site"
        with Corpus.create(folder, captured.pages[0].url) as corpus:
            for row in chosen:
                corpus.append(captured.pages[row])
        return _score(captured, chosen, folder, peers, model)


def _score(captured: CapturedSite, chosen: Sequence[int], folder: Path, peers: Peers, model: Model) -> SiteRow:
    pages = [captured.pages[row] for row in chosen]
    gold = [captured.gold[row].gold for row in chosen]
    overall = [model.predict(page) for page in pages]
    learned = learn_pages(captured.site.name, learn.Site.open(folder), overall)
    html = [captured.source(row).decode("utf-8", "replace") for row in chosen]
    static = [read_html(text, page.url) for text, page in zip(html, pages, strict=True)]
    return SiteRow(
        captured.site.name,
        captured.site.generator,
        captured.site.part,
        len(pages),
        mean_f1(pages, learned.labelled, gold, site_policy(())),
        mean_f1(pages, learned.held_out, gold, learned.policy),
        mean_f1(pages, learned.auto, gold, EVERY_PART if learned.distrust_reason else learned.policy),
        mean_f1(pages, overall, gold),
        mean_f1(static, [model.predict(page) for page in static], gold),
        peers.f1([PageTask(str(row), text, page.url) for row, text, page in zip(chosen, html, pages, strict=True)], gold),
        learned.distrust_reason,
        learned.site_evaluation.expected_f1 if learned.site_evaluation else 0.0,
        learned.site_evaluation,
    )


class LearnedPages(NamedTuple):
    """Predictions of the pages of a learned site, those of the global model if nothing could be learned."""

    labelled: Sequence[Prediction]
    """By the labels."""
    held_out: Sequence[Prediction]
    """By the site's model of the fold that did not see the page."""
    auto: Sequence[Prediction]
    """By the site's model of that fold if `auto` takes it, else by the global model."""
    policy: Policy
    distrust_reason: str
    """Why the site's model is not trusted; empty if it is."""
    site_evaluation: SiteEvaluation | None = None
    """None if nothing could be learned."""


def learn_pages(name: str, site: learn.Site, overall: Sequence[Prediction]) -> LearnedPages:
    """Learn a site as `sightread learn` does it, and predict its pages; `overall` are the predictions of the global model."""
    try:
        labels = learn.label(site, predictions=overall)
        learn.train(site)
        evaluation = learn.evaluate(site, predictions=overall)
    except Rejected as error:
        print(f"{name}: not learned: {error}", file=sys.stderr)
        return LearnedPages(overall, overall, overall, EVERY_PART, "not learned")
    site_evaluation = site.folder.read_evaluation()
    assert site_evaluation is not None
    held_out = [
        other if found is None else Prediction(found, needs_headline=True)
        for found, other in zip(evaluation.held_out, overall, strict=True)
    ]
    reason, unseen = site_evaluation.distrust_reason, unseen_expected_f1(site.model())
    auto = [
        found if not reason and is_trusted(page, found, share, unseen, site_evaluation.usual) else other
        for page, found, other, share in zip(site.pages, held_out, overall, held_out_shares(labels.known, site.pages).tolist(), strict=True)
    ]
    return LearnedPages(predictions_of_labels(labels, overall), held_out, auto, site_policy(labels.parts), reason, site_evaluation)


def is_trusted(page: Page, found: Prediction, share: float, unseen: float, usual: UsualValues | None) -> bool:
    """Return whether `auto` has a page that the site's model did not learn from read by it, as it decides for every page."""
    if not (found.relative >= THRESHOLD).any():
        return False
    return usual is None or Familiarity(share, expected_page_f1(page, found.probabilities), unseen, usual).is_trusted


def predictions_of_labels(labels: SiteLabels, overall: Sequence[Prediction]) -> list[Prediction]:
    """Return labels as predictions of each page; pages without labels have those of the global model."""
    return [
        other if (of_page == UNKNOWN).all() else Prediction((of_page == CONTENT).astype(float), needs_headline=True)
        for of_page, other in zip(labels.labels, overall, strict=True)
    ]


def mean_f1(pages: Sequence[Page], predictions: Sequence[Prediction], gold: Sequence[str], policy: Policy = EVERY_PART) -> float:
    """Return the mean word F1 between the documents of predictions and the gold texts."""
    return mean_text([build_document(page, found, policy=policy).text for page, found in zip(pages, predictions, strict=True)], gold)


def mean_text(texts: Sequence[str], gold: Sequence[str]) -> float:
    """Return the mean word F1 between texts and their gold texts."""
    return float(np.mean([word_score(text, of_page, words).f1 for text, of_page in zip(texts, gold, strict=True)]))


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_sites(parser)
    add_python(parser)
    parser.add_argument("--rows", type=Path, metavar="FILE", help="append the rows to FILE as JSON lines, for the command trust")
    parser.add_argument(
        "--models",
        type=Path,
        metavar="FOLDER",
        help="models of train-global --out: for each site the one that did not learn from its generator (default: the shipped one)",
    )
    add_pages(parser, 0, "pages to learn from, at even distances, 0 for all")
    parser.add_argument("--shuffle", type=int, metavar="SEED", help="learn from the pages in a random order (default: that of their names)")


def _run(options: argparse.Namespace) -> int:
    chosen = Options(options.pages, options.python, options.models, options.shuffle)
    return run(SiteStore.open(options.data, options.work), options.part, options.only, chosen, options.rows)


COMMAND = Command("site-scores", "built sites learned as `learn` does it, beside the global model and other extractors", _run, _add_options)
