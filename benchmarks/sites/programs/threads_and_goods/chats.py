"""Conversations as chatgen draws them, in the layout of a messenger's page on a large screen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import write_text
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.chats import messages
from benchmarks.sites.texts.documents import SourceDocument

_STYLE = """<style>html, body, .cg-stage, .cg-device, .cg-screen, .cg-desktop { height: auto !important; overflow: visible !important }
.cg-msg-list { overflow: visible !important; justify-content: flex-start !important } .cg-desktop { min-height: 100vh }
.cg-desk-side { align-self: stretch }</style>"""
"""The page is as long as the conversation: the program shows the end of it alone, as a picture of a screen does."""
_FILL = """
import json, sys
from datetime import datetime
from pathlib import Path
from chatgen import DeviceView, Dialog, Generator, Message, MessageStatus, Participant, Reaction, Text, Theme
platform, style = sys.argv[1:]
for slug, name, names, found in json.load(open("documents.json")):
    people = [Participant(id=str(number), name=one, is_self=number == 0, subtitle="") for number, one in enumerate(names)]
    people[1].name = name if len(names) == 2 else people[1].name
    written = []
    for who, when, text, liked in found:
        one = Message(people[who], datetime.fromisoformat(when), Text(text), status=MessageStatus.READ)
        one.reactions = [Reaction("\\U0001f44d", people[1 - min(who, 1)])] if liked else []
        written.append(one)
    page = Generator().generate(Dialog(participants=people, messages=written), platform=platform, view=DeviceView.WEB_DESKTOP, theme=Theme.LIGHT)
    Path("html", slug + ".html").write_text(page.replace("</head>", style + "</head>"), "utf-8")
"""


def write_conversations(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the messages of two people per document."""
    written = []
    for number, document in enumerate(documents):
        moment, found = datetime.combine(document.published, time(8, 4)), []
        for place, text in enumerate(messages(document)):
            moment += timedelta(minutes=3 if place % 3 else 310)
            found.append(((number + place // 2) % 2, moment.isoformat(), text, place % 6 == 4))
        name = f"{READERS[number % 8]} Quay"
        written.append((document.slug, name, ["Ada Quay", name], found))
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "fill.py", _FILL)
    write_text(project / "platform.txt", theme)


def build_conversations(project: Path) -> None:
    """Write a page per conversation."""
    (project / "html").mkdir()
    platform = (project / "platform.txt").read_text("utf-8")
    run_tool([str(project.parents[1].resolve() / "bin/python"), "fill.py", platform, _STYLE], project)
