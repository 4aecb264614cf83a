"""A book by PreTeXt, the system of open textbooks of mathematics: a chapter per document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publications.papers import sections
from benchmarks.sites.texts.documents import Part, SourceDocument, inline_html, part_gold

_PROJECT = """<project ptx-version="2"><targets><target name="web" format="html" publication="publication.ptx" source="main.ptx"
output-dir="web"><stringparams debug.rs.dev="yes"/></target></targets></project>
"""
_PUBLICATION = """<publication><common><chunking level="1"/></common><source><directories external="../assets"
generated="../generated"/></source><html><search variant="none"/></html></publication>
"""
_BUILD = """
import sys
import pretext.core.pretext as core
def services(names, methods):  # which it would ask the network for, for exercises that the book does not have
    names.update({"rs-js": "none.js", "rs-css": "none.css", "rs-version": "dev"})
    return "none.js", "none.css", None, "dev", None
core._runestone_services = services
from pretext.cli import main
sys.argv = ["pretext", "build", "web"]
main()
"""
_BOOK = """<?xml version="1.0" encoding="utf-8"?>
<pretext xml:lang="en-US"><docinfo/><book xml:id="book"><title>NAME</title><subtitle>A reader for crews</subtitle>
<frontmatter xml:id="front"><bibinfo><author><personname>Ada Quay</personname></author></bibinfo>
<titlepage xml:id="titles"><titlepage-items/></titlepage>
<preface xml:id="preface"><title>Preface</title><p>Read a chapter per tide.</p></preface></frontmatter>
CHAPTERS</book></pretext>
"""
_FROM_NETWORK = re.compile(r'<script\b.*?</script>|<link[^>]*"(?:https:|[^"]*none\.css)[^>]*>|<img[^>]*src="https:[^>]*>', re.DOTALL)
_FONTS = re.compile(r'@import "https:[^"]*";')


def chapter_gold(document: SourceDocument) -> str:
    """Return the gold text of a chapter: its number, and sections with theirs."""
    chapter = int(document.slug[-2:]) + 1
    before, found = sections(document)
    lines = [f"Chapter {chapter} {document.title}", *(line for part in before for line in part_gold(part))]
    for number, parts in enumerate(found, 1):
        title, *rest = (line for part in parts for line in part_gold(part))
        lines += [f"{chapter}.{number} {title}", *rest]
    return "\n".join(lines)


def write_pretext(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the book with its chapters, and the settings."""
    del theme
    chapters = ""
    for document in documents:
        before, found = sections(document)
        text = "".join(_part(part) for part in before)
        text = f"<introduction>{text}</introduction>" if found and before else text
        for number, parts in enumerate(found):
            text += (
                f'<section xml:id="{document.slug}-{number}"><title>{_inline(parts[0].rows[0][0])}</title>{_content(parts[1:])}</section>\n'
            )
        chapters += f'<chapter xml:id="{document.slug}"><title>{_inline(document.title)}</title>{text}</chapter>\n'
    write_text(project / "source/main.ptx", _BOOK.replace("NAME", NAME).replace("CHAPTERS", chapters))
    write_text(project / "publication/publication.ptx", _PUBLICATION)
    write_text(project / "project.ptx", _PROJECT)
    write_text(project / "build.py", _BUILD)
    for name in ("assets", "generated"):
        (project / name).mkdir()


def build_pretext(project: Path) -> None:
    """Build the book, without scripts."""
    run_tool([str(project.parents[1].resolve() / "bin/python"), "build.py"], project)
    for path in sorted(project.glob("output/web/_static/pretext/css/*.css")):
        write_text(path, _FONTS.sub("", path.read_text("utf-8")))
    for path in sorted(project.glob("output/web/*.html")):
        write_text(path, _FROM_NETWORK.sub("", path.read_text("utf-8")))


def _content(parts: Sequence[Part]) -> str:
    """Return the parts of a section, of which a heading begins a titled division."""
    text, is_open = "", False
    for part in parts:
        if part.kind == "heading":
            text += "</paragraphs>" * is_open + f"<paragraphs><title>{_inline(part.rows[0][0])}</title>"
            is_open = True
        else:
            text += _part(part)
    return text + "</paragraphs>" * is_open


def _part(part: Part) -> str:
    if part.kind == "code":
        return "<pre>" + "\n".join(_escaped(row[0]) for row in part.rows) + "</pre>"
    rows = [[_inline(cell) for cell in row] for row in part.rows]
    if part.kind == "table":
        cells = ["".join(f"<cell>{cell}</cell>" for cell in row) for row in rows]
        columns = '<col width="25%"/><col width="15%"/><col width="60%"/>'
        lines = "".join(f"<row>{row}</row>" for row in cells[1:])
        return f'<tabular>{columns}<row header="yes" bottom="minor">{cells[0]}</row>{lines}</tabular>'
    if part.kind in ("bullets", "steps"):
        name = "ul" if part.kind == "bullets" else "ol"
        items = "".join(f"<li><p>{row[0]}</p></li>" for row in rows)
        return f"<p><{name}>{items}</{name}></p>"
    return f"<blockquote><p>{rows[0][0]}</p></blockquote>" if part.kind == "quote" else f"<p>{rows[0][0]}</p>"


def _inline(text: str) -> str:
    """Return inline Markdown in PreTeXt, links as plain text."""
    text = re.sub(r"</?a\b[^>]*>", "", inline_html(text))
    return text.replace("strong>", "alert>").replace("code>", "c>")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
