"""The commands on crawled sites: `label`, `train`, `evaluate` and `report`, the steps of `learn`; `sites`; and `corrections` of one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Self

import msgspec
import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.filesize import decimal
from rich.table import Table

from sightread.batch.inputs.files import is_remote
from sightread.batch.storage import open_storage
from sightread.classify.evaluation import Evaluation
from sightread.classify.model import Model, Prediction
from sightread.classify.site.model import SiteModel
from sightread.cli.commands import CorrectionsCommand, EvaluateCommand, LabelCommand, ReportCommand, SitesCommand, TrainCommand
from sightread.cli.run import print_json, print_message, print_result, write
from sightread.labeling.registry import find_labeler
from sightread.models.model_choice import DOM_ONLY, check_name, refusal_of
from sightread.render.errors import Rejected, SightreadError, quoted
from sightread.render.files import write_atomically
from sightread.render.page import Page
from sightread.sites import learn as job
from sightread.sites.catalog import SiteSummary, find_site, forget_site, list_sites, site_folder, summarise
from sightread.sites.corrections.anchors import anchor_pages
from sightread.sites.corrections.matching import Match, match_corrections
from sightread.sites.corrections.records import (
    Corrections,
    decode_corrections,
    encode_corrections,
    load_corrections,
    save_corrections,
)
from sightread.sites.exchange import export_site, from_label_studio, import_site, newer_sites, to_gold, to_label_studio
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.learn import save_articles
from sightread.sites.student import read_agreement
from sightread.viewer.report import write_site_report


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


async def label(options: LabelCommand) -> None:
    """Label the blocks of a crawled site."""
    labeler = find_labeler(options.labeler)
    site = job.Site.open(site_folder(options.folder, options.home))
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
        json=options.json,
    )


async def train(options: TrainCommand) -> None:
    """Train a site's model."""
    site = job.Site.open(site_folder(options.folder, options.home))
    model = await asyncio.to_thread(job.train, site)
    print_result({"model": str(site.folder.model), "pages": model.pages}, json=options.json)


async def evaluate(options: EvaluateCommand) -> None:
    """Cross-validate a model by page; of the site's own model, also write the articles and the report."""
    named = DOM_ONLY.get(options.model)
    if named is None and options.model != SiteModel.name:
        check_name(options.model)
        raise Rejected(f"{quoted(options.model)} is not a single model: evaluate site, or one of {', '.join(DOM_ONLY)}")
    make = partial(AsShipped, named()) if named else SiteModel
    site = job.Site.open(site_folder(options.folder, options.home))
    predictions = None if named else await asyncio.to_thread(job.predict_site, site.pages)
    evaluation = await asyncio.to_thread(job.evaluate, site, make, options.folds, predictions)
    if predictions is not None and site.folder.model.is_file():  # the last step: what `learn` writes too
        await asyncio.to_thread(write_evaluated, site, evaluation, predictions)
    score, f1s = evaluation.score, [fold.f1 for fold in evaluation.folds]
    result: dict[str, object] = {
        "model": options.model,
        "precision": round(score.precision, 4),
        "recall": round(score.recall, 4),
        "f1": round(score.f1, 4),
        "fold_f1": [round(f1, 4) for f1 in f1s],
        "mean_fold_f1": round(float(np.mean(f1s)), 4),
    }
    if not named and (trust := site.folder.read_evaluation()):
        result |= {"expected_f1": round(trust.expected_f1, 4), "trusted": not trust.distrust_reason, "doubt": trust.distrust_reason}
    print_result(result, json=options.json)


async def report(options: ReportCommand) -> None:
    """Write the articles and the report of a site again."""
    site = job.Site.open(site_folder(options.folder, options.home))
    await asyncio.to_thread(write_again, site)
    folder = site.folder
    articles = {"articles": str(folder.articles), "article_lines": str(folder.article_lines)} if folder.model.is_file() else {}
    print_result({"report": str(folder.report), "pages": len(site.pages)} | articles, json=options.json)


def write_evaluated(site: job.Site, evaluation: Evaluation, predictions: Sequence[Prediction]) -> None:
    """Write the articles and the report of a site that was evaluated just now."""
    articles = job.write_articles(site)
    write_site_report(job.SiteResults(site, site.labels(), evaluation, site.model(), articles, predictions))


