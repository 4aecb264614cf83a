"""Request models of the service: one per operation, for the synchronous route, the job and the client alike.

Every model is parsed strictly: an unknown field, a wrong type or a value out of range is refused with its place in the body. Options of
other services that have no effect here get a warning each.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec

from sightread.crawler.urls import SECTION, Scope
from sightread.document.formats import CHUNK_TOKENS
from sightread.document.tree.nodes import Part
from sightread.render.argument_checks import did_you_mean, nearest
from sightread.render.errors import Rejected, quoted
from sightread.render.labels import PartKind, Visible
from sightread.render.visit.capture import ResourceKind
from sightread.render.visit.device import LANGUAGE, PAPERS_VIEWPORT, ColourScheme, Device
from sightread.render.visit.options import DeadlineOption, ReadyOptions, declared_options

_WRONG_NAME = re.compile(r"unknown field `(.{1,100}?)`|Invalid (?:enum )?value '(.{1,100}?)'", re.DOTALL)
LONGEST_MESSAGE = 1000
"""Characters of a message, which quotes names of the body."""


def describe_invalid(error: Exception, model: Any) -> str:
    """Return what is wrong with JSON; for a name that does not exist, with the nearest one of the model."""
    text = str(error)
    if len(text) > LONGEST_MESSAGE:
        return f"{text[:LONGEST_MESSAGE]}…"
    found = _WRONG_NAME.search(text)
    return text + did_you_mean(found[1] or found[2], _known_names(model, "properties" if found[1] else "enum")) if found else text


@cache
def _known_names(model: Any, key: str) -> frozenset[str]:
    """Return the names of all fields (`properties`), or all values that are names (`enum`), in a model's JSON Schema."""

    def names(schema: Any) -> Iterator[str]:
        for own, inner in schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ():
            if own == key:
                yield from map(str, inner)
            yield from names(inner)

    return frozenset(names(msgspec.json.schema(model)))


LONGEST_NAME = 60
"""Characters of an option's name that a warning repeats."""
MOST_WARNINGS = 20
"""Of one answer; a caller may send any number of unknown options."""
_MISSING_FIELD = re.compile(r"missing required field `(\w+)`$")
LEAST_SIMILARITY = 0.75
"""Of a name to one that may be meant (`difflib`): `wait_for` has 0.8 to `waitFor`, `option` 0.67 to `location`."""
MOST_COMPARED = 100
"""Unknown names of one request that are compared with the known ones: a comparison takes some 0.1 ms."""
T = TypeVar("T")


def decode_object(body: bytes, what: str) -> dict[str, Any]:
    """Return the JSON object of a request body. Raises `Rejected` for anything else."""
    try:
        return msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Rejected(f"the body is invalid: {error}; send {what} as a JSON object") from error


def convert(options: object, model: type[T]) -> T:
    """Return decoded JSON, or the fields of a request, as a record. Raises `Rejected` with the place of the first error."""
    try:
        return msgspec.convert(options, model)
    except msgspec.ValidationError as error:
        given = options if isinstance(options, Mapping) else {}
        raise Rejected(f"the request is invalid: {describe_invalid(error, model)}{_misspelt(str(error), given, model)}") from error


def _misspelt(error: str, given: Mapping[str, Any], model: Any) -> str:
    """Return the key that was sent in place of a required one, if one of those sent resembles it."""
    missing = _MISSING_FIELD.search(error)
    return near_key(missing[1], given, known_options(model)) if missing else ""


def near_key(required: str, given: Mapping[str, Any], known: Collection[str] = ()) -> str:
    """Return a question about an unknown key that was sent and resembles the required one; empty if none does."""
    unknown = {name.lower(): name for name in islice((name for name in given if name not in known), MOST_COMPARED)}
    near = nearest(required, unknown)
    return f" (it has {unknown[near][:LONGEST_NAME]}: did you mean {required}?)" if near else ""


def known_options(model: type[msgspec.Struct]) -> frozenset[str]:
    """Return the names of a model's fields as they are in JSON."""
    return frozenset(field.encode_name for field in msgspec.structs.fields(model))


