"""Product data from JSON-LD: properties and offer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from sightread.render.analysis.jsonld import MAX_NODES, is_type, linked_nodes, linked_text

_PRODUCT = re.compile(r"Product|ProductGroup|IndividualProduct|Vehicle|Car")
_PLAIN = (
    *("brand", "manufacturer", "model", "sku", "mpn", "gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn"),
    *("color", "material", "size"),
)
_MEASURED = ("weight", "width", "height", "depth")
_OFFERED = ("price", "lowPrice", "highPrice", "priceCurrency", "availability", "itemCondition")
_MOST_PROPERTIES = 200
"""Most properties of a product."""


def read_product(scripts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return name and value of each property of the first product, as schema.org names them; empty if the page declares none."""
    node = next((node for node in islice(linked_nodes(scripts), MAX_NODES) if is_type(node, _PRODUCT)), None)
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
    """Return a text, a number, or the name of a thing."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value)
    return linked_text(value, {})


def _quantity(value: Any) -> str:
    """Return a value with its unit."""
    quantity = next(_objects(value), None)
    if quantity is None:
        return _value(value)
    return " ".join(filter(None, (_value(quantity.get("value")), _value(quantity.get("unitText")) or _value(quantity.get("unitCode")))))
