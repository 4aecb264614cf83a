"""Trac's and Fossil's wikis, Roundup's issues, and mail archives by MHonArc."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from pathlib import Path
from textwrap import fill

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, to_markdown

POST_PARTS = 4
"""Parts of a document that are one message."""
MAIL_COLUMNS = 76
THREAD_MESSAGES = 5
"""Messages of a thread of mail."""
_ROUNDUP_FILL = """
import json
from roundup import date, instance
tracker = instance.open("tracker")
db = tracker.open("admin")
people = [db.user.create(username=name, realname=name.title(), address=name + "@example.org", roles="User", password=None)
  for name in ("ada", "bela", "chidi", "dora")]
addresses = {}
for number, document in enumerate(json.load(open("documents.json"))):
    when = date.Date(document["published"] + ".08:00:00")
    messages = [db.msg.create(author=people[(number + place) % 4], date=when + date.Interval("%d:00" % place), content=text,
      summary=text.split("\\n")[0][:60]) for place, text in enumerate(document["messages"])]
    issue = db.issue.create(title=document["title"], messages=messages, priority=str(1 + number % 5), status=str(1 + number % 8),
      assignedto=people[number % 4], nosy=people[:2])
    addresses[document["slug"]] = "/issue" + issue
db.commit()
json.dump(addresses, open("addresses.json", "w"))
"""
_ROUNDUP_SERVER = """
import sys
from wsgiref.simple_server import make_server
from roundup.cgi.wsgi_handler import RequestDispatcher
make_server("127.0.0.1", int(sys.argv[1]), RequestDispatcher("tracker")).serve_forever()
"""
"""Its own program does not start for root."""


def write_trac(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki in its own markup."""
    del theme
    for document in documents:
        body = "\n\n".join(_TRAC[part.kind](part) for part in document.parts)
        write_text(project / f"pages/{document.slug}.txt", f"= {document.title} =\n\n{body}\n")


def build_trac(project: Path) -> None:
    """Set the project up, put the pages in, and read them."""
    programs, port = project.parents[1].resolve() / "bin", free_port()
    admin = [str(programs / "trac-admin"), str(project / "site")]
    run_tool([*admin, "initenv", NAME, "sqlite:db/trac.db"], project)
    run_tool([*admin, "config", "set", "wiki", "ignore_missing_pages", "true"], project)
    names = sorted(path.stem for path in (project / "pages").iterdir())
    for name in names:
        run_tool([*admin, "wiki", "import", name, f"pages/{name}.txt"], project)
    command = [str(programs / "tracd"), "--single-env", "--hostname=127.0.0.1", f"--port={port}", str(project / "site")]
    save_pages(project, command, port, {f"{name}.html": f"/wiki/{name}" for name in names})


