"""Recipes of blogs, news, wikis, company pages, papers, help centres and documentation."""

from __future__ import annotations

from benchmarks.sites.applications.communities import build_application, write_application
from benchmarks.sites.builders.blogs import subtitle_gold
from benchmarks.sites.programs.publications.blogs import build_marmite, build_mynt, build_platzky, write_marmite, write_mynt, write_platzky
from benchmarks.sites.programs.publications.books import build_markdown_styles, write_markdown_styles
from benchmarks.sites.programs.publications.commented_blogs import biisan_page, build_biisan, write_biisan
from benchmarks.sites.programs.publications.company import introduced_gold, services_gold, write_material_kit, write_shards
from benchmarks.sites.programs.publications.documentation import build_jinpress, build_logya, jinpress_page, write_jinpress, write_logya
from benchmarks.sites.programs.publications.help_centre import build_kb4it, write_kb4it
from benchmarks.sites.programs.publications.magazine import METALSMITH, build_metalsmith, write_metalsmith
from benchmarks.sites.programs.publications.papers import build_ecmarkup, ecmarkup_gold, write_ecmarkup
from benchmarks.sites.programs.publications.wikis import build_wiki2, write_wiki2
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder

PUBLICATION_GENERATORS = {
    "biisan": Generator("biisan", ("biisan==0.9.0",), write_biisan, build_biisan, "html", biisan_page),
    "ecmarkup": Generator("ecmarkup", ("ecmarkup@24.2.1",), write_ecmarkup, build_ecmarkup, "html", flat, "npm", ecmarkup_gold),
    "kb4it": Generator("kb4it", ("KB4IT==0.10.0", "pymdown-extensions"), write_kb4it, build_kb4it, "html", flat),
    "marmite": Generator("marmite", ("marmite==0.4.2",), write_marmite, build_marmite, "html", flat),
    "jinpress": Generator("jinpress", ("jinpress==0.9.0",), write_jinpress, build_jinpress, "dist", jinpress_page, gold=subtitle_gold),
    "markdown-styles": Generator(
        "markdown-styles", ("markdown-styles@3.2.0",), write_markdown_styles, build_markdown_styles, "html", flat, "npm"
    ),
    "logya": Generator("logya", ("logya==6.1.0",), write_logya, build_logya, "site/public", in_folder),
    "material-kit": Generator("material-kit", (), write_material_kit, lambda _: None, "html", flat, "npm", introduced_gold),
    "metalsmith": Generator("metalsmith", METALSMITH, write_metalsmith, build_metalsmith, "html", in_folder, "npm", subtitle_gold),
    "mynt": Generator("mynt", ("mynt==0.4", "setuptools<81"), write_mynt, build_mynt, "html", in_folder),
    "platzky": Generator("platzky", ("platzky==1.5.1",), write_platzky, build_platzky, "html", flat, gold=subtitle_gold),
    "shards": Generator("shards", (), write_shards, lambda _: None, "html", flat, "npm", services_gold),
    "tinywiki": Generator(
        "tinywiki",
        ("django-tinywiki==0.0.10", "Django==5.2.19"),
        lambda project, _, documents: write_application(project, "tinywiki", documents),
        build_application,
        "html",
        flat,
    ),
    "wiki2": Generator("wiki2", ("wiki2==4.0.0",), write_wiki2, build_wiki2, "html", flat),
}
PUBLICATION_THEMES = (
    Theme("biisan", "blue", "MIT"),
    Theme("ecmarkup", "tc39", "MIT"),
    Theme("kb4it", "apphelp", "GPL-3"),
    Theme("marmite", "marmite", "AGPL-3"),
    Theme("jinpress", "default", "MIT"),
    Theme("markdown-styles", "mixu-book", "BSD-3-Clause"),
    Theme("logya", "docs", "MIT"),
    Theme("material-kit", "landing", "MIT"),
    Theme("metalsmith", "magazine", "MIT"),
    Theme("mynt", "dark", "BSD-3-Clause"),
    Theme("platzky", "default", "MIT"),
    Theme("shards", "services", "MIT"),
    Theme("tinywiki", "default", "BSD-3-Clause"),
    Theme("wiki2", "default", "BSD-3-Clause"),
)
