"""Descriptions of images: the alternative text, else the caption."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import unescape

from sightread.document.tree.math import image_tex
from sightread.document.tree.nodes import Figure, Node
from sightread.render.network.address import percent_decode
from sightread.render.page import Image, Page
from sightread.render.page.page_arrays import enclosing
from sightread.render.text.titles import is_title

LONGEST_CAPTION = 300
"""Most characters of an alternative text; longer text describes more than the image."""

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_FILE = re.compile(r"(?P<name>\S+)\.(?:jpe?g|png|gif|webp|svg|avif|bmp|tiff?)|(?P<slug>[^\W_]+(?:[-_]+[^\W_]+){2,})", re.IGNORECASE)
_NOTHING = re.compile(r"(?:img|image|photo|pic|picture|blank|placeholder)[-_ ]?\d*|enter image (?:title|description) here", re.IGNORECASE)
"""Generic words for images, and placeholders of editors."""


def are_figures(items: Iterable[Sequence[Node]]) -> bool:
    """Return whether the items of a list consist of images alone, as in galleries."""
    return all(isinstance(node, Figure) for item in items for node in item)


def described(page: Page, images: Mapping[Image, str], kept: Iterable[int]) -> tuple[Image, ...]:
    """Return the images, given with the words beside each, with their descriptions: alternative text without tags, else a caption.

    Alternative text is ignored if it is the name of the image's file, or if several images share the page's title. A caption is that of the
    image's own `<figure>`, used for the first image there, or the dropped words beside it: the gold that models learn from seldom contains
    captions, so models drop nearly all of them; as a description a caption is not text.
    """
    times = Counter(image.alt for image in images)
    alts = {image: _alt(image, page.titles if times[image.alt] > 1 else ()) for image in images}
    figures, captioned = _figures(page) if not all(alts.values()) else ([], [])
    captions = _captions(page, captioned, frozenset(kept)) if captioned else {}
    words = Counter(images.values())
    found = []
    for image, alt in alts.items():
        if image_tex(image):
            found.append(image)
            continue
        with_alt = image._replace(alt=alt or captions.pop(figures[image.element], "") or _sole(images[image], words))
        found.append(image._replace(alt=alt) if image_tex(with_alt) else with_alt)
    return tuple(found)


def _sole(words: str, times: Mapping[str, int]) -> str:
    """Return the words beside an image; empty if they are a button's or a paragraph, or beside several images."""
    return words if " " in words and len(words) <= LONGEST_CAPTION and times[words] == 1 else ""


def _alt(image: Image, titles: Sequence[str]) -> str:
    """Return the alternative text; empty if it is generic, or resembles one of these titles."""
    alt = " ".join(unescape(_TAG.sub(" ", image.alt) if "<" in image.alt else image.alt).split())
    file = _FILE.fullmatch(alt)
    if file and (file["name"] or file["slug"]).lower() in percent_decode(image.source).lower():
        return ""
    return "" if _NOTHING.fullmatch(alt) or is_title(alt, titles) else alt


def _figures(page: Page) -> tuple[list[int], list[int]]:
    """Return for each element the innermost figure around it, and the figure whose caption contains it; -1 for none."""
    figures, captions = enclosing(page, ("figure",)), enclosing(page, ("figure", "figcaption"))
    captioned = [figures[row] if row >= 0 and page.elements[row].tag == "figcaption" else -1 for row in captions]
    return figures, captioned


def _captions(page: Page, captioned: Sequence[int], kept: frozenset[int]) -> dict[int, str]:
    """Return the captions without kept text, by the row of their figure."""
    texts: dict[int, list[str]] = {}
    for row, block in enumerate(page.blocks):
        if (figure := captioned[block.element]) >= 0:
            texts.setdefault(figure, []).append("" if row in kept else block.text)
    whole = {figure: " ".join(" ".join(held).split()) for figure, held in texts.items() if all(held)}
    return {figure: text for figure, text in whole.items() if len(text) <= LONGEST_CAPTION}
