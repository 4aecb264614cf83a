"""A blog by a program of Debian, BlazeBlogger."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import describe
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_html

_BLAZE_LANGUAGES = Path("/usr/share/blazeblogger/lang")


def write_blaze(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog, in HTML."""
    del theme
    write_text(project / "documents.json", json.dumps([describe(document) for document in documents]))
    for document in documents:
        write_text(project / f"posts/{document.slug}.html", to_html(document) + "\n")


def build_blaze(project: Path) -> None:
    """Put the posts into a repository, and make the blog in the language of the posts, if the program has its words."""
    program, documents = find_program("blaze"), json.loads((project / "documents.json").read_text("utf-8"))
    run_tool([program, "init", "-q"], project)
    paths = sorted(_BLAZE_LANGUAGES.glob(f"{documents[0]['language']}_*")) or [_BLAZE_LANGUAGES / "en_US"]
    write_text(project / f".blaze/lang/{paths[0].name}", paths[0].read_text("utf-8"))
    settings = project / ".blaze/config"
    values = {"title": NAME, "subtitle": "Notes", "description": "Notes", "keywords": "notes", "lang": paths[0].name, "name": "Ada Quay"}
    lines = [
        re.sub(r"^(\w+)=.*", lambda found: f"{found[1]}={values[found[1]]}", line) if line.partition("=")[0] in values else line
        for line in settings.read_text("utf-8").split("\n")
    ]
    settings.write_text("\n".join(lines), "utf-8")
    about = project / "about.html"
    about.write_text("<p>Notes from the harbour.</p>\n", "utf-8")
    run_tool([program, "add", "-q", "-p", "-C", "-t", "About", "-u", "about", "about.html"], project)
    for document in documents:
        options = ["-q", "-C", "-t", document["title"], "-d", document["published"], "-T", ", ".join(document["tags"])]
        run_tool([program, "add", *options, "-u", document["slug"], f"posts/{document['slug']}.html"], project)
    (project / "html").mkdir()
    run_tool([program, "make", "-q", "-d", "html"], project)


def blaze_page(document: SourceDocument) -> str:
    """Return the path of a post: its month, its number and its name."""
    return f"{document.published:%Y/%m}/{int(document.slug[-2:]) + 1}-{document.slug}/index.html"
