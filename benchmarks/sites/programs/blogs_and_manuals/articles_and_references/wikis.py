"""Wikis: Simiki, a static one of Python with a theme of one column, and Hads, a server of Node.js."""

from __future__ import annotations

import json
import os
import re
import shutil
from calendar import timegm
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import ICON, NAME, write_text
from benchmarks.sites.packages import node_programs
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import installed
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

_PACKAGE = "simiki==1.6.2.3"
"""It asks for packages of its time; newer ones do."""
_CATEGORIES = ("harbour", "ferries", "workshop")
_BUILD_TIME = re.compile(r"<p>Site Generated [^\n]*</p>")


def write_simiki(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki, each with its contents and, in threes, with the related ones of its collection; and the theme."""
    source = installed(project, _PACKAGE, f"simiki/themes/{theme}")
    folder = project / "themes" / theme
    shutil.copytree(source, folder)
    frame = _BUILD_TIME.sub("", (source / "base.html").read_text("utf-8"))
    write_text(folder / "base.html", frame.replace('site.time.strftime("%Y")', "2024").replace("favicon.ico", "static/icon.svg"))
    write_text(folder / "static/icon.svg", ICON)
    settings = {"url": "http://127.0.0.1", "title": NAME, "author": "Ada Quay", "theme": theme, "root": ""}
    write_text(project / "_config.yml", json.dumps(settings))
    for number, document in enumerate(documents):
        title = json.dumps(document.title, ensure_ascii=False)
        head = f"---\ntitle: {title}\nlayout: page\ndate: {document.published} 08:00\ncollection: part-{number // 3}\n---\n\n"
        contents = "" if document.slug.startswith("short") else "[TOC]\n\n"
        write_text(project / f"content/{_category(document)}/{document.slug}.md", f"{head}{contents}{to_markdown(document)}")


def build_simiki(project: Path) -> None:
    """Build the wiki."""
    run_tool([str(project.parents[1].resolve() / "bin/simiki"), "generate"], project)


def simiki_page(document: SourceDocument) -> str:
    """Return the path of a page: that of its category."""
    return f"{_category(document)}/{document.slug}.html"


def write_hads(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the files of a wiki, with the days of their changes."""
    del theme
    links = "".join(f"* [{document.title}]({document.slug}.md)\n" for document in documents)
    write_text(project / "wiki/index.md", f"# {NAME}\n\n{links}")
    for document in documents:
        path = project / f"wiki/{document.slug}.md"
        write_text(path, f"# {document.title}\n\n{to_markdown(document)}")
        os.utime(path, (timegm(document.published.timetuple()),) * 2)


def build_hads(project: Path) -> None:
    """Read the pages of the wiki."""
    tools, port = project.parents[1].resolve(), free_port()
    pages = {f"{path.stem}.html": f"/{path.name}" for path in sorted(project.glob("wiki/*[0-9].md"))}
    command = [
        str(node_programs(tools.parent) / "node"),
        str(tools / "node_modules/hads/bin/hads"),
        "-h",
        "127.0.0.1",
        "-p",
        str(port),
        "wiki",
    ]
    save_pages(project, command, port, pages)


def _category(document: SourceDocument) -> str:
    return _CATEGORIES[int(document.slug[-2:]) % len(_CATEGORIES)]
