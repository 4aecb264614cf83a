"""Command output: results to standard output, messages to standard error."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from render.errors import StorageFailed
from sightread.document.document import Document
from sightread.document.formats import Also, write_document


def written(document: Document, name: str, also: Iterable[Also] = ()) -> str:
    """Return the document in a format of the command line, with a newline at its end."""
    text = write_document(document, name, also)
    return text if text.endswith("\n") or not text else text + "\n"


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
