"""Recipes of blogs with readers' comments, magazines, galleries, wikis, CMS pages and landing pages."""

from __future__ import annotations

from benchmarks.sites.applications.communities import build_application
from benchmarks.sites.builders.blogs import subtitle_gold
from benchmarks.sites.programs.publishing_sites.cgi_programs import build_tdiary, write_tdiary
from benchmarks.sites.programs.publishing_sites.landing import landing_gold, write_argon
from benchmarks.sites.programs.publishing_sites.listings import build_albums, build_shaarli, entries_gold, write_albums, write_shaarli
from benchmarks.sites.programs.publishing_sites.packages_index import build_devpi, package_gold, write_devpi
from benchmarks.sites.programs.publishing_sites.python_programs import build_feeds, build_kotti, feed_gold, write_feeds, write_kotti
from benchmarks.sites.programs.publishing_sites.readers import commented
from benchmarks.sites.programs.publishing_sites.static_blogs import build_nanoc, write_nanoc
from benchmarks.sites.programs.publishing_sites.wikis import build_hiki, build_wikmd, write_hiki, write_wikmd
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder

PUBLISHING_GENERATORS = {
    "argon": Generator("argon", (), write_argon, lambda _: None, "html", flat, "npm", landing_gold),
    "cast": Generator("cast", ("django-cast==0.2.67", "Django==5.2.17"), commented("cast"), build_application, "html", flat),
    "devpi": Generator(
        "devpi",
        ("devpi-server==6.19.3", "devpi-web==5.1.1", "setuptools<81"),
        write_devpi,
        build_devpi,
        "html",
        flat,
        gold=package_gold,
    ),
    "djangocms": Generator(
        "djangocms",
        ("djangocms-stories==0.9.3", "django-cms==5.0.7", "djangocms-frontend==2.3.0", "Django==5.2.17", "setuptools<81"),
        commented("djangocms"),
        build_application,
        "html",
        flat,
        gold=subtitle_gold,
    ),
    "fluentblogs": Generator(
        "fluentblogs",
        (
            *("django-fluent-blogs==3.1", "Django==4.2.30", "django-fluent-comments==3.0", "django-contrib-comments==2.2.0"),
            *("django-threadedcomments==2.0", "django-wysiwyg==0.8.0", "setuptools<81", "django-taggit==5.0.1"),
            "django-crispy-forms==1.14.0",
        ),
        commented("fluentblogs"),
        build_application,
        "html",
        flat,
    ),
    "hiki": Generator("hiki", (), write_hiki, build_hiki, "html", flat, "debian"),
    "kotti": Generator(
        "kotti",
        (
            *("Kotti==2.0.9", "setuptools<81", "waitress==3.0.2", "SQLAlchemy==1.4.54", "zope.sqlalchemy==1.6"),
            *("SQLAlchemy-Utils==0.41.1", "alembic==1.13.3"),
        ),
        write_kotti,
        build_kotti,
        "html",
        flat,
        gold=subtitle_gold,
    ),
    "llgal": Generator("llgal", (), write_albums, build_albums, "html", in_folder, "debian", entries_gold),
    "nanoc": Generator(
        "nanoc",
        (),
        write_nanoc,
        build_nanoc,
        "site/output",
        lambda document: f"posts/{in_folder(document)}",
        "debian",
    ),
    "reader": Generator("reader", ("reader[app,cli]==3.26", "sgmllib3k==1.0.0"), write_feeds, build_feeds, "html", flat, gold=feed_gold),
    "shaarli": Generator("shaarli", (), write_shaarli, build_shaarli, "html", flat, "debian", entries_gold),
    "wikmd": Generator("wikmd", ("wikmd==1.10.6", "setuptools<81"), write_wikmd, build_wikmd, "html", flat),
    "tdiary": Generator("tdiary", (), write_tdiary, build_tdiary, "html", flat, "debian"),
}
PUBLISHING_THEMES = (
    Theme("tdiary", "clover", "GPL-2"),
    Theme("argon", "argon", "MIT"),
    Theme("cast", "bootstrap4", "BSD-3-Clause"),
    Theme("devpi", "default", "MIT"),
    Theme("djangocms", "newspaper", "BSD-3-Clause"),
    Theme("fluentblogs", "fluent", "Apache-2.0"),
    Theme("kotti", "kotti", "BSD-derived (Repoze)"),
    Theme("hiki", "hiki", "GPL-2"),
    Theme("llgal", "slate", "GPL-2"),
    Theme("nanoc", "default", "MIT"),
    Theme("reader", "river", "BSD-3-Clause"),
    Theme("wikmd", "white", "MIT"),
    Theme("shaarli", "default", "Zlib"),
)
