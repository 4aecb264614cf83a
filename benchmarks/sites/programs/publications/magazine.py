"""A magazine: Metalsmith with a layout of ours, a column of the most read stories, others beside and below, and a newsletter."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

METALSMITH = (
    *("metalsmith@2.7.0", "@metalsmith/layouts@3.0.0", "@metalsmith/markdown@1.10.0", "@metalsmith/permalinks@3.2.0"),
    *("jstransformer-nunjucks@1.2.0", "nunjucks@3.2.4"),
)
_TOPICS = ("Costa", "Ciudad", "Oficios")
_SETTINGS = {
    "source": "stories",
    "destination": "html",
    "plugins": [
        {"@metalsmith/markdown": {"engineOptions": {"gfm": True}}},
        {"@metalsmith/permalinks": {}},
        {"@metalsmith/layouts": {"directory": "layouts", "default": "story.njk", "pattern": "**/*.html", "transform": "nunjucks"}},
    ],
}
_LAYOUT = """<!DOCTYPE html>
<html lang="{{ language }}"><head><meta charset="utf-8"><title>{{ title }} | NAME</title>
<meta name="description" content="{{ lead }}"><link rel="stylesheet" href="/magazine.css"></head><body>
<div class="strip"><span>{{ issue }}</span><a href="/subscribe/">Suscríbase por 3 € al mes</a><a href="/login/">Entrar</a></div>
<div class="head"><a href="/">NAME</a><ul>{% for name in topics %}<li><a href="/{{ name }}/">{{ name }}</a></li>{% endfor %}</ul></div>
<div class="lede"><p class="kicker">{{ topic }}</p><h1>{{ title }}</h1><p class="lead">{{ lead }}</p>
<p class="by">Por <a href="/ada/">Ada Quay</a> · {{ day }} · 4 min</p></div>
<div class="body"><div class="share"><a href="#">f</a><a href="#">x</a><a href="#">@</a></div><div class="story">{{ contents | safe }}</div>
<div class="rail"><h4>Lo más leído</h4><ol>{% for one in read %}<li><a href="/{{ one.slug }}/">{{ one.title }}</a></li>{% endfor %}</ol>
<div class="ad">Publicidad</div><h4>Boletín</h4><p>Cada viernes, el puerto en su correo.</p>
<form><input><button>Enviar</button></form></div></div>
<div class="more"><h3>Más en NAME</h3><div>{% for one in more %}<div class="tile"><a href="/{{ one.slug }}/">{{ one.title }}</a>
<p>{{ one.lead }}</p></div>{% endfor %}</div></div>
<div class="foot"><b>NAME</b><p>Editada en el puerto de Quay desde 1954. Todos los derechos reservados.</p>
<a href="/contact/">Contacto</a> <a href="/privacy/">Privacidad</a> <a href="/jobs/">Empleo</a></div></body></html>
"""
_STYLE = """
* { box-sizing: border-box } body { margin: 0; font: 18px/1.65 Charter, "Noto Serif", serif; color: #1b1b1b; background: #fffaf3 }
.strip { display: flex; gap: 2em; padding: .4em 2em; background: #0f5b4f; color: #fff; font: 13px sans-serif } .strip a { color: #ffd58a }
.head { padding: 1em 2em; border-bottom: 1px solid #0f5b4f; display: flex; align-items: baseline; gap: 3em } a { color: inherit }
.head > a { font: 900 40px/1 "Noto Serif", serif; text-decoration: none }
.head ul { display: flex; gap: 1.6em; list-style: none; margin: 0 }
.lede { max-width: 860px; margin: 2.5em auto 1.5em; text-align: center } .kicker { color: #c2452d; font: bold 14px sans-serif; margin: 0 }
.lede h1 { font-size: 46px; line-height: 1.12; margin: .2em 0 } .lead { font-size: 22px; color: #555; margin: 0 }
.by { font: 14px sans-serif; color: #777 }
.body { display: grid; grid-template-columns: 60px minmax(0, 1fr) 260px; gap: 2em; max-width: 1160px; margin: auto; padding: 0 1em }
.share a { display: block; width: 36px; height: 36px; border: 1px solid #ccc; border-radius: 50%; text-align: center; margin: .5em 0 }
.rail { font: 14px/1.5 sans-serif } .rail h4 { border-top: 4px solid #c2452d; padding-top: .4em } .ad { background: #eee; height: 220px }
.story h2 { font-size: 27px } .story pre { background: #f2ebdf; padding: 1em; overflow: auto; font-size: 14px }
.story td, .story th { border-bottom: 1px solid #ccc; padding: .3em .7em; text-align: left; vertical-align: top }
.story blockquote { border-left: 5px solid #c2452d; margin: 1em 0; padding-left: 1.2em; font-style: italic }
.more { background: #f2ebdf; padding: 1.5em 3em; margin-top: 3em }
.more > div { display: grid; grid-template-columns: repeat(3, 1fr); gap: 2em }
.tile { border-top: 1px solid #1b1b1b; padding-top: .6em; font-size: 16px } .tile a { font-weight: bold; text-decoration: none }
.foot { background: #1b1b1b; color: #ddd; padding: 2em 3em; font: 14px sans-serif }
"""


def write_metalsmith(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the stories with the stories beside and below them, the layout and the settings."""
    del theme
    write_text(project / "metalsmith.json", json.dumps(_SETTINGS))
    write_text(project / "package.json", json.dumps({"name": "site", "private": True}))
    write_text(project / "layouts/story.njk", _LAYOUT.replace("NAME", NAME))
    write_text(project / "stories/magazine.css", _STYLE)
    names = [{"slug": document.slug, "title": document.title, "lead": document.summary} for document in documents]
    for number, document in enumerate(documents):
        head = {
            "language": document.language,
            "title": document.title,
            "lead": document.summary,
            "topic": _TOPICS[number % 3],
            "topics": [*_TOPICS, "Opinión", "Tiempo"],
            "day": f"{document.published:%d/%m/%Y}",
            "issue": f"Número {number + 311}",
            "read": [names[(7 * step + 3) % len(names)] for step in range(6)],
            "more": [names[(number + step) % len(names)] for step in (1, 2, 5)],
        }
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        write_text(project / f"stories/{document.slug}.md", f"---\n{front}---\n\n{to_markdown(document)}")


def build_metalsmith(project: Path) -> None:
    """Build the site."""
    tools = project.parents[1].resolve()
    run_program([str(tools / "node_modules/.bin/metalsmith")], project, tools.parent)
