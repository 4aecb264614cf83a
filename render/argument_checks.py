"""Checks of arguments of public functions and records, and suggestions for misspelt names.

A wrong type or an impossible number raises `Rejected`, with the allowed types or numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from sightread.render.errors import LONGEST_VALUE, Rejected

_WORDS = {
    str: "a string",
    bytes: "bytes",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    NoneType: "None",
    Path: "a path",
}


def _joined(words: Sequence[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def check_type(name: str, value: object, allowed: Any, *, secret: bool = False) -> None:
    """Raise `Rejected` unless the value is of the allowed type, given as an annotation; the message repeats no `secret` value.

    An int passes as a float, True and False as neither. Items of tuples are checked too, those of other containers are not.
    """
    if not _matches(value, allowed):
        allowed = get_args(allowed)[0] if get_origin(allowed) is Annotated else allowed
        kind = type(value).__name__
        is_of_kind = get_origin(allowed) is Literal and kind in {type(each).__name__ for each in get_args(allowed)}
        shown = kind if secret or value is None else _shortened(value) if is_of_kind else f"{_shortened(value)} ({kind})"
        raise Rejected(f"is {'None' if value is None else shown}: give {describe(allowed)}", name)


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
        raise Rejected(f"is {value:g}: give {limit}{unit and ' ' + unit}", name)


def describe(allowed: Any) -> str:
    """Return the allowed values in words."""
    origin, inner = get_origin(allowed), get_args(allowed)
    if origin is Annotated:
        return describe(inner[0])
    if origin is Literal:
        return _joined([repr(value) for value in inner], "or")
    if origin in (Union, UnionType):
        return _joined([describe(each) for each in inner], "or")
    if origin is tuple:
        items = [describe(each) for each in inner if each is not Ellipsis]
        return f"a tuple of {items[0]} each" if Ellipsis in inner else f"a tuple of {', '.join(items)}"
    if _is_callable(allowed):
        return "a function"
    kind = origin or allowed
    name = kind.__name__ if isinstance(kind, type) else str(kind)
    return _WORDS.get(kind) or f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"


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


def _shortened(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= LONGEST_VALUE else f"{shown[: LONGEST_VALUE - 1]}…"


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind, include_extras=True)


LEAST_LIKENESS = 0.6
"""Of a name to one that may be meant, 0 to 1 (`difflib`)."""


def nearest(name: str, known: Iterable[str], likeness: float = LEAST_LIKENESS) -> str:
    """Return the known name that is most like the given one; empty if none is."""
    return next(iter(get_close_matches(name, list(known), 1, likeness)), "")


def did_you_mean(name: str, known: Iterable[str], likeness: float = LEAST_LIKENESS) -> str:
    """Return the nearest name as a question in brackets, with a space before it; empty if none is near."""
    near = nearest(name, known, likeness)
    return f" (did you mean {near}?)" if near else ""


def known_names(name: str, known: Collection[str]) -> str:
    """Return the known names as the end of a sentence, after the nearest one."""
    near = nearest(name, known)
    verb = "is" if len(known) == 1 else "are"
    return f"{f'did you mean {near}? There' if near else 'there'} {verb} {', '.join(known)}"
