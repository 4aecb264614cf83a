"""Takes a screenshot of the whole page, in as many tiles as needed.

All tiles are cut from one layout, that of the window with the page at its top. So what is fixed to the window or sticks to it is seen
once, where a reader sees it first, and what is as tall as the window stays so (Chromium 156, a page of 50,000 px looked at).
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator
from fractions import Fraction
from time import perf_counter

from playwright.async_api import CDPSession
from playwright.async_api import Error as BrowserError
from playwright.async_api import Page as Tab

from sightread.render.errors import Retryable
from sightread.render.page import Box, Size
from sightread.render.visit.device import Device
from sightread.render.visit.picture import SCALE, Picture, PictureFormat

LONGEST_TILE_SIDE = 16_000
"""Picture px of a tile's side. WebP ends at 16,383, and so do the textures of most graphics cards."""
LARGEST_TILE = 2**24
"""Picture px of a tile, 64 MiB while it is taken: at half scale a window of 1,600 px has 32,000 CSS px of its page on one."""
MOST_TILES = 12
"""Content below is left out: 384,000 CSS px of such a window at half scale, in 5 s; at full scale 125,000, in 11 s."""
NO_FRAME = "Unable to capture screenshot"
"""Chromium's error if its compositor had no frame yet, as on a busy machine; the next one has it."""
QUALITY = 60
"""Of 100. Letters stay sharp at half scale."""


async def screenshot(
    tab: Tab,
    document: Size,
    scale: float = SCALE,
    device: Device = Device(),  # noqa: B008  (frozen)
    seconds_left: float = math.inf,
    part: Box | None = None,
    kind: PictureFormat = "webp",
) -> Picture:
    """Return a picture of the page from its top, as wide as the document and as tall as the caps allow; one tile is taken at a time.

    `part` is the part of the document that is taken, if not all of it.

    A further tile is begun only if it would be there within `seconds_left`, if it takes as long as the longest before it. Sets no
    deadline of its own: wrap the call in the page's. Raises `Retryable` if the browser takes no picture.
    """
    ends = perf_counter() + seconds_left
    left, top, width, height = part or Box(0.0, 0.0, *document)
    width = min(width, LONGEST_TILE_SIDE / scale)
    try:
        session = await tab.context.new_cdp_session(tab)
        if device.mobile:
            await _keep_layout(session)
        places = (place._replace(x=left, y=top + place.y) for place in strips(Size(width, height), scale))
        tiles = await _take_all(session, places, scale, ends, kind)
        await session.detach()
    except (BrowserError, KeyError, TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        size = f"{math.ceil(width)} × {math.ceil(height)} px"
        raise Retryable(f"{tab.url}: no picture could be taken of {size} ({reason}): try again") from error
    if not all(tiles):
        raise Retryable(f"{tab.url}: a part of the picture came back empty: try again, or at a smaller scale")
    return Picture(tuple(tiles), scale, left, top)


def strips(document: Size, scale: float) -> Iterator[Box]:
    """Yield the parts of a document that make one tile each, from the top down: whole CSS px, and whole picture px but for the last."""
    width = max(1, math.ceil(document.width))
    height = max(1, math.ceil(document.height))
    whole = Fraction(scale).limit_denominator(100).denominator
    tallest = int(min(LONGEST_TILE_SIDE, LARGEST_TILE / (width * scale)) / scale) // whole * whole
    for top in range(0, min(height, tallest * MOST_TILES), tallest):
        yield Box(0, top, width, min(tallest, height - top))


async def _keep_layout(session: CDPSession) -> None:
    """Fix the width and height that the page is laid out in now.

    Taking a picture turns the mobile device off, and what is laid out wider than its window, as all pages not made for one are (980 px),
    would be laid out anew. The next page gets the device back.
    """
    root = "document.documentElement"
    answer = await session.send("Runtime.evaluate", {"expression": f"[{root}.clientWidth, {root}.clientHeight]", "returnByValue": True})
    width, height = answer["result"]["value"]
    metrics = {"width": int(width), "height": int(height), "deviceScaleFactor": 1, "mobile": False}
    await session.send("Emulation.setDeviceMetricsOverride", metrics)


async def _origin(session: CDPSession) -> float:
    """Return the distance of the document's origin from the left end of what the browser can scroll to: not at it, where text runs from
    the right and something is parked far to the left.
    """
    metrics = await session.send("Page.getLayoutMetrics")
    scrolled: float = metrics["cssVisualViewport"]["pageX"]
    return float(metrics["cssLayoutViewport"]["pageX"]) - scrolled


async def _take_all(session: CDPSession, places: Iterator[Box], scale: float, ends: float, kind: PictureFormat) -> list[bytes]:
    left = await _origin(session)
    tiles: list[bytes] = []
    longest = 0.0
    for place in places:
        begins = perf_counter()
        if tiles and begins + longest > ends:
            break
        tiles.append(await _take(session, place._replace(x=left + place.x), scale, kind))
        longest = max(longest, perf_counter() - begins)
    return tiles


async def _take(session: CDPSession, strip: Box, scale: float, kind: PictureFormat) -> bytes:
    clip = {**strip._asdict(), "scale": scale}
    options: dict[str, object] = {"format": kind, "clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": True}
    options |= {"quality": QUALITY} if kind == "webp" else {}
    try:
        answer = await session.send("Page.captureScreenshot", options)
    except BrowserError as error:
        if NO_FRAME not in error.message:
            raise
        answer = await session.send("Page.captureScreenshot", options)
    return base64.b64decode(answer["data"], validate=True)
