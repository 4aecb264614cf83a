"""A catalogue of books: Calibre-Web."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import describe
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_html

_BOOKS_FILL = """
import json, os, sqlite3, sys, traceback, uuid
from importlib.util import find_spec
sys.argv = ["cps", "-p", "app.db", "-o", os.path.abspath("cps.log")]
sys.path.insert(0, os.path.dirname(find_spec("calibreweb").origin))  # as its program does
from cps import create_app, db
from sqlalchemy import create_engine
def stop(*error):
    traceback.print_exception(*error)
    os._exit(1)  # else its threads continue
sys.excepthook = stop
create_app()
name, port, folder = sys.stdin.read().split("\\n")
documents = json.load(open("documents.json"))
db.Base.metadata.create_all(create_engine("sqlite:///metadata.db", execution_options={"schema_translate_map": {"calibre": None}}))
books = sqlite3.connect("metadata.db")
def add(table, **values):
    marks = ", ".join("?" * len(values))
    books.execute("INSERT INTO %s (%s) VALUES (%s)" % (table, ", ".join(values), marks), tuple(values.values()))
add("library_id", id=1, uuid=str(uuid.UUID(int=1)))
for number, author in enumerate(("Ada Quay", "Bela Quay", "Chidi Quay"), 1):
    add("authors", id=number, name=author, sort=author, link="")
tags = sorted({tag for document in documents for tag in document["tags"]})
for number, tag in enumerate(tags, 1):
    add("tags", id=number, name=tag)
for number, document in enumerate(documents, 1):
    when = document["published"] + " 08:00:00.000000"
    add("books", id=number, title=document["title"], sort=document["title"], author_sort="Quay", timestamp=when,
      pubdate="0101-01-01 00:00:00.000000", series_index="1.0", last_modified=when, path=document["slug"], has_cover=0,
      uuid=str(uuid.UUID(int=number)))
    add("books_authors_link", book=number, author=1 + number % 3)
    for tag in document["tags"]:
        add("books_tags_link", book=number, tag=1 + tags.index(tag))
    add("comments", id=number, book=number, text=document["html"])
books.commit()
settings = sqlite3.connect("app.db")
settings.execute("UPDATE settings SET config_calibre_dir = ?, config_anonbrowse = 1, config_port = ?, config_calibre_web_title = ?",
  (folder, int(port), name))
settings.execute("UPDATE user SET locale = ?", ({"zh": "zh_Hans_CN"}.get(documents[0]["language"], documents[0]["language"]),))
settings.commit()
os._exit(0)
"""


def write_books(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the books of a catalogue, each with a document as its description."""
    del theme
    write_text(project / "fill.py", _BOOKS_FILL)
    write_text(project / "documents.json", json.dumps([describe(document) | {"html": to_html(document)} for document in documents]))


def build_books(project: Path) -> None:
    """Write the two databases, start the catalogue and read its pages as a guest."""
    programs, port, folder = project.parents[1].resolve() / "bin", free_port(), project.resolve()
    paths = {"CALIBRE_DBPATH": str(folder), "CACHE_DIRECTORY": str(folder / "cache"), "HOME": str(folder)}
    write_text(folder / "names.txt", f"{NAME}\n{port}\n{folder}")
    run_tool(["sh", "-c", f"{programs}/python fill.py < names.txt"], folder, paths)
    slugs = [document["slug"] for document in json.loads((folder / "documents.json").read_text("utf-8"))]
    pages = {f"{slug}.html": f"/book/{number}" for number, slug in enumerate(slugs, 1)}
    save_pages(folder, [str(programs / "cps"), "-p", "app.db", "-o", "cps.log", "-i", "127.0.0.1"], port, pages, paths)
