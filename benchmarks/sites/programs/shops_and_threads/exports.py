"""Exports of chats as static pages: a group of WhatsApp (chat-export), channels of Discord (chat-exporter)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zipfile import ZipFile

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import ICON, NAME, write_text
from benchmarks.sites.programs.shops_and_threads.chats import MEMBERS, messages
from benchmarks.sites.programs.shops_and_threads.layout import without_network
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, to_markdown

_PICTURES = re.compile(r'(<img[^>]*\ssrc=")https?:[^"]*')
_COLOURS = ("#457", "#754", "#475", "#547", "#745", "#574", "#357", "#735")
_DISCORD_FILL = """
import asyncio, json
from datetime import datetime
from pathlib import Path
import chat_exporter, discord
client = discord.Client(intents=discord.Intents.none())
state = client._connection
guild = discord.Guild(state=state, data={"id": "1", "name": %r, "member_count": 8, "owner_id": "10"})
me = {"id": "99", "username": "keeper", "discriminator": "0", "avatar": None}
state.user = discord.ClientUser(state=state, data=me)
def member(number, name):
    user = {"id": str(10 + number), "username": name.lower(), "global_name": name, "discriminator": "0", "avatar": None,
      "bot": name == "Fatma"}
    return {"user": user, "roles": [], "joined_at": "2021-03-01T08:00:00+00:00", "deaf": False, "mute": False, "flags": 0}
names = json.load(open("members.json"))
people = [member(number, name) for number, name in enumerate(names)]
for one in people:
    guild._add_member(discord.Member(data=one, guild=guild, state=state))
async def main():
    for number, document in enumerate(json.load(open("documents.json")), 200):
        channel = discord.TextChannel(state=state, guild=guild, data={"id": str(number), "type": 0, "name": document["slug"],
          "topic": document["summary"], "position": number, "permission_overwrites": []})
        found = []
        for place, (who, text, when, thumbs) in enumerate(document["messages"]):
            moment = datetime.fromisoformat(when)
            liked = {"count": thumbs, "me": False, "me_burst": False, "emoji": {"id": None, "name": "\U0001f44d"}}
            data = {"id": str(discord.utils.time_snowflake(moment) + place), "channel_id": str(number), "author": people[who]["user"],
              "content": text, "timestamp": when, "edited_timestamp": when if place %% 7 == 5 else None, "tts": False,
              "mention_everyone": False, "mentions": [], "mention_roles": [], "attachments": [], "embeds": [],
              "pinned": False, "type": 0, "components": [], "reactions": [liked] if thumbs else []}
            message = discord.Message(state=state, channel=channel, data=data)
            message.author = guild.get_member(10 + who)
            found.append(message)
        page = await chat_exporter.raw_export(channel, found[::-1], fancy_times=False, support_dev=False, military_time=True,
          raise_exceptions=True)
        Path("html", document["slug"] + ".html").write_text(page, "utf-8")
asyncio.run(main())
"""


def write_whatsapp(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the export of a chat per document, as a phone writes it."""
    del theme
    for number, document in enumerate(documents):
        moment = datetime.combine(document.published, time(8, 4), UTC)
        lines = [f"[{moment:%d.%m.%y, %H:%M:%S}] {NAME}: Messages and calls are end-to-end encrypted."]
        for place, text in enumerate(messages(document)):
            moment += timedelta(minutes=19 if place % 5 else 400)
            who = MEMBERS[(number + place * place) % 4].title()
            lines.append(f"[{moment:%d.%m.%y, %H:%M:%S}] {who}: {text}")
        with ZipFile(project / f"{document.slug}.zip", "w") as export:
            export.writestr("_chat.txt", "\r\n".join(lines).replace("\r\n", "\n"))


def build_whatsapp(project: Path) -> None:
    """Convert each chat to a page."""
    program = str(project.parents[1].resolve() / "bin/chat-export")
    for path in sorted(project.glob("*.zip")):
        run_tool([program, "-n", "-z", path.name, "-p", MEMBERS[int(path.stem[-2:]) % 4].title(), "-o", "pages"], project)
        page = next(page for page in project.glob(f"pages/{path.stem}*/*.html") if "media" not in page.name)
        write_text(project / f"html/{path.stem}.html", page.read_text("utf-8"))


def write_discord(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the messages of a channel per document."""
    del theme
    written = []
    for number, document in enumerate(documents):
        moment = datetime.combine(document.published, time(8, 4), UTC)
        found = []
        for place, text in enumerate(_discord_texts(document)):
            moment += timedelta(minutes=3 if place % 3 else 200)
            found.append(((number + place // 2) % 8, text, moment.isoformat(), (number + place) % 4 % 3))
        written.append({"slug": document.slug, "summary": document.summary, "messages": found})
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "members.json", json.dumps([name.title() for name in MEMBERS]))
    write_text(project / "fill.py", _DISCORD_FILL % NAME)


def _discord_texts(document: SourceDocument) -> list[str]:
    """Return a document as messages in Discord's Markdown, in which a table is text of even width."""
    found, heading = [document.title], ""
    for part in document.parts:
        text = _discord_part(document, part)
        found += [] if part.kind == "heading" else [f"{heading}\n{text}" if heading else text]
        heading = text if part.kind == "heading" else ""
    return [*found, heading] if heading else found


def _discord_part(document: SourceDocument, part: Part) -> str:
    if part.kind == "table":
        return "```\n" + "\n".join(part_gold(part)) + "\n```"
    alone = SourceDocument(document.slug, "", document.language, document.published, (), "", (part,))
    return to_markdown(alone).strip().replace("```bash", "```sh")


def build_discord(project: Path) -> None:
    """Write a page per channel, with pictures of members in place of those of the network."""
    (project / "html").mkdir()
    run_tool([str(project.parents[1].resolve() / "bin/python"), "fill.py"], project)
    for number, colour in enumerate(_COLOURS):
        write_text(project / f"html/member-{number}.svg", ICON.replace("#457", colour))
    for path in (project / "html").glob("*.html"):
        text = without_network(path.read_text("utf-8"))
        path.write_text(_PICTURES.sub(rf"\1member-{int(path.stem[-2:]) % 8}.svg", text), "utf-8")
