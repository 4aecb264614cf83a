"""Structure of gold content in the Markdown: lists, tables, code, links and images, read back by a CommonMark parser.

Gold are the elements of the page's HTML that hold a block which the gold text holds too (`benchmarks.alignment.gold_labels`) and that was
kept: the choice is not measured again. A list item is identified by its words and its depth, a table's row by the words of its cells,
code by its text and its language, a link by its words and address, a photo between two gold blocks by its address; the Markdown is parsed
with markdown-it, with GitHub's tables. Recall is over what the gold has; precision over what the Markdown has of the kind in
the words of the gold. Both are means over pages, with bootstrap intervals over pages.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from benchmarks.alignment.gold_labels import gold_labels
from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder, read_lines
from benchmarks.metrics.means import bootstrap
from benchmarks.report import grid
from sightread.document.document import Document
from sightread.document.tree.code_languages import code_language
from sightread.document.tree.images.image_sizes import picture_of
from sightread.reading import read_static
from sightread.render.errors import SightreadError
from sightread.render.page import Page
from sightread.render.text.words import plain_words

KINDS = ("list items", "nested items", "table rows", "code", "code with its language", "links", "images")

_PHOTO = re.compile(r"\.(?:jpe?g|png|webp|avif)(?![a-z])", re.IGNORECASE)
_PARSER = MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table", "strikethrough"])

Found = dict[str, Counter[tuple[str, ...]]]


class Hits(NamedTuple):
    """Of one page and kind: how many the gold has, how many the Markdown has, and how many of the gold's are in the Markdown."""

    gold: int
    found_in_document: int
    same: int


def run(data: Path | None, pages: int, model: str) -> int:
    """Print recall and precision of each kind; return the exit code."""
    hits: dict[str, list[Hits]] = {kind: [] for kind in KINDS}
    read = 0
    for record in read_lines(data_folder(data) / "wcxb-dev" / "pages.jsonl.gz"):
        if read == pages:
            break
        read += 1
        try:
            document = read_static(record["html"], record["url"] or "", model).document
        except SightreadError as error:
            print(f"{record['id']}: {error}")
            continue
        for kind, found in compare(document, record["text"]).items():
            hits[kind].append(found)
    print(f"{read} pages of wcxb-dev, read by {model}; means over the pages that have the kind, with 95 % bootstrap intervals\n")
    rows = []
    for kind in KINDS:
        gold = [each.gold for each in hits[kind] if each.gold]
        recall = bootstrap([each.same / each.gold for each in hits[kind] if each.gold])
        precision = bootstrap([min(each.same / each.found_in_document, 1.0) for each in hits[kind] if each.found_in_document])
        rows.append([kind, str(len(gold)), str(sum(gold)), str(recall), str(precision)])
    print(grid(("kind", "pages", "gold", "recall", "precision"), rows))
    return 0


def compare(document: Document, gold: str) -> dict[str, Hits]:
    """Return the part of the gold's structure that is in the document's Markdown."""
    labels = gold_labels(document.page, gold)
    expected = of_page(document.page, document.rows, frozenset(np.flatnonzero(labels == 1).tolist()))
    found_in_document = of_markdown(document.markdown)
    hits = {}
    for kind in KINDS:
        words = {key[0] for key in expected[kind]}
        found = Counter({key: count for key, count in found_in_document[kind].items() if key[0] in words})
        hits[kind] = Hits(expected[kind].total(), found.total(), (expected[kind] & found).total())
    return hits


