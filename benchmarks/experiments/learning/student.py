"""Learned built sites read without a browser: by the student of the site (`sightread.sites.student`), by the global model, and as `auto`
chooses between them, beside `auto` with a browser.

Every figure is the word F1 between a page's document and its gold text, averaged over the pages of a site. No page is read by a model that
learned from it: the site's model is that of the fold without the page (as in site-scores), and so is the student. A page is also left out
of the agreement of its template, by which `auto` chooses.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.commands import Command
from benchmarks.experiments.learning.demo import gold_labels, render_demo
from benchmarks.experiments.learning.site_scores import LEAST_RENDERED, TOLERANCE, is_trusted, learn_pages, mean_text
from benchmarks.metrics.means import bootstrap
from benchmarks.sites.built_sites import BuiltPage, BuiltSite, SiteStore, add_sites
from benchmarks.sites.captures import CapturedSite, capture_sites
from sightread.crawler.corpus import Corpus
from sightread.data.demo import article_paths, build_site
from sightread.document.document import Document, build_document
from sightread.labeling.known_clusters import held_out_shares
from sightread.models.model_choice import DOM_ONLY, FALLBACK
from sightread.render.analysis.fallback_text import shows_little
from sightread.render.errors import Rejected
from sightread.render.static.charset import decode_html
from sightread.render.static.parse import read_html
from sightread.sites import learn
from sightread.sites.student import MOST_LOSS, Student, StudentEvaluation, teach, word_f1
from sightread.sites.trust import unseen_expected_f1

WAYS = ("rendered", "auto", "student", "global")
"""`auto` with a browser; and without one: `auto`, the student on all pages, the global model on all pages."""
SCRIPTED = 0.01
"""Word F1 that the student loses against `auto` with a browser, or share of the kept text that the HTML lacks, from which on scripts count
as building or hiding the content of a site."""


@dataclass(frozen=True, slots=True)
class StudentRow:
    """A learned site."""

    name: str
    part: str
    f1: Mapping[str, float]
    """By way."""
    evaluation: StudentEvaluation
    pages: int
    left: int
    """Pages that `auto` without a browser leaves to the global model: they need a browser."""
    loss: float
    """Word F1 that the student loses against the rendered reading, on the pages that it reads."""

    @property
    def is_scripted(self) -> bool:
        """Whether scripts build or hide content of the site."""
        return self.f1["student"] < self.f1["rendered"] - SCRIPTED or self.evaluation.brought > SCRIPTED


def run(store: SiteStore, parts: Sequence[str], only: Sequence[str], processes: int) -> int:
    """Print a row per site, the means and what falls short; return 1 if a site whose scripts matter is read by its student at a loss."""
    head = "".join(f"{way:>9}" for way in WAYS)
    print(f"{'site':32}{'part':10}{head}  agreement  brought   hidden  need a browser", flush=True)
    captured = [each for each in capture_sites(store, store.sites(parts, only)) if len(each.pages) >= LEAST_RENDERED * len(each.site.pages)]
    rows = []
    with tempfile.TemporaryDirectory(prefix="student-demo-") as folder, ProcessPoolExecutor(processes) as pool:
        for row in pool.map(read_site, (_demo(Path(folder)), *captured)):
            if row is not None:
                rows.append(row)
                _print_row(row)
    _print_means([row for row in rows if row.part != "demo"])
    return int(any(row.loss > SCRIPTED for row in rows))


def _print_row(row: StudentRow) -> None:
    found = row.evaluation
    scores = "".join(f"{row.f1[way]:9.3f}" for way in WAYS)
    shares = f"{found.f1:11.4f}{found.brought:9.3f}{found.hidden:9.3f}"
    print(f"{row.name:32}{row.part:10}{scores}{shares}  {row.left} of {row.pages}", flush=True)


def _print_means(rows: Sequence[StudentRow]) -> None:
    for name, of_part in (
        *((part, [row for row in rows if row.part == part]) for part in sorted({row.part for row in rows})),
        ("all", rows),
    ):
        means = ", ".join(f"{way} {np.mean([row.f1[way] for row in of_part]):.4f}" for way in WAYS)
        print(f"{name}, mean of {len(of_part)} learned sites: {means}")
        for way in ("rendered", "global"):
            gain = bootstrap([row.f1["auto"] - row.f1[way] for row in of_part])
            print(f"  auto without a browser minus {way} {gain.mean:+.4f} [{gain.low:+.4f}, {gain.high:+.4f}] over resampled sites")
    pages = sum(row.pages for row in rows)
    print(f"{sum(row.left for row in rows) / pages:.1%} of {pages} pages need a browser, on {sum(row.left > 0 for row in rows)} sites")
    agreement = {name: np.mean([getattr(row.evaluation, name) for row in rows]) for name in ("f1", "global_f1")}
    blocks = np.mean([row.evaluation.blocks.f1 for row in rows])
    print(
        "agreement with the visual reading: student {f1:.4f}, global {global_f1:.4f}, ".format(**agreement)
        + f"student by block {blocks:.4f}"
    )
    scripted = [row for row in rows if row.is_scripted]
    print(f"scripts build or hide content ({len(scripted)}): site, student minus rendered, brought, hidden, need a browser, loss on others")
    for row in scripted:
        change, found = row.f1["student"] - row.f1["rendered"], row.evaluation
        print(f"  {row.name}: {change:+.3f}, {found.brought:.3f}, {found.hidden:.3f}, {row.left} of {row.pages}, {row.loss:.3f}")
    lossy = [f"{row.name} {row.loss:.3f}" for row in rows if row.loss > SCRIPTED]
    print(f"read by the student where it loses over {SCRIPTED}: {', '.join(lossy) or 'none'}")
    worse = [row for row in rows if row.f1["auto"] < row.f1["global"] - TOLERANCE]
    print(f"auto without a browser worse than global by over {TOLERANCE} ({len(worse)}): site, difference, that of auto rendered")
    for row in worse:
        print(f"  {row.name}: {row.f1['auto'] - row.f1['global']:+.3f}, {row.f1['rendered'] - row.f1['global']:+.3f}")


def read_site(captured: CapturedSite) -> StudentRow | None:
    """Learn a site in a scratch folder, teach its student, and score the ways; None if its model is not trusted."""
    model, pages = DOM_ONLY[FALLBACK](), captured.pages
    with tempfile.TemporaryDirectory(prefix="student-") as scratch:
        folder = Path(scratch) / "site"
        with Corpus.create(folder, pages[0].url) as corpus:
            for page in pages:
                corpus.append(page)
        site = learn.Site.open(folder)
        learned = learn_pages(captured.site.name, site, [model.predict(page) for page in pages])
        if learned.distrust_reason:
            print(f"{captured.site.name}: not trusted: {learned.distrust_reason}", flush=True)
            return None
        articles = learn.read_articles(site)
    sources = [decode_html(captured.source(row)).text for row in range(len(pages))]
    try:
        student = teach(articles, sources, learned.policy, model)
    except Rejected as error:
        print(f"{captured.site.name}: no student: {error}", flush=True)
        return None
    static = [read_html(html, page.final_url) for html, page in zip(sources, pages, strict=True)]
    overall = [build_document(page, model.predict(page)) for page in static]
    is_read = [*_read_by(student, articles)]
    auto = [own if by_it else other for own, other, by_it in zip(student.documents, overall, is_read, strict=True)]
    rendered = [build_document(page, found, policy=learned.policy) for page, found in zip(pages, learned.auto, strict=True)]
    f1s = {
        way: np.array([mean_text([document.text], [page.gold]) for document, page in zip(documents, captured.gold, strict=True)])
        for way, documents in zip(WAYS, (rendered, auto, student.documents, overall), strict=True)
    }
    loss = float(np.mean((f1s["rendered"] - f1s["student"])[is_read])) if any(is_read) else 0.0
    f1 = {way: float(each.mean()) for way, each in f1s.items()}
    return StudentRow(captured.site.name, captured.site.part, f1, student.evaluation, len(pages), is_read.count(False), loss)


def _read_by(student: Student, articles: Sequence[Document]) -> Iterator[bool]:
    """Yield whether `auto` without a browser has each page read by the student, were it a new page of the site."""
    evaluation, pages = student.evaluation, [document.page for document in student.documents]
    shares, unseen = held_out_shares(student.known, pages), unseen_expected_f1(student.model)
    for page, document, article, share in zip(pages, student.documents, articles, shares.tolist(), strict=True):
        template = evaluation.templates[evaluation.template_of(page)]
        if shows_little(page) or template.pages < 2:
            yield False
            continue
        of_others = (template.f1 * template.pages - word_f1(document, article)) / (template.pages - 1)
        yield of_others >= 1 - MOST_LOSS and is_trusted(page, document.prediction, share, unseen, evaluation.usual)


def _demo(folder: Path) -> CapturedSite:
    """Return the demo site as rendered now, with the text of its gold blocks."""
    paths = article_paths()
    pages, html = asyncio.run(render_demo(paths)), build_site()
    gold = []
    for path, page in zip(paths, pages, strict=True):
        folder.joinpath(name := path.strip("/").replace("/", "-")).write_bytes(html[path].body)
        text = "\n".join(block.text for block, label in zip(page.blocks, gold_labels(page), strict=True) if label)
        gold.append(BuiltPage(name, page.titles[0], text))
    site = BuiltSite("demo", "demo", "demo", "", "", "demo", tuple(gold))
    return CapturedSite(site, folder, tuple(pages), tuple(gold))


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_sites(parser)
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="sites at a time (default: %(default)s)")


COMMAND = Command(
    "student",
    "learned built sites and the demo read without a browser: by the student, by auto and by the global model",
    lambda options: run(SiteStore.open(options.data, options.work), options.part, options.only, options.processes),
    _add_options,
)
