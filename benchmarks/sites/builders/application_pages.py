"""Further applications of Python: a wiki (MoinMoin) and code hosting (klaus)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import describe
from benchmarks.sites.applications.further_applications import commit_all
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

_MOIN_SETTINGS = """
class Config(Config):
    sitename, interwikiname, theme_default = %r, "Tide", %r
    navi_bar = [("wikilink", "frontend.show_item", {"item_name": name}, label, "") for name, label in (("Home", "Start"),
      ("article-00", "Harbour"), ("tutorial-01", "Ferries"))]
MOINCFG = Config
"""
_MOIN_FILL = """
import io, json, uuid
from datetime import datetime, timezone
from flask import g as flaskg
from moin.app import before_wiki, create_app
application = create_app()
documents = json.load(open("documents.json"))
pages = [(document["slug"], "# %s\\n\\n%s" % (document["title"], document["markdown"]), document) for document in documents]
pages += [("Home", "".join("- [%s](%s)\\n" % (document["title"], document["slug"]) for document in documents), documents[0])]
with application.app_context():
    before_wiki()
    for place, (name, text, document) in enumerate(pages):
        content = text.replace("\\n", "\\r\\n").encode()
        when = int(datetime.fromisoformat(document["published"] + "T08:00:00+00:00").timestamp())
        meta = {"itemid": uuid.UUID(int=place + 1).hex, "namespace": "", "name": [name], "itemtype": "default",
          "contenttype": "text/x-markdown;charset=utf-8", "tags": document["tags"], "size": len(content), "mtime": when,
          "action": "SAVE", "comment": "First version", "summary": "", "address": "127.0.0.1", "rev_number": 1,
          "revid": uuid.UUID(int=place + 1000).hex, "dataid": uuid.UUID(int=place + 2000).hex}
        flaskg.data_mtime = when
        application.storage.get_item(itemid=meta["itemid"], namespace="").store_revision(meta, io.BytesIO(content), overwrite=True)
"""
_KLAUS_SERVER = """
import sys
from pathlib import Path
from wsgiref.simple_server import make_server
from klaus import make_app
folders = sorted(str(path) for path in Path("repositories").iterdir())
make_server("127.0.0.1", int(sys.argv[1]), make_app(folders, "The Tide Tables")).serve_forever()
"""
_MAKEFILE = "all:\n\t@echo tide\n"


def write_moin(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki, in Markdown, and what makes it its settings."""
    write_text(project / "more_settings.py", _MOIN_SETTINGS % (NAME, theme))
    write_text(project / "fill.py", _MOIN_FILL)
    written = [describe(document) | {"markdown": to_markdown(document)} for document in documents]
    write_text(project / "documents.json", json.dumps(written))


def build_moin(project: Path) -> None:
    """Start a wiki, put the pages in, and read them."""
    programs, port, folder = project.parents[1].resolve() / "bin", free_port(), project.resolve()
    paths = {"MOINCFG": str(folder / "wikiconfig.py"), "HOME": str(folder)}
    run_tool([str(programs / "moin"), "create-instance"], folder, paths)
    settings = folder / "wikiconfig.py"
    settings.write_text(settings.read_text("utf-8") + (folder / "more_settings.py").read_text("utf-8"), "utf-8")
    run_tool([str(programs / "moin"), "index-create"], folder, paths)
    run_tool([str(programs / "python"), "fill.py"], folder, paths)
    names = [document["slug"] for document in json.loads((folder / "documents.json").read_text("utf-8"))]
    command = [str(programs / "moin"), "run", "--no-reload", "--host", "127.0.0.1", "--port", str(port)]
    save_pages(folder, command, port, {f"{name}.html": f"/{name}" for name in names}, paths)


def write_klaus(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a repository for each document, which is what its README holds."""
    del theme
    write_text(project / "server.py", _KLAUS_SERVER)
    for document in documents:
        folder = project / "repositories" / document.slug
        write_text(folder / "README.md", f"# {document.title}\n\n{to_markdown(document)}")
        write_text(folder / "Makefile", _MAKEFILE)
        write_text(folder / "src/tide.c", "int main(void) {\n    return 0;\n}\n")


def build_klaus(project: Path) -> None:
    """Commit the files, and read the first page of each repository."""
    names = sorted(path.name for path in (project / "repositories").iterdir())
    for name in names:
        commit_all(project / "repositories" / name)
        write_text(project / "repositories" / name / ".git/description", f"{NAME}: {name}\n")
    port = free_port()
    command = [str(project.parents[1].resolve() / "bin/python"), "server.py", str(port)]
    save_pages(project, command, port, {f"{name}.html": f"/{name}/" for name in names})
