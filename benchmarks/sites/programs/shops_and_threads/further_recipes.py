"""Recipes of further chats, shops, forums and collections."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import build_application, product_gold, write_application
from benchmarks.sites.builders.application_django import demand_bootstrap
from benchmarks.sites.layout import write_text
from benchmarks.sites.programs.shops_and_threads.collections import (
    build_lessons,
    build_stories,
    build_tables,
    lesson_gold,
    story_gold,
    table_gold,
    write_lessons,
    write_stories,
    write_tables,
)
from benchmarks.sites.programs.shops_and_threads.django_settings import JOYOUS_PAGE, event_gold
from benchmarks.sites.programs.shops_and_threads.exports import build_discord, build_whatsapp, write_discord, write_whatsapp
from benchmarks.sites.programs.shops_and_threads.filled_templates import write_filled
from benchmarks.sites.programs.shops_and_threads.forums import build_misago, write_misago
from benchmarks.sites.programs.shops_and_threads.markets import (
    build_cart,
    build_estates,
    build_goods,
    build_jobs,
    build_questions,
    build_recipes,
    estate_context,
    estate_gold,
    goods_context,
    job_context,
    place_gold,
    priced_gold,
    question_context,
    recipe_context,
    recipe_gold,
    write_cart,
)
from benchmarks.sites.programs.shops_and_threads.reviews import build_commits, commit_gold, write_commits
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder
from benchmarks.sites.texts.documents import SourceDocument


def _write_joyous(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    del theme
    demand_bootstrap("bootstrap4")
    write_text(project / "templates/base.html", JOYOUS_PAGE)
    write_application(project, "joyous", documents)


FURTHER_THREAD_GENERATORS = {
    "chat-export": Generator("chat-export", ("chat-export==1.1.2",), write_whatsapp, build_whatsapp, "html", flat),
    "chat-exporter": Generator("chat-exporter", ("chat-exporter==3.1.0", "discord.py==2.6.4"), write_discord, build_discord, "html", flat),
    "prosopopee": Generator(
        "prosopopee",
        (
            "prosopopee==1.1.5",
            "jinja2==2.11.3",
            "MarkupSafe==2.0.1",
            "path.py==12.5.0",
            "path==16.16.0",
            "ruamel.yaml==0.17.40",
            "setuptools<81",
        ),
        write_stories,
        build_stories,
        "build",
        in_folder,
        gold=story_gold,
    ),
    "misago": Generator("misago", ("misago==0.39.6", "setuptools<81"), write_misago, build_misago, "html", flat),
    "express-cart": Generator(
        "express-cart",
        ("express-cart@1.1.17", "handlebars@4.7.8", "feather-icons@4.29.2", "bootstrap@4.4.1"),
        write_cart,
        build_cart,
        "html",
        flat,
        "npm",
        product_gold,
    ),
    "datasette": Generator("datasette", ("datasette==0.65.5", "setuptools<81"), write_tables, build_tables, "html", flat, gold=table_gold),
    "gitweb": Generator("gitweb", (), write_commits, build_commits, "html", flat, "debian", commit_gold),
    "djobberbase": Generator(
        "djobberbase", ("Django==5.2.19", "setuptools<81"), write_filled(job_context), build_jobs, "html", flat, gold=place_gold
    ),
    "realestate": Generator(
        "realestate", ("Django==5.2.19", "setuptools<81"), write_filled(estate_context), build_estates, "html", flat, gold=estate_gold
    ),
    "lfs": Generator("lfs", ("Django==5.2.19", "setuptools<81"), write_filled(goods_context), build_goods, "html", flat, gold=priced_gold),
    "joyous": Generator(
        "joyous",
        (
            "ls.joyous==1.4.0",
            "wagtail==2.16.3",
            "Django==3.2.25",
            "django-timezone-field==4.2.3",
            "holidays==0.10.3",
            "icalendar==4.0.9",
            "setuptools<81",
        ),
        _write_joyous,
        build_application,
        "html",
        flat,
        gold=event_gold,
    ),
    "runestone": Generator(
        "runestone",
        ("runestone==7.13.9", "myst-parser==1.0.0", "setuptools<81"),
        write_lessons,
        build_lessons,
        "html",
        flat,
        gold=lesson_gold,
    ),
    "django-qa": Generator("django-qa", ("Django==5.2.19", "setuptools<81"), write_filled(question_context), build_questions, "html", flat),
    "vegetarian-cookbook": Generator(
        "vegetarian-cookbook",
        ("Django==5.2.19", "setuptools<81"),
        write_filled(recipe_context),
        build_recipes,
        "html",
        flat,
        gold=recipe_gold,
    ),
}
FURTHER_THREAD_THEMES = (
    Theme("chat-export", "whatsapp", "MIT"),
    Theme("chat-exporter", "discord", "GPL-3"),
    Theme("prosopopee", "exposure", "GPL-3"),
    Theme("misago", "misago", "GPL-2"),
    Theme("express-cart", "cloth", "MIT"),
    Theme("datasette", "light", "Apache-2.0"),
    Theme("gitweb", "grey", "GPL-2"),
    Theme("djobberbase", "djobberbase", "MIT"),
    Theme("realestate", "listing", "BSD-3-Clause"),
    Theme("lfs", "lfs", "BSD-3-Clause"),
    Theme("joyous", "calendar", "BSD-3-Clause"),
    Theme("runestone", "course", "GPL-3"),
    Theme("django-qa", "qa", "MIT"),
    Theme("vegetarian-cookbook", "recipes", "AGPL-3"),
)
