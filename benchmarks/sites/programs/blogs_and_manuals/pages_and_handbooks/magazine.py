"""A daily newspaper: Harp, a static server and compiler of Node.js, with a layout of ours in four columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, to_html

_DESKS = ("Harbour", "City", "Trade", "Culture", "Weather")
_LAYOUT = """<!doctype html>
<html lang="<%= language %>"><head><meta charset="utf-8"><title><%= title %> | NAME</title><link rel="stylesheet" href="/paper.css"></head>
<body><div class="page"><div class="ears"><span>Late edition</span><span>Price: 2.40</span><a href="/login.html">Sign in</a></div>
<div class="masthead"><a href="/">NAME</a></div>
<ul class="desks"><% for (const one of desks) { %><li><a href="/<%= one.toLowerCase() %>/"><%= one %></a></li><% } %></ul>
<div class="ticker"><b>Live</b> <a href="/<%= ticker.slug %>.html"><%= ticker.title %></a></div>
<div class="sheet"><div class="left"><h5>In this section</h5><% for (const one of section) { %><div class="brief">
<a href="/<%= one.slug %>.html"><%= one.title %></a><p><%= one.lead %></p></div><% } %></div>
<div class="story"><div class="desk"><%= desk %></div><h1><%= title %></h1><h2 class="deck"><%= lead %></h2>
<div class="credit">By ADA QUAY and BELA MOORE <time><%= day %></time> <a href="#">Save</a> <a href="#">Print</a></div>
<div class="text"><%- yield %></div>
<div class="tail">Ada Quay has written on ports since 1998. Corrections: desk@example.org</div></div>
<div class="right"><div class="notice">Advertisement</div><h5>Most read</h5><ol><% for (const one of read) { %>
<li><a href="/<%= one.slug %>.html"><%= one.title %></a></li><% } %></ol><h5>Tides today</h5><p>High 06:12, low 12:31, high 18:40</p>
</div></div>
<div class="strip"><% for (const one of more) { %><div><small><%= one.desk %></small><a href="/<%= one.slug %>.html"><%= one.title %></a>
</div>
<% } %></div><div class="colophon">NAME, founded in 1871. <a href="/jobs.html">Jobs</a> <a href="/ads.html">Advertise</a></div></div>
</body></html>
"""
_STYLE = """
body { margin: 0; background: #d9d6cf; font: 17px/1.55 "Noto Serif", Georgia, serif; color: #1a1a1a }
.page { max-width: 1240px; margin: auto; background: #fffdf8; padding: 0 1.5em } a { color: inherit; text-decoration: none }
.ears { display: flex; justify-content: space-between; font: 12px sans-serif; padding: .6em 0 }
.masthead { text-align: center; font: 900 58px/1.2 "Noto Serif", serif; border-bottom: 1px solid #1a1a1a }
.desks { display: flex; justify-content: center; gap: 2.5em; list-style: none; margin: 0; padding: .5em; border-bottom: 4px double #1a1a1a }
.ticker { font: 14px sans-serif; padding: .6em 0 } .ticker b { background: #b3131b; color: #fff; padding: 0 .5em }
.sheet { display: grid; grid-template-columns: 200px minmax(0, 1fr) 220px; gap: 1.6em }
.left, .right { font-size: 14px } .left { border-right: 1px solid #bbb; padding-right: 1em }
.right { border-left: 1px solid #bbb; padding-left: 1em }
h5 { font: bold 12px sans-serif; border-top: 3px solid #1a1a1a; padding-top: .5em } .brief a { font-weight: bold }
.desk { font: bold 13px sans-serif; color: #b3131b } h1 { font-size: 42px; line-height: 1.15; margin: .1em 0 }
.deck { font-size: 20px; font-weight: normal; font-style: italic } .credit { font: 12px sans-serif; color: #666;
border-bottom: 1px solid #bbb }
.text pre { background: #f0ede6; padding: .8em; overflow: auto; font-size: 13px } .text h2 { font-size: 22px }
.text td, .text th { border: 1px solid #bbb; padding: .3em .6em; text-align: left; font-size: 15px }
.text table { border-collapse: collapse }
.tail { font-style: italic; font-size: 14px; color: #666 } .notice { height: 240px; background: #e8e4da; text-align: center;
font: 11px sans-serif }
.strip { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1em; border-top: 4px double #1a1a1a; margin-top: 2em; padding: 1em 0 }
.strip small { display: block; color: #b3131b } .colophon { font: 12px sans-serif; border-top: 1px solid #1a1a1a; padding: 1em 0 }
"""


def write_harp(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the stories with those beside and below them, and the layout."""
    del theme
    names = [
        {"slug": document.slug, "title": document.title, "lead": document.summary, "desk": _DESKS[number % len(_DESKS)]}
        for number, document in enumerate(documents)
    ]
    data = {
        document.slug: names[number]
        | {
            "language": document.language,
            "day": f"{document.published:%d.%m.%Y}",
            "desks": _DESKS,
            "ticker": names[(number + 3) % len(names)],
            "section": [names[(number + step) % len(names)] for step in (5, 10, 15)],
            "read": [names[(6 * step + 2) % len(names)] for step in range(5)],
            "more": [names[(number + step) % len(names)] for step in (1, 2, 7, 9)],
        }
        for number, document in enumerate(documents)
    }
    write_text(project / "paper/_data.json", json.dumps(data))
    write_text(project / "paper/_layout.ejs", _LAYOUT.replace("NAME", NAME))
    write_text(project / "paper/paper.css", _STYLE)
    for document in documents:
        write_text(project / f"paper/{document.slug}.ejs", to_html(document) + "\n")


def build_harp(project: Path) -> None:
    """Build the site."""
    tools = project.parents[1].resolve()
    run_program([str(tools / "node_modules/.bin/harp"), "paper", "html"], project, tools.parent)