def of_page(page: Page, rows: Iterable[int], gold: frozenset[int]) -> Found:
    """Return what kept blocks are in the HTML, where a gold one is among them."""
    expected: Found = {kind: Counter() for kind in KINDS}
    held: dict[tuple[str, int], list[int]] = {}
    kept = list(rows)
    for row in kept:
        above = [(at, page.elements[at].tag) for at in page.ancestors(page.blocks[row].element)]
        for tag in ("li", "tr", "pre"):
            at = next((at for at, name in above if name == tag), -1)
            if at >= 0:
                held.setdefault((tag, at), []).append(row)
        for key in _links(page, row):
            _note("links", key, row in gold, expected)
    for (tag, at), blocks in held.items():
        is_gold = not gold.isdisjoint(blocks)
        words = _words(" ".join(page.blocks[row].text for row in blocks))
        if tag == "li":
            depth = sum(("li", above) in held for above in page.ancestors(at))  # an item of which only the inner ones are kept is none
            _note("list items", (words,), is_gold, expected)
            if depth > 1:
                _note("nested items", (words, str(depth)), is_gold, expected)
        elif tag == "pre":
            _note("code", (words,), is_gold, expected)
            first = page.blocks[blocks[0]]
            if language := code_language([page.elements[above].classes for above in page.ancestors(first.element)[:4]], first.text):
                _note("code with its language", (words, language), is_gold, expected)
        elif len(cells := _cells(page, blocks)) > 1:
            _note("table rows", (words, "|".join(cells)), is_gold, expected)
    among = gold.intersection(kept)
    for image in page.images:
        if image.source and _PHOTO.search(image.source) and {image.before - 1, image.before} <= among:
            expected["images"][_address(picture_of(image.source)),] = 1  # one, also in several sizes or twice
    return expected


def of_markdown(markdown: str) -> Found:
    """Return what a CommonMark parser reads of each kind."""
    found: Found = {kind: Counter() for kind in KINDS}
    pending: list[tuple[SyntaxTreeNode, int]] = [(SyntaxTreeNode(_PARSER.parse(markdown)), 0)]
    while pending:
        node, depth = pending.pop()
        if node.type == "list_item":
            depth += 1
            words = _words(" ".join(_text(child) for child in node.children if child.type not in ("bullet_list", "ordered_list")))
            found["list items"][words,] += bool(words)
            if depth > 1 and words:
                found["nested items"][words, str(depth)] += 1
        elif node.type == "tr":
            cells = [words for cell in node.children if (words := _words(_text(cell)))]
            if len(cells) > 1:
                found["table rows"][" ".join(cells), "|".join(cells)] += 1
        elif node.type == "fence":
            words = _words(node.content)
            found["code"][words,] += bool(words)
            if node.info and words:
                found["code with its language"][words, node.info] += 1
        elif node.type == "link":
            words = _words(_text(node))
            found["links"][words, _address(str(node.attrs["href"]))] += bool(words)
        elif node.type == "image":
            found["images"][_address(picture_of(str(node.attrs["src"]))),] = 1
        pending += ((child, depth) for child in node.children)
    return found


def _note(kind: str, key: tuple[str, ...], is_gold: bool, expected: Found) -> None:
    if key[0] and is_gold:
        expected[kind][key] += 1


def _links(page: Page, row: int) -> list[tuple[str, str]]:
    block = page.blocks[row]
    marks = (mark for mark in block.inlines if mark.kind == "link" and mark.target.startswith("http") and not mark.target.endswith("#"))
    return [(_words(block.text[mark.start : mark.end]), _address(mark.target)) for mark in marks]


def _cells(page: Page, rows: Iterable[int]) -> list[str]:
    cells: dict[int, list[str]] = {}
    for row in rows:
        at = next((at for at in page.ancestors(page.blocks[row].element) if page.elements[at].tag in ("td", "th")), -1)
        cells.setdefault(at, []).append(page.blocks[row].text)
    return [words for texts in cells.values() if (words := _words(" ".join(texts)))]


def _text(node: SyntaxTreeNode) -> str:
    if node.type in ("text", "code_inline", "fence"):
        return node.content
    if node.type in ("softbreak", "hardbreak", "html_inline"):
        return " " if node.content in ("", "<br>") else ""
    if node.type == "image":
        return ""
    return ("" if node.type in ("inline", "link", "strong", "em", "s") else " ").join(_text(child) for child in node.children)


def _address(url: str) -> str:
    return re.sub(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9/.]", "", url)


def _words(text: str) -> str:
    return " ".join(plain_words(text))


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 1497, "the first ones of the set")
    parser.add_argument("--model", default="global", metavar="NAME", help="(default: %(default)s)")


COMMAND = Command(
    "markdown",
    "what of lists, tables, code, links and images is in the Markdown",
    lambda options: run(options.data, options.pages, options.model),
    _add_options,
)
