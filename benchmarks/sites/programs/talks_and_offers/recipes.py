"""Recipes of talks and offers."""

from __future__ import annotations

from benchmarks.sites.programs.talks_and_offers.code_reviews import build_requests, request_gold, write_requests
from benchmarks.sites.programs.talks_and_offers.forums_and_answers import SUPPORT, TOPICS, question_context, topic_context
from benchmarks.sites.programs.talks_and_offers.react_pages import (
    REACT,
    build_pages,
    landing_gold,
    write_conversations,
    write_landing,
)
from benchmarks.sites.programs.talks_and_offers.recipe_books import build_book, recipe_gold, recipe_page, write_book
from benchmarks.sites.programs.talks_and_offers.shops_and_feeds import FEEDS, ITEMS, feed_context, feed_gold, item_gold, write_items
from benchmarks.sites.programs.talks_and_offers.universities import build_departments, page_gold, write_departments, write_positions
from benchmarks.sites.programs.threads_and_goods.filled_django import write_filled
from benchmarks.sites.recipe import Generator, Theme, flat

_RECIPE_GRID = ("recipe_grid==2.1.1", "lxml==6.1.3", "marko==2.0.3", "peggie==0.2.1", "Jinja2==3.1.6")
_DJANGO = ("Django==5.2.19", "setuptools<81")

OFFER_GENERATORS = {
    "lbforum": Generator("lbforum", _DJANGO, write_filled(topic_context), TOPICS.build, "html", flat),
    "django-knowledge": Generator("django-knowledge", _DJANGO, write_filled(question_context), SUPPORT.build, "html", flat),
    "ecom-store": Generator("ecom-store", _DJANGO, write_items, ITEMS.build, "html", flat, gold=item_gold),
    "django-planet": Generator("django-planet", _DJANGO, write_filled(feed_context), FEEDS.build, "html", flat, gold=feed_gold),
    "chatscope": Generator(
        "chatscope",
        ("@chatscope/chat-ui-kit-react@2.1.1", "@chatscope/chat-ui-kit-styles@1.4.0", *REACT),
        write_conversations,
        build_pages,
        "html",
        flat,
        "npm",
    ),
    "primer-brand": Generator(
        "primer-brand", ("@primer/react-brand@0.73.0", *REACT), write_landing, build_pages, "html", flat, "npm", landing_gold
    ),
    "decanter": Generator(
        "decanter", ("decanter@6.3.3", "twig@3.0.0"), write_departments, build_departments, "html", flat, "npm", page_gold
    ),
    "rivet": Generator("rivet", ("rivet-core@2.6.0",), write_positions, lambda _: None, "html", flat, "npm", page_gold),
    "kallithea": Generator(
        "kallithea", ("Mako==1.3.10", "MarkupSafe==3.0.3"), write_requests, build_requests, "html", flat, gold=request_gold
    ),
    "recipe-grid": Generator("recipe-grid", _RECIPE_GRID, write_book, build_book, "html", recipe_page, gold=recipe_gold),
}
OFFER_THEMES = (
    Theme("lbforum", "v2ex", "BSD"),
    Theme("django-knowledge", "support", "BSD"),
    Theme("ecom-store", "product", "MIT"),
    Theme("django-planet", "feed", "BSD-3-Clause"),
    Theme("chatscope", "group", "MIT"),
    Theme("primer-brand", "landing", "MIT"),
    Theme("decanter", "department", "MIT"),
    Theme("kallithea", "pull-request", "GPL-3"),
    Theme("recipe-grid", "default", "GPL-3"),
    Theme("rivet", "positions", "BSD-3-Clause"),
)