def ignored_options(given: Mapping[str, Any], known: Collection[str], reasons: Mapping[str, str]) -> tuple[str, ...]:
    """Return one warning for each given option that has no effect; for an unknown one with the nearest that there is.

    `reasons` are those of documented options, without a warning if the reason is empty. An option that is null, false or empty requests
    nothing, and gets none, unless it looks like another one misspelt.
    """
    warnings: list[str] = []
    compared = 0
    for name, value in given.items():
        if name in known or value is None or len(warnings) == MOST_WARNINGS:
            continue
        is_unknown = name not in reasons
        compared += is_unknown
        near = nearest(name, known, LEAST_SIMILARITY) if is_unknown and compared <= MOST_COMPARED else ""
        reason = reasons.get(name, f"it is not known here{f': did you mean {near}?' if near else ''}")
        if reason and (near or value not in (False, "", [], {})):
            warnings.append(f"option {quoted(name, LONGEST_NAME)} is ignored: {reason}")
    return tuple(warnings)


Side = Annotated[int, msgspec.Meta(ge=200, le=4000)]
"""CSS px of a side of the requested window: the size of a screen, so that its memory is bounded."""
MOST_DEADLINE = 120.0
"""Seconds that a request may allow for its page."""
MOST_COUNT = 1_000_000
MOST_URLS = 10_000
"""URLs of one batch."""
MOST_PAGES = 10_000
"""Pages of one crawl."""
Seconds = Annotated[float, msgspec.Meta(ge=0, le=MOST_DEADLINE)]
Delay = Annotated[float, msgspec.Meta(ge=0, le=60)]
Name = Annotated[str, msgspec.Meta(max_length=100)]
Selector = Annotated[str, msgspec.Meta(max_length=2000)]
Url = Annotated[str, msgspec.Meta(max_length=8000)]

Output = Literal[
    "html",
    "tei",
    "chunks",
    "change",
    "posts",
    "attributes",
    "left_out",
    "page_html",
    "links",
    "images",
    "screenshot",
    "response",
    "network",
    "console",
]
"""Optional content of an answer: `html`, `tei` and `chunks` are the document in that format; `change` is how it differs from what you
received of its page before; `page_html`, `links` and `images` are those of the whole page; `response` is status and headers; `network` a
HAR file."""


class DeviceRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The device of a request; the fields of `Device` that send nothing to the server except the language."""

    viewport: tuple[Side, Side] = (int(PAPERS_VIEWPORT.width), int(PAPERS_VIEWPORT.height))
    """Width and height."""
    colour_scheme: ColourScheme = "light"
    language: Name = LANGUAGE
    time_zone: Name = ""
    mobile: bool = False

    def device(self) -> Device:
        """Return the device. Raises `Rejected`."""
        return Device(**msgspec.structs.asdict(self))


class WaitAction(msgspec.Struct, tag="wait", tag_field="type", forbid_unknown_fields=True):
    """Wait a number of seconds, or until a selector or a text (`text=…`) is shown."""

    seconds: Seconds = 0.0
    until: Selector = ""


class ScrollAction(msgspec.Struct, tag="scroll", tag_field="type", forbid_unknown_fields=True):
    """Scroll to `top`, to `bottom`, to a number of CSS px from the top, or to a selector."""

    to: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] | Selector = "bottom"


class ClickAction(msgspec.Struct, tag="click", tag_field="type", forbid_unknown_fields=True):
    """Click the first element of a selector, or, if it is `repeated`, for as long as that brings more; only if the operator allows it."""

    selector: Selector
    repeated: bool = False


class TypeAction(msgspec.Struct, tag="type", tag_field="type", forbid_unknown_fields=True):
    """Replace the content of a field by a text; only if the operator allows it."""

    selector: Selector
    text: Selector


class PressAction(msgspec.Struct, tag="press", tag_field="type", forbid_unknown_fields=True):
    """Press a key, in the first element of a selector or where the focus is; only if the operator allows it."""

    key: Name
    selector: Selector = ""


ActionRequest: TypeAlias = WaitAction | ScrollAction | ClickAction | TypeAction | PressAction
HARMLESS_ACTIONS = frozenset(("wait", "scroll"))
"""Types of the actions that every caller may request."""


class AccessRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Headers and cookies for the page's own site alone."""

    headers: dict[str, str] = {}
    cookies: dict[str, str] = {}


