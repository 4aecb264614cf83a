"""Landing pages of a company, made by the macros and style sheets of Canonical's Vanilla framework."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import install_packages, run_program
from benchmarks.sites.programs.publishing_sites.listings import entries
from benchmarks.sites.programs.questions_and_events.styles import drop_fonts
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, write_media

_STYLES = ("vanilla-framework@4.26.0", "sass@1.89.2")
_RENDER = """
import json, sys
from pathlib import Path
from jinja2 import Environment, FileSystemLoader
engine = Environment(loader=FileSystemLoader([".", sys.argv[1]]), autoescape=False)
for one in json.loads(Path("documents.json").read_text("utf-8")):
    Path("html", one["slug"] + ".html").write_text(engine.get_template("page.jinja").render(one), "utf-8")
"""
_PAGE = """{% from "_macros/vf_hero.jinja" import vf_hero %}{% from "_macros/vf_tiered-list.jinja" import vf_tiered_list %}
{% from "_macros/vf_rich-vertical-list.jinja" import vf_rich_vertical_list %}{% from "_macros/vf_cta-section.jinja" import vf_cta_section %}
{% from "_macros/vf_equal-heights.jinja" import vf_equal_heights %}<!doctype html>
<html lang="{{ language }}"><head><meta charset="utf-8"><title>{{ title }} | {{ site }}</title><link rel="stylesheet"
href="style.css"></head>
<body><header id="navigation" class="p-navigation is-dark"><div class="p-navigation__row"><div class="p-navigation__banner"><div
class="p-navigation__tagged-logo"><a class="p-navigation__link" href="/"><span
class="p-navigation__logo-title">{{ site }}</span></a></div></div>
<nav class="p-navigation__nav" aria-label="Main"><ul class="p-navigation__items">{% for name in menu %}<li class="p-navigation__item"><a
class="p-navigation__link" href="/">{{ name }}</a></li>{% endfor %}</ul></nav></div></header><main>
{% call(slot) vf_hero(title_text=title, subtitle_text=summary, layout=layout) %}
{% if slot == "cta" %}<a href="/" class="p-button--positive">Get started</a><a href="/">Contact sales &rsaquo;</a>{% endif %}
{% if slot == "image" %}<div class="p-image-container--16-9 is-cover"><img class="p-image-container__image" src="figure-{{ figure }}.png"
alt=""></div>
{% endif %}{% endcall %}
{% for claim, text in features %}
{% call(slot) vf_rich_vertical_list(title_text=claim, is_flipped=loop.index is divisibleby 2) %}
{% if slot == "description" %}<p>{{ text }}</p>
{% elif slot == "cta" %}<a href="/">Learn more &rsaquo;</a>{% elif slot == "image" %}<div class="p-image-container--3-2 is-cover"><img
class="p-image-container__image" src="figure-{{ loop.index }}.png" alt=""></div>{% endif %}{% endcall %}{% endfor %}
{% if tiers %}{% call(slot) vf_tiered_list() %}
{% if slot == "title" %}<h2>{{ heading }}</h2>{% elif slot == "description" %}<p>{{ lead }}</p>
{% else %}{% for name, text in tiers %}{% if slot == "list_item_title_%d" % loop.index %}<h3 class="p-heading--5">{{ name }}</h3>{% endif %}
{% if slot == "list_item_description_%d" % loop.index %}<p>{{ text }}</p>{% endif %}{% endfor %}{% endif %}{% endcall %}{% endif %}
{% call(slot) vf_equal_heights(title_text="From the blog", items=posts, image_aspect_ratio_large="16-9") %}{% endcall %}
{% call(slot) vf_cta_section(title_text="Come aboard today", variant="block") %}{% if slot == "description" %}<p>No contract, no card.</p>
{% elif slot == "cta" %}<a href="/" class="p-button--positive">Talk to us</a>{% endif %}{% endcall %}</main>
<footer class="p-strip--light is-shallow"><div class="row"><div class="col-6"><p>{{ site }}, 12 Quay Street, Northport</p></div><div
class="col-6">
<ul class="p-inline-list"><li class="p-inline-list__item"><a href="/">Legal</a></li><li class="p-inline-list__item"><a
href="/">Privacy</a></li>
<li class="p-inline-list__item"><a href="/">Careers</a></li></ul></div></div></footer></body></html>
"""
_FEATURES = 2
"""Claims beside a picture; the further ones are in a list."""


def write_landing(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a landing page per document: its first claims beside pictures, the further ones in a list, and posts of a blog below."""
    del theme
    written = []
    for number, document in enumerate(documents):
        found = entries(document)[1:]
        near = [documents[(number + step) % len(documents)] for step in (3, 8, 13, 18)]
        posts = [
            {"title_text": one.title, "description_html": f"<p>{one.summary}</p>", "cta_html": f'<a href="{one.slug}.html">Read</a>'}
            | {"image_html": f'<img class="p-image-container__image" src="figure-{(number + step) % FIGURES}.png" alt="">'}
            for step, one in enumerate(near)
        ]
        lead, *tiers = found[_FEATURES:] or [("", "")]
        features = [*found[:_FEATURES], *([] if tiers or not lead[0] else [lead])]
        written.append(
            {"slug": document.slug, "language": document.language, "title": document.title, "summary": document.summary, "site": NAME}
            | {"features": features, "tiers": tiers, "heading": lead[0], "lead": lead[1], "posts": posts, "figure": number % FIGURES}
            | {"layout": ("50/50", "fallback", "75/25")[number % 3], "menu": ("Products", "Use cases", "Support", "Pricing", "Partners")}
        )
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "page.jinja", _PAGE)
    write_text(project / "render.py", _RENDER)
    write_text(project / "style.scss", "@import 'vanilla-framework'; @include vanilla;")
    write_media(project / "html")


def build_landing(project: Path) -> None:
    """Install the framework, fill the page with its macros, and compile its style sheet."""
    tools = project.parents[2]
    styles = tools / "styles-vanilla"
    install_packages(styles, _STYLES, "npm")
    modules = (styles / "node_modules").resolve()
    run_tool([str(project.parents[1].resolve() / "bin/python"), "render.py", str(modules / "vanilla-framework/templates")], project)
    run_program([str(modules / ".bin/sass"), "--quiet", f"--load-path={modules}", "style.scss", "html/style.css"], project, tools)
    drop_fonts(project / "html/style.css")


def landing_gold(document: SourceDocument) -> str:
    """Return the gold text of a landing page: its title, its claim, and all entries."""
    return "\n".join((document.title, document.summary, *(line for entry in entries(document)[1:] for line in entry)))