def write_again(site: job.Site) -> None:
    """Write the articles and the report from what the site's folder holds; without a model the report alone."""
    results = job.known_results(site)
    if results.model:
        save_articles(site.folder, results.articles)
    write_site_report(results)


async def sites(options: SitesCommand) -> int | None:
    """Do one of the actions on learned sites."""
    name = _checked_name(options)
    match options.action:
        case "list":
            _print_sites(await asyncio.to_thread(lambda: tuple(list_sites(options.home))), json=options.json)
        case "show":
            _print_site(await asyncio.to_thread(find_site, name, options.home), json=options.json)
        case "export":
            site = await asyncio.to_thread(find_site, name, options.home)
            path = options.file or Path(f"{site.path.name}.zip")
            files = await asyncio.to_thread(export_site, site, path)
            print_result({"file": str(path), "files": files}, json=options.json)
        case "import":
            return await asyncio.to_thread(_import, name, options)
        case _:
            site = await asyncio.to_thread(find_site, name, options.home)
            await asyncio.to_thread(forget_site, site)
            print_result({"forgotten": site.name}, json=options.json)
    return None


def _import(name: str, options: SitesCommand) -> int:
    """Import a file, or what is newer in a store; return the exit code of the last site of a store that could not be imported."""
    if not (is_remote(name) or Path(name).is_dir()):
        _print_site(import_site(Path(name), options.home, write_again, is_replacing=options.replace), json=options.json)
        return 0
    code = 0
    for path in newer_sites(open_storage(name), options.home):
        try:
            _print_site(import_site(path, options.home, write_again, is_replacing=True), json=options.json)
        except Rejected as error:
            print_message(str(error))
            code = error.exit_code
    return code


def _checked_name(options: SitesCommand) -> str:
    """Return the site or file that the action needs; empty for a list. Raises `Rejected` for one too few or too many."""
    action, name = options.action, options.site
    if action == "list":
        if name:
            raise Rejected(f"sites list takes no name: to see one site, run: sightread sites show {name}")
        return ""
    if not name:
        raise Rejected(f"sites {action} needs {'a file' if action == 'import' else 'a site'}: sightread sites lists the learned ones")
    if options.file and action != "export":
        raise Rejected(f"sites {action} takes one name, and {quoted(str(options.file))} is one more: leave it out")
    if options.replace and action != "import":
        raise Rejected(f"--replace is for sites import: leave it out of sites {action}")
    return name


def _print_sites(found: Sequence[SiteSummary], *, json: bool) -> None:
    if json:
        print_json(*(_record(summary, json=True) for summary in found))
        return
    if not found:
        write("no site is learned yet: sightread learn SITE\n")
        return
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("site", "pages", "model", "expected F1", "learned", "size"):
        table.add_column(name, justify="right" if name in ("pages", "expected F1", "size") else "left")
    for each in found:
        expected = "" if each.expected_f1 is None else f"{each.expected_f1:.2f}"
        table.add_row(each.name, f"{each.pages}", each.state, expected, each.learned_at[:10], decimal(each.size))
    Console().print(table)


def _print_site(site: SiteHome, *, json: bool) -> None:
    print_result(_record(summarise(site), json=json), json=json)


def without_browser(folder: SiteFolder, *, json: bool) -> dict[str, Any]:
    """Return how the pages of a version are read without a browser: fields in JSON, else one line; empty if it has no model."""
    if not folder.model.is_file():
        return {}
    try:
        evaluation, agreement = folder.read_evaluation(), read_agreement(folder.agreement)
    except SightreadError as error:
        return {"without_browser": {"reason": str(error)} if json else str(error)}
    refusal = refusal_of(evaluation, agreement, rendered=False)
    reason = refusal.message if refusal else ""
    if not json:
        agrees = f"F1 {agreement.f1:.4f} with the rendered pages, {agreement.describe()}" if agreement else ""
        return {"without_browser": reason or agrees}
    fields: dict[str, Any] = {"reason": reason}
    if agreement:
        fields |= {name: round(getattr(agreement, name), 4) for name in ("f1", "global_f1", "brought", "hidden", "seconds")}
        fields |= {"pages": agreement.pages, "pages_needing_browser": agreement.pages_needing_browser}
        needing = sum(template.needs_browser for template in agreement.templates)
        fields |= {"templates": len(agreement.templates), "templates_needing_browser": needing}
    return {"without_browser": fields}


