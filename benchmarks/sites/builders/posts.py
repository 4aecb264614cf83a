"""Projects of blogs and news pages: Crinita and Miyadaiku (PyPI), and Eleventy with the pages of a British government site (npm)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, to_html, to_markdown

_CRINITA = """
import datetime
import json
import pathlib
import crinita
settings = json.load(open("settings.json"))
for name, value in settings["config"].items():
    setattr(crinita.Config, name, value)
tags = {name: crinita.Tag(name, name.replace(" ", "-")) for name in settings["tags"]}
articles = [
    crinita.Article(
        title=one["title"], url_alias=one["slug"], date=datetime.datetime.fromisoformat(one["date"]), lead=one["lead"],
        content=one["content"], tags=[tags[name] for name in one["tags"]],
    )
    for one in settings["articles"]
]
about = crinita.Page(title="About", url_alias="about", content=settings["about"], menu_position=2, large_image_path=None)
crinita.Sites([*articles, about]).generate_pages(pathlib.Path("html"))
"""
_ELEVENTY = """
import {govukEleventyPlugin} from '@x-govuk/govuk-eleventy-plugin';
export default function (config) {
  config.addPlugin(govukEleventyPlugin, OPTIONS);
  return {dir: {input: 'pages', output: 'html'}};
}
"""
_FORMULAS = re.compile(r'<script src="https://cdnjs[^"]*"></script>')
_LABELS = ("Guidance", "News story", "Press release", "Statistics", "Consultation")
_BLOCK_TAGS = ("Explore the topic", "Also of interest")


def write_crinita(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the articles of a blog, with recent posts, tags and a box about the site at the side."""
    del theme
    config = {
        "site_title": NAME,
        "site_logo_text": NAME.upper(),
        "append_to_head_tag": "",
        "footer": f"<p>© 2024 {NAME}. All texts may be copied with the name of their author.</p>",
        "text_sections_in_right_menu": [{"header": "About", "content": documents[1].summary}],
        "default_meta_description": documents[0].summary,
        "append_to_menu": [
            {"title": "HOME", "url": "__HOME_PAGE__", "menu_position": 0},
            {"title": "ARCHIVE", "url": "index-page-1.html", "menu_position": 3},
        ],
    }
    articles = [
        {
            "title": document.title,
            "slug": document.slug,
            "date": str(document.published),
            "lead": document.summary,
            "content": to_html(document),
            "tags": list(document.tags),
        }
        for document in documents
    ]
    tags = sorted({tag for document in documents for tag in document.tags})
    write_text(
        project / "settings.json",
        json.dumps({"config": config, "articles": articles, "tags": tags, "about": f"<p>{documents[2].summary}</p>"}),
    )


def build_crinita(project: Path) -> None:
    """Build the blog by its library."""
    (project / "html").mkdir()
    write_text(project / "build.py", _CRINITA)
    run_tool([str(project.parents[1].resolve() / "bin/python"), "build.py"], project)


def write_eleventy(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write posts with breadcrumbs, metadata and a table of contents, whose related pages are at the side."""
    del theme
    links = [{"text": text, "href": f"/{document.slug}/"} for text, document in zip(("News", "Guidance", "Data"), documents, strict=False)]
    options = {
        "titleSuffix": NAME,
        "header": {"logotype": {"text": NAME}, "productName": False},
        "footer": {"copyright": {"text": f"© {NAME}"}, "licence": False, "meta": {"items": links}},
        "serviceNavigation": {"navigation": links, "home": "/"},
        "markdown": {"typographer": False, "govspeak": False, "headingsStartWith": "l"},
        "stylesheets": [],
    }
    write_text(project / "eleventy.config.mjs", _ELEVENTY.replace("OPTIONS", json.dumps(options)))
    write_text(project / "package.json", json.dumps({"name": "site", "private": True, "type": "module"}))
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    write_text(project / "pages/index.md", f"{_front({'layout': 'page', 'title': NAME})}\n{documents[0].summary}\n")
    for number, document in enumerate(documents):
        near = [documents[(number + step) % len(documents)] for step in range(1, 7)]
        sections = [
            {"title": title, "items": [{"text": other.title, "href": f"/{other.slug}/"} for other in others]}
            for title, others in zip(_BLOCK_TAGS, (near[:3], near[3:]), strict=True)
        ]
        head = {
            "layout": "post",
            "title": document.title,
            "htmlLang": document.language,
            "caption": _LABELS[number % len(_LABELS)],
            "description": document.summary,
            "date": str(document.published),
            "author": {"name": "Ada Quay", "url": "/"},
            "related": {"sections": sections},
            "eleventyNavigation": {"parent": NAME},
        }
        write_text(project / f"pages/{document.slug}.md", f"{_front(head)}\n[[toc]]\n\n{to_markdown(document)}")


def build_eleventy(project: Path) -> None:
    """Build the pages with their style sheet."""
    tools = project.parents[1].resolve()
    run_program([str(tools / "node_modules/.bin/eleventy"), "--quiet"], project, tools.parent)


def write_miyadaiku(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog, whose date, tags and contents are at the side."""
    settings = {
        "site_title": NAME,
        "site_url": "http://127.0.0.1/",
        "lang": documents[0].language,
        "timezone": "UTC",
        "copyright": f"© 2024 {NAME}",
        "og_description": documents[0].summary,
        "themes": [f"miyadaiku_theme_{theme}"],
    }
    write_text(project / "config.yml", json.dumps(settings))
    for document in documents:
        head = {"title": document.title, "date": f"{document.published} 08:00:00", "tags": list(document.tags), "type": "article"}
        body = to_markdown(document)  # after a comment, as the first lines of the form "word: text" would be settings
        write_text(project / f"contents/{document.slug}.md", f"{_front(head)}\n<!-- text -->\n\n{body}")


def build_miyadaiku(project: Path) -> None:
    """Build the blog, without the library for formulas that it gets from the network."""
    run_tool([str(project.parents[1].resolve() / "bin/miyadaiku-build"), "."], project)
    for path in sorted((project / "outputs").glob("*.html")):
        path.write_text(_FORMULAS.sub("", path.read_text("utf-8")), "utf-8")


def _front(head: Mapping[str, object]) -> str:
    lines = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
    return f"---\n{lines}---\n"
