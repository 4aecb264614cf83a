"""Collect a loaded tab's page: one script in an isolated world, one JSON string back, parsed and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import Page as Tab

from render.errors import Unusable
from render.page import Block, Element, Image, Link, Meta, Page, Size, Source, Style, Timing

VISUAL_PROPERTIES: tuple[str, ...] = (
    *("color", "background-color", "opacity", "visibility"),
    *("font-family", "font-size", "font-style", "font-weight", "font-variant-caps", "letter-spacing", "line-height"),
    *("text-align", "text-decoration-line", "text-transform", "text-indent", "white-space", "direction", "vertical-align"),
    *("margin-top", "margin-right", "margin-bottom", "margin-left", "padding-top", "padding-right", "padding-bottom", "padding-left"),
    *("border-top-width", "border-right-width", "border-bottom-width", "border-left-width"),
    *("border-top-left-radius", "box-shadow", "display", "position", "float", "z-index", "overflow-x", "list-style-type", "cursor"),
)
"""What a reader tells styles apart by. Sizes and offsets are left out: the box says them, and they differ from block to block."""

ALL_PROPERTIES: tuple[str, ...] = ("*",)
"""Every longhand that the browser computes, as in the original paper; several times slower."""

_SCRIPTS = tuple(Path(__file__).with_name(f"collect{part}.js").read_text(encoding="utf-8") for part in ("", "_text", "_head"))
_WORLD = "sightread"


@dataclass(frozen=True, slots=True)
class CollectOptions:
    """What to collect of a page besides its text."""

    properties: tuple[str, ...] = VISUAL_PROPERTIES
    """Computed longhands kept of each block; none where empty."""
    attributes: tuple[str, ...] = ()
    """HTML attributes kept on elements, besides those that structure needs."""
    node_cap: int = 100_000
    """Nodes visited before the page is cut short and marked `truncated`."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a page was come by: the fields of `Page` that no script in it can know."""

    url: str
    final_url: str
    source: Source
    status: int = 0
    rendered_at: str = ""
    timing: Timing | None = None


@dataclass(frozen=True, slots=True)
class Collected:
    """All that the browser says of a page; the fields are those of `Page`."""

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

    def page(self, provenance: Provenance) -> Page:
        """Return the whole record of the page. Raises `Unusable` where the tables do not fit together."""
        try:
            return Page(
                url=provenance.url,
                final_url=provenance.final_url,
                source=provenance.source,
                status=provenance.status,
                rendered_at=provenance.rendered_at,
                timing=provenance.timing,
                **{name: getattr(self, name) for name in self.__slots__},
            )
        except ValueError as error:
            raise Unusable(f"{provenance.final_url}: what the browser collected does not fit together: {error}") from error


_decoder = msgspec.json.Decoder(Collected)


async def collect(tab: Tab, options: CollectOptions = CollectOptions()) -> Collected:
    """Collect the page that the tab shows. Sets no deadline of its own: wrap the call in the page's.

    Raises `Unusable` where what came back is no collected page. Playwright's own error passes where the page went away meanwhile:
    whoever drives the tab knows whether it moved on or died.
    """
    answer = await _evaluate_apart(tab, _expression(options))
    payload = answer.get("result", {}).get("value")
    if "exceptionDetails" in answer or not isinstance(payload, str):
        raise Unusable(f"{tab.url}: the page cannot be read: {_complaint(answer)}")
    try:
        return _decoder.decode(payload)
    except msgspec.DecodeError as error:
        raise Unusable(f"{tab.url}: what the browser collected cannot be read: {error}") from error


def _expression(options: CollectOptions) -> str:
    collect_script, text_script, head_script = _SCRIPTS
    return f"({collect_script})({msgspec.json.encode(options).decode()}, ({text_script}), ({head_script}))"


async def _evaluate_apart(tab: Tab, expression: str) -> dict[str, Any]:
    """Evaluate in a world of its own: what the page's scripts override is not seen there, and it works with scripts turned off."""
    session = await tab.context.new_cdp_session(tab)
    tree = await session.send("Page.getFrameTree")
    frame = tree["frameTree"]["frame"]["id"]
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": _WORLD})
    context = world["executionContextId"]
    answer = await session.send("Runtime.evaluate", {"expression": expression, "contextId": context, "returnByValue": True})
    await session.detach()
    return answer


def _complaint(answer: dict[str, Any]) -> str:
    details = answer.get("exceptionDetails", {})
    text = details.get("exception", {}).get("description") or details.get("text") or "no text came back"
    return str(text).partition("\n")[0]
