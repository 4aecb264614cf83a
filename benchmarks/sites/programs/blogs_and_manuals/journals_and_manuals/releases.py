"""Release notes in Protocol, the design system of Mozilla's sites; the frame of its components is ours."""

from __future__ import annotations

import html
import shutil
from collections.abc import Sequence
from pathlib import Path
from string import Template

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publications.papers import sections
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, part_html

PROTOCOL = ("@mozilla-protocol/core@22.0.0", "sass@1.77.8")
_SHEETS = "\n".join(
    f"@use '@mozilla-protocol/core/protocol/css/{name}';" for name in ("includes/themes", "protocol", "protocol-components")
)
"""The built style sheets lack the variables of the themes."""
_KINDS = ("New", "Fixed", "Changed", "Enterprise", "Developer", "Unresolved")
"""Kinds of notes, as Firefox has them."""
_PAGE = Template("""<!DOCTYPE html>
<html lang="$language"><head><meta charset="utf-8"><title>$name $version, see all new features and fixes</title>
<link rel="stylesheet" href="css/releases.css"><style>$style</style></head>
<body class="mzp-t-mozilla"><div class="mzp-c-navigation"><div class="mzp-c-navigation-l-content"><div class="mzp-c-navigation-container">
<div class="mzp-c-navigation-logo"><a href="/">$name</a></div><div class="mzp-c-navigation-items"><div class="mzp-c-navigation-menu">
<nav class="mzp-c-menu mzp-is-basic"><ul class="mzp-c-menu-category-list">$menu</ul></nav></div></div></div></div></div>
<nav class="mzp-c-breadcrumb"><ol class="mzp-c-breadcrumb-list"><li class="mzp-c-breadcrumb-item"><a href="/">Home</a></li>
<li class="mzp-c-breadcrumb-item"><a href="/releases">Releases</a></li><li class="mzp-c-breadcrumb-item">$version</li></ol></nav>
<div class="mzp-l-content mzp-has-sidebar mzp-l-sidebar-left"><aside class="mzp-l-sidebar"><nav class="mzp-c-sidemenu">
<div class="mzp-c-sidemenu-main"><h4 class="mzp-c-sidemenu-title">All releases</h4><ul>$near</ul></div></nav>
<section class="mzp-c-emphasis-box"><p>First offered on $day to users of the $channel channel</p>
<p><a href="/requirements">System requirements</a></p></section></aside>
<main class="mzp-l-main"><article class="mzp-c-article"><p class="release">$name Release, $day</p>
<h1 class="mzp-c-article-title">$version: $title</h1><p class="mzp-c-article-intro">$summary</p>$body</article></main></div>
<div class="mzp-l-content"><section class="mzp-c-callout"><div class="mzp-c-callout-content"><h2 class="mzp-c-callout-title">Get the most
recent version</h2><p class="mzp-c-callout-desc">For desktop, phone and boat.</p>
<p><a class="mzp-c-button mzp-t-product" href="/get">Download $name</a></p></div></section>
<h2 class="mzp-c-section-heading">Other resources</h2>
<div class="mzp-l-card-third">$cards</div></div>
<footer class="mzp-c-footer"><div class="mzp-l-content"><nav class="mzp-c-footer-primary">
<div class="mzp-c-footer-sections">$groups</div></nav>
<nav class="mzp-c-footer-secondary"><div class="mzp-c-footer-legal"><p class="mzp-c-footer-license">Portions of this content are of 1998
to 2025 by individual contributors.</p>
<ul class="mzp-c-footer-terms"><li><a href="/privacy">Privacy</a></li>
<li><a href="/cookies">Cookies</a></li><li><a href="/legal">Legal</a></li></ul></div></nav></div></footer></body></html>
""")
_CARD = Template("""<section class="mzp-c-card mzp-c-card-small">
<a class="mzp-c-card-block-link" href="$slug.html"><div class="mzp-c-card-content">
<div class="mzp-c-card-tag">Blog</div><h2 class="mzp-c-card-title">$title</h2>
<p class="mzp-c-card-desc">$summary</p></div></a></section>""")
_MENU = ("Browsers", "Products", "Who we are", "Innovation")
_GROUPS = {
    "Resources": ("Press kit", "Brand", "Experiments"),
    "Support": ("Help", "Community"),
    "Developers": ("Nightly", "Docs", "Source"),
}
_STYLE = """
.release { border-bottom: 1px solid #ccc; padding-bottom: 12px }
.note { display: grid; grid-template-columns: 130px minmax(0, 1fr); border-top: 1px solid #ddd; padding: 16px 0 }
.note h2 { font-size: 24px } .note > h3 { font-size: 15px; margin: 0 }
.mzp-c-menu-category-list { display: flex; gap: 24px; list-style: none }
.mzp-c-navigation .mzp-c-navigation-logo a { font-size: 22px; font-weight: bold; color: #000; text-decoration: none; background: none;
text-indent: 0; width: auto; white-space: nowrap } .note pre { overflow: auto }
"""


