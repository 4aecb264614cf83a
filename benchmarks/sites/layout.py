"""What all recipes share: the name of the sites, and how a file is written."""

from __future__ import annotations

from pathlib import Path

NAME = "The Tide Tables"
"""Every site has this name."""


def write_text(path: Path, text: str) -> None:
    """Write a file of a project, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
