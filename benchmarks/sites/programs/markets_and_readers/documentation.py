"""Documentation by mdoc: a page per file of Markdown, with a side bar of all pages that its script loads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import node_programs, run_program
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, to_markdown

MDOC = ("mdoc@0.5.3", "showdown@1.9.1")
_BUILD = f"""
const showdown = require('showdown');
const converter = new showdown.Converter({{ tables: true, literalMidWordUnderscores: true, noHeaderId: true }});
const link = text => text.replace(/\\]\\(#([^)]*)\\)/g, (_, name) => `](#${{encodeURIComponent(name)}})`);  // names may have spaces
require('mdoc').run({{
  inputDir: 'source', outputDir: 'html', baseTitle: '{NAME}', parsingFunction: text => converter.makeHtml(link(text)),
  mapTocName: (file, contents, title) => title,
}});
"""


def write_documentation(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a file of Markdown per document, and the program that converts all."""
    del theme
    for document in documents:
        text = to_markdown(replace(document, parts=tuple(map(_written, _parts(document)))))
        write_text(project / f"source/{document.slug}.md", f"# {document.title}\n\n{document.summary}\n\n{text}")
    write_text(project / "build.js", _BUILD)
    write_text(project / "language.txt", documents[0].language)
    (project / "html").mkdir()


def build_documentation(project: Path) -> None:
    """Convert the files; pages get the language of their texts."""
    tools = project.parents[1].resolve()
    (project / "node_modules").symlink_to(tools / "node_modules")
    run_program([str(node_programs(tools.parent) / "node"), "build.js"], project, tools.parent)
    language = (project / "language.txt").read_text("utf-8")
    direction = ' dir="rtl"' if language == "ar" else ""
    for path in project.glob("html/*-*.html"):
        write_text(path, path.read_text("utf-8").replace("<html>", f'<html lang="{language}"{direction}>', 1))


def documentation_gold(document: SourceDocument) -> str:
    """Return the gold text of a page: its title, what it is about, and its text without the table of contents."""
    return "\n".join([document.title, document.summary, *(line for part in _parts(document) for line in part_gold(part))])


def _parts(document: SourceDocument) -> tuple[Part, ...]:
    """Return the parts of a page; one without sections gets a heading, before which mdoc puts the table of contents."""
    if any(part.kind == "heading" and part.level == 2 for part in document.parts):
        return document.parts
    return (Part("heading", ((document.tags[0].title(),),), 2), *document.parts)


def _written(part: Part) -> Part:
    """Return a part as mdoc reads it: headings begin with a letter or a digit, and hold no code."""
    if part.kind != "heading":
        return part
    return replace(part, rows=((re.sub(r"^\W+", "", re.sub("[#`]", " ", part.rows[0][0])).strip(),),))
