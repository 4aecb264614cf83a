"""Documentation of JavaScript by doxdox in Bootstrap, and style guides of kss-node, both from comments."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publications.papers import sections
from benchmarks.sites.texts.documents import Part, SourceDocument, inline_html, part_gold, to_markdown

DOXDOX = ("doxdox@3.0.0", "bootstrap@4.0.0-beta", "highlight.js@9.12.0")
KSS = ("kss@3.1.0",)
_SCRIPTS = re.compile(r"<script\b.*?</script>", re.DOTALL)
_NETWORK = re.compile(r'https://[^"]*/([a-z.]*\.css)')
_NAMES = ("readTide", "openGate", "dropAnchor", "paintBuoy", "lightLantern", "planFerry", "drawChart", "sendSignal")
_TYPES = ("number", "string", "Array", "Object")


def write_doxdox(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a module per document: a function per section, with its comment."""
    del theme
    for number, document in enumerate(documents):
        functions = [_function(document, *one) for one in functions_of(document)]
        write_text(project / f"source/{document.slug}/{_file_name(document)}", "\n".join(functions))
        package = {"name": document.title, "version": f"{1 + number // 9}.{number % 9}.0", "description": document.summary}
        write_text(project / f"source/{document.slug}/package.json", json.dumps(package | {"homepage": "https://example.org/tide"}))


def build_doxdox(project: Path) -> None:
    """Document the modules, with the style sheets of npm in place of those from the network, and without scripts."""
    tools = project.parents[1].resolve()
    for folder in sorted((project / "source").iterdir()):
        (folder / "node_modules").symlink_to(tools / "node_modules")  # where it looks for its own packages
        source = next(folder.glob("*.js")).name
        command = [str(tools / "node_modules/.bin/doxdox"), source, "--layout", "bootstrap", "--output", "page.html"]
        run_program(command, folder, tools.parent)
        text = _SCRIPTS.sub("", (folder / "page.html").read_text("utf-8"))
        write_text(project / f"html/{folder.name}.html", _NETWORK.sub(r"\1", text))
    shutil.copy(tools / "node_modules/bootstrap/dist/css/bootstrap.min.css", project / "html")
    shutil.copy(tools / "node_modules/highlight.js/styles/github.css", project / "html/github.min.css")


def doxdox_gold(document: SourceDocument) -> str:
    """Return the gold text of a module: its name, what it is about, and all texts of each function."""
    lines = [document.title, document.summary]
    for place, (name, parts) in enumerate(functions_of(document)):
        table = _parameters(parts)
        lines += [f"{name}({', '.join(argument for argument, _ in table)})", *_described(parts)]
        lines += ["Parameters", "Name Type Description"] if table else []
        lines += [f"{argument} {_TYPES[step % 4]} {text}" for step, (argument, text) in enumerate(table)]
        examples = [line for part in parts if part.kind == "code" for line in part_gold(part)]
        lines += ["Examples", *examples] if examples else []
        lines += ["Returns", _TYPES[place % 4] if table else "Void"]
    return "\n".join(lines)


def functions_of(document: SourceDocument) -> list[tuple[str, list[Part]]]:
    """Return the name and the parts of each function; the text before the first section is that of the first function."""
    before, found = sections(document)
    listed = [*([before] if before else []), *found]
    return [(f"{_NAMES[(place + len(document.title)) % 8]}{'' if place < 8 else place}", parts) for place, parts in enumerate(listed)]


def _file_name(document: SourceDocument) -> str:
    return f"{document.slug.split('-')[0]}.js"


def _parameters(parts: Sequence[Part]) -> list[tuple[str, str]]:
    """Return name and description of each parameter: the rows of the function's tables."""
    rows = [row for part in parts if part.kind == "table" for row in part.rows[1:]]
    return [(f"{row[0].strip('`')}{place}", _plain(row[2])) for place, row in enumerate(rows)]


def _described(parts: Sequence[Part]) -> list[str]:
    return [line for part in parts if part.kind not in ("table", "code") for line in part_gold(part)]


