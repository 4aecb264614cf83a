"""Stories of a newspaper in Origami, the components of the Financial Times; the frame around them is ours."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path
from string import Template

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, part_html, write_media

_NAMES = (
    *("brand@4.2.4", "colors@6.7.1", "editorial-layout@3.0.2", "editorial-typography@2.4.2", "fonts@5.3.6", "footer@10.0.1"),
    *("forms@10.0.1", "grid@6.1.9", "header@15.3.0", "icons@7.10.1", "labels@7.0.0", "loading@6.0.0", "normalise@3.3.3"),
    *("private-foundation@1.10.0", "share@11.0.0", "spacing@3.2.6", "table@10.0.2", "teaser@6.4.1", "toggle@3.2.6"),
    *("typography@7.7.1", "utils@2.2.1", "viewport@5.1.2", "visual-effects@5.0.1"),
)
ORIGAMI = (
    *("sass@1.77.8", "mathsass@0.11.0", "@financial-times/math@1.0.0", "@financial-times/sass-mq@5.2.4"),
    *(f"@financial-times/o-{name}" for name in _NAMES),
)
"""Packages of npm."""
_COMPONENTS = ("Normalise", "Header", "Footer", "Teaser", "EditorialTypography", "EditorialLayout", "Table")
_SECTIONS = ("World", "Ports", "Companies", "Tech", "Markets", "Opinion", "Books")
_LOADED = re.compile(r"@font-face\s*{[^}]*}|url\(\"?https:[^)]*\)")
_PAGE = Template("""<!DOCTYPE html>
<html lang="$language"><head><meta charset="utf-8"><title>$title | $name</title><link rel="stylesheet" href="origami.css"></head><body>
<header class="o-header o-header--simple"><div class="o-header__row o-header__top"><div class="o-header__container">
<div class="o-header__top-wrapper"><div class="o-header__top-column o-header__top-column--left"><a href="#menu">Menu</a>
<a href="#search">Search</a></div><div class="o-header__top-column o-header__top-column--center"><a class="brand" href="/">$name</a></div>
<div class="o-header__top-column o-header__top-column--right"><a class="o-header__top-button" href="/subscribe">Subscribe</a>
<a class="o-header__top-link" href="/in">Sign in</a></div></div></div></div>
<nav class="o-header__row o-header__nav o-header__nav--desktop"><div class="o-header__container">
<ul class="o-header__nav-list o-header__nav-list--left">$sections</ul></div></nav></header>
<main class="story"><div><article><a class="o-editorial-typography-topic" href="/topic">$topic</a>
<h1 class="o-editorial-typography-headline">$title</h1><p class="o-editorial-typography-standfirst">$summary</p>$picture
<div class="meta"><div class="o-editorial-typography-byline"><a class="o-editorial-typography-author" href="/ada">Ada Quay</a>
in $place</div>
<time class="o-editorial-typography-timestamp">$day</time><ul><li><a href="#x">X</a></li><li><a href="#fb">Facebook</a></li>
<li><a href="#save">Save</a></li></ul></div><div class="o-editorial-layout-wrapper">$body</div></article>
<p class="reuse"><a href="/republish">Reuse this content</a> <a href="#comments">$count Comments</a></p>
<section class="follow"><h2>Follow the topics in this article</h2>$topics</section>
<section class="near"><h2>Latest on $topic</h2><div class="cards">$near</div></section></div>
<aside><p class="notice">Advertisement</p><div class="box"></div><section><h2>Most read</h2>$read</section></aside></main>
<footer class="o-footer o-footer--theme-dark"><div class="o-footer__container"><div class="o-footer__row">
<nav class="o-footer__matrix">$groups</nav></div><div class="o-footer__copyright"><small>$name, 12 Quay Street. Prices are delayed by 15
minutes.</small></div></div><div class="o-footer__brand"><div class="o-footer__container">A $name company</div></div></footer></body></html>
""")
_TEASER = Template("""<div class="o-teaser o-teaser--small$more"><div class="o-teaser__content"><div class="o-teaser__meta">
<a class="o-teaser__tag" href="/topic">$topic</a></div><div class="o-teaser__heading"><a href="$slug.html">$title</a></div>$lead
<div class="o-teaser__timestamp"><time class="o-teaser__timestamp-date">$day</time></div></div>$picture</div>""")
_GROUPS = {
    "Support": ("Help centre", "Contact us", "Accessibility"),
    "Legal": ("Terms", "Privacy", "Cookies", "Copyright"),
    "Services": ("Share news", "Subscribe", "Newsletters"),
    "Tools": ("Portfolio", "Alerts", "Today's paper"),
}
_STYLE = """
body { margin: 0; background: #fff1e5; font-family: "Noto Sans", sans-serif } .brand { font: 700 32px "Noto Serif", serif; color: #33302e }
.o-header a { text-decoration: none } .o-header__top-wrapper { display: flex; justify-content: space-between; align-items: center }
.story { max-width: 1180px; margin: 24px auto; display: grid; grid-template-columns: minmax(0, 1fr) 300px; gap: 40px; padding: 0 20px }
.o-editorial-layout-wrapper { max-width: 700px } .story h1, .story h2, .story p { overflow-wrap: anywhere }
.meta { border: solid #ccc1b7; border-width: 1px 0; padding: 8px 0; margin: 16px 0; max-width: 700px }
.meta ul { padding: 0; margin: 8px 0 0 }
.meta li { display: inline-block; border: 1px solid #66605c; border-radius: 20px; padding: 2px 10px; margin-right: 6px; font-size: 14px }
.story aside.inset { float: right; width: 240px; margin: 0 0 16px 24px; border-top: 4px solid #33302e; padding-top: 8px }
.story h2 { font-size: 20px } .cards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 20px } .follow a { margin-right: 12px }
.notice { font-size: 12px; text-align: center } .box { height: 250px; background: #e9decf } img { max-width: 100% }
pre { background: #fff7ef; padding: 12px; overflow: auto } .o-header__nav-list { display: flex; list-style: none; gap: 18px; padding: 0 }
.o-footer__matrix { display: flex; gap: 60px } .o-footer__brand { color: #fff }
"""


def write_origami(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the stories, each with a picture or without one, a recommended story beside its text, and others below and at the side."""
    del theme
    for number, document in enumerate(documents):
        others = [documents[(number + step) % len(documents)] for step in (1, 2, 5, 8, 11, 14, 17, 20)]
        parts = [part_html(part).replace("<table", '<table class="o-table o-table--horizontal-lines"') for part in document.parts]
        if number % 3:
            parts.insert(2, f'<aside class="inset"><h3>Recommended</h3>{_teaser(others[7], lead=False)}</aside>')
        links = {title: "".join(_footer_link(one) for one in names) for title, names in _GROUPS.items()}
        page = _PAGE.substitute(
            language=document.language,
            name=NAME,
            title=html.escape(document.title),
            summary=html.escape(document.summary),
            topic=document.tags[0].capitalize(),
            topics="".join(f'<a href="/topic">{tag.capitalize()} +</a>' for tag in document.tags),
            sections="".join(_section(one) for one in _SECTIONS),
            picture=f'<figure><img src="figure-{number % FIGURES}.png" alt=""></figure>' if number % 2 else "",
            place=("Rotterdam", "Chittagong", "Piraeus")[number % 3],
            day=f"{document.published:%d.%m.%Y}",
            body="".join(parts),
            count=7 + 13 * number % 90,
            near="".join(_teaser(one, picture=True) for one in others[:3]),
            read="".join(_teaser(one, lead=False) for one in others[3:7]),
            groups="".join(_group(title, text) for title, text in links.items()),
        )
        write_text(project / f"html/{document.slug}.html", page)
    components = ["$system-code: 'tide';"]
    components += [f'@import "@financial-times/o-{re.sub("(?<=.)(?=[A-Z])", "-", name).lower()}/main";' for name in _COMPONENTS]
    components += [f"@include o{name}();" for name in _COMPONENTS]
    write_text(project / "origami.scss", "\n".join(components))
    write_media(project / "html")


def build_origami(project: Path) -> None:
    """Compile the style sheet of the components, without fonts and icons from the network."""
    tools = project.parents[1].resolve()
    command = [str(tools / "node_modules/.bin/sass"), "-q", "-I", str(tools / "node_modules"), "origami.scss", "origami.css"]
    run_program(command, project, tools.parent)
    text = _LOADED.sub("", (project / "origami.css").read_text("utf-8"))
    write_text(project / "html/origami.css", text + _STYLE)


def _teaser(document: SourceDocument, lead: bool = True, picture: bool = False) -> str:
    source = f"figure-{len(document.title) % FIGURES}.png"
    image = f'<div class="o-teaser__image-container"><img class="o-teaser__image" src="{source}" alt=""></div>'
    return _TEASER.substitute(
        more=" o-teaser--has-image o-teaser--stacked" if picture else "",
        topic=document.tags[1].capitalize(),
        slug=document.slug,
        title=html.escape(document.title),
        lead=f'<p class="o-teaser__standfirst"><a href="{document.slug}.html">{html.escape(document.summary)}</a></p>' if lead else "",
        day=f"{document.published:%d.%m.%Y}",
        picture=image if picture else "",
    )


def _section(name: str) -> str:
    return (
        f'<li class="o-header__nav-item"><a class="o-header__nav-link o-header__nav-link--primary" href="/{name.lower()}">{name}</a></li>'
    )


def _footer_link(name: str) -> str:
    return f'<a class="o-footer__matrix-link" href="/footer"><span class="o-footer__matrix-link__copy">{name}</span></a>'


def _group(title: str, links: str) -> str:
    column = f'<div class="o-footer__matrix-content"><div class="o-footer__matrix-column">{links}</div></div>'
    return f'<div class="o-footer__matrix-group"><h3 class="o-footer__matrix-title">{title}</h3>{column}</div>'
