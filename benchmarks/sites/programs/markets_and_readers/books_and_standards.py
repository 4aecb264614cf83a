"""Books of Pressoir, the press of digital humanists in Montreal, and specifications of Spec-Up, as identity standards are written."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import node_programs, run_program
from benchmarks.sites.texts.documents import Part, SourceDocument, gold_text, part_gold, to_markdown, write_media

PRESSOIR = ("pressoir==4.12.1",)
SPEC_UP = ("spec-up@0.10.8",)
_ASKS = re.compile(r'<script src="https://[^>]*></script>|<script>\s*\(function.*?</script>', re.DOTALL)
"""Scripts that ask the network, for annotations and for counts of visits."""
_NETWORK = re.compile(r'<link href="https://[^>]*>')
_AUTHORS = (("Ada", "Quay"), ("Bela", "Moore"), ("Chidi", "Strand"))
_PARTS = ("Tides", "Harbours", "Ferries", "Lights", "Charts")
_CHAPTERS_PER_PART = 5


def write_book(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a chapter per document, in parts of five, and the description of the book."""
    del theme
    for place, document in enumerate(documents):
        first = {"forname": _AUTHORS[place % 3][0], "surname": _AUTHORS[place % 3][1]}
        second = {"forname": _AUTHORS[(place + 1) % 3][0], "surname": _AUTHORS[(place + 1) % 3][1]}
        chapter: dict[str, object] = {"title": document.title, "lang": document.language}
        chapter |= {"authors": [first, second] if place % 4 == 2 else [first]}
        chapter |= {"blockcitation": place % 3 != 1, "abstract_fr": document.summary, "keyword_fr": ", ".join(document.tags)}
        chapter |= {"subtitle": document.summary} if place % 2 else {}
        folder = project / f"source/{document.slug}"
        write_text(folder / f"{document.slug}.yaml", json.dumps(chapter))
        text = replace(document, parts=tuple(map(_escaped, document.parts)))
        write_text(folder / f"{document.slug}.md", to_markdown(text))
    groups = [documents[start : start + _CHAPTERS_PER_PART] for start in range(0, len(documents), _CHAPTERS_PER_PART)]
    contents = [{"parttitle": _PARTS[place % 5], "content": [{"id": one.slug} for one in group]} for place, group in enumerate(groups)]
    names = ("isbnprint", "isbnepub", "isbnpdf", "isbnnum")
    book = {"version": 1, "title": NAME, "lang": documents[0].language, "date": "2024-03-06", "rights": "CC BY-SA 4.0", "collective": True}
    book |= {"url": "http://example.org/", "publisher": "Quay Press", "place": "Northport", "toc": contents, "coverurl": ""}
    book |= dict.fromkeys(names, "978-0-00000-000-0") | dict.fromkeys(("abstract_fr", "abstract_en"), documents[0].summary)
    book |= {"keyword_fr": "tide", "keyword_en": "tide", "authors": [{"forname": "Ada", "surname": "Quay"}]}
    write_text(project / "source/garde/livre.yaml", json.dumps(book))
    write_media(project / "html")


def build_book(project: Path) -> None:
    """Build the book in the theme of a university press by Debian's Pandoc, without scripts that ask the network."""
    python = str(project.parents[1].resolve() / "bin/python")
    run_program([python, "-m", "pressoir", "init", "--collection", "pum"], project)
    shutil.copytree(project / "source", project / "textes", dirs_exist_ok=True)
    run_program([python, "-m", "pressoir", "build", "--target-path", "html"], project)
    for path in project.glob("html/*.html"):
        write_text(path, _ASKS.sub("", path.read_text("utf-8")))


def _escaped(part: Part) -> Part:
    """Return a part without the marks of citations, formulas and indices that Pandoc's Markdown has."""
    if part.kind == "code":
        return part
    return replace(part, rows=tuple(tuple(re.sub(r"([@^~$])", r"\\\1", cell) for cell in row) for row in part.rows))


def chapter_gold(document: SourceDocument) -> str:
    """Return the gold text of a chapter: its title, the subtitle that every second chapter has, and its text."""
    lines = [document.title, *([document.summary] if int(document.slug[-2:]) % 2 else [])]
    return "\n".join([*lines, *(line for part in document.parts for line in part_gold(part))])


def write_standards(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a specification per document, and the list of all."""
    del theme
    specs = []
    for document in documents:
        write_text(project / f"source/{document.slug}/spec.md", f"{document.title}\n===\n\n{document.summary}\n\n{to_markdown(document)}")
        spec = {"title": html.escape(document.title), "spec_directory": f"./source/{document.slug}"}
        spec |= {"output_path": f"./built/{document.slug}"}
        specs.append(spec | {"logo": "logo.svg", "logo_link": "https://example.org/"})
    write_text(project / "specs.json", json.dumps({"specs": specs}))
    write_text(project / "language.txt", documents[0].language)
    write_media(project / "html")


def build_standards(project: Path) -> None:
    """Build the specifications, without the style sheet of the network's fonts; pages get the language of their texts."""
    tools = project.parents[1].resolve()
    (project / "node_modules").symlink_to(tools / "node_modules")
    program = "require('spec-up')({ nowatch: true })"
    run_program([str(node_programs(tools.parent) / "node"), "-e", program], project, tools.parent)
    shutil.copy(tools / "node_modules/spec-up/logo.svg", project / "html")
    language = (project / "language.txt").read_text("utf-8")
    for path in sorted((project / "built").glob("*/index.html")):
        text = _NETWORK.sub("", path.read_text("utf-8")).strip().replace('<html lang="en">', f'<html lang="{language}">', 1)
        write_text(project / f"html/{path.parent.name}.html", text)


def standard_gold(document: SourceDocument) -> str:
    """Return the gold text of a specification: its title, what it is about, and its text."""
    title, *lines = gold_text(document).split("\n")
    return "\n".join([title, document.summary, *lines])
