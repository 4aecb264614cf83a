"""`Document`: the main content of a page, built from blocks and probabilities, in several formats and with metadata."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from sightread.classify.forecast import Forecast
from sightread.classify.model import Prediction
from sightread.document.chunks import Chunk, Count, estimate_tokens, to_chunks
from sightread.document.formats import CHUNK_TOKENS, Also, Marks
from sightread.document.formats.html import to_html
from sightread.document.formats.json import SCHEMA, build_record
from sightread.document.formats.markdown import to_markdown
from sightread.document.formats.text import to_text
from sightread.document.leftovers import without_leftovers
from sightread.document.metadata.attributes import Attribute, find_attributes
from sightread.document.metadata.metadata import DeclaredType, Metadata, likely_type, read_metadata
from sightread.document.metadata.posts import Post, find_posts
from sightread.document.notes import Note, joined
from sightread.document.selection import (
    EVERY_PART,
    LEVEL_REASONS,
    NEEDLESS,
    HiddenText,
    LeftOut,
    Policy,
    Reason,
    Selection,
    select,
)
from sightread.document.spans import Span, find_spans, mark_spans, note_spans, spans_within
from sightread.document.tree.builder import Structure
from sightread.document.tree.nodes import Part
from sightread.render.argument_checks import check_range, check_type
from sightread.render.errors import Rejected, quoted
from sightread.render.labels import Visible
from sightread.render.page import Block, Link, Page, RecoverySource, uncollected
from sightread.render.text.words import count_words

__all__ = ["SCHEMA", "Document", "Policy", "build_document"]

RECOVERED: dict[RecoverySource, str] = {
    "json-ld": "the page shows no text: this is the text of its JSON-LD",
    "data": "the page shows no text: this is the text in the data of its scripts",
    "noscript": "the page shows no text: this is its <noscript> text",
}
CONVERTED: dict[RecoverySource, str] = {
    "text": "plain text, of which everything is kept",
    "markdown": "a Markdown document, of which everything is kept",
    "json": "a JSON document, of which everything is kept",
    "feed": "a feed, of which all entries are kept",
    "pdf": "a PDF: structure is guessed from the size and place of its lines",
}


FEWEST_WORDS = 8
"""Of a hidden text that is worth a note: fewer are labels for screen readers."""


@dataclass(frozen=True, eq=False, repr=False)
class Document:
    """The content of one page: the kept blocks in reading order, with structure and metadata.

    Text, Markdown, HTML and metadata are computed on first access; until then a document holds only its page (so the class has no slots).
    Reading order is document order, unless boxes clearly contradict it (see `sightread.document.reading_order`).
    """

    page: Page = field(repr=False)
    prediction: Prediction = field(repr=False)
    selection: Selection = field(repr=False)
    """The decisions made from it, with the reason for each block."""
    model: str
    """The name of the model; empty if unknown."""
    reason: str = ""
    """Why the document is empty, in one clause; empty if it is not."""
    version: str = ""
    """The version of the site's model that chose the blocks; empty for any other model."""
    notes: tuple[Note, ...] = ()
    """How the document was read, and what to do; empty if all is as expected."""
    policy: Policy = EVERY_PART

    def __repr__(self) -> str:
        title = self.metadata.title
        parts = {"url": self.url, "title": title, "blocks": len(self.rows), "model": self.model, "expected_f1": round(self.expected_f1, 2)}
        return f"Document({', '.join(f'{name}={value!r}' for name, value in parts.items() if value not in ('', None))})"

    @property
    def url(self) -> str:
        """The URL that the page was read from, after redirects; empty if unknown."""
        return self.page.final_url or self.page.url

    @property
    def unwanted(self) -> frozenset[Part]:
        """The parts that the caller excluded."""
        return self.policy.unwanted

    @property
    def page_type(self) -> DeclaredType:
        """The page type that the model predicts; if empty, metadata use the type that the page declares."""
        return likely_type(self.prediction.page_types) if self.rows else ""

    @property
    def note(self) -> str:
        """The messages of the notes in one line; empty if there are none."""
        return joined(self.notes)

    @property
    def rows(self) -> tuple[int, ...]:
        """Rows in `page.blocks` of the kept blocks, in reading order."""
        return self.selection.rows

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks that were kept, in reading order."""
        return tuple(self.page.blocks[row] for row in self.rows)

    @property
    def expected_f1(self) -> float:
        """The expected F1 of the selection by characters, by the model's probabilities; 0 to 1, and 0 for an empty document."""
        return self.selection.expected_f1

    @property
    def forecast(self) -> Forecast | None:
        """The interval that holds the word F1 of nine in ten documents like it; None if it is empty, if its model was not calibrated, or if
        its blocks are not those that the model chose, as with options of a `Policy`.
        """
        calibration = self.prediction.calibration
        of_caller = replace(self.policy, keep=EVERY_PART.keep, drop=EVERY_PART.drop, keep_repeated_prose=False)  # the rest is of the site
        if calibration is None or not self.rows or of_caller != EVERY_PART:
            return None
        return calibration.forecast(self.expected_f1, self.prediction.page_types)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of each kept block; shape (len(blocks),)."""
        return self.prediction.probabilities[list(self.rows)]

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """The reason of each kept block, in reading order."""
        return tuple(self.selection.reasons[row] for row in self.rows)

    @cached_property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The page's other blocks, in document order, each with the reason why it is not in the document."""
        kept = frozenset(self.rows)
        each = zip(self.page.blocks, self.prediction.probabilities.tolist(), self.selection.reasons, strict=True)
        return tuple(
            LeftOut(row, block.text, round(probability, 4), reason)
            for row, (block, probability, reason) in enumerate(each)
            if row not in kept
        )

    @cached_property
    def hidden(self) -> tuple[HiddenText, ...]:
        """The texts of the page that no person sees or can open, in document order. They are in the document by the policy `visible="all"`,
        and if nothing else would be. There is a note if some are hidden as no design needs it, such as by their colour.
        """
        return _hidden(self.page)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links in the kept blocks, in reading order, each address once; `page.links` are those of the whole page."""
        found: dict[str, Link] = {}
        for block in self.blocks:
            for inline in block.inlines:
                if inline.kind == "link":
                    found.setdefault(inline.target, Link(inline.target, block.text[inline.start : inline.end]))
        return tuple(found.values())

    @cached_property
    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread, comments or reviews on the page, in the document or not."""
        return find_posts(self.page, self.rows)

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and the like, as far as the page declares them."""
        found = read_metadata(self.page)
        return replace(found, page_type=self.page_type) if self.page_type else found

    @property
    def structure(self) -> Structure:
        """The content as a tree of headings, paragraphs, lists, tables, code, quotes and figures."""
        return self.selection.structure

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
        from sightread.document.formats.tei import to_tei  # noqa: PLC0415  (rarely needed)

        return to_tei(self.structure.nodes, self.metadata, self.url)

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """Name-value pairs of the page, such as a product's properties."""
        return find_attributes(self.page, self.rows)

    def without(self, *parts: Part) -> Document:
        """Return the document without its comments with their names and times, tables, images or links (whose text stays).

        Comments are what the page names so, and the posts on it; on the page of a forum posts are its content, and stay. A page of which
        nothing else is kept keeps its comments.
        """
        for part in parts:
            check_type("Document.without(): part", part, Part)
        return self.by_policy(replace(self.policy, unwanted=self.unwanted.union(parts)))

    def from_threshold(self, threshold: float) -> Document:
        """Return the document at another level: above 0.5 precision is higher, below it recall."""
        check_type("Document.from_threshold(): threshold", threshold, float)
        check_range("Document.from_threshold(): threshold", threshold, 0, 1)
        return self.by_policy(replace(self.policy, threshold=threshold))

    def by_visibility(self, visible: Visible) -> Document:
        """Return the document of the text that a person sees or can open ("reachable", as by default), that a person sees without opening
        anything ("visible"), or also of hidden text, as the model chooses ("all").
        """
        check_type("Document.by_visibility(): visible", visible, Visible)
        return self.by_policy(replace(self.policy, visible=visible))

    def by_policy(self, policy: Policy) -> Document:
        """Return the document of the same prediction with other options of the selection."""
        selection = select(self.page, self.prediction, policy, self.selection.leftover)
        others = (note for note in self.notes if note.code not in ("text-hidden", "sight-not-used"))
        notes = (*_sight_notes(self.page, selection, policy), *others)
        return replace(self, selection=selection, policy=policy, reason=_why_empty(selection, self.prediction, policy), notes=notes)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Where its blocks and links are: in its Markdown, in the page's text, in the DOM, on the screen, and a URL that highlights it."""
        return find_spans(self.page, self.structure)

    def cited_markdown(self, marks: Marks = "footnotes") -> str:
        """Return the Markdown with a mark of its span behind each block: `[^s12]`, and footnotes with links to the page that highlight the
        text, or `<!-- s12 -->`, for programs that have the spans.
        """
        check_type("Document.cited_markdown(): marks", marks, Marks)
        text = mark_spans(self.markdown, self.spans, marks)
        return "\n".join((text, "", *note_spans(self.spans))) if marks == "footnotes" and self.spans else text

    def chunks(
        self, tokens: int = CHUNK_TOKENS, overlap: int = 0, count: Count = estimate_tokens, *, citations: bool = False
    ) -> tuple[Chunk, ...]:
        """Return the Markdown in chunks for a retrieval index, in order, each with its offsets and the titles above it.

        A chunk has at most `tokens`, and repeats up to `overlap` of them (at most half) from the chunk before, in whole sentences, if that
        is of the same section. No chunk cuts a code block, a table row, a link or an image: one longer than the limit is a chunk of its
        own. With `citations` each chunk has the spans of its blocks. `count` is your tokenizer's function from text to its number of
        tokens; without it, four characters count as one, and each character of Chinese, Japanese and Korean too. Raises `Rejected` for
        sizes that no chunk can have.
        """
        check_type("Document.chunks(): citations", citations, bool)
        found = to_chunks(self.structure.nodes, self.markdown, self.url, tokens, overlap, count)
        return (
            tuple(replace(chunk, spans=tuple(spans_within(self.spans, chunk.start, chunk.end))) for chunk in found) if citations else found
        )

    def to_json(self, *also: Also) -> str:
        """Return the document as one JSON object with the keys of `sightread.document.formats.json.DocumentRecord`, and the optional
        fields
        in `also`. Raises `Rejected` for another name.
        """
        for name in also:
            check_type("Document.to_json(): field", name, Also)
        return msgspec.json.encode(build_record(self, also)).decode()


