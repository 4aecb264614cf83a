"""A river of news: the template of osmosfeed, filled without the network, with a menu and a footer in its places for snippets."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publishing_sites.listings import entries
from benchmarks.sites.texts.documents import FIGURES, SourceDocument, write_media

_RENDER = """
const fs = require('fs'), handlebars = require('handlebars');
let text = fs.readFileSync('node_modules/@osmoscraft/osmosfeed/bin/system-templates/index.hbs', 'utf8');
text = text.replace('<!-- %after-body-begin.html% -->', () => fs.readFileSync('after-body-begin.html', 'utf8'))
  .replace('<!-- %before-body-end.html% -->', () => fs.readFileSync('before-body-end.html', 'utf8'));
const page = handlebars.compile(text);
for (const one of JSON.parse(fs.readFileSync('documents.json')))
  fs.writeFileSync(`html/${one.slug}.html`, page(one).replace('<html lang="en">', `<html lang="${one.language}">`));
"""
_BEGIN = """<nav style="display: flex; gap: 2rem; padding: 1rem 1.5rem; font-size: 1.8rem"><b>{{siteTitle}}</b>{{#each near}}
<a class="footer-link" href="{{slug}}.html">{{title}}</a>{{/each}}<a class="footer-link" href="/">All sources</a></nav>"""
_END = """<footer><a class="footer-link" href="/">Imprint</a>
<a class="footer-link" href="/">Feed</a><a class="footer-link" href="/">About</a></footer>"""
_SOURCES = ("Harbour news", "Notes of a pilot", "The rope walk", "Maps in the margin", "A winter ashore")


def write_river(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the news of some days per document: its entries, by day and source."""
    del theme
    (project / "node_modules").symlink_to((project.parents[1] / "node_modules").resolve())
    written = []
    for number, document in enumerate(documents):
        found, dates = entries(document), []
        for day in range(0, len(found), 3):
            when = document.published - timedelta(days=day // 3)
            articles = [
                {
                    "id": f"{number}-{day + place}",
                    "title": title,
                    "description": text,
                    "link": "/",
                    "readingTimeInMin": 1 + (number + place) % 9,
                }
                | ({"imageUrl": f"figure-{(number + day + place) % FIGURES}.png"} if (number + day + place) % 3 == 0 else {})
                for place, (title, text) in enumerate(found[day : day + 3])
            ]
            groups = [articles[:2], articles[2:]] if (number + day) % 2 else [articles]
            sources = [
                {"title": _SOURCES[(number + day + place) % 5], "siteUrl": "/", "articles": group}
                for place, group in enumerate(groups)
                if group
            ]
            dates.append({"isoOffsetPublishDate": f"{when}", "isoUtcPublishTime": f"{when}T00:00:00.000Z", "sources": sources})
        near = [documents[(number + step) % len(documents)] for step in (1, 2, 3)]
        written.append(
            {"slug": document.slug, "language": document.language, "siteTitle": NAME, "dates": dates, "feedHref": "feed.atom"}
            | {"near": [{"slug": one.slug, "title": f"{one.published:%d %B}"} for one in near], "cliVersion": "1.15.1", "projectUrl": "/"}
            | {"siteBuildTimestamp": f"{document.published}T20:15:00.000Z"}
        )
    write_text(project / "documents.json", json.dumps(written))
    write_text(project / "after-body-begin.html", _BEGIN)
    write_text(project / "before-body-end.html", _END)
    write_text(project / "render.cjs", _RENDER)
    write_media(project / "html")


def build_river(project: Path) -> None:
    """Fill the template, and copy the program's style sheet and scripts."""
    run_program(["node", "render.cjs"], project, project.parents[2])
    shutil.copytree(project / "node_modules/@osmoscraft/osmosfeed/bin/system-static", project / "html", dirs_exist_ok=True)
