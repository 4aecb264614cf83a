"""Learns a site step by step: label, train, evaluate, extract. The caller draws the report (`sightread.viewer.report`).

Every step is a function of the files in the site's folder, and writes its result atomically: a job that was killed is run again and ends
with the same files as one that was not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from sightread.batch.outcome import article_of, article_with_text, with_front_matter
from sightread.classify.evaluation import FOLDS, Evaluation, TooFewPages, cross_validate, score_as
from sightread.classify.model import Learner, Prediction, log_odds
from sightread.classify.site.mixture import better_evaluation
from sightread.classify.site.model import FeatureCache, SiteModel, cache_for
from sightread.crawler.corpus import Corpus, last_begun
from sightread.crawler.journal import read_journal
from sightread.document.document import Document
from sightread.labeling.known_clusters import held_out_shares
from sightread.labeling.label_site import label_site
from sightread.labeling.labels import NO_CHOICES, Choices, SiteLabels, load_labels, load_parts, save_labels
from sightread.labeling.registry import Labeler
from sightread.models.model_choice import DOM_ONLY, FALLBACK, choose_for, site_policy
from sightread.reading import apply_model
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically
from sightread.render.labels import PartKind
from sightread.render.page import Page
from sightread.sites.corrections.anchors import anchor_pages
from sightread.sites.corrections.matching import CorrectedLearner, Matching, confirmed, correct_labels, match_corrections
from sightread.sites.corrections.records import load_corrections
from sightread.sites.folders import SiteFolder
from sightread.sites.store import LearnedSite
from sightread.sites.student import LARGE_LOSS, StudentEvaluation, read_agreement, teach
from sightread.sites.trust import TRUST, SiteEvaluation, expected_page_f1, not_evaluated, supported_share, typical_text, usual_pages

SAME_F1 = 0.995
"""F1 of the global model against a site's labels from which on learning the site gains nothing."""
NOTHING_GAINED = "The global model alone reads these pages nearly the same: learning this site gains little."
SUPPORTED = (
    "Titles and descriptions alone leave open what the content is, and the global model's predictions decide, mostly by their mean for each"
    " look. Both together support {supported:.0%} of the text that the site's model keeps, which is enough."
)
"""In place of the advice of the labels by relevance, if both sources of evidence together are trusted."""
FEWEST_MOVED = 3
"""Least number of visits that led to another site for that to be reported; a quarter of the pages if that is more."""


@dataclass(frozen=True, slots=True)
class Site:
    """A crawled site, read from its folder once."""

    folder: SiteFolder
    corpus: Corpus
    pages: tuple[Page, ...]
    digest: str

    @classmethod
    def open(cls, path: Path) -> Site:
        """Read the corpus. Raises `Rejected` if there is none or it is empty, `BadRecord` if it is damaged."""
        corpus = Corpus.open(path)
        pages = tuple(corpus)
        if not pages:
            raise Rejected(f"{path}: the corpus has no pages yet; crawl the site first")
        return cls(SiteFolder(path), corpus, pages, corpus.digest())

    def labels(self) -> SiteLabels:
        """Return the labels of exactly these pages. Raises `Rejected` if there are none."""
        labels = load_labels(self.folder.labels, self.digest)
        if labels is None:
            raise Rejected(f"{self.folder.path}: its pages have no labels, or have changed since; run: sightread label {self.folder.path}")
        return labels

    def matching(self) -> Matching:
        """Return what the corrections of the site decide on these pages. Raises `BadRecord` for a damaged file."""
        return match_corrections(anchor_pages(self.pages), load_corrections(self.folder.corrections))

    def model(self) -> SiteModel:
        """Return the site's model. Raises `Rejected` if there is none."""
        if not self.folder.model.is_file():
            raise Rejected(f"{self.folder.path}: no model yet; run: sightread train {self.folder.path}")
        return SiteModel.load(self.folder.model)


@dataclass(frozen=True, slots=True)
class SiteResults:
    """Results of a site, as far as it is learned, for its report and for the inspector."""

    site: Site
    labels: SiteLabels | None
    evaluation: Evaluation | None = None
    """None without a model, and with too few pages to hold some out."""
    model: SiteModel | None = None
    articles: Sequence[Document] = ()
    predictions: Sequence[Prediction] | None = None


