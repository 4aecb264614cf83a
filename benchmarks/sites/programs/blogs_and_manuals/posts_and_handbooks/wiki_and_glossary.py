"""A wiki of MarkPub, which publishes Massive Wikis, and a business glossary of DGO Atlas."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage, installed
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.programs.shops_and_threads.layout import without_network
from benchmarks.sites.texts.documents import SourceDocument, part_gold, to_markdown

MARKPUB = "markpub==0.4.5"
_FORBIDDEN = re.compile(r"[/\\\[\]|#?%\"'*:<>.]")
_WALKS = ("Morning walk", "Tour of the quay", "Reading list")
"""Pages that link to others, which name them below their text."""


def write_markpub(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the pages of a wiki under their titles, its side bar, pages that link to them, and the settings."""
    settings = {"wiki_title": NAME, "author": "Ada Quay", "edit_url": "https://github.com/example/tide/edit/", "edit_branch": "main"}
    settings |= {"repo": '<a href="https://github.com/example/tide">tide</a>', "license": "CC BY 4.0", "sidebar": "Sidebar.md"}
    write_text(project / "wiki/.markpub/markpub.yaml", json.dumps(settings | {"recent_changes_count": 5}))
    links = "".join(f"- [[{_file_name(one)}]]\n" for one in documents[:9])
    tools = "- [All pages](/all-pages.html)\n- [Recent changes](/recent-pages.html)\n"
    write_text(project / "wiki/Sidebar.md", f"**{NAME}**\n\n{tools}\n**Start here**\n\n{links}")
    write_text(project / "wiki/README.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for place, walk in enumerate(_WALKS):
        near = [one for number, one in enumerate(documents) if (number + place) % 4 or not place]
        write_text(project / f"wiki/{walk}.md", f"# {walk}\n\n" + "".join(f"- [[{_file_name(one)}]]\n" for one in near))
    for document in documents:
        write_text(project / f"wiki/{_file_name(document)}.md", f"# {document.title}\n\n{to_markdown(document)}")
    write_text(project / "theme.txt", theme)


def build_markpub(project: Path) -> None:
    """Build the wiki, without the day of the build and what is on the network."""
    theme = (project / "theme.txt").read_text("utf-8")
    source = installed(project, MARKPUB, f"markpub/templates/this-website-themes/{theme}")
    shutil.copytree(source, project / "theme")
    footer = (project / "theme/_footer.html").read_text("utf-8")
    write_text(project / "theme/_footer.html", footer.replace("{{build_time}}", "Monday, January 06, 2025 at 08:00 UTC"))
    program = str(project.parents[1].resolve() / "bin/markpub")
    run_tool([program, "build", "-i", "wiki", "-o", "html", "-t", "theme", "-c", "wiki/.markpub/markpub.yaml"], project)
    for path in sorted(project.glob("html/*.html")):
        write_text(path, without_network(path.read_text("utf-8")))


def markpub_page(document: SourceDocument) -> str:
    """Return the path of a page: its title, with underscores."""
    return f"{_file_name(document).replace(' ', '_')}.html"


def _file_name(document: SourceDocument) -> str:
    return " ".join(_FORBIDDEN.sub("", document.title).split())


_AREAS = ("Berths", "Pilotage", "Cargo", "Safety")
_ROLES = ("owner", "steward", "custodian")
_ATLAS = """
import yaml
from pathlib import Path as File
from types import SimpleNamespace as Item
class Row(dict):
    values = ()  # of a term, not the method
methods = Row
words = yaml.safe_load(File(folder, "..", "text.yaml").read_text("utf-8"))
def wording(key, **names):
    found = words
    for name in key.split("."):
        found = found[name]
    return found.format(**names)
def menu(label, *items):
    return Item(label=label, items=[Item(label=wording(key), url=url) for key, url in items])
areas = Item(label=wording("nav.glossary"), items=[Item(label=one, url=one.lower() + ".html") for one in AREAS])
nav = [menu(wording("nav.start_here"), ("nav.home", "index.html"), ("nav.how_to_read", "how-to-read-a-term.html"),
  ("nav.all_terms", "terms.html")), areas, menu(wording("nav.governance"), ("nav.governance_overview", "governance.html"),
  ("nav.directory", "directory.html"))]
engine.globals.update(t=wording, nav=nav, lookup={}, rel="", show_identifiers=True, js_text={})
engine.filters.update(state_label=lambda state: wording(f"state.{state}.label"), role_colour=lambda role: "#546a7b",
  initials=lambda name: "".join(word[0] for word in name.split()[:2]))
"""


def term_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template shows of a term: its definition and history; who is responsible for it and other terms beside it."""
    document = documents[place]
    state = "proposed" if place % 7 == 3 else "approved"
    near = [_named(documents[(place + step) % len(documents)]) | {"state": "approved"} for step in (1, 3, 6, 10, 15)]
    identifier = f"tide:{document.slug}"
    steps = ("approved", "submitted for review", "drafted") if state == "approved" else ("submitted for review", "drafted")
    history = [
        {
            "occurred_on": f"{document.published}",
            "process_label": "Creation",
            "process": {"label": "Harbour council"},
            "boundary_label": step,
        }
        for step in reversed(steps)
    ]
    people = [
        {"role": _ROLES[step], "role_label": _ROLES[step].capitalize(), "bearer": {"label": f"{reader} Quay", "url": "directory.html"}}
        for step, reader in enumerate((READERS[place % 8], READERS[(place + 3) % 8]))
    ]
    area = _AREAS[place % 4]
    term: dict[str, object] = {"label": document.title, "state": state, "definition": definition(document), "history": history}
    term |= {"responsibilities": people, "governing_councils": [{"label": "Council of the quay", "url": "council.html"}]}
    term |= {"semantic_type": {"label": "process", "about": "bfo:0000015", "iri": "https://example.org/bfo", "ontology": "BFO"}}
    term |= {"glossary": {"label": f"{NAME} Glossary", "url": "glossary.html"}, "domain": {"label": "Port", "url": "port.html"}}
    term |= {
        "subject_area": {"label": area, "url": f"{area.lower()}.html"},
        "about": identifier,
        "iri": f"https://example.org/{identifier}",
    }
    term |= {"broader": near[:1], "narrower": near[1:3] if place % 2 else [], "related": near[3:]}
    return {
        "site": {"title": NAME, "organization": "Port of Quay", "language": document.language},
        "brand": {"mark": "TT"},
        "page_title": document.title,
        "page_description": document.summary,
        "contact_email": "glossary@example.org",
        "built_on": "2025-01-06",
        "middleware_version": "0.5.2",
        "dgo_version": "0.1.1",
        "suggest_change_url": "https://example.org/suggest?term=",
        "breadcrumb": [{"label": "Terms", "url": "terms.html"}, {"label": document.title}],
        "current_url": f"{area.lower()}.html",
        "term_kind": {"name": "Glossary term", "iri": "https://example.org/dgo", "curie": "dgo:GlossaryTerm"},
        "term": term,
    }


def definition(document: SourceDocument) -> str:
    """Return the definition of a term: the document's summary and its first two paragraphs."""
    paragraphs = [part for part in document.parts if part.kind == "paragraph"]
    return " ".join((document.summary, *(part_gold(part)[0] for part in paragraphs[:2])))


def term_gold(document: SourceDocument) -> str:
    """Return the gold text of a term: the term, the heading of the definition, and the definition."""
    state = "Proposed" if int(document.slug[-2:]) % 7 == 3 else "Approved"
    return "\n".join((document.title, f"{state} definition", definition(document)))


def _named(document: SourceDocument) -> dict[str, object]:
    return {"label": document.title, "url": f"{document.slug}.html"}


ATLAS = JinjaPackage(
    "dgo-atlas==0.5.2",
    "dgo_atlas/templates",
    "term.html.j2",
    {"assets": "static"},
    helpers=_ATLAS.replace("AREAS", repr(_AREAS)),
)
