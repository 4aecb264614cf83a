"""Overlay: a page's blocks over its screenshot in the colours of their predictions, as one SVG file.

Blue and solid is kept, orange and dashed is dropped (distinct in every colour vision, as in the viewer), and dotted is uncertain. Without a
picture the blocks are drawn on white with their text. All content of the page is text in the file: there is no script, no link, and no
address that is fetched.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterator
from html import escape

import numpy as np

from sightread.classify.model import Probabilities
from sightread.render.errors import Rejected
from sightread.render.labels import THRESHOLD
from sightread.render.page import Block, Page, Size
from sightread.render.visit.picture import PNG, Picture
from sightread.viewer.build import LIMITS

KEPT, DROPPED = "#0072b2", "#d55e00"
"""Blue and vermilion of the Okabe-Ito palette."""
LEGEND = 64
"""Height of the legend in units of the drawing, CSS px of the page."""
TEXT_LIMIT = 200
"""Most characters of a block's text in its title, and of an address in the legend."""
FONT = 16.0
"""CSS px of a block's text if its style declares none."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML file may contain, even escaped (XML 1.0, section 2.2)."""
_STYLE = f"""text {{ font-family: sans-serif }} rect.block {{ stroke-width: 2; fill-opacity: .12 }}
.kept {{ stroke: {KEPT}; fill: {KEPT} }} .dropped {{ stroke: {DROPPED}; fill: {DROPPED}; stroke-dasharray: 8 4 }}
.unsure {{ stroke-dasharray: 2 3 }} .legend {{ font-size: 20px; fill: #1e2227 }} .body {{ fill: #626973; stroke: none }}"""


def draw_overlay(
    page: Page, probabilities: Probabilities, picture: Picture | None = None, model: str = "", kept: Collection[int] | None = None
) -> bytes:
    """Return an SVG file of the page, with a legend above it. Probabilities have the shape (blocks,).

    `kept` are the rows of the kept blocks: by default those with a probability of 0.5.

    Raises `Rejected` for a page whose blocks have no boxes, because no browser laid it out.
    """
    if len(probabilities) != len(page.blocks):
        raise ValueError(f"{len(probabilities)} probabilities for {len(page.blocks)} blocks")
    if not any(block.box for block in page.blocks):
        raise Rejected(f"{page.url or 'the page'}: its blocks have no boxes, so there is nothing to draw: read it with a browser")
    size = _extent(page)
    held = frozenset(np.flatnonzero(probabilities >= THRESHOLD).tolist() if kept is None else kept)
    return "".join(_parts(page, probabilities.tolist(), picture, size, model, held)).encode()


def _parts(page: Page, probabilities: list[float], picture: Picture | None, size: Size, model: str, kept: frozenset[int]) -> Iterator[str]:
    width, height = size.width, size.height + LEGEND
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 {-LEGEND} {width:g} {height:g}">\n'
    yield f'<style>{_STYLE}</style>\n<rect y="{-LEGEND}" width="{width:g}" height="{height:g}" fill="#fff"/>\n'
    for box, tile in zip(picture.boxes, picture.tiles, strict=True) if picture else ():
        kind = "png" if tile.startswith(PNG) else "webp"
        data = base64.b64encode(tile).decode()
        place = f'y="{box.y:g}" width="{box.width:g}" height="{box.height:g}"'
        yield f'<image {place} preserveAspectRatio="none" href="data:image/{kind};base64,{data}"/>\n'
    drawn = [row for row, block in enumerate(page.blocks) if _is_drawn(block, row in kept)]
    for row in sorted(drawn, key=lambda row: -_area(page.blocks[row])):  # the largest lowest, so that each can be pointed at
        yield _drawn(page, row, probabilities[row], row in kept, picture is None)
    yield _legend(page, [probabilities[row] for row in drawn], sum(row in kept for row in drawn), model)
    yield "</svg>\n"


def _drawn(page: Page, row: int, probability: float, is_kept: bool, is_written: bool) -> str:
    block = page.blocks[row]
    assert block.box is not None
    x, y, width, height = (f"{side:.6g}" for side in block.box)
    title = f"<title>block {row}, {probability:.2f}: {_inert_text(block.text)}</title>"
    rect = f'<rect class="block {_kind(probability, is_kept)}" x="{x}" y="{y}" width="{width}" height="{height}">{title}</rect>\n'
    if not is_written:
        return rect
    font = _font_size(page, block)
    text = f'<text class="body" x="2" y="{font:g}" font-size="{font:g}">{_inert_text(block.text)}</text>'
    return f'{rect}<svg x="{x}" y="{y}" width="{width}" height="{height}" pointer-events="none">{text}</svg>\n'


def _legend(page: Page, probabilities: list[float], kept: int, model: str) -> str:
    unsure = sum(LIMITS.uncertain[0] < probability < LIMITS.uncertain[1] for probability in probabilities)
    entries = (("kept", f"kept {kept}"), ("dropped", f"dropped {len(probabilities) - kept}"), ("kept unsure", f"unsure {unsure}"))
    by = f", by {_inert_text(model)}" if model else ""
    marks = "".join(
        f'<rect class="block {kind}" x="{12 + 190 * place}" y="{-LEGEND + 8}" width="24" height="20"/>'
        f'<text class="legend" x="{44 + 190 * place}" y="{-LEGEND + 25}">{text}</text>'
        for place, (kind, text) in enumerate(entries)
    )
    return f'{marks}<text class="legend" x="12" y="{-LEGEND + 54}">{_inert_text(page.final_url or page.url)}{by}</text>\n'


def _kind(probability: float, is_kept: bool) -> str:
    side = "kept" if is_kept else "dropped"
    return f"{side} unsure" if LIMITS.uncertain[0] < probability < LIMITS.uncertain[1] else side


def _is_drawn(block: Block, is_kept: bool) -> bool:
    return block.box is not None and _area(block) > 0 and (not block.hidden or is_kept)


def _area(block: Block) -> float:
    return block.box.width * block.box.height if block.box else 0.0


def _extent(page: Page) -> Size:
    """Return the part of the page to draw: the document, but no wider than the window and the visible blocks."""
    boxes = [block.box for block in page.blocks if block.box and not block.hidden]
    right = max([page.viewport.width if page.viewport else 1.0, *(box.x + box.width for box in boxes)])
    bottom = max([1.0, *(box.y + box.height for box in boxes)])
    if page.document and page.document.width and page.document.height:
        return Size(min(page.document.width, right), page.document.height)
    return Size(right, bottom)


def _font_size(page: Page, block: Block) -> float:
    stated = page.style_of(block).get("font-size") or page.body_style.get("font-size", "")
    found = re.fullmatch(r"(\d{1,3}(?:\.\d{1,3})?)px", stated)
    return float(found[1]) if found else FONT


def _inert_text(text: str) -> str:
    line = " ".join(_NOT_XML.sub("\ufffd", text[: TEXT_LIMIT + 1]).split())
    return escape(line if len(text) <= TEXT_LIMIT else f"{line[:TEXT_LIMIT]}…")
