"""The picture of a soak test: memory of each part over time."""

from __future__ import annotations

import io
from collections.abc import Sequence

from benchmarks.soak.readings import Reading, Record

COLOURS = {"service": "#1f6fb4", "crawler": "#d1651a", "batch": "#3a8a3a"}
POINTS = 180
"""Points of a curve: each is the mean of the readings around it."""


def picture(record: Record) -> bytes:
    """Return the picture as SVG; the same record gives the same bytes."""
    import matplotlib as mpl  # noqa: PLC0415  (takes a second, and few users of this module draw)
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "soak"}):
        figure = Figure(figsize=(8, 3.4), layout="constrained")
        axes = figure.add_subplot()
        for part in record.parts:
            curve = _thinned(part.readings)
            axes.plot(
                [minute for minute, _ in curve],
                [size for _, size in curve],
                color=COLOURS.get(part.name),
                linewidth=1.2,
                label=f"{part.name}: {part.account.requested:,} pages, {part.growth():+.1%} over the last two thirds",
            )
        axes.set(xlabel="minutes", ylabel="memory with all below it, MiB", ylim=(0, None))
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, loc="lower right")
        data = io.BytesIO()
        figure.savefig(data, format="svg", metadata={"Date": None, "Creator": None})
    return data.getvalue()


def _thinned(readings: Sequence[Reading]) -> list[tuple[float, float]]:
    """Return (minute, MiB) of at most `POINTS` means."""
    size = max(1, -(-len(readings) // POINTS))
    groups = [readings[start : start + size] for start in range(0, len(readings), size)]
    return [
        (sum(each.second for each in group) / len(group) / 60, sum(each.memory for each in group) / len(group) / 2**20) for group in groups
    ]
