"""Sites of CGI programs of Debian: a weblog (tDiary), a wiki (Hiki), each read from a small server of one program."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import comments_on
from benchmarks.sites.texts.documents import SourceDocument, inline_html, part_html
from sightread.render.errors import Rejected

TDIARY = Path("/usr/share/tdiary")
_SERVER = """
import mimetypes, os, subprocess, sys
from pathlib import Path
from wsgiref.simple_server import make_server
port, program, files = sys.argv[1:]
def answer(request, start):
    path = request["PATH_INFO"].encode("latin-1").decode()
    found = Path(files + path)
    if found.is_file():
        start("200 OK", [("Content-Type", mimetypes.guess_type(path)[0] or "text/plain")])
        return [found.read_bytes()]
    kept = ("QUERY_STRING", "REQUEST_METHOD", "SERVER_NAME", "SERVER_PORT", "HTTP_HOST", "SERVER_PROTOCOL")
    names = {name: request[name] for name in kept if name in request} | {"PATH_INFO": path.rstrip("/"), "SCRIPT_NAME": "/"}
    names |= {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "REQUEST_URI": path, "REMOTE_ADDR": "127.0.0.1", "HTTP_USER_AGENT": "reader"}
    answer = subprocess.run(program.split(), env=names, capture_output=True, check=True).stdout.replace(b"\\r\\n", b"\\n")
    head, _, body = answer.partition(b"\\n\\n")
    start("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    return [body]
make_server("127.0.0.1", int(port), answer).serve_forever()
"""
"""A server of the files of a folder, and of one program."""
_TDIARY_SETTINGS = """
require "tdiary/io/default"
@io_class = TDiary::IO::Default
@lang, @data_path, @cache_path = LANGUAGE, DATA + "/", DATA + "/cache"
@author_name, @html_title, @index_page, @theme = "Ada Quay", TITLE, "/", THEME
@options["base_url"], @show_comment, @show_referer, @latest_limit = "/", true, false, 5
@date_format, @section_anchor, @comment_anchor = "%Y-%m-%d", "", ""
@options["sp.path"], @options["sp.selected"] = ["misc/plugin"], "calendar2.rb\\nrecent_list.rb\\nsearch_form.rb\\n"
@options["recent_list.title_list"] = true
@header = '<%=navi%><h1>' + TITLE + '</h1><div class="main">'
@footer = '</div><div class="sidebar"><%=calendar2%><h2>Recent entries</h2><%=recent_list 8%>' +
  '<h2>Harbour</h2><ul><li><a href="/about">About</a></li><li><a href="/ferries">Ferries</a></li></ul></div>'
load_cgi_conf
"""


def serve_program(project: Path, program: Sequence[str], files: Path, pages: Mapping[str, str]) -> None:
    """Read the pages of a CGI program, whose style sheets lie in a folder."""
    port = free_port()
    save_pages(project, [sys.executable, "-c", _SERVER, str(port), " ".join(program), str(files)], port, pages, {})


def write_tdiary(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the days of a weblog with their comments, and its settings."""
    names = {"LANGUAGE": "ja" if documents[0].language == "ja" else "en", "DATA": str(project.resolve() / "data"), "TITLE": NAME}
    settings = _TDIARY_SETTINGS
    for name, value in (names | {"THEME": theme}).items():
        settings = re.sub(rf"\b{name}\b", lambda _: json.dumps(value), settings)  # noqa: B023
    write_text(project / "tdiary.conf", settings)
    months: dict[str, tuple[str, str]] = {}
    for number, document in enumerate(documents):
        day, when = f"{document.published:%Y%m%d}", int(datetime.fromisoformat(f"{document.published}T08:00:00+00:00").timestamp())
        head = f"Date: {day}\nTitle: {document.title}\nLast-Modified: {when}\nVisible: true\nFormat: tDiary\n\n"
        comments = "".join(
            f"Date: {day}\nName: {name}\nMail: \nLast-Modified: {when + 3600 * place}\nVisible: true\n\n{text}\n.\n"
            for place, (name, _, text) in enumerate(comments_on(documents, number), 1)
        )
        before = months.get(day[:6], ("TDIARY2.01.00\n", "TDIARY2.01.00\n"))
        months[day[:6]] = (f"{before[0]}{head}{_diary_text(document)}\n.\n", before[1] + comments)
    for month, texts in months.items():
        for kind, text in zip(("td2", "tdc"), texts, strict=True):
            write_text(project / f"data/{month[:4]}/{month}.{kind}", text)
    write_text(project / "addresses.json", json.dumps({f"{one.slug}.html": f"/?date={one.published:%Y%m%d}" for one in documents}))


def _diary_text(document: SourceDocument) -> str:
    """Return a document in tDiary's style: sections with their titles, whose HTML has no empty lines."""
    lines = []
    for part in document.parts:
        if part.kind == "heading" and part.level == 2:
            lines += ["", inline_html(part.rows[0][0])]
        else:
            lines.append(("" if lines else " ") + part_html(part).replace("\n", "&#10;"))
    return "\n".join(lines).strip("\n")


def build_tdiary(project: Path) -> None:
    """Read the weblog's days."""
    if not (TDIARY / "index.rb").is_file() or not (TDIARY / "theme/hatena").is_dir():
        raise Rejected("needs tDiary: apt-get install tdiary-core tdiary-theme")
    pages = json.loads((project / "addresses.json").read_text("utf-8"))
    program = ["env", "-C", str(project.resolve()), "ruby", str(TDIARY / "index.rb")]
    serve_program(project, program, TDIARY, pages)
