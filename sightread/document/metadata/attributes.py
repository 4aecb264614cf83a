"""Name-value pairs of a page: definition lists, two-column tables, lists of "Label: value", product JSON-LD."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sightread.document.tree.builder import Ancestry
from sightread.render.analysis.jsonld import is_type, linked_nodes, linked_text
from sightread.render.page import Page
from sightread.render.page.view import enclosing

LONGEST_NAME, LONGEST_VALUE = 60, 300
"""Most characters of a name or value; longer text is a sentence."""
LEAST_PAIRS = 2
"""Least number of pairs in a list: a single pair is a line of text."""

_LABELLED = re.compile(r"([^:\n.!?]{2,60}?)\s*:\s+(\S[^\n]{0,119})\s*")
_EDGES = " \u200e\u200f"
_OUTSIDE = frozenset(("nav", "footer", "aside", "form"))


@dataclass(frozen=True, slots=True)
class Attribute:
    """One pair: name and value."""

    name: str
    value: str


def find_attributes(page: Page, rows: Sequence[int]) -> tuple[Attribute, ...]:
    """Return the pairs that the page shows, in document order, then those that only its product JSON-LD declares; each name once.

    `rows` are the document's blocks. A definition list or a table counts wherever it is, except in navigation, footers, asides and forms; a
    list of labels counts if it is in the document.
    """
    ancestry = Ancestry(page)
    outside = enclosing(page, _OUTSIDE)
    by_place: dict[int, list[tuple[int, int]]] = {}
    for row, block in enumerate(page.blocks):
        path = ancestry.path(block.element)
        place = next((at for at in reversed(path) if ancestry.tags[at] in ("table", "dl")), -1)
        if place >= 0 and outside[block.element] < 0 and block.hidden in ("", "display"):
            cell = next((at for at in reversed(path) if ancestry.tags[at] in ("td", "th", "dt", "dd")), -1)
            by_place.setdefault(place, []).append((cell, row))
    found: list[tuple[int, Attribute]] = []
    for place, held in by_place.items():
        pairs = _of_list(page, ancestry, held) if ancestry.tags[place] == "dl" else _of_table(page, ancestry, held)
        if len(pairs) >= LEAST_PAIRS:
            found += ((held[0][1], pair) for pair in pairs)
    found += _labelled(page, ancestry, rows)
    declared = (Attribute(name, value) for name, value in read_product(page))
    names: dict[str, Attribute] = {}
    for pair in [*(pair for _, pair in sorted(found, key=lambda each: each[0])), *declared]:
        names.setdefault(pair.name.casefold(), pair)
    return tuple(names.values())


def _of_list(page: Page, ancestry: Ancestry, held: Iterable[tuple[int, int]]) -> list[Attribute]:
    """Return the pairs of a definition list; none if a term has several texts."""
    texts = _by_cell(page, held)
    pairs: list[Attribute] = []
    name = ""
    for cell, text in texts.items():
        if ancestry.tags.get(cell) == "dt":
            name = text
        elif name:
            pairs += _pair(name, text)
            name = ""
    return pairs


def _of_table(page: Page, ancestry: Ancestry, held: Iterable[tuple[int, int]]) -> list[Attribute]:
    """Return the rows of a table as pairs; none unless nearly all of them have two cells."""
    by_row: dict[int, dict[int, str]] = {}
    for cell, text in _by_cell(page, held).items():
        path = ancestry.path(cell) if cell >= 0 else ()
        if len(path) > 1:
            by_row.setdefault(path[-2], {})[cell] = text
    pairs = [pair for cells in by_row.values() if len(cells) == 2 for pair in _pair(*cells.values())]
    wide = any(len(ancestry.cells.get(row, ())) > 2 for row in by_row)
    return [] if wide or 4 * len(pairs) < 3 * len(by_row) else pairs


def _labelled(page: Page, ancestry: Ancestry, rows: Iterable[int]) -> Iterator[tuple[int, Attribute]]:
    """Yield the items "Label: value" of lists in which most items have that form."""
    by_list: dict[int, list[int]] = {}
    for row in rows:
        path = ancestry.path(page.blocks[row].element)
        if len(path) > 1 and ancestry.tags[path[-1]] == "li" and ancestry.tags[path[-2]] in ("ul", "ol"):
            by_list.setdefault(path[-2], []).append(row)
    for held in by_list.values():
        pairs = [(row, pair) for row in held if (match := _LABELLED.fullmatch(page.blocks[row].text)) for pair in _pair(match[1], match[2])]
        if len(pairs) >= LEAST_PAIRS and 4 * len(pairs) >= 3 * len(held):
            yield from pairs


def _by_cell(page: Page, held: Iterable[tuple[int, int]]) -> dict[int, str]:
    texts: dict[int, list[str]] = {}
    for cell, row in held:
        texts.setdefault(cell, []).append(" ".join(page.blocks[row].text.split()))
    return {cell: " ".join(parts) for cell, parts in texts.items()}


def _pair(name: str, value: str) -> list[Attribute]:
    name, value = name.strip(_EDGES).removesuffix(":").rstrip(), value.strip(_EDGES)
    return [Attribute(name, value)] if 0 < len(name) <= LONGEST_NAME and 0 < len(value) <= LONGEST_VALUE else []


# Product data from JSON-LD: properties and offer.


_PRODUCT = re.compile(r"Product|ProductGroup|IndividualProduct|Vehicle|Car")
_PLAIN = (
    *("brand", "manufacturer", "model", "sku", "mpn", "gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn"),
    *("color", "material", "size"),
)
_MEASURED = ("weight", "width", "height", "depth")
_OFFERED = ("price", "lowPrice", "highPrice", "priceCurrency", "availability", "itemCondition")
_MOST_PROPERTIES = 200


def read_product(page: Page) -> tuple[tuple[str, str], ...]:
    """Return name and value of each property of the first product, as schema.org names them; empty if the page declares none."""
    node = next((node for node in linked_nodes(page) if is_type(node, _PRODUCT)), None)
    return tuple(islice(_pairs(node), _MOST_PROPERTIES)) if node is not None else ()


def _pairs(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in _PLAIN:
        if value := _value(node.get(name)):
            yield name, value
    for name in _MEASURED:
        if value := _quantity(node.get(name)):
            yield name, value
    for declared in _objects(node.get("additionalProperty")):
        name, value = _value(declared.get("name")), _quantity(declared)
        if name and value:
            yield name, value
    offer = next(_objects(node.get("offers")), {})
    inner = next(_objects(offer.get("offers") or offer.get("priceSpecification")), {})
    for name in _OFFERED:
        if value := _value(offer.get(name)) or _value(inner.get(name)):
            yield name, value.rsplit("/", 1)[-1] if value.startswith(("http://schema.org/", "https://schema.org/")) else value


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, dict))


def _value(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value)
    return linked_text(value, {})


def _quantity(value: Any) -> str:
    quantity = next(_objects(value), None)
    if quantity is None:
        return _value(value)
    return " ".join(filter(None, (_value(quantity.get("value")), _value(quantity.get("unitText")) or _value(quantity.get("unitCode")))))