@dataclass(frozen=True, slots=True)
class Learned:
    """The result of the job."""

    folder: SiteFolder
    pages: int
    failures: int
    labels: SiteLabels
    site_evaluation: SiteEvaluation
    corrections: Matching
    """The results of the site's corrections."""
    results: SiteResults

    @property
    def advice(self) -> tuple[str, ...]:
        """Advice for a better model; empty if there is none."""
        return advice_for(self.folder, Corpus.open(self.folder.path), self.labels, self.site_evaluation)


def advice_for(folder: SiteFolder, corpus: Corpus, labels: SiteLabels, site_evaluation: SiteEvaluation) -> tuple[str, ...]:
    """Return advice for a better model of a site; empty if there is none."""
    of_labels, is_trusted, moved = labels.confidence.advice, not site_evaluation.distrust_reason, moved_advice(corpus)
    if of_labels and labels.combined is not None and is_trusted:
        of_labels = (SUPPORTED.format(supported=site_evaluation.supported),)
    agreement = read_agreement(folder.agreement)
    more = (
        _more_pages(folder, corpus) if not is_trusted and site_evaluation.pages < TRUST.enough_pages else "",
        f"{moved}." if moved else "",
        _needs_browser(agreement) if agreement else "",
        NOTHING_GAINED if is_trusted and (site_evaluation.global_f1 or 0.0) >= SAME_F1 else "",
    )
    return (*of_labels, *filter(None, more))


def _needs_browser(agreement: StudentEvaluation) -> str:
    """Return how many pages need a browser, and why, or that none does though scripts change the text; else empty."""
    if not (needing := agreement.pages_needing_browser):
        is_changed = max(agreement.brought, agreement.hidden) > LARGE_LOSS
        return f"No page needs a browser, though {agreement.cause}: compare some with --render always." if is_changed else ""
    others = "" if needing == agreement.pages else ", and reads most others from their HTML"
    return f"{agreement.describe()}: {agreement.cause}. --render auto renders such pages{others}."


def _more_pages(folder: SiteFolder, corpus: Corpus) -> str:
    """Return how to learn the site from more pages: the crawl may have found all that it was allowed to."""
    begun = last_begun(read_journal(folder.path / "crawl.jsonl").entries)
    found = "1 page" if len(corpus) == 1 else f"{len(corpus)} pages"
    if begun is None or len(corpus) >= begun.pages:
        return f"The site was learned from {found}: crawl more (--pages)."
    return f"The crawl found {found}, {begun.pages} were wanted: start from a page that links to more, or name the pages (--urls)."


def predict_site(pages: Sequence[Page]) -> tuple[Prediction, ...]:
    """Return the global model's predictions of a site's pages: evidence for the labels, and what the site's model is compared with."""
    model = DOM_ONLY[FALLBACK]()
    return tuple(model.predict(page) for page in pages)


def label_pages(
    pages: Sequence[Page],
    labeler: Labeler = label_site,
    predictions: Sequence[Prediction] | None = None,
    choices: Choices = NO_CHOICES,
    matching: Matching | None = None,
) -> SiteLabels:
    """Return the labels of a site's pages, from them and the global model's predictions, which are computed if they are not given.

    Corrections are evidence for the blocks around theirs, and have the last word about their own.
    """
    evidence = confirmed([found.relative for found in predictions or predict_site(pages)], matching.site_labels if matching else None)
    return correct_labels(pages, labeler(pages, predictions=[log_odds(found) for found in evidence], choices=choices), matching)


def label(
    site: Site, labeler: Labeler = label_site, predictions: Sequence[Prediction] | None = None, choices: Choices = NO_CHOICES
) -> SiteLabels:
    """Label the site's blocks and write the labels. Raises `Rejected` if there is nothing to choose from, with the other failures.

    `predictions` are those of `predict_site`; they are computed if they are not given. Earlier choices of the user about parts of
    pages hold, except where `choices` has others.
    """
    try:
        labels = label_pages(site.pages, labeler, predictions, stored_choices(site.folder) | dict(choices), site.matching())
    except Rejected as error:
        raise Rejected(f"{error}{_failed(site.corpus)}") from error
    save_labels(site.folder.labels, labels, site.digest)
    return labels


def stored_choices(folder: SiteFolder) -> dict[PartKind, bool]:
    """Return the parts of pages that the user chose to keep or drop when the site was learned."""
    return {decision.kind: bool(decision.keep) for decision in load_parts(folder.labels) if decision.is_chosen}


