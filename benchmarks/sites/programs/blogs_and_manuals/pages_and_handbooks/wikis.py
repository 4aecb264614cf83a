"""Wikis of Debian: UseModWiki, a CGI program of Perl, and DidiWiki, a server in C."""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.cgi_programs import serve_program
from benchmarks.sites.texts.documents import Part, SourceDocument
from sightread.render.errors import Rejected

_USEMOD = Path("/usr/lib/cgi-bin/wiki.pl")
_USEMOD_CONFIG = Path("/etc/usemod-wiki/config")
_FIELD = "\x1e\ufffe\x1e"
"""Between fields of a page of UseModWiki; in its file the middle is the bytes FF and FE."""
_USEMOD_STYLE = """
body { margin: 0 2em; font: 15px/1.5 "DejaVu Sans", sans-serif; color: #222; background: #fdfdf8 } a { color: #14507a }
.wikiheader h1 { color: #14507a; margin: .4em 0 } .wikifooter { background: #eef3e6; font-size: .85em; padding: .4em 1em }
pre { background: #eef3e6; padding: .6em } table { border-collapse: collapse }
"""
_START_PAGE = "HomePage"


@dataclass(frozen=True, slots=True)
class _Marks:
    """The marks of a wiki's markup."""

    bold: str
    cell: str
    """Between cells of a table."""
    quote: str
    closes: bool
    """Whether headings and rows end with their marks too."""
    code: tuple[str, ...] = ()
    """Lines before and after code; without them, its lines begin with a space."""


_USEMOD_MARKS = _Marks(bold="'''", cell="||", quote=": ", closes=True, code=("<pre>", "</pre>"))
_DIDI_MARKS = _Marks(bold="*", cell="|", quote="", closes=False)


def write_usemod(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki in its markup, and its settings beside those of the package."""
    del theme
    if not _USEMOD.is_file():
        raise Rejected("needs the wiki: apt-get install usemod-wiki")
    settings = {"SiteName": NAME, "LogoUrl": "", "StyleSheet": "/usemod.css", "HomePage": _START_PAGE}
    settings |= {"NewFS": "1", "ScriptTZ": "UTC", "WikiLinks": "0", "FooterNote": "<p>All pages may be copied.</p>", "UseLookup": "0"}
    lines = "".join(f'${name} = "{value}";\n' for name, value in settings.items())
    config = _USEMOD_CONFIG.read_text("utf-8").replace("/var/lib/usemod-wiki", str(project.resolve() / "wiki"))
    write_text(
        project / "config", f'{config}{lines}$UserGotoBar = \'<a href="/?Harbour">Harbour</a> | <a href="/?Ferries">Ferries</a>\';\n1;\n'
    )
    program = _USEMOD.read_text("latin-1").replace(str(_USEMOD_CONFIG), str(project.resolve() / "config"))
    (project / "wiki.pl").write_text(program, "latin-1")
    write_text(project / "files/usemod.css", _USEMOD_STYLE)
    for document in documents:
        _write_usemod_page(project / "wiki/page", document)


def build_usemod(project: Path) -> None:
    """Read the pages of the wiki."""
    names = [path.stem for path in sorted(project.glob("wiki/page/*/*.db"))]
    pages = {f"{name.lower()}.html": f"/?{name}" for name in names}
    serve_program(project, [find_program("perl"), "-T", str(project.resolve() / "wiki.pl")], project.resolve() / "files", pages)


def write_didiwiki(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki in its markup."""
    del theme
    links = "".join(f"* [{document.slug}]\n" for document in documents)
    write_text(project / "wiki/WikiHome", f"={NAME}\n{links}")
    for document in documents:
        write_text(project / "wiki" / document.slug, _text(document, _DIDI_MARKS))


def build_didiwiki(project: Path) -> None:
    """Read the pages of the wiki."""
    port = free_port()
    pages = {f"{path.name}.html": f"/{path.name}" for path in sorted(project.glob("wiki/*[0-9]"))}
    command = [find_program("didiwiki"), "-l", "127.0.0.1", "-p", str(port), "-h", str(project.resolve() / "wiki")]
    save_pages(project, command, port, pages)


def _write_usemod_page(folder: Path, document: SourceDocument) -> None:
    """Write the file of a page: a record of fields, of which one is a record with the text."""
    when = str(timegm(document.published.timetuple()))
    text = _record("3", text=_text(document, _USEMOD_MARKS), minor="0", newauthor="1", summary="")
    times = {"revision": "1", "tscreate": when, "ts": when}
    section = _record("2", name="text_default", version="1", ip="127.0.0.1", host="", id="1001", username="Ada", data=text, **times)
    page = _record("1", version="3", text_default=section, **times)
    name = document.slug.capitalize()
    path = folder / name[0] / f"{name}.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(page.encode().replace("\ufffe".encode(), b"\xff\xfe"))


def _record(level: str, **fields: str) -> str:
    return f"{_FIELD}{level}".join(piece for field in fields.items() for piece in field)


def _text(document: SourceDocument, marks: _Marks) -> str:
    """Return a page in a wiki's markup, with its title as the first heading."""
    parts = (Part("heading", ((document.title,),), 1), *document.parts)
    return "\n\n".join(_part(part, marks) for part in parts) + "\n"


def _part(part: Part, marks: _Marks) -> str:
    if part.kind == "code":
        lines = [row[0] for row in part.rows]
        return "\n".join((marks.code[0], *lines, marks.code[1])) if marks.code else "\n".join(f" {line}" for line in lines)
    rows = [[_inline(cell, marks.bold) for cell in row] for row in part.rows]
    if part.kind == "heading":
        return f"{'=' * part.level} {rows[0][0]}{' ' + '=' * part.level if marks.closes else ''}"
    if part.kind == "table":
        return "\n".join(f"{marks.cell}{marks.cell.join(row)}{marks.cell if marks.closes else ''}" for row in rows)
    mark = {"bullets": "* ", "steps": "# ", "quote": marks.quote}.get(part.kind, "")
    return "\n".join(f"{mark}{row[0]}" for row in rows)


def _inline(text: str, bold: str) -> str:
    """Return inline Markdown in a wiki's markup, code as plain text."""
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r"[\2 \1]", text)
    return re.sub(r"\*\*([^*]*)\*\*", rf"{bold}\1{bold}", text).replace("`", "")
