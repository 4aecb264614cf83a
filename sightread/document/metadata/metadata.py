"""Metadata of a page: title, authors, dates and others, from JSON-LD, Open Graph, Twitter and other metas."""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from html import escape
from typing import Literal

from sightread.document.metadata.authors import search_authors
from sightread.render.analysis.jsonld import is_type, linked_nodes, linked_url, read_linked
from sightread.render.labels import PageType
from sightread.render.network.address import host_of, join_url
from sightread.render.page import Page
from sightread.render.text.words import split_title

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
    linked = read_linked(page)
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
    for name in AUTHORS:
        names = tuple(dict.fromkeys(author for value in metas.get(name, ()) for author in split_names(value)))
        if names:
            return names
    linked = (link.text.strip() for link in page.links if "author" in link.rel.split())
    return tuple(dict.fromkeys(name for text in linked for name in split_names(text)))


def _licence(page: Page, base: str, metas: Mapping[str, list[str]]) -> str:
    """Return the target of a link of `rel="license"`, else the licence of JSON-LD, else of the metas."""
    linked = next((link.url for link in page.links if "license" in link.rel.lower().split()), "")
    url = linked or next((target for node in linked_nodes(page) if (target := linked_url(node.get("license"), {}))), "")
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


# Page type: the one that a model predicts, else that which the page declares, else by its shape. The global model's
# (`sightread.classify.general.page_type`) are correct on .84 of WCXB dev's pages, what pages declare on .76.


DeclaredType = PageType | Literal[""]

_LINKED: tuple[tuple[DeclaredType, re.Pattern[str]], ...] = (
    ("forum", re.compile("DiscussionForumPosting|QAPage")),
    ("product", re.compile("Product|ProductGroup|IndividualProduct|Vehicle|Car")),
    ("documentation", re.compile("TechArticle|APIReference")),
    ("article", re.compile(r"\w*Article|BlogPosting|Report|Recipe|HowTo|LiveBlogPosting|ScholarlyArticle|SocialMediaPosting")),
    ("listing", re.compile("SearchResultsPage|Blog")),
    ("collection", re.compile("CollectionPage|ItemList|OfferCatalog|ImageGallery")),
    ("service", re.compile("Service|ProfessionalService|SoftwareApplication|LocalBusiness|FinancialService")),
)
"""Types of schema.org, most reliable first."""
_PATHS: tuple[tuple[DeclaredType, re.Pattern[str]], ...] = (
    (
        "forum",
        re.compile(
            r"/(?:forums?|threads?|topics?|showthread|viewtopic|discussions?|questions|t|community)[/.?-]|//(?:forums?|community|discuss\w*)\."
        ),
    ),
    (
        "documentation",
        re.compile(
            r"//docs?\.|//(?:devdocs|developers?|learn|manual|wiki|kubernetes)\.|/(?:docs?|documentation|reference|manual|api|man|guide|tutorial)/"
        ),
    ),
    ("product", re.compile(r"/(?:products?|p|dp|item|itm|sku|shop/products)/")),
    ("collection", re.compile(r"/(?:collections?|category|categories|cat|c|shop|browse)/")),
    ("article", re.compile(r"/(?:blog|news|articles?|story|stories|posts?|magazine|insights|\d{4}/\d\d)/")),
    ("service", re.compile(r"/(?:services?|solutions|pricing|features)(?:/|$)")),
)
"""Parts of addresses, used if the page declares no type."""

LEAST_PROBABILITY = 0.5
"""Of a predicted page type."""
MANY_CODE = 3
LEAST_CHARACTERS = 500
"""Least characters of a page that has a shape."""
LONG, SHORT = 1500, 0.35
"""Least characters of an article's text, and the greatest share of its text in links."""


def find_page_type(page: Page, predicted: Mapping[PageType, float]) -> DeclaredType:
    """Return the page type that a model predicts, by its probabilities, else the declared one."""
    return likely_type(predicted) or declared_type(page)


def likely_type(predicted: Mapping[PageType, float]) -> DeclaredType:
    """Return the page type with a sufficient probability; empty if there is none."""
    return next((kind for kind, chance in predicted.items() if chance > LEAST_PROBABILITY), "")


