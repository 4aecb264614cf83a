"""A picture of the whole page, as WebP."""

from __future__ import annotations

import base64
import binascii
import math

from playwright.async_api import Error as BrowserError
from playwright.async_api import Page as Tab

from render.errors import Retryable
from render.page import Size

TALLEST = 16_384
"""Device px. WebP ends at 16,383, and so do the textures of most graphics cards: what stands lower is left out."""
QUALITY = 60
"""Of 100. Letters stay sharp at half scale, and a median page takes about 60 KB."""


async def screenshot(tab: Tab, document: Size, scale: float = 0.5) -> bytes:
    """Return a picture of the page from its top, `scale` device px a CSS px, as wide as the document and as tall as WebP allows.

    Sets no deadline of its own: wrap the call in the page's. Raises `Retryable` where the browser takes no picture.
    """
    width, height = (max(1, math.ceil(side)) for side in document)
    clip = {"x": 0, "y": 0, "width": _within(width, scale), "height": _within(height, scale), "scale": scale}
    options = {"format": "webp", "quality": QUALITY, "clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": True}
    try:
        session = await tab.context.new_cdp_session(tab)
        answer = await session.send("Page.captureScreenshot", options)
        await session.detach()
        picture = base64.b64decode(answer["data"], validate=True)
    except (BrowserError, KeyError, binascii.Error) as error:
        reason = str(error).partition("\n")[0]
        raise Retryable(f"{tab.url}: no picture could be taken of {width} × {height} px ({reason}): try again") from error
    if not picture:
        raise Retryable(f"{tab.url}: the picture of {width} × {height} px came back empty: try again, or at a smaller scale")
    return picture


def _within(side: int, scale: float) -> float:
    return min(side, (TALLEST - 1) / scale)
