"""A catalogue of data in the layout of CKAN, whose program would need a database and a search engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.sites.boards_and_catalogues.filled_jinja import JinjaPackage
from benchmarks.sites.layout import NAME
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html

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
