"""Groups of Signal as signal-export writes them, and transcripts of an assistant's sessions (claude-code-transcripts)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import write_text
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import installed
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, to_markdown

_FILL = """
import json
from datetime import datetime
from pathlib import Path
from sigexport import html, models
html.prep_html(Path("html"))
for slug, title, messages in json.load(open("documents.json")):
    found = [models.Message(datetime.fromisoformat(when), who, body, quote, None, [models.Reaction(name, sign) for name, sign in liked], [])
      for when, who, body, quote, liked in messages]
    page = html.create_html(title, found, msgs_per_page=500)
    Path("html", slug + ".html").write_text(page.replace("../style.css", "style.css").replace("../chat.js", "chat.js"), "utf-8")
"""
_PROMPTS = 5
"""A page of a transcript has as many prompts."""


def _message(part: Part) -> str:
    """Return a part as a message in Signal's Markdown, without links: the program breaks those that have a text of their own."""
    if part.kind == "code":
        return "\n".join(f"    {line}" for line in part_gold(part))
    signs = {"bullets": "- ", "steps": "1. ", "quote": "> "}
    if part.kind == "table":
        return "\n".join(f"- {line}" for line in part_gold(part))
    lines = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", row[0]) for row in part.rows)
    return "\n".join(f"{signs.get(part.kind, '')}{line}" for line in lines)


def write_signal(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the messages of a group per document, some with reactions."""
    del theme
    written = []
    for number, document in enumerate(documents):
        moment, chat = datetime.combine(document.published, time(8, 4)), []
        for place, part in enumerate(document.parts):
            moment += timedelta(minutes=2 if place % 3 else 370)
            who = "Me" if (number + place // 2) % 4 == 1 else READERS[(number + place // 2) % 8]
            liked = [(READERS[(place + step) % 8], "\U0001f44d") for step in range(2)] if place % 5 == 2 else []
            chat.append((moment.isoformat(), who, _message(part), "", liked))
        written.append((document.slug, document.title, chat))
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "fill.py", _FILL)


def build_signal(project: Path) -> None:
    """Write a page per group."""
    installed(project, "signal-export==3.9.3", "sigexport")
    (project / "html").mkdir()
    run_tool([str(project.parents[1].resolve() / "bin/python"), "fill.py"], project)


def write_sessions(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a session per document: its title and the first headings are prompts, what follows them are answers and commands."""
    del theme
    for document in documents:
        moment = datetime.combine(document.published, time(8, 4))
        found: list[tuple[str, object]] = [("user", document.title)]
        for place, part in enumerate(document.parts):
            alone = to_markdown(replace(document, parts=(part,))).strip()
            prompts = sum(kind == "user" for kind, _ in found)
            if part.kind == "heading" and prompts < _PROMPTS:
                found.append(("user", part_gold(part)[0]))
            elif part.kind == "code" and part.language == "bash":
                command = {"command": "\n".join(part_gold(part)), "description": ""}
                found.append(("assistant", [{"type": "tool_use", "id": f"t{place}", "name": "Bash", "input": command}]))
            else:
                found.append(("assistant", [{"type": "text", "text": alone}]))
        written = []
        for kind, content in found:
            moment += timedelta(seconds=37)
            written.append({"type": kind, "timestamp": f"{moment.isoformat()}Z", "message": {"role": kind, "content": content}})
        write_text(project / f"sessions/{document.slug}.json", json.dumps({"loglines": written}))


def build_sessions(project: Path) -> None:
    """Convert each session to a page."""
    (project / "html").mkdir()
    program = str(project.parents[1].resolve() / "bin/claude-code-transcripts")
    for path in sorted(project.glob("sessions/*.json")):
        run_tool([program, "json", str(path), "-o", f"html/{path.stem}"], project)
