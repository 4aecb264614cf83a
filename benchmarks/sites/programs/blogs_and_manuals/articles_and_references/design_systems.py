"""Sites in design systems and style sheets of npm, each with a frame of ours around its components.

A law collection (Bootstrap Italia), a research institute's press releases (USWDS), an online journal (LaTeX.css), a centre of questions and
answers (Fomantic UI), release notes (Spectre.css), and companies' pages (Froala's design blocks, UIkit).
"""

from __future__ import annotations

import html
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from benchmarks.sites.layout import NAME, write_text
from benchmarks.sites.packages import install_packages
from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.frames import (
    COMPANY,
    JOURNAL,
    LAW,
    PRESS,
    QUESTIONS,
    RELEASE,
    SERVICES,
)
from benchmarks.sites.programs.publications.papers import sections
from benchmarks.sites.programs.publishing_sites.listings import entries
from benchmarks.sites.texts.documents import Part, SourceDocument, gold_text, inline_html, part_gold, part_html

_LANDS = ("Harbour law", "Ferries and bridges", "Water and tides", "Trade on the quay")
_ICONS = ("gift", "layers", "life-buoy", "map", "monitor", "package")
_KINDS = ("Added", "Changed", "Fixed", "Removed")
_CLASSES = {
    "law": {"<table": '<table class="table"', "<blockquote": '<blockquote class="blockquote"'},
    "press": {"<table": '<table class="usa-table"', "<ul": '<ul class="usa-list"', "<ol": '<ol class="usa-list"'},
    "questions": {"<table": '<table class="ui celled table"', "<ul": '<ul class="ui list"', "<pre": '<pre class="ui segment"'},
    "services": {"<table": '<table class="uk-table uk-table-striped"', "<ul": '<ul class="uk-list uk-list-bullet"'},
    "release": {"<table": '<table class="table table-striped"', "<pre": '<pre class="code"'},
}


def law_gold(document: SourceDocument) -> str:
    """Return the gold text of a law: title, preamble, and articles with numbered paragraphs."""
    lines = [document.title, document.summary]
    for number, (title, parts) in enumerate(_articles(document), 1):
        lines += [f"Art. {number}. {title}" if title else f"Art. {number}."]
        for place, part in enumerate(parts, 1):
            found = part_gold(part)
            lines += [f"({place}) {found[0]}", *found[1:]] if part.kind == "paragraph" else found
    return "\n".join(lines)


def paper_gold(document: SourceDocument) -> str:
    """Return the gold text of a paper: title, abstract with its heading, and the rest."""
    title, rest = gold_text(document).split("\n", 1)
    return "\n".join((title, "Abstract", document.summary, rest))


def release_gold(document: SourceDocument) -> str:
    """Return the gold text of release notes: version and title, what they are about, and sections, each with its kind of change."""
    before, found = sections(document)
    lines = [f"{version(document)}: {document.title}", document.summary, *(line for part in before for line in part_gold(part))]
    for number, parts in enumerate(found):
        lines += [f"{_KINDS[number % 4]} {part_gold(parts[0])[0]}", *(line for part in parts[1:] for line in part_gold(part))]
    return "\n".join(lines)


def version(document: SourceDocument) -> str:
    """Return the version that a document is the notes of."""
    number = int(document.slug[-2:])
    return f"{4 + number // 10}.{number % 10}.0"


def _articles(document: SourceDocument) -> list[tuple[str, list[Part]]]:
    """Return the articles of a law, title and parts of each, without code; the first one may have no title."""
    before, found = sections(document)
    listed = [("", before)] if before else []
    listed += [(part_gold(parts[0])[0], parts[1:]) for parts in found]
    return [(title, [part for part in parts if part.kind not in ("code", "heading")]) for title, parts in listed]


def _law(document: SourceDocument) -> dict[str, str]:
    body = index = ""
    for number, (title, parts) in enumerate(_articles(document), 1):
        name = f"Art. {number}. {html.escape(title)}".strip()
        index += f'<li class="nav-item"><a class="nav-link" href="#art-{number}"><span>{name}</span></a></li>'
        body += f'<section id="art-{number}"><h2 class="h4 mt-4">{name}</h2>'
        for place, part in enumerate(parts, 1):
            text = part_html(part)
            body += text.replace("<p>", f"<p>({place}) ", 1) if part.kind == "paragraph" else text
        body += "</section>"
    number = int(document.slug[-2:])
    return {"body": body, "index": index, "act": f"Act {17 * number + 12} of {document.published.year}", "land": _LANDS[number % 4]}


def _press(document: SourceDocument) -> dict[str, str]:
    return {"body": "".join(part_html(part) for part in document.parts), "number": f"{2 * int(document.slug[-2:]) + 101}"}


def _journal(document: SourceDocument) -> dict[str, str]:
    number = int(document.slug[-2:])
    return {"body": "".join(part_html(part) for part in document.parts), "number": str(number + 1), "page": str(12 * number + 3)}


def _questions(document: SourceDocument) -> dict[str, str]:
    before, found = sections(document)
    body = "".join(part_html(part) for part in before)
    for number, parts in enumerate(found):
        title = inline_html(parts[0].rows[0][0])
        answer = "".join(part_html(part) for part in parts[1:])
        body += f'<div class="ui padded segment" id="q-{number}"><h3 class="ui header">{title}</h3>{answer}</div>'
    return {"body": body}


