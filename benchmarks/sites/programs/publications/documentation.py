"""Documentation tools of Python: JinPress, and Logya with the site of its own documentation."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import ICON, NAME, write_text
from benchmarks.sites.packages import install_packages
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

_OPEN_PROPS = "https://unpkg.com/open-props"
_PICNIC = "https://cdn.jsdelivr.net/npm/picnic@7.1.0/picnic.min.css"
_YEAR = "<script>document.write(new Date().getFullYear())</script>"
_GROUPS = ("Harbour", "Ferries", "Workshop")


def write_jinpress(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document, in three groups of the side bar."""
    del theme
    groups = {
        f"/{name.lower()}/": [
            {"text": document.title, "link": f"/{name.lower()}/{document.slug}/"}
            for number, document in enumerate(documents)
            if number % len(_GROUPS) == place
        ]
        for place, name in enumerate(_GROUPS)
    }
    settings = {
        "site": {"title": NAME, "description": documents[0].summary, "lang": documents[0].language, "base": "/"},
        "themeConfig": {
            "nav": [{"text": name, "link": groups[f"/{name.lower()}/"][0]["link"]} for name in _GROUPS],
            "sidebar": groups,
            "socialLinks": [{"icon": "github", "link": "https://example.org/tide"}],
            "editLink": {"pattern": "https://example.org/tide/edit/:path", "text": "Edit this page"},
            "footer": {"message": "Built with JinPress", "copyright": f"Copyright 2024 {NAME}"},
            "lastUpdated": False,
        },
    }
    write_text(project / "config.yml", json.dumps(settings))
    write_text(project / "static/favicon.svg", ICON)
    write_text(project / "docs/index.md", f"---\ntitle: {NAME}\n---\n\n{documents[0].summary}\n")
    for number, document in enumerate(documents):
        head = {"title": document.title, "description": document.summary}
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        folder = _GROUPS[number % len(_GROUPS)].lower()
        write_text(project / f"docs/{folder}/{document.slug}.md", f"---\n{front}---\n\n{to_markdown(document)}")


def build_jinpress(project: Path) -> None:
    """Build the site, with Open Props from npm in place of those from the network."""
    tools = project.parents[2]
    install_packages(tools / "open-props", ("open-props@1.7.23",), "npm")
    run_tool([str(project.parents[1].resolve() / "bin/jinpress"), "build"], project)
    styles = project / "dist/assets/css"
    for name in ("open-props.min.css", "normalize.min.css"):
        shutil.copy(tools / "open-props/node_modules/open-props" / name, styles)
    text = (styles / "main.css").read_text("utf-8").replace(f"{_OPEN_PROPS}/", "").replace(_OPEN_PROPS, "open-props.min.css")
    write_text(styles / "main.css", text)


def jinpress_page(document: SourceDocument) -> str:
    """Return the path of a document's page: that of its group."""
    return f"{_GROUPS[int(document.slug.rpartition('-')[2]) % len(_GROUPS)].lower()}/{document.slug}/index.html"


def write_logya(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document."""
    write_text(project / "theme.txt", theme)
    for number, document in enumerate(documents):
        head = {"page": number, "title": document.title, "template": "page.html", "created": f"{document.published} 08:00:00"}
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        write_text(project / f"pages/{document.slug}.md", f"---\n{front}---\n{to_markdown(document)}")


def build_logya(project: Path) -> None:
    """Start a site of the program's own for documentation, put the pages in, and build it with Picnic's style sheet from npm."""
    tools, program = project.parents[2], str(project.parents[1].resolve() / "bin/logya")
    install_packages(tools / "picnic", ("picnic@7.1.0",), "npm")
    run_tool([program, "create", "site", "--site", (project / "theme.txt").read_text("utf-8")], project)
    site = project / "site"
    for path in site.glob("content/*.md"):
        path.unlink()
    for path in (project / "pages").iterdir():
        path.rename(site / "content" / path.name)
    shutil.copy(tools / "picnic/node_modules/picnic/picnic.min.css", site / "static")
    settings, frame = site / "site.yaml", site / "templates/base.html"
    text = settings.read_text("utf-8").replace("https://ramiro.org/logya/docs", "''").replace("Logya Documentation", NAME)
    write_text(settings, text.replace("- 'toc'", "- 'toc'\n        - 'tables'"))
    text = frame.read_text("utf-8").replace(_PICNIC, "/picnic.min.css").replace(_YEAR, "2024").replace("Ramiro Gómez", "Ada Quay")
    write_text(frame, text)
    run_tool([program, "generate"], site)
