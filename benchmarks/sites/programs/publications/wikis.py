"""Wikis of Python: wiki2, of Markdown files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

_PLACES = ("harbour", "ferries", "workshop")


def write_wiki2(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki with their tags, and its settings."""
    del theme
    write_text(project / "config.py", f"SECRET_KEY = 'known to all'\nTITLE = {NAME!r}\n")
    links = "".join(f"- [[{_PLACES[number % 3]}/{document.slug}]]\n" for number, document in enumerate(documents))
    write_text(project / "home.md", f"title: {NAME}\ntags: start\n\n{links}")
    for number, document in enumerate(documents):
        head = f"title: {document.title}\ntags: {', '.join(document.tags)}\n"
        write_text(project / _PLACES[number % 3] / f"{document.slug}.md", f"{head}\n{to_markdown(document)}")


def build_wiki2(project: Path) -> None:
    """Read the pages of the wiki."""
    program, port = project.parents[1].resolve() / "bin/wiki", free_port()
    pages = {f"{path.stem}.html": f"/{path.parent.name}/{path.stem}/" for path in sorted(project.glob("*/*.md"))}
    save_pages(project, [str(program), "web", "--host", "127.0.0.1", "--port", str(port)], port, pages)
