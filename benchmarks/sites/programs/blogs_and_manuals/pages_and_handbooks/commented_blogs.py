"""Blogs with readers' comments: Blosxom of Debian, and ElephantBlog, an application of Django; both are in frames of ours."""

from __future__ import annotations

import html
import os
from calendar import timegm
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import commented, comments_on
from benchmarks.sites.texts.documents import SourceDocument, to_html
from sightread.render.errors import Rejected

_BLOSXOM = Path("/usr/lib/cgi-bin/blosxom")
_FOLDERS = ("harbour", "ferries", "workshop")
_BLOSXOM_SETTINGS = """
$blog_title = "NAME"; $blog_language = "LANGUAGE"; $datadir = "FOLDER/posts"; $url = ""; $plugin_dir = "FOLDER/plugins";
$static_dir = "FOLDER/html"; $static_password = "known"; @static_flavours = qw/html/; $static_entries = 1; $num_entries = 5;
1;
"""
_BLOSXOM_PLUGIN = """package writeback;
sub start { 1 }
sub story {
  my ($self, $path, $name) = @_;
  our $writebacks = "";
  if (open my $file, "<", "$blosxom::datadir/../writebacks/$name.wb") { local $/; $writebacks = <$file>; }
  1;
}
1;
"""
"""Its writeback plugin is not in the package: this one only shows comments."""
_BLOSXOM_FLAVOUR = {
    "content_type": "text/html; charset=utf-8",
    "head": """<!DOCTYPE html>
<html lang="LANGUAGE"><head><meta charset="utf-8"><title>NAME $blog_path</title><link rel="stylesheet" href="/blosxom.css"></head><body>
<table class="page"><tr><td colspan="2" class="banner"><a href="/">NAME</a><br><small>Ada Quay's weblog since 2003</small></td></tr>
<tr><td class="side"><form><input size="14"><input type="submit" value="Search"></form>
<b>Categories</b><ul><li><a href="/harbour/">harbour</a> (9)<li><a href="/ferries/">ferries</a> (8)<li><a href="/workshop/">workshop</a> (8)
</ul><b>Recent</b><ul>LATEST</ul><b>Blogroll</b><ul><li><a href="https://example.org/a">Lighthouse log</a>
<li><a href="https://example.org/b">Knots and ropes</a></ul><a href="/index.rss">RSS</a></td><td class="posts">
""",
    "date": '<div class="day">$dw, $da $mo $yr</div>\n',
    "story": """<div class="post"><h2><a name="$fn">$title</a></h2>
<div class="text">$body</div>
<p class="posted">posted at: $ti | path: <a href="$path">$path</a> | <a href="$path/$fn.html">permanent link</a>
</p></div><div class="writebacks">$writeback::writebacks<form><p>Name: <input><br>URL: <input><br>Comment:<br><textarea rows="4"></textarea>
<br><input type="submit" value="Post"></p></form></div>
""",
    "foot": '</td></tr><tr><td colspan="2" class="banner"><small>NAME, powered by Blosxom</small></td></tr></table></body></html>\n',
}
_BLOSXOM_STYLE = """
body { margin: 1em; background: #dfe3ea; font: 15px/1.6 Verdana, "Noto Sans", sans-serif; color: #223 } a { color: #345a8a }
.page { width: 980px; margin: auto; background: #fff; border-collapse: collapse; border: 1px solid #889 } td { vertical-align: top }
.banner { background: #345a8a; color: #dde; padding: 1em; font-size: 24px } .banner a { color: #fff; text-decoration: none }
.banner small { font-size: 12px } .side { width: 200px; padding: 1em; background: #f1f3f7; font-size: 12px }
.side ul { padding-left: 1.2em }
.posts { padding: 1em 1.6em } .day { font-size: 12px; color: #667; border-bottom: 1px dotted #889 } .posted { font-size: 11px; color: #667 }
.writebacks { background: #f1f3f7; padding: .6em 1em; font-size: 13px } .wb { border-top: 1px solid #ccd } pre { background: #f1f3f7 }
.text table td, .text table th { border: 1px solid #ccd; padding: .2em .5em; text-align: left } textarea { width: 100% }
"""
_ELEPHANT_MODELS = """
from django.db import models
from django.utils.safestring import mark_safe
from elephantblog.models import Entry
class Text(models.Model):
    text = models.TextField()
    class Meta:
        abstract = True
    def render(self, **names):
        return mark_safe(self.text)
Entry.register_regions(("main", "Main"))
Entry.create_content_type(Text)
"""
_ELEPHANT_FRAME = """{% load static comments elephantblog_tags %}<!DOCTYPE html>
<html lang="{{ LANGUAGE_CODE }}"><head><meta charset="utf-8"><title>{% block title %}NAME{% endblock %}</title>
<link rel="stylesheet" href="{% static 'elephant.css' %}"></head><body><div id="top"><div class="wrap"><a href="/" id="logo">NAME</a>
<ul id="menu"><li><a href="/">Blog</a></li><li><a href="/category/ferries/">Ferries</a></li><li><a href="/about/">About us</a></li></ul>
<form id="find"><input placeholder="Search"></form></div></div>
<div class="wrap grid"><div id="main">{% block content %}{% endblock %}{% if entry %}<section id="talk">
{% get_comment_count for entry as number %}<h3>{{ number }} comments</h3>{% render_comment_list for entry %}
{% render_comment_form for entry %}</section>{% endif %}</div>
<div id="aside"><div class="box"><h4>Topics</h4><ul>{% elephantblog_categories as topics %}{% for one in topics %}
<li><a href="{{ one.get_absolute_url }}">{{ one }}</a></li>{% endfor %}</ul></div>
<div class="box"><h4>Latest</h4><ul>{% elephantblog_entries limit=6 as latest %}{% for one in latest %}
<li><a href="{{ one.get_absolute_url }}">{{ one }}</a></li>{% endfor %}</ul></div>
<div class="box"><h4>Newsletter</h4><p>One letter per month, no more.</p><input placeholder="Your address"> <button>Join</button></div>
</div></div>
<div id="bottom"><div class="wrap">NAME, 12 Quay Street. Opening hours: 8 to 17. <a href="/imprint/">Imprint</a></div></div></body></html>
"""
_ELEPHANT_STYLE = """
body { margin: 0; font: 16px/1.7 "Open Sans", "Noto Sans", sans-serif; color: #333; background: #faf7f2 } a { color: #9a3b26 }
.wrap { max-width: 1100px; margin: auto } #top { background: #26363d } #top .wrap { display: flex; align-items: center; gap: 2em }
#logo { color: #ffd9a0; font-size: 26px; padding: .5em 0; text-decoration: none } #menu { display: flex; gap: 1.5em; list-style: none }
#menu a { color: #fff } .grid { display: grid; grid-template-columns: minmax(0, 3fr) 1fr; gap: 3em; padding: 2em 0 }
.entry-title { font-size: 34px; line-height: 1.25; margin: 0 } .byline { color: #888; font-size: 13px } .box { background: #fff;
padding: .5em 1.2em }
.box + .box { margin-top: 1.2em } .box ul { padding-left: 1.1em; font-size: 14px } pre { background: #fff; padding: 1em; overflow: auto }
table { border-collapse: collapse } td, th { padding: .35em .7em; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top }
#talk { border-top: 3px solid #26363d; margin-top: 3em } #comments dt { color: #888; font-size: 13px; margin-top: 1em }
#comments dd { margin: 0 }
#bottom { background: #26363d; color: #ccc; padding: 1.5em 0; font-size: 14px } textarea { width: 100%; height: 6em }
"""


