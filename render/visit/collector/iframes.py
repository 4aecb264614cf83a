"""Cross-origin iframes: their blocks are placed where the iframe is on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sightread.render.page import Block, Box, Element, Image, Style
from sightread.render.visit.collector.collected import Collected, FramePlace


def splice(page: Collected, frames: Sequence[tuple[FramePlace, Collected]]) -> Collected:
    """Return the page with the frames' blocks, images and links in place; the metadata in the frames' heads is left out."""
    for place, frame in sorted(frames, key=lambda found: found[0].before, reverse=True):
        page = _splice(page, place, frame)
    return replace(page, frames=())


def _splice(page: Collected, place: FramePlace, frame: Collected) -> Collected:
    first = len(page.elements)
    row = len(page.styles)
    elements = (_moved_element(element, place.element, first) for element in frame.elements)
    blocks = (_moved_block(block, place, first, row) for block in frame.blocks)
    images = tuple(_moved_image(image, place, first) for image in frame.images)
    later = len(frame.blocks)
    before = tuple(image for image in page.images if image.before <= place.before)
    after = tuple(image._replace(before=image.before + later) for image in page.images if image.before > place.before)
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


def _moved_element(element: Element, host: int, first: int) -> Element:
    return element._replace(parent=host if element.parent < 0 else element.parent + first)


def _moved_block(block: Block, place: FramePlace, first: int, row: int) -> Block:
    return replace(
        block,
        element=block.element + first,
        style=None if block.style is None else block.style + row,
        box=_moved_box(block.box, place),
        hidden=block.hidden or place.hidden,
    )


def _moved_image(image: Image, place: FramePlace, first: int) -> Image:
    return image._replace(element=image.element + first, before=image.before + place.before, box=_moved_box(image.box, place))


def _moved_box(box: Box | None, place: FramePlace) -> Box | None:
    if box is None:
        return None
    return Box(
        *(round(side, 2) for side in (box.x * place.scale + place.x, box.y * place.scale + place.y, *(s * place.scale for s in box[2:])))
    )


def _rebased(style: Style, frame: Mapping[str, str], page: Mapping[str, str]) -> Style:
    """Return the properties that differ from the page's body, from a style relative to the frame's body."""
    whole = {**frame, **style}
    return {name: value for name, value in whole.items() if page.get(name) != value}