def write_roundup(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the issues of a tracker, each a document whose parts are messages."""
    del theme
    write_text(project / "fill.py", _ROUNDUP_FILL)
    written = [
        {
            "slug": document.slug,
            "title": document.title,
            "published": str(document.published),
            "messages": message_texts(document),
        }
        for document in documents
    ]
    write_text(project / "documents.json", json.dumps(written))


def build_roundup(project: Path) -> None:
    """Set the tracker up, put the issues in, and read them."""
    programs, port = project.parents[1].resolve() / "bin", free_port()
    admin = [str(programs / "roundup-admin"), "-i", "tracker"]
    run_tool(
        [*admin, "install", "classic", "sqlite", f"tracker_web=http://127.0.0.1:{port}/,mail_domain=example.org,mail_host=localhost"],
        project,
    )
    run_tool([*admin, "initialise", "quay-ada-1854"], project)
    run_tool([str(programs / "python"), "fill.py"], project, {"SENDMAILDEBUG": str(project / "mail.txt")})
    addresses = json.loads((project / "addresses.json").read_text("utf-8"))
    command = [str(programs / "python"), "-c", _ROUNDUP_SERVER, str(port)]
    save_pages(project, command, port, {f"{slug}.html": address for slug, address in addresses.items()})


def roundup_gold(document: SourceDocument) -> str:
    """Return the gold text of an issue: its title, and its messages, of which the last comes first."""
    messages = ["\n".join(line for part in parts for line in part_gold(part)) for parts in _messages(document)]
    return "\n".join((document.title, *reversed(messages)))


def write_mail(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write one mailbox of threads of five messages, each of which but the first answers the one before it."""
    del theme
    box = []
    for number, document in enumerate(documents):
        message = EmailMessage()
        message["From"] = f"{('Ada', 'Bela', 'Chidi', 'Dora')[number % 4]} Quay <quay{number % 4}@example.org>"
        message["To"] = "tide@example.org"
        message["Subject"] = document.title
        message["Date"] = f"{document.published:%a, %d %b %Y} 08:00:00 +0000"
        message["Message-ID"] = f"<{document.slug}@example.org>"
        if number % THREAD_MESSAGES:
            message["In-Reply-To"] = message["References"] = f"<{documents[number - 1].slug}@example.org>"
        message.set_content(_mail_text(document))
        box.append(f"From quay@example.org {document.published:%a %b %d} 08:00:00 {document.published:%Y}\n{message.as_string()}\n")
    write_text(project / "archive.mbox", "\n".join(box))


def build_mail(project: Path) -> None:
    """Convert the mailbox."""
    options = ["-quiet", "-outdir", "html", "-title", NAME, "-ttitle", f"{NAME}: threads"]
    (project / "html").mkdir()
    run_tool([find_program("mhonarc"), *options, "archive.mbox"], project)


def mail_page(document: SourceDocument) -> str:
    """Return the name that MHonArc gives a message: its number."""
    return f"msg{int(document.slug[-2:]):05}.html"


def write_fossil(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki, in Markdown."""
    del theme
    for document in documents:
        write_text(project / f"pages/{document.slug}.md", f"# {document.title}\n\n{to_markdown(document)}")


def build_fossil(project: Path) -> None:
    """Make a repository with the pages, and read them."""
    fossil, port = find_program("fossil"), free_port()
    paths = {"HOME": str(project), "USER": "ada"}
    run_tool([fossil, "new", "--project-name", NAME, "site.fossil"], project, paths)
    names = sorted(path.stem for path in (project / "pages").iterdir())
    for name in names:
        options = ["--mimetype", "text/x-markdown", "-R", "site.fossil"]
        run_tool([fossil, "wiki", "create", name, f"pages/{name}.md", *options], project, paths)
    command = [fossil, "server", "--localhost", "--port", str(port), "--nojail", "site.fossil"]
    save_pages(project, command, port, {f"{name}.html": f"/wiki?name={name}" for name in names}, paths)


def message_texts(document: SourceDocument) -> list[str]:
    """Return the plain text of a document's parts as messages of an issue."""
    return ["\n\n".join("\n".join(part_gold(part)) for part in parts) for parts in _messages(document)]


def _messages(document: SourceDocument) -> list[tuple[Part, ...]]:
    return [document.parts[start : start + POST_PARTS] for start in range(0, len(document.parts), POST_PARTS)]


def _mail_text(document: SourceDocument) -> str:
    """Return the body with lines of the usual length; those of code stay as they are."""
    return "\n\n".join(
        "\n".join(line if part.kind == "code" else fill(line, MAIL_COLUMNS, break_long_words=False) for line in part_gold(part))
        for part in document.parts
    )


def _trac_line(text: str) -> str:
    """Return inline Markdown in Trac's markup."""
    text = re.sub(r"\*\*([^*]*)\*\*", r"'''\1'''", text)
    return re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r"[\2 \1]", text)


def _trac_table(part: Part) -> str:
    head, *rows = part.rows
    lines = ["||".join(f"= {cell} =" for cell in head), *("||".join(f" {_trac_line(cell)} " for cell in row) for row in rows)]
    return "\n".join(f"||{line}||" for line in lines)


_TRAC: dict[str, Callable[[Part], str]] = {
    "heading": lambda part: f"{'=' * part.level} {part.rows[0][0]} {'=' * part.level}",
    "paragraph": lambda part: _trac_line(part.rows[0][0]),
    "quote": lambda part: f"> {_trac_line(part.rows[0][0])}",
    "bullets": lambda part: "\n".join(f" * {_trac_line(row[0])}" for row in part.rows),
    "steps": lambda part: "\n".join(f" 1. {_trac_line(row[0])}" for row in part.rows),
    "table": _trac_table,
    "code": lambda part: "{{{\n" + "\n".join(row[0] for row in part.rows) + "\n}}}",
}
