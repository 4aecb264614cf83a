"""Documents by the caller's choice: what CSS selectors match, or the whole visible page, in place of a model's main content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from sightread.classify.model import Prediction
from sightread.document.document import Document, build_document
from sightread.render.errors import Rejected, quoted
from sightread.render.page import Page

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
        kept = {name: value for name, value in element.attributes.items() if name not in ("id", "class")}
        for name, value in {**kept, "id": element.id, "class": " ".join(element.classes), _ROW: str(row)}.items():
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
