"""Projects of further blogs: Hugo with the theme Doks, of which the package holds a whole project."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.texts.documents import SourceDocument, to_markdown

DOKS = "@hyas/doks@0.5.0"
DOKS_PACKAGES = (
    "bootstrap@5.2.0-beta1",
    "katex@0.16.0",
    "flexsearch@0.7.21",
    "mermaid@9.1.3",
    "@hyas/images@0.2.1",
    "highlight.js@11.5.1",
    "clipboard@2.0.11",
    "instant.page@5.1.1",
    "lazysizes@5.3.2",
)
"""Packages that its style sheets and scripts import. The theme itself is unpacked, not installed: its installer downloads a Hugo."""
_DOKS_MENUS = """
[[main]]
  name = "Blog"
  url = "/blog/"
  weight = 10
[[main]]
  name = "Topics"
  url = "/tags/"
  weight = 20
[[main]]
  name = "Contributors"
  url = "/contributors/"
  weight = 30
[[social]]
  name = "Harbour"
  url = "https://example.org/"
  weight = 10
"""


def write_hugo(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write the posts of a blog."""
    del theme
    for document in documents:
        head = {
            "title": document.title,
            "slug": document.slug,
            "date": f"{document.published}T08:00:00Z",
            "description": document.summary,
            "excerpt": document.summary,
            "tags": list(document.tags),
            "categories": [document.tags[0].title()],
            "contributors": ["Ada Quay"],
        }
        front = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items())
        write_text(project / f"posts/{document.slug}/index.md", f"---\n{front}\n---\n\n{to_markdown(document)}")


def build_hugo(project: Path) -> None:
    """Unpack the theme's project, put the posts in, and build it with the quotes as they are written."""
    tools = project.parents[1].resolve()
    run_program(["npm", "pack", "-s", DOKS], project, tools.parent)
    run_tool(["tar", "xzf", next(project.glob("*.tgz")).name], project)
    site = project / "package"
    shutil.rmtree(site / "content")
    (project / "posts").rename(_made(site / "content/en") / "blog")
    shutil.copytree(tools / "node_modules", site / "node_modules", symlinks=True)
    settings = site / "config/_default"
    _replace(settings / "config.toml", r'blog = "/blog/:title/"', 'blog = "/blog/:slug/"')
    _replace(settings / "markup.toml", r"linkify = false", "linkify = false\n    typographer = false")
    _replace(settings / "params.toml", r'(?m)^(title|titleHome|schemaName) = ".*"', rf'\1 = "{NAME}"')
    write_text(settings / "menus/menus.en.toml", _DOKS_MENUS)
    run_tool([find_program("hugo"), "--environment", "development", "--baseURL", "/", "-d", str(project / "html")], site)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def _replace(path: Path, pattern: str, text: str) -> None:
    path.write_text(re.sub(pattern, text, path.read_text("utf-8")), "utf-8")
