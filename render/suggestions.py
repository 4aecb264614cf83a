"""Suggestions for a misspelt name: the nearest of the known ones, as messages name it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

LEAST_LIKENESS = 0.6
"""Of a name to one that may be meant, 0 to 1 (`difflib`)."""


def nearest(name: str, known: Iterable[str], likeness: float = LEAST_LIKENESS) -> str:
    """Return the known name that is most like the given one; empty if none is."""
    return next(iter(get_close_matches(name, list(known), 1, likeness)), "")


def did_you_mean(name: str, known: Iterable[str], likeness: float = LEAST_LIKENESS) -> str:
    """Return the nearest name as a question in brackets, with a space before it; empty if none is near."""
    near = nearest(name, known, likeness)
    return f" (did you mean {near}?)" if near else ""


def known_names(name: str, known: Collection[str], listed: str = "") -> str:
    """Return the known names as the end of a sentence, after the nearest one; `listed` is the list in other words."""
    near = nearest(name, known)
    verb = "is" if len(known) == 1 else "are"
    return f"{f'did you mean {near}? There' if near else 'there'} {verb} {listed or ', '.join(known)}"
