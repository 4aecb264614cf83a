"""The `Page` record: one visited URL as it was rendered, with its text blocks.

Tables are interned: a block names its element and its style by row, so that a page is small on disk and cheap to compute on.
Boxes are in CSS px with the document's origin; character offsets count Unicode code points; row i of any array is block i.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Annotated, Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar

import msgspec

from sightread.render.errors import BadRecord

SCHEMA = 2

Further = ParamSpec("Further")
Result = TypeVar("Result")
_MEMO = "_memo"
"""Attribute of a page that holds the results of functions decorated with `once`; no field, so it is neither stored nor compared."""

Row = Annotated[int, msgspec.Meta(ge=0)]
Length = Annotated[float, msgspec.Meta(ge=0)]
Style = Mapping[str, str]
Source = Literal["browser", "stored", "static", "imported"]
Hidden = Literal["", "display", "visibility", "opacity", "offscreen", "clip", "size", "font", "contrast", "covered", "characters"]
RecoverySource = Literal["", "json-ld", "noscript", "data", "text", "markdown", "json", "feed", "pdf"]
OverlayKind = Literal["consent", "dialog", "banner"]
InlineKind = Literal["link", "strong", "emphasis", "code", "deleted", "subscript", "superscript", "time"]


class Size(NamedTuple):
    """Width and height in CSS px."""

    width: Length
    height: Length


class Box(NamedTuple):
    """A rectangle in CSS px, document origin."""

    x: float
    y: float
    width: Length
    height: Length


class Meta(NamedTuple):
    """One `<meta>` of the head: its name or property in lower case, and its content."""

    name: str
    content: str


class Inline(NamedTuple):
    """A marked range `text[start:end]` of a block; `target` is a link's absolute URL or a time's `datetime`, else empty.

    A link within a page without an address has the fragment alone, such as `#notes`.
    """

    start: Row
    end: Row
    kind: InlineKind
    target: str = ""


class Element(NamedTuple):
    """An element that holds blocks or images, or a table's cell. Row 0 is the body; a parent is always before its children.
    Empty cells are kept too, each row's in their order, so that columns can be counted. A shadow root or a frame's
        document appears as a child of its host. `attributes` holds only what structure needs (role, colspan and rowspan within HTML's
        limits, start, lang, dir, datetime, itemprop, aria-hidden), plus those that the caller requested. `position` is the number among the
        elements of its parent, from 1; 0 if it is not known, for the top of a shadow root or a frame, and in a slot.
    """

    tag: str
    parent: Annotated[int, msgspec.Meta(ge=-1)]
    id: str = ""
    classes: tuple[str, ...] = ()
    attributes: Mapping[str, str] = {}
    position: Row = 0


class Image(NamedTuple):
    """An image, and the number of blocks that are before it in document order.

    `source` is what a reader would see, also if it is loaded late; empty for a drawing or data that only `alt` describes.
    `box` is None without a browser, and if the image failed to load and the page gives it no size.
    """

    source: str
    alt: str
    element: Row
    before: Row
    box: Box | None = None


class Link(NamedTuple):
    """A link of the page: absolute URL, its text, and its `rel` tokens."""

    url: str
    text: str
    rel: str = ""


class Overlay(NamedTuple):
    """A box that lies over the page until a reader clicks it away: its element's row, what it is, and its box at scroll zero."""

    element: Row
    kind: OverlayKind
    box: Box | None = None


class Timing(NamedTuple):
    """Wall time in milliseconds until the document was ready, and of the collection."""

    ready: Length
    collect: Length


class Block(msgspec.Struct, frozen=True):
    """The smallest visible text unit: one run of text in its nearest block-level ancestor that has width and height.

    Text is normalised as the page shows it (white space folded, unless the style preserves it; a `<br>` is a newline) and holds
    what `::before` and `::after` add. Text that is not laid out (`hidden` is "display") has no box and no style.
    """

    text: str
    element: Row
    style: Row | None = None
    """Row in `Page.styles`: the computed properties that differ from the body's; None if no browser computed any."""
    box: Box | None = None
    inlines: tuple[Inline, ...] = ()
    link_chars: Row = 0
    """Number of the text's characters that are inside links."""
    hidden: Hidden = ""
    """How the block is kept from view; empty if a reader can see it. "display" is all that is not laid out, closed `<details>` too."""
    z: int = 0
    """The effective z-index: that of the nearest positioned ancestor that has one."""
    heading: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    """Heading level (1 is the highest) from h1 to h6 or ARIA; 0 elsewhere."""
    marker: str = ""
    """The marker of a list item, shown before its first block: "•", "3.", "iv."."""
    anchors: tuple[str, ...] = ()
    """Names of the inline or empty elements in its text that a link of the page leads to."""
    reachable: bool | None = None
    """Whether a person can open hidden text: by a control, a link or the pointer, by scrolling, or as one of several that take turns. None
    if that is not known, and for visible text."""


