"""Character normalisation at input: replaces what no output format can write, or what would change the text that follows.

Applied by the collector (`collect_text.js` has the same rule), the static parser, JSON-LD and requests, and nowhere else: behind these,
text is well-formed. Each character is replaced by one, so that offsets stay. Beside it, the direction of languages.
"""

from __future__ import annotations

import re
from typing import Any

REPLACEMENT = "\ufffd"
INVISIBLE = "\u2060"
"""Word joiner, in place of a control without its partner: shows nothing, and renderers of documents leave it out."""

_ILL_FORMED = re.compile("[\ud800-\udfff\x00]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile(r"(?:ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)(?:[-_]|$)", re.IGNORECASE)
_EMBEDDINGS = "\u202a\u202b\u202d\u202e"
_ISOLATES = "\u2066\u2067\u2068"
_END_OF_EMBEDDING = "\u202c"


def is_right_to_left(language: str) -> bool:
    """Return whether a language, by its tag, is written from right to left."""
    return _RIGHT_TO_LEFT.match(language) is not None


def well_formed(text: str) -> str:
    """Return the text with U+FFFD for each lone surrogate and NUL, and a word joiner for each bidirectional control without a partner.

    Such a control (UAX #9, 2.1 to 2.5) would turn the direction of the text that follows in a document. Marks (LRM, RLM, ALM),
    joiners and paired controls are kept.
    """
    if text.isascii() and "\0" not in text:
        return text
    if _ILL_FORMED.search(text):
        text = _ILL_FORMED.sub(REPLACEMENT, text)
    return _paired(text) if _BIDI.search(text) else text


def well_formed_json(value: Any) -> Any:
    """Return a decoded JSON value with all its texts well-formed, keys too; lists and objects are changed in place."""
    if isinstance(value, str):
        return well_formed(value)
    pending = [value]
    while pending:
        holder = pending.pop()
        if isinstance(holder, list):
            holder[:] = [well_formed(each) if isinstance(each, str) else each for each in holder]
            pending += (each for each in holder if isinstance(each, list | dict))
        elif isinstance(holder, dict):
            items = [(well_formed(key), well_formed(each) if isinstance(each, str) else each) for key, each in holder.items()]
            holder.clear()
            holder.update(items)
            pending += (each for each in holder.values() if isinstance(each, list | dict))
    return value


def _paired(text: str) -> str:
    """Replace bidirectional controls without a partner: an end closes the latest start of its kind, an isolate what is open inside."""
    opened: list[int] = []
    lone: set[int] = set()
    for found in _BIDI.finditer(text):
        place, sign = found.start(), found[0]
        if sign in _EMBEDDINGS or sign in _ISOLATES:
            opened.append(place)
        elif sign == _END_OF_EMBEDDING:
            if opened and text[opened[-1]] in _EMBEDDINGS:
                opened.pop()
            else:
                lone.add(place)
        else:
            start = next((row for row in range(len(opened) - 1, -1, -1) if text[opened[row]] in _ISOLATES), -1)
            if start < 0:
                lone.add(place)
            else:
                lone.update(opened[start + 1 :])
                del opened[start:]
    lone.update(opened)
    return "".join(INVISIBLE if place in lone else sign for place, sign in enumerate(text)) if lone else text
