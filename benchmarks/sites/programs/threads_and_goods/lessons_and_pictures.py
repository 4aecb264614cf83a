"""Lectures of a course (django-courses) in a frame of ours, since the program has none, and albums of photographs (Sigal)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage, write_filled
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_html, to_markdown, write_media

_FRAME = """{% load static %}<!DOCTYPE html><html lang="{{ language }}"><head><meta charset="utf-8"><title>{{ lecture.title }} |
{{ site }}</title>
</head><body><nav class="navbar navbar-expand navbar-dark bg-primary"><div class="container"><a class="navbar-brand" href="/">{{ site }}</a>
<ul class="navbar-nav me-auto">{% for name in menu %}<li class="nav-item"><a class="nav-link" href="/">{{ name }}</a></li>{% endfor %}</ul>
<a class="btn btn-light btn-sm" href="/">Log in</a></div></nav><div class="container"><div class="row"><aside class="col-3 border-end py-3">
<h2 class="h6">{{ run.title }}</h2><div class="progress mb-3"><div class="progress-bar" style="width: {{ done }}%">{{ done }}%</div></div>
<ol class="small ps-3">{% for one in outline %}<li class="{% if one.current %}fw-bold{% endif %} mb-1"><a
href="{{ one.slug }}.html">{{ one.title }}
</a></li>{% endfor %}</ol></aside><main class="col-9">{% block content %}{% endblock %}</main></div></div><footer class="bg-dark
text-light py-4
mt-4"><div class="container small">{{ site }} - open courses. Help. Terms of use. Cookies</div></footer></body></html>"""
_HELPERS = """
from django.template.base import TextNode
@register.tag
def video(parser, token):
    if "as" in token.split_contents():
        parser.parse(("endvideo",))
        parser.delete_first_token()
    return TextNode("")
same("markdownify")
register.filter("subtract", lambda first, second: first - second)
register.filter("lecture_type_icon", lambda kind: "")
register.filter("is_pdf", lambda path: False)
register.filter("is_image", lambda path: bool(path))
register.filter("is_video", lambda path: False)
"""
_CHAPTERS = ("Reading the tide", "Ropes and knots", "Lights at night", "A boat of one's own", "Into the bay")


def lecture_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a lecture shows: five of them are a chapter; every third one has a picture."""
    document, start = documents[place], place // 5 * 5
    lectures = [
        {"title": one.title, "slug": one.slug, "order": start + number, "lecture_type": "V"}
        for number, one in enumerate(documents[start : start + 5])
    ]
    lecture = lectures[place % 5] | {"subtitle": document.summary, "description": {"html": to_html(document)}, "require_submission": "D"}
    lecture |= {"data": f"figure-{place % FIGURES}.png" if place % 3 == 1 else "", "metadata": {}}
    crumbs = [{"title": title, "url": "/"} for title in ("Courses", "Seamanship", _CHAPTERS[place // 5])]
    frame = {"site": NAME, "menu": ("Courses", "News", "Team"), "language": document.language, "done": 4 * place}
    outline = [{"slug": one.slug, "title": one.title, "current": one is document} for one in documents]
    chapter = {"title": _CHAPTERS[place // 5], "slug": "chapter", "require_submission": "D"}
    found = {"lecture": lecture, "lectures": lectures, "chapter": chapter, "run": {"title": "Seamanship", "slug": "spring"}}
    return frame | found | {"outline": outline, "breadcrumbs": [*crumbs, {"title": document.title, "url": ""}], "MEDIA_URL": ""}


def lecture_gold(document: SourceDocument) -> str:
    """Return the gold text of a lecture: its title, the sentence below it and its text."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, rest))


write_lectures = write_filled(lecture_context, {"base.html": _FRAME})
LECTURES = DjangoPackage(
    "django-courses==1.0a0", "courses/templates", "courses/lecture_detail.html", bootstrap="bootstrap5", helpers=_HELPERS
)


_SETTINGS = """
source, destination = "albums", "html"
theme, title, author = {theme!r}, {title!r}, "Ada Quay"
img_format, index_in_url, links = "JPEG", True, [("About us", "/"), ("Ferries", "/")]
markdown_extensions = ["extra"]
thumb_size, img_size, make_thumbs, autoload_parallel_processing = (200, 150), (640, 480), True, False
show_map = zip_gallery = google_tag_manager = False
"""


def _described(document: SourceDocument) -> SourceDocument:
    """Return a document without code, whose lines the program joins."""
    return replace(document, parts=tuple(part for part in document.parts if part.kind != "code"))


def write_albums(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write an album per document, whose text is its description."""
    for document in documents:
        folder = project / "albums" / document.slug
        write_media(folder)
        write_text(folder / "index.md", f"Title: {document.title}\n\n{to_markdown(_described(document))}")
    write_text(project / "sigal.conf.py", _SETTINGS.format(theme=theme, title=NAME))


def build_albums(project: Path) -> None:
    """Build the albums."""
    run_tool([str(project.parents[1].resolve() / "bin/sigal"), "build", "-q", "-n", "1"], project)


def album_gold(document: SourceDocument) -> str:
    """Return the gold text of an album: its title and its description."""
    return gold_text(_described(document))
