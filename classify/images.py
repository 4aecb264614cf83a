"""Which images of a page belong to its content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from render.page import Image, Page

MIN_SIDE = 50
"""CSS px: what is smaller on either side is an icon, a spacer or a tracking pixel."""

_PHOTO = re.compile(r"\.(?:jpe?g|png|webp|avif|gif)(?![a-z])", re.IGNORECASE)


_SIZED = re.compile(r"(?<=[?&])(?:s?w|width|wid|imwidth|w_|s?h|height|hei|size|dpr|q|qlt|quality|sfrm|strip)=(\d{0,5})[^&#\d]*(?:&|$)")
"""Parameters of an address that tell the size of one image."""


def content_images(page: Page, kept: Sequence[int]) -> tuple[Image, ...]:
    """Return the images that stand among the kept blocks (rows of the page, ascending), each source once, in document order; of
    one that stands there in several sizes, for wide and narrow screens, the largest.

    An image is content if no dropped block parts it from the range of the kept ones, and the innermost element that holds both it and
    any text holds kept text: so the picture of a teaser whose own words were dropped goes with them. The words of a `<figure>` do not
    count, since a caption is often dropped alone.
    """
    if not kept or not page.images:
        return ()
    near = [image for image in page.images if kept[0] <= image.before <= kept[-1] + 1 and _is_picture(page, image)]
    if not near:
        return ()
    with_kept = _holders(page, kept)
    figures = {element: _in_figure(page, element) for element in {block.element for block in page.blocks}}
    with_text = _holders(page, (row for row, block in enumerate(page.blocks) if not figures[block.element]))
    found: dict[str, Image] = {}
    for image in near:
        row = image.element
        while row not in with_text and row not in with_kept and row > 0:
            row = page.elements[row].parent
        if row in with_kept:
            key = _SIZED.sub("", image.source)
            if key not in found or _width(image.source) > _width(found[key].source):
                found[key] = image
    return tuple(found.values())


def _width(source: str) -> int:
    """Return the largest number that a parameter of size asks for; 0 without one."""
    return max((int(size) for size in _SIZED.findall(source) if size), default=0)


def _is_picture(page: Page, image: Image) -> bool:
    """Tell pictures from icons and tracking pixels by their box, and where an image was not loaded by its address and description."""
    if not image.source.startswith(("http://", "https://")):
        return False
    if image.box is None or page.source == "stored" or not image.box.width * image.box.height:
        return bool(_PHOTO.search(image.source) or (image.alt and ".svg" not in image.source.lower()))
    return min(image.box.width, image.box.height) >= MIN_SIDE


def _holders(page: Page, rows: Iterable[int]) -> set[int]:
    """Return the elements that hold at least one of the blocks."""
    held: set[int] = set()
    for row in rows:
        element = page.blocks[row].element
        while element >= 0 and element not in held:
            held.add(element)
            element = page.elements[element].parent
    return held


def _in_figure(page: Page, row: int) -> bool:
    """Say whether one of the three innermost elements is a figure."""
    for _ in range(3):
        if row < 0:
            return False
        if page.elements[row].tag == "figure":
            return True
        row = page.elements[row].parent
    return False
