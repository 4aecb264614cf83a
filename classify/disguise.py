"""Pages in disguise: as other sites would have made them, for a model of sites never seen to learn from.

Training pages come from the sites and years that they come from: most of them long, with telling names. In disguise a page may say less
(a short notice amid all that stands around an article, or a text with next to nothing around it), and its markup may tell less (names that
are nobody's words or none, `div` for everything, headings that are bold lines). What a block is stays as it was. This is augmentation as it
is done with images (Simard et al. 2003).

Learning from one disguise of each page too gives, of WCXB dev alone, word F1 of .917 instead of .913 on a part of six other sets, and .797
instead of .778 on the quarter of these pages that hold least content beside the most of other text;
on WCXB dev itself .872 instead of .873.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from classify.metrics import CONTENT
from render.page import Element, Page

SHORT, BARE = 0.3, 0.15
"""Of the pages, those whose content ends early if it is prose, and those with little around it."""
PROSE, PARAGRAPH = 0.7, 80
"""Prose has this share of its characters in blocks of that many. A list of goods that ends early is not what sites do."""
LEFT = 0.6
"""Most of its content blocks that a short one keeps; how many is drawn evenly on a logarithmic scale."""
AROUND = 0.3
"""Most of the other blocks that a bare page keeps, all in one run."""
NAMELESS = 0.6
"""Of the pages, those whose names say nothing: half of these have none, and half have others on each page."""
PLAIN = 0.7
"""Of those, the pages whose landmarks are plain boxes too."""
LOOSE = 0.2
"""Of the pages, those without `p`, and those without headings."""
LANDMARKS = frozenset(
    ["article", "main", "header", "footer", "nav", "aside", "section", "figure", "figcaption", "address", "hgroup", "details", "summary"]
)
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
SAID = frozenset(("role", "itemprop", "aria-hidden"))
"""Attributes that tell what an element is for."""

Labels = NDArray[np.int8]


def disguise(page: Page, labels: Labels, seed: int) -> tuple[Page, Labels]:
    """Return the page in a disguise drawn by the seed, with the labels of the blocks that it still has; one label a block."""
    chance = np.random.default_rng(seed)
    page, labels = _keep(page, labels, _amount(page, labels == CONTENT, chance))
    if chance.random() < NAMELESS:
        page = _nameless(page, chance)
    tags: dict[str, str] = {}
    if chance.random() < LOOSE:
        tags["p"] = "div"
    if chance.random() < LOOSE:
        tags |= dict.fromkeys(HEADINGS, "div")
        page = replace(page, blocks=tuple(replace(block, heading=0) for block in page.blocks))
    return _retagged(page, tags), labels


def _amount(page: Page, content: NDArray[np.bool_], chance: Generator) -> NDArray[np.bool_]:
    """Return which blocks stay."""
    stays = np.ones(len(content), np.bool_)
    draw, inside, around = chance.random(), np.flatnonzero(content), np.flatnonzero(~content)
    length = np.array([len(block.text) for block in page.blocks])[inside]
    if draw < SHORT and length[length >= PARAGRAPH].sum() > PROSE * length.sum():
        stays[inside[max(1, int((LEFT * len(inside)) ** chance.random())) :]] = False
    elif draw < SHORT + BARE and len(inside) and len(around):
        first = int(chance.integers(len(around)))
        stays = content.copy()
        stays[around[first : first + int(AROUND * len(around) * chance.random())]] = True
    return stays


def _keep(page: Page, labels: Labels, stays: NDArray[np.bool_]) -> tuple[Page, Labels]:
    rows = np.flatnonzero(stays)
    before = np.concatenate([[0], np.cumsum(stays)]).tolist()
    images = tuple(image._replace(before=before[image.before]) for image in page.images)
    return replace(page, blocks=tuple(page.blocks[row] for row in rows.tolist()), images=images), labels[rows]


def _nameless(page: Page, chance: Generator) -> Page:
    """Return the page without what names and heads say of it; elements of one name still share one, or all have none."""
    salt, has_names, is_plain = int(chance.integers(1 << 32)), chance.random() < 1 / 2, chance.random() < PLAIN

    def rename(name: str) -> str:
        return f"x{zlib.crc32(name.encode('utf-8', 'surrogatepass'), salt):x}"

    elements = tuple(
        element._replace(
            id=rename(element.id) if has_names and element.id else "",
            classes=tuple(map(rename, element.classes)) if has_names else (),
            attributes={name: value for name, value in element.attributes.items() if name not in SAID},
        )
        for element in page.elements
    )
    page = replace(page, elements=elements, url="", final_url="", canonical="", descriptions=(), metas=(), json_ld=())
    return _retagged(page, dict.fromkeys(LANDMARKS, "div") if is_plain else {})


def _retagged(page: Page, tags: Mapping[str, str]) -> Page:
    return replace(page, elements=tuple(_with_tag(element, tags) for element in page.elements)) if tags else page


def _with_tag(element: Element, tags: Mapping[str, str]) -> Element:
    return element._replace(tag=tags[element.tag]) if element.tag in tags else element
