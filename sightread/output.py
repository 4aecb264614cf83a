"""What the commands print: results to the standard output, remarks to the standard error."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

import msgspec

from classify.document import Document
from render.errors import StorageFailed


def written(document: Document, name: str) -> str:
    """Return the document in a format of the command line: markdown, text, html or json."""
    if name == "json":
        return document.to_json() + "\n"
    text = {"markdown": document.markdown, "text": document.text, "html": document.html}[name]
    return text if text.endswith("\n") or not text else text + "\n"


def tell(options: Namespace, result: Mapping[str, Any]) -> None:
    """Print a result: one line of JSON for machines, a list for people."""
    if options.json:
        write(msgspec.json.encode(result).decode() + "\n")
        return
    for name, value in result.items():
        for item in value if isinstance(value, list) else [value]:
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
