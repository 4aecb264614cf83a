"""Fallback text of a page that shows none: the text bodies of its JSON-LD, or its `<noscript>` elements."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from render.analysis.jsonld import ARTICLES, MAX_NODES, Node, is_type, linked_nodes, many
from render.errors import Unusable
from render.page import Block, Page
from render.static.parse import read_html

_ABOUT = re.compile(rf"(?:{ARTICLES.pattern})|Question")
_TEXT_KEYS = ("articleBody", "text", "reviewBody", "description")
"""Of what the page is about, the first that is there."""
_ANSWERS = ("acceptedAnswer", "suggestedAnswer", "comment")
"""Keys below a question or a post, one level deep."""
_BREAK = re.compile(r"\n|</p>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_NAMES_SCRIPTS = re.compile(r"java-?script", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FallbackLimits:
    """Limits on fallback text."""

    paragraphs: int = 2000
    least_unscripted: int = 500
    """Characters outside links of a page's `<noscript>` elements that are content (docs/experiments/rendering.md, "Noscript")."""
    longest_script_request: int = 300
    """Characters; a longer block that names JavaScript is about it."""


LIMITS = FallbackLimits()


def recover_text(page: Page) -> Page:
    """Return the page with the texts of its JSON-LD as blocks of its body, not laid out, and marked; unchanged if there are none."""
    nodes = [node for _, node in zip(range(MAX_NODES), linked_nodes(page.json_ld), strict=False) if is_type(node, _ABOUT)]
    paragraphs = list(dict.fromkeys(text for node in nodes for text in _paragraphs(node)))[: LIMITS.paragraphs]
    if not paragraphs:
        return page
    return replace(page, blocks=tuple(Block(text, 0, hidden="display") for text in paragraphs), recovered=True)


def recover_unscripted(page: Page, markup: str) -> Page:
    """Return the page with the text of its `<noscript>` elements, not laid out, and marked; unchanged if that is no content.

    `markup` is what its `<noscript>` elements hold, one after the other.
    """
    try:
        read = read_html(f"<body><div>{markup}", page.final_url or page.url)
    except Unusable:
        return page
    blocks = tuple(
        replace(block, hidden="display")
        for block in read.blocks
        if len(block.text) > LIMITS.longest_script_request or not _NAMES_SCRIPTS.search(block.text)
    )
    if sum(len(block.text) - block.link_chars for block in blocks) < LIMITS.least_unscripted:
        return page
    return replace(page, blocks=blocks, elements=read.elements, images=read.images, overlays=(), recovered=True)


def _paragraphs(node: Node) -> Iterator[str]:
    yield from text_paragraphs(node)
    for name in _ANSWERS:
        for answer in many(node.get(name)):
            if isinstance(answer, dict):
                yield from text_paragraphs(answer)


def text_paragraphs(node: Node) -> Iterator[str]:
    """Yield the paragraphs of an object's text, without markup."""
    text_value: Any = next((node[name] for name in _TEXT_KEYS if isinstance(node.get(name), str) and node[name].strip()), "")
    for part in _BREAK.split(text_value):
        text = " ".join(html.unescape(_TAG.sub(" ", part)).split())
        if text:
            yield text
