"""The main job, whole and step by step: crawl a site, label its blocks, train its model, evaluate it, extract its articles, report.

Every step is a function of what lies in the site's folder, and writes its result at once or not at all: a job that was killed is run again
and ends with the same files as one that was not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from classify.document import Document, build_document
from classify.evaluate import FOLDS, Evaluation, cross_validate
from classify.model import Learner
from classify.site import SiteModel
from crawler.corpus import Corpus
from labeling.auto import label_site
from labeling.drift import held_out_shares
from labeling.labelers import Labeler
from labeling.labels import SiteLabels
from labeling.stored import load_labels, save_labels
from render.errors import Rejected
from render.page import Page
from render.storage import write_atomically
from sightread.findings import Findings
from sightread.home import SiteFolder
from sightread.report import write_report
from sightread.standing import Standing, sureness, usual_pages
from sightread.view import Failure, Job, Scores


@dataclass(frozen=True, slots=True)
class Site:
    """A crawled site, read from its folder once."""

    folder: SiteFolder
    corpus: Corpus
    pages: tuple[Page, ...]
    digest: str

    @classmethod
    def open(cls, path: Path) -> Site:
        """Read the corpus. Raises `Rejected` where there is none or it is empty, `BadRecord` where it is damaged."""
        corpus = Corpus.open(path)
        pages = tuple(corpus)
        if not pages:
            raise Rejected(f"{path}: the corpus has no pages yet; crawl the site first")
        return cls(SiteFolder(path), corpus, pages, corpus.digest())

    def labels(self) -> SiteLabels:
        """Return the labels of these very pages. Raises `Rejected` where there are none."""
        labels = load_labels(self.folder.labels, self.digest)
        if labels is None:
            raise Rejected(f"{self.folder.path}: its pages have no labels, or have changed since; run: sightread label {self.folder.path}")
        return labels

    def model(self) -> SiteModel:
        """Return the site's model. Raises `Rejected` where there is none."""
        if not self.folder.model.is_file():
            raise Rejected(f"{self.folder.path}: no model yet; run: sightread train {self.folder.path}")
        return SiteModel.load(self.folder.model)


@dataclass(frozen=True, slots=True)
class Learned:
    """What the job ended with."""

    folder: SiteFolder
    pages: int
    failures: int
    labels: SiteLabels
    standing: Standing


def label(site: Site, labeler: Labeler = label_site) -> SiteLabels:
    """Label the site's blocks and write the labels. Raises `Rejected` where there is nothing to choose from, and says what else failed."""
    try:
        labels = labeler(site.pages)
    except Rejected as error:
        raise Rejected(f"{error}{_failed(site.corpus)}") from error
    save_labels(site.folder.labels, labels, site.digest)
    return labels


def _failed(corpus: Corpus) -> str:
    """Say how many visits gave no page, and why the first did not; empty where all gave one."""
    failures = corpus.failures
    if not failures:
        return ""
    first = failures[0]
    return f"; {len(failures)} {'visit' if len(failures) == 1 else 'visits'} gave no page, the first was {first.url}: {first.reason}"


def train(site: Site) -> SiteModel:
    """Train the site's model on its labels and write it."""
    model = SiteModel().fit(site.pages, site.labels().labels)
    model.save(site.folder.model)
    return model


def evaluate(site: Site, make: Callable[[], Learner] = SiteModel, folds: int = FOLDS) -> Evaluation:
    """Cross-validate a kind of model by page against the labels; how the site's own kind did is written down, for `auto` to go by."""
    labels = site.labels()
    evaluation = cross_validate(make, site.pages, labels.labels, folds)
    if make is SiteModel:
        site.folder.save_standing(
            Standing(
                pages=sum(held_out is not None for held_out in evaluation.held_out),
                confidence=labels.confidence.value,
                precision=evaluation.score.precision,
                recall=evaluation.score.recall,
                f1=evaluation.score.f1,
                folds=tuple((fold.precision, fold.recall, fold.f1) for fold in evaluation.folds),
                corpus=site.digest,
                usual=usual_pages(
                    held_out_shares(labels.known, site.pages),
                    [sureness(page, found) for page, found in zip(site.pages, evaluation.held_out, strict=True) if found is not None],
                ),
            )
        )
    return evaluation


def save_articles(site: Site, found: Findings) -> None:
    """Write the Markdown of every page."""
    for number, markdown in enumerate(found.markdown, 1):
        write_atomically(site.folder.articles / f"{number:04}.md", markdown.encode())


def findings(site: Site, labels: SiteLabels | None, evaluation: Evaluation | None, model: SiteModel | None) -> Findings:
    """Return all that is known of the site, for the report and the inspector.

    Predictions are those of models that did not see the page, wherever there was one; Markdown is what the final model extracts.
    """
    predicted = [model.predict(page) for page in site.pages] if model else None
    held_out = evaluation.held_out if evaluation else [None] * len(site.pages)
    corpus = site.corpus
    return Findings(
        job=Job(
            name=_name(site),
            url=corpus.start_url,
            model=f"site model, trained on {model.pages} pages" if model else "",
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            folds=tuple(Scores(fold.precision, fold.recall, fold.f1) for fold in evaluation.folds) if evaluation else (),
            failures=tuple(Failure(failure.url, failure.reason) for failure in corpus.failures),
        ),
        pages=site.pages,
        pictures=[corpus.picture(row) for row in range(len(site.pages))],
        labels=labels,
        predictions=[own if other is None else other for own, other in zip(predicted, held_out, strict=True)] if predicted else None,
        markdown=[_document(page, own).markdown for page, own in zip(site.pages, predicted, strict=True)] if predicted else (),
        explain=model.explain if model else None,
    )


def _name(site: Site) -> str:
    """Return what most pages call the site, else its host, else its folder's name."""
    names = Counter(meta.content for page in site.pages for meta in page.metas if meta.name == "og:site_name")
    return names.most_common(1)[0][0] if names else urlsplit(site.corpus.start_url).netloc or site.folder.path.name


def _document(page: Page, probabilities: NDArray[np.float64]) -> Document:
    return build_document(page, probabilities, model=SiteModel.name)


def known_findings(path: Path) -> Findings:
    """Return what is known of a site's folder as it is, however far the job has got there."""
    site = Site.open(path)
    labels = load_labels(site.folder.labels, site.digest)
    if labels is None or not site.folder.model.is_file():
        return findings(site, labels, None, None)
    return findings(site, labels, _held_out(site, labels), site.model())


def _held_out(site: Site, labels: SiteLabels) -> Evaluation | None:
    """Return how a model does on pages that it has not seen; None where there are too few to tell."""
    try:
        return cross_validate(SiteModel, site.pages, labels.labels)
    except Rejected:
        return None


def learn_corpus(path: Path, on_step: Callable[[str], None] = lambda _: None) -> Learned:
    """Label, train, evaluate, extract and report, from the pages in the folder."""
    on_step("reading the corpus")
    site = Site.open(path)
    on_step("labelling blocks")
    labels = label(site)
    on_step("training the site's model")
    model = train(site)
    on_step("evaluating on held-out pages")
    evaluation = evaluate(site)
    on_step("extracting articles")
    found = findings(site, labels, evaluation, model)
    save_articles(site, found)
    on_step("writing the report")
    write_report(found, site.folder.report)
    standing = site.folder.standing()
    assert standing is not None
    return Learned(site.folder, len(site.pages), len(site.corpus.failures), labels, standing)
