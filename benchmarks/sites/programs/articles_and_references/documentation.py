"""Specifications of the web by Bikeshed, with its own style and contents at the side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publications.papers import sections
from benchmarks.sites.texts.documents import SourceDocument, inline_html, part_gold, part_html

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
        inner = 0
        for place, part in enumerate(parts):
            text = part_gold(part)
            if part.kind == "heading":
                inner += place > 0
                text = [f"{number}.{f'{inner}.' if place else ''} {text[0]}"]
            lines += text
    return "\n".join(lines)
