"""Recipes of boards and catalogues."""

from __future__ import annotations

from benchmarks.sites.applications.trackers import mail_page
from benchmarks.sites.programs.boards_and_catalogues.catalogues import (
    DATA,
    build_papers,
    data_context,
    data_gold,
    papers_gold,
    write_papers,
)
from benchmarks.sites.programs.boards_and_catalogues.chats import build_sessions, build_signal, write_sessions, write_signal
from benchmarks.sites.programs.boards_and_catalogues.desks_and_mail import build_list, build_tasks, task_context, write_list
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import write_contexts
from benchmarks.sites.programs.boards_and_catalogues.forums import build_nodebb, build_topics, topic_context, write_nodebb
from benchmarks.sites.programs.boards_and_catalogues.jobs_talks_and_recipes import (
    build_jobs,
    build_recipes,
    build_talks,
    job_context,
    job_gold,
    recipe_gold,
    talk_context,
    talk_gold,
    write_recipes,
)
from benchmarks.sites.programs.boards_and_catalogues.lessons_and_guides import GUIDES, UNITS, guide_context, guide_gold, unit_context
from benchmarks.sites.programs.boards_and_catalogues.pictures import PICTURES, picture_context
from benchmarks.sites.programs.boards_and_catalogues.questions import QUESTIONS, question_context
from benchmarks.sites.programs.boards_and_catalogues.repositories import build_revisions, revision_gold, write_revisions
from benchmarks.sites.programs.boards_and_catalogues.shops import PRODUCTS, product_context, product_gold
from benchmarks.sites.programs.boards_and_catalogues.storefront import build_storefront, goods_gold, write_storefront
from benchmarks.sites.programs.shops_and_threads.filled_templates import write_filled
from benchmarks.sites.recipe import Generator, Theme, flat

_JINJA = ("Jinja2==3.1.6",)

BOARD_GENERATORS = {
    "sotoki": Generator("sotoki", _JINJA, write_contexts(question_context), QUESTIONS.build, "html", flat),
    "openedx2zim": Generator("openedx2zim", _JINJA, write_contexts(unit_context), UNITS.build, "html", flat),
    "ifixit2zim": Generator("ifixit2zim", _JINJA, write_contexts(guide_context), GUIDES.build, "html", flat, gold=guide_gold),
    "nereid-webshop": Generator("nereid-webshop", _JINJA, write_contexts(product_context), PRODUCTS.build, "html", flat, gold=product_gold),
    "signal-export": Generator(
        "signal-export",
        ("beautifulsoup4==4.14.2", "Markdown==3.10", "typer==0.20.0", "emoji==2.15.0", "filetype==1.2.0"),
        write_signal,
        build_signal,
        "html",
        flat,
    ),
    "nodebb": Generator(
        "nodebb", ("templates.js@0.3.4", "less@2.7.3", "nodebb-theme-persona@4.1.88"), write_nodebb, build_nodebb, "html", flat, "npm"
    ),
    "loggerhead": Generator("loggerhead", (), write_revisions, build_revisions, "html", flat, "debian", revision_gold),
    "ckan": Generator("ckan", _JINJA, write_contexts(data_context), DATA.build, "html", flat, gold=data_gold),
    "mediagoblin": Generator("mediagoblin", _JINJA, write_contexts(picture_context), PICTURES.build, "html", flat),
    "jobboard": Generator(
        "jobboard", ("Django==5.2.19", "setuptools<81"), write_filled(job_context), build_jobs, "html", flat, gold=job_gold
    ),
    "gourmand": Generator("gourmand", (), write_recipes, build_recipes, "html", flat, "debian", recipe_gold),
    "ecomplus": Generator(
        "ecomplus",
        ("ejs@3.1.10", "sass@1.77.8", "@ecomplus/storefront-twbs@7.3.6", "@ecomplus/utils@1.4.1", "@glidejs/glide@3.7.1"),
        write_storefront,
        build_storefront,
        "html",
        flat,
        "npm",
        goods_gold,
    ),
    "django-todo": Generator("django-todo", ("Django==5.2.19", "setuptools<81"), write_filled(task_context), build_tasks, "html", flat),
    "sympa": Generator("sympa", (), write_list, build_list, "html", mail_page, "debian"),
    "claude-code-transcripts": Generator(
        "claude-code-transcripts",
        ("claude-code-transcripts==0.6",),
        write_sessions,
        build_sessions,
        "html",
        lambda document: f"{document.slug}/page-001.html",
    ),
    "symposion": Generator(
        "symposion", ("Django==5.2.19", "setuptools<81"), write_filled(talk_context), build_talks, "html", flat, gold=talk_gold
    ),
    "bibtex2html": Generator("bibtex2html", (), write_papers, build_papers, "html", flat, "debian", papers_gold),
    "simple-forum": Generator("simple-forum", ("Django==5.2.19", "setuptools<81"), write_filled(topic_context), build_topics, "html", flat),
}
BOARD_THEMES = (
    Theme("sotoki", "exchange", "GPL-3"),
    Theme("openedx2zim", "course", "GPL-3"),
    Theme("ifixit2zim", "repair", "GPL-3"),
    Theme("nereid-webshop", "shop", "GPL-3"),
    Theme("signal-export", "messages", "MIT"),
    Theme("nodebb", "start", "GPL-3"),
    Theme("ckan", "dataset", "AGPL-3"),
    Theme("mediagoblin", "media", "AGPL-3"),
    Theme("jobboard", "white", "not stated"),
    Theme("gourmand", "dishes", "GPL-2"),
    Theme("ecomplus", "storefront", "MIT"),
    Theme("django-todo", "grey", "BSD-3-Clause"),
    Theme("sympa", "archive", "GPL-2"),
    Theme("claude-code-transcripts", "session", "Apache-2.0"),
    Theme("symposion", "simple", "MIT"),
    Theme("bibtex2html", "bibliography", "GPL-2"),
    Theme("simple-forum", "topics", "MIT"),
    Theme("loggerhead", "light", "GPL-2"),
)
