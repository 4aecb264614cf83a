"""Guidance of a government (the templates of GOV.UK Frontend), and meetings in the style sheets of Norway's Designsystemet."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from string import Template

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publishing_sites.readers import READERS
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, gold_text, part_gold, to_html, write_media

_RENDER = """
const fs = require('fs'), nunjucks = require('nunjucks');
const engine = nunjucks.configure(['.', fs.realpathSync('node_modules/govuk-frontend/dist')], {autoescape: true});
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const page = engine.render('page.njk', one).replace(/<script\\b[^]*?<\\/script>/g, '');
  fs.writeFileSync(`html/${one.slug}.html`, page);
}
"""
_GUIDANCE = """{% extends "govuk/template.njk" %}
{% from "govuk/components/breadcrumbs/macro.njk" import govukBreadcrumbs %}
{% from "govuk/components/button/macro.njk" import govukButton %}
{% from "govuk/components/cookie-banner/macro.njk" import govukCookieBanner %}
{% from "govuk/components/footer/macro.njk" import govukFooter %}
{% from "govuk/components/header/macro.njk" import govukHeader %}
{% from "govuk/components/pagination/macro.njk" import govukPagination %}
{% from "govuk/components/phase-banner/macro.njk" import govukPhaseBanner %}
{% from "govuk/components/service-navigation/macro.njk" import govukServiceNavigation %}
{% set htmlLang = language %}{% set assetPath = "assets" %}
{% block pageTitle %}{{ title }} - {{ site }}{% endblock %}
{% block head %}<link rel="stylesheet" href="govuk-frontend.min.css"><style>.side { border-top: 2px solid #1d70b8; padding-top: 15px }
.guide pre { overflow: auto; background: #f3f2f1; padding: 15px } .guide blockquote { margin: 0 0 20px }</style>{% endblock %}
{% block bodyStart %}{% if cookies %}{{ govukCookieBanner({messages: [{headingText: "Cookies on " + site, text: "We use some essential
cookies to make this service work.", actions: [{text: "Accept cookies", type: "button"}, {text: "View cookies", href: "/"}]}]}) }}
{% endif %}{% endblock %}
{% block header %}{{ govukHeader({}) }}{{ govukServiceNavigation({serviceName: site, serviceUrl: "/", navigation: menu}) }}{% endblock %}
{% block beforeContent %}{{ govukPhaseBanner({tag: {text: "Beta"}, text: "This is a new service. Help us improve it."}) }}
{{ govukBreadcrumbs({items: crumbs}) }}{% endblock %}
{% block content %}<div class="govuk-grid-row"><div class="govuk-grid-column-two-thirds"><span class="govuk-caption-xl">Guidance</span>
<h1 class="govuk-heading-xl">{{ title }}</h1><p class="govuk-body-l">{{ summary }}</p>
{% if contents.length %}<nav aria-label="Contents"><h2 class="govuk-heading-s">Contents</h2><ol class="govuk-list">{% for name in contents
%}
<li><a class="govuk-link" href="#">{{ name }}</a></li>{% endfor %}</ol></nav>{% endif %}
<div class="guide">{{ body | safe }}</div><p class="govuk-body-s">Published {{ day }}. Last updated {{ later }}</p>
{{ govukButton({text: "Print this page", classes: "govuk-button--secondary"}) }}{{ govukPagination(pages) }}</div>
<aside class="govuk-grid-column-one-third"><div class="side"><h2 class="govuk-heading-m">Related content</h2>
<ul class="govuk-list">{% for one in related %}<li><a class="govuk-link" href="{{ one.href }}">{{ one.text }}</a></li>{% endfor %}</ul>
<h3 class="govuk-heading-s">Explore the topic</h3><p class="govuk-body"><a class="govuk-link" href="/">{{ topic
}}</a></p></div></aside></div>
{% endblock %}
{% block footer %}{{ govukFooter({navigation: footer, meta: {items: [{text: "Help", href: "/"}, {text: "Privacy", href: "/"},
{text: "Accessibility statement", href: "/"}]} }) }}{% endblock %}
"""
_TOPICS = ("Boats and harbours", "Money and tax", "Housing", "Work and pensions", "Environment")
_MENU = ("Services", "Guidance", "Decisions", "Contact")
_CLASSES = {
    "p": "govuk-body",
    "h2": "govuk-heading-l",
    "h3": "govuk-heading-m",
    "ul": "govuk-list govuk-list--bullet",
    "ol": "govuk-list govuk-list--number",
    "table": "govuk-table",
    "thead": "govuk-table__head",
    "tbody": "govuk-table__body",
    "tr": "govuk-table__row",
    "th": "govuk-table__header",
    "td": "govuk-table__cell",
    "blockquote": "govuk-inset-text",
    "a": "govuk-link",
}
_MEETING_CLASSES = {
    "p": "ds-paragraph",
    "h2": "ds-heading",
    "h3": "ds-heading",
    "ul": "ds-list",
    "ol": "ds-list",
    "table": "ds-table",
    "a": "ds-link",
}


def _with_classes(body: str, classes: Mapping[str, str]) -> str:
    """Return HTML whose elements have the classes of a design system."""
    for tag, name in classes.items():
        body = re.sub(rf'<{tag}( class="[^"]*")?(?=[ >])', f'<{tag} class="{name}"', body)
    return body


def _near(documents: Sequence[SourceDocument], number: int, steps: Sequence[int]) -> list[SourceDocument]:
    return [documents[(number + step) % len(documents)] for step in steps]


def write_guidance(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page of guidance per document, with related pages beside it and those before and after it below."""
    del theme
    written = []
    menu = [{"text": name, "href": "/", "active": name == "Guidance"} for name in _MENU]
    footer = [{"title": "Topics", "columns": 2, "items": [{"text": name, "href": "/"} for name in _TOPICS]}]
    footer += [{"title": "Government", "items": [{"text": name, "href": "/"} for name in ("Departments", "News", "Statistics")]}]
    for number, document in enumerate(documents):
        before, after = _near(documents, number, (-1, 1))
        topic = _TOPICS[number % 5]
        page = {"slug": document.slug, "language": document.language, "title": document.title, "summary": document.summary, "site": NAME}
        later = document.published + timedelta(days=31 + number)
        written.append(
            page
            | {
                "body": _with_classes(to_html(document), _CLASSES),
                "menu": menu,
                "footer": footer,
                "topic": topic,
                "cookies": number % 2 == 0,
            }
            | {"contents": [part_gold(part)[0] for part in document.parts if part.kind == "heading" and part.level == 2]}
            | {"crumbs": [{"text": "Home", "href": "/"}, {"text": "Guidance", "href": "/"}, {"text": topic, "href": "/"}]}
            | {"day": f"{document.published:%d.%m.%Y}", "later": f"{later:%d.%m.%Y}"}
            | {"related": [{"href": f"{one.slug}.html", "text": one.title} for one in _near(documents, number, (3, 8, 13, 19))]}
            | {
                "pages": {
                    "previous": {"labelText": before.title, "href": f"{before.slug}.html"},
                    "next": {"labelText": after.title, "href": f"{after.slug}.html"},
                }
            }
        )
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "page.njk", _GUIDANCE)
    write_text(project / "render.cjs", _RENDER)
    write_media(project / "html")


def build_guidance(project: Path) -> None:
    """Fill the templates, and copy the style sheet with its fonts and pictures."""
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    run_program(["node", "render.cjs"], project, project.parents[2])
    package = project / "node_modules/govuk-frontend/dist/govuk"
    shutil.copy(package / "govuk-frontend.min.css", project / "html")
    shutil.copytree(package / "assets", project / "html/assets")
    path = project / "html/govuk-frontend.min.css"
    path.write_text(path.read_text("utf-8").replace("url(/assets/", "url(assets/").replace('url("/assets/', 'url("assets/'), "utf-8")


def lead_gold(document: SourceDocument) -> str:
    """Return the gold text of guidance: its title, the sentence below it and the text."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, rest))


_MEETING = Template("""<!doctype html><html lang="$language" dir="$direction"><head><meta charset="utf-8"><title>$title | $name</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="theme.css">
<link rel="stylesheet" href="index.css"><style>
body { margin: 0; font-family: Inter, Arial, sans-serif } .wide { max-width: 1200px; margin: 0 auto; padding: 0 24px }
.bar { border-bottom: 1px solid var(--ds-color-neutral-border-subtle); padding: 16px 0 } .bar .wide { display: flex; gap: 28px;
align-items: center } .columns { display: grid; grid-template-columns: minmax(0, 1fr) 340px; gap: 48px; padding: 24px 0 56px }
aside { display: grid; gap: 24px; align-content: start } .facts { display: grid; grid-template-columns: auto 1fr; gap: 8px 24px; padding:
20px;
background: var(--ds-color-accent-surface-tinted) } .facts dt { font-weight: 600 } .facts dd { margin: 0 } .text > * { margin-block: 16px }
.text pre { overflow: auto; background: var(--ds-color-neutral-surface-tinted); padding: 16px } .picture { width: 100%; height: 280px;
object-fit: cover; border-radius: 8px } .three { display: grid; grid-template-columns: repeat(3, 1fr); gap: 24px; padding-bottom: 56px }
.foot { background: var(--ds-color-neutral-surface-tinted); padding: 40px 0 } .foot a { margin-inline-end: 24px }
</style></head><body data-color="accent">
<header class="bar"><div class="wide"><b class="ds-heading" data-size="xs">$name</b><a class="ds-link" href="/">Calendar</a>
<a class="ds-link" href="/">Places</a><a class="ds-link" href="/">Organisers</a><a class="ds-link" href="/">About</a>
<a class="ds-button" data-variant="secondary" data-size="sm" href="/" style="margin-inline-start: auto">Log in</a></div></header>
<div class="wide"><nav class="ds-breadcrumbs" aria-label="You are here" style="margin-top: 24px"><ol><li><a class="ds-link"
href="/">Calendar</a>
</li><li><a class="ds-link" href="/">$kind</a></li></ol></nav>
<div class="columns"><main><img class="picture" src="figure-$figure.png" alt=""><p><span class="ds-tag" data-color="info">$kind</span></p>
<h1 class="ds-heading" data-size="xl">$title</h1><p class="ds-paragraph" data-size="lg">$summary</p>
<dl class="facts">$facts</dl><div class="text">$body</div>
<p><a class="ds-button" data-variant="tertiary" href="/">Add to calendar</a> <a class="ds-button" data-variant="tertiary"
href="/">Share</a></p>
</main><aside><div class="ds-card" data-variant="tinted"><h2 class="ds-heading" data-size="sm">Come along</h2>
<p class="ds-paragraph">$places places are left. Doors open half an hour before.</p><a class="ds-button" href="/">Sign up</a></div>
<div class="ds-card"><h2 class="ds-heading" data-size="sm">Organiser</h2><p class="ds-paragraph">$organiser Quay, Northport house of
culture</p>
<a class="ds-link" href="/">Follow</a></div><div class="ds-alert" data-color="info"><p class="ds-paragraph">Bicycles may be left in the
yard.</p>
</div></aside></div>
<h2 class="ds-heading" data-size="md">More to visit</h2><div class="three">$others</div></div>
<footer class="foot"><div class="wide"><p class="ds-paragraph"><a class="ds-link" href="/">Privacy</a><a class="ds-link"
href="/">Accessibility</a>
<a class="ds-link" href="/">Newsletter</a></p><small>$name, 12 Ferry Lane, Northport</small></div></footer></body></html>
""")
_KINDS = ("Concert", "Lecture", "Walk", "Market", "Workshop")
_HALLS = ("Old customs house", "Town library", "Rope walk", "Chapel Hill school")
_FEES = ("Free", "€8", "€12, children €5")


def _facts(document: SourceDocument) -> list[tuple[str, str]]:
    """Return when and where a meeting is, and what it costs."""
    number = int(document.slug[-2:])
    day = document.published + timedelta(days=60)
    when = f"{day.day}.{day.month}.{day.year}, {10 + number % 9}:30"
    return [("When", when), ("Where", f"{_HALLS[number % 4]}, room {1 + number % 7}"), ("Price", _FEES[number % 3])]


def write_meetings(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a meeting per document, with who arranges it beside it and others below it."""
    del theme
    write_media(project / "html")
    for number, document in enumerate(documents):
        others = "".join(
            f'<a class="ds-card" href="{one.slug}.html"><h3 class="ds-heading" data-size="xs">{one.title}</h3>'
            f'<p class="ds-paragraph" data-size="sm">{_facts(one)[0][1]}, {_facts(one)[1][1]}</p></a>'
            for one in _near(documents, number, (4, 9, 16))
        )
        page = {"language": document.language, "direction": "rtl" if document.language == "ar" else "ltr", "title": document.title}
        page |= {"name": NAME, "summary": document.summary, "body": _with_classes(to_html(document), _MEETING_CLASSES), "others": others}
        page |= {"facts": "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in _facts(document)), "kind": _KINDS[number % 5]}
        page |= {"organiser": READERS[number % 8], "places": str(3 + 2 * number), "figure": str(number % FIGURES)}
        write_text(project / f"html/{document.slug}.html", _MEETING.substitute(page))


def build_meetings(project: Path) -> None:
    """Copy the style sheets."""
    packages = project.parents[1] / "node_modules/@digdir"
    shutil.copy(packages / "designsystemet-css/dist/src/index.css", project / "html")
    shutil.copy(packages / "designsystemet-css/dist/theme/designsystemet.css", project / "html/theme.css")


def meeting_gold(document: SourceDocument) -> str:
    """Return the gold text of a meeting: its title, the sentence below it, when and where it is, and its description."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, *(f"{name} {text}" for name, text in _facts(document)), rest))
