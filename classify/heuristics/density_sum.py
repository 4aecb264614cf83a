"""Content extraction via text density (Sun, Song and Liao, SIGIR 2011): composite text density and density sum.

Every element has a composite text density (section 3.2, equation 2): its characters for each tag under it, raised if few of them are
links, all links of the page considered. Its density sum (section 4.2) is that of its children. The element of the largest density sum holds
the main content; the least density on the way from it up to the body is the threshold (section 4.3), and in every element that reaches it,
from the body down, the part of the largest density sum is content.

Departures: the tags are those that a `Page` keeps (elements with text, inlines, images); a block of text directly in an
element with others is a child with no tags of its own, as the authors' program has it. Hidden blocks are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Prediction, Published
from sightread.render.page import Page
from sightread.render.page.array_types import Floats
from sightread.render.page.page_arrays import PageArrays


class DensitySum(Published):
    """CETD with density sums (CETD-DS in the paper)."""

    name = "density-sum"

    def predict(self, page: Page) -> Prediction:
        """Return 1 for content and 0 for boilerplate, shape (blocks,)."""
        tree = read_tree(page)
        densities = composite_densities(tree)
        content = mark_content(tree, densities)
        probabilities = np.zeros(len(page.blocks))
        probabilities[tree.blocks] = content[len(page.elements) :]
        return Prediction(probabilities)


@dataclass(frozen=True, slots=True)
class DensityTree:
    """The elements of a page and, after them, one leaf per visible block; arrays of shape (nodes,), each counted over the whole subtree."""

    parents: NDArray[np.intp]
    """A parent is before its children; -1 for the body."""
    characters: Floats
    tags: Floats
    link_characters: Floats
    link_tags: Floats
    blocks: NDArray[np.intp]
    """Rows in `Page.blocks` of the leaves."""


def read_tree(page: Page) -> DensityTree:
    """Return the tree of a page; linear in its size."""
    arrays = PageArrays(page)
    shown = [(row, block) for row, block in enumerate(page.blocks) if not block.hidden]
    rows = np.array([row for row, _ in shown], np.intp)

    def over_subtrees(of_leaves: Iterable[float], of_elements: Floats | float = 0.0) -> Floats:
        leaves = np.fromiter(of_leaves, np.float64, len(shown))
        of_blocks = np.zeros(arrays.count)
        of_blocks[rows] = leaves
        return np.concatenate([arrays.sum_elements(of_blocks) + of_elements, leaves])

    images = np.bincount([image.element for image in page.images], minlength=len(page.elements))
    own_tags = arrays.sum_below(images + 1) - 1  # an element is a tag of those around it
    return DensityTree(
        parents=np.array([element.parent for element in page.elements] + [block.element for _, block in shown], np.intp),
        characters=over_subtrees(len(block.text) for _, block in shown),
        tags=over_subtrees((len(block.inlines) + block.text.count("\n") for _, block in shown), own_tags),
        link_characters=over_subtrees(block.link_chars for _, block in shown),
        link_tags=over_subtrees(sum(inline.kind == "link" for inline in block.inlines) for _, block in shown),
        blocks=rows,
    )


def composite_densities(tree: DensityTree) -> Floats:
    """Return the composite text density of each node (equation 2); 0 for one without text. A divisor of 0 counts as 1, as in the paper."""
    characters, links = tree.characters, np.maximum(tree.link_characters, 1.0)
    tags, link_tags = np.maximum(tree.tags, 1.0), np.maximum(tree.link_tags, 1.0)
    unlinked = np.maximum(characters - tree.link_characters, 1.0)
    of_page = tree.link_characters[0] / max(characters[0], 1.0)
    text = np.maximum(characters, 1.0)
    base = np.log(text * links / unlinked + of_page * text + np.e)
    densities = text / tags * np.log(text * tags / (links * link_tags)) / np.log(base)
    return np.where(characters > 0, densities, 0.0)


def mark_content(tree: DensityTree, densities: Floats) -> NDArray[np.bool_]:
    """Return which nodes are content, shape (nodes,); none if the page has no text."""
    parents = tree.parents
    sums = np.zeros(len(parents))
    np.add.at(sums, parents[1:], densities[1:])
    has_children = np.bincount(parents[1:], minlength=len(parents)) > 0
    sums = np.where(has_children, sums, densities)
    best = np.arange(len(parents))  # the node of the largest density sum in each subtree, the uppermost of equal ones
    for node in range(len(parents) - 1, 0, -1):
        parent = parents[node]
        if (sums[best[node]], -best[node]) > (sums[best[parent]], -best[parent]):
            best[parent] = best[node]
    content = np.zeros(len(parents), np.bool_)
    if tree.characters[0] == 0:
        return content
    node = int(best[0])
    threshold = densities[node]
    while node > 0:
        node = int(parents[node])
        threshold = min(threshold, densities[node])
    dense = densities >= threshold
    for node in range(len(parents)):
        reached = node == 0 or dense[parents[node]]
        dense[node] &= reached
        if dense[node]:
            content[best[node]] = True
    for node in range(1, len(parents)):
        content[node] |= content[parents[node]]
    return content


MODEL = DensitySum
