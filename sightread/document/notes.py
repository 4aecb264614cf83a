"""Notes of a document: what a caller should know about how it was read, each with a code and a level for programs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["info", "warning"]
"""A warning means that the text may be wrong or incomplete."""
NoteCode = Literal[
    "site-unknown",
    "site-not-learned",
    "site-model-needs-browser",
    "site-model-not-trusted",
    "page-needs-browser",
    "page-unlike-site",
    "site-changed",
    "sample-too-narrow",
    "low-confidence",
    "text-recovered",
    "converted",
    "charset-guessed",
    "archive-damaged",
    "page-unfinished",
    "text-hidden",
    "sight-not-used",
]
"""Why there is a note. The first five: `auto` takes the global model, since the page has no URL, its site was not learned, no browser
rendered the page and the site has no student, its model is not trusted, or scripts bring or hide text on pages like it."""
INFORMATION: frozenset[NoteCode] = frozenset(
    ("site-unknown", "site-not-learned", "site-model-needs-browser", "converted", "sight-not-used")
)
"""Codes of the level "info"."""


@dataclass(frozen=True, slots=True)
class Note:
    """One note: a code, and a message with the remedy if there is one."""

    code: NoteCode
    message: str

    @property
    def level(self) -> Level:
        """How much it matters."""
        return "info" if self.code in INFORMATION else "warning"


def joined(notes: Iterable[Note]) -> str:
    """Return the messages as one line."""
    return "; ".join(note.message for note in notes)