def _release(document: SourceDocument) -> dict[str, str]:
    before, found = sections(document)
    body = "".join(part_html(part) for part in before)
    for number, parts in enumerate(found):
        kind = _KINDS[number % 4]
        title = f'<h3><span class="label label-{("success", "primary", "warning", "error")[number % 4]}">{kind}</span>'
        body += f"{title} {inline_html(parts[0].rows[0][0])}</h3>" + "".join(part_html(part) for part in parts[1:])
    return {"body": body, "version": version(document)}


def _company(document: SourceDocument) -> dict[str, str]:
    heading, *services = ((html.escape(title), html.escape(text)) for title, text in entries(document)[1:])
    body = ""
    for number, (title, text) in enumerate(services):
        icon = _ICONS[number % len(_ICONS)]
        body += f'<div class="col-12 col-sm-6 col-lg-4 pt-4"><img alt="" class="fdb-icon" src="imgs/icons/{icon}.svg">'
        body += f"<h3><strong>{title}</strong></h3><p>{text}</p></div>"
    return {"body": body, "heading": heading[0], "lead": heading[1]}


@dataclass(frozen=True, slots=True)
class FramedSite:
    """A site whose pages are a frame of ours in the style sheets of packages of npm."""

    name: str
    packages: tuple[str, ...]
    files: Mapping[str, str]
    """Files and folders of the packages, by their place beside the pages."""
    frame: str
    """Template of a page, with `$title`, `$summary` and the names of `fill`; `$near` are links to other pages."""
    fill: Callable[[SourceDocument], Mapping[str, str]]
    entry: str = '<li><a href="$slug.html">$title</a></li>'
    """Of a link to another page."""

    def write(self, project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
        """Write a page per document, and the files of the packages."""
        del theme
        tools = project.parents[1]
        install_packages(tools, self.packages, "npm")
        for place, source in self.files.items():
            path, found = project / "html" / place, tools / "node_modules" / source
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(found, path, ignore=shutil.ignore_patterns("*.map")) if found.is_dir() else shutil.copy(found, path)
        for number, document in enumerate(documents):
            near = [documents[(number + step) % len(documents)] for step in (1, 3, 4, 8, 11)]
            names = _names(document) | dict(self.fill(document)) | {"name": NAME, "language": document.language}
            for plain, classed in _CLASSES.get(self.name, {}).items():
                names["body"] = names["body"].replace(plain, classed)
            entries = [Template(self.entry).substitute(_names(other) | {"version": version(other)}) for other in near]
            names |= {"near": "".join(entries), "next": near[0].slug, "before": documents[number - 1].slug}
            write_text(project / "html" / f"{document.slug}.html", Template(self.frame).substitute(names))


def _names(document: SourceDocument) -> dict[str, str]:
    return {
        "slug": document.slug,
        "title": html.escape(document.title),
        "summary": html.escape(document.summary),
        "day": f"{document.published:%d.%m.%Y}",
    }


_ITALIA = "bootstrap-italia/dist/"
LAWS = FramedSite(
    "law",
    ("bootstrap-italia@2.18.3",),
    {"bi/css/bootstrap-italia.min.css": f"{_ITALIA}css/bootstrap-italia.min.css", "bi/fonts": f"{_ITALIA}fonts", "bi/svg": f"{_ITALIA}svg"},
    LAW,
    _law,
)
PRESS_RELEASES = FramedSite(
    "press",
    ("@uswds/uswds@3.14.0",),
    {name: f"@uswds/uswds/dist/{name}" for name in ("css/uswds.min.css", "fonts", "img/us_flag_small.png", "img/usa-icons")},
    PRESS,
    _press,
    '<li class="usa-collection__item"><div class="usa-collection__body"><h3 class="usa-collection__heading">'
    '<a class="usa-link" href="$slug.html">$title</a></h3><p class="usa-collection__description">$day</p></div></li>',
)
JOURNAL_PAPERS = FramedSite(
    "journal", ("latex.css@1.13.0",), {"latex/style.css": "latex.css/style.css", "latex/fonts": "latex.css/fonts"}, JOURNAL, _journal
)
ANSWERS = FramedSite(
    "questions",
    ("fomantic-ui-css@2.9.4",),
    {"ui/semantic.min.css": "fomantic-ui-css/semantic.min.css", "ui/themes": "fomantic-ui-css/themes"},
    QUESTIONS,
    _questions,
    '<a class="item" href="$slug.html">$title</a>',
)
RELEASES = FramedSite(
    "release",
    ("spectre.css@0.5.9",),
    {f"{name}.min.css": f"spectre.css/dist/{name}.min.css" for name in ("spectre", "spectre-exp", "spectre-icons")},
    RELEASE,
    _release,
    '<li class="nav-item"><a href="$slug.html">$version $title</a></li>',
)
COMPANIES = FramedSite(
    "company",
    ("froala-design-blocks@2.0.1", "bootstrap@4.1.3"),
    {"css/bootstrap.min.css": "bootstrap/dist/css/bootstrap.min.css"}
    | {name: f"froala-design-blocks/dist/{name}" for name in ("css/froala_blocks.min.css", "imgs")},
    COMPANY,
    _company,
    '<div class="col-4"><h4><strong><a href="$slug.html">$title</a></strong></h4><p>$day</p></div>',
)
SERVICE_PAGES = FramedSite("services", ("uikit@3.21.13",), {"uikit.min.css": "uikit/dist/css/uikit.min.css"}, SERVICES, _press)
