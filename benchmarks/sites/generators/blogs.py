"""Projects of blog generators: blag and Lektor (PyPI), Wintersmith (npm), Chronicle and staticsite (Debian)."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.texts.documents import SourceDocument, to_html, to_markdown

_LEKTOR_DEFAULTS = """
import click
from lektor import quickstart
quickstart.Generator.prompt = lambda self, text, default=None, info=None: {'Author Name': 'Ada Quay', 'Add Basic Blog': True}[text]
quickstart.Generator.confirm = lambda self, text: None
quickstart.project_quickstart({'name': %r, 'path': 'site'})
"""
"""Lektor's own start of a project, with its questions answered."""


def write_blag(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a blog of articles."""
    del theme
    settings = {"base_url": "http://127.0.0.1/", "title": NAME, "description": documents[0].summary, "author": "Ada Quay"}
    write_text(project / "config.ini", "[main]\n" + "".join(f"{name} = {value.replace('%', '%%')}\n" for name, value in settings.items()))
    for document in documents:
        head = f"Title: {document.title}\nDescription: {document.summary}\nDate: {document.published} 08:00\n"
        write_text(
            project / f"posts/{document.slug}.md", f"{head}Tags: {', '.join(document.tags)}\n\n{to_markdown(document, tables=False)}"
        )


def build_blag(project: Path) -> None:
    """Take the theme that comes with it, and build."""
    python = _tools(project) / "bin"
    run_tool([str(python / "python"), "-c", "from blag.quickstart import copy_default_theme as copy; copy()"], project)
    shutil.rmtree(project / "content")
    (project / "posts").rename(project / "content")
    run_tool([str(python / "blag"), "build"], project)


def write_lektor(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog."""
    del theme
    for document in documents:
        fields = {"title": document.title, "pub_date": str(document.published), "author": "Ada Quay", "body": to_markdown(document)}
        write_text(project / f"posts/{document.slug}/contents.lr", "\n---\n".join(f"{name}:\n\n{text}" for name, text in fields.items()))


def build_lektor(project: Path) -> None:
    """Start a project as Lektor does, with the theme that comes with it, and build."""
    python = _tools(project) / "bin"
    run_tool([str(python / "python"), "-c", _LEKTOR_DEFAULTS % NAME], project)
    blog = project / "site/content/blog"
    shutil.rmtree(blog / "first-post")
    for post in sorted((project / "posts").iterdir()):
        post.rename(blog / post.name)
    run_tool([str(python / "lektor"), "--project", "site", "build", "-O", str(project / "html")], project)


def write_wintersmith(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the articles of a blog, beside the templates that come with Wintersmith."""
    del theme
    example = _tools(project) / "node_modules/wintersmith/examples/blog"
    shutil.copytree(example, project, dirs_exist_ok=True)
    shutil.rmtree(project / "contents/articles")
    settings = json.loads((project / "config.json").read_text("utf-8"))
    settings["locals"] |= {"url": "http://127.0.0.1", "name": NAME, "owner": "Ada Quay", "description": documents[0].summary}
    settings["markdown"]["smartypants"] = False
    write_text(project / "config.json", json.dumps(settings))
    for document in documents:
        head = {"title": document.title, "author": "the-wintersmith", "date": str(document.published), "template": "article.pug"}
        front = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items())
        write_text(project / f"contents/articles/{document.slug}/index.md", f"---\n{front}\n---\n\n{to_markdown(document)}")


def write_chronicle(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the entries of a blog, as HTML."""
    del theme
    for document in documents:
        head = f"Title: {document.title}\nDate: {document.published:%d %B %Y}\nTags: {', '.join(document.tags)}\n"
        write_text(project / f"blog/{document.slug}.txt", f"{head}\n{to_html(document)}\n")


def build_chronicle(project: Path) -> None:
    """Build with comments closed; name the encoding in the pages, as a server does in its answers."""
    options = ["--theme=blog.steve.org.uk", "--no-comments", "--no-cache", "--url-prefix=/", "--format=html"]
    run_tool([find_program("chronicle"), "--config=/dev/null", "--input=blog", "--output=html", *options], project)
    for page in (project / "html").glob("*.html"):
        page.write_bytes(page.read_bytes().replace(b"<head>", b'<head><meta charset="utf-8">', 1))


def chronicle_page(document: SourceDocument) -> str:
    """Return the name that Chronicle gives an entry: its title, of which all but ASCII letters and digits is underscores."""
    return re.sub("[^A-Za-z0-9]", "_", document.title) + ".html"


def write_staticsite(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a blog with its front page."""
    del theme
    front = f"site_url: http://127.0.0.1\nsite_name: {NAME}\ntemplate: blog.html\npages: 'posts/*'\nnav: [about.md]\nsyndication: yes\n"
    write_text(project / "tags.taxonomy", "---\ntitle: All tags\n")
    write_text(project / "index.md", f"```yaml\n{front}```\n\n# {NAME}\n\n{documents[0].summary}\n")
    write_text(project / "about.md", f"# About\n\n{documents[0].summary}\n")
    for document in documents:
        head = f"date: {document.published} 08:00:00\ntags: {json.dumps(list(document.tags))}\nauthor: Ada Quay\n"
        write_text(project / f"posts/{document.slug}.md", f"---\n{head}---\n\n# {document.title}\n\n{to_markdown(document)}")


def build_staticsite(project: Path) -> None:
    """Build to a folder beside the pages' own."""
    run_tool([find_program("ssite"), "build", "-o", str(project / "html"), str(project)], project)


def _tools(project: Path) -> Path:
    """Return the folder of the generator's packages, above its projects."""
    return project.parents[1].resolve()
