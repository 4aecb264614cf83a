"""Collections: stories in pictures (Prosopopée)."""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, inline_html, part_html, write_media


def write_stories(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a story per document: a picture with the title, then its parts, with pictures between them."""
    write_media(project / "media")
    menu = [{"index.html": "Stories"}, {"tags/harbour": "Harbour"}, {"tags/ferries": "Ferries"}, {"about": "About"}]
    sizes = {"resize": "50%"}
    settings = {"title": NAME, "sub_title": "Stories of the quay", "menu": menu, "settings": {"theme": theme, "gm": sizes}, "share": True}
    write_text(project / "settings.yaml", json.dumps(settings | {"url": "https://example.org"}))
    for number, document in enumerate(documents):
        folder = project / document.slug
        for picture in (project / "media").iterdir():
            folder.mkdir(exist_ok=True)
            shutil.copy(picture, folder / picture.name)
        cover = f"figure-{number % FIGURES}.png"
        about = {"title": html.escape(document.title), "sub_title": html.escape(document.summary), "date": str(document.published)}
        sections: list[dict[str, object]] = [{"type": "full-picture", "image": cover, "text": about}]
        for place, part in enumerate(document.parts):
            if part.kind == "paragraph" and place and document.parts[place - 1].kind == "heading":
                heading = inline_html(document.parts[place - 1].rows[0][0])
                sections.append({"type": "paragraph", "title": heading, "text": inline_html(part.rows[0][0])})
            elif part.kind == "quote":
                sections.append({"type": "quote", "text": inline_html(part.rows[0][0])})
            elif part.kind != "heading" or place + 1 == len(document.parts) or document.parts[place + 1].kind != "paragraph":
                sections.append({"type": "text", "text": part_html(part)})
            if part.kind == "paragraph" and place % 3 == 1:
                pictures = [f"figure-{(number + place + step) % FIGURES}.png" for step in range(2)]
                sections.append({"type": "pictures-group", "images": [pictures]})
        about = {"title": document.title, "date": str(document.published), "cover": cover, "tags": list(document.tags)}
        written = json.dumps(about | {"sections": sections})
        write_text(folder / "settings.yaml", written.replace(f'"{document.published}"', str(document.published)))  # a date of YAML


def build_stories(project: Path) -> None:
    """Make smaller pictures and the pages."""
    find_program("gm")
    shutil.rmtree(project / "media")
    run_tool([str(project.parents[1].resolve() / "bin/prosopopee")], project, {"LANG": "C.UTF-8"})


def story_gold(document: SourceDocument) -> str:
    """Return the gold text of a story, which has a line below its title."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, rest))
