"""The look of a page for the choice of a sample: the containers of its text, by which pages of one template are recognised."""

from __future__ import annotations

import re
import zlib

from sightread.render.page import Page

LEVELS = 4
"""Elements from the body down: what is deeper differs between pages of one template."""


def look_of(page: Page) -> tuple[int, ...]:
    """Return hashes of the containers that hold the visible blocks: the tags and classes of their outermost elements, digits left out."""
    paths = set()
    for block in page.blocks:
        if not block.hidden:
            outermost = [page.elements[row] for row in page.ancestors(block.element)][-LEVELS - 1 : -1]
            paths.add(" ".join(re.sub(r"\d+", "0", ".".join((element.tag, *element.classes[:2]))) for element in outermost))
    return tuple(sorted(zlib.crc32(path.encode("utf-8", "surrogatepass")) for path in paths))
