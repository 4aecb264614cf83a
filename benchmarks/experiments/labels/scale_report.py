"""The runs of `benchmarks.experiments.labels.scale` as a picture of two growth curves, as a table, and as CSV."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmarks.experiments.labels.scale import PLAIN, TARGET, Run
from benchmarks.report import grid, publish
from sightread.render.files import write_atomically

COLOURS = {"dbscan": "#1f6fb4", "hdbscan": "#d1651a", PLAIN: "#8a8a8a"}
NAMES = {"dbscan": "DBSCAN", "hdbscan": "HDBSCAN", PLAIN: "plain DBSCAN,\nclustering alone"}
NUDGE = {"dbscan": -4, "hdbscan": 0}
"""Points by which a name is moved up: the two curves end close together."""
INK, FAINT = "#222222", "#d9d9d9"
BLOCKS = {1e3: "1,000", 1e4: "10,000", 1e5: "100,000", 1e6: "1 million"}
SECONDS: Mapping[float, str] = {0.001: "1 ms", 0.01: "10 ms", 0.1: "0.1 s", 1: "1 s", 10: "10 s", 60: "1 min", 600: "10 min"}
MEMORY: Mapping[float, str] = {128: "128 MiB", 256: "256 MiB", 512: "512 MiB", 1024: "1 GiB", 2048: "2 GiB", 4096: "4 GiB", 8192: "8 GiB"}


def write_growth(runs: Sequence[Run], folder: Path) -> None:
    """Write `scale.svg`, `scale.md` and `scale.csv` into the folder; the same runs give the same bytes. Raises `StorageFailed`."""
    write_atomically(folder / "scale.svg", _picture(runs))
    publish("scale", [_markdown(runs)], folder, [asdict(run) for run in runs])


def _markdown(runs: Sequence[Run]) -> str:
    rows = []
    for size in dict.fromkeys(run.blocks for run in runs):
        of_size = {run.way: run for run in runs if run.blocks == size}
        some = next(iter(of_size.values()))
        cells = [f"{some.blocks:,}", f"{some.pages:,}", f"{some.signatures:,}", f"{some.looks:,}"]
        for way in NAMES:
            run = of_size.get(way)
            cells += [f"{run.seconds:.1f}", f"{run.peak:,.0f}"] if run else ["", ""]
        rows.append(cells)
    head = ["blocks", "pages", "signatures", "looks", "DBSCAN: s", "MiB", "HDBSCAN: s", "MiB", "plain DBSCAN alone: s", "MiB"]
    return grid(head, rows)


def _picture(runs: Sequence[Run]) -> bytes:
    fonts = {"svg.fonttype": "none", "svg.hashsalt": "sightread", "font.family": "sans-serif", "font.size": 10, "text.color": INK}
    with mpl.rc_context(fonts):  # type: ignore[arg-type]
        figure = Figure(figsize=(9.6, 4.4), layout="constrained")
        left, right = figure.subplots(1, 2)
        _panel(left, "Seconds per labelled site; dashed: to cluster it", SECONDS)
        _panel(right, "Memory at most, with the pages", MEMORY)
        for way in NAMES:
            of_way = [run for run in runs if run.way == way]
            if not of_way:
                continue
            _curve(right, of_way, [run.peak for run in of_way], "solid")
            _curve(left, of_way, [run.seconds for run in of_way], "dashed" if way == PLAIN else "solid")
            if way != PLAIN:
                _curve(left, of_way, [run.clustering for run in of_way], "dashed")
        for blocks, (seconds, mebibytes) in TARGET.items():
            _draw_target(left, blocks, seconds)
            _draw_target(right, blocks, mebibytes)
        data = io.BytesIO()
        figure.savefig(data, format="svg", metadata={"Date": None, "Creator": None})
    return data.getvalue()


def _panel(axes: Axes, title: str, ticks: Mapping[float, str]) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(title, loc="left", fontsize=10.5, fontweight="bold", color=INK, pad=10)
    axes.set_xlabel("blocks", color=INK)
    axes.set_xlim(800, 7_000_000)
    axes.set_ylim(min(ticks), max(ticks))
    for axis, marks in ((axes.xaxis, BLOCKS), (axes.yaxis, ticks)):
        axis.set_major_locator(FixedLocator(list(marks)))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _, marks=marks: marks[value]))
    axes.grid(visible=True, color=FAINT, linewidth=0.6)
    axes.tick_params(length=0, pad=6, labelcolor=INK)
    for side in axes.spines.values():
        side.set_visible(False)


def _curve(axes: Axes, runs: Sequence[Run], values: Sequence[float], line: str) -> None:
    way = runs[0].way
    dots = {"marker": "o", "markersize": 4.5} if line == "solid" or way == PLAIN else {}
    style: dict[str, Any] = {"color": COLOURS[way], "linewidth": 1.8 if dots else 1.2, "linestyle": line, "clip_on": False, **dots}
    axes.plot([run.blocks for run in runs], values, **style)
    if not dots:
        return
    offset, side = ((-8, 6), "right") if way == PLAIN else ((10, NUDGE[way]), "left")
    axes.annotate(NAMES[way], (runs[-1].blocks, values[-1]), offset, textcoords="offset points", ha=side, va="center", color=COLOURS[way])


def _draw_target(axes: Axes, blocks: int, limit: float) -> None:
    """Mark a limit: the curves of the labeler have to pass below."""
    axes.plot([blocks / 1.25, blocks * 1.25], [limit, limit], color=INK, linewidth=1.6, solid_capstyle="butt")
    axes.annotate("asked", (blocks, limit), (0, 3), textcoords="offset points", ha="center", va="bottom", fontsize=9, color=INK)
