"""Readers' comments below the posts of a blog."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path

from benchmarks.sites.applications.communities import write_application
from benchmarks.sites.layout import write_text
from benchmarks.sites.programs.publishing_sites.django_sites import FRAMES
from benchmarks.sites.texts.documents import SourceDocument

READERS = ("Bela", "Chidi", "Dora", "Emil", "Fatma", "Goro", "Hana", "Ivan")
"""Names of those who comment."""


def comments_on(documents: Sequence[SourceDocument], number: int) -> list[tuple[str, date, str]]:
    """Return three to eight comments on a document: name, day and text, which is of the summaries of other documents."""
    found = []
    for place in range(3 + number % 6):
        other = documents[(number + 3 * place + 1) % len(documents)]
        day = documents[number].published + timedelta(days=place // 2)
        found.append((READERS[(number + place) % len(READERS)], day, other.summary))
    return found


def commented(name: str) -> Callable[[Path, str, Sequence[SourceDocument]], None]:
    """Return what writes an application of Django and, beside it, the comments of each document."""

    def write(project: Path, theme: str, documents: Sequence[SourceDocument]) -> None:
        del theme
        found = [[(reader, str(day), text) for reader, day, text in comments_on(documents, number)] for number in range(len(documents))]
        write_text(project / "readers.json", json.dumps(found))
        for path, text in FRAMES.get(name, {}).items():
            write_text(project / path, text)
        write_application(project, name, documents)

    return write
