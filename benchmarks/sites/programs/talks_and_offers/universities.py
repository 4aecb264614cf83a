"""Pages of universities: a department's pages (Stanford's Decanter), and positions that are open (Indiana's Rivet) in a frame of ours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from string import Template

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, gold_text, to_html, write_media

_RENDER = """
const fs = require('fs'), twig = require('twig');
const templates = fs.realpathSync('node_modules/decanter/core/src/templates') + '/';
twig.cache(false);
for (const name of ['without', 'render']) twig.extendFilter(name, value => value || '');
for (const one of JSON.parse(fs.readFileSync('documents.json'))) {
  const page = twig.twig({data: fs.readFileSync('page.twig', 'utf8'), namespaces: {decanter: templates}, path: templates + 'page.twig'})
    .render(one).replaceAll('<span class="su-brand-bar__link--a11y"> (link is external)</span>', '')
    .replaceAll('<span class="su-global-footer__link-a11y"> (link is external)</span>', '')
    .replace(/Stanford(, California 94305)?/g, 'Northport');
  fs.writeFileSync(`html/${one.slug}.html`, page);
}
"""
_PAGE = """<!doctype html><html lang="{{ lang }}" dir="{{ direction }}"><head><meta charset="utf-8"><title>{{ title }} | {{ site }}</title>
<link rel="stylesheet" href="css/decanter.css"><style>.su-lockup__cell1 { max-width: none !important; margin-inline-end: 6px }
.su-page { padding-top: 3rem; padding-bottom: 4rem }
.figure { float: right; width: 40%; margin: 0 0 2rem 2rem } main table td, main table th { text-align: start; padding: .5rem }
</style></head>
<body>{% include "@decanter/components/masthead/masthead.twig" with {masthead_lockup_line1: department, masthead_lockup_link: "/",
masthead_lockup_modifier_class: "su-lockup--option-a", masthead_nav_list_items: menu, modifier_class: "su-masthead--right",
masthead_search_input_name: "search"} %}
<div class="centered-container flex-container su-page"><aside class="flex-md-3-of-12">
{% include "@decanter/components/secondary-nav/secondary-nav.twig" with {list_items: side, items: side, aria_label: "side menu"} %}
{% include "@decanter/components/card/card.twig" with {card_super_headline: "Upcoming lecture", card_headline: lecture,
card_body: "Wednesday at five, room 12 of the old customs house", card_link: "/", card_cta_label: "Add to calendar"} %}</aside>
<main class="flex-md-9-of-12" id="main-content"><h1>{{ title }}</h1><p class="su-intro-text">{{ summary }}</p>
<img class="figure" src="{{ picture }}" alt="">{{ body|raw }}
<p class="su-credits">Page owner: office of the dean. Changed {{ day }}</p></main></div>
{% include "@decanter/components/local-footer/local-footer.twig" with {lockup_title: department, address: "12 Quay Street, Northport",
primary_links: menu, primary_links_header: "Department", secondary_links: more, secondary_links_header: "Elsewhere"} %}
{% include "@decanter/components/global-footer/global-footer.twig" %}</body></html>
"""
_DEPARTMENTS = ("Department of Tides", "School of Harbours", "Institute of Maps")
_MENU = ("About", "People", "Research", "Teaching", "News")
_MORE = ("Library", "Visit us", "Give")


def write_departments(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write what the templates show of each document, with seven others in the menu beside it."""
    del theme
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    written = []
    for number, document in enumerate(documents):
        near = [documents[(number // 8 * 8 + step) % len(documents)] for step in range(8)]
        side = [{"text": one.title, "href": f"{one.slug}.html", "current": one is document} for one in near]
        written.append(
            {"slug": document.slug, "title": document.title, "summary": document.summary, "body": to_html(document), "site": NAME}
            | {"lang": document.language, "direction": "rtl" if document.language == "ar" else "ltr", "picture": f"figure-{number % 4}.png"}
            | {"menu": [{"text": name, "href": "/"} for name in _MENU], "more": [{"text": name, "href": "/"} for name in _MORE]}
            | {"side": side, "lecture": documents[(number + 11) % len(documents)].title, "day": f"{document.published}"}
            | {"department": _DEPARTMENTS[number % 3]}
        )
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "page.twig", _PAGE)
    write_text(project / "render.cjs", _RENDER)
    write_media(project / "html")


def build_departments(project: Path) -> None:
    """Fill the templates, and copy the system's style sheet and pictures."""
    run_program(["node", "render.cjs"], project, project.parents[2])
    files = project / "node_modules/decanter/core/dist"
    shutil.copytree(files / "assets", project / "html/assets", ignore=shutil.ignore_patterns("*.eot", "*.svg", "*.woff", "*.ttf"))
    (project / "html/css").mkdir()
    shutil.copy(files / "css/decanter.css", project / "html/css")


def page_gold(document: SourceDocument) -> str:
    """Return the gold text of a page: its title, the sentence below it and its body."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, document.summary, rest))


_POSITION = """<!DOCTYPE html><html lang="$language"><head><meta charset="utf-8"><title>$title - careers at $name</title>
<link rel="stylesheet" href="css/rivet.min.css"></head><body class="rvt-layout"><header class="rvt-header-wrapper">
<a class="rvt-header-wrapper__skip-link" href="#main-content">Skip to main content</a><div class="rvt-header-global">
<div class="rvt-container-xl"><div class="rvt-header-global__inner"><div class="rvt-header-global__logo-slot">
<a class="rvt-lockup" href="/"><div class="rvt-lockup__tab"></div><div class="rvt-lockup__body"><span class="rvt-lockup__title">$name</span>
<span class="rvt-lockup__subtitle">Careers</span></div></a></div><div class="rvt-header-global__controls"><nav class="rvt-header-menu">
<ul class="rvt-header-menu__list"><li class="rvt-header-menu__item rvt-header-menu__item--current">
<a class="rvt-header-menu__link" href="/">Positions</a></li><li class="rvt-header-menu__item">
<a class="rvt-header-menu__link" href="/">Benefits</a></li>
<li class="rvt-header-menu__item"><a class="rvt-header-menu__link" href="/">How to apply</a></li></ul></nav>
<a class="rvt-button rvt-button--small rvt-m-left-md" href="/">Sign in</a></div></div></div></div></header>
<main class="rvt-layout__wrapper rvt-layout__wrapper--single" id="main-content">
<div class="rvt-bg-black-000 rvt-border-bottom rvt-p-top-xl"><div class="rvt-container-xl">
<nav class="rvt-flex rvt-items-center" aria-label="Breadcrumbs"><ol class="rvt-breadcrumbs rvt-grow-1"><li>
<a href="/">Home</a></li><li><a href="/">Positions</a></li><li aria-current="page">$number</li></ol></nav>
<h1 class="rvt-m-top-sm rvt-ts-41">$title</h1><p class="rvt-m-bottom-xl"><span class="rvt-badge">$kind</span> $unit, $place</p></div></div>
<div class="rvt-container-xl rvt-p-tb-xl"><div class="rvt-row"><div class="rvt-cols-8-lg"><p class="rvt-ts-23">$summary</p>
<div class="rvt-prose">$body</div><div class="rvt-button-group rvt-m-top-xl"><a class="rvt-button" href="/">Apply for this position</a>
<a class="rvt-button rvt-button--secondary" href="/">Save</a></div></div>
<aside class="rvt-cols-4-lg"><div class="rvt-card rvt-card--raised"><div class="rvt-card__body rvt-p-all-md"><h2 class="rvt-card__title">
At a glance</h2><dl class="rvt-ts-14"><dt class="rvt-text-bold">Posted</dt><dd>$day</dd><dt class="rvt-text-bold">Closes</dt><dd>$until</dd>
<dt class="rvt-text-bold">Number</dt><dd>$number</dd><dt class="rvt-text-bold">Contact</dt><dd>Ada Quay, ada@example.org</dd></dl>
</div></div><h2 class="rvt-ts-20 rvt-m-top-lg">Similar positions</h2><ul class="rvt-list-plain rvt-width-xl">$near</ul></aside></div>
</div></main>
<footer class="rvt-footer-resources"><div class="rvt-container-xl"><div class="rvt-row"><div class="rvt-cols-6-lg"><h2
class="rvt-footer-resources__heading">About</h2><p>$name is an employer of equal chances.</p></div><div class="rvt-cols-6-lg">
<h2 class="rvt-footer-resources__heading">Office of staff</h2><p>12 Quay Street, Northport</p></div></div></div></footer>
<footer class="rvt-footer-base"><div class="rvt-container-xl"><div class="rvt-footer-base__inner"><ul class="rvt-footer-base__list">
<li class="rvt-footer-base__item"><a class="rvt-footer-base__link" href="/">Accessibility</a></li><li class="rvt-footer-base__item">
<a class="rvt-footer-base__link" href="/">Privacy notice</a></li></ul></div></div></footer></body></html>
"""
_UNITS = ("Harbour office", "Library", "Ferry service", "Workshop")
_KINDS = ("Full time", "Part time", "Fixed term")


def write_positions(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per position, with five others beside it, and the style sheet."""
    del theme
    (project / "html/css").mkdir(parents=True)
    shutil.copy(project.parents[1] / "node_modules/rivet-core/css/rivet.min.css", project / "html/css")
    for number, document in enumerate(documents):
        near = [documents[(number + step) % len(documents)] for step in (2, 5, 9, 13, 18)]
        links = "".join(
            f'<li class="rvt-border-bottom rvt-p-tb-sm"><a href="{one.slug}.html">{one.title}</a><br><span class="rvt-ts-14">'
            f"{_UNITS[(number + step) % 4]}, {_KINDS[(number + step) % 3].lower()}</span></li>"
            for step, one in enumerate(near)
        )
        page = {
            "language": document.language,
            "title": document.title,
            "summary": document.summary,
            "body": to_html(document),
            "name": NAME,
        }
        page |= {
            "kind": _KINDS[number % 3],
            "unit": _UNITS[number % 4],
            "place": ("Northport", "Quay")[number % 2],
            "number": f"{300 + number}",
        }
        page |= {"day": f"{document.published:%d.%m.%Y}", "until": f"{document.published:%d.%m.}2025", "near": links}
        write_text(project / f"html/{document.slug}.html", Template(_POSITION).substitute(page))
