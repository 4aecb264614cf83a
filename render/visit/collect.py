"""Collects the page in a tab: one script in an isolated world returns one JSON string, which is parsed and validated."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import msgspec
from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.analysis.overlays import Layer, find_overlays
from sightread.render.argument_checks import check_fields, check_range
from sightread.render.errors import Unusable
from sightread.render.page import Block, Box, Element, Hidden, Image, Link, Meta, Page, Size, Source, Style
from sightread.render.static.formulas import ACCENTS, COMMANDS, FUNCTIONS
from sightread.render.visit.navigation import Attached, read_script

_OWN = frozenset(("frames", "layers", "payload", "uncertain"))
"""Fields that are not part of `Page`."""


class FramePlace(NamedTuple):
    """The place of a frame of another origin: its element's row, the blocks before it, and its content box."""

    element: int
    before: int
    x: float
    y: float
    scale: float
    """CSS px of the page to one of the frame's, for frames that a transform scales."""
    hidden: Hidden


class Uncertain(NamedTuple):
    """A text that is looked at again: its block's row, how it is hidden if it is not seen then, and whether pixels decide."""

    row: int
    hidden: Hidden
    needs_pixels: bool


@dataclass(frozen=True, slots=True)
class Collected:
    """The collector's result for a page; the fields are those of `Page`."""

    elements: tuple[Element, ...]
    blocks: tuple[Block, ...]
    styles: tuple[Style, ...]
    body_style: Mapping[str, str]
    titles: tuple[str, ...]
    descriptions: tuple[str, ...]
    metas: tuple[Meta, ...]
    json_ld: tuple[str, ...]
    canonical: str
    language: str
    images: tuple[Image, ...]
    links: tuple[Link, ...]
    viewport: Size
    document: Size
    truncated: bool
    frames: tuple[FramePlace, ...] = ()
    """Frames of another origin that are not read yet."""
    layers: tuple[Layer, ...] = ()
    """Candidates for overlays."""
    password_fields: int = 0
    uncertain: tuple[Uncertain, ...] = ()
    """Texts of which styles do not decide whether a person sees them."""
    payload: int = 0
    """Characters of the browser's answer."""

    @property
    def shows_text(self) -> bool:
        """Whether any text is laid out."""
        return any(block.hidden != "display" for block in self.blocks)

    def page(self, url: str, final_url: str, source: Source, **known: Any) -> Page:
        """Return the whole record of the page; `known` are further fields of `Page` that no script in it can know.

        Raises `Unusable` if the tables do not fit together.
        """
        own = {name: getattr(self, name) for name in self.__slots__ if name not in _OWN}
        overlays = find_overlays(self.elements, self.blocks, self.layers, self.viewport)
        try:
            return Page(url=url, final_url=final_url, source=source, overlays=overlays, **own, **known)
        except ValueError as error:
            raise Unusable(f"{final_url}: what the browser collected does not fit together: {error}") from error


def splice(page: Collected, frames: Sequence[tuple[FramePlace, Collected]]) -> Collected:
    """Return the page with the frames' blocks, images and links in place; the metadata in the frames' heads is left out."""
    for place, frame in sorted(frames, key=lambda found: found[0].before, reverse=True):
        page = _splice(page, place, frame)
    return replace(page, frames=())


def _splice(page: Collected, place: FramePlace, frame: Collected) -> Collected:
    first, row = len(page.elements), len(page.styles)
    elements = (each._replace(parent=place.element if each.parent < 0 else each.parent + first) for each in frame.elements)
    blocks = (
        msgspec.structs.replace(
            block,
            element=block.element + first,
            style=None if block.style is None else block.style + row,
            box=_moved(block.box, place),
            hidden=block.hidden or place.hidden,
        )
        for block in frame.blocks
    )
    images = (
        image._replace(element=image.element + first, before=image.before + place.before, box=_moved(image.box, place))
        for image in frame.images
    )
    before = [image for image in page.images if image.before <= place.before]
    after = (image._replace(before=image.before + len(frame.blocks)) for image in page.images[len(before) :])
    known = {link.url for link in page.links}
    return replace(
        page,
        elements=(*page.elements, *elements),
        blocks=(*page.blocks[: place.before], *blocks, *page.blocks[place.before :]),
        styles=(*page.styles, *(_rebased(style, frame.body_style, page.body_style) for style in frame.styles)),
        images=(*before, *images, *after),
        links=(*page.links, *(link for link in frame.links if link.url not in known)),
        truncated=page.truncated or frame.truncated,
    )


def _moved(box: Box | None, place: FramePlace) -> Box | None:
    if box is None:
        return None
    sides = (box.x * place.scale + place.x, box.y * place.scale + place.y, box.width * place.scale, box.height * place.scale)
    return Box(*(round(side, 2) for side in sides))


