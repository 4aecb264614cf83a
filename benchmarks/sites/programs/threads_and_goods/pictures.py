"""Albums of photographs as Sigal builds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_markdown, write_media

_SETTINGS = """
source, destination = "albums", "html"
theme, title, author = {theme!r}, {title!r}, "Ada Quay"
img_format, index_in_url, links = "JPEG", True, [("About us", "/"), ("Ferries", "/")]
markdown_extensions = ["extra"]
thumb_size, img_size, make_thumbs, autoload_parallel_processing = (200, 150), (640, 480), True, False
show_map = zip_gallery = google_tag_manager = False
"""


def _described(document: SourceDocument) -> SourceDocument:
    """Return a document without code, whose lines the program joins."""
    return replace(document, parts=tuple(part for part in document.parts if part.kind != "code"))


def write_albums(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write an album per document, whose text is its description."""
    for document in documents:
        folder = project / "albums" / document.slug
        write_media(folder)
        write_text(folder / "index.md", f"Title: {document.title}\n\n{to_markdown(_described(document))}")
    write_text(project / "sigal.conf.py", _SETTINGS.format(theme=theme, title=NAME))


def build_albums(project: Path) -> None:
    """Build the albums."""
    run_tool([str(project.parents[1].resolve() / "bin/sigal"), "build", "-q", "-n", "1"], project)


def album_gold(document: SourceDocument) -> str:
    """Return the gold text of an album: its title and its description."""
    return gold_text(_described(document))
