"""Command output: results to standard output, messages to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from sightread.document.document import Document
from sightread.document.formats import Also, write_document
from sightread.render.errors import StorageFailed


def formatted(document: Document, name: str, also: Iterable[Also] = ()) -> str:
    """Return the document in the given output format, with a newline at its end."""
    text = write_document(document, name, also)
    return text if text.endswith("\n") or not text else text + "\n"


def explanation(document: Document) -> str:
    """Return the dropped blocks with their reasons, and the blocks kept for another reason than their probability; one per line."""
    out = [_reason_line(each.reason, each.probability, each.text) for each in document.left_out]
    kept = zip(document.reasons, document.probabilities.tolist(), document.blocks, strict=True)
    added = [_reason_line(reason, probability, block.text) for reason, probability, block in kept if reason != "probability"]
    count = f"{len(out)} of {len(document.page.blocks)}"
    lines = [f"left out: {count} blocks (reason, probability, text)\n", *out]
    if added:
        lines += [f"kept by the page's structure: {len(added)} blocks\n", *added]
    return "".join(lines)


def _reason_line(reason: str, probability: float, text: str) -> str:
    return f"{reason:>19}  {probability:.2f}  {' '.join(text.split())[:100]}\n"


def print_result(result: Mapping[str, Any], *, json: bool) -> None:
    """Print a result: one line of JSON, or a list for people."""
    if json:
        write(msgspec.json.encode(result).decode() + "\n")
        return
    for name, value in result.items():
        for item in value if isinstance(value, list) else [value] if value not in ("", None) else []:
            write(f"{name.replace('_', ' '):>16}  {item}\n")


def write(text: str) -> None:
    """Write to the standard output at once. Raises `StorageFailed` if its disk is full, `BrokenPipeError` if its reader has gone."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python tries the rest once more at its end
        if isinstance(error, BrokenPipeError):
            raise
        raise StorageFailed(f"cannot write the standard output: {error.strerror}") from error


def print_message(line: str) -> None:
    """Print a message to standard error."""
    print(f"sightread: {line}", file=sys.stderr)
