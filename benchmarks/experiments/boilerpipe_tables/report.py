"""The tables of `benchmarks.experiments.boilerpipe_tables.experiments` as Markdown, CSV and a picture, beside what the paper reached."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure

from benchmarks.experiments.boilerpipe_tables.random_writer import STYLE, Writer
from benchmarks.experiments.boilerpipe_tables.weighted_scores import Verdicts
from benchmarks.metrics.grid import grid

BEST_TREE = "tree, all features"
ARTICLE_FILTER = "Algorithm 2, Main Content"
PAPER: Mapping[tuple[str, str], float] = {
    ("Algorithm 1, as published", "f1"): 0.92,
    ("Algorithm 2, as published", "f1"): 0.92,
    (BEST_TREE, "f1"): 0.95,
    (BEST_TREE, "area"): 0.98,
    ("linear SVM, all features", "f1"): 0.95,
}
"""Two classes, by words: what the paper reached."""
PAPER_FOUR = 0.915
"""F1 of the tree of all features, four classes, by words."""
PAPER_TOKENS = 0.959
"""Mean token F1 of a page with the filter Main Content."""
CLASSES = ("boilerplate", "headline", "full text", "supplemental")
SHOWN_GAINS = 30
"""Features in the picture and the table."""
MARK = " ▼"
"""Stands at a figure below the paper's."""


class Row(NamedTuple):
    """One method, number of classes and weighting."""

    classes: int
    by_words: bool
    method: str
    features: int
    scores: Verdicts


class TokenRow(NamedTuple):
    """One method; of each gold the mean F1 of a page, its interval and the median."""

    method: str
    article: tuple[float, float, float, float]
    with_comments: tuple[float, float, float, float]


class Fit(NamedTuple):
    """A random writer and how well it fits."""

    writer: Writer
    explained: float
    error: float


class Cut(NamedTuple):
    """How our blocks and the given ones cover each other."""

    pages: int
    ours: int
    labelled: int
    given: int
    same: int
    pure: int
    found: float


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that was measured."""

    cut: Cut
    rows: Sequence[Row]
    tokens: Sequence[TokenRow]
    gains: Sequence[Mapping[str, float]]
    """Each block counting once, then by words."""
    fits: Sequence[Fit]
    agreed: float
    """Share of labelled blocks that are classified correctly by their likelier stratum."""


def markdown(results: Results) -> str:
    """Return all tables."""
    cut = results.cut
    parts = [
        "## L3S-GN1\n\n"
        f"{cut.pages} pages; {cut.ours} blocks of ours, {cut.labelled} of them labelled by the {cut.given} given ones. {cut.same} are the "
        f"same block, {cut.pure} of those labelled have one label throughout; {100 * cut.found:.2f} % of the given letters were found. "
        "All figures are on our blocks.",
    ]
    for by_words in (True, False):
        weighting = "by words" if by_words else "each block once"
        parts += [f"## Two classes, {weighting}", _two(results, by_words), f"## Four classes, {weighting}", _four(results, by_words)]
    parts += ["## The article of a page, F1 by token", _tokens(results.tokens)]
    parts += ["## Information gain of a feature, in bits", _gains(results.gains), "## The random writer", _writers(results)]
    parts += [f"below the paper: {each}" for each in shortfalls(results)]
    return "\n\n".join(parts) + "\n"


def shortfalls(results: Results) -> list[str]:
    """Return what is below the paper's figures, in words."""
    found = []
    for row in results.rows:
        for part in ("f1", "area"):
            asked = _asked(row, part)
            value = getattr(row.scores, part)
            if asked and value < asked:
                found.append(f"{row.classes} classes, {row.method}: {part} {value:.4f} against {asked}")
    tokens = next(row.article[0] for row in results.tokens if row.method == ARTICLE_FILTER)
    return found + ([f"{ARTICLE_FILTER}: {tokens:.4f} against {PAPER_TOKENS}"] if tokens < PAPER_TOKENS else [])


