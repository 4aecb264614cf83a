"""Recipes of blogs, wikis, laws, companies, books, papers and documentation of the tenth final part."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.sites.builders.blogs import subtitle_gold
from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.blogs import (
    bucket3_page,
    build_bakesite,
    build_blogtuner,
    build_bucket3,
    write_ark,
    write_bakesite,
    write_blogtuner,
    write_bucket3,
)
from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.books import build_pretext, chapter_gold, write_pretext
from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.design_systems import (
    ANSWERS,
    COMPANIES,
    JOURNAL_PAPERS,
    LAWS,
    PRESS_RELEASES,
    RELEASES,
    SERVICE_PAGES,
    FramedSite,
    law_gold,
    paper_gold,
    release_gold,
)
from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.documentation import (
    bikeshed_gold,
    build_bikeshed,
    build_schemas,
    schema_gold,
    write_bikeshed,
    write_schemas,
)
from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.framed_blogs import (
    build_urubu,
    build_weekly,
    write_urubu,
    write_weekly,
)
from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.wikis import (
    build_hads,
    build_simiki,
    simiki_page,
    write_hads,
    write_simiki,
)
from benchmarks.sites.programs.publications.company import introduced_gold
from benchmarks.sites.recipe import Generator, Theme, flat
from benchmarks.sites.texts.documents import SourceDocument

_SIMIKI = (
    "Markdown==3.7",
    "Pygments==2.19.2",
    "Jinja2==3.1.6",
    "PyYAML==6.0.3",
    "docopt==0.6.2",
    "pytz",
    "tzlocal==2.1",
    "watchdog==6.0.0",
)


def _framed(name: str, site: FramedSite, gold: Callable[[SourceDocument], str]) -> Generator:
    return Generator(name, (), site.write, lambda _: None, "html", flat, "npm", gold)


ARTICLE_GENERATORS = {
    "ark": Generator("ark", ("ark==7.7.0",), write_ark, ("ark", "build"), "out", lambda one: f"posts/{one.slug}.html", gold=subtitle_gold),
    "bakesite": Generator(
        "bakesite", ("bakesite==0.7.2",), write_bakesite, build_bakesite, "_site", lambda one: f"blog/{one.slug}/index.html"
    ),
    "blogtuner": Generator("blogtuner", ("blogtuner==0.13.0",), write_blogtuner, build_blogtuner, "html", flat),
    "bucket3": Generator("bucket3", ("bucket3==0.16.1",), write_bucket3, build_bucket3, "html", bucket3_page, gold=subtitle_gold),
    "bikeshed": Generator("bikeshed", ("bikeshed==4.1.12",), write_bikeshed, build_bikeshed, "html", flat, gold=bikeshed_gold),
    "bootstrap-italia": _framed("bootstrap-italia", LAWS, law_gold),
    "fomantic-ui": _framed("fomantic-ui", ANSWERS, subtitle_gold),
    "froala-blocks": _framed("froala-blocks", COMPANIES, introduced_gold),
    "hads": Generator("hads", ("hads@3.0.3",), write_hads, build_hads, "html", flat, "npm"),
    "json-schema-for-humans": Generator(
        "json-schema-for-humans", ("json-schema-for-humans==1.5.1",), write_schemas, build_schemas, "html", flat, gold=schema_gold
    ),
    "latex-css": _framed("latex-css", JOURNAL_PAPERS, paper_gold),
    "pretext": Generator("pretext", ("pretext==2.30.0",), write_pretext, build_pretext, "output/web", flat, gold=chapter_gold),
    "simiki": Generator("simiki", (*_SIMIKI, "future"), write_simiki, build_simiki, "output", simiki_page),
    "spectre-css": _framed("spectre-css", RELEASES, release_gold),
    "staticjinja": Generator("staticjinja", ("staticjinja==5.0.0",), write_weekly, build_weekly, "html", flat, gold=subtitle_gold),
    "uikit": _framed("uikit", SERVICE_PAGES, subtitle_gold),
    "urubu": Generator("urubu", ("urubu==1.4.1", "Markdown==3.5.2"), write_urubu, build_urubu, "_build", flat),
    "uswds": _framed("uswds", PRESS_RELEASES, subtitle_gold),
}
ARTICLE_THEMES = (
    Theme("ark", "graphite", "0BSD"),
    Theme("bakesite", "notes", "MIT"),
    Theme("blogtuner", "default", "MIT"),
    Theme("bucket3", "bootswatch", "MIT"),
    Theme("bikeshed", "living-standard", "CC0-1.0"),
    Theme("bootstrap-italia", "laws", "BSD-3-Clause"),
    Theme("fomantic-ui", "faq", "MIT"),
    Theme("froala-blocks", "landing", "Froala Open Web Design License"),
    Theme("hads", "wiki", "MIT"),
    Theme("json-schema-for-humans", "flat", "Apache-2.0"),
    Theme("latex-css", "paper", "MIT"),
    Theme("pretext", "book", "GPL-3"),
    Theme("simiki", "simple2", "MIT"),
    Theme("spectre-css", "releases", "MIT"),
    Theme("staticjinja", "magazine", "MIT"),
    Theme("uikit", "services", "MIT"),
    Theme("urubu", "blog", "AGPL-3"),
    Theme("uswds", "press", "CC0-1.0"),
)
