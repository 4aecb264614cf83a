"""Recipes of shops, forums, chats, classified advertisements and events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.sites.applications.communities import build_application, price, product_gold, write_application
from benchmarks.sites.layout import write_text
from benchmarks.sites.programs.shops_and_threads.chats import (
    build_irc,
    build_mastodon,
    build_slack,
    build_telegram,
    irc_page,
    telegram_page,
    write_irc,
    write_mastodon,
    write_slack,
    write_telegram,
)
from benchmarks.sites.programs.shops_and_threads.django_settings import FILE_SERVER, advertisement_gold, goods_gold, job_gold, tickets_gold
from benchmarks.sites.programs.shops_and_threads.events import build_indico, write_indico
from benchmarks.sites.programs.shops_and_threads.forums import FLASKBB_PACKAGES, build_flaskbb, write_flaskbb
from benchmarks.sites.programs.shops_and_threads.layout import add_style
from benchmarks.sites.programs.shops_and_threads.reviews import build_reviews, write_reviews
from benchmarks.sites.programs.shops_and_threads.shops import build_evershop, write_evershop
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder
from benchmarks.sites.texts.documents import SourceDocument


def _django(name: str) -> Callable[[Path, str, Sequence[SourceDocument]], None]:
    """Return what writes an application of Django."""
    return lambda project, _, documents: write_application(project, name, documents)


def _write_pretix(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    del theme
    write_text(project / "serve.py", FILE_SERVER)
    write_application(project, "pretix", documents)


def _build_cartridge(project: Path) -> None:
    build_application(project)
    add_style(project, "body { padding-top: 105px }")  # the height of the menu, which is fixed above the text


THREAD_GENERATORS = {
    "tg-archive": Generator("tg-archive", ("tg-archive==1.3.1", "setuptools<81"), write_telegram, build_telegram, "html", telegram_page),
    "slack-export-viewer": Generator(
        "slack-export-viewer",
        ("slack-export-viewer==3.5.0",),
        write_slack,
        build_slack,
        "html",
        lambda document: f"channel/{in_folder(document)}",
    ),
    "irclog2html": Generator("irclog2html", ("irclog2html==4.1.0",), write_irc, build_irc, "html", irc_page),
    "mastodon-archive": Generator("mastodon-archive", ("mastodon_archive==1.4.8",), write_mastodon, build_mastodon, "html", flat),
    "classified": Generator(
        "classified",
        ("django-classified==1.3", "Django==5.2.19"),
        _django("classified"),
        build_application,
        "html",
        flat,
        gold=lambda document: advertisement_gold(document, price(document).replace(".", ",")),
    ),
    "pretix": Generator(
        "pretix", ("pretix==2026.8.0",), _write_pretix, partial(build_application, server=("serve.py",)), "html", flat, gold=tickets_gold
    ),
    "indico": Generator("indico", ("indico==3.2.9",), write_indico, build_indico, "html", flat),
    "cartridge": Generator(
        "cartridge",
        ("Cartridge==1.3.4", "mezzanine==6.1.1"),
        _django("cartridge"),
        _build_cartridge,
        "html",
        flat,
        gold=lambda document: goods_gold(document, price(document)),
    ),
    "reviewboard": Generator("reviewboard", ("ReviewBoard==8.1",), write_reviews, build_reviews, "html", flat),
    "career": Generator(
        "career", ("django-career-app==0.2.4", "Django==5.2.19"), _django("career"), build_application, "html", flat, gold=job_gold
    ),
    "evershop": Generator(
        "evershop",
        ("@evershop/evershop@2.2.1", "concat-stream@2.0.0"),
        write_evershop,
        build_evershop,
        "html",
        flat,
        "npm",
        product_gold,
    ),
    "flaskbb": Generator("flaskbb", FLASKBB_PACKAGES, write_flaskbb, build_flaskbb, "html", flat),
}
THREAD_THEMES = (
    Theme("tg-archive", "default", "MIT"),
    Theme("slack-export-viewer", "default", "MIT"),
    Theme("irclog2html", "table", "GPL-2"),
    Theme("mastodon-archive", "archive", "GPL-3"),
    Theme("classified", "classified", "MIT"),
    Theme("pretix", "presale", "AGPL-3"),
    Theme("indico", "meeting", "MIT"),
    Theme("cartridge", "default", "BSD-2-Clause"),
    Theme("reviewboard", "site", "MIT"),
    Theme("career", "jobs", "MIT"),
    Theme("evershop", "default", "GPL-3"),
    Theme("flaskbb", "aurora", "BSD-3-Clause"),
)
