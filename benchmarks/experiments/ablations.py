"""What boxes and styles are worth to the global model on pages that have them, and what the window's width changes.

Every page of the built sites is read four times by the same model: with boxes and styles, with either, and with neither. The model is
trained with these groups of features left out at random, so each reading is one that it ships for. A second table compares the same pages
rendered in windows of several widths.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.commands import Command, add_out
from benchmarks.metrics.means import bootstrap
from benchmarks.report import grid, publish
from benchmarks.sites.captures import HEIGHT, WIDTH, CapturedSite, capture_sites
from classify.metrics import word_score
from classify.model import Model
from classify.training.dataset import without_browser
from render.errors import Rejected
from render.page import Page
from sightread.document.document import build_document
from sightread.model_choice import DOM_ONLY, FALLBACK

PARTS = ("choose", "calibrate", "final")


def without_boxes(page: Page) -> Page:
    """Return the page with the styles of its blocks alone."""
    return replace(page, blocks=tuple(replace(block, box=None) for block in page.blocks), document=None)


def without_styles(page: Page) -> Page:
    """Return the page with the boxes of its blocks alone."""
    return replace(page, blocks=tuple(replace(block, style=None) for block in page.blocks), styles=(), body_style={})


VIEWS: dict[str, Callable[[Page], Page]] = {
    "boxes and styles": lambda page: page,
    "boxes alone": without_styles,
    "styles alone": without_boxes,
    "neither": without_browser,
}


def run(sites: Path, parts: Sequence[str], widths: Sequence[int], pages: int, out: Path | None) -> int:
    """Print, and write to the folder `out`, the mean word F1 of each view and of each width, with intervals over pages."""
    model = DOM_ONLY[FALLBACK]()
    captured = capture_sites(sites, parts=parts)
    if not captured:
        raise Rejected(f"{sites}: no built sites of the parts {', '.join(parts)}")
    scores = {name: np.array([f1 for site in captured for f1 in _scores(model, site, view)]) for name, view in VIEWS.items()}
    least = scores["neither"]
    rows = [[name, str(bootstrap(values)), str(bootstrap(values - least)) if name != "neither" else ""] for name, values in scores.items()]
    texts = [
        f"{len(least)} pages of {len(captured)} sites ({', '.join(parts)})",
        grid(("read with", "word F1", "less that with neither"), rows),
    ]
    if widths:
        texts.append(_compare_widths(model, sites, [site.site.name for site in captured], widths, pages))
    publish("ablations", texts, out)
    return 0


def _scores(model: Model, captured: CapturedSite, view: Callable[[Page], Page] = lambda page: page) -> list[float]:
    """Return the word F1 of each page's document."""
    shown = [view(page) for page in captured.pages]
    texts = [build_document(page, model.predict(page)).text for page in shown]
    return [word_score(text, built.gold).f1 for text, built in zip(texts, captured.gold, strict=True)]


def _compare_widths(model: Model, sites: Path, names: Sequence[str], widths: Sequence[int], pages: int) -> str:
    """Return a table of the same pages, at even distances over all sites, in windows of several widths."""
    found: dict[int, dict[tuple[str, str], float]] = {}
    for width in (WIDTH, *widths):
        of_width = capture_sites(sites, width, only=names)
        found[width] = {
            (site.site.name, built.path): f1 for site in of_width for built, f1 in zip(site.gold, _scores(model, site), strict=True)
        }
    shared = sorted(set.intersection(*(set(scores) for scores in found.values())))
    chosen = [shared[row] for row in np.linspace(0, len(shared) - 1, min(pages or len(shared), len(shared))).astype(int).tolist()]
    values = {width: np.array([scores[key] for key in chosen]) for width, scores in found.items()}
    rows = [[f"{width} x {HEIGHT}", str(bootstrap(each)), str(bootstrap(each - values[WIDTH]))] for width, each in values.items()]
    return f"{len(chosen)} pages by the width of the window\n\n" + grid(("CSS px", "word F1", f"less that at {WIDTH}"), rows)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sites", type=Path, metavar="SITES", help="the folder of build-sites")
    parser.add_argument("--parts", nargs="+", default=["calibrate"], choices=PARTS, help="parts to read (default: calibrate)")
    parser.add_argument("--widths", nargs="+", type=int, default=[], metavar="PX", help=f"compare these widths with {WIDTH} too")
    parser.add_argument("--pages", type=int, default=0, metavar="N", help="pages that are compared by width (default: all)")
    add_out(parser, "write ablations.md there")


COMMAND = Command(
    "ablations",
    "what boxes and styles are worth to the global model on built sites, and the width of the window",
    lambda options: run(options.sites, options.parts, options.widths, options.pages, options.out),
    _add_options,
    needs_data=False,
)