def write_releases(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the notes of a release per document: a kind of notes per section."""
    del theme
    for number, document in enumerate(documents):
        others = [(step, documents[step]) for step in range(max(0, number - 5), min(len(documents), number + 6))]
        cards = [documents[(number + step) % len(documents)] for step in (3, 8, 13)]
        notes = (f'<div class="note"><h3>{kind}</h3><div>{"".join(map(part_html, parts))}</div></div>' for kind, parts in _notes(document))
        page = _PAGE.substitute(
            language=document.language,
            name=NAME,
            style=_STYLE,
            version=_version(number),
            channel=("release", "beta", "developer")[number % 3],
            day=f"{document.published:%d.%m.%Y}",
            title=html.escape(document.title),
            summary=html.escape(document.summary),
            body="".join(notes),
            menu="".join(f'<li class="mzp-c-menu-category"><a class="mzp-c-menu-title" href="/menu">{one}</a></li>' for one in _MENU),
            near="".join(_release(step, one, step == number) for step, one in reversed(others)),
            cards="".join(_CARD.substitute(slug=one.slug, title=html.escape(one.title), summary=html.escape(one.summary)) for one in cards),
            groups="".join(_group(title, links) for title, links in _GROUPS.items()),
        )
        write_text(project / f"html/{document.slug}.html", page)


def build_releases(project: Path) -> None:
    """Compile the style sheet of the design system, and copy its fonts and pictures."""
    modules = (project.parents[1] / "node_modules").resolve()
    for name in ("fonts", "img"):
        shutil.copytree(modules / "@mozilla-protocol/core/protocol" / name, project / "html" / name)
    write_text(project / "releases.scss", _SHEETS)
    command = [str(modules / ".bin/sass"), "-q", "-I", str(modules), "releases.scss", "html/css/releases.css"]
    run_program(command, project, project.parents[2])


def release_gold(document: SourceDocument) -> str:
    """Return the gold text of the notes: their headline with the version, what the release is about, and all notes below their kinds."""
    lines = [f"{_version(int(document.slug[-2:]))}: {document.title}", document.summary]
    for kind, parts in _notes(document):
        lines += [kind, *(line for part in parts for line in part_gold(part))]
    return "\n".join(lines)


def _notes(document: SourceDocument) -> list[tuple[str, list[Part]]]:
    """Return kind and parts of the notes of a release."""
    before, found = sections(document)
    number = int(document.slug[-2:])
    return [(_KINDS[(number + place) % 6], parts) for place, parts in enumerate([*([before] if before else []), *found])]


def _version(number: int) -> str:
    return f"{101 + number // 3}.{number % 3}"


def _release(number: int, document: SourceDocument, is_open: bool) -> str:
    current = ' class="mzp-is-current"' if is_open else ""
    return f'<li{current}><a href="{document.slug}.html">{NAME} {_version(number)}</a></li>'


def _group(title: str, links: Sequence[str]) -> str:
    items = "".join(f'<li><a href="/footer">{one}</a></li>' for one in links)
    heading = f'<h5 class="mzp-c-footer-heading">{title}</h5>'
    return f'<section class="mzp-c-footer-section">{heading}<ul class="mzp-c-footer-list">{items}</ul></section>'
