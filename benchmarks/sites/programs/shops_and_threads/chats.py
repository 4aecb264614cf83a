"""Chats and short messages as static pages: groups of Telegram, channels of Slack, logs of IRC, posts of Mastodon."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.shops_and_threads.layout import without_fonts
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold

MEMBERS = ("ada", "bela", "chidi", "dora", "emil", "fatma", "goro", "hana")
_TELEGRAM_FILL = """
import json
from datetime import datetime, timedelta
from tgarchive.db import DB, Message, User
db = DB("data.sqlite")
people = [User(number, name, name.title(), "Quay", [], None) for number, name in enumerate(json.load(open("members.json")), 1)]
for person in people:
    db.insert_user(person)
number = 0
for place, document in enumerate(json.load(open("documents.json"))):
    first = number + 2
    for kind, reply, member, text, when in document:
        number += 1
        moment = datetime.fromisoformat(when)
        db.insert_message(Message(number, kind, moment, None, text, first if reply else None, people[member], None))
db.commit()
"""
_TELEGRAM_SETTINGS = {
    "group": "tidetables",
    "media_dir": "media",
    "publish_dir": "html",
    "static_dir": "static",
    "per_page": 500,
    "show_day_index": True,
    "telegram_url": "https://t.me/{id}",
    "show_sender_fullname": True,
    "timezone": "",
    "publish_rss_feed": False,
    "rss_feed_entries": 1,
    "site_url": ".",
    "site_name": "@{group}",
    "site_description": f"Messages of {NAME}",
    "meta_description": "@{group} {date}",
    "page_title": "Page {page} - {date} @{group}",
}
_POSTS_SERVER = "tide.example"


def messages(document: SourceDocument) -> list[str]:
    """Return a document as messages of plain text: its title, then each of its parts, headings with what follows them."""
    found, heading = [document.title], ""
    for part in document.parts:
        text = "\n".join([*([heading] if heading else []), *part_gold(part)])
        heading = text if part.kind == "heading" else ""
        found += [] if heading else [text]
    return [*found, heading] if heading else found


def _moments(document: SourceDocument) -> Iterator[datetime]:
    """Yield when each message is written: a third of an hour after the other, over some days."""
    moment = datetime.combine(document.published, time(8, 4), UTC)
    while True:
        yield moment
        moment += timedelta(minutes=23 if moment.hour < 12 else 23 * 60 - 197)


def write_telegram(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the messages of a group, each document those of one month."""
    del theme
    written = []
    for number, document in enumerate(documents):
        month = document.published.replace(year=2021 + number // 12, month=1 + number % 12, day=1 + number % 9)
        moments = (datetime.combine(month, time(8, 4)) + timedelta(hours=place * 7) for place in range(1000))
        chat = [("user_joined", False, (number + 5) % 8, "", str(next(moments)))]
        for place, text in enumerate(messages(document)):
            chat.append(("message", place % 3 == 2, (number + place // 2) % 8, text, str(next(moments))))
        written.append(chat)
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "members.json", json.dumps(MEMBERS))
    write_text(project / "fill.py", _TELEGRAM_FILL)
    write_text(project / "config.yaml", json.dumps(_TELEGRAM_SETTINGS))


def build_telegram(project: Path) -> None:
    """Fill the database of the group and build its pages, one per month, with fonts of the machine."""
    programs = project.parents[1].resolve() / "bin"
    example = next(programs.parent.glob("lib/*/site-packages/tgarchive/example"))
    shutil.copytree(example / "static", project / "static")
    write_text(project / "template.html", without_fonts((example / "template.html").read_text("utf-8")))
    run_tool([str(programs / "python"), "fill.py"], project)
    run_tool([str(programs / "tg-archive"), "--build"], project)


def telegram_page(document: SourceDocument) -> str:
    """Return the path of the month that holds a document."""
    number = int(document.slug[-2:])
    return f"{2021 + number // 12}-{1 + number % 12:02}.html"


def write_slack(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write an export of a workspace, a channel per document, whose messages are threads with reactions."""
    del theme
    users = [{"id": f"U{number}", "name": name, "profile": {"real_name": f"{name.title()} Quay"}} for number, name in enumerate(MEMBERS)]
    write_text(project / "export/users.json", json.dumps(users))
    channels = [{"id": f"C{number}", "name": document.slug, "members": []} for number, document in enumerate(documents)]
    write_text(project / "export/channels.json", json.dumps(channels))
    for number, document in enumerate(documents):
        moments = (f"{moment.timestamp():.6f}" for moment in _moments(document))
        first: dict[str, object] = {"subtype": "channel_join", "text": f"<@U{number % 8}> has joined the channel", "user": f"U{number % 8}"}
        chat = [first | {"type": "message", "ts": next(moments)}]
        for place, text in enumerate(_slack_texts(document)):
            one: dict[str, object] = {"type": "message", "user": f"U{(number + place // 2) % 8}", "text": text, "ts": next(moments)}
            if (number + place) % 4 == 0:
                one["reactions"] = [{"name": "thumbsup", "users": [f"U{place % 8}", f"U{(place + 3) % 8}"], "count": 2}]
            chat.append(one)
        write_text(project / f"export/{document.slug}/{document.published}.json", json.dumps(chat))


def _slack_texts(document: SourceDocument) -> list[str]:
    """Return a document as messages in Slack's markup."""
    found, heading = [_slack(document.title)], ""
    for part in document.parts:
        alone = part.kind in ("code", "table")
        found += [heading] if heading and alone else []
        text = f"{heading}\n{_slack_part(part)}" if heading and not alone else _slack_part(part)
        heading = text if part.kind == "heading" else ""
        found += [] if heading else [text]
    return found


def _slack_part(part: Part) -> str:
    if part.kind in ("code", "table"):
        return "```\n" + "\n".join(part_gold(part)) + "\n```"
    return "\n".join(_slack(row[0]) for row in part.rows)


def _slack(text: str) -> str:
    """Return inline Markdown in Slack's markup."""
    text = html.escape(text, quote=False).replace("**", "*")
    return re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r"<\2|\1>", text)


def build_slack(project: Path) -> None:
    """Build a page per channel."""
    viewer = project.parents[1].resolve() / "bin/slack-export-viewer"
    options = ["-z", "export", "--html-only", "--no-browser", "-o", str(project.resolve() / "html")]
    run_tool([str(viewer), *options], project, {"TZ": "UTC"})


def write_irc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the logs of a channel, a day per document, with those who come and go."""
    del theme
    for number, document in enumerate(documents):
        who = [MEMBERS[(number + step) % 8] for step in range(8)]
        lines = [f"*** {who[6]} has joined #tide", f"*** {who[7]} sets mode: +o {who[6]}"]
        for place, text in enumerate(messages(document)):
            lines += [f"<{who[place % 3]}> {line}" for line in text.split("\n") if line.strip()]
            lines += [f"*** {who[3 + place % 3]} has {'left' if place % 2 else 'joined'} #tide"] if place % 4 == 3 else []
        timed = (f"[{8 + minute // 60 % 16:02}:{minute % 60:02}] {line}\n" for minute, line in enumerate(lines))
        write_text(project / f"html/tide.{document.published}.log", "".join(timed))


def build_irc(project: Path) -> None:
    """Convert the logs to pages with links to the days before and after."""
    program = project.parents[1].resolve() / "bin/logs2html"
    run_tool([str(program), "html", "-t", f"IRC log of #tide, {NAME}", "-p", "#tide, "], project)


def irc_page(document: SourceDocument) -> str:
    """Return the path of the day of a document."""
    return f"tide.{document.published}.log.html"


def write_mastodon(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a backup of an account per document, whose posts are its own and those that it boosts."""
    del theme
    people = [
        {
            "username": name,
            "acct": f"{name}@{_POSTS_SERVER}",
            "display_name": f"{name.title()} Quay",
            "url": f"https://{_POSTS_SERVER}/@{name}",
        }
        | {"avatar": f"https://{_POSTS_SERVER}/{name}.png", "emojis": [], "note": f"<p>{NAME}</p>"}
        for name in MEMBERS
    ]
    for number, document in enumerate(documents):
        owner, texts, posts = people[number % 8], messages(document), []
        moments = sorted((moment for moment, _ in zip(_moments(document), texts, strict=False)), reverse=True)  # the last post is the first
        for place, text in enumerate(texts):
            own = place % 3 != 1
            when = str(moments[place])
            one: dict[str, object] = {"spoiler_text": "", "media_attachments": [], "card": None, "emojis": [], "reblog": None}
            one |= {"created_at": when, "url": f"https://{_POSTS_SERVER}/{place}", "account": owner}
            content = html.escape(text, quote=False).replace("\n", "<br>")
            one["content"] = f"<p>{content}</p>"
            posts.append(one if own else one | {"reblog": one | {"account": people[(number + place) % 8]}})
        backup = {"account": owner, "statuses": posts, "favourites": [], "bookmarks": [], "mentions": []}
        write_text(project / f"{document.slug}/{_POSTS_SERVER}.user.{owner['username']}.json", json.dumps(backup))


def build_mastodon(project: Path) -> None:
    """Convert each backup to a page."""
    program = str(project.parents[1].resolve() / "bin/mastodon-archive")
    for path in sorted(project.glob("*/*.json")):
        name = path.name.split(".")[-2]
        run_tool([program, "html", f"{name}@{_POSTS_SERVER}", "--toots", "500"], path.parent)
        write_text(project / f"html/{path.parent.name}.html", path.with_suffix(".statuses.0.html").read_text("utf-8"))
