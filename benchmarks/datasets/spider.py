"""The original authors' rendered pages (Zhou and Mashuq 2013), read as our own `Page` records.

Their record of a page: url, titles, descriptions, body {bound, computed, scroll}, links, images, texts; of a text block: bound, computed
(every value a string, only those that differ from the body's), element, html, path, selector, text (a list of strings).

Reference labels of the seven sites are by each site's own containers: rules written and checked by eye.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from benchmarks.datasets.folder import read_lines
from sightread.render.page import Block, Box, Element, Image, Link, Page, Size

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
    """Return their page as ours. Elements are identified by their selectors and by document order, which is all their files hold."""
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
    names = _names(elements)
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
        images=tuple(_image(image, names, blocks) for image in record.get("images", ())),
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


def _names(elements: Sequence[Element]) -> dict[tuple[str, ...], list[int]]:
    """Return the rows of the elements that share a selector path, by that path."""
    rows: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    paths: list[tuple[str, ...]] = []
    for row, element in enumerate(elements):
        paths.append((*paths[element.parent], _name(element.tag, element.id, element.classes)) if row else ())
        rows[paths[-1]].append(row)
    return dict(rows)


def _name(tag: str, identity: str, classes: Sequence[str]) -> str:
    return ".".join((f"{tag}#{identity}", *classes))


def _image(image: dict[str, Any], names: Mapping[tuple[str, ...], list[int]], blocks: Sequence[Block]) -> Image:
    """Return an image in the deepest element that holds blocks and has a selector of its own; of several, where the text is nearest.

    Their files do not contain the positions of images: each is placed after all blocks.
    """
    path = tuple(_name(step["name"], step["id"] or "", step["classes"]) for step in image["selector"])
    rows = next(rows for depth in range(len(path), -1, -1) if (rows := names.get(path[:depth])))
    box = _box(image["bound"])
    element = rows[0]
    if len(rows) > 1:
        tops = {block.element: block.box.y for block in reversed(blocks) if block.box}
        element = min(rows, key=lambda row: abs(tops.get(row, tops.get(row + 1, np.inf)) - box.y))
    return Image(image["src"] or "", "", element, len(blocks), box)


def _box(bound: dict[str, float]) -> Box:
    return Box(bound["left"], bound["top"], max(bound["width"], 0), max(bound["height"], 0))


def _link_chars(text: dict[str, Any], total: int) -> int:
    if "a" in text["path"]:
        return total
    if "<a" not in text["html"]:
        return 0
    linked = {anchor.text(strip=True) for anchor in LexborHTMLParser(text["html"]).css("a")}
    return min(total, sum(len(piece) for piece in text["text"] if piece.strip() in linked))


LIVE = 0.5
"""Least part of its gold text that a page of chaos must hold: the others are error pages, or the wrong ones."""


class Rules(NamedTuple):
    """Patterns over selector paths; `furniture` wins."""

    article: str
    boilerplate: str = r"$^"


REFERENCES = {
    "npr": Rules(r"div#storytext|div\.storytitle/h1|div\.correction/", r"con1col|internallink|enlargebtn"),
    "prothomalo": Rules(r"jw_detail_content_holder|h1\.mb10\.title"),
    "qq": Rules(r"div#Cnt-Main-Article-QQ|div#C-Main-Article-QQ/div\.hd/h1", r"#rel(Video|Info)|#listvideo|list_box|tjvideo|relativeVideo"),
    "sina": Rules(r"div#artibody|h1#artibodyTitle", r"#artibody[^/]*/div$|div\.show_author|artical-player"),
    "techcrunch": Rules(r"article-entry\.text|article-header\.page-title/h1", r"video-container|social-list"),
    "theverge": Rules(
        r"article-body|entry-content|div\.snippet|entry-summary|header/h1#stream_title|h2\.subheadline",
        r"sourcelist|gallery|chorus-video|entry-unrelated|\.IN-(widget|top)|#li_ui_",
    ),
    "usatoday": Rules(r"div\.article-body|article\.asset[^/]*/h1|h2\.lead-in|p\.video-desc", r"galleries|gallery-viewport|slide-nav"),
}


def reference_labels(site: str, page: Page) -> NDArray[np.int8]:
    """Return 1 for each block that the site's rules call content, else 0."""
    rules, paths = REFERENCES[site], page.selector_paths()
    found = [
        re.search(rules.article, paths[block.element]) and not re.search(rules.boilerplate, paths[block.element]) for block in page.blocks
    ]
    return np.array([bool(each) for each in found], np.int8)
