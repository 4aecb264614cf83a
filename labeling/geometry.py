"""Position of an article on its page: the container and the column of its paragraphs, and what surrounds them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence import Evidence
from sightread.render.page import Box, Page
from sightread.render.page.array_types import Bools, Floats
from sightread.render.page.view import innermost


@dataclass(frozen=True, slots=True)
class PlaceRules:
    """Where an article is on its page. Shares are 0 to 1, lengths in CSS px."""

    container_share: float = 0.9
    """The container is the deepest element that holds this share of the paragraphs' characters: one stray block must not widen it."""
    usual_share: float = 0.2
    """Least share of the paragraphs' characters in the container that most pages have, for a page to have it too: the rest may be
    comments."""
    fewest_pages: int = 3
    """Pages from which on a kind of container is usual."""
    column_share: float = 0.9
    """Least share of the paragraphs' width at which a box among them is a part of the text, such as a formula."""
    picture_width: int = 120
    picture_height: int = 80
    """CSS px; what is smaller is the thumbnail of a link."""
    beneath: float = 0.9
    """A caption begins below this share of its picture's height; what is laid over the picture belongs to a gallery or a link."""
    caption_gap: int = 48
    """CSS px between a picture, or its caption, and what is set beneath: two lines of text at most."""
    caption_slack: int = 24
    """CSS px by which a caption may extend on either side of its picture."""


PLACE = PlaceRules()
STRUCTURES = frozenset({"ul", "ol", "li", "dl", "dd", "table", "tbody", "tr", "td", "blockquote"})
"""No containers: an article may be set as a list or in a table, but is not one, and contains it."""


class Places(NamedTuple):
    """Where the articles of a site are on their pages: masks of shape (blocks,), False on other pages."""

    inside: Bools
    """In the paragraphs' container."""
    before: Bools
    """Ahead of the last paragraph, where a headline may be."""
    column: Bools
    """As wide as the paragraphs, and between two of them or beside them in the tree."""
    lead: Bools
    """Ahead of the first paragraph."""
    heads: Bools
    """Headings with a paragraph right behind."""
    captions: Bools
    """Set right beneath a picture of the container."""


def find_places(evidence: Evidence, cluster: int) -> Places:
    """Return where the paragraphs of the cluster are on all pages that contain text of it.

    If more than half of at least three pages have the same kind of container, a page that names another takes that one if it can: there
    comments that look like paragraphs have widened it.
    """
    table = evidence.table
    pages = np.unique(table.page[(evidence.cluster == cluster) & (evidence.text > 0)]).tolist()
    rows = {page: _rows_of(evidence, cluster, page) for page in pages}
    found = {page: container(table.pages[page], of_page) for page, of_page in rows.items()}
    kinds = Counter(kind_of(table.pages[page], element) for page, element in found.items())
    usual, on = kinds.most_common(1)[0] if kinds else ((), 0)
    if len(found) >= PLACE.fewest_pages and on > len(found) / 2:
        found = {page: _usual(table.pages[page], rows[page], element, usual) for page, element in found.items()}
    places = Places(*np.zeros((len(Places._fields), len(table.page)), np.bool_))
    for page, element in found.items():
        of_page = slice(*table.range_of(page))
        for mask, own in zip(places, _place(table.pages[page], table.looks.width[of_page], rows[page], element), strict=True):
            mask[of_page] = own
    return places


def _rows_of(evidence: Evidence, cluster: int, page: int) -> NDArray[np.int32]:
    low, high = evidence.table.range_of(page)
    rows: NDArray[np.int32] = evidence.table.row[low:high][evidence.cluster[low:high] == cluster]
    return rows


def kind_of(page: Page, element: int) -> tuple[str, ...]:
    """Return tags and classes from an element up to the body; classes with a number in them name one thing, not a kind."""
    steps = (page.elements[row] for row in page.ancestors(element))
    return tuple(".".join((step.tag, *(name for name in step.classes if not any(map(str.isdigit, name))))) for step in steps)


def _usual(page: Page, rows: NDArray[np.int32], own: int, kind: tuple[str, ...]) -> int:
    """Return the page's element of that kind which holds most of the paragraphs, its own container if that is too little of them."""
    if kind_of(page, own) == kind:
        return own
    weights = _weights(page, rows)
    heaviest = max(
        (row for row in range(len(weights)) if weights[row] and kind_of(page, row) == kind), key=weights.__getitem__, default=own
    )
    return heaviest if weights[heaviest] >= PLACE.usual_share * weights.max() else own


def _place(page: Page, widths: Floats, rows: NDArray[np.int32], element: int) -> Places:
    elements = np.array([block.element for block in page.blocks], np.intp)
    held = np.array(innermost(page, {element})) == element
    inside = held[elements]
    rows = rows[inside[rows]]
    order = np.arange(len(page.blocks))
    parents = np.array([page.elements[element].parent for element in elements], np.intp)
    among = ((order > rows[0]) & (order < rows[-1])) | np.isin(parents, parents[rows])
    return Places(
        inside=inside,
        before=order < rows[-1],
        column=inside & among & (widths >= PLACE.column_share * np.median(widths[rows])),
        lead=order < rows[0],
        heads=inside & np.isin(order + 1, rows) & np.array([block.heading > 0 for block in page.blocks], np.bool_),
        captions=inside & _captions(page, held, rows),
    )


def container(page: Page, rows: NDArray[np.int32]) -> int:
    """Return the deepest element, above the blocks' own, that holds most of the blocks' characters and is no list, table or quote."""
    weights = _weights(page, rows)
    element = int(np.flatnonzero(weights >= PLACE.container_share * weights.max())[-1])
    while page.elements[element].tag in STRUCTURES and element > 0:
        element = page.elements[element].parent
    return element


def _weights(page: Page, rows: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return how many of the blocks' characters each element holds, not counting the blocks' own elements."""
    weights = np.zeros(len(page.elements))
    for row in rows:
        block = page.blocks[row]
        for element in page.ancestors(block.element)[1:] or (block.element,):
            weights[element] += len(block.text)
    return weights


def _captions(page: Page, held: NDArray[np.bool_], rows: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which blocks are captions: beneath a picture, one after the other, with no paragraph between, and no wider than it."""
    found = np.zeros(len(page.blocks), np.bool_)
    paragraphs = set(rows.tolist())
    pictures = [
        box
        for image in page.images
        if (box := image.box) and held[image.element] and box.width >= PLACE.picture_width and box.height >= PLACE.picture_height
    ]
    if not pictures:
        return found
    boxes = sorted(((block.box, row) for row, block in enumerate(page.blocks) if block.box), key=lambda pair: pair[0].y)
    for picture in pictures:
        bottom = picture.y + picture.height
        for box, row in boxes:
            if box.y < picture.y + PLACE.beneath * picture.height or not _under(box, picture):
                continue
            if box.y > bottom + PLACE.caption_gap or row in paragraphs:
                break
            found[row] = True
            bottom = max(bottom, box.y + box.height)
    return found


def _under(box: Box, picture: Box) -> bool:
    return picture.x - PLACE.caption_slack <= box.x and box.x + box.width <= picture.x + picture.width + PLACE.caption_slack
