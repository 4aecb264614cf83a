"""Redesigns of a page: the same text under another template, made by rewriting what a browser reported of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import blake2b

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Box, Element, Page, Style

SCALE = 1.15
"""By how much a change of CSS makes everything larger."""
TAGS = {"div": "section", "p": "div", "h1": "h2", "ul": "div", "li": "div", "span": "b"}
_PX = re.compile(r"(\d+(?:\.\d+)?)px")

Redesign = Callable[[Page], Page]


def rename(page: Page) -> Page:
    """Give every class and id another name, as a build tool does."""

    def renamed(element: Element) -> Element:
        return element._replace(id=_other(element.id) if element.id else "", classes=tuple(map(_other, element.classes)))

    return replace(page, elements=tuple(map(renamed, page.elements)))


def recolour(page: Page) -> Page:
    """Change every colour."""
    return _restyled(page, lambda name, value: "rgb({}, {}, {})".format(*_digest(value)[:3]) if "color" in name else value)


def resize(page: Page) -> Page:
    """Set everything larger and in another typeface."""

    def larger(name: str, value: str) -> str:
        return f"Other, {value}" if name == "font-family" else _PX.sub(lambda found: f"{float(found[1]) * SCALE:g}px", value)

    blocks = (msgspec.structs.replace(block, box=block.box and Box(*(SCALE * side for side in block.box))) for block in page.blocks)
    return replace(_restyled(page, larger), blocks=tuple(blocks))


def wrap(page: Page) -> Page:
    """Put everything into one more container."""
    elements = (element._replace(parent=element.parent + 1) for element in page.elements[1:])
    blocks = (msgspec.structs.replace(block, element=block.element + 1) if block.element else block for block in page.blocks)
    return replace(page, elements=(page.elements[0], Element("div", 0, "app"), *elements), blocks=tuple(blocks))


def retag(page: Page) -> Page:
    """Write the same with other elements."""
    return replace(page, elements=tuple(element._replace(tag=TAGS.get(element.tag, element.tag)) for element in page.elements))


def rebuild(page: Page) -> Page:
    """Change everything at once but positions."""
    return resize(recolour(rename(retag(page))))


def rebuild_only(page: Page, rows: NDArray[np.intp]) -> Page:
    """Rebuild some of the blocks, with the elements next above them, and leave the others as they are."""
    other = rebuild(page)
    elements, styles, blocks = list(page.elements), list(page.styles), list(page.blocks)
    for row in rows.tolist():
        for element in page.ancestors(page.blocks[row].element)[:2]:
            elements[element] = other.elements[element]
        styles.append(other.style_of(other.blocks[row]))
        blocks[row] = msgspec.structs.replace(other.blocks[row], style=len(styles) - 1)
    return replace(page, elements=tuple(elements), styles=tuple(styles), blocks=tuple(blocks))


REDESIGNS: Mapping[str, Redesign] = {
    "none": lambda page: page,
    "class names": rename,
    "colours": recolour,
    "sizes, typeface": resize,
    "a container more": wrap,
    "class names, sizes": lambda page: resize(rename(page)),
    "elements": retag,
    "everything": lambda page: wrap(rebuild(page)),
}


def _restyled(page: Page, change: Callable[[str, str], str]) -> Page:
    styles: tuple[Style, ...] = tuple({name: change(name, value) for name, value in style.items()} for style in page.styles)
    return replace(page, styles=styles)


def _other(name: str) -> str:
    return f"x{_digest(name).hex()[:8]}"


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=8).digest()
