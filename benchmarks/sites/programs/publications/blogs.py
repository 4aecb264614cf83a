"""Blogs: Platzky, a program whose posts have readers' comments, and the static generators Marmite and mynt."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.applications.served import free_port, save_pages
from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import install_packages
from benchmarks.sites.programs.publishing_sites.readers import comments_on
from benchmarks.sites.texts.documents import SourceDocument, to_html, to_markdown

_FROM_NETWORK = re.compile(r'<link[^>]*href="(?:https:)?//[^>]*>')
_PLATZKY = """
import json, sys
from platzky.config import Config
from platzky.platzky import create_app_from_config
settings = json.load(open("settings.json"))
create_app_from_config(Config.model_validate(settings)).run("127.0.0.1", int(sys.argv[1]))
"""
_BLURB = re.compile(r"<p>This is a convenient.*?L22-24</code></p>", re.DOTALL)
_MYNT_SIDE = """<h2>Recent posts</h2><ul>{% for one in posts %}{% if loop.index < 8 %}
<li><a href="{{ get_url(one.url) }}">{{ one.title }}</a></li>{% endif %}{% endfor %}</ul>
<p>Ada Quay keeps the tables of the harbour. Write to <a href="mailto:ada@example.org">ada@example.org</a>.</p>"""
"""In place of a text that asks for one."""
_MYNT_NETWORK = re.compile(r"<(?:link|script)[^>]*googleapis[^>]*>(?:</script>)?")
_PEOPLE, _ABOUT = ("ada", "bela"), "Keeps the tables of the harbour."
_PLATZKY_PACKAGE = "bootstrap@5.2.3"
"""Which its pages load from the network."""


def write_platzky(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog with their comments, and its settings."""
    del theme
    language = documents[0].language
    posts = [
        {
            "author": "Ada Quay",
            "slug": document.slug,
            "title": document.title,
            "contentInMarkdown": to_html(document),
            "excerpt": document.summary,
            "language": language,
            "tags": list(document.tags),
            "date": f"{document.published}T08:00:00+00:00",
            "comments": [
                {"author": name, "comment": text, "date": f"{day}T08:00:00+00:00"} for name, day, text in comments_on(documents, number)
            ],
        }
        for number, document in enumerate(documents)
    ]
    menu = [{"name": name, "url": f"/{name.lower()}"} for name in ("Blog", "Harbour", "Ferries", "About")]
    content = {
        "posts": posts,
        "pages": [],
        "menu_items": dict.fromkeys(("en", language), menu),
        "primary_color": "#0d4f57",
        "secondary_color": "#f4efe3",
    }
    settings = {
        "APP_NAME": NAME,
        "SECRET_KEY": "known to all",
        "USE_WWW": False,
        "LANGUAGES": {language: {"name": language, "flag": language, "country": language.upper()}},
        "DB": {"TYPE": "json", "DATA": {"site_content": content}},
    }
    write_text(project / "settings.json", json.dumps(settings))
    write_text(project / "serve.py", _PLATZKY)


def build_platzky(project: Path) -> None:
    """Read the posts, with Bootstrap from npm in place of that from the network."""
    tools, port = project.parents[2], free_port()
    install_packages(tools / "bootstrap-5", (_PLATZKY_PACKAGE,), "npm")
    python = project.parents[1].resolve() / "bin/python"
    settings = json.loads((project / "settings.json").read_text("utf-8"))
    slugs = [post["slug"] for post in settings["DB"]["DATA"]["site_content"]["posts"]]
    save_pages(project, [str(python), "serve.py", str(port)], port, {f"{slug}.html": f"/{slug}" for slug in slugs})
    shutil.copy(tools / "bootstrap-5/node_modules/bootstrap/dist/css/bootstrap.min.css", project / "html")
    for path in sorted(project.glob("html/*.html")):
        text = _FROM_NETWORK.sub("", path.read_text("utf-8"))
        write_text(path, text.replace("</title>", '</title><link rel="stylesheet" href="bootstrap.min.css">', 1))


def write_marmite(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog with authors, tags and series, and its settings."""
    del theme
    people = {name: {"name": f"{name.title()} Quay", "avatar": "static/avatar-placeholder.png", "bio": _ABOUT} for name in _PEOPLE}
    settings = {
        "name": NAME,
        "tagline": "Notes from the harbour of Quay",
        "language": documents[0].language,
        "authors": people,
        "menu": [[name, f"{name.lower()}.html"] for name in ("Tags", "Archive", "Authors", "Series")],
    }
    write_text(project / "posts/marmite.yaml", json.dumps(settings))
    for number, document in enumerate(documents):
        head = {
            "title": document.title,
            "slug": document.slug,
            "date": f"{document.published} 08:00:00",
            "tags": list(document.tags),
            "authors": [_PEOPLE[number % 2]],
            "description": document.summary,
        }
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        write_text(project / f"posts/content/{document.slug}.md", f"---\n{front}---\n\n{to_markdown(document)}")


def build_marmite(project: Path) -> None:
    """Build the blog."""
    run_tool([str(project.parents[1].resolve() / "bin/marmite"), "posts", "html"], project)


def write_mynt(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog."""
    write_text(project / "theme.txt", theme)
    for document in documents:
        head = {"layout": "post.html", "title": document.title, "tags": list(document.tags)}
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        write_text(project / f"posts/{document.published}-{document.slug}.md", f"---\n{front}---\n\n{to_html(document)}\n")


def build_mynt(project: Path) -> None:
    """Start a site with the theme, put the posts in, and build it."""
    program = str(project.parents[1].resolve() / "bin/mynt")
    run_tool([program, "init", "-t", (project / "theme.txt").read_text("utf-8"), "site"], project)
    site = project / "site"
    for path in (site / "_posts").iterdir():
        path.unlink()
    for path in (project / "posts").iterdir():
        shutil.copy(path, site / "_posts")
    layout = site / "_templates/layout.html"
    write_text(layout, _BLURB.sub(_MYNT_SIDE, layout.read_text("utf-8")))
    head = site / "_templates/page.header.html"
    write_text(head, _MYNT_NETWORK.sub("", head.read_text("utf-8")))
    settings: dict[str, object] = {
        "title": NAME,
        "subtitle": "Notes from the harbour of Quay",
        "author": "Ada Quay",
        "domain": "http://127.0.0.1",
    }
    settings |= {"base_url": "/", "posts_url": "/<slug>/", "archive_layout": "archive.html", "archives_url": "/archives/"}
    settings |= {"tag_layout": "tag.html", "tags_url": "/archives/", "hoep": {"render_flags": {"smartypants": False}}}
    write_text(site / "mynt.yml", json.dumps(settings))
    run_tool([program, "gen", "site", "html"], project)
