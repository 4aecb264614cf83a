"""Projects of documentation: docute and Swagger UI, whose scripts fill the pages, from npm."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.rendered_pages import keep_rendered
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_markdown

_THINGS = ("tide", "buoy", "ferry", "lantern", "berth", "pilot", "chart", "signal")
_MANNERS = ("of a harbour", "of the last hour", "by its number", "for one season", "near a place", "that changed since a date")
_ACTIONS = (("GET", "List", "s"), ("GET", "Read", ""), ("POST", "Record", ""), ("PUT", "Replace", ""), ("DELETE", "Withdraw", ""))
_GROUPS = ("Tables and their readings", "Ships in the port", "Lights, marks and signals", "Accounts of the harbour office")


def write_docute(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual with side bar and menu; every page starts as the same file, which its scripts fill."""
    links = [{"title": document.title, "link": f"/{document.slug}"} for document in documents]
    settings = {
        "target": "#app",
        "title": NAME,
        "router": {"mode": "history"},
        "layout": theme,
        "nav": [{"title": "Home", "link": "/"}, *({"title": link["title"], "link": link["link"]} for link in links[:3])],
        "sidebar": [{"title": "Guide", "children": links[:12]}, {"title": "Reference", "children": links[12:]}],
        "editLinkBase": "https://example.org/tides/edit/main/docs",
        "editLinkText": "Edit this page",
        "footer": f"© {NAME}",
        "fetchOptions": {"cache": "no-store"},
    }
    head = f'<meta charset="utf-8"><title>{NAME}</title><link rel="stylesheet" href="/docute.css">'
    body = f'<div id="app"></div><script src="/docute.js"></script><script>new Docute({json.dumps(settings)});</script>'
    page = f'<!DOCTYPE html><html lang="{documents[0].language}"><head>{head}</head><body>{body}</body></html>'
    write_text(project / "html/README.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(project / f"html/{document.slug}/index.html", page)
        write_text(project / f"html/{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def build_docute(project: Path) -> None:
    """Put the script and the style sheet in, and keep the pages as the script shows them."""
    for name in ("docute.css", "docute.js"):
        shutil.copy(project.parents[1].resolve() / "node_modules/docute/dist" / name, project / "html")
    slugs = sorted(path.parent.name for path in project.glob("html/*/index.html"))
    keep_rendered(project / "html", {f"{slug}/index.html": slug for slug in slugs}, ".page-content p")


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
