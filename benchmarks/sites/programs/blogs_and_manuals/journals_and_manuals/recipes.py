"""Recipes of the twelfth final part: blogs, news, a wiki, documentation, papers, release notes and specifications."""

from __future__ import annotations

from benchmarks.sites.builders.blogs import subtitle_gold
from benchmarks.sites.programs.blogs_and_manuals.journals_and_manuals.blogs import BLOGANGO, BOOTLOG, blogango_context, bootlog_context
from benchmarks.sites.programs.blogs_and_manuals.journals_and_manuals.documentation import (
    DOXDOX,
    KSS,
    build_doxdox,
    build_kss,
    doxdox_gold,
    kss_gold,
    kss_page,
    write_doxdox,
    write_kss,
)
from benchmarks.sites.programs.blogs_and_manuals.journals_and_manuals.lectures import build_lectures, lecture_gold, write_lectures
from benchmarks.sites.programs.blogs_and_manuals.journals_and_manuals.news import PSAMMEAD, build_news, write_news
from benchmarks.sites.programs.blogs_and_manuals.journals_and_manuals.releases import PROTOCOL, build_releases, release_gold, write_releases
from benchmarks.sites.programs.blogs_and_manuals.journals_and_manuals.specifications import (
    SPEC,
    build_specifications,
    specification_gold,
    write_specifications,
)
from benchmarks.sites.programs.blogs_and_manuals.journals_and_manuals.wiki import WIKKED, page_context
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import write_contexts
from benchmarks.sites.programs.threads_and_goods.filled_django import write_filled
from benchmarks.sites.recipe import Generator, Theme, flat

_DJANGO = ("Django==5.2.19", "setuptools<81")
_JINJA = ("Jinja2==3.1.6",)
JOURNAL_GENERATORS = {
    "blogango": Generator("blogango", _DJANGO, write_filled(blogango_context), BLOGANGO.build, "html", flat),
    "bootlog": Generator("bootlog", _DJANGO, write_filled(bootlog_context), BOOTLOG.build, "html", flat, gold=subtitle_gold),
    "doxdox": Generator("doxdox", DOXDOX, write_doxdox, build_doxdox, "html", flat, "npm", doxdox_gold),
    "kss": Generator("kss", KSS, write_kss, build_kss, "html", kss_page, "npm", kss_gold),
    "mozilla-protocol": Generator("mozilla-protocol", PROTOCOL, write_releases, build_releases, "html", flat, "npm", release_gold),
    "psammead": Generator("psammead", PSAMMEAD, write_news, build_news, "html", flat, "npm", subtitle_gold),
    "spec-md": Generator("spec-md", SPEC, write_specifications, build_specifications, "html", flat, "npm", specification_gold),
    "tth": Generator("tth", (), write_lectures, build_lectures, "html", flat, "debian", lecture_gold),
    "wikked": Generator("wikked", _JINJA, write_contexts(page_context), WIKKED.build, "html", flat),
}
JOURNAL_THEMES = (
    Theme("blogango", "default", "GPL or BSD"),
    Theme("bootlog", "default", "BSD"),
    Theme("doxdox", "bootstrap", "MIT"),
    Theme("kss", "handlebars", "MIT or GPL-2.0"),
    Theme("mozilla-protocol", "releases", "MPL-2.0"),
    Theme("psammead", "news", "Apache-2.0"),
    Theme("spec-md", "specification", "MIT"),
    Theme("tth", "article", "GPL-2"),
    Theme("wikked", "default", "Apache-2.0"),
)