@uncollected
def build_document(page: Page, prediction: Prediction | NDArray[np.float64], model: str = "", policy: Policy = EVERY_PART) -> Document:
    """Return the document of the blocks that `select` keeps; an array is read as the probabilities of a prediction.

    A page without blocks, or of which none is kept, gives an empty document with the reason. Raises ValueError as `select` does.
    """
    if not isinstance(prediction, Prediction):
        prediction = Prediction(prediction)
    page, leftover = without_leftovers(page)
    selection = select(page, prediction, policy, leftover)
    reason = _why_empty(selection, prediction, policy)
    notes = _sight_notes(page, selection, policy)
    if page.recovered_from in CONVERTED:
        notes = (Note("converted", CONVERTED[page.recovered_from]),)
    elif page.recovered:
        notes = (Note("text-recovered", RECOVERED[page.recovered_from]),)
    return Document(page, prediction, selection, model, reason, notes=notes, policy=policy)


def _hidden(page: Page) -> tuple[HiddenText, ...]:
    return tuple(HiddenText(row, block.text, block.hidden) for row, block in enumerate(page.blocks) if block.reachable is False)


def _sight_notes(page: Page, selection: Selection, policy: Policy) -> tuple[Note, ...]:
    """Return the notes about text that no person sees, and about a page that no browser rendered."""
    notes: tuple[Note, ...] = ()
    if policy.visible == "visible" and page.source == "static":
        notes = (Note("sight-not-used", "no browser rendered the page: what is visible is known from its markup alone"),)
    found = [each for each in _hidden(page) if each.reason in NEEDLESS and count_words(each.text) >= FEWEST_WORDS]
    if not found:
        return notes
    how = ", ".join(dict.fromkeys(each.reason for each in found))
    if any(each.row in selection.rows for each in found):
        return (*notes, Note("text-hidden", f"the document contains text that no person sees ({how})"))
    return (*notes, Note("text-hidden", f"text that no person sees is left out ({how}): the JSON lists it as hidden"))


