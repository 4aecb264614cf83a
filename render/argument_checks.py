"""Checks of values that callers give: a wrong type or an impossible number raises `Rejected`, which names what is allowed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from render.errors import Rejected

LONGEST_VALUE = 60
"""Characters of a wrong value that an error repeats."""
_WORDS = {
    str: "a string",
    bytes: "bytes",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    NoneType: "None",
    Path: "a path",
}


def check_type(name: str, value: object, allowed: Any, *, secret: bool = False) -> None:
    """Raise `Rejected` unless the value is of the allowed type, given as an annotation; the message repeats no `secret` value.

    An int passes as a float, True and False as neither. Items of tuples are checked too, those of other containers are not.
    """
    if not _matches(value, allowed):
        shown = type(value).__name__ if secret or value is None else f"{_shortened(value)} ({type(value).__name__})"
        raise Rejected(f"{name} is {'None' if value is None else shown}: give {describe(allowed)}")


def check_fields(record: object, *, secret: bool = False) -> None:
    """Raise `Rejected` unless every field of a dataclass has a value of its annotated type; for `__post_init__`."""
    kind: Any = type(record)
    for name, allowed in _hints(kind).items():
        check_type(f"{kind.__name__}: {name}", getattr(record, name), allowed, secret=secret)


def check_range(name: str, value: float, least: float, most: float = math.inf, *, unit: str = "", above: bool = False) -> None:
    """Raise `Rejected` unless the number is finite, `least` or more (with `above`: more than `least`), and `most` or less."""
    is_enough = value > least if above else value >= least
    if not (is_enough and value <= most and math.isfinite(value)):
        bound = f"more than {least:g}" if above else f"{least:g} or more"
        limit = bound if math.isinf(most) else f"{bound}, and at most {most:g}" if above else f"{least:g} to {most:g}"
        raise Rejected(f"{name} is {value:g}: give {limit}{unit and ' ' + unit}")


def describe(allowed: Any) -> str:
    """Return the allowed values in words."""
    origin, inner = get_origin(allowed), get_args(allowed)
    if origin is Annotated:
        return describe(inner[0])
    if origin is Literal:
        return _either([repr(value) for value in inner])
    if origin in (Union, UnionType):
        return _either([describe(each) for each in inner])
    if origin is tuple:
        items = [describe(each) for each in inner if each is not Ellipsis]
        return f"a tuple of {items[0]} each" if Ellipsis in inner else f"a tuple of {', '.join(items)}"
    if _is_callable(allowed):
        return "a function"
    kind = origin or allowed
    return _WORDS.get(kind) or _with_article(kind.__name__ if isinstance(kind, type) else str(kind))


def _matches(value: object, allowed: Any) -> bool:
    origin, inner = get_origin(allowed), get_args(allowed)
    if origin is Annotated:
        return _matches(value, inner[0])
    if origin in (Union, UnionType):
        return any(_matches(value, each) for each in inner)
    if origin is Literal:
        return any(type(value) is type(each) and value == each for each in inner)
    if origin is tuple:
        return _matches_tuple(value, inner)
    if _is_callable(allowed):
        return callable(value)
    if allowed in (int, float):
        return isinstance(value, int | float if allowed is float else int) and not isinstance(value, bool)
    kind = origin or allowed
    if not isinstance(kind, type):
        return True
    return isinstance(value, kind) and (not hasattr(kind, "_fields") or _matches_tuple(tuple(value), tuple(_hints(kind).values())))  # type: ignore[arg-type]


def _matches_tuple(value: object, items: tuple[Any, ...]) -> bool:
    if not isinstance(value, tuple):
        return False
    if Ellipsis in items:
        return all(_matches(each, items[0]) for each in value)
    return len(value) == len(items) and all(map(_matches, value, items))


def _is_callable(allowed: Any) -> bool:
    return allowed is Callable or get_origin(allowed) is Callable


def _with_article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"


def _either(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _shortened(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= LONGEST_VALUE else f"{shown[: LONGEST_VALUE - 1]}…"


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind, include_extras=True)
