"""Specifications as Ecma's committee of JavaScript writes them: ecmarkup, a specification per document."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import Part, SourceDocument, inline_html, part_gold, part_html

_FROM_NETWORK = re.compile(r"@import url\(https://[^)]*\);?")
INTRODUCTION = "Introduction"
"""Title of the text before the first section."""


def write_ecmarkup(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a specification per document."""
    del theme
    for number, document in enumerate(documents):
        head = f"title: {json.dumps(document.title, ensure_ascii=False)}\nstatus: proposal\nstage: {number % 4}\n"
        head += f"shortname: Tide-{number + 1}\ndate: {document.published}\nlocation: https://example.org/{document.slug}/\n"
        head += "contributors: Ada Quay\ncopyright: false\n"
        before, clauses = sections(document)
        intro = "".join(part_html(part) for part in before)
        text = f'<emu-intro id="sec-intro"><h1>{INTRODUCTION}</h1>{intro}</emu-intro>\n' if before else ""
        text += "".join(_clause(parts, f"sec-{place}") for place, parts in enumerate(clauses))
        page = f'<!DOCTYPE html>\n<meta charset="utf-8">\n<pre class="metadata">\n{head}</pre>\n{text}'
        write_text(project / f"{document.slug}.emu", page)


def build_ecmarkup(project: Path) -> None:
    """Convert all specifications; their style sheets and scripts are beside them."""
    tools = project.parents[1].resolve()
    for path in sorted(project.glob("*.emu")):
        options = ["--assets", "external", "--assets-dir", "html/assets", path.name, f"html/{path.stem}.html"]
        run_program([str(tools / "node_modules/.bin/ecmarkup"), *options], project, tools.parent)
        page = project / f"html/{path.stem}.html"
        write_text(page, _FROM_NETWORK.sub("", page.read_text("utf-8")))


def ecmarkup_gold(document: SourceDocument) -> str:
    """Return the gold text of a specification: sections have numbers, the introduction has none."""
    before, clauses = sections(document)
    lines = [document.title, *([INTRODUCTION] if before else []), *(line for part in before for line in part_gold(part))]
    for number, parts in enumerate(clauses, 1):
        lines += numbered_gold(parts, number)
    return "\n".join(lines)


def numbered_gold(parts: Sequence[Part], number: int, end: str = "") -> list[str]:
    """Return the gold lines of a section; its headings are numbered, and `end` is behind each number."""
    lines: list[str] = []
    inner = 0
    for place, part in enumerate(parts):
        found = part_gold(part)
        if part.kind == "heading":
            inner += place > 0
            found = [f"{number}{f'.{inner}' if place else ''}{end} {found[0]}"]
        lines += found
    return lines


def sections(document: SourceDocument) -> tuple[list[Part], list[list[Part]]]:
    """Return the parts before the first heading of the second level, and the parts from each such heading on."""
    before: list[Part] = []
    found: list[list[Part]] = []
    for part in document.parts:
        if part.kind == "heading" and part.level == 2:
            found.append([part])
        else:
            (found[-1] if found else before).append(part)
    return before, found


def _clause(parts: Sequence[Part], place: str) -> str:
    text, open_clauses = "", 0
    for number, part in enumerate(parts):
        if part.kind == "heading":
            text += "</emu-clause>" * (open_clauses - 1) if number else ""
            open_clauses = 2 if number else 1
            text += f'\n<emu-clause id="{place}-{number}"><h1>{inline_html(part.rows[0][0])}</h1>'
        else:
            text += _plain_code(part) if part.kind == "code" else part_html(part)
    return text + "</emu-clause>" * open_clauses


def _plain_code(part: Part) -> str:
    lines = html.escape("\n".join(row[0] for row in part.rows), quote=False)
    return f"<pre><code>{lines}</code></pre>"