def _why_empty(selection: Selection, prediction: Prediction, policy: Policy) -> str:
    """Return why the document is empty, in one clause; empty if it is not."""
    if selection.rows:
        return ""
    if not len(selection.reasons):
        return "the page shows no text"
    least, most = prediction.least(policy.threshold), float(prediction.probabilities.max())
    if most < least:
        return f"no block reaches a probability of {round(least, 4)} (the highest is {most:.2f})"
    reasons = dict.fromkeys(reason for reason in selection.reasons if reason not in LEVEL_REASONS)
    return f"each block that reaches a probability of {round(least, 4)} is left out ({', '.join(reasons)})"


# Documents by the caller's choice: what CSS selectors match, or the whole visible page.


SELECTORS = "selectors"
"""`Document.model` of a document that the caller's selectors chose."""
WHOLE_PAGE = "whole page"
"""`Document.model` of a document with all visible blocks."""
_ROW = "data-row"


def blocks_within(page: Page, selectors: Iterable[str]) -> frozenset[int]:
    """Return the rows of the blocks inside the elements that at least one CSS selector matches.

    Selectors read what a page keeps of an element: tag, id, classes and the attributes of `Element`. They match across shadow roots and
    frames. Raises `Rejected` for an invalid selector.
    """
    tree = LexborHTMLParser("<html><body></body></html>")
    body = tree.body
    assert body is not None
    nodes = [body]
    for row, element in enumerate(page.elements):
        node = tree.create_node(element.tag) if row else body
        for name, value in {**element.attributes, "id": element.id, "class": " ".join(element.classes), _ROW: str(row)}.items():
            if value:
                node.attrs[name] = value
        if row:
            parent = nodes[element.parent]
            parent.insert_child(node)  # a copy of it
            assert parent.last_child is not None
            nodes.append(parent.last_child)
    matched: set[int] = set()
    for selector in selectors:
        matched.update(int(node.attributes[_ROW] or 0) for node in _matches(tree, selector) if _ROW in node.attributes)
    inside = [False] * len(page.elements)
    for row, element in enumerate(page.elements):
        inside[row] = row in matched or (element.parent >= 0 and inside[element.parent])
    return frozenset(row for row, block in enumerate(page.blocks) if inside[block.element])


