"""Training the global model that ships, and its scores on sites that it did not see: WCXB dev, static, 5 folds by domain, in one go.

All parameters are learned inside each fold's training pages, so that nothing of a page that is scored was known. Pages of built sites are
learned from beside them: their templates, not their text, which is generated. They have folds too, by generator, so that every built site
has a model that never saw its generator (`fold_model`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.commands import Command, add_out, output_folder
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.wcxb import read_rendered, read_wcxb
from benchmarks.metrics.measures import word_score
from benchmarks.sites.built_sites import SiteStore
from benchmarks.training.forecasts import cross_calibrate, report
from benchmarks.training.training_pages import Gold, Lessons, label, read_built, read_labelled, read_lessons, read_made
from sightread.classify.evaluation import domain_folds
from sightread.classify.forecast import Calibration, KnownDocument
from sightread.classify.general.model import FIT, GlobalModel
from sightread.classify.heuristics.boilerpipe import Boilerpipe
from sightread.classify.model import Model, Probabilities
from sightread.classify.training.dataset import TrainingBlocks
from sightread.classify.weights import Schedule, trainer
from sightread.document.document import build_document
from sightread.reading.plain_text import text_of_page
from sightread.render.errors import Rejected
from sightread.render.labels import THRESHOLD, PageType
from sightread.render.network.address import host_of
from sightread.render.page import Page
from sightread.render.static.brief import read_brief

FOLDS = 5
NO_LESSONS = Lessons()
GENERATOR_FOLDS = "generators.json"
"""File of the fold that each generator of built sites is held out in."""
BANDS = np.arange(0.0, 1.01, 0.1)
"""Of probabilities, for the calibration."""
WEIGHT_OF_BUILT = 0.5
"""Of a page of a built site in the calibration of forecasts: its text is generated, and its gold text exact."""
WORKERS = 2
"""Folds that are learned at once, each with up to 11 GB of memory."""
SPAWNED = get_context("spawn")
"""Their processes: one that is forked after PyTorch has run never ends."""
CHUNK = 50
"""Pages that a worker reads at a time."""
BAD = 0.5
RENDERED, FAST = ", rendered", ", fast"
"""Views of the pages: as a browser rendered them, and as `extract_text` reads them."""
WIDTH = 25
"""Of a column that is printed."""
RESAMPLES = 1000
"""Of pages, for the interval of a mean."""


class Result(NamedTuple):
    """Result of a model on one page."""

    probabilities: Probabilities
    f1: float
    confidence: float
    types: Mapping[PageType, float]
    """Probability of each page type; empty if the model does not predict them."""

    @property
    def kind(self) -> PageType | None:
        """The likeliest page type, if the model predicts any."""
        return max(self.types, key=self.types.__getitem__, default=None)


def run(
    data: Path | None,
    out: Path | None,
    sites: SiteStore | None = None,
    renders: Path | None = None,
    schedule: Schedule = FIT,
    teacher: Path | None = None,
    *,
    is_scored: bool = True,
) -> int:
    """Print the scores by page type of the model on unseen sites and of Boilerpipe; fit to all pages meanwhile, if `out` is given.

    The model is written to the folder `out`, as global.npz. With `sites` it learns from pages of the built sites and made ones too, and
    with a `teacher`, the file of a global model, from what that makes of unlabelled pages. Those of the folds read pages as rendered too,
    where `renders` is a folder to keep these in; their results calibrate the forecasts of the model of all pages. Unless `is_scored`, the
    model is fitted to all pages and nothing else is done: it has no forecasts then. Raises `Unequipped` if PyTorch is missing, `Rejected`
    without `out` where nothing is scored.
    """
    if not is_scored and out is None:
        raise Rejected("--fit-alone scores nothing, it writes models: name their folder with --out")
    trainer("torch_loop")  # raises at once if PyTorch is missing
    clock = time.perf_counter()
    records = list(read_wcxb(data_folder(data)))
    built = read_built(sites) if sites is not None else []
    lessons = Lessons(read_made(built), *(read_lessons(data_folder(data), teacher) if teacher is not None else ()))
    with ProcessPoolExecutor(WORKERS, SPAWNED) as pool:
        found = list(pool.map(read_labelled, records, chunksize=CHUNK))
        brief = [replace(gold, page=read_brief(record["html"], gold.page.url)) for gold, record in zip(found, records, strict=True)]
    domains = len({*domain_folds([each.page for each in found], len(found))})
    blocks = sum(len(each.labels) for each in found)
    print(f"{len(found)} pages of {domains} domains, {blocks} blocks read and labelled in {time.perf_counter() - clock:.0f} s", flush=True)
    if built:
        print(f"{len(built)} pages of built sites beside them, {sum(len(each.labels) for each in built)} blocks", flush=True)
        print(f"{len(lessons.made)} made pages", flush=True)
    if lessons.teacher is not None:
        print(f"{len(lessons.pages)} pages without labels", flush=True)
    if not is_scored and out is not None:
        print(f"{_fit_and_save([*found, *built], lessons, schedule, out)}: fitted to all pages in {time.perf_counter() - clock:.0f} s")
        return 0
    shown = zip(read_rendered(records, renders), records, strict=True) if renders is not None else ()
    rendered = [label(page, record) for page, record in shown]
    clock = time.perf_counter()
    with ProcessPoolExecutor(WORKERS, SPAWNED) as pool:
        of_all = pool.submit(_fit_and_save, [*found, *built], lessons, schedule, out) if out is not None else None
        results = hold_out(found, {RENDERED: rendered, FAST: brief}, pool, schedule, built, lessons, out)
        file = of_all.result() if of_all is not None else None
    calibration = _calibrate([*found, *built], results[GlobalModel.name])
    if file is not None:
        model = GlobalModel.load(file)
        model.calibration = calibration
        model.save(file)
    of_built = {name: of_model[len(found) :] for name, of_model in results.items() if "," not in name}
    results = {name: of_model[: len(found)] for name, of_model in results.items()}
    results["boilerpipe"] = [score_model(each, Boilerpipe()) for each in found]
    done = "fitted, read and scored" + ", all pages fitted to" * (file is not None)
    print(f"{FOLDS} folds by domain {done} in {time.perf_counter() - clock:.0f} s")
    _print_types(found, results)
    if built:
        _print_built(built, of_built)
    _print_calibration(found, results[GlobalModel.name])
    _print_page_types(found, results[GlobalModel.name])
    if file is not None:
        print(f"{file}: {file.stat().st_size / 1024:.0f} KiB")
    return 0


def hold_out(
    found: Sequence[Gold],
    others: Mapping[str, Sequence[Gold]],
    pool: Executor,
    schedule: Schedule,
    built: Sequence[Gold] = (),
    lessons: Lessons = NO_LESSONS,
    out: Path | None = None,
) -> dict[str, list[Result]]:
    """Return what is made of each page by models that saw no page of its domain: by model, and of other views of the pages, if any.

    The pages of built sites follow those that were found, in folds by generator; they have no other views. The models of each fold
    are written to the folder `out`, for `fold_model`.
    """
    everything = [*found, *built]
    fold = np.concatenate([domain_folds([each.page for each in part], FOLDS) for part in (found, built)])
    numbers = np.unique(fold).tolist()
    held_out_rows = [np.flatnonzero(fold == number).tolist() for number in numbers]
    known = [[each for each, of_page in zip(everything, fold, strict=True) if of_page != number] for number in numbers]
    views = [
        {"": [everything[row] for row in rows]}
        | {name: [view[row] for row in rows if row < len(found)] for name, view in others.items() if view}
        for rows in held_out_rows
    ]
    folders = [out and fold_folder(out, number) for number in numbers]
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        of_generators = {_generator(each.page): number for each, number in zip(built, fold[len(found) :].tolist(), strict=True)}
        (out / GENERATOR_FOLDS).write_text(json.dumps(of_generators, indent=1))
    results: dict[str, dict[int, Result]] = {}
    scored = pool.map(_score_out_of_fold, known, repeat(lessons), views, repeat(schedule), folders)
    for rows, of_models in zip(held_out_rows, scored, strict=True):
        for name, of_model in of_models.items():
            results.setdefault(name, {}).update(zip(rows, of_model, strict=False))  # those of built sites, behind, have no other views
    return {name: [of_model[row] for row in sorted(of_model)] for name, of_model in results.items()}


def _score_out_of_fold(
    known: Sequence[Gold], lessons: Lessons, views: Mapping[str, Sequence[Gold]], schedule: Schedule, folder: Path | None
) -> dict[str, list[Result]]:
    """Return, by model and view, what is made of pages by models of others, which are written to a folder."""
    model = fit(known, lessons, schedule)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        model.save(folder / f"{model.name}.npz")
    return {
        f"{model.name}{end}": [(score_fast if end == FAST else score_model)(each, model) for each in view] for end, view in views.items()
    }


def fold_folder(out: Path, number: int) -> Path:
    """Return the folder of the models of a fold, within the folder of the models."""
    return out / "folds" / str(number)


def fold_model(out: Path, generator: str) -> GlobalModel:
    """Return the global model that learned from no site of a generator, of those that `train-global --out` wrote to a folder.

    It is the one of all pages for a generator that was not learned from. Raises `Rejected` if the folder has no models of folds.
    """
    try:
        folds: dict[str, int] = json.loads((out / GENERATOR_FOLDS).read_bytes())
    except FileNotFoundError as error:
        raise Rejected(f"{out}: no models of folds: run python -m benchmarks train-global --sites --out {out}") from error
    folder = fold_folder(out, folds[generator]) if generator in folds else out
    return GlobalModel.load(folder / f"{GlobalModel.name}.npz")


def fit(found: Sequence[Gold], lessons: Lessons, schedule: Schedule) -> GlobalModel:
    """Return the model of these pages."""
    given = [*found, *lessons.made]
    training = TrainingBlocks.of(
        [each.page for each in given],
        [each.labels for each in given],
        [each.kind is None for each in given],
        lessons.pages,
        lessons.teacher,
    )
    return GlobalModel().take(training, [each.kind for each in given], schedule)


def _fit_and_save(found: Sequence[Gold], lessons: Lessons, schedule: Schedule, out: Path) -> Path:
    """Write the model of these pages to a folder, and return the file: it is there even if a fold fails."""
    file = out / f"{GlobalModel.name}.npz"
    fit(found, lessons, schedule).save(file)
    return file


def score_model(gold: Gold, model: Model) -> Result:
    """Return the word F1 of the document that a model makes, and what F1 was promised."""
    prediction = model.predict(gold.page)
    document = build_document(gold.page, prediction)
    return Result(prediction.relative, word_score(document.text, gold.text).f1, document.expected_f1, dict(prediction.page_types))


def score_fast(gold: Gold, model: GlobalModel) -> Result:
    """Return the same of the text that `extract_text` makes of it, with this model."""
    if not gold.page.blocks:
        return Result(np.zeros(0), word_score("", gold.text).f1, 0.0, {})
    found = text_of_page(gold.page, model)
    return Result(np.zeros(0), word_score(found.text, gold.text).f1, found.expected_f1, {})


def _calibrate(found: Sequence[Gold], results: Sequence[Result]) -> Calibration:
    """Return the calibration of forecasts by these pages; print whether such forecasts hold on pages of domains that they do not know."""
    rows = [row for row, each in enumerate(results) if each.confidence]  # of an empty document nothing is forecast
    weights = [1.0 if found[row].kind else WEIGHT_OF_BUILT for row in rows]
    documents = [KnownDocument(results[row].confidence, results[row].types, results[row].f1, weights[of]) for of, row in enumerate(rows)]
    forecasts = cross_calibrate(documents, domain_folds([found[row].page for row in rows], FOLDS))
    for name, weight in (("WCXB dev", 1.0), ("built sites", WEIGHT_OF_BUILT)):
        if part := [row for row, of_row in enumerate(weights) if of_row == weight]:
            print(report(name, [documents[row] for row in part], [forecasts[row] for row in part]))
    return Calibration.fit(documents)


def _generator(page: Page) -> str:
    """Return the generator of a page of `read_built`."""
    return host_of(page.url).split(".")[-2]


def _print_built(built: Sequence[Gold], results: Mapping[str, Sequence[Result]]) -> None:
    """Print the mean over built sites of generators that the model did not see."""
    sites = [host_of(each.page.url) for each in built]
    for name, of_model in results.items():
        of_site = [np.mean([result.f1 for result, of in zip(of_model, sites, strict=True) if of == site]) for site in sorted({*sites})]
        low, high = interval(np.array(of_site))
        print(f"{name}: {len(of_site)} built sites of other generators {np.mean(of_site):.3f} [{low:.3f}, {high:.3f}]")


def _print_types(found: Sequence[Gold], results: dict[str, list[Result]]) -> None:
    kinds = sorted({each.kind for each in found if each.kind is not None})
    print(f"{'word F1':14}{'pages':>7}" + "".join(f"{name:>{WIDTH}}" for name in results))
    rows: list[tuple[str, Callable[[Gold], bool]]] = [(kind, lambda gold, kind=kind: gold.kind == kind) for kind in kinds]  # type: ignore[misc]
    for name, is_in in [*rows, ("all", lambda _: True)]:
        inside = [row for row, gold in enumerate(found) if is_in(gold)]
        means = (np.mean([of_model[row].f1 for row in inside]) for of_model in results.values())
        print(f"{name:14}{len(inside):7}" + "".join(f"{mean:{WIDTH}.3f}" for mean in means))
    intervals = (interval(np.array([result.f1 for result in of_model])) for of_model in results.values())
    print(f"{'95 %':21}" + "".join(f"{f'{low:.3f} to {high:.3f}':>{WIDTH}}" for low, high in intervals))


def _print_page_types(found: Sequence[Gold], results: Sequence[Result]) -> None:
    """Print the accuracy of the page type on the pages of each type."""
    rightly = np.array([gold.kind == result.kind for gold, result in zip(found, results, strict=True)])
    kinds = np.array([gold.kind for gold in found])
    shares = ", ".join(f"{kind} {rightly[kinds == kind].mean():.2f}" for kind in sorted(set(kinds.tolist())))
    print(f"page types correct: {rightly.mean():.2f} ({shares})")


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the mean over pages."""
    chance = np.random.default_rng(0)
    means = [values[chance.integers(0, len(values), len(values))].mean() for _ in range(RESAMPLES)]
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def _print_calibration(found: Sequence[Gold], results: Sequence[Result]) -> None:
    """Print what became of the blocks of each band of probability, and of the pages of each tenth of confidence."""
    probabilities = np.concatenate([each.probabilities for each in results])
    content = np.concatenate([each.labels for each in found]).astype(np.float64)
    weights = np.concatenate([[len(block.text) for block in each.page.blocks] for each in found])
    band = np.digitize(probabilities, BANDS[1:-1])
    whole = np.bincount(band, weights)
    means = [np.bincount(band, weights * values) / np.maximum(whole, 1.0) for values in (probabilities, content)]
    print("probability    " + "".join(f"{mean:7.2f}" for mean in means[0]) + "   mean of each tenth, by characters")
    print("is content     " + "".join(f"{mean:7.2f}" for mean in means[1]))
    print(f"calibration error {float(whole @ np.abs(means[0] - means[1]) / whole.sum()):.3f}")
    order = np.argsort([each.confidence for each in results], kind="stable")
    for name, values in (("confidence", [each.confidence for each in results]), ("word F1", [each.f1 for each in results])):
        print(f"{name:15}" + "".join(f"{np.mean(part):7.2f}" for part in np.array_split(np.array(values)[order], 10)))
    f1 = np.array([each.f1 for each in results])
    least = f1[order[: len(order) // 10]]
    print(f"{(least < BAD).sum()} of the {(f1 < BAD).sum()} pages with an F1 under {BAD} are in the tenth of the least confidence")
    empty = [row for row, each in enumerate(results) if not (each.probabilities >= THRESHOLD).any()]
    rightly = sum(not found[row].text.strip() for row in empty)
    print(f"{len(empty)} pages come out empty, {rightly} of them rightly")


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_out(parser, "write the model that is fitted to all pages there")
    parser.add_argument("--sites", action="store_true", help="learn from pages of the built sites too, and from made ones")
    parser.add_argument("--teacher", type=Path, metavar="FILE", help="learn from what this global model makes of unlabelled pages too")
    parser.add_argument("--fit-alone", action="store_true", help="fit to all pages and score nothing; needs --out")
    parser.add_argument("--renders", type=output_folder, metavar="FOLDER", help="score rendered pages too, and keep them there")


COMMAND = Command(
    "train-global",
    "train the global model, scored on sites not seen",
    lambda options: run(
        options.data,
        options.out,
        SiteStore.open(options.data) if options.sites else None,
        options.renders,
        teacher=options.teacher,
        is_scored=not options.fit_alone,
    ),
    _add_options,
)
