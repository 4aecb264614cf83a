"""Output of experiments: tables in Markdown, and every figure as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sightread.render.files import write_atomically

Cell = str | float | int | None


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, one line per row, without a newline at its end."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def publish(name: str, parts: Iterable[str], out: Path | None, figures: Iterable[Mapping[str, Cell]] = ()) -> None:
    """Print the parts of a report. Write them as `name`.md into the folder `out`, and figures, one row each, as `name`.csv."""
    text = "\n\n".join(part for part in parts if part) + "\n"
    print(text, flush=True)
    if out is None:
        return
    write_atomically(out / f"{name}.md", text.encode())
    if rows := list(figures):
        import pandas as pd  # noqa: PLC0415  (what measures memory and time imports this module)

        write_atomically(out / f"{name}.csv", pd.DataFrame(rows).to_csv(index=False, lineterminator="\n").encode())
