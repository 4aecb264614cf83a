"""`Document`: the main content of a page, built from blocks and probabilities, in several formats and with metadata."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from render.labels import THRESHOLD
from render.page import Block, Page
from render.titles import is_title
from sightread.document.formats import Also
from sightread.document.formats.html import to_html
from sightread.document.formats.json import SCHEMA, as_json
from sightread.document.formats.markdown import to_markdown
from sightread.document.formats.tei import to_tei
from sightread.document.formats.text import to_text
from sightread.document.metadata.attributes import Attribute, find_attributes
from sightread.document.metadata.metadata import Metadata, read_metadata
from sightread.document.metadata.page_type import PageType
from sightread.document.metadata.posts import Post, find_posts
from sightread.document.pruning import Part, prune
from sightread.document.reading_order import reading_order
from sightread.document.selection import LeftOut, choose_blocks, left_out
from sightread.document.tree.builder import Structure, build_structure
from sightread.document.tree.images import content_images
from sightread.document.tree.math import image_tex

__all__ = ["SCHEMA", "THRESHOLD", "Document", "build_document", "expected_f1"]

RECOVERED = "the page shows no text: this is what it tells machines, in JSON-LD"
UNSCRIPTED = "the page shows no text: this is what it holds for readers without scripts, in <noscript>"

HEADLINE_BLOCKS = 3
"""Only so early can a block that reads like the page's title be its headline."""


@dataclass(frozen=True, eq=False)
class Document:
    """The content of one page: the blocks that a model kept, in reading order, and what they read like.

    Text, Markdown, HTML and metadata are computed when first asked for; until then a document holds only its page (so the class has no
    slots). Reading order is document order, but where boxes clearly contradict it (see `sightread.document.reading_order`).
    """

    page: Page = field(repr=False)
    rows: tuple[int, ...] = field(repr=False)
    """Rows in `page.blocks` of the blocks that were kept."""
    of_page: NDArray[np.float64] = field(repr=False)
    """What the model gave each block of the page, kept or not; shape (len(page.blocks),)."""
    model: str
    """The name of the model that chose the blocks; empty where it is not known."""
    confidence: float
    """The F1 that the model itself expects of its choice, 0 to 1: see `expected_f1`. 0 for an empty document."""
    reason: str = ""
    """Why the document is empty, in one clause; empty where it is not."""
    version: str = ""
    """Which version of its site's model chose the blocks; empty for any other model."""
    note: str = ""
    """What whoever uses the document should know of how it was read, and what to do; empty where all is as expected."""
    page_type: PageType = ""
    """What the model takes the page for; empty where it does not say, and then the metadata hold what the page declares."""
    threshold: float = THRESHOLD
    """The probability that a block had to reach."""
    unwanted: frozenset[Part] = frozenset()
    """What was left out at the caller's wish."""

    @property
    def url(self) -> str:
        """The URL that the page was read from, after redirects; empty where none is known."""
        return self.page.final_url or self.page.url

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks that were kept, in reading order."""
        return tuple(self.page.blocks[row] for row in self.rows)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """What the model gave each kept block, `threshold` to 1; shape (len(blocks),)."""
        return self.of_page[list(self.rows)]

    @cached_property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The page's other blocks, in document order, each with the reason why it is not in the document."""
        return left_out(self.page, self.of_page, self.rows, self.threshold)

    @cached_property
    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread, comments or reviews that the page shows, whether they are in the document or not."""
        return find_posts(self.page, self.rows)

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and the like, as far as the page tells them."""
        found = read_metadata(self.page)
        return replace(found, page_type=self.page_type) if self.page_type else found

    @cached_property
    def structure(self) -> Structure:
        """The content as a tree of headings, paragraphs, lists, tables, code, quotes and figures."""
        images = content_images(self.page, sorted(self.rows))
        if "images" in self.unwanted:
            images = tuple(filter(image_tex, images))
        structure = build_structure(self.page, self.rows, images, self._headline())
        return structure._replace(nodes=prune(structure.nodes, self.unwanted)) if self.unwanted else structure

    @cached_property
    def text(self) -> str:
        """The content as plain text."""
        return to_text(self.structure.nodes)

    @cached_property
    def markdown(self) -> str:
        """The content as CommonMark with GitHub's tables."""
        return to_markdown(self.structure.nodes)

    @cached_property
    def html(self) -> str:
        """The content as clean HTML in one `<article>`."""
        return to_html(self.structure.nodes, self.page.language)

    @cached_property
    def tei(self) -> str:
        """The content and its metadata as a TEI P5 document."""
        return to_tei(self.structure.nodes, self.metadata, self.url)

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """What the page says in pairs, such as a product's properties: name and value."""
        return find_attributes(self.page, self.rows)

    def without(self, *parts: Part) -> Document:
        """Return the document without its comments, tables, images or links (of which the text stays).

        Comments are the posts that the page shows; on the page of a forum they are its content, and stay.
        """
        rows = self.rows
        if "comments" in parts and self.metadata.page_type != "forum":
            told = {row for post in self.posts for row in post.rows}
            rows = tuple(row for row in rows if row not in told)
        return replace(self, rows=rows, unwanted=self.unwanted.union(parts))

    def from_threshold(self, threshold: float) -> Document:
        """Return the document of the blocks that reach another probability: above 0.5 it is surer, below it is more complete."""
        again = build_document(self.page, self.of_page, self.model, threshold)
        return replace(again, version=self.version, note=self.note, page_type=self.page_type, unwanted=self.unwanted)

    def to_json(self, *also: Also) -> str:
        """Return the document as one JSON object; its keys are those of `sightread.document.formats.json.Record`, besides `also` those
        asked for.
        """
        return as_json(self, also)

    def _headline(self) -> int:
        """Return the row of an early block that reads like one of the page's titles, -1 if there is a heading of level 1 or no such."""
        if any(block.heading == 1 for block in self.blocks):
            return -1
        early = islice(zip(self.rows, self.blocks, strict=True), HEADLINE_BLOCKS)
        return next((row for row, block in early if is_title(block.text, self.page.titles)), -1)


