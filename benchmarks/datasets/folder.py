"""Finding and reading the data sets: they stay where they are, and nothing of them is committed."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from sightread.render.errors import BadRecord, Rejected


def data_folder(option: Path | None) -> Path:
    """Return the folder of the data sets: the option, else SIGHTREAD_DATA. Raises `Rejected` if there is none."""
    folder = option or (Path(os.environ["SIGHTREAD_DATA"]) if os.environ.get("SIGHTREAD_DATA") else None)
    if folder is None:
        raise Rejected("no data sets: name their folder with --data or SIGHTREAD_DATA (sources: docs/benchmarks.md)")
    if not folder.is_dir():
        raise Rejected(f"{folder}: no such folder; --data or SIGHTREAD_DATA names the folder that holds the data sets")
    return folder


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a gzipped file, one per line."""
    if not path.is_file():
        raise Rejected(f"{path}: no such data set here (source: docs/benchmarks.md)")
    decoder = msgspec.json.Decoder(dict[str, Any])
    number = 0
    try:
        with gzip.open(path, "rb") as lines:
            for line in lines:
                number += 1
                yield decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, OSError, EOFError) as error:
        raise BadRecord(f"{path} line {number}: {error}; get the data set again") from error
