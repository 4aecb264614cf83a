"""Recipes of further applications: a help desk, a forum, a conference, blogs, a wiki, code hosting, a catalogue of books."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import build_application, write_application
from benchmarks.sites.builders.application_catalogue import build_books, write_books
from benchmarks.sites.builders.application_debian import blaze_page, build_blaze, write_blaze
from benchmarks.sites.builders.application_django import demand_bootstrap, write_blog_page, write_forum_page, write_icons
from benchmarks.sites.builders.application_pages import build_klaus, build_moin, write_klaus, write_moin
from benchmarks.sites.builders.blogs import subtitle_gold
from benchmarks.sites.recipe import Generator, Theme, flat
from benchmarks.sites.texts.documents import SourceDocument


def _write_forum(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    del theme
    write_forum_page(project)
    write_application(project, "pybbm", documents)


def _write_blog(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    del theme
    write_blog_page(project)
    write_application(project, "lotus", documents)


def _write_talks(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    del theme
    demand_bootstrap("bootstrap5")
    write_icons(project)
    write_application(project, "wafer", documents)


BUILT_APPLICATION_GENERATORS = {
    "helpdesk": Generator(
        "helpdesk",
        ("django-helpdesk==2.6.1", "Django==5.2.19"),
        lambda project, _, documents: write_application(project, "helpdesk", documents),
        build_application,
        "html",
        flat,
    ),
    "moin": Generator("moin", ("moin==2.0.0b5",), write_moin, build_moin, "html", flat),
    "klaus": Generator("klaus", ("klaus==3.0.1", "Markdown==3.10"), write_klaus, build_klaus, "html", flat),
    "pybbm": Generator(
        "pybbm",
        ("pybbm==0.19.0", "Django==2.2.28", "Markdown==3.10", "Pillow==12.0.0", "setuptools<81"),
        _write_forum,
        build_application,
        "html",
        flat,
    ),
    "lotus": Generator(
        "lotus", ("django-blog-lotus==0.9.7", "Django==5.2.19"), _write_blog, build_application, "html", flat, gold=subtitle_gold
    ),
    "wafer": Generator("wafer", ("wafer==0.17.0",), _write_talks, build_application, "html", flat),
    "calibreweb": Generator("calibreweb", ("calibreweb==0.6.27",), write_books, build_books, "html", flat),
    "blazeblogger": Generator("blazeblogger", (), write_blaze, build_blaze, "html", blaze_page, "debian"),
}
BUILT_APPLICATION_THEMES = (
    Theme("helpdesk", "bootstrap", "BSD-3-Clause"),
    Theme("moin", "modernized", "GPL-2"),
    Theme("blazeblogger", "default", "GPL-3"),
    Theme("calibreweb", "standard", "GPL-3"),
    Theme("pybbm", "bootstrap", "BSD"),
    Theme("wafer", "default", "ISC"),
    Theme("lotus", "default", "MIT"),
    Theme("klaus", "default", "ISC"),
)
