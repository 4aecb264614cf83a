"""Common parts of all recipes: the name and the icon of the sites, and the writing of files."""

from __future__ import annotations

from pathlib import Path

NAME = "The Tide Tables"
"""Every site has this name."""
ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><circle cx="16" cy="16" r="14" fill="#457"/></svg>'
"""Of those sites whose programs ask for one."""


def write_text(path: Path, text: str) -> None:
    """Write a file of a project, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
