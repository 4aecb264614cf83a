"""Reports of faults as Kiwi TCMS shows them, and the history of files of a CVS repository (CVSweb)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill

from benchmarks.sites.applications.communities import posts_html
from benchmarks.sites.applications.trackers import MAIL_COLUMNS, message_texts
from benchmarks.sites.generators.debian_generators import find_program
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.cgi_programs import serve_program
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.threads_and_goods.filled_django import DjangoPackage
from benchmarks.sites.texts.documents import SourceDocument, gold_text
from sightread.render.errors import Rejected

_SEVERITIES = (("Low", "fa fa-minus", "#39a5dc"), ("Medium", "fa fa-exclamation", "#ec7a08"), ("High", "fa fa-fire", "#cc0000"))
_PRODUCTS = ("Tide tables", "Harbour office", "Ferry booking")
_HELPERS = """
listed("get_comment_list", "get_attachments_for")
nothing("attachment_form", "attachment_delete_link", "get_current_timezone")
register.tag("get_current_timezone", lambda parser, token: Listed("TIME_ZONE"))
same("markdown2html", "message_icon")
register.filter("is_list", lambda value: isinstance(value, list))
"""
_MENU = ("Testing", "Search", "Telemetry", "Admin")


def bug_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a report shows, with the members' comments and the tests that failed."""
    document = documents[place]
    people = [{"name": name.lower(), "username": name.lower()} for name in READERS]
    severity, icon, colour = _SEVERITIES[place % 3]
    bug = {
        "pk": 40 + place,
        "summary": document.title,
        "status": place % 3 != 1,
        "created_at": f"{document.published:%B %d, %Y, 8:04 a.m.}",
    }
    bug |= {"reporter": people[place % 8], "assignee": people[(place + 3) % 8] if place % 4 else None, "product": _PRODUCTS[place % 3]}
    bug |= {"version": f"1.{place % 5}", "build": f"build-{100 + place}", "severity": {"name": severity, "icon": icon, "color": colour}}
    comments = [
        {
            "user": people[(place + 3 * number) % 8],
            "submit_date": f"{document.published:%B %d, %Y, 9:}{10 + number} a.m.",
            "comment": {"html": text},
        }
        for number, text in enumerate(posts_html(document))
    ]
    tests = [
        {
            "pk": 300 + 7 * place + step,
            "run": {
                "pk": 12 + step,
                "summary": f"Run of {_PRODUCTS[(place + step) % 3].lower()}",
                "plan": {"pk": 3 + step, "name": "Winter"},
            },
        }
        | {"status": {"icon": "fa fa-times-circle-o"}, "tested_by": people[(place + step) % 8], "stop_date": f"{document.published}"}
        for step in range(place % 3)
    ]
    files = [{"filename": f"{document.slug}.log", "creator": people[place % 8], "created": f"{document.published}"}] if place % 2 else []
    return {
        "object": bug,
        "bug": bug,
        "executions": tests,
        "found": {"comments": comments, "attachments_list": files, "TIME_ZONE": "UTC"},
        "SETTINGS": {"MENU_ITEMS": [[title.upper(), "/"] for title in _MENU]},
        "user": {"is_authenticated": False},
    }


def bug_gold(document: SourceDocument) -> str:
    """Return the gold text of a report: its heading, which begins with its number, and the comments."""
    return f"BUG-{40 + int(document.slug[-2:])}: {gold_text(document)}"


_STATIC = ("images", "style")
_MODULES = ("patternfly/dist", "bootstrap-select/dist/css", "datatables.net-bs/css")
BUGS = DjangoPackage(
    "kiwitcms==12.4",
    "tcms/templates",
    "bugs/get.html",
    {f"static/{name}": f"static/{name}" for name in _STATIC} | {f"static/{name}": f"node_modules/{name}" for name in _MODULES},
    ".navbar-nav .dropdown-menu { display: none }",
    helpers=_HELPERS,
)


_PROGRAM = Path("/usr/lib/cgi-bin/cvsweb")
_SETTINGS = Path("/etc/cvsweb/cvsweb.conf")


def _wrapped(line: str) -> str:
    return fill(line, MAIL_COLUMNS, break_long_words=False) if len(line) > MAIL_COLUMNS else line


def history(document: SourceDocument, number: int) -> str:
    """Return a file of RCS whose log has a document's messages: its beginning is the last revision, which a log shows first."""
    first, *others = ("\n".join(_wrapped(line) for line in text.split("\n")) for text in message_texts(document))
    messages = [f"{document.title}\n\n{first}", *others]
    last = len(messages)
    head, texts = [f"head\t1.{last};\naccess;\nsymbols;\nlocks; strict;\ncomment\t@# @;\n\n"], ["\ndesc\n@@\n"]
    for place, message in enumerate(messages):
        revision = last - place
        date = f"{document.published:%Y.%m.%d}.{8 + revision % 12:02}.{revision % 60:02}.00"
        author = READERS[(number + 3 * place) % 8].lower()
        before = f"1.{revision - 1}" if revision > 1 else ""
        head.append(f"\n1.{revision}\ndate\t{date};\tauthor {author};\tstate Exp;\nbranches;\nnext\t{before};\n")
        change = f"d{revision + 1} 1\n" if place else "".join(f"line {line}\n" for line in range(1, last + 1))
        texts.append(f"\n\n1.{revision}\nlog\n@{message.replace('@', '@@')}\n@\ntext\n@{change}@\n")
    return "".join((*head, "\n", *texts))


def write_history(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the repository, a file per document."""
    del theme
    (project / "repository/CVSROOT").mkdir(parents=True)
    for number, document in enumerate(documents):
        write_text(project / f"repository/tide/{document.slug}.txt,v", history(document, number))
    write_text(project / "addresses.json", json.dumps({f"{one.slug}.html": f"/tide/{one.slug}.txt" for one in documents}))


def build_history(project: Path) -> None:
    """Read the log of each file, from the program with settings of ours."""
    if not _PROGRAM.is_file():
        raise Rejected("needs CVSweb: apt-get install cvsweb")
    folder = project.resolve()
    settings = _SETTINGS.read_text("latin-1").replace("/var/lib/cvs", str(folder / "repository")).replace("Local Repository", NAME)
    settings = settings.replace("$charset = '';", "$charset = 'utf-8';").replace("$show_author = 0;", "$show_author = 1;")
    write_text(project / "cvsweb.conf", settings)
    write_text(project / "cvsweb", _PROGRAM.read_text("latin-1").replace(str(_SETTINGS), str(folder / "cvsweb.conf")))
    program = [find_program("perl"), "-T", str(folder / "cvsweb")]
    serve_program(project, program, Path("/usr/share"), json.loads((project / "addresses.json").read_text("utf-8")))


def history_gold(document: SourceDocument) -> str:
    """Return the gold text of a history: the name of the file above the messages."""
    return f"CVS log for tide/{document.slug}.txt\n{gold_text(document)}"
