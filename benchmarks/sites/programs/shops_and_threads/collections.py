"""Collections: stories in pictures (Prosopopée), tables of a database (Datasette), lessons of a course (Runestone)."""

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
from benchmarks.sites.programs.publishing_sites.listings import TOPICS
from benchmarks.sites.programs.shops_and_threads.layout import without_network
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, inline_html, part_gold, part_html, to_markdown, write_media


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
        head = {"title": document.title, "date": str(document.published), "cover": cover, "tags": list(document.tags)}
        written = json.dumps(head | {"sections": sections})
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
    """Write a database with a table per document, and a description of each."""
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
            database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?)", rows(document))


def build_tables(project: Path) -> None:
    """Read the page of each table."""
    port = free_port()
    names = json.loads((project / "metadata.json").read_text("utf-8"))["databases"]["tide"]["tables"]
    command = [str(project.parents[1].resolve() / "bin/datasette"), "tide.db", "-m", "metadata.json", "-p", str(port)]
    save_pages(project, command, port, {f"{name.replace('_', '-')}.html": f"/tide/{name}" for name in names})


def table_gold(document: SourceDocument) -> str:
    """Return the gold text of a table's page: its title and description, the names of its columns and its rows."""
    return "\n".join((document.title, document.summary, "code topic title note", *(" ".join(row) for row in rows(document))))


_COURSE = r"""
import importlib.resources
from runestone import runestone_extensions, runestone_static_dirs, setup
extensions = ["sphinx.ext.mathjax", "myst_parser", *runestone_extensions()]
master_doc, language, exclude_patterns, pygments_style = "index", LANGUAGE, [], "sphinx"
project = html_title = html_short_title = NAME
copyright, version, release = "Ada Quay", "1", "1"
rst_prolog = ".. |blank| replace:: :blank:`-`\n.. |docname| replace:: :docname:`name`\n"
runestone_server_side_grading = False
html_theme, html_show_sourcelink = "sphinx_bootstrap", False
html_theme_path = [str(importlib.resources.files("runestone").joinpath("common/project_template/_templates/plugin_layouts"))]
html_theme_options = {"navbar_title": NAME, "navbar_site_name": "Chapters", "globaltoc_depth": 1, "globaltoc_includehidden": "true",
  "navbar_class": "navbar", "navbar_fixed_top": "true"}
html_static_path = runestone_static_dirs()
html_context = {"course_url": "", "basecourse": "tide", "course_id": "tide", "login_required": "false", "appname": "runestone",
  "loglevel": 0, "use_services": "false", "python3": "true", "dburl": "", "default_ac_lang": "python", "jobe_server": "",
  "proxy_uri_runs": "", "proxy_uri_files": "", "downloads_enabled": "false", "enable_chatcodes": "false", "allow_pairs": "false"}
"""


def question(document: SourceDocument) -> tuple[str, list[str]]:
    """Return the question at the end of a lesson: of which three lines one is in it."""
    lines = [line for part in document.parts if part.kind == "paragraph" for line in part_gold(part)]
    return f"{document.title}?", [lines[0], document.summary, lines[-1]]


def write_lessons(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the lessons of a course, each with a question below it."""
    del theme
    head = f"NAME, LANGUAGE = {NAME!r}, {documents[0].language!r}\n"
    write_text(project / "conf.py", head + _COURSE)
    toc = "\n".join(document.slug for document in documents)
    write_text(project / "index.md", f"# {NAME}\n\n```{{toctree}}\n:maxdepth: 1\n\n{toc}\n```\n")
    for document in documents:
        problem, answers = question(document)
        options = "\n".join(f"   :answer_{'abc'[number]}: {text}" for number, text in enumerate(answers))
        feedback = "\n".join(f"   :feedback_{letter}: See above." for letter in "abc")
        quiz = f".. mchoice:: {document.slug}\n{options}\n   :correct: a\n{feedback}\n\n   {problem}\n"
        text = f"# {document.title}\n\n{to_markdown(document)}\n```{{eval-rst}}\n{quiz}```\n"
        write_text(project / f"{document.slug}.md", text)


def build_lessons(project: Path) -> None:
    """Build the course, without the scripts of the network: those of formulas and of advertisements."""
    run_tool([str(project.parents[1].resolve() / "bin/sphinx-build"), "-q", "-b", "html", ".", "html"], project)
    for path in (project / "html").glob("*.html"):
        path.write_text(without_network(path.read_text("utf-8")), "utf-8")


def lesson_gold(document: SourceDocument) -> str:
    """Return the gold text of a lesson with its question."""
    problem, answers = question(document)
    return "\n".join((gold_text(document), problem, *(f"{letter}. {text}" for letter, text in zip("ABC", answers, strict=True))))
