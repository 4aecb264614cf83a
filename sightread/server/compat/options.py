"""Options of other services: those that are taken, and a warning for each that has no effect here."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import islice
from typing import Any, TypeVar

import msgspec

from sightread.render.argument_checks import nearest
from sightread.render.errors import Rejected, quoted
from sightread.server.schema.requests import describe_invalid

LONGEST_NAME = 60
"""Characters of an option's name that a warning repeats."""
MOST_WARNINGS = 20
"""Of one answer; a caller may send any number of unknown options."""
_MISSING_FIELD = re.compile(r"missing required field `(\w+)`$")
LEAST_SIMILARITY = 0.75
"""Of a name to one that may be meant (`difflib`): `wait_for` has 0.8 to `waitFor`, `option` 0.67 to `location`."""
MOST_COMPARED = 100
"""Unknown names of one request that are compared with the known ones: a comparison takes some 0.1 ms."""
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
        given = options if isinstance(options, Mapping) else {}
        raise Rejected(f"the request is invalid: {describe_invalid(error, model)}{_misspelt(str(error), given, model)}") from error


def _misspelt(error: str, given: Mapping[str, Any], model: Any) -> str:
    """Return the key that was sent in place of a required one, if one of those sent resembles it."""
    missing = _MISSING_FIELD.search(error)
    return near_key(missing[1], given, known_options(model)) if missing else ""


def near_key(required: str, given: Mapping[str, Any], known: Collection[str] = ()) -> str:
    """Return a question about an unknown key that was sent and resembles the required one; empty if none does."""
    unknown = {name.lower(): name for name in islice((name for name in given if name not in known), MOST_COMPARED)}
    near = nearest(required, unknown)
    return f" (it has {unknown[near][:LONGEST_NAME]}: did you mean {required}?)" if near else ""


def known_options(model: type[msgspec.Struct]) -> frozenset[str]:
    """Return the names of a model's fields as they are in JSON."""
    return frozenset(field.encode_name for field in msgspec.structs.fields(model))


def ignored_options(given: Mapping[str, Any], known: Collection[str], reasons: Mapping[str, str]) -> tuple[str, ...]:
    """Return one warning for each given option that has no effect; for an unknown one with the nearest that there is.

    `reasons` are those of documented options, without a warning if the reason is empty. An option that is null, false or empty requests
    nothing, and gets none, unless it looks like another one misspelt.
    """
    warnings: list[str] = []
    compared = 0
    for name, value in given.items():
        if name in known or value is None or len(warnings) == MOST_WARNINGS:
            continue
        is_unknown = name not in reasons
        compared += is_unknown
        near = nearest(name, known, LEAST_SIMILARITY) if is_unknown and compared <= MOST_COMPARED else ""
        reason = reasons.get(name, f"it is not known here{f': did you mean {near}?' if near else ''}")
        if reason and (near or value not in (False, "", [], {})):
            warnings.append(f"option {quoted(name, LONGEST_NAME)} is ignored: {reason}")
    return tuple(warnings)