def _record(summary: SiteSummary, *, json: bool) -> dict[str, Any]:
    version = summary.version
    files = {name: str(path) for name, path in (("report", version.report), ("articles", version.article_lines)) if path.is_file()}
    record = {"doubt" if name == "distrust_reason" else name: value for name, value in asdict(summary).items()}
    return {
        **record,
        "version": version.path.name,
        "folder": str(version.path),
        "state": summary.state,
        **without_browser(version, json=json),
        **files,
    }


async def corrections(options: CorrectionsCommand) -> None:
    """Do one of the actions on the corrections of a site."""
    if options.file is None and options.action in ("export", "import"):
        raise Rejected(f"corrections {options.action} needs a file: sightread corrections {options.action} {options.site} FILE")
    if options.file is not None and options.action not in ("export", "import"):
        raise Rejected(f"corrections {options.action} takes no file: leave {options.file} out")
    folder = SiteFolder(site_folder(options.site, options.home))
    if not folder.path.is_dir():
        raise Rejected(f"{options.site}: no learned site has this name, and there is no such folder: sightread sites list shows the sites")
    await asyncio.to_thread(_ACTIONS[options.action], options, folder)


def _list(options: CorrectionsCommand, folder: SiteFolder) -> None:
    matching = job.Site.open(folder.path).matching()
    if options.json:
        print_json(*map(_match_record, matching.matches))
        return
    write(
        "".join(f"{match.correction.id}\t{match.state}\t{match.correction.describe()}\t{match.describe()}\n" for match in matching.matches)
    )
    write(f"{matching.describe() or 'no corrections yet: sightread inspect SITE makes some'}\n")


def _export(options: CorrectionsCommand, folder: SiteFolder) -> None:
    assert options.file is not None
    stored = load_corrections(folder.corrections)
    if options.format == "corrections":
        data = encode_corrections(Corrections(stored.active))
    else:
        site = job.Site.open(folder.path)
        exported = to_gold if options.format == "gold" else to_label_studio
        data = exported(site.pages, site.matching(), site.labels().labels)
    write_atomically(options.file, data)
    print_result({"file": str(options.file), "corrections": len(stored.active)}, json=options.json)


def _import_corrections(options: CorrectionsCommand, folder: SiteFolder) -> None:
    assert options.file is not None
    if options.format == "gold":
        raise Rejected("gold is only exported: import corrections or label-studio")
    site = job.Site.open(folder.path)
    try:
        data = options.file.read_bytes()
    except OSError as error:
        raise Rejected(f"{options.file}: cannot be read: {error.strerror}") from error
    name = str(options.file)
    if options.format == "corrections":
        given = decode_corrections(data, name).active
    else:
        given = from_label_studio(data, site.pages, site.matching(), name)
    stored = load_corrections(folder.corrections)
    for correction in given:
        stored = stored.with_answer(correction)
    save_corrections(folder.corrections, stored)
    matching = match_corrections(anchor_pages(site.pages), Corrections(tuple(given)))
    needing = [f"{match.correction.id}: {match.correction.describe()}: {match.describe()}" for match in matching.needing]
    print_result({"imported": len(given), "matching": matching.describe(), "need you": needing}, json=options.json)


def _step(options: CorrectionsCommand, folder: SiteFolder) -> None:
    """Undo the last correction, or redo the one that was undone last."""
    stored = load_corrections(folder.corrections)
    if options.action == "undo":
        what, moved, changed = "undone", stored.made[-1:], stored.undo()
    else:
        what, moved, changed = "redone", stored.undone[-1:], stored.redo()
    save_corrections(folder.corrections, changed)
    print_result({what: moved[0].describe() if moved else "", "corrections": len(changed.active)}, json=options.json)


def _match_record(match: Match) -> dict[str, Any]:
    blocks = {str(row): list(found) for row, found in match.blocks.items()}
    own = msgspec.to_builtins(match.correction)
    return {"id": match.correction.id, "state": match.state, "anchors": list(match.anchors), "blocks": blocks, "correction": own}


_ACTIONS = {"list": _list, "export": _export, "import": _import_corrections, "undo": _step, "redo": _step}
