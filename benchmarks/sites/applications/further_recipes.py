"""Recipes of applications: mail archives, wikis, code hosting, forums, CMS."""

from __future__ import annotations

from benchmarks.sites.applications.communities import build_application, build_coderedcms, write_application
from benchmarks.sites.applications.further_applications import (
    build_cgit,
    build_gitit,
    build_plone,
    build_public_inbox,
    build_raneto,
    build_tracker,
    raneto_gold,
    write_cgit,
    write_gitit,
    write_plone,
    write_raneto,
    write_tracker,
)
from benchmarks.sites.applications.further_django import captioned_gold
from benchmarks.sites.applications.trackers import write_mail
from benchmarks.sites.recipe import Generator, Theme, flat

FURTHER_GENERATORS = {
    "public-inbox": Generator("public-inbox", (), write_mail, build_public_inbox, "html", flat, "debian"),
    "gitit": Generator("gitit", (), write_gitit, build_gitit, "html", flat, "debian"),
    "cgit": Generator("cgit", (), write_cgit, build_cgit, "html", flat, "debian"),
    "djangowiki": Generator(
        "djangowiki",
        ("wiki==0.13.0", "Django==5.2.19"),
        lambda project, _, documents: write_application(project, "djangowiki", documents),
        build_application,
        "html",
        flat,
    ),
    "coderedcms": Generator(
        "coderedcms",
        ("coderedcms==6.0.0", "Django==5.2.19"),
        lambda project, _, documents: write_application(project, "coderedcms", documents),
        build_coderedcms,
        "html",
        flat,
        gold=captioned_gold,
    ),
    "djeddit": Generator(
        "djeddit",
        ("django2-djeddit==0.3.1.3", "Django==2.2.28", "django-ipware==2.1.0", "django-mptt==0.11.0", "setuptools<81"),
        lambda project, _, documents: write_application(project, "djeddit", documents),
        build_application,
        "html",
        flat,
    ),
    "pretalx": Generator(
        "pretalx",
        ("pretalx==2025.2.2",),
        lambda project, _, documents: write_application(project, "pretalx", documents),
        build_application,
        "html",
        flat,
        gold=captioned_gold,
    ),
    "plone": Generator("plone", ("Plone==6.2.2", "plone.app.layout==6.0.2"), write_plone, build_plone, "html", flat, gold=captioned_gold),
    "raneto": Generator("raneto", (), write_raneto, build_raneto, "html", flat, "debian", raneto_gold),
    "request-tracker": Generator("request-tracker", (), write_tracker, build_tracker, "html", flat, "debian"),
}
FURTHER_THEMES = (
    Theme("public-inbox", "default", "AGPL-3"),
    Theme("gitit", "wiki", "GPL-2"),
    Theme("cgit", "default", "GPL-2"),
    Theme("djangowiki", "wiki", "GPL-3"),
    Theme("coderedcms", "bootstrap", "BSD-3-Clause"),
    Theme("raneto", "default", "MIT"),
    Theme("request-tracker", "request-tracker", "GPL-2"),
    Theme("plone", "barceloneta", "GPL-2"),
    Theme("djeddit", "default", "Apache-2.0"),
    Theme("pretalx", "default", "AGPL-3"),
)
