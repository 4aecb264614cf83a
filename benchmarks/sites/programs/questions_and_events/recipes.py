"""Recipes of questions and events."""

from __future__ import annotations

from benchmarks.sites.programs.publishing_sites.listings import entries_gold
from benchmarks.sites.programs.questions_and_events.answers import write_questions
from benchmarks.sites.programs.questions_and_events.conversations import conversation_gold, write_conversations
from benchmarks.sites.programs.questions_and_events.landing import build_landing, landing_gold, write_landing
from benchmarks.sites.programs.questions_and_events.meetings import build_events, event_context, event_gold
from benchmarks.sites.programs.questions_and_events.news_river import build_river, write_river
from benchmarks.sites.programs.questions_and_events.pages_of_a_city import service_gold, write_services
from benchmarks.sites.programs.questions_and_events.storefront import build_products, product_gold, write_products
from benchmarks.sites.programs.questions_and_events.styles import build_without_fonts
from benchmarks.sites.programs.questions_and_events.topics_and_issues import FORUM, ISSUES, issue_context, issue_gold, topic_context
from benchmarks.sites.programs.questions_and_events.vacancies import vacancy_gold, write_vacancies
from benchmarks.sites.programs.threads_and_goods.filled_django import write_filled
from benchmarks.sites.recipe import Generator, Theme, flat

_REACT = ("react@18.2.0", "react-dom@18.2.0", "esbuild@0.25.12")
_DJANGO = ("Django==5.2.19", "setuptools<81")

QUESTION_GENERATORS = {
    "musette": Generator("musette", _DJANGO, write_filled(topic_context), FORUM.build, "html", flat),
    "mrwolfe": Generator("mrwolfe", _DJANGO, write_filled(issue_context), ISSUES.build, "html", flat, gold=issue_gold),
    "tendenci": Generator("tendenci", _DJANGO, write_filled(event_context), build_events, "html", flat, gold=event_gold),
    "chatui": Generator(
        "chatui", ("@chatui/core@3.8.0", *_REACT), write_conversations, build_without_fonts, "html", flat, "npm", conversation_gold
    ),
    "faststore": Generator(
        "faststore",
        ("@faststore/ui@4.8.0", "@faststore/components@4.8.0", "sass@1.77.8", *_REACT),
        write_products,
        build_products,
        "html",
        flat,
        "npm",
        product_gold,
    ),
    "aksel": Generator(
        "aksel",
        ("@navikt/ds-react@8.8.0", "@navikt/ds-css@8.8.0", *_REACT),
        write_vacancies,
        build_without_fonts,
        "html",
        flat,
        "npm",
        vacancy_gold,
    ),
    "helsinki": Generator("helsinki", ("hds-core@5.2.2",), write_services, lambda _: None, "html", flat, "npm", service_gold),
    "lightning": Generator("lightning", ("@salesforce-ux/design-system@2.264.1",), write_questions, lambda _: None, "html", flat, "npm"),
    "osmosfeed": Generator("osmosfeed", ("@osmoscraft/osmosfeed@1.15.1",), write_river, build_river, "html", flat, "npm", entries_gold),
    "vanilla-framework": Generator("vanilla-framework", ("Jinja2==3.1.6",), write_landing, build_landing, "html", flat, gold=landing_gold),
}
QUESTION_THEMES = (
    Theme("musette", "forum", "BSD"),
    Theme("mrwolfe", "issues", "Beerware"),
    Theme("chatui", "conversations", "MIT"),
    Theme("faststore", "product", "MIT"),
    Theme("aksel", "vacancies", "MIT"),
    Theme("helsinki", "services", "MIT"),
    Theme("lightning", "questions", "BSD-3-Clause"),
    Theme("osmosfeed", "river", "MIT"),
    Theme("vanilla-framework", "landing", "LGPL-3.0"),
    Theme("tendenci", "events", "GPL-3"),
)
