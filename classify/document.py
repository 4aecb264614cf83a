"""From blocks and their probabilities to a `Document`: the page's content as text, Markdown, HTML and JSON, with its metadata."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from classify.images import content_images
from classify.markdown import to_markdown
from classify.markup import to_html
from classify.metadata import Metadata, is_title, read_metadata
from classify.plain import to_text
from classify.structure import Structure, build_structure
from render.page import Block, Page

SCHEMA = 1
"""Version of the JSON that `Document.to_json` writes."""

THRESHOLD = 0.5
"""A block is content if its probability is at least this."""

HEADLINE_BLOCKS = 3
"""Only so early can a block that reads like the page's title be its headline."""


@dataclass(frozen=True, eq=False)
class Document:
    """The content of one page: the blocks that a model kept, in reading order, and what they read like.

    Text, Markdown, HTML and metadata are computed when first asked for; until then a document holds only its page (so the class has no
    slots). Reading order is document order: where a layout shows blocks in another order, such as CSS `order`, it is not followed yet.
    """

    page: Page = field(repr=False)
    rows: tuple[int, ...] = field(repr=False)
    """Rows in `page.blocks` of the blocks that were kept."""
    probabilities: NDArray[np.float64] = field(repr=False)
    """What the model gave each kept block, 0.5 to 1; shape (len(blocks),)."""
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

    @property
    def url(self) -> str:
        """The URL that the page was read from, after redirects; empty where none is known."""
        return self.page.final_url or self.page.url

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks that were kept, in reading order."""
        return tuple(self.page.blocks[row] for row in self.rows)

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and the like, as far as the page tells them."""
        return read_metadata(self.page)

    @cached_property
    def structure(self) -> Structure:
        """The content as a tree of headings, paragraphs, lists, tables, code, quotes and figures."""
        return build_structure(self.page, self.rows, content_images(self.page, self.rows), self._headline())

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

    def to_json(self) -> str:
        """Return the document as one JSON object.

        Its keys: `schema` (1), `url`, `model`, `version`, `confidence`, `reason`, `note`, `metadata` (the fields of `Metadata`), `text`,
        `markdown`, and `blocks`: a list of objects with `kind` (heading, paragraph, item, cell, code, quote, caption or definition),
        `text`, `probability`, `tag_path`, and `box` (x, y, width, height in CSS px; null where no browser measured it).
        """
        kinds, paths = self.structure.kinds, self.page.tag_paths()
        blocks = [
            {
                "kind": kinds.get(row, "paragraph"),
                "text": block.text,
                "probability": round(float(probability), 4),
                "tag_path": paths[block.element],
                "box": block.box,
            }
            for row, block, probability in zip(self.rows, self.blocks, self.probabilities, strict=True)
        ]
        record = {
            "schema": SCHEMA,
            "url": self.url,
            "model": self.model,
            "version": self.version,
            "confidence": round(self.confidence, 4),
            "reason": self.reason,
            "note": self.note,
            "metadata": self.metadata,
            "text": self.text,
            "markdown": self.markdown,
            "blocks": blocks,
        }
        return msgspec.json.encode(record).decode()

    def _headline(self) -> int:
        """Return the row of an early block that reads like one of the page's titles, -1 if there is a heading of level 1 or no such."""
        if any(block.heading == 1 for block in self.blocks):
            return -1
        early = islice(zip(self.rows, self.blocks, strict=True), HEADLINE_BLOCKS)
        return next((row for row, block in early if is_title(block.text, self.page.titles)), -1)


def build_document(page: Page, probabilities: NDArray[np.float64], model: str = "") -> Document:
    """Return the document of the blocks whose probability is at least 0.5; shape of `probabilities`: (len(page.blocks),).

    Text that a browser did not lay out is left out, whatever its probability, and so is that of overlays, unless it is all there is.
    Where no browser was asked, the model decides: without CSS much of it may be content. A page without blocks, or of which none is kept,
    gives an empty document that says why. Raises ValueError for probabilities of another shape, or that are not between 0 and 1.
    """
    if probabilities.shape != (len(page.blocks),):
        raise ValueError(f"probabilities: shape {probabilities.shape}, where the page has {len(page.blocks)} blocks")
    if not np.all((probabilities >= 0) & (probabilities <= 1)):
        raise ValueError("probabilities: not all of them are numbers from 0 to 1")
    unseen = np.array([page.source != "static" and block.hidden == "display" for block in page.blocks], np.bool_)
    chosen = (probabilities >= THRESHOLD) & ~unseen
    beneath = np.array([not page.overlays or page.overlay_of(row) is None for row in range(len(page.blocks))], np.bool_)
    kept = np.flatnonzero(chosen & beneath if (chosen & beneath).any() else chosen)
    reason = ""
    if not page.blocks:
        reason = "the page shows no text"
    elif not kept.size:
        reason = f"no block reaches a probability of {THRESHOLD} (the highest is {probabilities.max():.2f})"
    weights = np.array([len(block.text) for block in page.blocks], dtype=np.float64)
    return Document(page, tuple(kept.tolist()), probabilities[kept], model, expected_f1(probabilities, weights), reason)


def expected_f1(probabilities: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return the F1, by weight, that calibrated probabilities promise for keeping what reaches 0.5; 0 where nothing does.

    With expectations in place of counts: 2 * kept probability / (kept weight + all probability). It is low where the model kept what
    it doubts and where it dropped what might be content.
    """
    kept = probabilities >= THRESHOLD
    whole = float(weights[kept].sum() + (weights * probabilities).sum())
    return 2 * float((weights * probabilities)[kept].sum()) / whole if whole and kept.any() else 0.0
