"""Recipes of the eleventh final part: blogs, a newspaper, a wiki, a glossary, documentation, papers and a change log."""

from __future__ import annotations

from benchmarks.sites.builders.blogs import subtitle_gold
from benchmarks.sites.programs.blogs_and_manuals.posts_and_handbooks.blogs import CATSUP, build_kioblog, entry_context, post_context
from benchmarks.sites.programs.blogs_and_manuals.posts_and_handbooks.changelogs import build_changelogs, changelog_gold, write_changelogs
from benchmarks.sites.programs.blogs_and_manuals.posts_and_handbooks.documentation import (
    build_sass,
    build_strong,
    sass_gold,
    write_sass,
    write_strong,
)
from benchmarks.sites.programs.blogs_and_manuals.posts_and_handbooks.newspaper import ORIGAMI, build_origami, write_origami
from benchmarks.sites.programs.blogs_and_manuals.posts_and_handbooks.papers import build_papers, paper_gold, write_papers
from benchmarks.sites.programs.blogs_and_manuals.posts_and_handbooks.wiki_and_glossary import (
    ATLAS,
    MARKPUB,
    build_markpub,
    markpub_page,
    term_context,
    term_gold,
    write_markpub,
)
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import write_contexts
from benchmarks.sites.programs.threads_and_goods.filled_django import write_filled
from benchmarks.sites.recipe import Generator, Theme, flat

_JINJA = ("Jinja2==3.1.6", "PyYAML==6.0.3")
POST_GENERATORS = {
    "catsup": Generator("catsup", _JINJA, write_contexts(post_context), CATSUP.build, "html", flat),
    "changelog-to-html": Generator(
        "changelog-to-html", ("changelog-to-html@0.6.0",), write_changelogs, build_changelogs, "html", flat, "npm", changelog_gold
    ),
    "dgo-atlas": Generator("dgo-atlas", _JINJA, write_contexts(term_context), ATLAS.build, "html", flat, gold=term_gold),
    "kioblog": Generator("kioblog", ("Django==5.2.19", "setuptools<81"), write_filled(entry_context), build_kioblog, "html", flat),
    "markpub": Generator("markpub", (MARKPUB,), write_markpub, build_markpub, "html", markpub_page),
    "origami": Generator("origami", ORIGAMI, write_origami, build_origami, "html", flat, "npm", subtitle_gold),
    "packtools": Generator("packtools", ("lxml==6.0.2",), write_papers, build_papers, "html", flat, gold=paper_gold),
    "sassdoc": Generator("sassdoc", ("sassdoc@2.7.4",), write_sass, build_sass, "html", flat, "npm", sass_gold),
    "strong-docs": Generator("strong-docs", ("strong-docs@4.2.1",), write_strong, build_strong, "html", flat, "npm"),
}
POST_THEMES = (
    Theme("catsup", "sealscript", "MIT"),
    Theme("changelog-to-html", "github", "MIT"),
    Theme("dgo-atlas", "glossary", "MIT"),
    Theme("kioblog", "default", "MIT"),
    Theme("markpub", "dolce", "MIT"),
    Theme("origami", "newspaper", "MIT"),
    Theme("packtools", "scielo", "BSD"),
    Theme("sassdoc", "default", "MIT"),
    Theme("strong-docs", "handbook", "MIT"),
)
