"""Builds the document tree: groups kept blocks by the list, table, quote, figure and code elements that they share."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple

from sightread.document.tree.footnotes import NO_NOTES, Notes, as_note, find_notes, unreachable, with_references
from sightread.document.tree.inlines import Span, cleaned, heading_text, image_tex, is_inline, is_prose, joined, read_inlines, without
from sightread.document.tree.nodes import (
    Code,
    Definitions,
    Entry,
    Figure,
    Footnote,
    Heading,
    List,
    Node,
    Paragraph,
    Quote,
    Table,
    blocks_of,
    has_heading,
    lines,
)
from sightread.document.tree.structures import (
    Piece,
    TableRow,
    as_list,
    build_table,
    code_language,
    is_code_block,
    is_data,
    is_of_headings,
    joined_lists,
    labelled,
    table_heading,
    without_bullet,
    without_labels,
    without_line_numbers,
    without_number_column,
)
from sightread.render.page import Element, Image, Page
from sightread.render.static.tags import CODE_LINES

STRUCTURAL = frozenset(
    {"ul", "ol", "li", "table", "tr", "td", "th", "caption", "blockquote", "pre", "figure", "figcaption", "dl", "dt", "dd"},
)
ROLES = {
    "list": "ul",
    "listitem": "li",
    "table": "table",
    "row": "tr",
    "cell": "td",
    "columnheader": "th",
    "rowheader": "th",
    "figure": "figure",
}
"""ARIA roles that give an element without meaning the meaning of a tag."""

_LINES = frozenset(CODE_LINES.values())
_HOLDERS = CODE_LINES.keys()
MAX_DEPTH = 32
"""Depth from which on structure is flattened: real pages are flatter, and renderers recurse."""


def tag_of(element: Element) -> str:
    """Return the structural tag of the element, or of its ARIA role; empty for an element without structure."""
    role = element.attributes.get("role", "")
    if role in ("presentation", "none"):
        return ""
    return element.tag if element.tag in STRUCTURAL else ROLES.get(role, "")


class Ancestry:
    """The structural ancestors of a page's elements, computed on demand."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tags: dict[int, str] = {}
        """The structural tag of each element on a path returned so far."""
        self._paths: dict[int, tuple[int, ...]] = {-1: ()}

    @cached_property
    def _code(self) -> frozenset[int]:
        elements = self.page.elements
        named = (element for element in elements if element.parent >= 0 and not _LINES.isdisjoint(element.classes))
        lines = ((element.parent, line) for element in named for line in _LINES.intersection(element.classes))
        return frozenset(row for row, line in lines if any(CODE_LINES.get(name) == line for name in elements[row].classes))

    def path(self, row: int) -> tuple[int, ...]:
        """Return the structural ancestors of an element from the outside in, itself included."""
        chain = []
        while row not in self._paths:
            chain.append(row)
            row = self.page.elements[row].parent
        path = self._paths[row]
        for below in reversed(chain):
            element = self.page.elements[below]
            tag = tag_of(element) or ("pre" if not _HOLDERS.isdisjoint(element.classes) and below in self._code else "")
            if tag and len(path) < MAX_DEPTH:
                self.tags[below] = tag
                path = (*path, below)
            self._paths[below] = path
        return path

    @cached_property
    def cells(self) -> Mapping[int, list[int]]:
        """The cells of each table row (`<tr>`) in document order, cells without text included as far as the page lists them."""
        first: dict[int, int] = {}
        for place, block in enumerate(self.page.blocks):
            for row in self.path(block.element):
                first.setdefault(row, place)
        cells: dict[int, list[int]] = {}
        for row, element in enumerate(self.page.elements):
            if tag_of(element) in ("td", "th") and len(path := self.path(row)) > 1 and path[-1] == row:
                cells.setdefault(path[-2], []).append(row)
        for row, held in cells.items():  # in the order of their first blocks: the element table may list those with images too early
            filled = iter(sorted((cell for cell in held if cell in first), key=first.__getitem__))
            cells[row] = [next(filled) if cell in first else cell for cell in held]
        return cells


AbsorbedReason = Literal["ornament", "line numbers", "code label"]
"""Why a block is not in the tree though it was kept: it is no text by itself (white space, a bullet, a link back from a note), it numbers
the lines of code, or it is the button or the language of code."""
BlockRole = Literal["heading", "paragraph", "item", "cell", "code", "quote", "caption", "definition", "note"]
PLAIN: frozenset[BlockRole] = frozenset(("paragraph",))
NAMING: frozenset[BlockRole] = frozenset(("paragraph", "heading"))
"""Roles of a block that an enclosing element may refine later: headings too, in lists and tables that consist of headings."""

_INTEGER = re.compile(r"-?[0-9]{1,9}")


