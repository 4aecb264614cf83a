"""The report of a learned site, and what the inspector shows of it."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from sightread.classify.site.model import SiteModel
from sightread.crawler.urls import site_of
from sightread.models.model_choice import FALLBACK, distrust_reason_of
from sightread.sites.learn import Site, SiteResults, advice_for
from sightread.sites.trust import SiteEvaluation
from sightread.viewer.build import Findings
from sightread.viewer.records import FailedPage, FoldScores, JobSummary
from sightread.viewer.report import write_report

STEP = "writing the report"
"""The name of the step in the progress of a job."""


def write_site_report(results: SiteResults) -> None:
    """Write the report into the site's folder. Raises `StorageFailed`."""
    write_report(site_findings(results), results.site.folder.report)


def site_findings(results: SiteResults) -> Findings:
    """Return the results as the viewer shows them; with the global model's predictions also where both models differ.

    Predictions are those of models that did not see the page, if there was one; Markdown is that of the articles.
    """
    site, model, evaluation = results.site, results.model, results.evaluation
    predicted = [model.predict(page).relative for page in site.pages] if model else None
    held_out = evaluation.held_out if evaluation else [None] * len(site.pages)
    overall = results.predictions if predicted else None
    return Findings(
        job=_job_summary(results),
        pages=site.pages,
        pictures=[site.corpus.picture(row) for row in range(len(site.pages))],
        labels=results.labels,
        predictions=[own if other is None else other for own, other in zip(predicted, held_out, strict=True)] if predicted else None,
        overall=[found.relative for found in overall] if overall else None,
        explain=model.explain if model else None,
    ).with_documents(results.articles)


def _job_summary(results: SiteResults) -> JobSummary:
    site, labels = results.site, results.labels
    site_evaluation = site.folder.read_evaluation()
    return JobSummary(
        name=_name(site),
        url=site.corpus.start_url,
        model=_model_summary(results.model, site_evaluation) if results.model else "",
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        folds=tuple(FoldScores(fold.precision, fold.recall, fold.f1) for fold in results.evaluation.folds) if results.evaluation else (),
        failures=tuple(FailedPage(failure.url, failure.reason) for failure in site.corpus.failures),
        distrust_reason=distrust_reason_of(site_evaluation) if results.model else "",
        advice=advice_for(site.folder, site.corpus, labels, site_evaluation) if labels and site_evaluation else (),
    )


def _name(site: Site) -> str:
    """Return the site name of most pages, else the host."""
    names = Counter(meta.content for page in site.pages for meta in page.metas if meta.name == "og:site_name")
    return names.most_common(1)[0][0] if names else site_of(site.corpus.start_url)


def _model_summary(model: SiteModel, site_evaluation: SiteEvaluation | None) -> str:
    if site_evaluation is None or site_evaluation.distrust_reason:
        return FALLBACK
    return f"site model, trained on {model.pages} pages, expected F1 {site_evaluation.expected_f1:.2f}"
