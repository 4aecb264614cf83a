"""Sites of programs of Python: pages of a CMS (Kotti), lists of the entries of feeds (reader)."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.communities import describe
from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.listings import entries
from benchmarks.sites.texts.documents import SourceDocument, to_html

TEASER = 220
"""Characters of a teaser: the program would cut longer ones."""
_KOTTI = """
import json, sys
from datetime import datetime
import transaction
import waitress
from fanstatic import Fanstatic
from kotti import main
from kotti.resources import DBSession, Document, get_root
from kotti.workflow import get_workflow
documents = json.load(open("documents.json"))
settings = {"kotti.site_title": sys.argv[2], "kotti.secret": "known to all", "sqlalchemy.url": "sqlite:///site.db",
  "mail.default_sender": "ada@example.org", "pyramid.default_locale_name": sys.argv[3],
  "pyramid.includes": "pyramid_tm kotti.views.navigation.includeme_local_navigation"}
application = main({}, **settings)
def publish(page):
    DBSession.flush()
    get_workflow(page).transition_to_state(page, None, "public")
root = get_root()
root.title = sys.argv[2]
del root["about"]
for place, name in enumerate(("Tables", "Harbour", "Ferries", "Workshop", "Contact")):
    root[name.lower()] = section = Document(title=name, description=name, body="<p>%s</p>" % name, in_navigation=True)
    publish(section)
sections = [root[name] for name in ("tables", "harbour", "ferries")]
for number, document in enumerate(documents):
    when = datetime.fromisoformat(document["published"] + "T08:00:00")
    page = Document(title=document["title"], description=document["summary"], body=document["html"], tags=document["tags"],
      creation_date=when, modification_date=when, in_navigation=True)
    sections[number % 3][document["slug"]] = page
    publish(page)
transaction.commit()
waitress.serve(Fanstatic(application), host="127.0.0.1", port=int(sys.argv[1]))
"""


def write_kotti(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a CMS, each with a description below its title."""
    del theme
    write_text(project / "site_of_tides.py", _KOTTI)
    written = [describe(document) | {"html": to_html(document)} for document in documents]
    write_text(project / "documents.json", json.dumps(written))


def build_kotti(project: Path) -> None:
    """Start the CMS, which puts the pages in first, and read them."""
    python, port = project.parents[1].resolve() / "bin/python", free_port()
    documents = json.loads((project / "documents.json").read_text("utf-8"))
    folders = ("tables", "harbour", "ferries")
    pages = {f"{one['slug']}.html": f"/{folders[number % 3]}/{one['slug']}/" for number, one in enumerate(documents)}
    save_pages(project, [str(python), "site_of_tides.py", str(port), NAME, documents[0]["language"]], port, pages)


def write_feeds(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a feed per document, whose entries are those of the document."""
    del theme
    for document in documents:
        items = [
            f"<item><guid>{document.slug}-{place}</guid><title>{html.escape(title)}</title><link>https://example.org/{document.slug}/{place}</link>"
            f"<description>{html.escape(html.escape(text))}</description><pubDate>{document.published:%a, %d %b %Y} {20 - place}:00:00 GMT"
            f"</pubDate></item>"
            for place, (title, text) in enumerate(_teasers(document))
        ]
        head = f"<title>{html.escape(document.title)}</title><description>{html.escape(document.summary[:TEASER])}</description>"
        head += "<link>https://example.org/</link><managingEditor>Ada Quay</managingEditor>"
        channel = f"<channel>{head}{''.join(items)}</channel>"
        write_text(project / f"feeds/{document.slug}.xml", f'<?xml version="1.0" encoding="utf-8"?><rss version="2.0">{channel}</rss>')


def build_feeds(project: Path) -> None:
    """Subscribe to the feeds, and read the list of the entries of each."""
    python, port, folder = project.parents[1].resolve() / "bin/python", free_port(), project.resolve()
    command = [str(python), "-m", "reader", "--db", str(folder / "db.sqlite"), "--feed-root", str(folder / "feeds")]
    slugs = sorted(path.stem for path in (folder / "feeds").iterdir())
    for slug in slugs:
        run_tool([*command, "add", f"{slug}.xml"], folder, {"HOME": str(folder)})
    run_tool([*command, "update"], folder, {"HOME": str(folder)})
    pages = {f"{slug}.html": f"/?feed={slug}.xml&read=all" for slug in slugs}
    save_pages(folder, [*command, "web", "--host", "127.0.0.1", "--port", str(port)], port, pages, {"HOME": str(folder)})


def feed_gold(document: SourceDocument) -> str:
    """Return the gold text of a list: the feed's title and what it is about, the titles of its entries and their teasers."""
    return "\n".join((document.title, document.summary[:TEASER], *(line for entry in _teasers(document) for line in entry)))


def _teasers(document: SourceDocument) -> list[tuple[str, str]]:
    return [(title, text if len(text) <= TEASER else f"{text[:TEASER].rpartition(' ')[0]} …") for title, text in entries(document)[1:]]