def _failed(corpus: Corpus) -> str:
    """Return the number of visits that gave no page, and the reason of the first; empty if all gave one."""
    failures = corpus.failures
    if not failures:
        return ""
    first = failures[0]
    return f"; {len(failures)} {'visit' if len(failures) == 1 else 'visits'} gave no page, the first was {first.url}: {first.reason}"


def moved_advice(corpus: Corpus) -> str:
    """Return advice if many of the visits led to another site, which may hold the articles; else empty."""
    sites = Counter(failure.site for failure in corpus.failures if failure.site)
    if not sites:
        return ""
    site, visits = sites.most_common(1)[0]
    if visits < max(FEWEST_MOVED, len(corpus) / 4):
        return ""
    return f"{visits} of the {len(corpus) + len(corpus.failures)} visits led to {site}: if the articles are there, learn that site"


def train(site: Site) -> SiteModel:
    """Train the site's model on its labels and write it; the evaluation of the former one is removed."""
    model = SiteModel().fit(site.pages, site.labels().labels, site.matching().weights())
    site.folder.evaluation.unlink(missing_ok=True)
    site.folder.remove_student()
    model.save(site.folder.model)
    return model


def evaluate(
    site: Site, make: Callable[[], Learner] = SiteModel, folds: int = FOLDS, predictions: Sequence[Prediction] | None = None
) -> Evaluation:
    """Cross-validate a kind of model by page against the labels.

    The scores of the site's own kind, and of the global model on the same labels, are written to the evaluation file, which `auto` reads.
    They are those of the site's model alone or mixed with the global one, whichever is better (`sightread.classify.site.mixture`).
    """
    labels, matching = site.labels(), site.matching()
    if make is not SiteModel:
        return cross_validate(make, site.pages, labels.labels, folds)
    found = evaluate_pages(site.pages, labels, matching, predictions or predict_site(site.pages), folds, cache_for(site.pages))
    site.folder.save_evaluation(msgspec.structs.replace(found.site_evaluation, corpus=site.digest))
    return found.evaluation


class Evaluated(NamedTuple):
    """The evaluation of a site's model on held-out pages, and what follows from it."""

    evaluation: Evaluation
    site_evaluation: SiteEvaluation


def evaluate_pages(
    pages: Sequence[Page],
    labels: SiteLabels,
    matching: Matching,
    predictions: Sequence[Prediction],
    folds: int = FOLDS,
    cache: FeatureCache | None = None,
) -> Evaluated:
    """Cross-validate the site's own model on pages in memory; nothing is written. The evaluation names no corpus."""
    alone = cross_validate(CorrectedLearner.maker(pages, matching, cache), pages, labels.labels, folds)
    overall = [found.relative for found in predictions]
    evaluation, is_mixed = better_evaluation(alone, pages, overall, labels.labels)
    other = score_as(evaluation, overall, labels.labels)
    site_evaluation = SiteEvaluation(
        pages=sum(held_out is not None for held_out in evaluation.held_out),
        confidence=labels.confidence.value,
        precision=evaluation.score.precision,
        recall=evaluation.score.recall,
        f1=evaluation.score.f1,
        folds=tuple((fold.precision, fold.recall, fold.f1) for fold in evaluation.folds),
        corpus="",
        global_f1=other.score.f1,
        global_folds=tuple(fold.f1 for fold in other.folds),
        supported=supported_share(pages, evaluation, confirmed(overall, matching.labels), labels),
        typical_text=typical_text(pages, evaluation),
        weak=labels.combined.weak if labels.combined else 0.0,
        usual=usual_pages(
            held_out_shares(labels.known, pages),
            [None if found is None else expected_page_f1(page, found) for page, found in zip(pages, alone.held_out, strict=True)],
            [page.final_url for page in pages],
        ),
        is_mixed=is_mixed,
    )
    return Evaluated(evaluation, site_evaluation)


def read_articles(site: Site) -> tuple[Document, ...]:
    """Return the documents that `auto` gives of the site's pages: by the site's model if it is trusted, else by the global one."""
    choice = choose_for(LearnedSite.load(site.folder))
    return tuple(apply_model(choice, page, is_new=False).document for page in site.pages)