def as_csv(results: Results) -> str:
    """Return one line a figure."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("table", "method", "weighting", "features", "figure", "value", "paper"))
    for row in results.rows:
        weighting = "words" if row.by_words else "blocks"
        for name, value in _figures(row.scores):
            writer.writerow((f"{row.classes} classes", row.method, weighting, row.features, name, f"{value:.4f}", _asked(row, name) or ""))
    for each in results.tokens:
        for gold, values in (("article", each.article), ("article and comments", each.with_comments)):
            for name, value in zip(("mean", "low", "high", "median"), values, strict=True):
                writer.writerow((f"tokens, {gold}", each.method, "tokens", "", name, f"{value:.4f}", ""))
    for weighting, gains in zip(("blocks", "words"), results.gains, strict=True):
        writer.writerows(("information gain", name, weighting, 1, "bits", f"{value:.4f}", "") for name, value in gains.items())
    for fit in results.fits:
        name = f"random writer, {len(fit.writer.shares)} strata"
        writer.writerow(("random writer", name, "blocks", "", "R2", f"{fit.explained:.4f}", ""))
        writer.writerow(("random writer", name, "blocks", "", "RMSE", f"{fit.error:.5f}", ""))
    return text.getvalue()


def draw_gains(gains: Mapping[str, float]) -> bytes:
    """Return the SVG of the features with the greatest information gain (the paper's Figure 1)."""
    shown = list(gains.items())[:SHOWN_GAINS][::-1]
    with mpl.rc_context(STYLE):
        figure = Figure((5, 5), layout="constrained")
        axes = figure.subplots()
        axes.barh([name for name, _ in shown], [value for _, value in shown], color="#1f6fb4")
        axes.set(xlabel="information gain, bits", ylim=(-0.7, len(shown) - 0.3))
        text = io.BytesIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


def _figures(scores: Verdicts) -> Iterator[tuple[str, float]]:
    for name in ("precision", "recall", "f1", "mean_f1", "false_positives", "area"):
        yield name, getattr(scores, name)
    yield from zip(("low", "high"), scores.interval, strict=True)
    yield from (
        (f"f1 {name}", value) for name, value in zip(CLASSES, scores.by_class, strict=False) if len(scores.by_class) == len(CLASSES)
    )


def _asked(row: Row, part: str) -> float | None:
    if not row.by_words:
        return None
    if row.classes == len(CLASSES):
        return PAPER_FOUR if (row.method, part) == (BEST_TREE, "f1") else None
    return PAPER.get((row.method, part))


def _two(results: Results, by_words: bool) -> str:
    rows = []
    for row in results.rows:
        if row.classes == 2 and row.by_words == by_words:
            scores = row.scores
            f1 = f"{_beside(scores.f1, _asked(row, 'f1'))} [{_short(scores.interval[0])}, {_short(scores.interval[1])}]"
            area = _beside(scores.area, _asked(row, "area"))
            others = (scores.precision, scores.recall)
            rows.append(
                [row.method, str(row.features), *map(_short, others), f1, _short(scores.mean_f1), _short(scores.false_positives), area]
            )
    return grid(("method", "features", "P", "R", "F1 content", "F1 both", "FP rate", "AUC"), rows)


def _four(results: Results, by_words: bool) -> str:
    rows = []
    for row in results.rows:
        if row.classes == len(CLASSES) and row.by_words == by_words:
            scores = row.scores
            f1 = f"{_beside(scores.f1, _asked(row, 'f1'))} [{_short(scores.interval[0])}, {_short(scores.interval[1])}]"
            rows.append([row.method, str(row.features), f1, *map(_short, scores.by_class), _short(scores.area)])
    return grid(("method", "features", "F1", *CLASSES, "AUC"), rows)


def _tokens(rows: Sequence[TokenRow]) -> str:
    lines = []
    for row in rows:
        asked = PAPER_TOKENS if row.method == ARTICLE_FILTER else None
        cells = []
        for (mean, low, high, median), paper in ((row.article, asked), (row.with_comments, None)):
            cells += [f"{_beside(mean, paper)} [{_short(low)}, {_short(high)}]", _short(median)]
        lines.append([row.method, *cells])
    return grid(("method", "article: mean", "median", "article and comments: mean", "median"), lines)


def _gains(gains: Sequence[Mapping[str, float]]) -> str:
    return grid(
        ("feature", "each block once", "by words"), [[n, f"{v:.3f}", f"{gains[1][n]:.3f}"] for n, v in list(gains[0].items())[:SHOWN_GAINS]]
    )


def _writers(results: Results) -> str:
    rows: list[list[Any]] = []
    for fit in results.fits:
        shares = ", ".join(f"{share:.3f}" for share in fit.writer.shares)
        lengths = ", ".join(f"{1 / stop:.1f}" for stop in fit.writer.stops)
        rows.append([str(len(fit.writer.shares)), shares, lengths, f"{fit.explained:.4f}", f"{fit.error:.5f}"])
    table = grid(("strata", "shares of blocks", "mean words", "R²", "RMSE"), rows)
    told = (
        f"The likelier of the two strata alone separates content from boilerplate for {100 * results.agreed:.1f} % of the labelled blocks."
    )
    return f"{table}\n\n{told}"


def _beside(value: float, paper: float | None) -> str:
    return _short(value) if paper is None else f"{_short(value)} ({_short(paper)}){MARK if value < paper else ''}"


def _short(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)
