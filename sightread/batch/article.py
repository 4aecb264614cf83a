"""`Article`: the record of an extracted page in an index and in `articles.jsonl`, and the front matter of its file."""

from __future__ import annotations

from typing import Any

import msgspec

from sightread.document.document import Document
from sightread.reading.extraction import front_matter


class Article(msgspec.Struct, frozen=True):
    """An extracted page; fields that are not known are empty."""

    file: str
    """Its file in the folder."""
    url: str
    title: str
    authors: tuple[str, ...]
    published: str
    """`YYYY-MM-DD`; so is `modified`."""
    modified: str
    language: str
    page_type: str
    model: str
    version: str
    """The version of the site's model, if that chose the text."""
    expected_f1: float
    """Expected F1 of the chosen text by characters, 0 to 1."""
    notes: tuple[str, ...]
    """Codes of the document's notes."""
    note: str
    """Their messages."""


class ArticleText(Article, frozen=True):
    """An extracted page with its text: a line of `articles.jsonl`."""

    markdown: str
    text: str


def article_fields(document: Document) -> dict[str, Any]:
    """Return the fields that an article and a row of a batch share, but for the notes."""
    metadata = document.metadata
    return {
        "title": metadata.title,
        "authors": metadata.authors,
        "published": metadata.published,
        "modified": metadata.modified,
        "language": metadata.language,
        "page_type": metadata.page_type,
        "model": document.model,
        "version": document.version,
        "expected_f1": round(document.confidence, 4),
    }


def article_of(document: Document, file: str) -> Article:
    """Return the record of a document."""
    notes = tuple(note.code for note in document.notes)
    return Article(file=file, url=document.url, **article_fields(document), notes=notes, note=document.note)


def article_with_text(document: Document, file: str) -> ArticleText:
    """Return the record of a document with its Markdown and text."""
    return ArticleText(**msgspec.structs.asdict(article_of(document, file)), markdown=document.markdown, text=document.text)


def with_front_matter(document: Document, text: str) -> str:
    """Return the text, ending in a newline, below the metadata of its page, the model and its expected F1, as YAML."""
    text = front_matter(document, model=document.model, expected_f1=round(document.confidence, 4)) + text
    return text if text.endswith("\n") else text + "\n"
