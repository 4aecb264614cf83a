"""Metadata of a page: title, authors, dates and others, from JSON-LD, Open Graph, Twitter and other metas."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from sightread.document.metadata.authors import search_authors
from sightread.document.metadata.dates import iso_date, search_date
from sightread.document.metadata.page_type import DeclaredType, declared_type
from sightread.render.analysis.jsonld import MAX_NODES, linked_nodes, linked_url, read_linked
from sightread.render.network.address import host_of, join_url
from sightread.render.page import Page
from sightread.render.text.titles import split_title

PUBLISHED = (
    "article:published_time",
    "og:published_time",
    "og:article:published_time",
    "datepublished",
    "date_published",
    "publish_date",
    "publishdate",
    "publication_date",
    "pubdate",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.created",
    "dc.date.created",
    "dc.date",
    "dcterms.date",
    "parsely-pub-date",
    "sailthru.date",
    "date",
)
MODIFIED = (
    "article:modified_time",
    "og:updated_time",
    "og:modified_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
)
AUTHORS = (
    "author",
    "article:author",
    "citation_author",
    "dc.creator",
    "dcterms.creator",
    "parsely-author",
    "sailthru.author",
    "byl",
)
TITLES = ("og:title", "twitter:title")
SITES = ("og:site_name", "application-name")
IMAGES = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
LICENCES = ("dcterms.license", "dc.rights.license", "license", "cc:license", "dcterms.rights", "dc.rights", "rights", "copyright")
"""Names of metas, most trustworthy first."""


_BY = re.compile(r"^(?:by|von|par|por|di|door)\s+", re.IGNORECASE)
_AND = re.compile(r";|\||,|\band\b|&")


@dataclass(frozen=True, slots=True)
class Metadata:
    """Metadata of a page; unknown fields are empty. Dates are `YYYY-MM-DD`, URLs absolute."""

    title: str = ""
    """The page's own title, without the name of its site."""
    authors: tuple[str, ...] = ()
    published: str = ""
    modified: str = ""
    language: str = ""
    """A language tag such as `en` or `pt-BR`, as the page declares it."""
    description: str = ""
    site_name: str = ""
    canonical_url: str = ""
    image: str = ""
    page_type: DeclaredType = ""
    """article, forum, product, listing, collection, documentation or service."""
    licence: str = ""
    """The URL of the licence that the page is under, else its words."""


def read_metadata(page: Page) -> Metadata:
    """Return what the page declares in its head, else what its text shows: the headline, a byline and with htmldate a date near it.

    The authors of a forum are those of its posts (see `sightread.document.metadata.posts`), not of the page.
    """
    metas: dict[str, list[str]] = {}
    for name, content in page.metas:
        metas.setdefault(name, []).append(content)
    linked = read_linked(page.json_ld, page.titles)
    base = page.final_url or page.url
    headlines = [block.text for block in page.blocks if block.heading == 1][:5]
    raw = linked.title or html.unescape(_first(metas, TITLES) or next(iter([*page.titles, *headlines]), ""))
    site_name = _first(metas, SITES) or linked.site_name
    page_type = declared_type(page)
    title, part = split_title(raw, (site_name, *_host_names(base)), headlines)
    return Metadata(
        title=title,
        authors=linked.authors or _authors(page, metas) or (search_authors(page, (site_name or part,)) if page_type != "forum" else ()),
        published=_date([linked.published, *_all(metas, PUBLISHED)]) or search_date(page),
        modified=_date([linked.modified, *_all(metas, MODIFIED)]),
        language=(page.language or _first(metas, ("og:locale", "content-language", "language")) or linked.language).replace("_", "-"),
        description=html.unescape(next(iter(page.descriptions), "")) or linked.description,
        site_name=site_name or part,
        canonical_url=_absolute(base, page.canonical or _first(metas, ("og:url",))),
        image=_absolute(base, _first(metas, IMAGES) or linked.image),
        page_type=page_type,
        licence=_licence(page, base, metas),
    )


def _host_names(url: str) -> tuple[str, str]:
    """Return a URL's host, and its label that names the site: `www.the-site.co.uk` gives `the-site`; or else its first label."""
    host = host_of(url).removeprefix("www.")
    return host, max(host.split(".")[:-1], key=len, default="")


def _authors(page: Page, metas: Mapping[str, list[str]]) -> tuple[str, ...]:
    """Return the authors of the metas; else those that links of `rel="author"` name."""
    for name in AUTHORS:
        names = tuple(dict.fromkeys(author for value in metas.get(name, ()) for author in split_names(value)))
        if names:
            return names
    linked = (link.text.strip() for link in page.links if "author" in link.rel.split())
    return tuple(dict.fromkeys(name for text in linked for name in split_names(text)))


def _licence(page: Page, base: str, metas: Mapping[str, list[str]]) -> str:
    """Return the target of a link of `rel="license"`, else the licence of JSON-LD, else of the metas."""
    linked = next((link.url for link in page.links if "license" in link.rel.lower().split()), "")
    url = linked or next(
        (target for node in islice(linked_nodes(page.json_ld), MAX_NODES) if (target := linked_url(node.get("license"), {}))), ""
    )
    licence = url or _first(metas, LICENCES)
    return _absolute(base, licence) if licence.startswith(("http:", "https:", "//")) else licence


def split_names(value: str) -> list[str]:
    """Return the names in a byline, split if each part has two words at least; an address is no name."""
    if re.match(r"https?:|www\.|/", value):
        return []
    value = _BY.sub("", value.strip())
    names = [name.strip() for name in _AND.split(value) if name.strip()]
    return names if all(" " in name for name in names) else [value]


def _date(values: Iterable[str]) -> str:
    return next((date for value in values if (date := iso_date(value))), "")


def _all(metas: Mapping[str, list[str]], names: Iterable[str]) -> list[str]:
    return [value for name in names for value in metas.get(name, ())]


def _first(metas: Mapping[str, list[str]], names: Iterable[str]) -> str:
    return next((value.strip() for value in _all(metas, names) if value.strip()), "")


def _absolute(base: str, url: str) -> str:
    """Return the URL resolved against the page's own; empty if the result is no web address."""
    whole = (join_url(base, url) or join_url(url, url)) if url else ""  # a page without an address may have absolute references
    return whole if whole.startswith(("http://", "https://")) else ""
