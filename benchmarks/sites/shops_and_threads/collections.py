"""Collections: stories in pictures (Prosopopée), tables of a database (Datasette)."""

from __future__ import annotations

import html
import json
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.publishing_sites.listings import TOPICS
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, inline_html, part_gold, part_html, write_media


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


def rows(document: SourceDocument) -> list[tuple[str, str, str, str]]:
    """Return the rows of a document's table: a number, a topic, a heading and a line of text below it."""
    number, heading, found = int(document.slug[-2:]), document.title, []
    for part in document.parts:
        if part.kind == "heading":
            heading = part_gold(part)[0]
        elif part.kind != "code":
            found += [(heading, line) for line in part_gold(part)]
    topics = (TOPICS[(number + place) % 5] for place in range(len(found)))
    return [(f"{document.slug[0].upper()}{number:02}-{place:02}", next(topics), *row) for place, row in enumerate(found)]


def write_tables(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a database with a table per document, and what is said about each."""
    del theme
    about = {
        document.slug.replace("-", "_"): {
            "title": document.title,
            "description": document.summary,
            "source": "Harbour office",
            "source_url": "https://example.org/",
            "license": "CC BY 4.0",
            "license_url": "https://example.org/licence",
        }
        for document in documents
    }
    write_text(project / "metadata.json", json.dumps({"title": NAME, "databases": {"tide": {"tables": about}}}))
    with sqlite3.connect(project / "tide.db") as database:
        for document in documents:
            name = document.slug.replace("-", "_")
            database.execute(f"CREATE TABLE {name} (code TEXT PRIMARY KEY, topic TEXT, title TEXT, note TEXT)")
            database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?)", rows(document))  # noqa: S608


def build_tables(project: Path) -> None:
    """Read the page of each table."""
    port = free_port()
    names = json.loads((project / "metadata.json").read_text("utf-8"))["databases"]["tide"]["tables"]
    command = [str(project.parents[1].resolve() / "bin/datasette"), "tide.db", "-m", "metadata.json", "-p", str(port)]
    save_pages(project, command, port, {f"{name.replace('_', '-')}.html": f"/tide/{name}" for name in names})


def table_gold(document: SourceDocument) -> str:
    """Return the gold text of a table's page: its title and description, the names of its columns and its rows."""
    return "\n".join((document.title, document.summary, "code topic title note", *(" ".join(row) for row in rows(document))))
