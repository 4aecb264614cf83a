"""Records of a service of data (pygeoapi)."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.builders.application_django import demand_bootstrap
from benchmarks.sites.layout import NAME
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.texts.documents import SourceDocument, part_gold

_STYLE = "#items-map { background: #d5e3ea; border: 1px solid #bbb } .crumbs { background: #f4f4f4 }"


def properties(document: SourceDocument) -> list[tuple[str, str]]:
    """Return what a record says: a heading names what follows it, and each row of a table begins with its name."""
    found, name = [("description", document.summary)], "note"
    for part in document.parts:
        lines = part_gold(part)
        if part.kind == "heading":
            name = lines[0]
        elif part.kind == "table":
            found += [(row.split(" ", 1)[0], row.split(" ", 1)[1]) for row in lines[1:]]
        else:
            found.append((name, " ".join(" ".join(lines).split())))
    return [(f"{name} {number}" if name in [one for one, _ in found[:number]] else name, text) for number, (name, text) in enumerate(found)]


def record_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a record shows, with those before and after it."""
    document = documents[place]
    data: dict[str, object] = {"id": document.slug, "title_field": "title", "id_field": "id", "links": [], "collections_path": "/"}
    data |= {"properties": {"title": document.title} | dict(properties(document))}
    data |= {"prev": f"{documents[place - 1].slug}", "next": f"{documents[(place + 1) % len(documents)].slug}"}
    server = {"url": ".", "encoding": "utf-8", "language": document.language, "icon": "favicon.ico", "logo": "static/img/logo.png"}
    metadata: dict[str, object] = {
        "identification": {"title": NAME, "description": NAME, "keywords": []},
        "contact": {"email": "ada@example.org"},
    }
    return {"data": data, "config": {"server": server, "metadata": metadata}, "locale": document.language, "version": "0.21.0"}


def record_gold(document: SourceDocument) -> str:
    """Return the gold text of a record: its title and the table of what it says."""
    rows = [f"{name} {text}" for name, text in (("id", document.slug), ("title", document.title), *properties(document))]
    return "\n".join((document.title, "Property Value", *rows, "Links"))


_RECORDS = JinjaPackage(
    "pygeoapi==0.21.0",
    "pygeoapi/templates",
    "collections/items/item.html",
    {"static": "static"},
    _STYLE,
    lambda text: text.replace("text_direction", "rtl" if 'lang="ar"' in text else "ltr"),
)


def build_records(project: Path) -> None:
    """Fill the template of a record, with Bootstrap in place of that from the network."""
    _RECORDS.build(project)
    demand_bootstrap("bootstrap5")
    shutil.copy("/usr/share/javascript/bootstrap5/css/bootstrap.min.css", project / "html/static/css")
    for path in (project / "html").glob("*.html"):
        text = path.read_text("utf-8").replace("https://unpkg.com/bootstrap@5.1.3/dist/css/", "static/css/")
        path.write_text(text.replace('<link rel="stylesheet" href="https://unpkg.com/leaflet@1.3.1/dist/leaflet.css"/>', ""), "utf-8")