def _visit_fields() -> Iterator[tuple[str, Any, Any]]:
    """Yield name, type and default of the options of a visit; seconds are `MOST_DEADLINE` at most, numbers `MOST_COUNT`."""
    for name, kind, option, default in declared_options():
        most = {float: MOST_DEADLINE, int: MOST_COUNT}.get(kind)
        least = option.least if option.least is None else kind(option.least)
        bounds: dict[str, Any] = {"gt": option.above, "ge": least, "le": most} if most else {}
        yield name, Annotated[kind, msgspec.Meta(**bounds, description=option.help)], default


if TYPE_CHECKING:  # a type checker needs the class that is made below

    class VisitRequest(DeadlineOption, ReadyOptions, msgspec.Struct, frozen=True, kw_only=True):
        """How each page is visited: options of the library that are plain values."""

else:
    VisitRequest = msgspec.defstruct("VisitRequest", _visit_fields(), kw_only=True, frozen=True, forbid_unknown_fields=True)


class PageOptions(VisitRequest, frozen=True, kw_only=True):
    """How each page is rendered and read."""

    model: Name = ""
    """As on the command line; empty for the service's default model."""
    without: Annotated[tuple[Part, ...], msgspec.Meta(max_length=100)] = ()
    """Parts of the document to leave out."""
    outputs: Annotated[tuple[Output, ...], msgspec.Meta(max_length=100)] = ()
    """Optional content of the answer."""
    chunk_tokens: Annotated[int, msgspec.Meta(ge=50, le=MOST_COUNT)] = CHUNK_TOKENS
    """Most tokens of a chunk, as `Document.chunks` estimates them."""
    chunk_overlap: Annotated[int, msgspec.Meta(ge=0, le=MOST_COUNT)] = 0
    """Most tokens that a chunk repeats from the one before; at most half of `chunk_tokens`."""
    visible: Visible = "reachable"
    """Text that may be kept: what a person sees or can open, what a person sees without opening anything, or all."""
    citations: bool = False
    """Add where the document's blocks and links are on the page: `spans` of the answer, and of each chunk."""
    change_tag: Name = ""
    """With the output `change`: the name of the series of requests that are compared."""
    device: DeviceRequest = msgspec.field(default_factory=DeviceRequest)
    wait_for: Selector = ""
    """A CSS selector or `text=` and a text that must be shown before the page is read."""
    actions: Annotated[tuple[ActionRequest, ...], msgspec.Meta(max_length=100)] = ()
    """Done in this order once the page has loaded."""
    block: Annotated[tuple[ResourceKind, ...], msgspec.Meta(max_length=100)] = ()
    """Kinds of requests that are not made."""
    access: AccessRequest | None = None
    whole_page: bool = False
    """Take all visible text of the page, not only its main content."""
    keep_selectors: Annotated[tuple[Selector, ...], msgspec.Meta(max_length=100)] = ()
    """CSS selectors: the text inside their elements is the content, in place of what the model chooses."""
    drop_selectors: Annotated[tuple[Selector, ...], msgspec.Meta(max_length=100)] = ()
    """CSS selectors: the text inside their elements is left out in any case."""
    max_age: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    """Seconds: an answer to the same request that is no older may come from the cache; 0 reads the page anew."""


class ExtractRequest(PageOptions, frozen=True):
    """One page: a `url` to render, or `html` (with the `url` it came from, if known)."""

    url: Url = ""
    html: str = ""


class RenderRequest(PageOptions, frozen=True):
    """One page as the browser shows it, with all its blocks."""

    url: Url = ""
    html: str = ""


class ExplainRequest(PageOptions, frozen=True):
    """One page, for the decision about each of its blocks."""

    url: Url = ""
    html: str = ""
    evidence: Annotated[int, msgspec.Meta(ge=0, le=50)] = 8
    """Most features per block, those with the greatest contributions first."""


OnePage: TypeAlias = ExtractRequest | RenderRequest | ExplainRequest


