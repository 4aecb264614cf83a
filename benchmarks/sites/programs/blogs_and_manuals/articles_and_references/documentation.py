"""Specifications of the web by Bikeshed, with contents at the side, and descriptions of data by JSON Schema for Humans."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import install_packages
from benchmarks.sites.programs.publications.papers import numbered_gold, sections
from benchmarks.sites.texts.documents import Part, SourceDocument, inline_html, part_gold, part_html, to_markdown

_HEAD = """<pre class="metadata">
Title: TITLE
Shortname: SLUG
Level: none
Status: LS
Group: none
URL: https://example.org/SLUG/
Editor: Ada Quay, NAME
Issue Tracking: Questions https://example.org/questions
Abstract: ABSTRACT
Date: DATE
Boilerplate: conformance off, index off, references off
Complain About: accidental-2119 no
</pre>
"""
_LICENCE_PICTURE = re.compile(r'<img[^>]*src="https:[^>]*>')
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "[": "&#91;", "]": "&#93;", "{": "&#123;", "}": "&#125;", "'": "&#39;", "|": "&#124;"}


def write_bikeshed(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a specification per document."""
    del theme
    for document in documents:
        head = _HEAD.replace("TITLE", document.title).replace("ABSTRACT", document.summary).replace("NAME", NAME)
        before, found = sections(document)
        text = f'<h2 id="introduction">{_INTRODUCTION}</h2>\n' if before else ""
        for number, part in enumerate((*before, *(part for parts in found for part in parts))):
            if part.kind == "heading":
                text += f'<h{part.level} id="part-{number}">{inline_html(part.rows[0][0])}</h{part.level}>\n'
            elif part.kind == "code":
                text += f"<pre>\n{''.join(_ESCAPES.get(letter, letter) for letter in _code(part.rows))}</pre>\n"
            else:
                text += part_html(part).replace("<table", '<table class="data"') + "\n"
        head = head.replace("SLUG", document.slug).replace("DATE", str(document.published))
        write_text(project / f"{document.slug}.bs", head + text)


_INTRODUCTION = "Introduction"


def _code(rows: Sequence[tuple[str, ...]]) -> str:
    return "\n".join(row[0] for row in rows)


def build_bikeshed(project: Path) -> None:
    """Convert all specifications with the data of the package, without a picture from the network."""
    program = str(project.parents[1].resolve() / "bin/bikeshed")
    (project / "html").mkdir()
    for path in sorted(project.glob("*.bs")):
        page = project / f"html/{path.stem}.html"
        run_tool([program, "-q", "--no-update", "--force", "spec", path.name, str(page)], project)
        write_text(page, _LICENCE_PICTURE.sub("", page.read_text("utf-8")))


def bikeshed_gold(document: SourceDocument) -> str:
    """Return the gold text of a specification: title, abstract, and sections with their numbers."""
    before, found = sections(document)
    lines = [document.title, "Abstract", document.summary]
    lines += [f"1. {_INTRODUCTION}", *(line for part in before for line in part_gold(part))] if before else []
    for number, parts in enumerate(found, 2 if before else 1):
        lines += numbered_gold(parts, number, ".")
    return "\n".join(lines)


_TYPES = ("object", "string", "integer", "number")
_SCHEMA_MENU = """<nav class="navbar navbar-expand navbar-dark bg-dark mb-3"><a class="navbar-brand" href="/">NAME schemas</a>
<ul class="navbar-nav">LINKS</ul></nav>"""
_SCHEMA_FOOTER = (
    '<footer class="bg-light p-3 mt-4">NAME, version 3 of all schemas. <a href="/changes">Changes</a> <a href="/raw">Raw files</a></footer>'
)
_BOOTSTRAP = "https://stackpath.bootstrapcdn.com/bootstrap/4.3.1/css/bootstrap.min.css"
_OVERPASS = re.compile(r"<link[^>]*fonts\.googleapis[^>]*>")


def _properties(document: SourceDocument) -> list[tuple[str, list[Part]]]:
    """Return name and description of each property of the schema: the sections, of which a second one of a name gets a number."""
    names: dict[str, list[Part]] = {}
    for title, *parts in sections(document)[1]:
        name = part_gold(title)[0].replace('"', "").strip()
        names[f"{name} {len(names)}" if name in names else name] = parts
    return list(names.items())


def _shape(number: int, place: int) -> tuple[str, bool]:
    """Return the type of a property, and whether it is required."""
    return _TYPES[(number + place) % len(_TYPES)], (number + place) % 3 == 0


def write_schemas(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a schema per document."""
    del theme
    for number, document in enumerate(documents):
        found = _properties(document)
        schema = {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": document.title,
            "description": to_markdown(replace(document, parts=tuple(sections(document)[0]))),
            "type": "object",
            "required": [name for place, (name, _) in enumerate(found) if _shape(number, place)[1]],
            "properties": {
                name: {"type": _shape(number, place)[0], "description": to_markdown(replace(document, parts=tuple(parts)))}
                for place, (name, parts) in enumerate(found)
            },
        }
        write_text(project / f"schemas/{document.slug}.json", json.dumps(schema, ensure_ascii=False))
    links = [f'<li class="nav-item"><a class="nav-link" href="{one.slug}.html">{html.escape(one.title)}</a></li>' for one in documents[:5]]
    write_text(project / "menu.html", _SCHEMA_MENU.replace("NAME", NAME).replace("LINKS", "".join(links)))


def build_schemas(project: Path) -> None:
    """Describe the schemas, with Bootstrap of npm in place of that from the network, and a menu and a footer of ours."""
    tools = project.parents[2]
    install_packages(tools / "bootstrap-4", ("bootstrap@4.3.1",), "npm")
    program = str(project.parents[1].resolve() / "bin/generate-schema-doc")
    (project / "html").mkdir()
    run_tool([program, "--config", "template_name=flat", "--config", "with_footer=false", "schemas", "html"], project)
    shutil.copy(tools / "bootstrap-4/node_modules/bootstrap/dist/css/bootstrap.min.css", project / "html")
    menu = (project / "menu.html").read_text("utf-8")
    for path in sorted(project.glob("html/*.html")):
        text = _OVERPASS.sub("", path.read_text("utf-8")).replace(_BOOTSTRAP, "bootstrap.min.css")
        text = text.replace('<body id="root">', f'<body id="root">{menu}', 1)
        write_text(path, text.replace("</body>", f"{_SCHEMA_FOOTER.replace('NAME', NAME)}</body>", 1))


def schema_gold(document: SourceDocument) -> str:
    """Return the gold text of a schema: title, description, and of each property its name, whether it is required, and its type."""
    number = int(document.slug[-2:])
    lines = [document.title, "Type: object", *(line for part in sections(document)[0] for line in part_gold(part))]
    for place, (name, parts) in enumerate(_properties(document)):
        kind, is_required = _shape(number, place)
        lines += [f"{name} Required" if is_required else name, f"Type: {kind}"]
        lines += [line for part in parts for line in part_gold(part)]
    return "\n".join(lines)
