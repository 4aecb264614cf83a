"""Messages about a request body that does not fit its model: what is wrong, where, and which names there are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec import inspect

from sightread.render.suggestions import did_you_mean

_UNKNOWN_FIELD = re.compile(r"unknown field `(.{1,100}?)`(?: - at `\$(.*)`)?$", re.DOTALL)
_WRONG_NAME = re.compile(r"Invalid (?:enum )?value '(.{1,100}?)'(?: - at `\$(.*)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(?:\d+|\.\.\.)\]")
LONGEST_MESSAGE = 1000
"""Characters of a message, which quotes names of the body."""
MOST_NAMES = 12
"""Names that a message lists; a longer list is in the description of the API."""


def describe_body_error(error: Exception, body: bytes, model: Any) -> str:
    """Return what is wrong with a body; for a name that does not exist, with the nearest one, or those that there are."""
    if not body.strip():
        return "it is empty: send a JSON object"
    return describe_invalid(error, model)


def describe_invalid(error: Exception, model: Any) -> str:
    """Return what is wrong with decoded JSON, in the same way."""
    text = str(error)
    if len(text) > LONGEST_MESSAGE:
        return f"{text[:LONGEST_MESSAGE]}…"
    if found := _UNKNOWN_FIELD.search(text):
        types = _types_at(model, found[2] or "")
        names = [name for kind in types if isinstance(kind, inspect.StructType) for name in _field_names(kind)]
    elif found := _WRONG_NAME.search(text):
        names = [str(value) for kind in _types_at(model, found[2] or "") if isinstance(kind, inspect.LiteralType) for value in kind.values]
    else:
        return text
    return text + _hint(found[1], [name for name in dict.fromkeys(names) if name != found[1]])


def _hint(name: str, names: list[str]) -> str:
    all_names = f" (there are {', '.join(names)})" if 0 < len(names) <= MOST_NAMES else ""
    return did_you_mean(name, names) or all_names


def _types_at(model: Any, path: str) -> list[inspect.Type]:
    types = _plain((inspect.type_info(model),))
    for step in _STEP.finditer(path):
        types = _plain(_inner(types, step[1]))
    return types


def _inner(types: Iterable[inspect.Type], field: str | None) -> Iterable[inspect.Type]:
    for kind in types:
        if field is None and isinstance(kind, inspect.VarTupleType | inspect.ListType):
            yield kind.item_type
        elif isinstance(kind, inspect.StructType):
            if kind.tag is not None and field == kind.tag_field:
                yield inspect.LiteralType((str(kind.tag),))
            yield from (own.type for own in kind.fields if own.encode_name == field)


def _plain(types: Iterable[inspect.Type]) -> list[inspect.Type]:
    """Return the types, those of unions and below annotations one by one."""
    found: list[inspect.Type] = []
    for kind in types:
        if isinstance(kind, inspect.UnionType):
            found += _plain(kind.types)
        elif isinstance(kind, inspect.Metadata):
            found += _plain((kind.type,))
        else:
            found.append(kind)
    return found


def _field_names(kind: inspect.StructType) -> list[str]:
    return [own.encode_name for own in kind.fields] + ([kind.tag_field] if kind.tag_field else [])
