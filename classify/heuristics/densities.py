"""Models by the densities of text and tags: BTE, CETR and density sum. They read the DOM alone and learn nothing.

The tags are those that a `Page` keeps: the elements that hold text, images and cells, and the links and emphasis inside a block; spans and
empty elements it does not. Hidden blocks are passed over.
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
from sightread.render.text.words import count_words


@dataclass(frozen=True, slots=True)
class TagCounts:
    """Arrays of shape (visible blocks,)."""

    rows: NDArray[np.intp]
    """Rows of the visible blocks in `Page.blocks`, in document order."""
    before: Floats
    """Tags, opening and closing ones and images, since the text before."""
    inside: Floats
    """Tags inside the text: two for each of its inlines and one for each line break."""
    words: Floats
    characters: Floats
    """Of the text, without white space at its ends."""


def count_tags(page: Page) -> TagCounts:
    """Count the tags of a page; linear in its size."""
    rows = [row for row, block in enumerate(page.blocks) if not block.hidden]
    blocks = [page.blocks[row] for row in rows]
    steps = _steps(page, [block.element for block in blocks])
    images = np.bincount([image.before for image in page.images], minlength=len(page.blocks) + 1)
    seen = np.concatenate(([0], np.cumsum(images)))[np.array(rows, np.intp) + 1]  # images before each visible block
    return TagCounts(
        np.array(rows, np.intp),
        steps + np.diff(seen, prepend=0),
        np.array([2.0 * len(block.inlines) + block.text.count("\n") for block in blocks]),
        np.array([count_words(block.text) for block in blocks]),
        np.array([float(len(block.text)) for block in blocks]),
    )


def _steps(page: Page, elements: list[int]) -> Floats:
    """Return how many elements are closed and opened on the way from each element of the list to the next; the first starts at the body.

    Two blocks in a row of the same element are parted by something that holds no text of its own: two tags.
    """
    parents = [element.parent for element in page.elements]
    depths = [0] * len(parents)
    for row, parent in enumerate(parents[1:], 1):
        depths[row] = depths[parent] + 1
    steps = np.zeros(len(elements))
    at = 0
    for place, target in enumerate(elements):
        here, there = at, target
        while here != there:
            if depths[here] >= depths[there]:
                here = parents[here]
            else:
                there = parents[there]
            steps[place] += 1
        if at == target and place:
            steps[place] = 2
        at = target
    return steps


class BodyText(Published):
    """Body text extraction (Finn, Kushmerick and Smyth 2001, section 3): the run of blocks with the most words and the fewest tags.

    A page is a row of tokens, tags and words. Its body is the run of tokens for which the words inside and the tags outside are most: the
    long plateau in the curve of tags against tokens. The paper tries every pair of ends; the same run is the one of the largest sum where a
    word counts 1 and a tag -1, which one pass finds (Bentley 1984, Kadane's algorithm).

    Departure: a block is taken whole.
    """

    name = "bte"

    def predict(self, page: Page) -> Prediction:
        """Return 1 for the blocks of the run and 0 for all others, shape (blocks,)."""
        tags = count_tags(page)
        gains = np.column_stack([-tags.before, tags.words - tags.inside]).ravel()
        start, end = plateau(gains)
        probabilities = np.zeros(len(page.blocks))
        probabilities[tags.rows[start // 2 : end // 2]] = 1.0
        return Prediction(probabilities)


def plateau(gains: NDArray[np.float64]) -> tuple[int, int]:
    """Return the half-open run of the largest sum, (0, 0) where no sum is positive; of equal sums the first and shortest."""
    sums = np.concatenate(([0.0], np.cumsum(gains)))
    lowest = np.minimum.accumulate(sums)
    end = int(np.argmax(sums - lowest))
    if sums[end] <= lowest[end]:
        return 0, 0
    return int(np.flatnonzero(sums[: end + 1] == lowest[end])[-1]), end


SMOOTHING_RADIUS = 2
"""Lines on either side that smoothing looks at; with 1 the word F1 was .762 in place of .768."""
LEAST_DEVIATIONS = 1.0
"""Standard deviations that content reaches; with a half and a radius of 1 the word F1 was .766."""


class TagRatios(Published):
    """Content extraction via tag ratios (Weninger, Hsu and Han, WWW 2010), threshold variant (CETR-TM).

    A line's ratio is its characters against its tags (section 3). The ratios are smoothed with a Gaussian kernel; content is what then
    reaches their standard deviation (section 3.2).

    Departures: a line is a block of the page, with the tags since the block before it, since lines of source are arbitrary on generated
    pages. The paper's other way clusters ratio and slope by k-means around random points; from fixed quantiles it had a word F1 between
    .749 and .764 on WCXB dev (every eighth page), the threshold .768.
    """

    name = "cetr"

    def predict(self, page: Page) -> Prediction:
        """Return 1 for content and 0 for boilerplate, shape (blocks,)."""
        tags = count_tags(page)
        ratios = tags.characters / np.maximum(tags.before + tags.inside, 1.0)
        probabilities = np.zeros(len(page.blocks))
        probabilities[tags.rows] = is_content(ratios)
        return Prediction(probabilities)


def is_content(ratios: Floats) -> NDArray[np.bool_]:
    """Tell content lines by their text-to-tag ratios; shape (lines,)."""
    if not len(ratios):
        return np.zeros(0, np.bool_)
    smoothed = smooth(ratios)
    return np.asarray(smoothed >= LEAST_DEVIATIONS * smoothed.std()) & (ratios > 0)


def smooth(values: Floats) -> Floats:
    """Return the values smoothed with a Gaussian kernel of the radius; the ends repeat. Shape (lines,), at least one line."""
    kernel = np.exp(-(np.arange(-SMOOTHING_RADIUS, SMOOTHING_RADIUS + 1) ** 2) / 2)
    return np.convolve(np.pad(values, SMOOTHING_RADIUS, mode="edge"), kernel / kernel.sum(), "valid")


class DensitySum(Published):
    """Content extraction via text density (Sun, Song and Liao, SIGIR 2011): CETD-DS, composite text density and density sum.

    Every element has a composite text density (section 3.2, equation 2): its characters for each tag under it, raised if few of them are
    links, all links of the page considered. Its density sum (section 4.2) is that of its children. The element of the largest density sum
    holds the main content; the least density on the way from it up to the body is the threshold (section 4.3), and in every element that
    reaches it, from the body down, the part of the largest density sum is content.

    Departure: a block of text directly in an element with others is a child with no tags of its own, as the authors' program has it.
    """

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

    tags = np.bincount([image.element for image in page.images], minlength=len(page.elements)).tolist()
    for row in range(len(page.elements) - 1, 0, -1):
        tags[page.elements[row].parent] += tags[row] + 1  # an element is a tag of those around it
    own_tags = np.array(tags, np.float64)
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