class ScopeRequest(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Which pages of a site are taken (`sightread.crawler.urls.Scope`)."""

    within: Url = SECTION
    """A path: only it and what is below it; "/" is the whole site, "section" the section that the start URL names."""
    include: Annotated[tuple[Url, ...], msgspec.Meta(max_length=100)] = ()
    exclude: Annotated[tuple[Url, ...], msgspec.Meta(max_length=100)] = ()
    """Patterns of addresses, such as `/blog/*`."""
    depth: Annotated[int, msgspec.Meta(ge=0, le=1000)] | None = None
    """Most links from the start page to a page."""
    language: Annotated[str, msgspec.Meta(max_length=3)] = ""
    sitemap: Url = ""
    """The pages of this sitemap alone."""

    def scope(self) -> Scope:
        """Return the crawler's scope. Raises `Rejected`."""
        return Scope(**msgspec.structs.asdict(self))


class MapRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The addresses of a site that a crawl would take; only its start page, robots.txt and sitemaps are read."""

    url: Url
    """Where to start: a front page, a section, or an article."""
    pages: Annotated[int, msgspec.Meta(ge=1, le=MOST_PAGES)] = 1000
    """Most addresses."""
    scope: ScopeRequest = msgspec.field(default_factory=ScopeRequest)


class BatchRequest(PageOptions, frozen=True, tag="batch", tag_field="kind"):
    """Pages by their addresses, all with the same options."""

    urls: Annotated[tuple[Url, ...], msgspec.Meta(min_length=1, max_length=MOST_URLS)]


class CrawlOptions(PageOptions, frozen=True, kw_only=True):
    """How the pages of a crawl are visited and read."""

    delay: Delay | None = None
    """Seconds between two request starts; half a second by default, and never less than robots.txt requires."""


class CrawlRequest(CrawlOptions, frozen=True, tag="crawl", tag_field="kind"):
    """Pages of a site, found from a start URL."""

    url: Url
    pages: Annotated[int, msgspec.Meta(ge=1, le=MOST_PAGES)] = 25
    """Most pages."""
    scope: ScopeRequest = msgspec.field(default_factory=ScopeRequest)


class LearnRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="learn", tag_field="kind"):
    """Crawl a site and learn its model, which `auto` uses from then on if it is trusted."""

    url: Url
    pages: Annotated[int, msgspec.Meta(ge=1, le=MOST_PAGES)] = 25
    scope: ScopeRequest = msgspec.field(default_factory=ScopeRequest)
    delay: Delay | None = None
    """As of a crawl."""
    keep: tuple[PartKind, ...] = ()
    drop: tuple[PartKind, ...] = ()
    """Parts of the site's pages to keep or leave out, regardless of the evidence."""


class WatchRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="watch", tag_field="kind"):
    """Read the pages of a site again and again; what is new, changed, moved or gone is a result of the job, and sent to a webhook."""

    url: Url
    every: Annotated[float, msgspec.Meta(ge=1 / 60, le=8760)] = 24.0
    """Hours between the end of a round and the next."""
    webhook: Url = ""
    """Receives the changes of each round that has any."""
    pages: Annotated[int, msgspec.Meta(ge=1, le=MOST_PAGES)] = 1000
    """Most addresses."""
    scope: ScopeRequest = msgspec.field(default_factory=ScopeRequest)
    """Here "section" is the whole site."""
    delay: Delay | None = None
    """As of a crawl."""


JobRequest: TypeAlias = BatchRequest | CrawlRequest | LearnRequest | WatchRequest


def page_options(request: PageOptions) -> dict[str, Any]:
    """Return the options of a request, without its own fields, by name."""
    return {name: getattr(request, name) for name in PageOptions.__struct_fields__}


def page_request(options: PageOptions, url: str) -> ExtractRequest:
    """Return the request for one page with these options."""
    return ExtractRequest(url, **page_options(options))


def parse(body: bytes, model: Any) -> Any:
    """Return the body as a record of the model (or of one of a union). Raises `Rejected` with the place of the first error."""
    try:
        decoded = msgspec.json.decode(body, type=model)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        wrong = describe_invalid(error, model) if body.strip() else "it is empty: send a JSON object"
        raise Rejected(f"the body is invalid: {wrong}; the fields are in /api/v1/openapi.json") from error
    if isinstance(decoded, ExtractRequest | RenderRequest | ExplainRequest) and not decoded.url and not decoded.html:
        raise Rejected("neither url nor html was sent: one of them is required")
    return decoded
