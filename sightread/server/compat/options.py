"""Options of other services: those that are taken, and a warning for each that has no effect here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import msgspec

from render.errors import Rejected

LONGEST_NAME = 60
"""Characters of an option's name that a warning repeats."""
MOST_WARNINGS = 20
"""Of one answer; a caller may send any number of unknown options."""
T = TypeVar("T")


def decode_object(body: bytes, what: str) -> dict[str, Any]:
    """Return the JSON object of a request body. Raises `Rejected` for anything else."""
    try:
        return msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Rejected(f"the body is invalid: {error}; send {what} as a JSON object") from error


def convert(options: object, model: type[T]) -> T:
    """Return decoded JSON, or the fields of a request, as a record. Raises `Rejected` with the place of the first error."""
    try:
        return msgspec.convert(options, model)
    except msgspec.ValidationError as error:
        raise Rejected(f"the request is invalid: {error}") from error


def known_options(model: type[msgspec.Struct]) -> frozenset[str]:
    """Return the names of a model's fields as they are in JSON."""
    return frozenset(field.encode_name for field in msgspec.structs.fields(model))


def ignored_options(given: Mapping[str, Any], known: Collection[str], reasons: Mapping[str, str]) -> tuple[str, ...]:
    """Return one warning for each given option that has no effect.

    `reasons` are those of documented options, without a warning if the reason is empty. An option that is null, false or empty requests
    nothing, and gets none.
    """
    warnings = []
    for name, value in given.items():
        if name in known or value in (None, False, "", [], {}):
            continue
        reason = reasons.get(name, "it is not known here")
        if reason:
            warnings.append(f"option {name[:LONGEST_NAME]!r} is ignored: {reason}")
    return tuple(warnings[:MOST_WARNINGS])
