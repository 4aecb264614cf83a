"""A catalogue of data in the layout of CKAN, whose program would need a database and a search engine, and lists of papers (bibtex2html)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.texts.documents import SourceDocument, gold_text, part_gold, to_html

_KINDS = (("CSV", "Readings"), ("JSON", "Stations"), ("PDF", "Report"), ("XLSX", "Summary by month"), ("GeoJSON", "Map of the stations"))
_PLACES = ("Northport", "Seahaven", "Old Quay", "Lantern Bay")
_HELPERS = """
class Helpers:
    def __getattr__(self, name):
        return lambda *arguments, **names: Missing()
    url_for = url_for_static = url_for_static_or_external = staticmethod(
        lambda name="", *more, **names: name.lstrip("/") if "." in name[-4:] else "/")
    dataset_display_name = staticmethod(lambda found, *more, **names: found["title"])
    resource_display_name = staticmethod(lambda found, *more, **names: found["name"])
    get_translated = staticmethod(lambda found, name: found.get(name, ""))
    render_markdown = markdown_extract = staticmethod(lambda text, *more, **names: text)
    default_package_type = staticmethod(lambda *more: "dataset")
    default_group_type = staticmethod(lambda name, *more: name)
    get_organization = staticmethod(lambda found, *more, **names: ORGANIZATION)
    follow_count = SI_number_span = staticmethod(lambda *arguments: "7")
    sorted_extras = staticmethod(lambda found, *more, **names: found)
    lang = unix_locale_to_bcp47 = staticmethod(lambda *found: LANGUAGE)
    truncate = staticmethod(lambda text, *arguments, **names: text)
    def render_assets(self, kind):
        names = ("base/css/main.css", "base/vendor/fontawesome-free/css/all.css")
        links = "".join('<link rel="stylesheet" href="%s">' % name for name in names)
        return links if kind == "style" else ""
    def build_nav_icon(self, address, text, icon="", **names):
        return '<li class="nav-item"><a class="nav-link" href="/"><i class="fa fa-%s"></i> %s</a></li>' % (icon, text)
    def build_nav_main(self, *items):
        return "".join('<li class="nav-item"><a class="nav-link" href="/">%s</a></li>' % item[1] for item in items)
engine.globals.update(h=Helpers(), link_for=lambda text, **names: '<a href="/">%s</a>' % text, url_for=lambda *more, **names: "/",
  snippet=lambda name, *arguments, **names: engine.get_template(name).render(names),
  g={"site_title": "The Tide Tables", "site_logo": "", "template_title_delimiter": "-", "theme": "main"})
ORGANIZATION = {"title": "Harbour office of Quay", "description": "Keeps the readings of all ports of the bay.", "name": "quay",
  "type": "organization",
  "image_display_url": "figure-1.png"}
