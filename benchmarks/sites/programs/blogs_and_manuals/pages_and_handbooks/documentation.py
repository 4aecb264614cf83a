"""Documentation tools of npm: GitDocs, aglio, which shows descriptions of interfaces in API Blueprint, and Log4brains.

The last is a knowledge base of a team's decisions.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.sites.generators.debian_generators import find_program, run_tool
from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import run_program
from benchmarks.sites.programs.publications.papers import sections
from benchmarks.sites.texts.documents import Part, SourceDocument, part_gold, to_markdown

_GROUPS = ("Harbour", "Ferries", "Workshop")
_HOST = "https://example.org"
_RECORDS = ("tides", "boats", "charts", "lanterns", "buoys")
_OUTSIDE = re.compile(r"@import url\([^)]*\);?|<link[^>]*href=\"https:[^>]*>|(?<=aglio</a>)&nbsp;on [^<]*")
"""Fonts and icons of the network, and the day of the build."""

_SCRIPT_OR_FONTS = re.compile(r'<script type="text/javascript" src="/main[^>]*></script>|<link[^>]*href="https:[^>]*>')
"""The script that would show the page again, by its address without `index.html`, and fonts of the network."""

_FONTS = re.compile(r'<link[^>]*href="https://fonts[^>]*>')
_STATUSES = ("accepted", "proposed", "accepted")
_COMMITTER = {
    f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
}
_DAY = "2024-12-01T08:00:00Z"


def write_gitdocs(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a page per document, in three folders of the menu, and the settings of the site."""
    del theme
    links = [{"title": name, "url": f"/{name.lower()}/"} for name in _GROUPS]
    settings = {"name": NAME, "root": "docs", "output": "html", "languages": ["bash", "c", "json", "python"], "header_links": links}
    write_text(project / ".gitdocs.json", json.dumps(settings))
    write_text(project / "docs/readme.md", f"---\ntitle: {NAME}\n---\n\n{documents[0].summary}\n")
    for name in _GROUPS:
        write_text(project / "docs" / name.lower() / "readme.md", f"---\ntitle: {name}\n---\n\n{name}\n")
    for document in documents:
        front = f"---\ntitle: {json.dumps(document.title, ensure_ascii=False)}\n---\n\n"
        path = project / "docs" / gitdocs_page(document).replace("/index.html", ".md")
        write_text(path, f"{front}# {document.title}\n\n{to_markdown(document)}")


def build_gitdocs(project: Path) -> None:
    """Build the site; its webpack is of the time of OpenSSL 1."""
    tools = project.parents[1].resolve()
    program = str(tools / "node_modules/.bin/gitdocs")
    run_program(["node", "--openssl-legacy-provider", program, "build"], project, tools.parent)
    for path in sorted(project.glob("html/**/index.html")):
        write_text(path, _SCRIPT_OR_FONTS.sub("", path.read_text("utf-8")))


def gitdocs_page(document: SourceDocument) -> str:
    """Return the path of a document's page: that of its group."""
    return f"{_GROUPS[int(document.slug[-2:]) % len(_GROUPS)].lower()}/{document.slug}/index.html"


def write_aglio(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write an interface per document: a group of resources per section, each with an action."""
    del theme
    for document in documents:
        before, groups = sections(document)
        text = f"FORMAT: 1A\nHOST: {_HOST}\n\n# {document.title}\n\n{document.summary}\n\n{_markdown(document, before)}\n"
        for number, group in enumerate(groups):
            name, path = _record(number)
            text += f"# Group {_group_name(group)}\n\n{_markdown(document, group[1:])}\n"
            text += f"## {name} [{path}]\n\n### List {name.lower()} [GET]\n\n{document.summary}\n\n+ Response 200 (application/json)\n\n"
            text += f'        {{"{_RECORDS[number % 5]}": {number + 3}}}\n\n'
        write_text(project / f"{document.slug}.apib", text)


def build_aglio(project: Path) -> None:
    """Convert all interfaces."""
    tools = project.parents[1].resolve()
    for path in sorted(project.glob("*.apib")):
        page = project / "html" / f"{path.stem}.html"
        page.parent.mkdir(exist_ok=True)
        run_program([str(tools / "node_modules/.bin/aglio"), "-i", path.name, "-o", str(page.resolve())], project, tools.parent)
        write_text(page, _OUTSIDE.sub("", page.read_text("utf-8")))


def aglio_gold(document: SourceDocument) -> str:
    """Return the gold text of an interface: its groups, and of each action its name, method, address and answer, which is collapsed."""
    before, groups = sections(document)
    lines = [document.title, document.summary, *(line for part in before for line in part_gold(part))]
    for number, group in enumerate(groups):
        name, path = _record(number)
        lines += [_group_name(group), *(line for part in group[1:] for line in part_gold(part))]
        lines += [name, f"List {name.lower()}", f"GET {path}", document.summary, "Example URI", f"GET {_HOST}{path}", "Response 200"]
    return "\n".join(lines)


def write_log4brains(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
    """Write a decision per document, with its status, people and tags."""
    del theme
    settings = {"project": {"name": NAME, "tz": "UTC", "adrFolder": "./decisions"}}
    write_text(project / ".log4brains.yml", json.dumps(settings))
    write_text(project / "decisions/index.md", f"# {NAME}\n\n{documents[0].summary}\n")
    for number, document in enumerate(documents):
        head = f"- Status: {_STATUSES[number % 3]}\n- Deciders: Ada Quay, Bela Moore\n- Date: {document.published}\n"
        text = f"# {document.title}\n\n{head}- Tags: {', '.join(document.tags)}\n\n{to_markdown(document)}"
        write_text(project / f"decisions/{_decision(document)}.md", text)


def build_log4brains(project: Path) -> None:
    """Build the site from a repository with one commit, which the pages name."""
    names = _COMMITTER | {"GIT_AUTHOR_DATE": _DAY, "GIT_COMMITTER_DATE": _DAY}
    for options in (("init", "-q"), ("add", "decisions"), ("commit", "-q", "-m", "Decisions")):
        run_tool([find_program("git"), *options], project, names)
    tools = project.parents[1].resolve()
    shutil.rmtree(tools / "node_modules/@log4brains/web/nextjs/.next", ignore_errors=True)  # pages of the build before
    command = ["env", "NODE_OPTIONS=--openssl-legacy-provider", str(tools / "node_modules/.bin/log4brains"), "build", "--out", "html"]
    run_program(command, project, tools.parent)
    for path in sorted(project.glob("html/**/*.html")):
        write_text(path, _FONTS.sub("", path.read_text("utf-8")))


def log4brains_page(document: SourceDocument) -> str:
    """Return the path of a document's page."""
    return f"adr/{_decision(document)}/index.html"


def _decision(document: SourceDocument) -> str:
    return f"{document.published:%Y%m%d}-{document.slug}"


def _group_name(group: Sequence[Part]) -> str:
    """Return the heading of a section without signs, which names of groups may not have."""
    return " ".join(re.findall(r"\w+", group[0].rows[0][0]))


def _record(number: int) -> tuple[str, str]:
    """Return the name and the address of the resource of a group."""
    name = _RECORDS[number % len(_RECORDS)]
    return f"All {name}", f"/ports/{number + 1}/{name}"


def _markdown(document: SourceDocument, parts: Sequence[Part]) -> str:
    return to_markdown(replace(document, parts=tuple(parts)))