class Leaf(NamedTuple):
    """A kept block (its row in the page) or a kept image, with the rows of its structural ancestors from the outside in."""

    path: tuple[int, ...]
    block: int
    image: Image | None = None


class Structure(NamedTuple):
    """The content as a tree, and the role of each kept block (by its row in the page) in it."""

    nodes: tuple[Node, ...]
    kinds: Mapping[int, BlockRole]
    absorbed: Mapping[int, AbsorbedReason] = {}
    """The given blocks that are not in the tree, each with the reason."""


def build_structure(page: Page, kept: Sequence[int], images: Sequence[Image] = (), headline: int = -1) -> Structure:
    """Return the kept blocks (rows of the page, in reading order) and images as a tree.

    The block of row `headline` becomes a heading of the first level. An element for layout only vanishes and leaves its
    content: a table of one cell, of one column or of whole sections, a bulleted list of cards with headings, a quotation with headings that
    is most of the page, any element whose role is `presentation`. The image of a formula is the formula. Footnotes come at the end.
    """
    notes = find_notes(page, kept)
    builder = _Builder(page, headline, notes, sum(len(page.blocks[row].text) for row in kept))
    builder.unreachable = unreachable(page, kept) - notes.by_target.keys()
    leaves = builder.leaves([row for row in kept if row not in notes.rows] if notes.found else kept, images)
    nodes = (*builder.nodes(leaves, 0), *builder.footnotes())
    return Structure(nodes, builder.kinds, builder.absorbed)


def build_parts(page: Page, parts: Iterable[tuple[int, Sequence[int]]]) -> list[tuple[Node, ...]]:
    """Return parts of a page as separate trees: of each the element that contains it, and the rows of its blocks.

    Structure around that element, such as the list that it is an item of, is left out.
    """
    builder = _Builder(page, -1)
    depths = ((len(builder.ancestry.path(element)), rows) for element, rows in parts)
    return [tuple(builder.nodes(builder.leaves(rows, ()), depth)) for depth, rows in depths]


