"""A blog of a static generator of Debian, nanoc: with the look that it starts with, and readers' comments from the posts' own data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.programs.publishing_sites.readers import comments_on
from benchmarks.sites.texts.documents import SourceDocument, to_html

_MAIN = """<div id="main">
      <h1><%= @item[:title] %></h1>
      <p class="date"><%= @item[:written] %> · <%= (@item[:tags] || []).join(', ') %></p>
      <%= yield %>
      <% if @item[:comments] %><div class="comments"><h2><%= @item[:comments].size %> comments</h2>
      <% @item[:comments].each do |name, day, text| %><div class="comment"><p class="date"><%= name %>, <%= day %></p>
      <p><%= text %></p></div><% end %>
      <form action="/comment/"><p><input name="name"> <button>Comment</button></p></form></div><% end %>
    </div>
    <div id="sidebar">
      <p class="brand"><a href="/">TITLE</a></p>
      <h2>Recent posts</h2>
      <ul><% @items.select { |item| item[:comments] }.sort_by { |item| item[:written] }.last(6).each do |item| %>
        <li><a href="<%= item.path %>"><%= item[:title] %></a></li><% end %>
      </ul>
      <h2>Elsewhere</h2>
      <ul><li><a href="/about/">About Ada Quay</a></li><li><a href="/feed/">Feed</a></li><li><a href="/archive/">Archive</a></li></ul>
    </div>
  </body>
</html>
"""
_STYLE = """
.date { color: #999; font-style: italic; font-size: 13px; margin: 10px 0 } .comments { border-top: 5px solid #eee; margin: 40px 0 }
.comment { border-bottom: 1px solid #eee; padding: 10px 0 } pre { background: #f6f6f6; padding: 10px; overflow: auto }
#main td, #main th { border: 1px solid #ddd; padding: 5px; text-align: left } .brand { font-size: 24px; margin: 0 0 20px }
pre, pre *, code { font-family: monospace }
"""


def write_nanoc(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog, each with its comments."""
    del theme
    for number, document in enumerate(documents):
        comments = [[name, str(day), text] for name, day, text in comments_on(documents, number)]
        head = {"title": document.title, "written": str(document.published), "tags": list(document.tags), "comments": comments}
        front = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items())
        write_text(project / f"posts/{document.slug}.html", f"---\n{front}\n---\n\n{to_html(document)}\n")


def build_nanoc(project: Path) -> None:
    """Start a site, put the posts in, and compile it with a column of recent posts and the comments."""
    nanoc = find_program("nanoc")
    run_tool([nanoc, "create-site", "site"], project)
    site = project / "site"
    (project / "posts").rename(site / "content/posts")
    layout, style = site / "layouts/default.html", site / "content/stylesheet.css"
    head = layout.read_text("utf-8").partition('<div id="main">')[0].replace("A Brand New Nanoc Site", NAME)
    write_text(layout, head + _MAIN.replace("TITLE", NAME))
    write_text(style, style.read_text("utf-8") + _STYLE)
    run_tool([nanoc, "compile"], site, {"LANG": "C.UTF-8"})
