"""The history of files of a CVS repository, as CVSweb shows it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from benchmarks.sites.applications.trackers import MAIL_COLUMNS, message_texts
from benchmarks.sites.generators.debian_generators import find_program
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.cgi_programs import serve_program
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.texts.documents import SourceDocument, gold_text
from render.errors import Rejected

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
