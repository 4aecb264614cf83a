"""Pages of an office of the government, in the templates of the United States Web Design System (USWDS)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html

_RENDER = """
const fs = require('fs'), twig = require('twig');
const packages = fs.realpathSync('node_modules/@uswds/uswds/packages');
const namespaces = {templates: packages + '/templates/', components: packages + '/'};
twig.cache(false);
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const page = twig.twig({data: fs.readFileSync('page.twig', 'utf8'), namespaces, path: packages + '/page.twig'}).render(one)
    .replace(/(<|&lt;)Project title(>|&gt;)/g, one.site).replaceAll('./img', 'img').replace('usa-accordion__content"', '$& hidden')
    .replaceAll('&lt;Parent agency&gt;', one.site).replaceAll('&lt;Parent shortname&gt;', '').replace('domain.gov', 'tide.example')
    .replaceAll('<table class="table">', '<table class="usa-table">');
  fs.writeFileSync(`html/${one.slug}.html`, page);
}
"""
_PAGE = """<!doctype html><html lang="{{ lang }}"><head><meta charset="utf-8"><title>{{ title }} | {{ site }}</title>
<link rel="stylesheet" href="css/uswds.min.css"></head><body>
{% include "@templates/usa-base/includes/_skipnav.twig" %}{% include "@templates/usa-base/includes/_banner.twig" %}
{% include "@components/usa-header/src/usa-header.twig" %}
<div class="usa-section padding-top-3"><div class="grid-container"><nav class="usa-breadcrumb" aria-label="Breadcrumbs">
<ol class="usa-breadcrumb__list">{% for one in crumbs %}<li class="usa-breadcrumb__list-item"><a href="/" class="usa-breadcrumb__link">
<span>{{ one }}</span></a></li>{% endfor %}<li class="usa-breadcrumb__list-item usa-current"><span>{{ title }}</span></li></ol></nav>
<div class="grid-row grid-gap"><div class="usa-layout-docs__sidenav desktop:grid-col-3">
{% include "@components/usa-sidenav/src/usa-sidenav.twig" with {items: side} %}</div>
<main class="desktop:grid-col-9 usa-prose" id="main-content"><h1>{{ title }}</h1><p class="usa-intro">{{ summary }}</p>{{ body|raw }}
<div class="border-top-1px border-base-lighter margin-top-4 padding-top-1 text-base">{{ updated }}</div></main></div></div></div>
{% include "@components/usa-footer/src/usa-footer.twig" %}{% include "@templates/usa-base/includes/_identifier.twig" %}</body></html>
"""
_WORDS = {
    "en": (
        ("Tides", "Permits", "Ferries", "About us"),
        ("Home", "Services"),
        "Last updated",
        "Return to top",
        "Search",
        "Harbour Contact Center",
    ),
    "es": (
        ("Mareas", "Permisos", "Ferris", "Acerca de"),
        ("Inicio", "Servicios"),
        "Última actualización",
        "Subir",
        "Buscar",
        "Centro de atención",
    ),
}


def write_services(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write what the templates show of each document, with ten others in the menu beside it."""
    del theme
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    language = documents[0].language if documents[0].language in _WORDS else "en"
    menu, crumbs, updated, top, search, contact = _WORDS[language]
    nav = {"menu": {"label": "Menu"}, "items": [{"label": label, "id": f"nav-{place}"} for place, label in enumerate(menu)]}
    second = {"agency_name": NAME, "heading": contact, "phone": "0100 5540", "email": "ada@example.org", "social_nav": ["Facebook", "RSS"]}
    footer = {
        "return_to_top": top,
        "primary_section": {"nav": {"links": [{"label": label} for label in menu]}},
        "secondary_section": second,
    }
    settings = {"modifier": "usa-search--small", "id": "search", "search_label": search, "button_text": search}
    written = []
    for number, document in enumerate(documents):
        near = [documents[(number // 10 * 10 + step) % len(documents)] for step in range(10)]
        side = [{"label": one.title, "href": f"{one.slug}.html", "current": one is document} for one in near]
        written.append(
            {"slug": document.slug, "title": document.title, "summary": document.summary, "body": to_html(document), "lang": language}
            | {"site": NAME, "nav": nav, "search": {"settings": settings}, "footer": footer, "side": side, "img_path": "./img"}
            | {"crumbs": [*crumbs, menu[number % 3]], "updated": f"{updated}: {document.published}"}
        )
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "page.twig", _PAGE)
    write_text(project / "render.cjs", _RENDER)


def build_services(project: Path) -> None:
    """Fill the templates, and copy the system's style sheets, fonts and pictures."""
    (project / "html").mkdir()
    run_program(["node", "render.cjs"], project, project.parents[2])
    files = project / "node_modules/@uswds/uswds/dist"
    for folder in ("fonts", "img"):
        shutil.copytree(
            files / folder, project / "html" / folder, ignore=shutil.ignore_patterns("material-icons*", "material-icons-deprecated")
        )
    (project / "html/css").mkdir()
    shutil.copy(files / "css/uswds.min.css", project / "html/css")


def service_gold(document: SourceDocument) -> str:
    """Return the gold text of a page: its title, the sentence below it and its body."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, rest))
