"""A weekly magazine (staticjinja) and a blog with readers' comments (Urubu): generators of Python with templates of ours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import comments_on
from benchmarks.sites.texts.documents import SourceDocument, to_html

_SECTIONS = ("Ports", "Ideas", "Science", "Books")
_WEEKLY = """
import json
from pathlib import Path
from staticjinja import Site
pages = json.loads(Path("pages.json").read_text("utf-8"))
def render(site, template, slug, **page):
    path = Path(site.outpath) / f"{slug}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(site.get_template("_story.html").render(slug=slug, **page), "utf-8")
site = Site.make_site(searchpath="templates", outpath="html", staticpaths=["weekly.css"])
site.render()
for page in pages:
    render(site, None, **page)
"""
_WEEKLY_STORY = """<!doctype html>
<html lang="{{ language }}"><head><meta charset="utf-8"><title>{{ title }} - NAME Weekly</title><link rel="stylesheet" href="weekly.css">
</head>
<body><header class="top"><div class="bar"><button>Menu</button><a class="logo" href="/">NAME <i>Weekly</i></a><span>
<a href="/in">Sign in</a>
<a class="sub" href="/subscribe">Subscribe</a></span></div>
<nav>{% for one in sections %}<a href="/{{ one|lower }}/">{{ one }}</a>{% endfor %}
</nav></header>
<main><p class="kicker">{{ section }}</p><h1>{{ title }}</h1><p class="standfirst">{{ lead }}</p>
<div class="meta"><img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='40'/%3E" alt="">
<div>Text by <a href="/ada">Ada Quay</a>, pictures by Bela Moore<br><time>{{ day }}</time>, {{ minutes }} minutes to read</div>
<ul><li><a href="#post">Share</a></li><li><a href="#keep">Save</a></li></ul></div>
<article>{{ body }}</article>
<aside class="letter"><h4>The Friday letter</h4><p>What we read this week, in your mail.</p><input placeholder="Address">
<button>Join</button></aside>
<p class="topics">Topics: {% for one in topics %}<a href="/{{ one }}">{{ one }}</a> {% endfor %}</p></main>
<section class="more"><h3>From the same issue</h3><div>{% for one in more %}<a class="card" href="{{ one.slug }}.html">
<small>{{ one.section }}
</small><b>{{ one.title }}</b><span>{{ one.lead }}</span></a>{% endfor %}</div></section>
<footer><div><b>NAME Weekly</b><br>Issue {{ issue }}, 12 Quay Street</div><div><a href="/about">Who we are</a> <a href="/jobs">Jobs</a>
<a href="/imprint">Imprint</a></div></footer></body></html>
"""
_WEEKLY_STYLE = """
body { margin: 0; font: 19px/1.65 "Noto Serif", serif; color: #222 } a { color: #0b5c52 } header.top { background: #0b5c52 }
.bar { display: flex; justify-content: space-between; align-items: center; padding: .8em 2em; color: #fff; font: 14px sans-serif }
.bar a { color: #fff; margin-left: 1em } .logo { font: 800 34px sans-serif; text-decoration: none }
.sub { border: 1px solid; padding: .3em 1em }
nav { background: #084a42; text-align: center; font: 14px sans-serif; padding: .6em }
nav a { color: #cfe; margin: 0 1em; text-decoration: none }
main { max-width: 720px; margin: 3em auto } .kicker { font: bold 14px sans-serif; color: #b3501b; text-transform: uppercase }
h1 { font-size: 46px; line-height: 1.15; margin: .2em 0 } .standfirst { font-size: 23px; color: #555 }
.meta { display: flex; gap: 1em; font: 14px/1.5 sans-serif; border: solid #ddd; border-width: 1px 0; padding: .8em 0 }
.meta ul { list-style: none; display: flex; gap: 1em; margin-left: auto }
article > p:first-child::first-letter { font-size: 64px; float: left;
line-height: .9; padding-right: 8px; color: #0b5c52 } article pre { background: #f3f1ea; padding: 1em; overflow: auto; font-size: 14px }
article table { border-collapse: collapse; font-size: 15px } td, th { border-bottom: 1px solid #ccc; padding: .4em .6em; text-align: left }
blockquote { font-size: 24px; border-left: 6px solid #b3501b; margin: 1em 0; padding-left: 1em }
.letter { background: #e6f2ef; padding: 1em 1.5em; margin: 2em 0; font: 15px sans-serif } .topics { font: 14px sans-serif }
.more { background: #f3f1ea; padding: 2em } .more div { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1.2em }
.card { display: block; background: #fff; padding: 1em; text-decoration: none; color: #222; font: 14px/1.5 sans-serif }
.card b, .card small,
.card span { display: block } footer { display: flex; justify-content: space-between; background: #222; color: #ccc; padding: 2em;
font: 14px sans-serif } footer a { color: #fff; margin-left: 1em }
"""
_URUBU_SETTINGS = "brand: NAME\nkeep_files: [CNAME]\n"
_URUBU_PAGE = """<!DOCTYPE html>
<html lang="{{ this.language }}"><head><meta charset="utf-8"><title>{{ this.title }} | {{ site.brand }}</title>
<link rel="stylesheet" href="/css/blog.css"></head><body><div id="cap"><a href="/">{{ site.brand }}</a><em>a skipper's diary</em></div>
<div id="cols"><div id="west"><h4>The skipper</h4><p>Ada Quay, forty years at sea, now ashore.</p><h4>Earlier</h4>
<ul>{% for one in this.near %}<li><a href="/{{ one[0] }}.html">{{ one[1] }}</a></li>{% endfor %}</ul><h4>Links</h4><ul><li>
<a href="https://example.org/a">Lightships</a></li><li><a href="https://example.org/b">Old ropes</a></li></ul></div>
<div id="mid"><div class="entry"><div class="stamp">{{ this.stamp }}</div><h2>{{ this.title }}</h2>{{ this.story }}
<div class="below">Filed under {% for one in this.topics %}<a href="/{{ one }}.html">{{ one }}</a> {% endfor %}| <a href="#talk">
{{ this.remarks|length }} replies</a></div></div>
<ol id="talk">{% for one in this.remarks %}<li><div class="who"><b>{{ one[0] }}</b> wrote on {{ one[1] }}</div><div class="what">
<p>{{ one[2] }}
</p></div><a href="#answer">Answer</a></li>{% endfor %}</ol>
<form id="answer"><h4>Your reply</h4><label>Name <input></label><label>Mail <input></label><textarea rows="5"></textarea>
<button>Publish</button></form></div></div><div id="foot">{{ site.brand }} has been written since 2003. Made with Urubu.</div></body></html>
"""
_URUBU_STYLE = """
body { margin: 0; background: #efe9dc; font: 16px/1.6 "Noto Sans", Verdana, sans-serif; color: #333 } a { color: #8a3324 }
#cap { background: #8a3324; padding: 1.5em 2em } #cap a { color: #fff; font-size: 30px; text-decoration: none } #cap em { color: #f3d9c9;
margin-left: 1em } #cols { display: flex; max-width: 1080px; margin: 1.5em auto; gap: 1.5em } #west { width: 230px; font-size: 14px }
#mid { flex: 1; min-width: 0 } .entry { background: #fff; padding: 1.5em 2em; border-radius: 6px }
.stamp { float: right; background: #efe9dc;
padding: .2em .8em; font-size: 13px } .below { border-top: 1px solid #ddd; font-size: 13px; padding-top: .6em; clear: both }
#talk { list-style: none; padding: 0 } #talk li { background: #f9f6ef; margin: .8em 0; padding: .8em 1.2em; border-left: 4px solid #8a3324 }
.who { font-size: 13px; color: #777 } #answer label { display: block } textarea { width: 100% } pre { background: #f4f1ea; padding: .8em;
overflow: auto } table { border-collapse: collapse } td, th { border: 1px solid #ddd; padding: .3em .6em; text-align: left }
#foot { text-align: center; font-size: 13px; padding: 1em }
"""


def write_weekly(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the stories of a magazine with others of the issue, and the template that is filled with them."""
    del theme
    names = [
        {"slug": document.slug, "title": document.title, "lead": document.summary, "section": _SECTIONS[number % len(_SECTIONS)]}
        for number, document in enumerate(documents)
    ]
    pages = [
        names[number]
        | {"language": document.language, "body": to_html(document), "day": f"{document.published:%d.%m.%Y}", "topics": document.tags}
        | {"minutes": len(to_html(document)) // 900 + 2, "issue": 40 + number // 5, "sections": _SECTIONS}
        | {"more": [names[(number + step) % len(names)] for step in (1, 2, 6, 11)]}
        for number, document in enumerate(documents)
    ]
    write_text(project / "pages.json", json.dumps(pages))
    write_text(project / "templates/_story.html", _WEEKLY_STORY.replace("NAME", NAME))
    write_text(project / "templates/weekly.css", _WEEKLY_STYLE)
    write_text(project / "build.py", _WEEKLY)


def build_weekly(project: Path) -> None:
    """Fill the template."""
    run_tool([str(project.parents[1].resolve() / "bin/python"), "build.py"], project)


def write_urubu(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a diary with their comments, and the layout."""
    del theme
    write_text(project / "_site.yml", _URUBU_SETTINGS.replace("NAME", NAME))
    write_text(project / "_layouts/post.html", _URUBU_PAGE)
    write_text(project / "css/blog.css", _URUBU_STYLE)
    content = [f"{document.slug}" for document in documents]
    write_text(project / "index.md", f"---\ntitle: {NAME}\nlayout: post\ncontent: {json.dumps(content)}\nremarks: []\ntopics: []\n---\n\n")
    for number, document in enumerate(documents):
        others = [documents[(number + step) % len(documents)] for step in (1, 2, 3, 7, 13)]
        head: dict[str, object] = {"title": document.title, "layout": "post", "language": document.language}
        head |= {"stamp": f"{document.published:%d.%m.%Y}", "topics": list(document.tags), "story": to_html(document)}
        head |= {"near": [[other.slug, other.title] for other in others]}
        head |= {"remarks": [[reader, f"{day:%d.%m.%Y}", text] for reader, day, text in comments_on(documents, number)]}
        lines = "".join(f"{name}: {json.dumps(value)}\n" for name, value in head.items())
        write_text(project / f"{document.slug}.md", f"---\n{lines}---\n\n")


def build_urubu(project: Path) -> None:
    """Build the diary."""
    run_tool([str(project.parents[1].resolve() / "bin/urubu"), "build"], project)
