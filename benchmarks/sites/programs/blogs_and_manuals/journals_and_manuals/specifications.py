"""Specifications of Spec Markdown, as those of GraphQL are written: a specification per document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.layout import write_text
from benchmarks.sites.packages import node_programs, run_program
from benchmarks.sites.programs.publications.papers import numbered_gold, sections
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, to_markdown

_SCRIPTS = re.compile(r"<script\b.*?</script>", re.DOTALL)
SPEC = ("spec-md@3.1.0",)
_CONVERT = """
const fs = require('fs');
const { html } = require('spec-md');
(async () => {
  for (const name of fs.readdirSync('source'))
    fs.writeFileSync(`html/${name.replace('.md', '.html')}`, await html(`source/${name}`));
})().catch(error => { console.error(error); process.exit(1); });
"""


def write_specifications(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a specification per document, and the program that converts all."""
    del theme
    for document in documents:
        written = _written(document)
        before, found = sections(written)
        text = f"# {document.title}\n\n{document.summary}\n\n{to_markdown(replace(written, parts=tuple(before)))}"
        parts = [replace(part, level=part.level - 1) if part.kind == "heading" else part for section in found for part in section]
        write_text(project / f"source/{document.slug}.md", f"{text}\n\n{to_markdown(replace(written, parts=tuple(parts)))}")
    write_text(project / "convert.js", _CONVERT)
    (project / "html").mkdir()


def specification_gold(document: SourceDocument) -> str:
    """Return the gold text of a specification: sections have numbers, the introduction has none."""
    before, found = sections(_written(document))
    lines = [document.title, document.summary, *(line for part in before for line in part_gold(part))]
    for number, parts in enumerate(found, 1):
        lines += numbered_gold(parts, number)
    return "\n".join(lines)


def _written(document: SourceDocument) -> SourceDocument:
    """Return a document in the Markdown of specifications, which has no quotations, and no code in headings."""
    return replace(document, parts=tuple(_part(part) for part in document.parts))


def _part(part: Part) -> Part:
    if part.kind == "heading":
        return replace(part, rows=((re.sub("[`()]", " ", part.rows[0][0]).strip(),),))
    return replace(part, kind="paragraph") if part.kind == "quote" else part


def build_specifications(project: Path) -> None:
    """Convert the specifications; their style sheet is in each page."""
    tools = project.parents[1].resolve()
    run_program([str(node_programs(tools.parent) / "node"), "convert.js"], project, tools.parent)
    for path in project.glob("html/*.html"):
        write_text(path, _SCRIPTS.sub("", path.read_text("utf-8")))
