"""Recipes of the thirteenth final part: things to read, references, discussions and offers."""

from __future__ import annotations

from benchmarks.sites.builders.blogs import subtitle_gold
from benchmarks.sites.programs.markets_and_readers.books_and_standards import (
    PRESSOIR,
    SPEC_UP,
    build_book,
    build_standards,
    chapter_gold,
    standard_gold,
    write_book,
    write_standards,
)
from benchmarks.sites.programs.markets_and_readers.desks_and_streams import (
    OPENINGS,
    SHOWS,
    TICKETS,
    show_gold,
    ticket_gold,
    write_openings,
    write_shows,
    write_tickets,
)
from benchmarks.sites.programs.markets_and_readers.discussions import TOPICS, write_topics
from benchmarks.sites.programs.markets_and_readers.documentation import MDOC, build_documentation, documentation_gold, write_documentation
from benchmarks.sites.programs.markets_and_readers.goods_and_homes import (
    build_homes,
    build_products,
    home_gold,
    product_gold,
    write_homes,
    write_products,
)
from benchmarks.sites.programs.markets_and_readers.guidance_and_meetings import (
    build_guidance,
    build_meetings,
    lead_gold,
    meeting_gold,
    write_guidance,
    write_meetings,
)
from benchmarks.sites.programs.markets_and_readers.reading_blogs import BLOGNAJD, CMS_BLOG, CMS_FRAME, post_context, story_context
from benchmarks.sites.programs.markets_and_readers.reading_magazine_and_wiki import (
    WALIKI_FRAME,
    WIKI,
    article_context,
    build_magazine,
    page_context,
)
from benchmarks.sites.programs.markets_and_readers.rooms_and_offices import office_gold, room_gold, write_offices, write_rooms
from benchmarks.sites.programs.markets_and_readers.vocabularies import (
    PYLODE,
    build_vocabularies,
    vocabulary_gold,
    write_vocabularies,
)
from benchmarks.sites.programs.talks_and_offers.react_pages import REACT, build_pages
from benchmarks.sites.programs.threads_and_goods.filled_django import write_filled
from benchmarks.sites.recipe import Generator, Theme, flat

_DJANGO = ("Django==5.2.19", "setuptools<81")
_DIGDIR = ("@digdir/designsystemet-css@1.22.0",)
_CHAT = ("react-chat-elements@12.0.18", *REACT)
_AMSTERDAM = (
    *("@amsterdam/design-system-react@4.4.0", "@amsterdam/design-system-css@4.4.0", "@amsterdam/design-system-tokens@4.4.0"),
    *("@amsterdam/design-system-assets@2.6.0", *REACT),
)


MARKET_GENERATORS = {
    "blognajd": Generator("blognajd", _DJANGO, write_filled(story_context), BLOGNAJD.build, "html", flat),
    "djangocms-blog": Generator("djangocms-blog", _DJANGO, write_filled(post_context, CMS_FRAME), CMS_BLOG.build, "html", flat),
    "roost": Generator("roost", _DJANGO, write_filled(article_context), build_magazine, "html", flat, gold=subtitle_gold),
    "waliki": Generator("waliki", _DJANGO, write_filled(page_context, WALIKI_FRAME), WIKI.build, "html", flat),
    "pylode": Generator("pylode", PYLODE, write_vocabularies, build_vocabularies, "html", flat, gold=vocabulary_gold),
    "mdoc": Generator("mdoc", MDOC, write_documentation, build_documentation, "html", flat, "npm", documentation_gold),
    "pressoir": Generator("pressoir", PRESSOIR, write_book, build_book, "html", flat, gold=chapter_gold),
    "spec-up": Generator("spec-up", SPEC_UP, write_standards, build_standards, "html", flat, "npm", standard_gold),
    "fretboard": Generator("fretboard", _DJANGO, write_topics, TOPICS.build, "html", flat),
    "foundation": Generator("foundation", ("foundation-sites@6.9.0",), write_products, build_products, "html", flat, "npm", product_gold),
    "materialize": Generator("materialize", ("materialize-css@1.0.0",), write_homes, build_homes, "html", flat, "npm", home_gold),
    "govuk-frontend": Generator(
        "govuk-frontend", ("govuk-frontend@5.14.0", "nunjucks@3.2.4"), write_guidance, build_guidance, "html", flat, "npm", lead_gold
    ),
    "designsystemet": Generator("designsystemet", _DIGDIR, write_meetings, build_meetings, "html", flat, "npm", meeting_gold),
    "fsm-ticket": Generator("fsm-ticket", _DJANGO, write_tickets, TICKETS.build, "html", flat, gold=ticket_gold),
    "django-careers": Generator("django-careers", _DJANGO, write_openings, OPENINGS.build, "html", flat),
    "applepodcast": Generator("applepodcast", _DJANGO, write_shows, SHOWS.build, "html", flat, gold=show_gold),
    "chat-elements": Generator("chat-elements", _CHAT, write_rooms, build_pages, "html", flat, "npm", room_gold),
    "amsterdam": Generator("amsterdam", _AMSTERDAM, write_offices, build_pages, "html", flat, "npm", office_gold),
}
MARKET_THEMES = (
    Theme("blognajd", "default", "MIT"),
    Theme("djangocms-blog", "related", "BSD"),
    Theme("roost", "magazine", "BSD-3-Clause"),
    Theme("waliki", "default", "BSD"),
    Theme("pylode", "vocabulary", "BSD-3-Clause"),
    Theme("mdoc", "default", "MIT"),
    Theme("pressoir", "press", "AGPL-3.0"),
    Theme("spec-up", "standard", "Apache-2.0"),
    Theme("fretboard", "topic", "MIT"),
    Theme("foundation", "product", "MIT"),
    Theme("materialize", "property", "MIT"),
    Theme("govuk-frontend", "guidance", "MIT"),
    Theme("designsystemet", "meetings", "MIT"),
    Theme("fsm-ticket", "ticket", "MPL-2.0"),
    Theme("django-careers", "opening", "MIT"),
    Theme("applepodcast", "show", "BSD"),
    Theme("chat-elements", "group", "MIT"),
    Theme("amsterdam", "office", "EUPL-1.2"),
)