def check_selectors(selectors: Iterable[str]) -> None:
    """Raise `Rejected` for a CSS selector that is none."""
    empty = LexborHTMLParser("")
    for selector in selectors:
        _matches(empty, selector)


def choose_blocks(document: Document, *, whole: bool = False, keep: Sequence[str] = (), drop: Sequence[str] = ()) -> Document:
    """Return the document of other blocks of its page.

    `keep` are CSS selectors: the blocks inside their elements are the content, in place of those that the model chose; `whole` takes every
    visible block. `drop` are selectors of what is left out in any case, with the reason "unwanted". Without all three the document is
    returned as it is. Raises `Rejected` for an invalid selector.
    """
    page = document.page
    if keep or (whole and not page.recovered):
        inside = blocks_within(page, keep) if keep else {row for row, block in enumerate(page.blocks) if not block.hidden}
        chosen = np.zeros(len(page.blocks))
        chosen[sorted(inside)] = 1.0
        notes = tuple(note for note in document.notes if note.code in ("page-unfinished", "charset-guessed"))
        prediction = Prediction(chosen, page_types=document.prediction.page_types)
        again = build_document(page, prediction, SELECTORS if keep else WHOLE_PAGE, document.policy)
        reason = f"no text is inside an element that {' or '.join(keep)} matches" if keep and not inside else again.reason
        document = replace(again, reason=reason, notes=notes)
    if drop:
        excluded = document.policy.excluded | blocks_within(page, drop)
        document = document.by_policy(replace(document.policy, excluded=excluded))
    return document


def _matches(tree: LexborHTMLParser, selector: str) -> list[LexborNode]:
    try:
        return tree.css(selector)
    except SelectolaxError as error:
        raise Rejected(f"{quoted(selector, 200)} is no CSS selector: correct it") from error
