"""A static blog with readers' comments in its posts' own files: biisan, in a frame of ours since it has none."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import comments_on
from benchmarks.sites.texts.documents import SourceDocument, to_html

_SETTINGS = """
import os
from glueplate import Glue as _
settings = _(
    blog=_(title=%r, base_url="http://127.0.0.1", language=%r),
    dir=_(output=os.path.abspath("html")),
    GLUE_PLATE_PLUS_BEFORE_template_dirs=[os.path.abspath("templates")],
    multiprocess=1,
)
"""
_FRAME = """<!DOCTYPE html>
<html lang="LANGUAGE"><head><meta charset="utf-8"><title>{% block title %}{% endblock title %} | NAME</title>
<link rel="stylesheet" href="/frame.css">{% block extra_headers %}{% endblock extra_headers %}</head><body>
<header><a class="name" href="/">NAME</a>
<nav><a href="/">Journal</a><a href="/blog/all/">Archive</a><a href="/about/">About</a></nav></header>
<div class="page"><main>{%- block contents -%}{%- endblock contents -%}</main><aside><h3>Latest entries</h3><ol>LATEST</ol>
<h3>Elsewhere</h3><p>Ada Quay keeps a table of the tides, and a boat. <a href="/api/feed/index.xml">Feed</a></p>
<form><input placeholder="Search"> <button>Search</button></form></aside></div>
<footer>NAME, since 1998. Made with biisan.</footer></body></html>
"""
_STYLE = """
body { margin: 0; background: #e9eef0; color: #223; font: 16px/1.65 "Noto Sans", sans-serif } a { color: #a3461d }
header { background: #1d3a4a; padding: 1.2em 3em; display: flex; justify-content: space-between; border-bottom: 6px solid #e0a526 }
header a { color: #fff; text-decoration: none; margin-left: 1.5em } header .name { font-size: 1.6em; margin: 0 }
.page { display: flex; gap: 2em; max-width: 1140px; margin: 2em auto } main { flex: 1; min-width: 0; background: #fff; padding: 1em 2.5em }
aside { width: 260px; font-size: .88em } aside ol { padding-left: 1.2em } .biisan-section_published_date { color: #888; font-size: .85em }
pre { background: #f2f5f6; padding: .8em; overflow: auto } td, th { border-bottom: 1px solid #cdd; padding: .4em .8em; text-align: left }
.comments { border-top: 2px solid #1d3a4a; margin-top: 2em } fieldset { border: 1px solid #cdd; margin: 1em 0 } legend { color: #a3461d }
fieldset pre { background: none; white-space: pre-wrap; font: inherit; margin: 0 } .others { font-size: .9em } footer { padding: 2em 3em }
"""


def write_biisan(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts with their comments, the settings and the page around them."""
    del theme
    write_text(project / "local_settings.py", _SETTINGS % (NAME, documents[0].language))
    latest = "".join(f'<li><a href="/{biisan_page(one)}">{html.escape(one.title)}</a></li>' for one in documents[-8:])
    frame = _FRAME.replace("LANGUAGE", documents[0].language).replace("NAME", NAME).replace("LATEST", latest)
    write_text(project / "templates/base.html", frame)
    write_text(project / "html/frame.css", _STYLE)
    write_text(project / "extra/about.rst", _post("About", "about", documents[0], [], f"<p>{documents[0].summary}</p>"))
    for number, document in enumerate(documents):
        text = _post(document.title, document.slug, document, _fields(documents, number), to_html(document))
        write_text(project / f"blog/{document.slug}.rst", text)


def build_biisan(project: Path) -> None:
    """Build the blog."""
    names = {"BIISAN_SETTINGS_MODULE": "local_settings", "PYTHONPATH": str(project.resolve())}
    run_tool([str(project.parents[1].resolve() / "bin/python"), "-m", "biisan.generate"], project, names)


def biisan_page(document: SourceDocument) -> str:
    """Return the path of a post's page: that of its day."""
    return f"blog/{document.published:%Y/%m/%d}/{document.slug}/index.html"


def _fields(documents: Sequence[SourceDocument], number: int) -> list[str]:
    """Return the comments on a document as fields of its head."""
    return [
        f":comment:\n    :commentator: {name}\n    :url: https://example.org/\n    :create_date: {day} 1{place % 8}:20\n    :body: {text}\n"
        for place, (name, day, text) in enumerate(comments_on(documents, number))
    ]


def _post(title: str, slug: str, document: SourceDocument, comments: Sequence[str], text: str) -> str:
    """Return a post in reStructuredText, whose body is HTML."""
    head = (
        f"{title}\n{'=' * (3 * len(title) + 3)}\n\n:slug: {slug}\n:date: {document.published} 08:00\n:author: Ada Quay\n{''.join(comments)}"
    )
    body = "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())
    return f"{head}\n.. raw:: html\n\n{body}"
