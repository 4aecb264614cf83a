"""References of web interfaces: Swagger UI and apiDoc, whose scripts fill the pages, from npm."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.rendered_pages import keep_rendered
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_markdown

_THINGS = ("tide", "buoy", "ferry", "lantern", "berth", "pilot", "chart", "signal")
_MANNERS = ("of a harbour", "of the last hour", "by its number", "for one season", "near a place", "that changed since a date")
_ACTIONS = (("GET", "List", "s"), ("GET", "Read", ""), ("POST", "Record", ""), ("PUT", "Replace", ""), ("DELETE", "Withdraw", ""))
_GROUPS = ("Tables and their readings", "Ships in the port", "Lights, marks and signals", "Accounts of the harbour office")
_SERVER = "https://api.example.org"
_FIELDS = (
    ("height", "Number", "Metres above the datum of the chart."),
    ("hour", "String", "Local time of the reading."),
    ("depth", "Number", "Metres below the keel."),
    ("keeper", "String", "Who wrote it down."),
    ("berths", "Number", "Places at the quay that are free."),
    ("next", "String", "Address of what follows."),
)


def write_swagger(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a description of an interface per document, which is its introduction; its operations follow, closed."""
    del theme
    for document in documents:
        paths: dict[str, dict[str, object]] = {}
        for group, operations in interface(document).items():
            for method, path, summary in operations:
                answer = {"200": {"description": "Done"}}
                paths.setdefault(path, {})[method.lower()] = {"tags": [group], "summary": summary, "responses": answer}
        about = {
            "title": document.title,
            "version": f"1.{document.published.month}.{document.published.day}",
            "description": to_markdown(document),
            "contact": {"name": "Ada Quay", "url": "https://example.org/"},
            "license": {"name": "Apache 2.0", "url": "https://example.org/licence"},
        }
        servers = [{"url": f"https://api.example.org/{document.slug}"}]
        tags = [{"name": name} for name in interface(document)]
        content = {"openapi": "3.0.3", "info": about, "servers": servers, "tags": tags, "paths": paths}
        settings = f"spec: {json.dumps(content)}, dom_id: '#swagger-ui', docExpansion: 'list', layout: 'StandaloneLayout'"
        script = f"SwaggerUIBundle({{{settings}, presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset]}});"
        scripts = '<script src="swagger-ui-bundle.js"></script><script src="swagger-ui-standalone-preset.js"></script>'
        head = f'<meta charset="utf-8"><title>{NAME}</title><link rel="stylesheet" href="swagger-ui.css">'
        head += '<link rel="stylesheet" href="index.css">'
        body = f'<div id="swagger-ui"></div>{scripts}<script>{script}</script>'
        page = f'<!DOCTYPE html><html lang="{document.language}"><head>{head}</head><body>{body}</body></html>'
        write_text(project / f"html/{document.slug}.html", page)


def build_swagger(project: Path) -> None:
    """Put the scripts and style sheets in, and keep the pages as the scripts show them."""
    package = project.parents[1].resolve() / "node_modules/swagger-ui-dist"
    for name in ("swagger-ui-bundle.js", "swagger-ui-standalone-preset.js"):
        shutil.copy(package / name, project / "html")
    for name in ("swagger-ui.css", "index.css"):
        shutil.copy(package / name, project / "html")
    pages = sorted(path.name for path in project.glob("html/*.html"))
    keep_rendered(project / "html", {name: name for name in pages}, ".opblock-summary-description")


def interface(document: SourceDocument) -> dict[str, list[tuple[str, str, str]]]:
    """Return by group the operations of a document's interface, each with method, path and summary, in the order of the page."""
    draw = random.Random(f"{document.slug} {document.title}")
    found: dict[str, list[tuple[str, str, str]]] = {}
    for group, thing in zip(draw.sample(_GROUPS, draw.randint(2, 3)), draw.sample(_THINGS, 3), strict=False):
        operations = []
        for method, verb, plural in _ACTIONS:
            if draw.random() < 0.7 or verb == "List":
                path = f"/{thing}s" if verb in ("List", "Record") else f"/{thing}s/{{{thing}}}"
                operations.append((method, path, f"{verb} {'the' if plural else 'one'} {thing}{plural} {draw.choice(_MANNERS)}"))
        found[group] = sorted(operations, key=lambda operation: operation[1].count("/"))
    return found


