"""From the cluster of an article's paragraphs to the whole article: headline, lede, subheadings, lists, quotes, captions.

Ours, not the paper's. On each page the paragraphs name their container, and the headline where the article begins. A cluster whose blocks
stand there, page after page, and that reads like text rather than like furniture, is part of the article. A cluster is taken whole or not
at all, so labels stay a function of looks, which is what the classifier can learn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from labeling.choose import Template
from labeling.evidence import Evidence
from render.page import Page
from render.words import words

CONTAINER_SHARE = 0.9
"""The container is the deepest element that holds this share of the paragraphs' characters: one stray block must not widen it."""
MOST = 0.8
"""What is asked of a cluster must hold for this share of its blocks."""
LINKED = 0.5
"""A cluster with more of its characters inside links is navigation."""
VARIED = 0.5
"""With fewer different texts than this share of its blocks, a cluster is labels and buttons."""
TITLE_MATCH = 0.6
"""A headline shares this part of its words with the page's title."""
COLUMN = 0.9
"""What stands between two paragraphs and takes up this share of their width is set as a part of the text, such as a formula."""
SENTENCE_ENDS = tuple('.!?…。！？।॥؟۔»”"')
STRUCTURE = frozenset(
    {"li", "td", "th", "dt", "dd", "pre", "code", "figcaption", "caption", "blockquote", "q", "h2", "h3", "h4", "h5", "h6"}
)
"""Tags whose text belongs to an article however short it is, if it stands in the paragraphs' container."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the article stands on one page; masks hold one value a block."""

    inside: NDArray[np.bool_]
    """In the paragraphs' container."""
    before: NDArray[np.bool_]
    """Ahead of the last paragraph, where a headline may stand."""
    column: NDArray[np.bool_]
    """Between two paragraphs of the container, and as wide as they are."""
    lead: NDArray[np.bool_]
    """Between the headline and the first paragraph; nothing where no headline was found."""


def grow_template(evidence: Evidence, template: Template) -> Template:
    """Return the template with those other clusters whose blocks belong to its articles."""
    clusters = _candidates(evidence, template)
    places = {int(page): _place(evidence, template, int(page)) for page in template.pages}
    headlines = {cluster for cluster, members in clusters.items() if _is_headline(evidence, members, places)}
    begins: defaultdict[int, list[int]] = defaultdict(list)
    for cluster in headlines:
        for index in clusters.pop(cluster):
            begins[int(evidence.page[index])].append(int(evidence.row[index]) + 1)
    for page, place in places.items():
        place.lead[: max(begins[page], default=len(place.lead))] = False
    parts = {cluster for cluster, members in clusters.items() if _is_part(evidence, members, places)}
    return replace(template, parts=frozenset(headlines | parts))


def _candidates(evidence: Evidence, template: Template) -> dict[int, NDArray[np.intp]]:
    """Return the blocks, on the template's pages, of every cluster that is neither navigation nor the same all over the site."""
    indices = np.flatnonzero(np.isin(evidence.page, template.pages) & (evidence.cluster >= 0) & (evidence.cluster != template.cluster))
    indices = indices[np.argsort(evidence.cluster[indices], kind="stable")]
    found = {}
    for members in np.split(indices, np.flatnonzero(np.diff(evidence.cluster[indices])) + 1):
        blocks = [evidence.block(index) for index in members]
        linked = sum(block.link_chars for block in blocks) > LINKED * sum(len(block.text) for block in blocks)
        varied = len({block.text for block in blocks}) >= VARIED * len(blocks)
        if len(members) and varied and not linked and evidence.repeated[members].mean() <= 1 - MOST:
            found[int(evidence.cluster[members[0]])] = members
    return found


def _place(evidence: Evidence, template: Template, number: int) -> Place:
    page = evidence.pages[number]
    rows = evidence.row[np.flatnonzero((evidence.page == number) & (evidence.cluster == template.cluster))]
    inside = _descendants(page, _container(page, rows))
    held = inside[[block.element for block in page.blocks]]
    order = np.arange(len(page.blocks))
    widths = np.array([block.box.width if block.box else 0.0 for block in page.blocks])
    between = held & (order > rows[0]) & (order < rows[-1])
    return Place(held, order < rows[-1], between & (widths >= COLUMN * np.median(widths[rows])), order < rows[0])


def _container(page: Page, rows: NDArray[np.int32]) -> int:
    """Return the deepest element, above the blocks' own, that holds most of the blocks' characters."""
    weight = np.zeros(len(page.elements))
    for row in rows:
        block = page.blocks[row]
        for element in page.ancestors(block.element)[1:] or (block.element,):
            weight[element] += len(block.text)
    return int(np.flatnonzero(weight >= CONTAINER_SHARE * weight.max())[-1])


def _descendants(page: Page, element: int) -> NDArray[np.bool_]:
    inside = np.zeros(len(page.elements), np.bool_)
    inside[element] = True
    for row in range(element + 1, len(page.elements)):
        inside[row] = inside[page.elements[row].parent]
    return inside


def _is_headline(evidence: Evidence, members: NDArray[np.intp], places: Mapping[int, Place]) -> bool:
    """Tell whether the blocks are the pages' own titles, set as headings before the text."""
    matches = 0
    for index in members:
        block, page = evidence.block(index), int(evidence.page[index])
        if not block.heading or not places[page].before[evidence.row[index]]:
            continue
        said, title = set(words(block.text)), set(words(" ".join(evidence.pages[page].titles)))
        matches += bool(said) and len(said & title) >= TITLE_MATCH * len(said)
    return matches >= MOST * len(members)


def _is_part(evidence: Evidence, members: NDArray[np.intp], places: Mapping[int, Place]) -> bool:
    """Tell whether the blocks stand in the articles and read like text."""
    at = [(places[int(evidence.page[index])], evidence.row[index]) for index in members]
    inside = np.array([place.inside[row] for place, row in at])
    lead = np.array([place.lead[row] for place, row in at])
    if np.mean([evidence.block(index).text.rstrip().endswith(SENTENCE_ENDS) for index in members]) >= 1 / 2:
        return bool(np.mean(inside | lead) >= MOST)
    fitting = np.array([place.column[row] or _structured(evidence, index) for (place, row), index in zip(at, members, strict=True)])
    return bool(np.mean(inside & fitting) >= MOST)


def _structured(evidence: Evidence, index: np.intp) -> bool:
    page = evidence.pages[evidence.page[index]]
    return any(page.elements[row].tag in STRUCTURE for row in page.ancestors(evidence.block(index).element))
