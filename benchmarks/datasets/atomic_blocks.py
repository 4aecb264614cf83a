"""Atomic text blocks of HTML (Kohlschütter, Fankhauser and Nejdl, WSDM 2010, section 3): every tag but `<a>` separates two blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from sightread.classify.heuristics.boilerpipe.shallow_features import ENCLOSING, TextBlock, number_of_words
from sightread.render.errors import Unusable
from sightread.render.static.block_text import fold
from sightread.render.static.nesting_guard import flatten
from sightread.render.static.tags import SKIP, TREATMENT

UNREAD = frozenset(tag for tag, treatment in TREATMENT.items() if treatment == SKIP) | {"noscript"}
"""Elements whose text no reader sees."""


def read_blocks(html: str) -> list[TextBlock]:
    """Return the atomic blocks of a document in its order; linear in its size. Raises `Unusable` for what cannot be parsed."""
    try:
        tree = LexborHTMLParser(flatten(html))
    except SelectolaxError as error:
        raise Unusable(f"this HTML cannot be parsed: {error}") from error
    return list(_walk(tree.body)) if tree.body is not None else []


@dataclass(slots=True)
class _Open:
    """The block that is being read."""

    parts: list[str] = field(default_factory=list)
    linked: float = 0.0
    enclosing: frozenset[str] = frozenset()

    def close(self) -> Iterator[TextBlock]:
        text = fold("".join(self.parts))
        if text:
            yield TextBlock(text, self.linked, self.enclosing)
        self.parts.clear()
        self.linked = 0.0


def _walk(body: LexborNode) -> Iterator[TextBlock]:
    """Yield the blocks, in one pass without recursion."""
    block = _Open()
    path: list[tuple[LexborNode, frozenset[str]]] = [(body, frozenset())]
    links = 0
    node = body.first_child
    while path:
        if node is None:
            left, _ = path.pop()
            if left.tag == "a":
                links -= 1
            else:
                yield from block.close()
            node = left.next
            continue
        tag = node.tag or ""
        if tag == "-text":
            data = node.text_content or ""
            if not block.parts:
                block.enclosing = path[-1][1]
            block.parts.append(data)
            block.linked += number_of_words(data) if links else 0.0
        elif tag != "-comment":
            if tag != "a":
                yield from block.close()
            if tag not in UNREAD and node.first_child is not None:
                around = path[-1][1]
                path.append((node, around | {ENCLOSING[tag]} if tag in ENCLOSING else around))
                links += tag == "a"
                node = node.first_child
                continue
        node = node.next