def known_results(site: Site) -> SiteResults:
    """Return the results that a site's folder holds so far, at any stage of the job."""
    labels = load_labels(site.folder.labels, site.digest)
    if labels is None or not site.folder.model.is_file():
        return SiteResults(site, labels)
    predictions, evaluation = predict_site(site.pages), None
    with suppress(TooFewPages):
        evaluation = evaluate_pages(site.pages, labels, site.matching(), predictions, cache=cache_for(site.pages)).evaluation
    return SiteResults(site, labels, evaluation, site.model(), read_articles(site), predictions)


def learn_corpus(path: Path, on_step: Callable[[str], None] = lambda _: None, choices: Choices = NO_CHOICES) -> Learned:
    """Label, train, evaluate and extract, from the pages in the folder. Raises `Rejected` if they are not sufficient.

    `choices` are the parts of pages to keep or drop, such as comments, regardless of the evidence.
    """
    on_step("reading the corpus")
    site = Site.open(path)
    try:
        return _learn(site, on_step, choices)
    except Rejected as error:
        if elsewhere := moved_advice(site.corpus):
            raise Rejected(f"{path}: {elsewhere}") from error
        raise


def save_articles(folder: SiteFolder, articles: Sequence[Document]) -> None:
    """Write the Markdown of every page, then an index of all, and last `articles.jsonl` with their text. Raises `StorageFailed`.

    Each file is replaced at once, so a killed job leaves whole files; the next run writes the same ones.
    """
    index, lines = [], []
    for number, document in enumerate(articles, 1):
        path = folder.articles / f"{number:04}.md"
        write_atomically(path, with_front_matter(document, document.markdown).encode())
        index.append(msgspec.json.encode(article_of(document, path.name)) + b"\n")
        lines.append(msgspec.json.encode(article_with_text(document, f"{folder.articles.name}/{path.name}")) + b"\n")
    write_atomically(folder.articles / "index.jsonl", b"".join(index))
    write_atomically(folder.article_lines, b"".join(lines))


def write_articles(site: Site) -> tuple[Document, ...]:
    """Write the articles as `auto` reads them, and the student that they teach, and return the articles. Raises `StorageFailed`."""
    articles = read_articles(site)
    teach_student(site, articles)
    save_articles(site.folder, articles)
    return articles


def write_results(results: SiteResults, site_evaluation: SiteEvaluation) -> None:
    """Write labels, model, evaluation and articles that were made in memory, without a student. Raises `StorageFailed`."""
    site, folder = results.site, results.site.folder
    assert results.labels is not None and results.model is not None
    save_labels(folder.labels, results.labels, site.digest)
    folder.evaluation.unlink(missing_ok=True)
    folder.remove_student()
    results.model.save(folder.model)
    folder.save_evaluation(msgspec.structs.replace(site_evaluation, corpus=site.digest))
    save_articles(folder, results.articles)


def teach_student(site: Site, articles: Sequence[Document]) -> None:
    """Write the student of a site whose model is trusted, if it can be taught, in place of that of an earlier training."""
    site.folder.remove_student()
    evaluation = site.folder.read_evaluation()
    if evaluation is None or evaluation.distrust_reason:
        return
    with suppress(Rejected):
        sources = [site.corpus.html(row) for row in range(len(site.pages))]
        student = teach(articles, sources, site_policy(load_parts(site.folder.labels)), DOM_ONLY[FALLBACK]())
        student.save(site.folder.student, site.folder.agreement)


def _learn(site: Site, on_step: Callable[[str], None], choices: Choices) -> Learned:
    on_step("labelling blocks")
    predictions = predict_site(site.pages)
    labels = label(site, predictions=predictions, choices=choices)
    on_step("training the site's model")
    model = train(site)
    on_step("evaluating on held-out pages")
    try:
        evaluation = evaluate(site, predictions=predictions)
    except TooFewPages:
        evaluation = None
        site.folder.save_evaluation(msgspec.structs.replace(not_evaluated(labels), corpus=site.digest))
    on_step("extracting articles")
    results = SiteResults(site, labels, evaluation, model, write_articles(site), predictions)
    site_evaluation = site.folder.read_evaluation()
    assert site_evaluation is not None
    return Learned(site.folder, len(site.pages), len(site.corpus.failures), labels, site_evaluation, site.matching(), results)
