"""A help centre: an application of Django with articles of several categories (django-helpapp), with its style sheet beside it."""

from __future__ import annotations

from pathlib import Path

from benchmarks.sites.applications.communities import build_application
from benchmarks.sites.layout import write_text
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.tailwind import write_tailwind


def build_helpapp(project: Path) -> None:
    """Read the articles, and write the style sheet that a script of the network would make."""
    build_application(project)
    for path in sorted(project.glob("html/*.html")):
        text = path.read_text("utf-8").replace('class="helpapp-markdown', 'class="helpapp-markdown prose')  # else headings look like text
        write_text(path, text.replace("<style>", '<link rel="stylesheet" href="helpapp.css"><style>', 1))
    write_tailwind(project, project / "html/helpapp.css")
