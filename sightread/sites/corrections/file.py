"""`corrections.json`: the corrections of a site, in the site's folder, written at once after every answer.

It lies beside the versions of a learned site, not in one of them, so that learning, refreshing and importing keep it. In a folder that the
user named (`learn --out`) it lies beside the corpus.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from sightread.render.errors import BadRecord
from sightread.render.files import write_atomically
from sightread.sites.corrections.records import Correction, Corrections

NAME = "corrections.json"
SCHEMA = 1


class _Stored(msgspec.Struct, forbid_unknown_fields=True):
    schema: int
    corrections: tuple[Correction, ...]
    undone: tuple[Correction, ...] = ()


def load_corrections(path: Path) -> Corrections:
    """Read the file; no corrections if there is none. Raises `BadRecord` for a damaged one."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Corrections()
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read: {error.strerror}") from error
    return decode_corrections(data, str(path))


def decode_corrections(data: bytes, name: str) -> Corrections:
    """Return the corrections of a file's content; `name` is for the message. Raises `BadRecord`."""
    try:
        stored = msgspec.json.decode(data, type=_Stored)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{name}: no corrections of sightread: {error}; restore it from a copy, or delete it to begin anew") from error
    if stored.schema != SCHEMA:
        raise BadRecord(f"{name}: schema version {stored.schema}, this sightread reads {SCHEMA}: update sightread")
    return Corrections(stored.corrections, stored.undone)


def encode_corrections(corrections: Corrections) -> bytes:
    """Return the content of the file: one field per line, so that a diff shows what was changed."""
    stored = _Stored(SCHEMA, corrections.made, corrections.undone)
    return msgspec.json.format(msgspec.json.encode(stored), indent=1) + b"\n"


def save_corrections(path: Path, corrections: Corrections) -> None:
    """Write the file at once: a killed process leaves the old one or the new one. Raises `StorageFailed`."""
    write_atomically(path, encode_corrections(corrections))
