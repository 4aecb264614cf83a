"""Training the global models that ship, and their scores on sites that they did not see: WCXB dev, static and rendered, 5 folds by domain.

One model reads static HTML, pages without style sheets and live pages. So it is trained on pages of all three kinds: WCXB dev, every
second page as rendered (most have lost their style sheets), and built sites in varied layouts (`benchmarks.sites.variations`), with
exact gold. Built sites of the part `final` are never trained on. Whatever is learned or chosen, level and slope of the probabilities too,
is learned inside each fold's training pages, so that nothing of a page that is scored was known.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from benchmarks.alignment.gold_labels import align_blocks
from benchmarks.commands import Command, add_out
from benchmarks.datasets import output_paths
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.wcxb_renders import read_rendered
from benchmarks.experiments.wcxb import read_wcxb
from benchmarks.sites.captures import CapturedSite
from benchmarks.sites.variations import capture_variations
from classify.general.dom_view import dom_view
from classify.general.linear import LinearModel
from classify.general.model import GlobalModel
from classify.general.network import FIT
from classify.heuristics.boilerpipe.model import Boilerpipe
from classify.metrics import word_score
from classify.model import Model, Probabilities
from classify.schedule import Schedule, trainer
from classify.training.dataset import FOLDS, Corpus, Example, learn
from render.labels import CONTENT, THRESHOLD, UNKNOWN, Kind
from render.page import Page
from render.static.parse import read_html
from sightread.document.document import build_document

COVERED = 0.5
"""Least share of a block's letters that the gold text holds, of a block to be learned as content; two thirds score the same."""
BUILT_PARTS = ("choose", "calibrate")
BUILT_WEIGHT = 0.5
"""How much a page of a built site counts beside one of WCXB dev: there are 90 sites, and 1,300 domains."""
BANDS = np.arange(0.0, 1.01, 0.1)
"""Of probabilities, for the calibration."""
WORKERS = 2
"""Processes that read and label pages."""
JOBS = 1
"""Folds that are learned at once, each with 10 GB of memory beside the 5 GB that all share."""
CHUNK = 50
"""Pages that a worker reads at a time."""
BAD = 0.5
RENDERED = ", rendered"
WIDTH = 25
"""Of a column that is printed."""
RESAMPLES = 1000
"""Of pages, for the interval of a mean."""

Labels = NDArray[np.int8]
Models = tuple[GlobalModel, LinearModel]


@dataclass(frozen=True, slots=True)
class Gold:
    """A page with what a person chose of it."""

    page: Page
    labels: Labels
    text: str
    kind: Kind | None


class Result(NamedTuple):
    """What a model made of one page."""

    probabilities: Probabilities
    f1: float
    confidence: float
    kind: Kind | None = None
    """The likeliest page type, if the model predicts any."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where training pages come from."""

    data: Path | None
    """The data sets; None for SIGHTREAD_DATA."""
    renders: Path
    """Folder that keeps the pages of WCXB dev as rendered."""
    sites: Path | None = None
    """Folder of `build-sites`; without one, no built sites are learned from."""


def run(sources: Sources, out: Path | None, schedule: Schedule | None = FIT, jobs: int = JOBS) -> int:
    """Print the scores by page type of the models on unseen sites and of Boilerpipe; fit to all pages first, if `out` is given.

    The models are written to the folder `out`, as global.npz and global-linear.npz. Without a schedule, trees do without a network. Raises
    `Unequipped` if PyTorch is missing and a network is wanted.
    """
    if schedule is not None:
        trainer("torch_loop")  # raises at once if PyTorch is missing
    clock = time.perf_counter()
    static, rendered = read_gold(sources.data, sources.renders)
    built = read_built(sources.sites) if sources.sites is not None else []
    corpus = Corpus.of(examples(static, rendered, built))
    print(
        f"{len(static)} pages of WCXB dev and {len(built)} of built sites, {len(corpus.content)} blocks with those of augmented copies",
        flush=True,
    )
    print(f"read, labelled and measured in {time.perf_counter() - clock:.0f} s", flush=True)
    clock = time.perf_counter()
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(jobs, fork, _take, (corpus, static, rendered, schedule)) as pool:
        of_all = pool.submit(_fit_and_save, out) if out is not None else None
        results: dict[str, dict[int, Result]] = {}
        for found in pool.map(_judge_fold, range(FOLDS)):
            for name, of_model in found.items():
                results.setdefault(name, {}).update(of_model)
        files = of_all.result() if of_all is not None else ()
    scores = {name: [of_model[row] for row in range(len(static))] for name, of_model in results.items()}
    scores["boilerpipe"] = [judge(each, Boilerpipe()) for each in static]
    print(f"{FOLDS} folds by domain fitted, read and scored{', all pages fitted to' * bool(files)} in {time.perf_counter() - clock:.0f} s")
    _print_types(static, scores)
    _print_calibration(static, scores[GlobalModel.name])
    _print_guesses(static, scores[GlobalModel.name])
    for file in files:
        print(f"{file}: {file.stat().st_size / 1024:.0f} KiB")
    return 0


def read_gold(data: Path | None, renders: Path) -> tuple[list[Gold], list[Gold]]:
    """Return the pages of WCXB dev as static HTML, and as rendered; what is not in the folder `renders` yet is rendered now."""
    records = list(read_wcxb(data_folder(data)))
    with ProcessPoolExecutor(WORKERS) as pool:
        static = list(pool.map(_read, records, chunksize=CHUNK))
        shown = list(pool.map(_labelled, read_rendered(records, renders), records, chunksize=CHUNK))
    return static, shown


