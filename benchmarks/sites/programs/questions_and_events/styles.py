"""Style sheets without the fonts that they have from the network."""

from __future__ import annotations

from pathlib import Path

from benchmarks.sites.programs.shops_and_threads.layout import without_network
from benchmarks.sites.programs.talks_and_offers.react_pages import build_pages


def drop_fonts(path: Path) -> None:
    """Remove the fonts from a style sheet that come from the network."""
    path.write_text(without_network(path.read_text("utf-8")), "utf-8")


def build_without_fonts(project: Path) -> None:
    """Bundle a program of React's components, fill its pages, and remove fonts from the network."""
    build_pages(project)
    drop_fonts(project / "html/style.css")
