"""A made-up magazine of any number of pages, served on loopback: four templates, static or with two that scripts build.

Pages are like those of a content management system: 20 to 50 kB of HTML with a menu, a column of teasers with pictures, related links and a
footer; a style sheet and a script. The same seed gives the same pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from random import Random

from aiohttp import web

from sightread.server.http import serve_on_loopback

SECTIONS = ("news", "guides", "stories", "reports")
"""One template each. With scripts, stories are built into an empty root, and reports replace a placeholder."""
SCRIPTED = SECTIONS[2:]
FRONT_TEASERS = 60
"""Pages that the front page links to; the sitemap has all."""
_PLAIN = re.findall(
    r"\w+",
    """the the the the a a of of of to to and and in in that is was for on with as by at from it its had were their which this be are not
    has have they after before when while between under over into about more than other some new old small large first last next""",
)
_WORDS = re.findall(
    r"\w+",
    """river bridge council winter market song letter garden stone harbour light morning road village engine paper station library window
    teacher farmer season summer forest valley mountain ferry kitchen bread copper silver railway museum festival painter orchestra
    budget contract meeting report survey repair storm flood harvest journey voyage border office school hospital theatre factory
    workshop carpenter sailor engineer writer reader neighbour visitor owner builder began opened closed moved carried followed reached
    measured counted planned promised expected described returned changed helped found kept built bought sold painted crossed""",
)
_SYLLABLES = re.findall(
    r"\w+", "ka len mor ti ro sa vel du an bri cor del fen gar hol is jun lam ned or pel quin ras tor ul ver wen yar zo"
)
_MENU = (
    "<li class='menu-item'><a class='menu-link' href='/{section}/'><svg class='icon' viewBox='0 0 16 16'>"
    "<path d='{path}'/></svg>{text}</a></li>"
)


class Article:
    """The text of one page."""

    def __init__(self, row: int, seed: int) -> None:
        chance = self._chance = Random(f"{seed} {row}")
        names = ["".join(chance.choices(_SYLLABLES, k=3)).capitalize() for _ in range(4)]
        self._names = names
        self.title = f"{names[0]} {chance.choice(_WORDS)} {' '.join(chance.choices(_WORDS, k=3))} {names[1]}"
        self.lead = self._sentence(22)

    def paragraphs(self) -> list[str]:
        """Return the body, paragraph by paragraph; once per article, since it is drawn."""
        return [
            " ".join(self._sentence(self._chance.randint(8, 26)) for _ in range(self._chance.randint(3, 7)))
            for _ in range(self._chance.randint(12, 60))
        ]

    def _sentence(self, words: int) -> str:
        chance = self._chance
        drawn = [chance.choice(_PLAIN if chance.random() < 0.5 else self._names if chance.random() < 0.1 else _WORDS) for _ in range(words)]
        return f"{drawn[0].capitalize()} {' '.join(drawn[1:])}."


@dataclass(frozen=True)
class LocalSite:
    """The site: its number of articles, whether two of its templates need scripts, and its seed."""

    count: int
    is_mixed: bool = False
    seed: int = 0

    @cached_property
    def paths(self) -> list[str]:
        """Paths of the articles."""
        return [f"/{SECTIONS[row % 4]}/{row:05}-{self._article(row).title.lower().replace(' ', '-')}" for row in range(self.count)]

    def needs_scripts(self, path: str) -> bool:
        """Return whether the HTML of an article lacks its text."""
        return self.is_mixed and path.split("/")[1] in SCRIPTED

    def _article(self, row: int) -> Article:
        return Article(row, self.seed)

    def html(self, row: int) -> str:
        """Return the HTML of an article."""
        section, article = SECTIONS[row % 4], self._article(row)
        paragraphs = article.paragraphs()
        body, script = _body(section, article, paragraphs), ""
        if self.is_mixed and section == "stories":
            data = json.dumps({"html": body})
            body = '<div id="app" class="app"></div>'
            get = f"fetch('/data/{row}.json').then(found => found.json())" if row % 8 == 2 else f"Promise.resolve({data})"
            script = f"<script>{get}.then(found => {{ document.getElementById('app').innerHTML = found.html }})</script>"
        if self.is_mixed and section == "reports":
            data = json.dumps({"html": body})
            preview = "".join(f'<p class="report-text">{paragraph[:200]} …</p>' for paragraph in paragraphs[:3])
            body = (
                f'<div id="report" class="report report--preview"><h1 class="report-title">{article.title}</h1>{preview}'
                f'<p class="report-text">{Article(row, self.seed + 1).lead} Read the whole report with a subscription.</p></div>'
            )
            script = f"<script>document.getElementById('report').outerHTML = {data}.html</script>"
        return self._page(row, article, body, script)

    def data(self, row: int) -> str:
        """Return what the script of a page fetches."""
        article = self._article(row)
        return json.dumps({"html": _body(SECTIONS[row % 4], article, article.paragraphs())})

    def _page(self, row: int, article: Article, body: str, script: str) -> str:
        chance = Random(f"page {row}")
        near = [(row + step) % self.count for step in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)]
        related = "".join(
            f"<li class='related-item'><a href='{self.paths[each]}'>{self._article(each).title}</a></li>" for each in near[:6]
        )
        return (
            f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{article.title} | The Local Magazine</title>"
            f"<meta name='description' content='{article.lead}'><link rel='stylesheet' href='/style.css'></head>"
            f"<body class='page'>{_HEADER}<div class='columns'><main class='main'>{body}"
            f"<section class='related'><h2>Related articles</h2><ul>{related}</ul></section></main>"
            f"<aside class='rail'><h2 class='rail-title'>Most read</h2>{self._teasers(near)}"
            f"<div class='promo'><p>Our newsletter arrives each {chance.choice(('Monday', 'Friday'))}, with what to read.</p></div>"
            f"</aside></div>{_FOOTER}<script src='/site.js'></script>{script}</body></html>"
        )

    def _teasers(self, rows: list[int]) -> str:
        teasers = []
        for row in rows:
            article, path = self._article(row), self.paths[row]
            teasers.append(
                f"<div class='teaser'><img class='thumb' src='/images/{row}.svg' width='96' height='64' alt=''>"
                f"<h3 class='teaser-title'><a href='{path}'>{article.title}</a></h3>"
                f"<p class='teaser-text'>{article.lead}</p><span class='teaser-date'>{row % 28 + 1} May</span></div>"
            )
        return "".join(teasers)

    def front(self) -> str:
        """Return the front page."""
        rows = list(range(min(FRONT_TEASERS, self.count)))
        return (
            "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>The Local Magazine</title>"
            f"<link rel='stylesheet' href='/style.css'></head><body class='page'>{_HEADER}"
            f"<main class='front'>{self._teasers(rows)}</main>{_FOOTER}"
        )

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[str]:
        """Serve the site on loopback, and yield its address without a trailing slash."""
        bodies = {path: (self.html(row), "text/html") for row, path in enumerate(self.paths)}
        bodies |= {"/": (self.front(), "text/html"), "/style.css": (_STYLE, "text/css"), "/site.js": (_SCRIPT, "text/javascript")}

        async def answer(request: web.Request) -> web.Response:
            path = request.path
            if path.startswith("/data/"):
                return web.Response(text=self.data(int(path[6:].removesuffix(".json"))), content_type="application/json")
            if path.startswith("/images/"):
                return web.Response(text=_picture(path), content_type="image/svg+xml")
            if path == "/sitemap.xml":
                places = "".join(f"<url><loc>{request.url.origin()}{each}</loc></url>" for each in self.paths)
                text = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{places}</urlset>"
                return web.Response(text=text, content_type="application/xml")
            text, kind = bodies.get(path, ("", ""))
            return web.Response(text=text, content_type=kind) if kind else web.Response(status=404)

        app = web.Application()
        app.router.add_get("/{path:.*}", answer)
        async with serve_on_loopback(app) as root:
            yield root


def _body(section: str, article: Article, paragraphs: list[str]) -> str:
    """Return the article by the template of its section."""
    title, lead = article.title, article.lead
    parts = [paragraphs[start : start + 4] for start in range(0, len(paragraphs), 4)]
    if section == "news":
        text = "".join(f'<p class="story-text">{each}</p>' for each in paragraphs)
        head = f'<h1 class="headline">{title}</h1><p class="standfirst">{lead}</p><p class="byline">By our staff</p>'
        return f'<article class="story"><header class="story-head">{head}</header><div class="story-body">{text}</div></article>'
    if section == "guides":
        steps = "".join(
            f'<section class="step"><h2 class="step-title">{number}. {part[0][:40]}</h2><p>{"</p><p>".join(part)}</p></section>'
            for number, part in enumerate(parts, 1)
        )
        head = f'<h1 class="guide-title">{title}</h1><div class="guide-intro">{lead}</div>'
        return f'<div class="guide">{head}<div class="steps">{steps}</div></div>'
    if section == "stories":
        text = "".join(f'<div class="chapter"><p class="chapter-text">{"</p><p>".join(part)}</p><hr class="rule"></div>' for part in parts)
        return f'<div class="long-read"><h1 class="long-title">{title}</h1><p class="long-lead">{lead}</p>{text}</div>'
    text = "".join(f'<p class="report-text">{each}</p>' for each in paragraphs)
    points = "".join(f"<li>{each.split('.')[0]}.</li>" for each in paragraphs[:5])
    box = f'<div class="key-points"><h2>Key points</h2><ul>{points}</ul></div>'
    return (
        f'<div id="report" class="report report--full"><h1 class="report-title">{title}</h1><p class="abstract">{lead}</p>{box}{text}</div>'
    )


def _picture(name: str) -> str:
    chance = Random(name)
    circles = (f"<circle cx='{chance.randint(0, 96)}' cy='{chance.randint(0, 64)}' r='{chance.randint(2, 20)}'/>" for _ in range(40))
    return f"<svg xmlns='http://www.w3.org/2000/svg' width='96' height='64' fill-opacity='.3'>{''.join(circles)}</svg>"


def _menu() -> str:
    chance = Random("menu")
    items = (
        _MENU.format(
            section=chance.choice(SECTIONS),
            path="".join(
                f"M{chance.randint(0, 16)} {chance.randint(0, 16)}h{chance.randint(1, 9)}v{chance.randint(1, 9)}z" for _ in range(8)
            ),
            text=" ".join(chance.choices(_WORDS, k=2)).capitalize(),
        )
        for _ in range(36)
    )
    return "".join(items)


_HEADER = (
    "<header class='top'><a class='logo' href='/'>The Local Magazine</a>"
    f"<nav class='menu'><ul class='menu-list'>{_menu()}</ul></nav></header>"
)
_FOOTER = (
    "<footer class='bottom'><p class='imprint'>The Local Magazine is printed in the harbour. All rights reserved.</p>"
    "<p><a href='/about'>About us</a> <a href='/terms'>Terms of use</a> <a href='/privacy'>Privacy</a></p></footer>"
)
_STYLE = """
body { margin: 0; font: 17px/1.6 Georgia, serif; color: #222 }
.top, .bottom { background: #123; color: #fff; padding: 12px 24px }
.menu-list { display: flex; flex-wrap: wrap; list-style: none; font: 13px sans-serif; padding: 0 }
.menu-item { margin: 2px 12px }
.menu-link, .top a, .bottom a { color: #cde; text-decoration: none }
.icon { width: 12px; height: 12px; fill: #89a }
.columns { display: flex; max-width: 1200px; margin: 24px auto }
.main { width: 760px }
.rail { width: 340px; margin-left: 48px; font: 14px sans-serif }
h1 { font-size: 38px; line-height: 1.15 }
.standfirst, .guide-intro, .long-lead, .abstract { font-size: 21px; color: #444 }
.byline { color: #888; font-size: 13px }
.step { border-left: 3px solid #c84; padding-left: 16px }
.long-read { font-size: 19px }
.rule { width: 80px }
.key-points { background: #eef; padding: 16px }
.teaser { border-top: 1px solid #ccc; padding: 8px 0 }
.teaser-date { color: #999; font-size: 12px }
.related { border-top: 4px solid #123 }
.promo { background: #fed; padding: 12px }
.front { columns: 3; max-width: 1200px; margin: 24px auto; font: 14px sans-serif }
"""
_SCRIPT = """
for (const link of document.querySelectorAll(".menu-link")) link.addEventListener("mouseenter", () => link.classList.add("over"));
document.documentElement.dataset.ready = String(document.querySelectorAll("p").length);
"""
