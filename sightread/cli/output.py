"""Command output: results to standard output, messages to standard error."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import msgspec

from render.errors import StorageFailed
from sightread.document.document import Document
from sightread.document.formats.json import Also

FORMATS = ("markdown", "text", "html", "json", "tei")


def in_format(document: Document, name: str, also: Iterable[Also] = ()) -> str:
    """Return the document in one of the formats; `also` are what its JSON is to hold besides."""
    match name:
        case "json":
            return document.to_json(*also)
        case "tei":
            return document.tei
        case "html":
            return document.html
        case "text":
            return document.text
        case _:
            return document.markdown


def written(document: Document, name: str, also: Iterable[Also] = ()) -> str:
    """Return the document in a format of the command line, with a newline at its end."""
    text = in_format(document, name, also)
    return text if text.endswith("\n") or not text else text + "\n"


def front_matter(document: Document) -> str:
    """Return what is known of the page as YAML between lines of `---`, an empty line after it: strings and lists in JSON's notation."""
    told = asdict(document.metadata)
    lines = [f"{name}: {msgspec.json.encode(value).decode()}" for name, value in ({"url": document.url} | told).items() if value]
    return "\n".join(["---", *lines, "---", "", ""])


def explained(document: Document) -> str:
    """Return what was left out of the document and why, a block a line."""
    lines = [f"{each.reason:>15}  {each.probability:.2f}  {' '.join(each.text.split())[:100]}\n" for each in document.left_out]
    return f"left out: {len(lines)} of {len(document.page.blocks)} blocks (why, its probability, its text)\n" + "".join(lines)


def tell(options: Namespace, result: Mapping[str, Any]) -> None:
    """Print a result: one line of JSON for machines, a list for people."""
    if options.json:
        write(msgspec.json.encode(result).decode() + "\n")
        return
    for name, value in result.items():
        for item in value if isinstance(value, list) else [value] if value not in ("", None) else []:
            write(f"{name.replace('_', ' '):>16}  {item}\n")


def write(text: str) -> None:
    """Write to the standard output at once. Raises `StorageFailed` where it is a full disk, `BrokenPipeError` where nobody reads on."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python tries the rest once more at its end
        if isinstance(error, BrokenPipeError):
            raise
        raise StorageFailed(f"cannot write the standard output: {error.strerror}") from error


def say(line: str) -> None:
    """Print a remark."""
    print(f"sightread: {line}", file=sys.stderr)
