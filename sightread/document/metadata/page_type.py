"""Page type: the one that a model predicts, else that which the page declares, else by its shape.

The global model's (`sightread.classify.general.page_type`) are correct on .84 of WCXB dev's pages, what pages declare on .76.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Literal

from sightread.render.analysis.jsonld import MAX_NODES, is_type, linked_nodes
from sightread.render.labels import PageType
from sightread.render.page import Page

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
    linked = _linked(page.json_ld)
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


def _linked(scripts: Iterable[str]) -> DeclaredType:
    nodes = list(islice(linked_nodes(scripts), MAX_NODES))
    for kind, pattern in _LINKED:
        if any(is_type(node, pattern) for node in nodes):
            return kind
    return ""


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
