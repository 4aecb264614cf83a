"""URLs of a site: how they are written, how much they look like articles, and which of them a crawl visits.

Scores links by how likely they lead to articles, and detects listing pages.

The weights were set on the development pages of WCXB, whose pages are typed by hand (docs/experiments/crawling.md).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from sightread.render.errors import Rejected, quoted
from sightread.render.network.address import parse_url, percent_decode
from sightread.render.page import Block, Page
from sightread.render.text.words import count_unspaced, count_words

LONGEST_URL = 2000
"""Characters. Longer ones are traps and session dumps; servers and browsers commonly refuse them."""

_TRACKING = re.compile(r"utm_\w+|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|srsltid|_ga|_gl", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"[^/?#:]+:\d+(?=$|[/?#])")
_TEMPLATE = re.compile(r"\{\{|\$\{|#\{|<%|\{%")
_NO_HOST = re.compile(r"[a-z]+:/{0,1}(?!/)|[a-z]+:/{3}", re.IGNORECASE)
"""Addresses in which a browser takes the path's first segment for the host; on a page they are mistakes."""
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]")


class StartUrl(NamedTuple):
    """A start URL in normal form, and what was assumed about the text it came from (empty if nothing was)."""

    url: str
    assumed: str


def parse_start_url(text: str) -> StartUrl:
    """Check what a user typed as a start URL.

    A missing scheme is taken as https (http on loopback), recorded in `assumed`. Raises `Rejected` for any other scheme, for user names
    and passwords, for backslashes, spaces and control characters, and for what has no host.
    """
    text = text.strip()
    if not text:
        raise Rejected("the start URL is empty: give the address of a site, such as https://example.com")
    if _CONTROL.search(text) or "\\" in text:
        raise Rejected(f"start URL {quoted(text)}: holds a backslash, a space or a control character: percent-encode it or take it out")
    assumed = ""
    if not _SCHEME.match(text) or _HOST_AND_PORT.match(text):
        scheme = "http" if is_loopback(f"http://{text}") else "https"
        text, assumed = f"{scheme}://{text}", f"no scheme given: {scheme} assumed"
    if not text.lower().startswith(("http://", "https://")):
        raise Rejected(f"start URL {quoted(text)}: only http and https can be crawled")
    parsed = parse_url(text)
    if parsed and (parsed.username or parsed.password):
        raise Rejected("the start URL holds a user name or password: take it out, it would end up in the corpus")
    url = normalize(text)
    if url is None:
        raise Rejected(f"start URL {quoted(text)}: no host in it, or longer than {LONGEST_URL} characters: check its spelling")
    return StartUrl(url, assumed)


def normalize(url: str) -> str | None:
    """Return the URL as it is visited, or None if it is not a page's address (another scheme, no host, malformed, too long).

    The fragment, the default port and tracking parameters go; scheme and host are lower case; everything else stays as the site wrote
    it. The order of the query stays too: some servers read it, and a rewritten address may not be the one that was linked. `url_key`,
    which only compares, ignores that order.
    """
    url = url.strip()
    if len(url) > 10 * LONGEST_URL or _CONTROL.search(url) or "\\" in url or _NO_HOST.match(url):
        return None
    parsed = parse_url(url)
    if parsed is None or parsed.protocol not in ("http:", "https:") or parsed.username or parsed.password:
        return None
    query = "&".join(part for part in parsed.search[1:].split("&") if part and not _TRACKING.fullmatch(part.split("=")[0]))
    host = parsed.hostname.rstrip(".")
    port = f":{parsed.port}" if parsed.port else ""
    normal = f"{parsed.protocol}//{host}{port}{parsed.pathname}" + (f"?{query}" if query else "")
    return normal if host and len(normal) <= LONGEST_URL else None


def url_key(url: str) -> str:
    """Return what two addresses of one page have in common; `url` must be normal.

    Scheme and `www.` are ignored and the query is sorted by name (the values of a repeated name keep their order, which means
    something: `?step=1&step=2`). A trailing slash counts: if it makes no difference the site redirects, and the final URLs are equal.
    """
    address, _, query = url.partition("?")
    parts = sorted(query.split("&"), key=lambda part: percent_decode(part.split("=")[0].replace("+", " ")))
    return f"{site_of(url)}{path_of(address)}?{'&'.join(parts)}"


def site_of(url: str) -> str:
    """Return the site that a normal URL belongs to: its host without `www.`, and its port unless that is the scheme's own."""
    return url.split("/", 3)[2].removeprefix("www.")


def is_template(url: str) -> bool:
    """Return whether an address, percent-encoded or not, holds what a template engine was to replace: `{{id}}`, `${id}`, `<%= id %>`."""
    return _TEMPLATE.search(percent_decode(url)) is not None


def address_of(url: str) -> str:
    """Return path and query of a normal URL."""
    return "/" + url.split("/", 3)[3]


