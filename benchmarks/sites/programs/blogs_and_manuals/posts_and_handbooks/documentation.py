"""Documentation of modules by StrongLoop's strong-docs, from Markdown, and of Sass libraries by SassDoc, from comments."""

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

_SCRIPTS = re.compile(r"<script\b.*?</script>", re.DOTALL)
_MENU = '<div id="modules"></div>'
_MENU_STYLE = "<style>.navbar-inverse #modules a { color: #5b6770 }</style>"
_SASS_NAMES = ("read-tide", "open-gate", "anchor-width", "buoy-color", "lantern-glow", "ferry-route", "chart-grid", "signal-size")
_KINDS = ("function", "mixin", "function")
"""Kinds of items, in turn."""
_TYPES = ("Number", "String", "Color", "Map", "Bool")


def write_strong(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document, and the links to the others that its bar gets."""
    del theme
    links = "".join(f'<li><a href="{one.slug}.html">{html.escape(one.title)}</a></li>' for one in documents[:4])
    write_text(project / "modules.html", f'<div id="modules"><ul class="nav navbar-nav">{links}</ul></div>')
    for document in documents:
        write_text(project / f"source/{document.slug}/docs.md", f"# {document.title}\n\n{to_markdown(document)}")
        write_text(project / f"source/{document.slug}/docs.json", json.dumps({"title": document.title, "content": ["docs.md"]}))


def build_strong(project: Path) -> None:
    """Build the pages with one folder of style sheets and without scripts; and write their titles, which the program leaves empty."""
    tools = project.parents[1].resolve()
    menu = (project / "modules.html").read_text("utf-8")
    for folder in sorted((project / "source").iterdir()):
        run_program([str(tools / "node_modules/.bin/sdocs"), "--out", "built"], folder, tools.parent)
        title = json.loads((folder / "docs.json").read_text("utf-8"))["title"]
        text = _SCRIPTS.sub("", (folder / "built/index.html").read_text("utf-8"))
        text = text.replace("<title></title>", f"<title>{html.escape(title)}</title>{_MENU_STYLE}", 1)
        write_text(project / f"html/{folder.name}.html", text.replace(_MENU, menu).replace("docs.strongloop.com", NAME))
        for name in ("css", "fonts"):
            shutil.copytree(folder / "built" / name, project / "html" / name, dirs_exist_ok=True)


def write_sass(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a library per document: a function or a mixin per section, with its comment."""
    del theme
    for number, document in enumerate(documents):
        text = f"////\n/// @group {document.slug}\n/// @author Ada Quay\n////\n\n"
        text += "\n".join(_item(document, *one) for one in _items(document))
        write_text(project / f"source/{document.slug}/main.scss", text)
        write_text(
            project / f"source/{document.slug}/.sassdocrc", json.dumps({"groups": {document.slug: document.title}, "theme": "default"})
        )
        package = {"name": f"tide-{number + 1}", "title": document.title, "version": f"1.{number}.0", "license": "MIT"}
        write_text(project / f"source/{document.slug}/package.json", json.dumps(package | {"homepage": "https://example.org/tide"}))


def build_sass(project: Path) -> None:
    """Document the libraries, with one folder of style sheets and pictures for all, and without scripts."""
    tools = project.parents[1].resolve()
    for folder in sorted((project / "source").iterdir()):
        command = [str(tools / "node_modules/.bin/sassdoc"), "main.scss", "-c", ".sassdocrc", "-d", "built", "--no-update-notifier"]
        run_program(command, folder, tools.parent)
        text = _SCRIPTS.sub("", (folder / "built/index.html").read_text("utf-8"))
        write_text(project / f"html/{folder.name}.html", re.sub(r'<link[^>]*href="https?:[^>]*>', "", text))
        shutil.copytree(folder / "built/assets", project / "html/assets", ignore=shutil.ignore_patterns("js"), dirs_exist_ok=True)


def sass_gold(document: SourceDocument) -> str:
    """Return the gold text of a library: its name, and of each item its name, code, description, parameters, result and examples."""
    lines = [document.title]
    kinds: dict[str, list[str]] = {}
    for kind, name, parts in _items(document):
        found = [name, _signature(kind, name, parts, "{ ... }"), "Description", *_described(parts)]
        table = _table(parts)
        found += ["Parameters", "Name Description Type Default value" if table else "None."]
        found += [f"${argument} {text} {_type(place)} {value}" for place, (argument, value, text) in enumerate(table)]
        found += ["Returns", "Number"] if kind == "function" else []
        examples = [line for part in parts if part.kind == "code" for line in part_gold(part)]
        kinds.setdefault(kind, []).extend([*found, *(["Example", *examples] if examples else [])])
    for kind in ("function", "mixin"):
        lines += [f"{kind}s", *kinds[kind]] if kind in kinds else []
    return "\n".join(lines)


def _items(document: SourceDocument) -> list[tuple[str, str, list[Part]]]:
    """Return kind, name and parts of each item; the text before the first section is that of the first item."""
    before, found = sections(document)
    listed = [*([before] if before else []), *found]
    return [
        (_KINDS[place % 3], f"{_SASS_NAMES[(place + len(document.title)) % 8]}{'' if place < 8 else place}", parts)
        for place, parts in enumerate(listed)
    ]


def _table(parts: Sequence[Part]) -> list[tuple[str, str, str]]:
    """Return name, default value and description of each parameter: the rows of the item's tables."""
    rows = [part_cells for part in parts if part.kind == "table" for part_cells in part.rows[1:]]
    return [(f"{row[0].strip('`').replace('_', '-')}-{place}", row[1], _plain(row[2])) for place, row in enumerate(rows)]


def _described(parts: Sequence[Part]) -> list[str]:
    return [line for part in parts if part.kind not in ("table", "code") for line in part_gold(part)]


def _signature(kind: str, name: str, parts: Sequence[Part], body: str) -> str:
    arguments = ", ".join(f"${argument}: {value}" for argument, value, _ in _table(parts))
    return f"@{kind} {name}({arguments}) {body}"


def _item(document: SourceDocument, kind: str, name: str, parts: Sequence[Part]) -> str:
    """Return an item with its comment."""
    table = _table(parts)
    described = [replace(part, level=4) if part.kind == "heading" else part for part in parts if part.kind not in ("table", "code")]
    lines = to_markdown(replace(document, parts=tuple(described))).splitlines()
    lines += [f"@param {{{_type(place)}}} ${argument} [{value}] - {text}" for place, (argument, value, text) in enumerate(table)]
    lines += ["@return {Number}"] if kind == "function" else []
    for part in parts:
        if part.kind == "code":
            lines += ["@example", *(f"  {row[0]}" for row in part.rows)]
    value = f"${table[0][0]}" if table else "12px"
    body = f"{{\n  @return {value};\n}}" if kind == "function" else f"{{\n  width: {value};\n}}"
    return "\n".join(f"/// {line}".rstrip() for line in lines) + f"\n{_signature(kind, name, parts, body)}\n"


def _type(place: int) -> str:
    return _TYPES[place % len(_TYPES)]


def _plain(text: str) -> str:
    """Return inline Markdown as plain text, on one line."""
    return re.sub(r"<[^>]*>", "", html.unescape(inline_html(text))).strip()
