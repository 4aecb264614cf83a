"""Projects of documentation generators: docmd, shins, which writes pages of Slate's look, docsify, Vocs, and R Markdown's sites."""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.generators.rendered_pages import keep_rendered
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, to_markdown


def write_docmd(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual with a side bar."""
    side = [{"title": document.title, "path": f"/{document.slug}"} for document in documents]
    settings = {
        "title": NAME,
        "src": "docs",
        "out": "html",
        "theme": {"name": theme, "appearance": "light"},
        "navigation": [{"title": "Home", "path": "/"}, {"title": "Guide", "children": side}],
        "plugins": {},
    }
    write_text(project / "docmd.config.json", json.dumps(settings))
    write_text(project / "package.json", json.dumps({"name": "site", "version": "1.0.0", "private": True}))
    write_text(project / "docs/index.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        head = f"title: {json.dumps(document.title, ensure_ascii=False)}\ndescription: {json.dumps(document.summary, ensure_ascii=False)}\n"
        write_text(project / f"docs/{document.slug}.md", f"---\n{head}---\n\n{to_markdown(document)}")


def write_shins(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document, with links to the next ones below its contents."""
    for number, document in enumerate(documents):
        others = [documents[(number + step) % len(documents)] for step in (1, 2, 3)]
        links = [f"<a href='/{other.slug}.html'>{html.escape(other.title)}</a>" for other in others]
        head = {"title": document.title, "search": True, "highlight_theme": theme, "toc_footers": links}
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        write_text(project / f"{document.slug}.html.md", f"---\n{front}---\n\n# {document.title}\n\n{to_markdown(document)}")


def build_shins(project: Path) -> None:
    """Build all pages beside the style sheets and scripts of the package."""
    tools = project.parents[1].resolve()
    package = tools / "node_modules/shins"
    shutil.copytree(package / "pub", project / "html/pub")
    shutil.copytree(package / "source", project / "html/source")
    for path in sorted(project.glob("*.md")):
        options = ["--root", "html", "--output", f"html/{path.stem}"]
        run_program([str(tools / "node_modules/.bin/shins"), *options, path.name], project, tools.parent)


def write_docsify(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual with side bar, menu and search; every page starts as the same file, which its scripts fill."""
    settings = {"name": NAME, "repo": "https://example.org/tides", "routerMode": "history", "loadSidebar": True, "loadNavbar": True}
    settings |= {"alias": {"/.*/_sidebar.md": "/_sidebar.md", "/.*/_navbar.md": "/_navbar.md"}, "subMaxLevel": 3, "search": "auto"}
    scripts = "".join(f'<script src="/lib/{name}.min.js"></script>' for name in ("docsify", "plugins/search"))
    head = f'<meta charset="utf-8"><title>{NAME}</title><link rel="stylesheet" href="/lib/themes/{theme}.css">'
    body = f'<div id="app"></div><script>window.$docsify = {json.dumps(settings)};</script>{scripts}'
    page = f'<!DOCTYPE html><html lang="{documents[0].language}"><head>{head}</head><body>{body}</body></html>'
    links = "\n".join(f"- [{document.title}](/{document.slug})" for document in documents)
    write_text(project / "html/_sidebar.md", f"- [{NAME}](/)\n{links}\n")
    write_text(project / "html/_navbar.md", "".join(f"- [{document.tags[0].title()}](/{document.slug})\n" for document in documents[:3]))
    write_text(project / "html/README.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(project / f"html/{document.slug}/index.html", page)
        write_text(project / f"html/{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def build_docsify(project: Path) -> None:
    """Put the scripts and style sheets in, and keep the pages as they show them."""
    shutil.copytree(project.parents[1].resolve() / "node_modules/docsify/lib", project / "html/lib")
    slugs = sorted(path.parent.name for path in project.glob("html/*/index.html"))
    keep_rendered(project / "html", {f"{slug}/index.html": slug for slug in slugs}, ".markdown-section > p")


def write_rmarkdown(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a site with a menu, whose pages have a table of contents at the side."""
    entries = [{"text": document.tags[0].title(), "href": f"{document.slug}.html"} for document in documents[:4]]
    more = [{"text": document.title, "href": f"{document.slug}.html"} for document in documents[4:12]]
    bar = {"title": NAME, "left": [{"text": "Home", "href": "index.html"}, *entries, {"text": "More", "menu": more}]}
    form = {
        "theme": theme,
        "highlight": "textmate",
        "toc": True,
        "toc_float": {"collapsed": False},
        "md_extensions": "-smart",
        "mathjax": None,
    }
    settings = {"name": "tides", "output_dir": "html", "navbar": bar, "output": {"html_document": form}}
    write_text(project / "_site.yml", json.dumps(settings))
    write_text(project / "index.Rmd", f"---\ntitle: {NAME}\n---\n\n{documents[0].summary}\n")
    for document in documents:
        head = {"title": document.title, "author": "Ada Quay", "date": str(document.published), "lang": document.language}
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        write_text(project / f"{document.slug}.Rmd", f"---\n{front}---\n\n{to_markdown(document)}")


def build_rmarkdown(project: Path) -> None:
    """Render all pages."""
    write_text(project / "build.R", 'rmarkdown::render_site(".", quiet = TRUE)\n')
    run_tool([find_program("Rscript"), "--vanilla", "build.R"], project, {"HOME": str(project)})


def write_vocs(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a manual with a side bar, whose pages have a standfirst."""
    del theme
    side = [{"text": document.title, "link": f"/{document.slug}"} for document in documents]
    menu = [{"text": document.tags[0].title(), "link": f"/{document.slug}"} for document in documents[:3]]
    groups = [{"text": "Guide", "items": side[:10]}, {"text": "Reference", "items": side[10:]}]
    settings: dict[str, Any] = {"title": NAME, "rootDir": "docs", "topNav": menu, "sidebar": groups}
    settings |= {"editLink": {"pattern": "https://example.org/tides/edit/:path", "text": "Suggest changes to this page"}}
    write_text(project / "vocs.config.ts", f"import {{defineConfig}} from 'vocs';\nexport default defineConfig({json.dumps(settings)});\n")
    write_text(project / "package.json", json.dumps({"name": "site", "private": True, "type": "module"}))
    write_text(project / "docs/pages/index.mdx", f"# {NAME}\n\n{documents[0].summary}\n")
    for document in documents:
        write_text(project / f"docs/pages/{document.slug}.md", f"# {document.title} [{document.summary}]\n\n{to_markdown(document)}")
