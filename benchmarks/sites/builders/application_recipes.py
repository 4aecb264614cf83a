"""Recipes of further applications: a help desk."""

from __future__ import annotations

from benchmarks.sites.applications.communities import build_application, write_application
from benchmarks.sites.builders.application_debian import blaze_page, build_blaze, write_blaze
from benchmarks.sites.builders.application_pages import build_klaus, build_moin, write_klaus, write_moin
from benchmarks.sites.recipe import Generator, Theme, flat

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
    "blazeblogger": Generator("blazeblogger", (), write_blaze, build_blaze, "html", blaze_page, "debian"),
}
BUILT_APPLICATION_THEMES = (
    Theme("helpdesk", "bootstrap", "BSD-3-Clause"),
    Theme("moin", "modernized", "GPL-2"),
    Theme("blazeblogger", "default", "GPL-3"),
    Theme("klaus", "default", "ISC"),
)
