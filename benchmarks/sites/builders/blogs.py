"""Projects of blogs: Astro's Vitesse and Valaxy (npm), and Markata (PyPI)."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.generators.rendered_pages import keep_rendered
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_markdown

_VITESSE = """import {defineConfig} from 'astro/config';
import vitesse from 'astro-vitesse';
import unocss from '@unocss/astro';
export default defineConfig({
  site: 'http://127.0.0.1', markdown: {smartypants: false}, integrations: [vitesse(OPTIONS), unocss()],
});
"""
_STYLES = """import {defineConfig, presetAttributify, presetIcons, presetUno, transformerDirectives, transformerVariantGroup} from 'unocss';
export default defineConfig({
  presets: [presetUno(), presetAttributify(), presetIcons({scale: 1.2})],
  transformers: [transformerDirectives(), transformerVariantGroup()],
  content: {filesystem: ['../../node_modules/astro-vitesse/src/**/*.astro']},
});
"""
_PAGES = """import {defineCollection} from 'astro:content';
import {pagesLoader} from 'astro-vitesse/loaders';
import {pagesSchema} from 'astro-vitesse/schema';
export const collections = {pages: defineCollection({loader: pagesLoader(), schema: pagesSchema()})};
"""
_MISSING_STYLE = re.compile(r"<link[^>]*markata-tailwind\.css[^>]*>")
_VALAXY_LANGUAGES = {"zh": "zh-CN"}
"""Its themes have words in Chinese and English."""
_LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><circle cx="16" cy="16" r="14" fill="#457"/></svg>'


def write_vitesse(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog, each with a standfirst and a table of contents in the margin."""
    del theme
    menu = [{"label": label, "link": f"/posts/{document.slug}"} for label, document in zip(("Blog", "Talks"), documents, strict=False)]
    options = {"title": NAME, "logo": {"src": "./src/logo.svg"}, "navBar": menu, "disable404Route": True}
    options |= {"locales": {"root": {"label": "Text", "lang": documents[0].language}}}
    write_text(project / "astro.config.mjs", _VITESSE.replace("OPTIONS", json.dumps(options)))
    write_text(project / "package.json", json.dumps({"name": "site", "private": True, "type": "module"}))
    write_text(project / "uno.config.ts", _STYLES)
    write_text(project / "src/content.config.ts", _PAGES)
    write_text(project / "src/logo.svg", _LOGO)
    write_text(project / "src/content/pages/index.md", f"---\ntitle: {NAME}\n---\n\n{documents[0].summary}\n")
    for document in documents:
        head = {
            "title": document.title,
            "subtitle": document.summary,
            "description": document.summary,
            "date": str(document.published),
            "duration": f"{len(to_markdown(document)) // 900 + 1} min",
            "tocAlwaysOn": True,
        }
        write_text(project / f"src/content/pages/posts/{document.slug}.md", f"{_front(head)}\n[[toc]]\n\n{to_markdown(document)}")


def subtitle_gold(document: SourceDocument) -> str:
    """Return the gold text of a post with its whole summary below the title."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, rest))


def write_valaxy(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog, with a picture of its author."""
    write_text(project / "public/author.svg", _LOGO)
    site: dict[str, Any] = {
        "title": NAME,
        "url": "http://127.0.0.1/",
        "lang": _VALAXY_LANGUAGES.get(documents[0].language, "en"),
        "subtitle": "Notes",
    }
    site |= {"author": {"name": "Ada Quay", "avatar": "/author.svg"}, "favicon": "/author.svg"}
    options = {"theme": theme, "siteConfig": site, "themeConfig": {"hero": {"title": NAME, "motto": "Notes", "urls": []}}}
    script = f"import {{defineValaxyConfig}} from 'valaxy';\nexport default defineValaxyConfig({json.dumps(options)});\n"
    write_text(project / "valaxy.config.ts", script)
    write_text(project / "package.json", json.dumps({"name": "site", "private": True, "type": "module"}))
    for document in documents:
        head = {
            "title": document.title,
            "date": f"{document.published} 08:00:00",
            "updated": f"{document.published} 09:00:00",
            "categories": document.tags[0],
            "tags": list(document.tags),
            "description": document.summary,
        }
        write_text(project / f"pages/posts/{document.slug}.md", f"{_front(head)}\n{to_markdown(document)}")


def build_valaxy(project: Path) -> None:
    """Build the blog, and keep its posts as its scripts show them: before that their text is in a template."""
    tools = project.parents[1].resolve()
    run_program([str(tools / "node_modules/.bin/valaxy"), "build", "--ssg"], project, tools.parent)
    posts = sorted((project / "dist/posts").glob("*.html"))
    for path in posts:
        path.rename(_made(path.with_suffix("")) / "index.html")
    keep_rendered(project / "dist", {f"posts/{path.stem}/index.html": f"posts/{path.stem}/" for path in posts}, ".markdown-body p")


def write_markata(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog, with its feeds."""
    settings: dict[str, Any] = {
        "title": NAME,
        "url": "http://127.0.0.1",
        "description": documents[0].summary,
        "author": "Ada Quay",
        "output_dir": "html",
    }
    settings |= {"glob": {"patterns": ["posts/**/*.md"]}, "theme": {"palette": theme}, "assets": {"mode": "cdn"}}
    settings |= {"layout": {"name": "blog"}, "toc": {"enabled": True}, "components": {"doc_sidebar": {"enabled": True}}}
    settings |= {"feeds": [{"slug": "archive", "title": "Archive", "filter": "published == true", "sort": "date", "reverse": True}]}
    write_text(project / "markata-go.json", json.dumps({"markata-go": settings}))
    for document in documents:
        head = {
            "title": document.title,
            "slug": document.slug,
            "date": str(document.published),
            "published": True,
            "tags": list(document.tags),
            "description": document.summary,
        }
        write_text(project / f"posts/{document.slug}.md", f"{_front(head)}\n{to_markdown(document)}")


def build_markata(project: Path) -> None:
    """Build the blog, without the libraries that it gets from npm for pages of other kinds, and without links to what it could not get."""
    run_tool([str(project.parents[1].resolve() / "bin/markata"), "build", "-q"], project)
    shutil.rmtree(project / "html/assets/vendor", ignore_errors=True)
    for path in sorted((project / "html").glob("**/index.html")):
        path.write_text(_MISSING_STYLE.sub("", path.read_text("utf-8")), "utf-8")


def _front(head: Mapping[str, object]) -> str:
    lines = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
    return f"---\n{lines}---\n"


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
