"""Common parts of all recipes: the name of the sites, and the writing of files."""

from __future__ import annotations

from pathlib import Path

NAME = "The Tide Tables"
"""Every site has this name."""


def write_text(path: Path, text: str) -> None:
    """Write a file of a project, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
