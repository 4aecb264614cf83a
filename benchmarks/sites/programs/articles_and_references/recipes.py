"""Recipes of blogs, wikis, laws, companies, books, papers and documentation of the tenth final part."""

from __future__ import annotations

from benchmarks.sites.programs.articles_and_references.documentation import bikeshed_gold, build_bikeshed, write_bikeshed
from benchmarks.sites.programs.articles_and_references.wikis import build_simiki, simiki_page, write_simiki
from benchmarks.sites.recipe import Generator, Theme, flat

_SIMIKI = ("Markdown==3.7", "Pygments==2.19.2", "Jinja2==3.1.6", "PyYAML==6.0.3", "docopt==0.6.2", "pytz", "tzlocal==2.1", "watchdog==6.0.0")
ARTICLE_GENERATORS = {
    "bikeshed": Generator("bikeshed", ("bikeshed==4.1.12",), write_bikeshed, build_bikeshed, "html", flat, gold=bikeshed_gold),
    "simiki": Generator("simiki", (*_SIMIKI, "future"), write_simiki, build_simiki, "output", simiki_page),
}
ARTICLE_THEMES = (
    Theme("bikeshed", "living-standard", "CC0-1.0"),
    Theme("simiki", "simple2", "MIT"),
)