def _rebased(style: Style, frame: Mapping[str, str], page: Mapping[str, str]) -> Style:
    """Return the properties that differ from the page's body, from a style relative to the frame's body."""
    return {name: value for name, value in {**frame, **style}.items() if page.get(name) != value}


VISUAL_PROPERTIES: tuple[str, ...] = (
    *("color", "background-color", "opacity", "visibility"),
    *("font-family", "font-size", "font-style", "font-weight", "font-variant-caps", "letter-spacing", "line-height"),
    *("text-align", "text-decoration-line", "text-transform", "text-indent", "white-space", "direction", "vertical-align"),
    *("margin-top", "margin-right", "margin-bottom", "margin-left", "padding-top", "padding-right", "padding-bottom", "padding-left"),
    *("border-top-width", "border-right-width", "border-bottom-width", "border-left-width"),
    *("border-top-left-radius", "box-shadow", "display", "position", "float", "z-index", "overflow-x", "list-style-type", "cursor"),
)
"""Properties that make a visible difference. Sizes and offsets are left out: the box has them, and they differ from block to block."""

ALL_PROPERTIES: tuple[str, ...] = ("*",)
"""Every longhand that the browser computes, as in the original paper; several times slower."""

SOURCES_CAP = 5_000_000
"""Characters of scripts, and of `<noscript>`; what begins beyond them is left out."""

_SOURCES = read_script("collect/sources.js")
_PARTS = ("dom", "still", "text", "head", "view", "style", "generated", "image", "overlay", "formula", "sight", "look")
_SCRIPT, *_MAKERS = map(read_script, ("collect/collect.js", *(f"collect/collect_{part}.js" for part in _PARTS)))
_MAKE = ", ".join(f"{part}: ({maker})" for part, maker in zip(_PARTS, _MAKERS, strict=True))


@dataclass(frozen=True, slots=True)
class CollectOptions:
    """Options of the collector besides the text."""

    properties: tuple[str, ...] = VISUAL_PROPERTIES
    """Computed longhands kept of each block; none where empty."""
    attributes: tuple[str, ...] = ()
    """HTML attributes kept on elements, besides those that structure needs."""
    node_cap: int = 100_000
    """Nodes visited before the page is cut short and marked `truncated`."""
    frames: Literal["same", "all"] = "same"
    """Whether frames of another origin, mostly advertising, are read in place as those of the same origin are."""

    def __post_init__(self) -> None:
        check_fields(self)
        check_range("CollectOptions: node_cap", self.node_cap, 1, unit="nodes")


_decoder = msgspec.json.Decoder(Collected)


async def collect(attached: Attached, options: CollectOptions = CollectOptions()) -> Collected:
    """Collect the page that a tab shows in its main frame.

    Sets no deadline of its own: wrap the call in the page's.
    Raises `Unusable` if what came back is no collected page. Playwright's own error passes if the page went away meanwhile: the caller
    that drives the tab knows whether it navigated or died.
    """
    if options.frames == "all":
        tree = (await attached.session.send("Page.getFrameTree"))["frameTree"]
        others = [attached._replace(frame=frame) for frame in _frames_below(tree)] + await _separate_frames(attached.tab)
        return await _collect_all(attached, others, options)
    collected, world = await _collect_frame(attached, options)
    return await look_again(attached, world, collected) if collected.uncertain else collected


class Sources(NamedTuple):
    """The sources of a document's text besides what it shows: its scripts, and its `<noscript>` elements as markup."""

    scripts: tuple[str, ...] = ()
    unscripted: str = ""


async def collect_sources(attached: Attached) -> Sources:
    """Return the scripts, without JSON-LD, and the `<noscript>` elements of the tab's document, as far as the cap."""
    scripts, unscripted = await attached.evaluate(f"({_SOURCES})({SOURCES_CAP})")
    return Sources(tuple(map(str, scripts)), "\n".join(map(str, unscripted)))


async def _collect_frame(attached: Attached, options: CollectOptions) -> tuple[Collected, int]:
    """Collect one frame in a world of its own, and return that world too.

    What the page's scripts override is not seen there, and it works with scripts turned off.
    """
    world = await attached.open_world()
    formulas = {"commands": COMMANDS, "accents": ACCENTS, "functions": sorted(FUNCTIONS)}
    given = msgspec.json.encode({**msgspec.to_builtins(options), "formulas": formulas}).decode()
    payload = await attached.evaluate(f"({_SCRIPT})({given}, {{{_MAKE}}})", world)
    try:
        return replace(_decoder.decode(payload), payload=len(payload)), world
    except (msgspec.DecodeError, TypeError) as error:
        raise Unusable(f"{attached.tab.url}: what the browser collected cannot be read: {error}") from error


