"""Books on the web: markdown-styles with the layout of Mixu's books, a page per chapter."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

_FROM_NETWORK = re.compile(r"<link[^>]*href='https?://[^>]*>")


def write_markdown_styles(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the chapters of a book, each with the names of those before and after it."""
    write_text(project / "theme.txt", theme)
    for number, document in enumerate(documents):
        head = {"title": document.title, "prev": documents[number - 1].slug, "next": documents[(number + 1) % len(documents)].slug}
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        write_text(project / f"chapters/{document.slug}.md", f"{front}---\n# {document.title}\n\n{to_markdown(document)}")


def build_markdown_styles(project: Path) -> None:
    """Convert the chapters."""
    tools, theme = project.parents[1].resolve(), (project / "theme.txt").read_text("utf-8")
    options = ["--layout", theme, "--input", "chapters", "--output", "html"]
    run_program([str(tools / "node_modules/.bin/generate-md"), *options], project, tools.parent)
    for path in sorted(project.glob("html/*.html")):
        write_text(path, _FROM_NETWORK.sub("", path.read_text("utf-8")))
