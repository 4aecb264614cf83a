"""Recipes of blogs, news, wikis, company pages, papers, documentation and references of the ninth final part."""

from __future__ import annotations

from benchmarks.sites.applications.communities import build_application, write_application
from benchmarks.sites.builders.blogs import subtitle_gold
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.blogs import (
    blogvi_page,
    build_blogvi,
    build_oxie,
    oxie_page,
    write_blogvi,
    write_oxie,
)
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.books import tufte_gold, write_tufte
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.commented_blogs import (
    blosxom_page,
    build_blosxom,
    write_blosxom,
    write_elephantblog,
)
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.company import about_gold, build_ons, write_ons, write_soft_ui
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.documentation import (
    aglio_gold,
    build_aglio,
    build_gitdocs,
    build_log4brains,
    gitdocs_page,
    log4brains_page,
    write_aglio,
    write_gitdocs,
    write_log4brains,
)
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.help_centre import build_helpapp
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.magazine import build_harp, write_harp
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.papers import build_tex4ht, paper_gold, write_papers
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.wikis import build_didiwiki, build_usemod, write_didiwiki, write_usemod
from benchmarks.sites.recipe import Generator, Theme, flat

PAGE_GENERATORS = {
    "aglio": Generator("aglio", ("aglio@2.3.0",), write_aglio, build_aglio, "html", flat, "npm", aglio_gold),
    "blosxom": Generator("blosxom", (), write_blosxom, build_blosxom, "html", blosxom_page, "debian"),
    "blogvi": Generator("blogvi", ("blog-vi==0.2.6", "six"), write_blogvi, build_blogvi, "html", blogvi_page),
    "didiwiki": Generator("didiwiki", (), write_didiwiki, build_didiwiki, "html", flat, "debian"),
    "elephantblog": Generator(
        "elephantblog",
        ("feincms-elephantblog==26.10.0", "FeinCMS==26.10.1", "Django==5.2.19", "django-contrib-comments==2.2.0", "Pillow"),
        write_elephantblog,
        build_application,
        "html",
        flat,
    ),
    "gitdocs": Generator("gitdocs", ("gitdocs@2.0.0",), write_gitdocs, build_gitdocs, "html", gitdocs_page, "npm"),
    "harp": Generator("harp", ("harp@0.50.1",), write_harp, build_harp, "html", flat, "npm", subtitle_gold),
    "helpapp": Generator(
        "helpapp",
        ("django-helpapp==0.1.0", "Django==5.2.19", "setuptools<81"),
        lambda project, _, documents: write_application(project, "helpapp", documents),
        build_helpapp,
        "html",
        flat,
    ),
    "log4brains": Generator("log4brains", ("log4brains@1.1.0",), write_log4brains, build_log4brains, "html", log4brains_page, "npm"),
    "ons-design-system": Generator(
        "ons-design-system", ("@ons/design-system@72.11.0", "nunjucks@3.2.4"), write_ons, build_ons, "html", flat, "npm", subtitle_gold
    ),
    "oxie": Generator("oxie", ("oxie==0.5.0",), write_oxie, build_oxie, "html", oxie_page, gold=subtitle_gold),
    "soft-ui": Generator("soft-ui", (), write_soft_ui, lambda _: None, "html", flat, "npm", about_gold),
    "tex4ht": Generator("tex4ht", (), write_papers, build_tex4ht, "html", flat, "debian", paper_gold),
    "tufte-css": Generator("tufte-css", (), write_tufte, lambda _: None, "html", flat, "npm", tufte_gold),
    "usemod": Generator("usemod", (), write_usemod, build_usemod, "html", flat, "debian"),
}
PAGE_THEMES = (
    Theme("aglio", "olio", "MIT"),
    Theme("blosxom", "writeback", "MIT"),
    Theme("blogvi", "typography", "Apache-2.0"),
    Theme("didiwiki", "plain", "GPL-2"),
    Theme("elephantblog", "blog", "BSD-3-Clause"),
    Theme("gitdocs", "timber", "MIT"),
    Theme("harp", "daily", "MIT"),
    Theme("helpapp", "default", "MIT"),
    Theme("log4brains", "decisions", "Apache-2.0"),
    Theme("ons-design-system", "guidance", "MIT"),
    Theme("oxie", "default", "Apache-2.0"),
    Theme("soft-ui", "about", "MIT"),
    Theme("tex4ht", "html5", "LPPL-1.3"),
    Theme("tufte-css", "chapters", "MIT"),
    Theme("usemod", "wiki", "GPL-2"),
)
