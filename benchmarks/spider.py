"""The original authors' rendered pages (Zhou and Mashuq 2013), read as our own `Page` records.

Their record of a page: url, titles, descriptions, body {bound, computed, scroll}, links, images, texts; of a text block: bound, computed
(every value a string, only those that differ from the body's), element, html, path, selector, text (a list of strings).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from benchmarks.datasets import read_lines
from render.page import Block, Box, Element, Link, Page, Size

SITES = ("npr", "prothomalo", "qq", "sina", "techcrunch", "theverge", "usatoday")
HEADINGS = {f"h{level}": level for level in range(1, 7)}


class SpiderPage(NamedTuple):
    """One page of theirs; the gold text is there for the chaos set only."""

    id: str
    page: Page
    gold_text: str


def read_site(data: Path, name: str) -> Iterator[SpiderPage]:
    """Yield the pages of one of their sites, or of `chaos`, in the file's order, duplicates included."""
    for record in read_lines(data / "spider" / f"{name}.jsonl.gz"):
        yield SpiderPage(str(record["id"]), convert(record["page"]), record.get("gold_text") or "")


def convert(record: dict[str, Any]) -> Page:
    """Return their page as ours. Elements are told apart by their selectors and by document order, which is all their files hold."""
    elements, leaves = _elements([text["selector"] for text in record["texts"]])
    styles: dict[tuple[tuple[str, str], ...], int] = {}
    blocks = []
    for text, leaf in zip(record["texts"], leaves, strict=True):
        shown = " ".join(text["text"])
        if not shown.strip():
            continue
        style = tuple(sorted(text["computed"].items()))
        blocks.append(
            Block(
                text=shown,
                element=leaf,
                style=styles.setdefault(style, len(styles)),
                box=_box(text["bound"]),
                link_chars=_link_chars(text, len(shown)),
                heading=HEADINGS.get(text["element"]["name"], 0),
            )
        )
    bound = record["body"]["bound"]
    return Page(
        url=record["url"],
        final_url=record["url"],
        source="imported",
        elements=elements,
        blocks=tuple(blocks),
        styles=tuple(dict(style) for style in styles),
        body_style=record["body"]["computed"],
        titles=tuple(dict.fromkeys(title for title in record["titles"] if title)),
        descriptions=tuple(dict.fromkeys(text for text in record["descriptions"] if text)),
        links=tuple(Link(url, "") for url in dict.fromkeys(record["links"])),
        viewport=Size(1600, 1200),
        document=Size(bound["width"], bound["height"]),
    )


def _elements(selectors: list[list[dict[str, Any]]]) -> tuple[tuple[Element, ...], list[int]]:
    """Rebuild a tree: a block shares with the block before it the ancestors that their selectors share; its own element is its own."""
    elements = [Element("body", -1)]
    leaves = []
    open_path: list[tuple[tuple[str, str, tuple[str, ...]], int]] = []
    for selector in selectors:
        names = [(step["name"], step["id"] or "", tuple(step["classes"])) for step in selector]
        shared = 0
        while shared < min(len(open_path), len(names) - 1) and open_path[shared][0] == names[shared]:
            shared += 1
        del open_path[shared:]
        for tag, identity, classes in names[shared:]:
            parent = open_path[-1][1] if open_path else 0
            elements.append(Element(tag, parent, identity, classes))
            open_path.append(((tag, identity, classes), len(elements) - 1))
        leaves.append(open_path[-1][1] if open_path else 0)
    return tuple(elements), leaves


def _box(bound: dict[str, float]) -> Box:
    return Box(bound["left"], bound["top"], max(bound["width"], 0), max(bound["height"], 0))


def _link_chars(text: dict[str, Any], total: int) -> int:
    if "a" in text["path"]:
        return total
    if "<a" not in text["html"]:
        return 0
    linked = {anchor.text(strip=True) for anchor in LexborHTMLParser(text["html"]).css("a")}
    return min(total, sum(len(piece) for piece in text["text"] if piece.strip() in linked))