class _Builder:
    """The structure of one page, built from the leaves up; `depth` is the number of structural ancestors above the part that is built."""

    def __init__(self, page: Page, headline: int, notes: Notes = NO_NOTES, characters: int = 0) -> None:
        self.page = page
        self.headline = headline
        self.notes = notes
        self.characters = characters
        """Characters of the kept blocks of the page; 0 if a part of it is built."""
        self.unreachable: frozenset[str] = frozenset()
        """Targets within the page that are not in the document."""
        self.address = page.final_url or page.url
        addresses = {page.url, page.final_url, page.canonical} - ({""} if self.address else set())
        self.own = frozenset(address.partition("#")[0] for address in addresses)
        self.ancestry = Ancestry(page)
        self.tags = self.ancestry.tags
        self.kinds: dict[int, BlockRole] = {}
        self.absorbed: dict[int, AbsorbedReason] = {}

    def absorb(self, before: Iterable[Node], after: Sequence[Node], reason: AbsorbedReason = "ornament") -> list[Node]:
        """Record the blocks of the nodes that a step left out, and return the other nodes."""
        if after is not before:
            self.absorbed |= dict.fromkeys(set(blocks_of(before)).difference(blocks_of(after)), reason)
        return list(after)

    def leaves(self, kept: Sequence[int], images: Sequence[Image]) -> list[Leaf]:
        """Return blocks and images in reading order; an image comes before the first kept block at or after the one that its `before`
        names.
        """
        found = [Leaf(self.ancestry.path(self.page.blocks[row].element), row) for row in kept]
        if not images:
            return found
        found += (Leaf(self.ancestry.path(image.element), image.before, image) for image in images)
        known = sorted(kept)
        ranks = dict(zip(kept, range(len(kept)), strict=True)) if known != list(kept) else {row: row for row in known}
        last = max(ranks.values(), default=0) + 1

        def place(leaf: Leaf) -> tuple[int, bool]:
            if leaf.image is None:
                return ranks[leaf.block], True
            after = bisect_left(known, leaf.block)
            return ranks[known[after]] if after < len(known) else last, False

        return sorted(found, key=place)

    def groups(self, leaves: Iterable[Leaf], depth: int) -> Iterator[tuple[int, list[Leaf]]]:
        """Group the leaves by their structural ancestor at this depth; -1 means none."""
        for row, group in groupby(leaves, lambda leaf: leaf.path[depth] if depth < len(leaf.path) else -1):
            yield row, list(group)

    def nodes(self, leaves: Iterable[Leaf], depth: int) -> list[Node]:
        """Return the nodes of the leaves; list items outside of any list form a list too."""
        found: list[Node] = []
        for is_item, run in groupby(self.groups(leaves, depth), lambda group: self.tags.get(group[0]) == "li"):
            if is_item:
                found += self.list_of(-1, [leaf for _, group in run for leaf in group], depth)
            else:
                found += joined_lists(self.pieces(run, depth))
        labelled = self.absorb(found, without_labels(found), "code label")
        return self.absorb(labelled, as_list(labelled))

    def pieces(self, groups: Iterable[tuple[int, list[Leaf]]], depth: int) -> Iterator[Piece]:
        """Yield the pieces of consecutive structural elements."""
        elements = self.page.elements
        before, end = -1, -1
        for row, group in groups:
            adjoins = group[0].image is None and group[0].block == end
            is_sibling = min(before, row) >= 0 and elements[before].parent == elements[row].parent
            yield Piece(self.element(row, group, depth), adjoins, is_sibling)
            before, end = row, group[-1].block + (group[-1].image is None)

    def element(self, row: int, leaves: list[Leaf], depth: int) -> list[Node]:
        """Return the piece of the structural element of this row; `leaves` are all that it contains."""
        match self.tags.get(row, ""):
            case "":
                return [node for leaf in leaves for node in self.leaf(leaf)]
            case "ul" | "ol":
                return self.list_of(row, leaves, depth + 1)
            case "table":
                return self.table(leaves, depth + 1)
            case "dl":
                return self.definitions(leaves, depth + 1)
            case "pre":
                return self.code(leaves)
            case "figure":
                return self.figure(leaves, depth + 1)
            case "blockquote":
                return self.quote(row, leaves, depth + 1)
            case _:
                return self.nodes(leaves, depth + 1)

    def leaf(self, leaf: Leaf) -> list[Node]:
        """Return a block as a heading or as its paragraphs, and an image as a figure."""
        if leaf.image is not None:
            if tex := image_tex(leaf.image):
                return [Paragraph((Span("math" if is_inline(self.page, leaf.image) else "display", (tex,)),))]
            return [Figure(leaf.image.source, " ".join(leaf.image.alt.split()))]
        block = self.page.blocks[leaf.block]
        paragraphs = read_inlines(block, self.address)
        if len(paragraphs) == 1 and len(paragraphs[0]) == 1 and is_code_block(paragraphs[0][0]):
            return self.code([leaf])
        if self.notes.found:
            paragraphs = tuple(with_references(paragraph, self.notes) for paragraph in paragraphs)
        if self.unreachable and leaf.block not in self.notes.rows:
            paragraphs = tuple(tuple(without(paragraph, "link", self.unreachable.__contains__)) for paragraph in paragraphs)
        level = 1 if leaf.block == self.headline else min(block.heading, 6)
        nodes: list[Node] = [Paragraph(paragraph, blocks=(leaf.block,)) for paragraph in paragraphs if paragraph]
        text = heading_text(joined(paragraphs), self.own) if level else ()
        if not level or is_prose(level, text) or any(isinstance(node, List) for node in as_list(nodes)):
            self.kinds[leaf.block] = "paragraph"
        else:
            self.kinds[leaf.block] = "heading"
            nodes = [Heading(level, text, blocks=(leaf.block,))] if text else []
        if not nodes:
            self.absorbed[leaf.block] = "ornament"
        return nodes

    def footnotes(self) -> Iterator[Footnote]:
        """Yield the footnotes, each with the content of its element."""
        for found in self.notes.found:
            leaves = self.leaves(found.rows, ())
            nodes = self.nodes(leaves, len(self.ancestry.path(found.element)))
            self.kinds |= dict.fromkeys(found.rows, "note")
            note = as_note(found, nodes, self.address)
            self.absorb(nodes, note.children)
            yield note

    def mark(self, leaves: Iterable[Leaf], kind: BlockRole, was: frozenset[BlockRole] = PLAIN) -> None:
        """Record the role of the leaves, unless an inner element has recorded a more specific one."""
        for leaf in leaves:
            if self.kinds.get(leaf.block) in was and leaf.image is None:
                self.kinds[leaf.block] = kind

    def quote(self, row: int, leaves: list[Leaf], depth: int) -> list[Node]:
        nodes = self.nodes(leaves, depth)
        is_plain = row >= 0 and not self.page.elements[row].classes
        if nodes and all(isinstance(node, Code) or (is_plain and isinstance(node, List | Table)) for node in nodes):
            return nodes  # not a quotation: used to indent code, lists and tables
        held = sum(len(self.page.blocks[leaf.block].text) for leaf in leaves if leaf.image is None)
        if has_heading([nodes]) and 0 < self.characters <= 2 * held:
            return nodes  # most of the page's text: the margin of an old page
        if len(nodes) == 1 and isinstance(nodes[0], Quote):
            return nodes  # one quotation in several elements
        self.mark(leaves, "quote")
        return [Quote(tuple(nodes))] if nodes else []

    def list_of(self, row: int, leaves: list[Leaf], depth: int) -> list[Node]:
        """Return a list; a list directly inside a list belongs to the item before it, as browsers show it."""
        items: list[list[Node]] = []
        for child, group in self.groups(leaves, depth):
            tag = self.tags.get(child, "")
            if tag in ("ul", "ol") and items:
                items[-1] += self.element(child, group, depth)
            else:
                nodes = self.nodes(group, depth + 1) if tag == "li" else self.element(child, group, depth)
                items.append(self.absorb(nodes, without_bullet(nodes)) if tag == "li" else nodes)
        is_ordered = self.tags.get(row) == "ol"
        items = [item for item in items if item]
        if not is_ordered:
            # a bulleted list that is alone in an item is lifted: its parent's own words have been dropped
            inner = (item[0] if len(item) == 1 and isinstance(item[0], List) and item[0].start is None else None for item in items)
            items = [list(each) for item, held in zip(items, inner, strict=True) for each in (held.items if held else [item])]
        if is_of_headings(items):
            items = [[Paragraph(node.text, node.blocks) if isinstance(node, Heading) else node for node in item] for item in items]
            self.mark(leaves, "item", NAMING)
        is_sample = len(items) == 1 and any(isinstance(node, Code | Table) for node in items[0])
        is_layout = not is_ordered and (is_sample or has_heading(items))
        if is_layout or all(isinstance(node, Figure) for item in items for node in item):
            return [node for item in items for node in item]
        self.mark(leaves, "item")
        start = self.page.elements[row].attributes.get("start", "") if is_ordered else ""
        number = int(start) if _INTEGER.fullmatch(start) else 1
        return [List(tuple(map(tuple, items)), number if is_ordered else None)]

    def definitions(self, leaves: list[Leaf], depth: int) -> list[Node]:
        """Return a definition list; content outside of `<dt>` defines the term before it."""
        read = ((self.tags.get(row) == "dt", self.element(row, group, depth)) for row, group in self.groups(leaves, depth))
        entries = [Entry(is_term, tuple(children)) for is_term, children in read if children]
        if has_heading(entry.children for entry in entries):
            return [node for entry in entries for node in entry.children]
        self.mark(leaves, "definition")
        return [Definitions(tuple(entries))] if entries else []

    def code(self, leaves: Sequence[Leaf]) -> list[Node]:
        """Return preformatted blocks as one; the language comes from a class of one of the innermost elements."""
        blocks = [self.page.blocks[leaf.block] for leaf in leaves if leaf.image is None]
        self.kinds |= {leaf.block: "code" for leaf in leaves if leaf.image is None}
        if not blocks:
            return []
        text = cleaned("\n".join(block.text for block in blocks)).replace("\u00a0", " ").strip("\n")
        if len(blocks) > 1:
            text = without_line_numbers(text)
        classes = [self.page.elements[row].classes for row in self.page.ancestors(blocks[0].element)[:4]]
        return [Code(text, code_language(classes, text), tuple(leaf.block for leaf in leaves if leaf.image is None))]

    def figure(self, leaves: Iterable[Leaf], depth: int) -> list[Node]:
        """Return a figure's content, its caption with the last of its images."""
        captions: list[Node] = []
        nodes: list[Node] = []
        for row, group in self.groups(leaves, depth):
            if self.tags.get(row) == "figcaption":
                captions += self.nodes(group, depth + 1)
                self.mark(group, "caption")
            else:
                nodes += self.element(row, group, depth)
        shown = tuple(blocks_of(captions))
        last = next((node for node in reversed(nodes) if isinstance(node, Figure)), None)
        if last is None:
            return [*nodes, *(Paragraph(text, shown) for text in lines(captions))]
        whole = replace(last, caption=joined(lines([last, *captions])), blocks=(*last.blocks, *shown))
        return [whole if node is last else node for node in nodes]

    def table(self, leaves: list[Leaf], depth: int) -> list[Node]:
        """Return a table, or its content if it is a layout table."""
        rows: list[TableRow] = []
        caption: list[Node] = []
        for row, group in self.groups(leaves, depth):
            if self.tags.get(row) == "tr":
                content: dict[int, list[Node]] = {cell: [] for cell in self.ancestry.cells.get(row, ())}
                for cell, held in self.groups(group, depth + 1):
                    content.setdefault(cell, []).extend(self.nodes(held, depth + 2))
                rows.append(TableRow(row, content))
            else:
                caption += self.nodes(group, depth + 1)
                self.mark(group, "caption")
        heading = table_heading(rows)
        table = build_table(self.page, labelled(rows[1:] if heading else rows), caption)
        if not is_data(table):
            nodes = [node for row in rows for held in row.content.values() for node in held]
            return [*caption, *self.absorb(nodes, without_number_column(nodes), "line numbers")]
        self.mark(leaves, "cell", NAMING)
        return [heading, table] if heading else [table]