@dataclass(frozen=True, slots=True)
class LookLimits:
    """How long texts of which styles decide nothing are looked at; a page without any is not delayed."""

    places: int = 40
    """To which the page is scrolled; two frames pass at each."""
    pictures: int = 6
    """Pairs of pictures of a part of the screen, some 100 ms each."""
    seconds: float = 2.0
    short: int = 20
    """Characters of a text that counts as visible if no picture was taken of it."""


LOOKS = LookLimits()


async def look_again(attached: Attached, world: int, collected: Collected) -> Collected:
    """Return the page with each text of which styles decide nothing as it is seen once the page is scrolled to it, or by what its ink
    changes in a picture of its box. Without time for that, text stays as styles have it, and text without opacity counts as reachable.
    """
    if any(not each.needs_pixels or len(collected.blocks[each.row].text) >= LOOKS.short for each in collected.uncertain):
        with suppress(TimeoutError, PlaywrightError, Unusable):  # a document that is gone fails below
            async with asyncio.timeout(LOOKS.seconds):
                await _look(attached, world, collected.viewport)
    shown, unseen = map(frozenset, msgspec.json.decode(await attached.evaluate("look.end()", world)))
    blocks = list(collected.blocks)
    for row, hidden, needs_pixels in collected.uncertain:
        block = blocks[row]
        if not needs_pixels and row not in unseen:
            blocks[row] = msgspec.structs.replace(block, reachable=True)
        elif row in shown or (row not in unseen and len(block.text) < LOOKS.short):
            blocks[row] = msgspec.structs.replace(block, hidden="", reachable=None)
        elif row in unseen and not block.hidden:
            blocks[row] = msgspec.structs.replace(block, hidden=hidden, reachable=False)
    return replace(collected, blocks=tuple(blocks))


async def _look(attached: Attached, world: int, window: Size) -> None:
    pictures = 0
    for _ in range(LOOKS.places):
        left, clip = msgspec.json.decode(await attached.evaluate("look.next()", world))
        if clip is not None:
            if not pictures:  # nothing is painted outside of a small part of the window
                size = {"width": int(window.width), "height": int(window.height)}
                await attached.session.send("Emulation.setVisibleSize", size)
            pictures += 1
            inked = await _clipped(attached.session, clip)
            await attached.evaluate("look.fade()", world)
            inkless = await _clipped(attached.session, clip)
            await attached.evaluate(f'look.compare({msgspec.json.encode(clip).decode()}, "{inked}", "{inkless}")', world)
        if not left or pictures == LOOKS.pictures:
            return


async def _clipped(session: CDPSession, clip: dict[str, float]) -> str:
    options = {"format": "png", "clip": clip, "optimizeForSpeed": True}
    picture: str = (await session.send("Page.captureScreenshot", options))["data"]
    return picture


async def _collect_all(attached: Attached, others: list[Attached], options: CollectOptions) -> Collected:
    """Collect a frame and, in place, those of another origin inside it; one that went away meanwhile, or holds no HTML, is left out."""
    collected, world = await _collect_frame(attached, options)
    if collected.uncertain:
        collected = await look_again(attached, world, collected)
    found: list[tuple[FramePlace, Collected]] = []
    for other in others if collected.frames else ():
        with suppress(PlaywrightError, Unusable):
            row = await _row_of_frame(attached.session, other.frame, world)
            if row >= 0:
                rest = [frame for frame in others if frame != other]
                found.append((collected.frames[row], await _collect_all(other, rest, options)))
    return splice(collected, found)


async def _row_of_frame(session: CDPSession, frame: str, world: int) -> int:
    """Return the frame's row in `Collected.frames` of the document that holds it; -1 if that is another document."""
    await session.send("DOM.enable")
    owner = await session.send("DOM.getFrameOwner", {"frameId": frame})
    node = await session.send("DOM.resolveNode", {"backendNodeId": owner["backendNodeId"], "executionContextId": world})
    if "objectId" not in node["object"]:  # no such node in this document's world
        return -1
    find = "function () { return globalThis.frameElements.indexOf(this) }"
    answer = await session.send("Runtime.callFunctionOn", {"objectId": node["object"]["objectId"], "functionDeclaration": find})
    row: int = answer["result"]["value"]
    return row


def _frames_below(tree: dict[str, Any]) -> list[str]:
    children = tree.get("childFrames", [])
    return [frame for child in children for frame in (child["frame"]["id"], *_frames_below(child))]


async def _separate_frames(tab: Tab) -> list[Attached]:
    found = []
    for frame in tab.frames[1:]:
        with suppress(PlaywrightError):  # it runs in its parent's process
            session = await tab.context.new_cdp_session(frame)
            tree = (await session.send("Page.getFrameTree"))["frameTree"]
            found += [Attached(tab, session, number) for number in (tree["frame"]["id"], *_frames_below(tree))]
    return found