def build_document(page: Page, probabilities: NDArray[np.float64], model: str = "", threshold: float = THRESHOLD) -> Document:
    """Return the document of the blocks whose probability is at least `threshold`; shape of `probabilities`: (len(page.blocks),).

    `choose_blocks` says what is left out whatever its probability. A page without blocks, or of which none is kept, gives an empty
    document that says why. Raises ValueError for probabilities of another shape, or that are not between 0 and 1.
    """
    if probabilities.shape != (len(page.blocks),):
        raise ValueError(f"probabilities: shape {probabilities.shape}, where the page has {len(page.blocks)} blocks")
    if not np.all((probabilities >= 0) & (probabilities <= 1)):
        raise ValueError("probabilities: not all of them are numbers from 0 to 1")
    kept = reading_order(page, choose_blocks(page, probabilities, threshold))
    reason = ""
    if not page.blocks:
        reason = "the page shows no text"
    elif not kept:
        reason = f"no block reaches a probability of {threshold} (the highest is {probabilities.max():.2f})"
    weights = np.array([len(block.text) for block in page.blocks], dtype=np.float64)
    confidence = expected_f1(probabilities, weights, threshold)
    is_marked_up = any(block.element for block in page.blocks)  # what JSON-LD tells stands in the body itself
    note = (UNSCRIPTED if is_marked_up else RECOVERED) if page.recovered else ""
    return Document(page, kept, probabilities, model, confidence, reason, note=note, threshold=threshold)


def expected_f1(probabilities: NDArray[np.float64], weights: NDArray[np.float64], threshold: float = THRESHOLD) -> float:
    """Return the F1, by weight, that calibrated probabilities promise for keeping what reaches the threshold; 0 where nothing does.

    With expectations in place of counts: 2 * kept probability / (kept weight + all probability). It is low where the model kept what
    it doubts and where it dropped what might be content.
    """
    kept = probabilities >= threshold
    whole = float(weights[kept].sum() + (weights * probabilities).sum())
    return 2 * float((weights * probabilities)[kept].sum()) / whole if whole and kept.any() else 0.0
