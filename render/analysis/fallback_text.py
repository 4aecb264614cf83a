"""Fallback text of a page that shows none: the text bodies of its JSON-LD, of its scripts' data, or its `<noscript>` elements."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sightread.render.analysis.block_pages import find_wall, is_shown, script_notices, unlinked_words
from sightread.render.analysis.jsonld import ARTICLES, MAX_NODES, Node, is_type, linked_nodes, many
from sightread.render.analysis.script_data import find_body
from sightread.render.errors import Unusable
from sightread.render.page import Block, Page, RecoverySource
from sightread.render.static.parse import read_html

_ABOUT = re.compile(rf"(?:{ARTICLES.pattern})|Question")
_TEXT_KEYS = ("articleBody", "text", "reviewBody", "description")
"""Of what the page is about, the first that is there."""
_ANSWERS = ("acceptedAnswer", "suggestedAnswer", "comment")
"""Keys below a question or a post, one level deep."""
_BREAK = re.compile(r"\n|</p>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FallbackLimits:
    """Limits on fallback text."""

    paragraphs: int = 2000
    longest_shown: float = 40.0
    """Words outside links that a page shows besides notices, at most, to be filled from elsewhere."""
    least_replacement: int = 200
    """Characters of the text that replaces shown words."""
    times_text: float = 5.0
    """How many times as long as these it is."""
    times_links: float = 2.0
    """The same for the links, which may be the content of a list, or a menu."""
    least_unscripted: int = 500
    """Characters outside links of a page's `<noscript>` elements that are content (docs/experiments/rendering.md, "Noscript")."""


LIMITS = FallbackLimits()


def recover(page: Page, scripts: Iterable[str], unscripted: str = "") -> Page:
    """Return a page that shows no text, or almost none, with the text of its JSON-LD, its scripts' data or its `<noscript>` elements, not
    laid out, and marked with the source: the longest. Otherwise it is unchanged.

    `scripts` are the texts of its scripts, `unscripted` its `<noscript>` elements as markup, which count if the page shows no text at all.
    Text beside a few shown words must be several times as long as these.
    """
    if not shows_little(page) or ((wall := find_wall(page)) and wall.kind != "scripts"):
        return page
    shown = _shown(page)
    text = sum(len(block.text) - block.link_chars for block in shown)
    linked = sum(block.link_chars for block in shown)
    best = max(_from_json_ld(page), _from_data(page, scripts), page if shown else _from_noscript(page, unscripted), key=_characters)
    least = max(LIMITS.least_replacement, LIMITS.times_text * text + LIMITS.times_links * linked) if shown else 1
    return best if _characters(best) >= least else page


def shows_little(page: Page) -> bool:
    """Return whether a page shows so little text besides notices that its content may be elsewhere in it."""
    return sum(map(unlinked_words, _shown(page))) <= LIMITS.longest_shown


def _shown(page: Page) -> list[Block]:
    notices = script_notices(page)
    return [block for row, block in enumerate(page.blocks) if row not in notices and is_shown(page, block)]


def _characters(page: Page) -> int:
    return sum(len(block.text) for block in page.blocks) if page.recovered else 0


def _from_json_ld(page: Page) -> Page:
    nodes = [node for _, node in zip(range(MAX_NODES), linked_nodes(page.json_ld), strict=False) if is_type(node, _ABOUT)]
    paragraphs = list(dict.fromkeys(text for node in nodes for text in _paragraphs(node)))[: LIMITS.paragraphs]
    blocks = tuple(Block(text, 0, hidden="display") for text in paragraphs)
    return replace(page, blocks=blocks, images=(), overlays=(), recovered_from="json-ld" if blocks else "")


def _from_data(page: Page, scripts: Iterable[str]) -> Page:
    markup = find_body(scripts, page.titles)
    return _with_markup(page, markup, "data") if markup else page


def _from_noscript(page: Page, markup: str) -> Page:
    found = _with_markup(page, markup, "noscript") if markup else page
    is_content = sum(len(block.text) - block.link_chars for block in found.blocks) >= LIMITS.least_unscripted
    return found if is_content else page


def _with_markup(page: Page, markup: str, source: RecoverySource) -> Page:
    """Return the page with the text of markup, without notices that scripts are required; unchanged if it has none."""
    try:
        read = read_html(markup, page.final_url or page.url)
    except Unusable:
        return page
    notices = script_notices(read)
    blocks = tuple(replace(block, hidden="display") for row, block in enumerate(read.blocks) if row not in notices)
    recovered = replace(page, blocks=blocks, elements=read.elements, images=read.images, overlays=(), recovered_from=source)
    return recovered if blocks else page


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
