"""Output formats of a document: every module of this package is one, under its own name.

A module defines `FORMAT`, and nothing else is needed: command line, API and benchmarks read the formats from here. Names are known without
importing a format.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Literal, TypeAlias

Document: TypeAlias = Any
"""A `sightread.document.document.Document`, which is built above its formats."""

Also = Literal["posts", "attributes", "left_out", "spans"]
"""Optional fields of the JSON of a document."""
Marks = Literal["footnotes", "comments"]
"""How Markdown names its spans: by footnotes with links to the page, or by HTML comments with numbers alone."""


CHUNK_TOKENS = 512
"""Tokens of a chunk by default: the input of many embedding models."""


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Options of single formats."""

    also: tuple[Also, ...] = ()
    """Of JSON: optional fields."""
    chunk_tokens: int = CHUNK_TOKENS
    """Of chunks: most tokens of each."""
    chunk_overlap: int = 0
    """Of chunks: most tokens that each repeats from the one before."""
    citations: Marks | None = None
    """Of Markdown: the marks of spans; of JSON and chunks: whether they have the spans."""

    @property
    def fields(self) -> tuple[Also, ...]:
        """The optional fields of the JSON."""
        return (*self.also, "spans") if self.citations else self.also


DEFAULTS = WriteOptions()


@dataclass(frozen=True, slots=True)
class Format:
    """One output format."""

    write: Callable[[Document, WriteOptions], str]
    """Function from a document and the options to text."""
    media_type: str
    aliases: tuple[str, ...] = ()
    holds_metadata: bool = False
    """Whether the text holds the page's metadata, beside its content."""
    takes_citations: bool = False


@cache
def format_names() -> tuple[str, ...]:
    """Return the names of all formats."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


@cache
def find_format(name: str) -> Format | None:
    """Return the format of that name or alias; None if there is none."""
    if name in format_names():
        return _load(name)
    return next((found for each in format_names() if name in (found := _load(each)).aliases), None)


def known_format(name: str) -> Format:
    """Return the format of that name or alias. Raises `KeyError` if there is none."""
    if found := find_format(name):
        return found
    raise KeyError(name)


def write_document(document: Document, name: str, options: WriteOptions = DEFAULTS) -> str:
    """Return the document in the format of that name. Raises `KeyError` if there is none."""
    return known_format(name).write(document, options)


def _load(name: str) -> Format:
    found: Format = import_module(f"{__name__}.{name}").FORMAT
    return found
