"""Conversations in the layout of a messenger (chatgen), and threads of a list of mail (formbox), for which a page of ours is the frame."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from email.message import EmailMessage
from pathlib import Path

from benchmarks.sites.applications.communities import POSTS
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.chats import messages
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold

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
    page = Generator().generate(Dialog(participants=people, messages=written), platform=platform, view=DeviceView.WEB_DESKTOP,
theme=Theme.LIGHT)
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


_MESSAGE = """<article id="{message_id}" class="message"><p class="head"><b>{author}</b> <time datetime="{rfc822}">{date}</time>
<a href="mailto:tide@example.org?{mailto_params}">Reply</a> <a href="#{message_id}">Link</a></p>{body}<div
class="below">{children}</div></article>
"""
_FRAME = """<!DOCTYPE html><html lang="LANGUAGE" dir="DIRECTION"><head><meta charset="utf-8"><title>TITLE - lists of SITE</title>
<link rel="stylesheet" href="style.css"></head><body><header><b>lists of SITE</b><nav><a href="/">Overview</a> <a href="/">Threads</a>
<a href="/">By date</a> <a href="/">Subscribe</a> <a href="/">Help</a></nav></header><div class="page"><main><p class="where">
<a href="/">tide</a> / <a href="/">2024</a> / thread</p><h1>TITLE</h1>MESSAGES<p class="end"><a href="/">Older thread</a>
<a href="/">Newer thread</a></p></main><aside><h2>Other threads</h2><ul>OTHERS</ul><h2>About this list</h2>
<p>Talk about tides and ferries. Write to tide@example.org</p></aside></div>
<footer>Archived by formbox. Messages belong to those who wrote them</footer></body></html>"""
_LIST_STYLE = """body { font: 16px/1.5 serif; margin: 0; color: #222; background: #fdfcf8 } header { background: #28433e; color: #fff;
padding: 12px 24px;
display: flex; justify-content: space-between } header a { color: #cfe3dd; margin: 0 8px } .page { display: flex; gap: 32px; max-width:
1180px;
margin: 0 auto; padding: 0 24px } main { flex: 1; min-width: 0 } aside { width: 270px; font-size: 14px } .where, .head, footer {
font-size: 13px;
color: #777 } .head { border-top: 1px solid #ccc; padding-top: 6px } .below { border-inline-start: 2px solid #b9cdc7;
padding-inline-start: 16px }
pre { background: #eef3f1; padding: 8px; overflow: auto; direction: ltr } .end a { margin-inline-end: 24px } footer { padding: 16px 24px;
border-top: 1px solid #ccc }
"""


def _written(part: Part) -> str:
    """Return a part as people write it in a mail: a heading is a line of strong text, a table a list of its rows."""
    lines = part_gold(part)
    if part.kind == "code":
        return "\n".join(f"    {line}" for line in lines)
    signs = {"bullets": "- ", "table": "- ", "steps": "1. ", "quote": "> "}
    text = "\n".join(f"{signs.get(part.kind, '')}{line}" for line in lines)
    return f"**{text}**" if part.kind == "heading" else text


def write_threads(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write one mailbox, in which each document is a thread: every third message answers the first one, the others those before them."""
    del theme
    box, pages = [], []
    for number, document in enumerate(documents):
        names = [f"<{document.slug}.{place}@example.org>" for place in range(len(document.parts))]
        for place, start in enumerate(range(0, len(document.parts), POSTS)):
            message = EmailMessage()
            message["From"] = (
                f"{READERS[(number + 3 * place) % 8]} Quáy <quay{place % 8}@example.org>"  # the program reads only names that are encoded
            )
            message["Subject"] = document.title if not place else f"Re: {document.title}"
            day = document.published + timedelta(days=place)
            message["Date"] = f"{day:%a, %d %b %Y} 08:00:00 +0000"
            message["Message-ID"] = names[place]
            message["In-Reply-To"] = f"<{document.slug}@example.org>" if not place else names[0 if place % 3 == 1 else place - 1]
            message.set_content("\n\n".join(_written(part) for part in document.parts[start : start + POSTS]), cte="8bit")
            box.append(f"From quay@example.org {day:%a %b %d} 08:00:00 {day:%Y}\n".encode() + message.as_bytes() + b"\n")
        others = [documents[(number + step) % len(documents)] for step in (1, 4, 9, 12, 16, 20)]
        links = "".join(f'<li><a href="{one.slug}.html">{one.title}</a></li>' for one in others)
        page = _FRAME.replace("LANGUAGE", document.language).replace("DIRECTION", "rtl" if document.language == "ar" else "ltr")
        pages.append((document.slug, page.replace("TITLE", document.title).replace("SITE", NAME).replace("OTHERS", links)))
    (project / "archive.mbox").write_bytes(b"\n".join(box))
    write_text(project / "pages.json", json.dumps(pages))
    write_text(project / "message.html", _MESSAGE)
    write_text(project / "html/style.css", _LIST_STYLE)


def build_threads(project: Path) -> None:
    """Format the messages of each thread, and put them into its page."""
    program = str(project.parents[1].resolve() / "bin/formbox")
    for slug, page in json.loads((project / "pages.json").read_text("utf-8")):
        command = f"{program} archive.mbox '<{slug}@example.org>' message.html > found.html"
        run_program(["sh", "-c", command], project)
        write_text(project / f"html/{slug}.html", page.replace("MESSAGES", (project / "found.html").read_text("utf-8")))