def path_of(url: str) -> str:
    """Return the path of a normal URL, from its first slash to its query."""
    return address_of(url).partition("?")[0]


def is_loopback(url: str) -> bool:
    """Return whether the URL names this machine: `localhost`, 127.0.0.0/8 or ::1."""
    parsed = parse_url(url)
    host = parsed.hostname.strip("[]") if parsed else ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


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
    """When a page is a list of links (docs/experiments/crawling.md)."""

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


class _Parts(NamedTuple):
    """Parts of a normal URL by which it is judged, in lower case."""

    path: str
    segments: list[str]
    """Of the path, decoded."""
    last: str
    """The last segment without the suffix of a page."""
    query: dict[str, str]

    @property
    def has_id(self) -> bool:
        """Whether a parameter names one article."""
        return any(value.isdigit() and _ID_QUERY.fullmatch(name) for name, value in self.query.items())

    @property
    def has_list_query(self) -> bool:
        """Whether a parameter is that of a list or a form."""
        return any(_LIST_QUERY.fullmatch(name) for name in self.query)

    @property
    def has_list_name(self) -> bool:
        """Whether a segment has the name of a list."""
        return any(_LIST.fullmatch(segment) for segment in (*self.segments[:-1], self.last))


def _parts(url: str) -> _Parts:
    path = percent_decode(path_of(url)).lower()
    segments = [segment for segment in path.split("/") if segment]
    query = dict(part.partition("=")[::2] for part in url.partition("?")[2].lower().split("&") if part)
    return _Parts(path, segments, _SUFFIX.sub("", segments[-1]) if segments else "", query)


def article_score(url: str, text: str = "") -> float:
    """Return how much a link looks like one to an article, from its normal URL and its text; above 0 it rather does.

    Evidence for: a date in the path, a long slug, an id, words such as `story`, a link text as long as a headline.
    Evidence against: the front page, a bare section name, the names of lists and forms (`tag`, `page`, `login`), a query.
    """
    parts = _parts(url)
    segments, last = parts.segments, parts.last
    score = _text_score(text) - 0.5 * bool(parts.query) + (2 if parts.has_id else -3 if parts.has_list_query else 0)
    if not segments:
        return score - (0 if parts.has_id else 5)
    words = _words(last)
    score += min(words, 8) * 0.5 - 1 + 3 * bool(_DATE.search(parts.path)) + 1.5 * bool(_ID.search(last)) + 0.5 * (last != segments[-1])
    score += any(_ARTICLE.fullmatch(segment) for segment in segments[:-1])
    if parts.has_list_name or _SECTION.fullmatch(last):
        score -= 4
    if len(segments) == 1 and words <= 2 and not _ID.search(last):
        score -= 2
    return score


def names_list(url: str) -> bool:
    """Return whether a normal URL has the name of a list, a form or a service page: `/tag/fair`, `/login`, `?page=2`, the front page."""
    parts = _parts(url)
    if parts.has_id:
        return False
    if not parts.segments or parts.has_list_query or parts.has_list_name:
        return True
    return parts.last != "index" and _SECTION.fullmatch(parts.last) is not None


def names_section(url: str) -> bool:
    """Return whether the path of a normal URL names a section of a site rather than an article: one or two words, no date, no id."""
    path, segments, *_ = _parts(url)
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
    return count_words(text.replace("_", " "))


SECTION = "section"
"""The default of `Scope.within`: below the start's path if that names a section of the site."""
FEWEST_LINKS_BELOW = 3
"""Links of the start page to addresses below its own path that make it a section: the articles of others are elsewhere."""
MOST_ADDRESSES = 100_000
"""Of a list."""
MOST_PATTERNS = 200
LONGEST_PATTERN = 500
"""Characters."""
MOST_STARS = 50
"""In one pattern: every address of a site is compared with all patterns, which takes 2 ms for these."""

_LANGUAGE = re.compile(r"[a-z]{2,3}")