@dataclass(frozen=True, repr=False)
class Page:
    """One visited URL as it was rendered. The one record that passes between the packages.

    It has no slots, since functions decorated with `once` keep their results with it.
    """

    url: str
    final_url: str
    source: Source
    elements: tuple[Element, ...]
    blocks: tuple[Block, ...]
    styles: tuple[Style, ...] = ()
    body_style: Style = field(default_factory=dict)
    titles: tuple[str, ...] = ()
    """From `<title>`, Open Graph and Twitter, each once."""
    descriptions: tuple[str, ...] = ()
    """From the description meta, Open Graph and Twitter, each once."""
    metas: tuple[Meta, ...] = ()
    json_ld: tuple[str, ...] = ()
    canonical: str = ""
    language: str = ""
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()
    viewport: Size | None = None
    """Its height is the fold."""
    document: Size | None = None
    status: int = 0
    """HTTP status; 0 if none was involved."""
    rendered_at: str = ""
    """UTC, ISO 8601; empty if it is not known."""
    timing: Timing | None = None
    unfinished: str = ""
    """Why the page still looked unfinished when it was collected; empty if it did not."""
    truncated: bool = False
    """A cap cut the page short: the missing part follows the last block."""
    recovered_from: RecoverySource = ""
    """The source of the blocks of a page that shows no text, or almost none (`sightread.render.analysis.fallback_text`); else empty."""
    overlays: tuple[Overlay, ...] = ()
    """Overlays of the page: consent layers, dialogs, banners at the fold; none inside another (see
    `sightread.render.analysis.overlays`)."""
    password_fields: Row = 0
    """How many fields for a password the page shows, or holds if no browser laid it out."""
    guessed_charset: str = ""
    """The charset in which the page's bytes were read if they declare none, or a wrong one; empty otherwise."""
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        if self.schema != SCHEMA:
            raise ValueError(f"schema version {self.schema}, this sightread reads {SCHEMA}")
        if not self.elements or self.elements[0].parent != -1:
            raise ValueError("elements: row 0 must be the body, with parent -1")
        for row, element in enumerate(self.elements[1:], 1):
            if not 0 <= element.parent < row:
                raise ValueError(f"elements[{row}].parent is {element.parent}: a parent must be before its children")
        for row, block in enumerate(self.blocks):
            if block.element >= len(self.elements):
                raise ValueError(f"blocks[{row}].element is {block.element}, of {len(self.elements)} elements")
            if block.style is not None and block.style >= len(self.styles):
                raise ValueError(f"blocks[{row}].style is {block.style}, of {len(self.styles)} styles")
            for start, end, *_ in block.inlines:
                if not start < end <= len(block.text):
                    raise ValueError(f"blocks[{row}].inlines: a range leaves the text of {len(block.text)} characters")
        for row, image in enumerate(self.images):
            if image.element >= len(self.elements) or image.before > len(self.blocks):
                raise ValueError(f"images[{row}] names an element or block that is not there")
        for row, overlay in enumerate(self.overlays):
            if overlay.element >= len(self.elements):
                raise ValueError(f"overlays[{row}].element is {overlay.element}, of {len(self.elements)} elements")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != _MEMO}

    def __repr__(self) -> str:
        title = f", title={self.titles[0]!r}" if self.titles else ""
        return f"Page(url={self.final_url or self.url!r}{title}, source={self.source!r}, blocks={len(self.blocks)})"

    @property
    def address(self) -> str:
        """The URL that the page was read from, after redirects, without its fragment: that of links to places in the page."""
        return (self.final_url or self.url).partition("#")[0]

    @property
    def recovered(self) -> bool:
        """Whether the page shows no text, and its blocks come from elsewhere in its HTML."""
        return self.recovered_from != ""

    def style_of(self, block: Block) -> Style:
        """Return the block's computed properties that differ from the body's; empty if none were computed."""
        return {} if block.style is None else self.styles[block.style]

    def ancestors(self, element: int) -> tuple[int, ...]:
        """Return the rows from the element up to the body, both included."""
        rows = []
        while element >= 0:
            rows.append(element)
            element = self.elements[element].parent
        return tuple(rows)

    def overlay_of(self, block: int) -> Overlay | None:
        """Return the overlay that contains the block of this row, or None."""
        if not self.overlays:
            return None
        above = self.ancestors(self.blocks[block].element)
        return next((overlay for overlay in self.overlays if overlay.element in above), None)

    def tag_paths(self) -> tuple[str, ...]:
        """Return one tag path per element, from the body down: `body/div/p`."""
        paths: list[str] = []
        for element in self.elements:
            paths.append(f"{paths[element.parent]}/{element.tag}" if element.parent >= 0 else element.tag)
        return tuple(paths)

    @cached_property
    def text(self) -> str:
        """The texts of all blocks in document order, each on lines of its own: what the ranges of a span refer to."""
        return "\n".join(block.text for block in self.blocks)

    def selector(self, element: int) -> str:
        """Return a CSS selector that names this element alone, from the body down: `body > main:nth-child(2) > p:nth-child(1)`.

        Of an element within a shadow root, a slot or a frame it names the host, where `document.querySelector` ends. It is "body" if
        positions are not known, as in pages that were stored without them, and if the text is not from the page's own elements.
        """
        path = ""
        for row in (0,) if self.recovered else reversed(self.ancestors(element)):
            tag, position = self.elements[row].tag, self.elements[row].position
            if path and not position:
                break
            path = f"{path} > {_escaped(tag)}:nth-child({position})" if path else tag
        return path

    def selector_paths(self) -> tuple[str, ...]:
        """Return one selector path per element: the tag path decorated with ids and classes, `body/div#main/p.lead`."""
        paths: list[str] = []
        for element in self.elements:
            name = element.tag + (f"#{element.id}" if element.id else "") + "".join(f".{c}" for c in element.classes)
            paths.append(f"{paths[element.parent]}/{name}" if element.parent >= 0 else name)
        return tuple(paths)


