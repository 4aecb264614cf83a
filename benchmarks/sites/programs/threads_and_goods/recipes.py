"""Recipes of threads and goods."""

from __future__ import annotations

from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import write_contexts
from benchmarks.sites.programs.threads_and_goods.catalogues import (
    RECIPES,
    build_records,
    recipe_context,
    recipe_gold,
    record_context,
    record_gold,
)
from benchmarks.sites.programs.threads_and_goods.chats_and_mail import build_conversations, write_conversations, write_threads
from benchmarks.sites.programs.threads_and_goods.chats_and_mail import build_threads as build_mail
from benchmarks.sites.programs.threads_and_goods.desks_and_repositories import (
    BUGS,
    bug_context,
    bug_gold,
    build_history,
    history_gold,
    write_history,
)
from benchmarks.sites.programs.threads_and_goods.filled_django import write_filled
from benchmarks.sites.programs.threads_and_goods.forums import NIJI, build_threads, thread_context, topic_context
from benchmarks.sites.programs.threads_and_goods.jobs_and_events import (
    EVENTS,
    build_positions,
    event_gold,
    position_gold,
    write_events,
    write_positions,
)
from benchmarks.sites.programs.threads_and_goods.lessons_and_pictures import (
    LECTURES,
    album_gold,
    build_albums,
    lecture_gold,
    write_albums,
    write_lectures,
)
from benchmarks.sites.programs.threads_and_goods.packages_and_questions import (
    PACKAGES,
    build_questions,
    package_context,
    package_gold,
    write_questions,
)
from benchmarks.sites.programs.threads_and_goods.services import build_services, service_gold, write_services
from benchmarks.sites.programs.threads_and_goods.shops import (
    BAYKE,
    ITEMS,
    REVIEWS,
    goods_gold,
    item_gold,
    write_goods,
    write_items,
    write_reviews,
)
from benchmarks.sites.programs.threads_and_goods.timelines import build_timeline, write_timeline
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder

_DJANGO = ("Django==5.2.19", "setuptools<81")

GOODS_GENERATORS = {
    "niji": Generator("niji", _DJANGO, write_filled(topic_context), NIJI.build, "html", flat),
    "arcticzim": Generator("arcticzim", ("Jinja2==3.1.6", "libsass==0.23.0"), write_contexts(thread_context), build_threads, "html", flat),
    "kiwitcms": Generator("kiwitcms", _DJANGO, write_filled(bug_context), BUGS.build, "html", flat, gold=bug_gold),
    "react-tweet": Generator(
        "react-tweet",
        ("react-tweet@3.3.1", "react@19.2.0", "react-dom@19.2.0", "esbuild@0.25.12"),
        write_timeline,
        build_timeline,
        "html",
        flat,
        "npm",
    ),
    "uswds-services": Generator(
        "uswds-services", ("@uswds/uswds@3.14.0", "twig@3.0.0"), write_services, build_services, "html", flat, "npm", service_gold
    ),
    "baykeshop": Generator("baykeshop", _DJANGO, write_goods, BAYKE.build, "html", flat, gold=goods_gold),
    "formbox": Generator("formbox", ("formbox==1.0.0", "mistune==3.1.4", "nh3==0.3.2"), write_threads, build_mail, "html", flat),
    "chatgen": Generator("chatgen", ("chatgen==0.2.1",), write_conversations, build_conversations, "html", flat),
    "cvsweb": Generator("cvsweb", (), write_history, build_history, "html", flat, "debian", history_gold),
    "w-careers": Generator("w-careers", _DJANGO, write_positions, build_positions, "html", flat, gold=position_gold),
    "pygeoapi": Generator("pygeoapi", ("Jinja2==3.1.6",), write_contexts(record_context), build_records, "html", flat, gold=record_gold),
    "aa-shop": Generator("aa-shop", _DJANGO, write_items, ITEMS.build, "html", flat, gold=item_gold),
    "sigal": Generator("sigal", ("sigal==2.6.1", "setuptools<81"), write_albums, build_albums, "html", in_folder, gold=album_gold),
    "happenings": Generator("happenings", _DJANGO, write_events, EVENTS.build, "html", flat, gold=event_gold),
    "courses": Generator("courses", _DJANGO, write_lectures, LECTURES.build, "html", flat, gold=lecture_gold),
    "ladlebook": Generator("ladlebook", ("Jinja2==3.1.6",), write_contexts(recipe_context), RECIPES.build, "html", flat, gold=recipe_gold),
    "simple-repository-browser": Generator(
        "simple-repository-browser", ("Jinja2==3.1.6",), write_contexts(package_context), PACKAGES.build, "html", flat, gold=package_gold
    ),
    "answers": Generator("answers", _DJANGO, write_questions, build_questions, "html", flat),
    "mp-reviews": Generator("mp-reviews", _DJANGO, write_reviews, REVIEWS.build, "html", flat),
}
GOODS_THEMES = (
    Theme("mp-reviews", "rating", "MIT"),
    Theme("answers", "questions", "BSD"),
    Theme("simple-repository-browser", "packages", "MIT"),
    Theme("ladlebook", "default", "Apache-2.0"),
    Theme("courses", "album", "MIT"),
    Theme("happenings", "happening", "BSD-3-Clause"),
    Theme("sigal", "colorbox", "MIT"),
    Theme("aa-shop", "tabler", "MIT"),
    Theme("pygeoapi", "default", "MIT"),
    Theme("w-careers", "daisyui", "MIT"),
    Theme("cvsweb", "grey", "BSD-2-Clause"),
    Theme("chatgen", "viber", "MIT"),
    Theme("formbox", "mail", "AGPL-3"),
    Theme("baykeshop", "goods-page", "GPL-3"),
    Theme("uswds-services", "identifier", "CC0-1.0"),
    Theme("react-tweet", "thread", "MIT"),
    Theme("niji", "default", "MIT"),
    Theme("arcticzim", "threads", "MIT"),
    Theme("kiwitcms", "bugs", "GPL-2"),
)
