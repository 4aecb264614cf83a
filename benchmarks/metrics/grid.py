"""A table in Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of one line a row, without a newline at its end."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
