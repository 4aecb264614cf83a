"""A book on the web: chapters in the style of Edward Tufte's books (Tufte CSS), with notes in the margin."""

from __future__ import annotations

import html
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import install_packages
from benchmarks.sites.programs.publications.papers import sections
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, part_html

_PACKAGE = "tufte-css@1.8.0"
_PAGE = """<!DOCTYPE html>
<html lang="{language}"><head><meta charset="utf-8"><title>{number}. {title} - {name}</title><link rel="stylesheet" href="tufte.css">
<style>nav, footer {{ font-size: 1.1rem; width: 55%; padding: 1rem 0 }} nav a, footer a {{ margin-right: 1.5rem }}
table {{ border-collapse: collapse; font-size: 1.2rem; width: 55% }} td,
th {{ padding: .2rem .6rem; text-align: left; vertical-align: top }}
th {{ border-bottom: 1px solid #111 }}</style></head><body>
<nav><a href="index.html">{name}</a><a href="{before}.html">Previous chapter</a><a href="{after}.html">Next chapter</a></nav>
<article><h1>{title}</h1><p class="subtitle">{summary}</p>{body}</article>
<footer><a href="{after}.html">Next: {next_title}</a><p>Ada Quay, {name}. Second edition, set in ET Book.</p></footer></body></html>
"""
_NOTE = '<label for="{place}" class="margin-toggle sidenote-number"></label><input type="checkbox" id="{place}" class="margin-toggle">'


def tufte_gold(document: SourceDocument) -> str:
    """Return the gold text of a chapter: title, subtitle and sections, whose notes follow their first paragraphs."""
    before, found = sections(document)
    lines = [document.title, document.summary]
    for number, parts in enumerate([before, *found]):
        note = _note(document, number)
        for part in parts:
            lines += part_gold(part)
            if part.kind == "paragraph" and note:
                lines.append(note)
                note = ""
    return "\n".join(lines)


def write_tufte(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per chapter, and the style sheet with its fonts."""
    del theme
    tools = project.parents[1]
    install_packages(tools, (_PACKAGE,), "npm")
    source = tools / "node_modules/tufte-css"
    shutil.copytree(source / "et-book", project / "html/et-book")
    shutil.copy(source / "tufte.css", project / "html")
    for number, document in enumerate(documents):
        before, found = sections(document)
        body = "".join(_section(document, place, parts) for place, parts in enumerate([before, *found]) if parts)
        after = documents[(number + 1) % len(documents)]
        page = _PAGE.format(
            language=document.language,
            number=number + 1,
            title=html.escape(document.title),
            name=NAME,
            before=documents[number - 1].slug,
            after=after.slug,
            next_title=html.escape(after.title),
            summary=html.escape(document.summary),
            body=body,
        )
        write_text(project / "html" / f"{document.slug}.html", page)


def _section(document: SourceDocument, number: int, parts: Sequence[Part]) -> str:
    text, note = "", _note(document, number)
    for part in parts:
        found = part_html(part)
        if part.kind == "paragraph" and note:
            mark = _NOTE.format(place=f"sn-{number}")
            found = found.replace("</p>", f'{mark}<span class="sidenote">{html.escape(note)}</span></p>')
            note = ""
        text += found
    return f"<section>{text}</section>"


def _note(document: SourceDocument, number: int) -> str:
    """Return the note of a section, a source; every second section has one."""
    page = 7 * number + int(document.slug[-2:])
    return f"Ada Quay, {document.title}, volume {number + 1}, page {page}." if number % 2 else ""