def interface_gold(document: SourceDocument) -> str:
    """Return the gold text of an interface's page: its introduction, and its operations by group."""
    lines = [gold_text(document)]
    for group, operations in interface(document).items():
        lines += [group, *(" ".join(operation) for operation in operations)]
    return "\n".join(lines)


def write_apidoc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the declarations of an interface per document, which is its introduction."""
    del theme
    for document in documents:
        operations = interface(document)
        settings = {
            "name": document.title,
            "description": document.summary,
            "version": f"1.{document.published.month}.{document.published.day}",
            "title": NAME,
            "url": _SERVER,
            "sampleUrl": False,
            "header": {"title": "Introduction", "filename": "header.md"},
            "template": {"withCompare": False, "withGenerator": False, "showRequiredLabels": False},
            "order": list(operations),
        }
        write_text(project / document.slug / "apidoc.json", json.dumps(settings))
        write_text(project / document.slug / "header.md", to_markdown(document))
        comments = [
            _declaration(document, group, operation, f"{number:02}")
            for group, found in operations.items()
            for number, operation in enumerate(found)
        ]
        write_text(project / document.slug / "src/interface.js", "\n".join(comments))


def build_apidoc(project: Path) -> None:
    """Build a reference of each interface, and keep the pages as their scripts show them."""
    tools = project.parents[1].resolve()
    slugs = sorted(path.parent.name for path in project.glob("*/apidoc.json"))
    for slug in slugs:
        options = ["-i", f"{slug}/src", "-c", f"{slug}/apidoc.json", "-o", f"html/{slug}"]
        run_program([str(tools / "node_modules/.bin/apidoc"), *options], project, tools.parent)
    keep_rendered(project / "html", {f"{slug}/index.html": f"{slug}/index.html" for slug in slugs}, "#sections article pre")
    for slug in slugs:  # the encoding that the program declares is not in the kept page
        page = project / "html" / slug / "index.html"
        page.write_text(page.read_text("utf-8").replace("<head>", '<head><meta charset="utf-8">', 1), "utf-8")
    for path in sorted(project.glob("html/*/assets/*")):
        if path.suffix in (".js", ".map"):
            path.unlink()


def declarations_gold(document: SourceDocument) -> str:
    """Return the gold text of a reference's page: title, standfirst and introduction, and its declarations by group."""
    title, rest = gold_text(document).split("\n", 1)
    lines = [title, document.summary, rest]
    for group, operations in interface(document).items():
        lines.append(group)
        for operation in operations:
            method, path, summary = operation
            lines += [f"{group} | {summary}", method.lower(), _SERVER + _address(path)]
            for heading, fields in (("Parameter", _parameters(path)), ("Success 200", _answers(document, operation))):
                lines += [heading, "Field Type Description", *(" ".join(field) for field in fields)] if fields else []
    return "\n".join(lines)


def _declaration(document: SourceDocument, group: str, operation: tuple[str, str, str], name: str) -> str:
    method, path, summary = operation
    lines = [f"@api {{{method.lower()}}} {_address(path)} {summary}", f"@apiName {name}", f"@apiGroup {group}"]
    lines += [f"@apiParam {{{kind}}} {field} {text}" for field, kind, text in _parameters(path)]
    lines += [f"@apiSuccess {{{kind}}} {field} {text}" for field, kind, text in _answers(document, operation)]
    return "/**\n" + "".join(f" * {line}\n" for line in lines) + " */\n"


def _address(path: str) -> str:
    return path.replace("{", ":").replace("}", "")


def _parameters(path: str) -> list[tuple[str, str, str]]:
    thing = path.partition("{")[2].rstrip("}")
    return [(thing, "Number", f"Number of the {thing} in the register.")] if thing else []


def _answers(document: SourceDocument, operation: tuple[str, str, str]) -> list[tuple[str, str, str]]:
    draw = random.Random(f"{document.slug} {operation}")
    return draw.sample(_FIELDS, draw.randint(1, 3))