def _function(document: SourceDocument, name: str, parts: Sequence[Part]) -> str:
    """Return a function with its comment."""
    table = _parameters(parts)
    described = [replace(part, level=4) if part.kind == "heading" else part for part in parts if part.kind not in ("table", "code")]
    lines = to_markdown(replace(document, parts=tuple(described))).splitlines()
    lines += [f"@param {{{_TYPES[step % 4]}}} {argument} {text}" for step, (argument, text) in enumerate(table)]
    place = [one for one, _ in functions_of(document)].index(name)
    lines += [f"@return {{{_TYPES[place % 4]}}}"] if table else []
    for part in parts:
        if part.kind == "code":
            lines += ["@example", *(f"  {row[0]}" for row in part.rows)]
    comment = "\n".join(f" * {line}".rstrip() for line in [*lines, "@public"])
    arguments = ", ".join(argument for argument, _ in table)
    return f"/**\n{comment}\n */\n\nfunction {name}({arguments}) {{\n    return {place};\n}}\n"


def _plain(text: str) -> str:
    """Return inline Markdown as plain text, on one line."""
    return re.sub(r"<[^>]*>", "", html.unescape(inline_html(text))).strip()


def write_kss(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the style sheet of each document, with a section of the style guide per section."""
    del theme
    for document in documents:
        comments = []
        for place, (head, parts) in enumerate(_guide(document)):
            table = [row for part in parts if part.kind == "table" for row in part.rows[1:]]
            text = _dashed(to_markdown(replace(document, parts=tuple(part for part in parts if part.kind != "table"))).strip())
            options = [f"{_variable(row[0], step)} = {row[1]}  - {_plain(row[2])}" for step, row in enumerate(table)]
            reference = _reference(document) + (f".{place}" if place else "")
            comments.append("\n\n".join((head, text, *(["\n".join(options)] if options else []), f"Style guide: {reference}")))
        write_text(project / f"source/{document.slug}.scss", "".join(f"/*\n{comment}\n*/\n\n" for comment in comments))
    write_text(project / "source/homepage.md", f"# {NAME}\n\n{documents[0].summary}\n")


def build_kss(project: Path) -> None:
    """Build the style guide, a page per document, without scripts."""
    tools = project.parents[1].resolve()
    program = str(tools / "node_modules/.bin/kss")
    run_program([program, "--source", "source", "--destination", "html", "--title", f"{NAME} Style Guide"], project, tools.parent)
    for path in project.glob("html/*.html"):
        write_text(path, _SCRIPTS.sub("", path.read_text("utf-8")))


def kss_page(document: SourceDocument) -> str:
    """Return the path of the page of a document's sections."""
    return f"section-{_reference(document)}.html"


def kss_gold(document: SourceDocument) -> str:
    """Return the gold text of a page of the style guide: sections with their numbers, descriptions and parameters."""
    number = int(document.slug[-2:]) + 1
    lines = []
    for place, (head, parts) in enumerate(_guide(document)):
        lines.append(f"{number}{f'.{place}' if place else ''} {head}")
        lines += [_dashed(line) for part in parts if part.kind != "table" for line in part_gold(part)]
        table = [row for part in parts if part.kind == "table" for row in part.rows[1:]]
        lines += ["Parameters:"] if table else []
        for step, row in enumerate(table):
            lines += [_variable(row[0], step), _plain(row[2]), f"Defaults to: {row[1]}"]
    return "\n".join(lines)


def _guide(document: SourceDocument) -> list[tuple[str, list[Part]]]:
    """Return heading and parts of each section: of the document itself, and of its sections."""
    before, found = sections(document)
    summary = Part("paragraph", ((document.summary,),))
    listed = [(document.title, [summary, *before])]
    listed += [(_plain(parts[0].rows[0][0]), [_lower(part) for part in parts[1:]]) for parts in found]
    return listed


def _dashed(text: str) -> str:
    """Return a description without hyphens between spaces, which are the mark of a parameter."""
    return text.replace(" - ", " – ")


def _lower(part: Part) -> Part:
    return replace(part, level=4) if part.kind == "heading" else part


def _variable(name: str, step: int) -> str:
    return f"${name.strip('`').replace('_', '-')}-{step}"


def _reference(document: SourceDocument) -> str:
    """Return the reference of a document's section: in the order of the documents."""
    return f"part{document.slug[-2:]}"