def write_blosxom(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts with their comments, the flavour, and the settings."""
    del theme
    if not _BLOSXOM.is_file():
        raise Rejected("needs the blog: apt-get install blosxom")
    latest = "".join(f'<li><a href="/{blosxom_page(one)}">{html.escape(one.title)}</a>' for one in documents[-7:])
    names = {"NAME": NAME, "LANGUAGE": documents[0].language, "LATEST": latest, "FOLDER": str(project.resolve())}
    files = {f"posts/{name}.html": text for name, text in _BLOSXOM_FLAVOUR.items()}
    files |= {"blosxom.conf": _BLOSXOM_SETTINGS, "plugins/writeback": _BLOSXOM_PLUGIN, "html/blosxom.css": _BLOSXOM_STYLE}
    for place, text in files.items():
        for name, value in names.items():
            text = text.replace(name, value)
        write_text(project / place, text)
    for number, document in enumerate(documents):
        path = project / "posts" / blosxom_page(document).replace(".html", ".txt")
        write_text(path, f"{document.title}\n{to_html(document)}\n")
        when = timegm(document.published.timetuple()) + 8 * 3600
        os.utime(path, (when, when))
        comments = "".join(
            f'<div class="wb"><p>{html.escape(text)}</p><p class="posted">Posted by {name} at {day}</p></div>\n'
            for name, day, text in comments_on(documents, number)
        )
        write_text(project / f"writebacks/{document.slug}.wb", comments)


def build_blosxom(project: Path) -> None:
    """Build the blog as static pages."""
    names = {"BLOSXOM_CONFIG_FILE": str(project.resolve() / "blosxom.conf"), "TZ": "UTC"}
    run_tool([find_program("perl"), str(_BLOSXOM), "-password=known", "-quiet=1"], project, names)


def blosxom_page(document: SourceDocument) -> str:
    """Return the path of a post's page: that of its category."""
    return f"{_FOLDERS[int(document.slug[-2:]) % len(_FOLDERS)]}/{document.slug}.html"


def write_elephantblog(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts with their comments, the settings, and the page around them."""
    commented("elephantblog")(project, theme, documents)
    write_text(project / "posts/__init__.py", "")
    write_text(project / "posts/models.py", _ELEPHANT_MODELS)
    write_text(project / "templates/base.html", _ELEPHANT_FRAME.replace("NAME", NAME))
    write_text(project / "look/elephant.css", _ELEPHANT_STYLE)
