"""The demo site as a mapping from URL paths to what a server answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sightread.data.demo.content import EDITIONS, load_edition
from sightread.data.demo.drawn import dusk_png, note_pdf
from sightread.data.demo.pages import Desk, Group

HELD_OUT = (
    "/en/harbour/2026/05/21/night-ferry-timetable",
    "/en/science/2026/05/19/peat-core-drought",
    "/zh/wenhua/2026/05/20/laocha-huiyin",
    "/bn/bondor/2026/05/18/jele-beton",
    "/ar/thaqafa/2026/05/17/khattat-almina",
    "/hi/vigyan/2026/05/16/jugnu-ganana",
)
"""Paths of articles that are served, but neither in the sitemap nor linked from anywhere: a new page of the site."""

ODD_PAGES: Mapping[str, str] = {
    "missing": "/en/harbour/tide-tables-1998",
    "pdf": "/files/tide-tables-2026.pdf",
    "empty": "/empty",
    "picture": "/gallery/dusk",
    "redirect": "/latest",
    "private": "/private/planning",
}
"""Paths that the front page links to and the sitemap does not name: a 404 (not in the mapping), a PDF, a page without a body, a page
that is one picture, a redirect to the newest article, and a page that robots.txt disallows."""

_ODD_LABELS = {
    "missing": "Tide tables 1998",
    "pdf": "Tide tables 2026 (PDF)",
    "empty": "Live ticker",
    "picture": "Picture of the week",
    "redirect": "Latest story",
    "private": "Newsroom planning",
}
_ROOT = Path(__file__).parent
_TYPES = {".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png"}
_HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Resource:
    """The response at one path; `location` is the path a redirect leads to."""

    content_type: str
    body: bytes
    status: int = 200
    location: str = ""


def article_paths() -> tuple[str, ...]:
    """Return the paths of the articles that the sitemap names, edition by edition, the newest first."""
    return tuple(article.path for code in EDITIONS for article in load_edition(code).articles if article.path not in HELD_OUT)


def build_site(origin: str = "http://127.0.0.1:8000") -> Mapping[str, Resource]:
    """Build every resource of the site, by path; any other path is a 404.

    `origin` is where it will be served, without a trailing slash: canonical links, the sitemap and robots.txt need absolute URLs.
    The same origin gives the same bytes. Paths are ASCII; a request's query and fragment are not part of them.
    """
    editions = [load_edition(code) for code in EDITIONS]
    names = {edition.code: edition.words["tongue"] for edition in editions}
    desks = [Desk(edition, [a for a in edition.articles if a.path not in HELD_OUT], names, origin) for edition in editions]
    pages = {"/": _front_page(desks)}
    for desk in desks:
        pages[f"/{desk.edition.code}/"] = _edition_page(desk)
        pages |= {article.path: desk.article(article) for article in desk.edition.articles}
    site = {path: Resource(_HTML, html.encode()) for path, html in pages.items()}
    return site | _odd_pages(desks[0].listed[0].path) | _machine_files(origin) | _static_files()


def _edition_page(desk: Desk) -> str:
    edition = desk.edition
    groups = [
        Group(section, title, edition, [article for article in desk.listed if article.section == section])
        for section, title in edition.sections.items()
    ]
    return desk.index(f"/{edition.code}/", groups)


def _front_page(desks: Sequence[Desk]) -> str:
    groups = [Group(desk.edition.code, desk.edition.words["tongue"], desk.edition, desk.listed[:4]) for desk in desks]
    links = "".join(f'<li><a href="{path}">{_ODD_LABELS[name]}</a></li>' for name, path in ODD_PAGES.items())
    return desks[0].index("/", groups, f'<ul class="service-list">{links}</ul>')


def _odd_pages(newest: str) -> dict[str, Resource]:
    head = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Kestrel Bay Courier</title></head>'
    picture = '<body><img src="/static/dusk.png" alt="" width="640" height="320"></body></html>'
    private = "<body><p>Shifts for the coming week. This page is not meant for crawlers.</p></body></html>"
    return {
        ODD_PAGES["pdf"]: Resource("application/pdf", note_pdf("Tide tables 2026")),
        ODD_PAGES["empty"]: Resource(_HTML, b""),
        ODD_PAGES["picture"]: Resource(_HTML, (head + picture).encode()),
        ODD_PAGES["redirect"]: Resource(_TEXT, b"", 302, newest),
        ODD_PAGES["private"]: Resource(_HTML, (head + private).encode()),
    }


def _machine_files(origin: str) -> dict[str, Resource]:
    robots = f"User-agent: *\nDisallow: /private/\n\nSitemap: {origin}/sitemap.xml\n"
    urls = "".join(f"<url><loc>{origin}{path}</loc><lastmod>{_day(path)}</lastmod></url>\n" for path in article_paths())
    sitemap = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    return {
        "/robots.txt": Resource(_TEXT, robots.encode()),
        "/sitemap.xml": Resource("application/xml; charset=utf-8", sitemap.encode()),
    }


def _day(path: str) -> str:
    return "-".join(path.split("/")[3:6])


def _static_files() -> dict[str, Resource]:
    files = sorted((_ROOT / "static").iterdir())
    return {f"/static/{file.name}": Resource(_TYPES[file.suffix], file.read_bytes()) for file in files} | {
        "/static/dusk.png": Resource("image/png", dusk_png())
    }
