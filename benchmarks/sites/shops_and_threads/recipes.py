"""Recipes of shops, forums, chats, classified advertisements and events."""

from __future__ import annotations

from benchmarks.sites.recipe import Generator, Theme, flat, in_folder
from benchmarks.sites.shops_and_threads.chats import (
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
}
THREAD_THEMES = (
    Theme("tg-archive", "default", "MIT"),
    Theme("slack-export-viewer", "default", "MIT"),
    Theme("irclog2html", "table", "GPL-2"),
    Theme("mastodon-archive", "archive", "GPL-3"),
)
