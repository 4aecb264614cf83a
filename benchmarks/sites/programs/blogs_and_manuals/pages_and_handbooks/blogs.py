"""Blogs without comments: BlogVi and Oxie, static generators of Python."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import run_tool
from benchmarks.sites.layout import ICON, NAME, write_text
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.tailwind import write_tailwind
from benchmarks.sites.texts.documents import SourceDocument, to_html, to_markdown

_BLOGVI = """
import json, pathlib
import blog_vi.__main__ as program
program.get_articles_from_csv = lambda address: json.load(open("articles.json"))  # it reads a table from the network
program.generate_blog(pathlib.Path("html"))
"""
_OXIE = """
from oxie import Site, SiteConfig
site = Site(SiteConfig(output_dir="html", pygments_style="friendly", css_build_command=None, sitemap=False, feed=False))
site.env.globals["site_name"] = site.meta_data["title"]  # else the header has the title of the post
site.build()
"""
_TAILWIND = "https://unpkg.com/tailwindcss@^2/dist/tailwind.min.css"


def write_blogvi(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog as the rows of its table, and the settings."""
    del theme
    menu = [{"text": name, "link": f"/{name.lower()}/"} for name in ("Blog", "Harbour", "Ferries", "About")]
    settings: dict[str, object] = dict.fromkeys(("blog_post_location_url", "domain_url"), "http://127.0.0.1/")
    settings |= {"blog_name": NAME, "blog_root_url": "/", "link_menu": menu, "subscribe": {"enabled": True}}
    settings |= {name: {"api_key": ""} for name in ("google_translator", "deepl_translator")}
    settings |= {"comments": {"enabled": False, "commentbox_project_id": ""}}
    write_text(project / "html/settings.yaml", json.dumps(settings))
    write_text(project / "html/ada.svg", ICON)
    articles = [
        {
            "Title": document.title,
            "Slug": document.slug,
            "Timestamp": f"{document.published:%m/%d/%Y} 08:00:00",
            "Author Name": "Ada Quay",
            "Author email": "ada@example.org",
            "About the Author": "Keeps the tables",
            "Author Avatar Image URL": "/ada.svg",
            "linked.in github urls": "",
            "Header Image (will be used in RSS feed)": "",
            "Excerpt/Short Summary": document.summary,
            "Categories": ", ".join(document.tags),
            "Status": "1",
            "Legacy Slugs": "",
            "Markdown": to_html(document),
        }
        for document in documents
    ]
    write_text(project / "articles.json", json.dumps(articles))
    write_text(project / "build.py", _BLOGVI)


def build_blogvi(project: Path) -> None:
    """Build the blog, with the style sheet of its package in place of that from the network."""
    run_tool([str(project.parents[1].resolve() / "bin/python"), "build.py"], project)
    for path in sorted(project.glob("html/templates/*.html")):
        path.unlink()
    for path in sorted(project.glob("html/**/index.html")):
        write_text(path, path.read_text("utf-8").replace(_TAILWIND, "/templates/assets/css/tailwind.min.css"))


def blogvi_page(document: SourceDocument) -> str:
    """Return the path of a post's page."""
    return f"articles/{document.slug}/index.html"


def write_oxie(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog with their categories, and the settings."""
    del theme
    settings = {
        "title": NAME,
        "author": "Ada Quay",
        "link": "http://127.0.0.1",
        "description": documents[0].summary,
        "phrases": [],
        "image": "",
    }
    write_text(project / "src/meta_data.json", json.dumps(settings))
    write_text(project / "source/index.md", f"Title: {NAME}\nAuthors: Ada Quay\nDate: 2024-01-01\n\n{documents[0].summary}\n")
    write_text(project / "build.py", _OXIE)
    for document in documents:
        head = {
            "Title": document.title,
            "Summary": document.summary,
            "Authors": "Ada Quay",
            "Date": str(document.published),
            "Category": document.tags[0].title(),
            "Tags": list(document.tags),
        }
        front = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in head.items())
        write_text(project / f"source/post/{document.slug}.md", f"---\n{front}---\n\n{to_markdown(document)}")


def build_oxie(project: Path) -> None:
    """Build the blog and its style sheet."""
    run_tool([str(project.parents[1].resolve() / "bin/python"), "build.py"], project)
    write_tailwind(project, project / "html/styles.css")


def oxie_page(document: SourceDocument) -> str:
    """Return the path of a post's page."""
    return f"post/{document.slug}.html"