def _escaped(tag: str) -> str:
    return re.sub(r"[^\w-]", r"\\\g<0>", tag)


def once(function: Callable[Concatenate[Page, Further], Result]) -> Callable[Concatenate[Page, Further], Result]:
    """Decorate a function of a page, and of hashable arguments, to be computed once per page; its result must not be changed."""

    @wraps(function)
    def found(page: Page, /, *further: Further.args, **named: Further.kwargs) -> Result:
        results = vars(page).setdefault(_MEMO, {})
        key = (function, further, *named.items())
        if key not in results:
            results[key] = function(page, *further, **named)
        result: Result = results[key]
        return result

    return found


def uncollected(function: Callable[Further, Result]) -> Callable[Further, Result]:
    """Decorate a function that makes many small objects, and no cycles of them, to run while the collector of garbage is paused: it would
    walk over them again and again, a sixth of the time of reading a page.
    """

    @wraps(function)
    def run(*arguments: Further.args, **named: Further.kwargs) -> Result:
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return function(*arguments, **named)
        finally:
            if was_enabled:
                gc.enable()

    return run


def without_address(page: Page, placeholder: str) -> Page:
    """Return the page without its own address, and without references to what would be below `placeholder`, its address in the browser.

    Links within the page keep their fragment alone.
    """
    own = page.final_url.partition("#")[0] + "#"

    def real(url: str) -> str:
        return "" if url.startswith(placeholder) else url

    def within(target: str) -> str:
        return target[len(own) - 1 :] if target.startswith(own) else real(target)

    def retargeted(block: Block) -> Block:
        return msgspec.structs.replace(block, inlines=tuple(inline._replace(target=within(inline.target)) for inline in block.inlines))

    return replace(
        page,
        url=real(page.url),
        final_url=real(page.final_url),
        canonical=real(page.canonical),
        blocks=tuple(retargeted(block) if block.inlines else block for block in page.blocks),
        images=tuple(image._replace(source=real(image.source)) for image in page.images),
        links=tuple(link for link in page.links if real(link.url)),
    )


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Page)


class _Version(msgspec.Struct):
    schema: int = 0
    recovered: bool = False
    """In older records, without the source."""


def encode_page(page: Page) -> bytes:
    """Return the page as one line of JSON, without the newline."""
    return _encoder.encode(page)


def decode_page(line: bytes | str, where: str = "a page record") -> Page:
    """Parse and check one line of JSON.

    Raises `BadRecord` for anything that is not a whole page of this schema version; `where` names the place in its message.
    """
    try:
        version = msgspec.json.decode(line, type=_Version)
        if version.schema != SCHEMA:
            raise BadRecord(f"{where}: schema version {version.schema or 'missing'}, this sightread reads {SCHEMA}: crawl the site again")
        page = _decoder.decode(line)
        return replace(page, recovered_from="json-ld") if version.recovered else page
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{where}: not a page of schema {SCHEMA}: {error}") from error