def read_built(sites: Path) -> list[Gold]:
    """Return the varied pages of the built sites that may be learned from; rendered now if they were not yet."""
    captured = capture_variations(sites, BUILT_PARTS)
    with ProcessPoolExecutor(WORKERS) as pool:
        return [gold for found in pool.map(_of_site, captured) for gold in found]


def _of_site(captured: CapturedSite) -> list[Gold]:
    """Return the pages of a built site; their address has the generator for its domain, so that its themes are held out together."""
    found = []
    for page, built in zip(captured.pages, captured.gold, strict=True):
        url = f"https://{captured.site.name}.{captured.site.generator}.example/{built.path}"
        view = replace(dom_view(page).page, url=url, final_url=url)
        found.append(Gold(view, _labels(view, built.gold), built.gold, None))
    return found


def examples(static: Sequence[Gold], rendered: Sequence[Gold], built: Sequence[Gold]) -> list[Example]:
    """Return what is learned from: each page of WCXB dev once, every second one as rendered, then the built pages."""
    mixed = [shown if row % 2 else plain for row, (plain, shown) in enumerate(zip(static, rendered, strict=True))]
    known = [Example(each.page, each.labels, each.kind) for each in mixed]
    return known + [Example(each.page, each.labels, None, BUILT_WEIGHT, has_own_words=False) for each in built]


_TAKEN: list[tuple[Corpus, Sequence[Gold], Sequence[Gold], Schedule | None]] = []
"""In a worker process: what it has from the process that started it, without a copy."""


def _take(*given: object) -> None:
    _TAKEN.append(cast("tuple[Corpus, Sequence[Gold], Sequence[Gold], Schedule | None]", given))


def _judge_fold(number: int) -> dict[str, dict[int, Result]]:
    """Return, by model and view, what models of all other folds make of the pages of WCXB dev in this fold, by row."""
    corpus, static, rendered, schedule = _TAKEN[0]
    rows = np.flatnonzero(corpus.fold[: len(static)] == number).tolist()
    apart = np.zeros(len(corpus.fold), np.bool_)
    apart[rows] = apart[[row + len(corpus.fold) // 2 for row in rows]] = True
    models = fit(corpus.part(~apart), schedule)
    views = {"": static, RENDERED: rendered}
    return {f"{model.name}{end}": {row: judge(view[row], model) for row in rows} for model in models for end, view in views.items()}


def fit(corpus: Corpus, schedule: Schedule | None) -> Models:
    """Return the models of these pages; the linear one is the other's first stage."""
    learned = learn(corpus)
    return GlobalModel().take(corpus, *learned, schedule), LinearModel().take(corpus, *learned)


def _fit_and_save(out: Path) -> list[Path]:
    """Write the models of all pages to a folder, and return the files: they are kept if the folds fail."""
    corpus, _, _, schedule = _TAKEN[0]
    files = []
    for model in fit(corpus, schedule):
        files.append(out / f"{model.name}.npz")
        model.save(files[-1])
    return files


def judge(gold: Gold, model: Model) -> Result:
    """Return the word F1 of the document that a model makes, and what F1 was promised."""
    prediction = model.predict(gold.page)
    types = prediction.page_types
    likeliest = max(types.items(), key=lambda pair: pair[1])[0] if types else None
    document = build_document(gold.page, prediction)
    return Result(prediction.relative, word_score(document.text, gold.text).f1, document.confidence, likeliest)


def _read(record: dict[str, str]) -> Gold:
    return _labelled(read_html(record["html"], record["url"] or ""), record)


def _labelled(page: Page, record: dict[str, str]) -> Gold:
    view = dom_view(page).page
    return Gold(view, _labels(view, record["text"]), record["text"], cast("Kind", record["page_type"]))


def _labels(page: Page, gold: str) -> Labels:
    """Return one label per block; unknown for blocks without a letter or digit, which no alignment finds."""
    texts = [block.text for block in page.blocks]
    has_words = np.array([any(map(str.isalnum, text)) for text in texts], np.bool_)
    return np.where(has_words, align_blocks(texts, gold) >= COVERED, UNKNOWN).astype(np.int8)


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


def _print_guesses(found: Sequence[Gold], results: Sequence[Result]) -> None:
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
    content = np.concatenate([each.labels == CONTENT for each in found]).astype(np.float64)
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
    add_out(parser, "write the models that are fitted to all pages there")
    parser.add_argument("--renders", type=output_paths.folder, required=True, metavar="FOLDER", help="keep the rendered pages there")
    parser.add_argument("--sites", type=Path, metavar="FOLDER", help="learn from the built sites of this folder too (see build-sites)")
    parser.add_argument("--jobs", type=int, default=JOBS, metavar="N", help="folds at once, 10 GB each (default: %(default)s)")
    parser.add_argument("--trees-alone", action="store_true", help="fit no network: needs no PyTorch, and takes less time")


COMMAND = Command(
    "train-global",
    "train the global model, scored on sites not seen",
    lambda options: run(
        Sources(options.data, options.renders, options.sites), options.out, None if options.trees_alone else FIT, options.jobs
    ),
    _add_options,
)