LANGUAGE = next(iter(json.loads(Path("contexts.json").read_text("utf-8")).values()))["language"]
"""


def _files(number: int) -> list[tuple[str, str, str]]:
    """Return the files of a data set: their names, formats and descriptions."""
    found = [_KINDS[(number + 2 * step) % len(_KINDS)] for step in range(2 + number % 3)]
    return [
        (f"{title}, {2016 + number % 7}", kind, f"{title} of the ports, once per {('day', 'week')[number % 2]}") for kind, title in found
    ]


def _facts(number: int) -> list[tuple[str, str]]:
    facts = [("Maintainer", "Harbour office of Quay"), ("Version", f"1.{number}"), ("Coverage", _PLACES[number % 4])]
    return [*facts, ("Update frequency", ("monthly", "yearly")[number % 2])]


def data_context(documents: Sequence[SourceDocument], place: int) -> Mapping[str, object]:
    """Return what the template of a data set shows."""
    document = documents[place]
    (_, maintainer), (_, version), *extras = _facts(place)
    resources = [
        {"id": f"r{number}", "name": name, "format": kind, "description": text} for number, (name, kind, text) in enumerate(_files(place))
    ]
    data: dict[str, object] = {
        "title": document.title,
        "name": document.slug,
        "id": document.slug,
        "type": "dataset",
        "notes": to_html(document),
        "state": "active",
    }
    data |= {"resources": resources, "organization": {"id": "quay", "title": "Harbour office of Quay", "type": "organization"}}
    data |= {"tags": [{"name": tag, "display_name": tag} for tag in document.tags], "license_title": "Creative Commons Attribution"}
    data |= {"maintainer": maintainer, "version": version, "extras": extras, "isopen": True}
    return {"pkg_dict": data, "pkg": data, "language": document.language, "site_title": NAME}


def data_gold(document: SourceDocument) -> str:
    """Return the gold text of a data set: its title and description, its files and the facts about it."""
    number = int(document.slug[-2:])
    files = [line for name, kind, text in _files(number) for line in (f"{name} {kind}", text)]
    facts = [f"{name} {value}" for name, value in _facts(number)]
    return "\n".join((gold_text(document), "Data and Resources", *files, "Additional Info", "Field Value", *facts))


DATA = JinjaPackage("ckan==2.12.0", "ckan/templates", "package/read.html", {"base": "public/base"}, helpers=_HELPERS)

_AUTHORS = ("Ada Quay", "Bela Quay and Chidi Quay", "Dora Quay", "Emil Quay and Fatma Quay")
_PAPERS_HEAD = """<div class="top"><b>{name}</b> <a href="/">People</a> <a href="/">Projects</a> <a href="/">Papers</a>
<a href="/">Teaching</a>
</div><div class="years"><b>By subject</b>{links}</div>"""
_PAPERS_FOOT = '<div class="foot">Harbour Institute, 12 Ferry Lane, Northport. Write to <a href="mailto:ada@example.org">Ada Quay</a></div>'
_PAPERS_STYLE = """body { font-family: Georgia, serif; margin: 0 auto; max-width: 1000px; padding: 0 16px; color: #222 }
.top { background: #2b4a3f; color: #fff; padding: 14px } .top a { color: #cde; margin-left: 18px } table { max-width: 740px }
.years { float: right; width: 210px; font-size: 14px; border-left: 1px solid #ccc; padding: 0 0 8px 14px; margin-top: 20px }
.years a { display: block; margin: 6px 0 } h1 { font-size: 26px } td { padding: 4px 6px } blockquote { margin: 6px 18px; color: #444 }
.foot { clear: both; border-top: 1px solid #ccc; padding: 14px 0; font-size: 13px }
"""


def _papers(document: SourceDocument) -> list[dict[str, str]]:
    """Return the papers of a list: each paragraph and item is what one is about, and begins with its title."""
    lines = [line for part in document.parts if part.kind in ("paragraph", "quote", "bullets") for line in part_gold(part)]
    number, found = int(document.slug[-2:]), []
    for place, line in enumerate((document.summary, *lines)):
        title = " ".join(line.split()[:6]).rstrip(".,:;।")
        paper = {"author": _AUTHORS[(number + place) % 4], "title": title, "abstract": line}
        paper |= {"year": str(2001 + (number + 3 * place) % 22)}
        first = 10 + 7 * place
        paper |= {"pages": f"{first}--{first + 6}", "volume": str(3 + place), "number": str(1 + place % 4)}
        found.append(paper)
    return found


def write_papers(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a file of BibTeX per document, and what is above and below the list of its papers."""
    del theme
    for number, document in enumerate(documents):
        entries = []
        for place, paper in enumerate(_papers(document)):
            kind = "inproceedings" if place % 3 == 2 else "article"
            fields = {name: re.sub(r"([&%$#_{}])", r"\\\1", re.sub(r"[\\^~]", "", text)) for name, text in paper.items()}
            fields |= {
                "title": f"{{{fields['title']}}}",
                "journal": "Journal of Tides",
                "booktitle": "Proceedings of the Harbour Conference",
            }
            unused = ("journal", "volume", "number") if kind == "inproceedings" else ("booktitle",)
            shown = (f"{name} = {{{text}}}" for name, text in fields.items() if name not in unused)
            entries.append(f"@{kind}{{quay{place}, {', '.join(shown)}}}")
        write_text(project / f"{document.slug}.bib", "\n".join(entries))
        near = [documents[(number + step) % len(documents)] for step in (1, 3, 6, 10, 15)]
        links = "".join(f'<a href="{one.slug}.html">{one.title}</a>' for one in near)
        write_text(project / f"{document.slug}.head", _PAPERS_HEAD.format(name=NAME, links=links))
    write_text(project / "titles.json", json.dumps({document.slug: document.title for document in documents}))
    write_text(project / "html/style.css", _PAPERS_STYLE)


def build_papers(project: Path) -> None:
    """Convert each list to a page, and one of its source beside it."""
    options = ["-q", "-charset", "utf-8", "-s", "unsrt", "-css", "style.css", "-nofooter"]
    for slug, title in json.loads((project / "titles.json").read_text("utf-8")).items():
        run_tool([find_program("bibtex2html"), *options, "-t", title, "-o", f"html/{slug}", f"{slug}.bib"], project)
        page = project / f"html/{slug}.html"
        text = page.read_text("utf-8").replace("<h1>", f"{(project / f'{slug}.head').read_text('utf-8')}<h1>", 1)
        page.write_text(text.replace("</body>", f"{_PAPERS_FOOT}</body>", 1), "utf-8")


def papers_gold(document: SourceDocument) -> str:
    """Return the gold text of a list of papers: its title, and each paper with its abstract."""
    lines = [document.title]
    for place, paper in enumerate(_papers(document)):
        where = f"Journal of Tides, {paper['volume']}({paper['number']}):{paper['pages']}, {paper['year']}."
        if place % 3 == 2:
            where = f"In Proceedings of the Harbour Conference, pages {paper['pages']}, {paper['year']}."
        lines += [f"{paper['author']}. {paper['title']}. {where}", paper["abstract"]]
    return "\n".join(lines)
