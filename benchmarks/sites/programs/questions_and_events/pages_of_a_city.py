"""Pages of a city about its services: the style sheets of Helsinki's design system in a frame of ours."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from string import Template

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, to_html, write_media

_PAGE = """<!doctype html><html lang="$language"><head><meta charset="utf-8"><title>$title | $name</title>
<link rel="stylesheet" href="css/base.min.css">
<link rel="stylesheet" href="css/components/all.min.css"><style>
body { margin: 0; font-family: HelsinkiGroteskPro, Arial, sans-serif } .text { min-width: 0 } .foot b, .top b { font-weight: 700 }
.top { border-bottom: 1px solid var(--color-black-20); padding: 16px 24px; display: flex; gap: 28px; align-items: center; background: #fff }
.top b { font-size: 24px; margin-inline-end: 24px } .top a { color: inherit; text-decoration: none }
.columns { display: grid; grid-template-columns: 260px minmax(0, 1fr) 300px; gap: 40px; padding: 32px 24px 64px }
.side a { display: block; padding: 12px 0; border-bottom: 1px solid var(--color-black-20); color: inherit; text-decoration: none }
.text table.hds-table th { white-space: normal; padding: 12px }
.text table.hds-table td { padding: 12px }
.text h2, .text h3 { margin-top: 32px } .text pre { background: var(--color-black-5); padding: 16px; overflow: auto }
.hds-card { margin-bottom: 24px } .foot { background: var(--color-black-90); color: #fff; padding: 40px 24px } .foot a { color: #fff;
margin-inline-end: 24px }
</style></head><body>
<header class="top"><b>$name</b><a href="/">Services</a><a href="/">Decisions</a><a href="/">Culture</a><a href="/">Contact</a>
<a href="/" style="margin-inline-start: auto">Search</a><a href="/">Log in</a></header><main>
<div class="hds-hero hds-hero--image-right" style="--background-color: var(--color-$colour-light); --image-position: center"><div
class="hds-hero__container">
<div class="hds-hero__content hds-hero__content--two-columns"><div class="hds-hero__card"><h1 class="hds-hero__title">$title</h1>
<p class="hds-hero__text">$summary</p><a role="button" href="/" class="hds-button hds-button--primary"><span class="hds-button__label">
Use the service</span></a></div><div class="hds-hero__image-container"><img class="hds-hero__image" src="figure-$figure.png"
alt=""></div></div></div></div>
<div class="hds-container"><nav class="hds-breadcrumb" aria-label="Breadcrumb"><ol
class="hds-breadcrumb__list hds-breadcrumb__list--desktop">
<li class="hds-breadcrumb__list-item"><a class="hds-breadcrumb__link" href="/">Front page</a><span
class="hds-breadcrumb__separator">›</span></li>
<li class="hds-breadcrumb__list-item"><a class="hds-breadcrumb__link" href="/">$section</a></li></ol></nav>
<div class="columns"><nav class="side" aria-label="Pages of this section"><b>$section</b>$near</nav>
<div class="text">$body</div><aside>
<div class="hds-card hds-card--border"><div class="hds-card__body"><div class="hds-card__heading-m" role="heading"
aria-level="2">Contact</div>
<div class="hds-card__text">$office, Ferry Lane $number, open on weekdays from 9 to 15</div></div></div>
<div class="hds-card" style="--background-color: var(--color-black-5)"><div class="hds-card__body"><div class="hds-card__heading-m"
role="heading"
aria-level="2">Events</div><div class="hds-card__text">$events</div></div></div><span class="hds-tag"><span>$tag</span></span>
<p><small>Updated on $day</small></p></aside></div></div></main>
<footer class="foot"><b>$name</b><p><a href="/">Accessibility</a><a href="/">Data protection</a><a href="/">Give feedback</a></p>
<small>City hall, 1 Quay Street, Northport</small></footer></body></html>
"""
_TABLE = """<div class="hds-table-container"><table class="hds-table hds-table--light"><thead><tr class="hds-table__header-row">"""
_SECTIONS = ("Streets and boats", "Health", "Schools", "Libraries", "Housing")
_COLOURS = ("fog", "summer", "engel", "suomenlinna")


def write_services(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per service, with the other pages of its section and events beside it, and the style sheets."""
    del theme
    package = project.parents[1] / "node_modules/hds-core/lib"
    folder = project / "html/css"
    (folder / "components").mkdir(parents=True)
    shutil.copy(package / "base.min.css", folder)
    shutil.copy(package / "components/all.min.css", folder / "components")
    write_media(project / "html")
    for number, document in enumerate(documents):
        near = "".join(f'<a href="{one.slug}.html">{one.title}</a>' for one in _others(documents, number, (0, 5, 10, 15, 20)))
        events = "".join(
            f'<p><a class="hds-link" href="{one.slug}.html">{one.title}</a></p>' for one in _others(documents, number, (3, 9, 16))
        )
        page = {"language": document.language, "title": document.title, "summary": document.summary, "name": NAME, "near": near}
        page |= {"body": _with_tables(to_html(document)), "events": events}
        page |= {"section": _SECTIONS[number % 5], "office": ("Harbour office", "City office")[number % 2], "number": f"{2 + number}"}
        page |= {
            "day": f"{document.published:%d.%m.%Y}",
            "tag": document.tags[0],
            "colour": _COLOURS[number % 4],
            "figure": f"{number % FIGURES}",
        }
        write_text(project / f"html/{document.slug}.html", Template(_PAGE).substitute(page))


def _with_tables(body: str) -> str:
    """Return a body with tables in the markup of the design system."""
    body = body.replace('<table class="table"><thead><tr>', _TABLE).replace("<tbody>", '<tbody class="hds-table__content">')
    return body.replace("</table>", "</table></div>")


def _others(documents: Sequence[SourceDocument], number: int, steps: Sequence[int]) -> list[SourceDocument]:
    return [documents[(number + step) % len(documents)] for step in steps]


def service_gold(document: SourceDocument) -> str:
    """Return the gold text of a service: its title, the sentence below it and what is to be known."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, rest))
