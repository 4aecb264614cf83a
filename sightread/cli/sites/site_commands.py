"""The steps of `sightread learn` on a crawled site: `label`, `train` and `evaluate`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.evaluation import Evaluation
from sightread.classify.model import Model, Prediction
from sightread.classify.site.model import SiteModel
from sightread.cli.options.options import EvaluateCommand, LabelCommand, TrainCommand
from sightread.cli.output import print_result
from sightread.labeling.registry import find_labeler
from sightread.models.model_choice import DOM_ONLY, check_name
from sightread.render.errors import Rejected, quoted
from sightread.render.page import Page
from sightread.sites import learn as job
from sightread.sites.catalog import find_site, look_up_site
from sightread.sites.folders import SiteHome


class AsShipped:
    """Any named model as it ships, for `evaluate`."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Return the model unchanged."""
        return self

    def predict(self, page: Page) -> Prediction:
        """Return the model's prediction for the page."""
        return self._model.predict(page)


async def label(options: LabelCommand) -> int:
    """Label the blocks of a crawled site."""
    labeler = find_labeler(options.labeler)
    site = job.Site.open(_folder(options.step))
    labels = await asyncio.to_thread(job.label, site, labeler)
    confidence = labels.confidence
    print_result(
        {
            "labels": str(site.folder.labels),
            "pages": len(site.pages),
            "clusters": len(labels.clusters),
            "content_clusters": sum(cluster.is_content for cluster in labels.clusters),
            "templates": len(labels.templates),
            "confidence": round(confidence.value, 4),
            "advice": list(confidence.advice),
        },
        json=options.step.json,
    )
    return 0


async def train(options: TrainCommand) -> int:
    """Train a site's model."""
    site = job.Site.open(_folder(options))
    model = await asyncio.to_thread(job.train, site)
    print_result({"model": str(site.folder.model), "pages": model.pages}, json=options.json)
    return 0


async def evaluate(options: EvaluateCommand) -> int:
    """Cross-validate a model by page; of the site's own model, also write the articles and the report."""
    named = DOM_ONLY.get(options.model)
    if named is None and options.model != SiteModel.name:
        check_name(options.model)
        raise Rejected(f"{quoted(options.model)} is not a single model: evaluate site, or one of {', '.join(DOM_ONLY)}")
    make = partial(AsShipped, named()) if named else SiteModel
    site = job.Site.open(_folder(options.step))
    predictions = None if named else await asyncio.to_thread(job.predict_site, site.pages)
    evaluation = await asyncio.to_thread(job.evaluate, site, make, options.folds, predictions)
    if predictions is not None and site.folder.model.is_file():  # the last step: what `learn` writes too
        await asyncio.to_thread(job.write_results, site, site.labels(), evaluation, site.model(), predictions)
    site_evaluation = None if named else site.folder.read_evaluation()
    trust = (
        {
            "expected_f1": round(site_evaluation.expected_f1, 4),
            "trusted": not site_evaluation.distrust_reason,
            "doubt": site_evaluation.distrust_reason,
        }
        if site_evaluation
        else {}
    )
    print_result({"model": options.model} | _scores(evaluation) | trust, json=options.step.json)
    return 0


async def report(options: TrainCommand) -> int:
    """Write the articles and the report of a site again."""
    site = job.Site.open(_folder(options))
    await asyncio.to_thread(job.report, site)
    folder = site.folder
    articles = {"articles": str(folder.articles), "article_lines": str(folder.article_lines)} if folder.model.is_file() else {}
    print_result({"report": str(folder.report), "pages": len(site.pages)} | articles, json=options.json)
    return 0


def _scores(evaluation: Evaluation) -> dict[str, Any]:
    score = evaluation.score
    return {
        "precision": round(score.precision, 4),
        "recall": round(score.recall, 4),
        "f1": round(score.f1, 4),
        "fold_f1": [round(fold.f1, 4) for fold in evaluation.folds],
        "mean_fold_f1": round(float(np.mean([fold.f1 for fold in evaluation.folds])), 4),
    }


def _folder(options: TrainCommand) -> Path:
    return site_folder(options.folder, options.home)


def site_folder(name: str, home: Path | None) -> Path:
    """Return the version folder that a command names, by path or by site."""
    path = Path(name)
    if path.is_dir() or ("/" in name and "://" not in name):
        return version_in_use(path)
    site, is_url = look_up_site(name, home), "://" in name
    if site and site.current:
        return site.current.path
    with suppress(Rejected):
        crawled = SiteHome.of(name if is_url else f"https://{name}", home).path
        if crawled.is_dir():
            return crawled
    return find_site(name, home).path if is_url else path


def version_in_use(folder: Path) -> Path:
    """Return the version in use if the folder is a site's home, else the folder itself."""
    current = SiteHome(folder).current
    return current.path if current else folder
