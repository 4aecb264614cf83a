"""Scores links by how likely they lead to articles, and detects listing pages.

The weights were set on the development pages of WCXB, whose pages are typed by hand (docs/experiments/listings.md).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sightread.crawler.urls import path_of
from sightread.render.network.address import percent_decode
from sightread.render.page import Block, Page
from sightread.render.text.words import count_unspaced, count_words

_ASSET = re.compile(
    r"\.(?:7z|apk|atom|avi|avif|bmp|bz2|css|csv|deb|dmg|docx?|epub|exe|flac|gif|gz|ico|ics|iso|jar|jpe?g|js|json|m3u8|m4[av]|map|mjs|mkv|mov"
    r"|mp[34]|mpe?g|msi|odp|ods|odt|og[gv]|otf|pdf|png|pptx?|ps|rar|rdf|rpm|rss|rtf|svg|swf|tar|tgz|tiff?|torrent|tsv|ttf|txt|wav|webm|webp"
    r"|wmv|woff2?|xlsx?|xml|xz|zip)$",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?:^|[/_-])(?:19|20)\d\d[/_-]?(?:0?[1-9]|1[0-2])(?:[/_-]?(?:0?[1-9]|[12]\d|3[01]))?(?=$|[/_.-])")
_ID = re.compile(r"\d{4,}|(?<![0-9a-f])(?=[0-9a-f]*\d)[0-9a-f]{8,}(?![0-9a-f])")
_SUFFIX = re.compile(r"\.(?:s?html?|php|aspx?|jsp)$")

# Segments of a path. Those of lists count anywhere in it; those of sections and service pages only at its end.
_ARTICLE = re.compile(r"articles?|blogs?|news|posts?|story|stories|archives|entry|detail|content|p")
_LIST = re.compile(
    r"tags?|categor(?:y|ies)|authors?|page|search|log-?in|log-?out|sign-?(?:in|up)|register|account|users?|profiles?|cart|checkout|feeds?|rss|labels?"
    r"|subscribe|wp-admin|wp-json|admin|print|share"
)
_SECTION = re.compile(
    r"index|home|all|latest|popular|trending|pages|sections?|topics?|archives?|sitemap|about(?:-us)?|contact(?:-us)?|privacy(?:-policy)?|imprint|impressum"
    r"|terms(?:-(?:of-(?:service|use)|and-conditions))?|cookies?(?:-policy)?|legal|help|faqs?|jobs|careers|press|advertise|newsletters?|amp"
)
# Parameters of a query.
_LIST_QUERY = re.compile(
    r"paged?|p|q|s|search|query|sort|order(?:by)?|filter|replytocom|share|print|tag|cat|category|author|lang|ref|login"
)
_ID_QUERY = re.compile(r"id|p|aid|(?:article|post|story|news|content)_?(?:id)?")


@dataclass(frozen=True, slots=True)
class ListingRule:
    """When a page is a list of links (docs/experiments/listings.md)."""

    fewest_links: int = 15
    """Different addresses that a list links to."""
    fewest_links_of_front_page: int = 5
    paragraph_characters: int = 80
    """From which a block is a paragraph rather than a teaser; in scripts without spaces one counts as two."""
    most_paragraph_share: float = 0.2
    """Of the page's characters, in paragraphs outside links."""
    most_linked_share: float = 0.3
    """Of a paragraph's characters, inside links."""


LISTING = ListingRule()


def is_asset(url: str) -> bool:
    """Return whether the path of a normal URL ends like a file that is no page: a picture, a script, a feed, an archive."""
    return _ASSET.search(path_of(url)) is not None


def article_score(url: str, text: str = "") -> float:
    """Return how much a link looks like one to an article, from its normal URL and its text; above 0 it rather does.

    Evidence for: a date in the path, a long slug, an id, words such as `story`, a link text as long as a headline.
    Evidence against: the front page, a bare section name, the names of lists and forms (`tag`, `page`, `login`), a query.
    """
    path = percent_decode(path_of(url)).lower()
    segments = [segment for segment in path.split("/") if segment]
    query = dict(part.partition("=")[::2] for part in url.partition("?")[2].lower().split("&") if part)
    has_id = any(value.isdigit() and _ID_QUERY.fullmatch(name) for name, value in query.items())
    score = _text_score(text) - 0.5 * bool(query)
    if has_id:
        score += 2
    elif any(_LIST_QUERY.fullmatch(name) for name in query):
        score -= 3
    if not segments:
        return score - (0 if has_id else 5)
    last = _SUFFIX.sub("", segments[-1])
    words = _words(last)
    score += min(words, 8) * 0.5 - 1 + 3 * bool(_DATE.search(path)) + 1.5 * bool(_ID.search(last)) + 0.5 * (last != segments[-1])
    score += any(_ARTICLE.fullmatch(segment) for segment in segments[:-1])
    if any(_LIST.fullmatch(segment) for segment in (*segments[:-1], last)) or _SECTION.fullmatch(last):
        score -= 4
    if len(segments) == 1 and words <= 2 and not _ID.search(last):
        score -= 2
    return score


def names_list(url: str) -> bool:
    """Return whether a normal URL has the name of a list, a form or a service page: `/tag/fair`, `/login`, `?page=2`, the front page."""
    segments = [segment for segment in percent_decode(path_of(url)).lower().split("/") if segment]
    query = dict(part.partition("=")[::2] for part in url.partition("?")[2].lower().split("&") if part)
    if any(value.isdigit() and _ID_QUERY.fullmatch(name) for name, value in query.items()):
        return False
    if not segments or any(_LIST_QUERY.fullmatch(name) for name in query):
        return True
    last = _SUFFIX.sub("", segments[-1])
    is_section = last != "index" and _SECTION.fullmatch(last) is not None
    return is_section or any(_LIST.fullmatch(segment) for segment in (*segments[:-1], last))


def names_section(url: str) -> bool:
    """Return whether the path of a normal URL names a section of a site rather than an article: one or two words, no date, no id."""
    path = percent_decode(path_of(url)).lower()
    segments = [segment for segment in path.split("/") if segment]
    if segments and segments[-1].startswith("index."):
        segments.pop()
    if not segments or _DATE.search(path) or "?" in url:
        return False
    last = segments[-1]
    return _words(last) <= 2 and not _ID.search(last) and not _SUFFIX.search(last)


def is_listing(page: Page) -> bool:
    """Return whether a rendered page is a list of links rather than a text: a front page, a section, search results."""
    links = len({link.url for link in page.links})
    if page.final_url.count("/") < 3 or path_of(page.final_url) == "/":
        return links >= LISTING.fewest_links_of_front_page
    shown = [block for block in page.blocks if not block.hidden]
    paragraphs = sum(len(block.text) for block in shown if _is_paragraph(block))
    return links >= LISTING.fewest_links and paragraphs < LISTING.most_paragraph_share * sum(len(block.text) for block in shown)


def _is_paragraph(block: Block) -> bool:
    width = len(block.text) + count_unspaced(block.text)
    return width >= LISTING.paragraph_characters and block.link_chars < LISTING.most_linked_share * len(block.text)


def _text_score(text: str) -> float:
    """From -1 for the text of a button or a page number to 2 for a headline; 0 if the text is not known."""
    words = _words(text)
    return 0 if not text.strip() else -1 if words <= 1 else min((words - 2) * 0.4, 2)


def _words(text: str) -> float:
    """Return the number of words; an underscore separates two of them."""
    return count_words(text.replace("_", " "))
