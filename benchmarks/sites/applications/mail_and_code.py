"""Applications as Debian packages them: public-inbox (mail archive), gitit (wiki), cgit (code hosting)."""

from __future__ import annotations

import json
import mailbox
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_markdown
from render.errors import Rejected

CGIT = Path("/usr/lib/cgit")
_COMMITTER = ["-c", "user.name=Ada Quay", "-c", "user.email=ada@example.org"]
_COMMIT_DATE = "2024-03-01T08:00:00+0000"
_INBOX_ADDRESS = "tide@example.org"
_INBOX_SETTINGS = "[publicinboxmda]\n\tspamcheck = none\n"
_GITIT_SETTINGS = """address: 127.0.0.1
port: %d
wiki-title: %s
repository-type: Git
repository-path: pages
require-authentication: modify
authentication-method: form
default-page-type: Markdown
math: raw
table-of-contents: yes
front-page: Front Page
"""
_CGIT_SETTINGS = """virtual-root=/
css=/files/cgit.css
logo=/files/cgit.png
root-title=%s
root-desc=Programs of the harbour
readme=:README.md
about-filter=/usr/lib/cgit/filters/about-formatting.sh
enable-index-owner=1
"""
_CGIT_SERVER = """
import os, subprocess, sys
from pathlib import Path
from urllib.parse import unquote
from wsgiref.simple_server import make_server
def answer(request, start):
    path = request["PATH_INFO"].encode("latin-1").decode()
    if path.startswith("/files/"):
        start("200 OK", [("Content-Type", "text/css" if path.endswith(".css") else "image/png")])
        return [(Path("/usr/share/cgit") / Path(path).name).read_bytes()]
    names = {name: request[name] for name in ("QUERY_STRING", "REQUEST_METHOD", "SERVER_NAME", "SERVER_PORT", "HTTP_HOST") if name in request}
    names |= {"PATH": "/usr/bin:/bin", "PATH_INFO": path, "SCRIPT_NAME": "", "CGIT_CONFIG": os.environ["CGIT_CONFIG"], "LANG": "C.UTF-8"}
    head, _, body = subprocess.run(["/usr/lib/cgit/cgit.cgi"], env=names, capture_output=True, check=True).stdout.partition(b"\\n\\n")
    start("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    return [body]
make_server("127.0.0.1", int(sys.argv[1]), answer).serve_forever()
"""
"""A server of one CGI program."""


def build_public_inbox(project: Path) -> None:
    """Deliver the messages of the mailbox to an archive, and read a page per message."""
    find_program("public-inbox-init")
    port = free_port()
    paths = {"HOME": str(project.resolve()), "PI_CONFIG": str(project.resolve() / "config"), "ORIGINAL_RECIPIENT": _INBOX_ADDRESS}
    init = ["public-inbox-init", "-V2", "tide", str(project.resolve() / "inbox"), f"http://127.0.0.1:{port}/tide", _INBOX_ADDRESS]
    run_tool(init, project, paths)
    settings = project / "config"
    settings.write_text(settings.read_text("utf-8") + _INBOX_SETTINGS, "utf-8")
    pages: dict[str, str] = {}
    for number, message in enumerate(mailbox.mbox(project / "archive.mbox")):
        name = str(message["Message-ID"]).strip("<>")
        (project / f"{number}.eml").write_bytes(message.as_bytes())
        run_tool(["sh", "-c", f"public-inbox-mda --no-precheck < {number}.eml"], project, paths)
        pages[f"{name.partition('@')[0]}.html"] = f"/tide/{name}/"
    save_pages(project, ["public-inbox-httpd", "-l", f"127.0.0.1:{port}"], port, pages, paths)


def write_gitit(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki, in Markdown, each with its title in its metadata."""
    del theme
    for document in documents:
        head = f"---\ntitle: {json.dumps(document.title, ensure_ascii=False)}\ncategories: {document.tags[0]}\n...\n"
        write_text(project / f"pages/{document.slug}.page", f"{head}\n{to_markdown(document)}")


def build_gitit(project: Path) -> None:
    """Commit the pages, as the wiki keeps them in Git, and read them."""
    gitit, port = find_program("gitit"), free_port()
    commit_all(project / "pages")
    write_text(project / "gitit.conf", _GITIT_SETTINGS % (port, NAME))
    pages = {f"{path.stem}.html": f"/{path.stem}" for path in sorted((project / "pages").glob("*.page"))}
    save_pages(project, [gitit, "-f", "gitit.conf"], port, pages, {"LANG": "C.UTF-8", "HOME": str(project.resolve())})


def write_cgit(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a repository for each document, which is what its README holds, and the settings that list them."""
    del theme
    lines = [_CGIT_SETTINGS % NAME]
    for document in documents:
        folder = project / "repositories" / document.slug
        write_text(folder / "README.md", f"# {document.title}\n\n{to_markdown(document)}")
        write_text(folder / "Makefile", "all:\n\t@echo tide\n")
        description = " ".join(document.summary.split())
        lines += [f"repo.url={document.slug}", f"repo.path={folder.resolve()}/.git", f"repo.desc={description}", "repo.owner=Ada Quay", ""]
    write_text(project / "cgitrc", "\n".join(lines))


def build_cgit(project: Path) -> None:
    """Commit the files, and read the page about each repository."""
    if not (CGIT / "cgit.cgi").is_file():
        raise Rejected("needs cgit: apt-get install cgit python3-markdown python3-pygments")
    names = sorted(path.name for path in (project / "repositories").iterdir())
    for name in names:
        commit_all(project / "repositories" / name)
    port = free_port()
    command = [sys.executable, "-c", _CGIT_SERVER, str(port)]
    pages = {f"{name}.html": f"/{name}/about/" for name in names}
    save_pages(project, command, port, pages, {"CGIT_CONFIG": str(project.resolve() / "cgitrc")})


def commit_all(folder: Path) -> None:
    """Make a Git repository with one commit of all files of the folder."""
    dates = {"GIT_AUTHOR_DATE": _COMMIT_DATE, "GIT_COMMITTER_DATE": _COMMIT_DATE}
    for options in (["init", "-q", "-b", "main"], ["add", "."], [*_COMMITTER, "commit", "-q", "-m", "Pages"]):
        run_tool(["git", *options], folder, dates)