class Scope(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which pages a crawl takes; recorded in its journal. Raises `Rejected` for values that make no sense."""

    within: str = SECTION
    """A path: only it and what is below it; "/" is the whole site."""
    include: tuple[str, ...] = ()
    """Patterns, one of which an address must fit: its path and query, or the whole of it if the pattern has "://"; `*` is any text.
    Pages at other addresses are visited for their links, after all that fit."""
    exclude: tuple[str, ...] = ()
    """Patterns that no address may fit; pages that do are not visited."""
    depth: int | None = None
    """Most links from the start page to a page."""
    language: str = ""
    """The language that a page must declare (`en` of `en-GB`); one that declares none is taken."""
    sitemap: str = ""
    """The address of a sitemap: its pages alone are taken."""
    urls: tuple[str, ...] = ()
    """Normal URLs: these alone are taken."""

    def __post_init__(self) -> None:
        if self.within != SECTION and not self.within.startswith("/"):
            raise Rejected(f"within is {quoted(self.within)}: give a path such as /news/, or / for the whole site")
        if len(self.include) + len(self.exclude) > MOST_PATTERNS:
            raise Rejected(f"{len(self.include) + len(self.exclude)} patterns: give {MOST_PATTERNS} at most")
        for pattern in (*self.include, *self.exclude):
            if len(pattern) > LONGEST_PATTERN or pattern.count("*") > MOST_STARS:
                raise Rejected(f"pattern {quoted(pattern[:100])}…: give {LONGEST_PATTERN} characters and {MOST_STARS} * at most")
            if not pattern.startswith(("/", "*", "http://", "https://")):
                raise Rejected(f"pattern {quoted(pattern)}: begin it with / or *, as in /blog/* or */2024/*, or give a whole address")
        if self.depth is not None and self.depth < 0:
            raise Rejected(f"depth is {self.depth}: give 0 or more links from the start page")
        if self.language and not _LANGUAGE.fullmatch(self.language):
            raise Rejected(f"language is {quoted(self.language)}: give the language alone, such as en or pt")
        if self.sitemap and self.urls:
            raise Rejected("a sitemap and a list of URLs are two sources of pages: give one of them")

    @property
    def is_listed(self) -> bool:
        """Whether the pages are those of a list or of a sitemap, and links are not followed."""
        return bool(self.sitemap or self.urls)

    def refusal(self, url: str, section: str) -> str:
        """Return why a normal URL is not taken; empty if it is. `section` is the path that `within` means on this site."""
        path = path_of(url)
        if not _is_below(path, section):
            return f"not below {section}"
        fitting = next((pattern for pattern in self.exclude if fits(pattern, url)), "")
        return f"fits {fitting}, which is excluded" if fitting else ""

    def includes(self, url: str) -> bool:
        """Return whether a normal URL fits one of the patterns of `include`, or there are none; others serve for their links alone."""
        return not self.include or any(fits(pattern, url) for pattern in self.include)

    def refuses_language(self, page: Page) -> str:
        """Return why a page's language is refused; empty if it is not."""
        declared = re.split(r"[-_]", page.language.strip().lower())[0]
        return f"its language is {declared}, not {self.language}" if self.language and declared and declared != self.language else ""

    def section(self, start: str, links: Iterable[str]) -> str:
        """Return the path that the crawl stays below, by the start page's final URL and its links."""
        if self.within != SECTION:
            return self.within
        if self.is_listed or not names_section(start):
            return "/"
        folder = re.sub(r"index\.\w+$", "", path_of(start)).rstrip("/") + "/"
        below = {url for url in links if _is_below(path_of(url), folder)}
        return folder if len(below) >= FEWEST_LINKS_BELOW else "/"


DEFAULT_SCOPE = Scope()
"""The whole site, or the section that the start URL names."""


def list_urls(lines: Iterable[str], start: str = "") -> tuple[str, ...]:
    """Return the URLs of a list, one per line, each once in normal form; empty lines and those that begin with # are passed over.

    Raises `Rejected` for an empty list, for anything other than a URL, and for URLs of different sites, or of another site than `start`.
    """
    found: dict[str, None] = {}
    site = site_of(start) if start else ""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        url = normalize(text)
        if url is None:
            raise Rejected(f"line {number} of the list of URLs: {quoted(text, 100)} is no http or https URL")
        site = site or site_of(url)
        if site_of(url) != site:
            raise Rejected(f"line {number} of the list of URLs: {text[:100]} is not on {site}: a corpus has one site")
        found[url] = None
        if len(found) > MOST_ADDRESSES:
            raise Rejected(f"the list of URLs has more than {MOST_ADDRESSES}: divide it")
    if not found:
        raise Rejected("the list of URLs is empty: give one URL per line")
    return tuple(found)


def _is_below(path: str, folder: str) -> bool:
    return path == folder.rstrip("/") or path.startswith(folder if folder.endswith("/") else f"{folder}/") or path == folder


def fits(pattern: str, url: str) -> bool:
    """Return whether a normal URL fits a pattern: the whole URL if the pattern has a scheme, else its path and query."""
    return matches(pattern, url if "://" in pattern else address_of(url))


def matches(pattern: str, address: str) -> bool:
    """Return whether an address is a pattern's parts, which `*` separates, with any text between them.

    Each part is looked for at its first place, in linear time: a regular expression would try all places of all parts.
    """
    first, *middle = pattern.split("*")
    if not middle:
        return address == pattern
    last = middle.pop()
    place, end = len(first), len(address) - len(last)
    if end < place or not address.startswith(first) or not address.endswith(last):
        return False
    for part in middle:
        place = address.find(part, place, end)
        if place < 0:
            return False
        place += len(part)
    return True