def declared_type(page: Page) -> DeclaredType:
    """Return the declared page type; empty if nothing indicates one.

    JSON-LD comes first, then `og:type`, then the address, then the shape: code, and much text in few links.
    """
    url = page.final_url or page.url
    types = ((kind, pattern) for kind, pattern in _LINKED for node in linked_nodes(page) if is_type(node, pattern))
    linked: DeclaredType = next((kind for kind, _ in types), "")
    by_path: DeclaredType = next((kind for kind, pattern in _PATHS if pattern.search(url)), "")
    if linked and not (linked in ("article", "service") and by_path in ("forum", "documentation")):
        return linked
    graph_type = " ".join(meta.content for meta in page.metas if meta.name == "og:type").lower()
    if "product" in graph_type:
        return "product"
    if by_path:
        return by_path
    if "article" in graph_type:
        return "article"
    return _by_shape(page)


def _by_shape(page: Page) -> DeclaredType:
    if sum(page.elements[block.element].tag == "pre" for block in page.blocks) >= MANY_CODE:
        return "documentation"
    length = sum(len(block.text) for block in page.blocks)
    if length < LEAST_CHARACTERS:
        return ""
    linked = sum(block.link_chars for block in page.blocks)
    longest = max((len(block.text) - block.link_chars for block in page.blocks), default=0)
    if length - linked >= LONG and longest >= 200 and linked <= SHORT * length:
        return "article"
    return "service" if linked <= SHORT * length else "listing"


# Publication dates: the declared date, else the date that htmldate finds.


logger = logging.getLogger(__name__)

FIRST_YEAR = 1995
"""Earliest possible year; an earlier date is a placeholder (htmldate's own bound)."""

NEAR = (6, 14)
"""Number of blocks before and after the headline that may hold a byline with a date."""

BYLINE_CHARS = 120
"""Most characters of a byline; dates in running text are seldom the page's own."""

_ISO = re.compile(r"\s*(\d{4})([-/.]?)(\d{2})\2(\d{2})(?!\d)")


def iso_date(value: str) -> str:
    """Return the date that a timestamp begins with (year, month, day) as `YYYY-MM-DD`; empty if it begins with no valid date."""
    found = _ISO.match(value)
    if not found or int(found[1]) < FIRST_YEAR:
        return ""
    try:
        return date(int(found[1]), int(found[3]), int(found[4])).isoformat()
    except ValueError:
        return ""


def search_date(page: Page) -> str:
    """Return the date of publication that htmldate finds, as `YYYY-MM-DD`; empty if it finds none.

    htmldate reads HTML, which a `Page` no longer holds. Its input is a small document of the likely sources of a date: the metas, JSON-LD,
    the canonical URL, `datetime` attributes, and short blocks around the headline; not the whole text, which may contain any date.
    """
    import htmldate  # noqa: PLC0415  (0.14 s, and most pages declare their date)

    try:
        found = htmldate.find_date(_synopsis(page), extensive_search=False, original_date=True, url=page.final_url or page.url or None)
    except Exception as error:  # noqa: BLE001  (its parsers raise errors of many kinds on dates that cannot be, and the page keeps its text)
        logger.info("%s: no date: htmldate failed: %r", page.final_url or page.url, error)
        return ""
    return iso_date(found or "")


def _synopsis(page: Page) -> str:
    metas = (f'<meta {key}="{escape(name)}" content="{escape(content)}">' for name, content in page.metas for key in ("name", "property"))
    scripts = (f'<script type="application/ld+json">{script}</script>' for script in page.json_ld if "</" not in script)
    times = (f'<time datetime="{escape(value)}"></time>' for element in page.elements if (value := element.attributes.get("datetime")))
    head = f'<title>{escape(next(iter(page.titles), ""))}</title><link rel="canonical" href="{escape(page.canonical)}">'
    headline = next((row for row, block in enumerate(page.blocks) if block.heading == 1), 0)
    near = page.blocks[max(headline - NEAR[0], 0) : headline + NEAR[1]]
    bylines = (f'<p class="date">{escape(block.text)}</p>' for block in near if len(block.text) <= BYLINE_CHARS)
    return f"<html><head>{head}{''.join(metas)}{''.join(scripts)}</head><body>{''.join(times)}{''.join(bylines)}</body></html>"
