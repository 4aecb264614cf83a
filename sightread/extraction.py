"""`sightread.extract`: main content from HTML, without a browser; takes trafilatura's options."""

from __future__ import annotations

from dataclasses import asdict
from typing import Literal, TypedDict, Unpack, overload

import msgspec

from render.errors import Rejected
from sightread.document.document import Document
from sightread.document.formats import Format, find_format, format_names
from sightread.document.pruning import PARTS
from sightread.reading import read_static

FAVOURED = {"favor_precision": 0.7, "favor_recall": 0.3}
"""Level relative to the model's, by the option that moves it; else 0.5."""

OutputFormat = Literal["text", "txt", "markdown", "md", "html", "json", "tei", "xmltei"]


class ExtractOptions(TypedDict, total=False):
    """Options of the extracted document; everything is kept by default."""

    with_metadata: bool
    """Put the metadata before text and Markdown, between lines of `---`. JSON and TEI always contain it."""
    include_comments: bool
    include_tables: bool
    include_images: bool
    include_links: bool
    favor_precision: bool
    favor_recall: bool


@overload
def extract(
    html: str | bytes, url: str | None = None, model: str = "auto", *, output_format: None = None, **wanted: Unpack[ExtractOptions]
) -> Document: ...


@overload
def extract(
    html: str | bytes, url: str | None = None, model: str = "auto", *, output_format: OutputFormat, **wanted: Unpack[ExtractOptions]
) -> str: ...


def extract(
    html: str | bytes,
    url: str | None = None,
    model: str = "auto",
    *,
    output_format: OutputFormat | None = None,
    **wanted: Unpack[ExtractOptions],
) -> Document | str:
    """Return the main content of HTML, without a browser: a `Document`, or with an `output_format` its text in that format.

    Without a browser there are no boxes and styles: `auto` takes the best model that reads the DOM alone. trafilatura returns None for a
    page without kept text; this returns an empty text. Raises `Unusable` for input that is not HTML or has no text, `Walled` for a block
    page, `UnknownModel`, and `Rejected` for an unknown format or contradictory options.
    """
    chosen = find_format(output_format) if output_format else None
    _check(output_format, chosen, wanted)
    document = read_static(html, url or "", model).document
    for option, threshold in FAVOURED.items():
        if wanted.get(option):
            document = document.from_threshold(threshold)
    unwanted = [part for part in PARTS if not wanted.get(f"include_{part}", True)]
    if unwanted:
        document = document.without(*unwanted)
    if chosen is None:
        return document
    text = chosen.write(document, ())
    return front_matter(document) + text if wanted.get("with_metadata") and not chosen.holds_metadata else text


def front_matter(document: Document) -> str:
    """Return the metadata as YAML between lines of `---`, with an empty line after it: strings and lists in JSON's notation."""
    fields = {"url": document.url} | asdict(document.metadata)
    lines = [f"{name}: {msgspec.json.encode(value).decode()}" for name, value in fields.items() if value]
    return "\n".join(["---", *lines, "---", "", ""])


def _check(name: str | None, chosen: Format | None, wanted: ExtractOptions) -> None:
    if name and chosen is None:
        aliases = [alias for each in format_names() if (found := find_format(each)) for alias in found.aliases]
        raise Rejected(f"output_format is {name!r}; there are {', '.join((*format_names(), *aliases))}")
    if unknown := sorted(wanted.keys() - ExtractOptions.__annotations__.keys()):
        raise Rejected(f"extract() knows no {', '.join(unknown)}; there are output_format, {', '.join(ExtractOptions.__annotations__)}")
    if wanted.get("favor_precision") and wanted.get("favor_recall"):
        raise Rejected("favor_precision and favor_recall contradict each other: leave one of them out")
    if wanted.get("with_metadata") and chosen is not None and chosen.media_type == "text/html":
        raise Rejected("with_metadata has no place in html: take markdown, text, json or tei, or read Document.metadata")
