"""Weights of networks: how long they are trained, and their files.

A file is an npz archive with the model's kind, a schema version and a checksum; never a pickle. `numpy.load` opens it too. The member
`about.json` describes the others; each array is a member `NAME.npy`. The same arrays give the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import SCHEMA, check_kind, check_sum
from sightread.render.errors import BadRecord, Unequipped
from sightread.render.files import write_atomically

MOST_BYTES = 1 << 29
"""Bytes that a file may unfold to: far above any shipped model, and far below what exhausts memory."""

_HEADER = "about.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every member: files of the same arrays are equal. The earliest that the zip format knows."""
_UNREADABLE = (OSError, EOFError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""Errors of reading members of a damaged or foreign file, each seen with a changed or missing byte: `BadZipFile`, `zlib.error` and
`EOFError` for damaged contents; `KeyError` for a missing member; `RuntimeError` for flags that mean encryption and, as its subclass
`NotImplementedError`, for an unknown compression; `ValueError` for invalid JSON, names and offsets; `OSError` for the file itself."""
_ARRAY_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<|](?:b1|[iu][1248]|f[248]))', 'fortran_order': False, 'shape': \(((?:\d{1,10}[, ]*)*)\), \} *\n",
    re.DOTALL,
)
"""An array's header as `save_weights` writes it (npy format 1.0): type and shape, in C order."""


class Weights(NamedTuple):
    """The contents of a file of weights."""

    arrays: dict[str, NDArray[Any]]
    about: dict[str, Any]
    """Parameters of the model besides arrays: names of features, settings."""


class _Header(msgspec.Struct):
    kind: str
    schema: int
    sha256: str
    about: dict[str, Any]


def save_weights(path: Path, kind: str, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> None:
    """Write the arrays, and `about` as JSON, to one file with its kind, schema version and checksum. Raises `StorageFailed`."""
    members = dict(sorted((f"{name}.npy", _encode(array)) for name, array in arrays.items()))
    header = _Header(kind, SCHEMA, _checksum(members, about), dict(about))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in {_HEADER: msgspec.json.encode(header), **members}.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)
    write_atomically(path, buffer.getvalue())


def load_weights(path: Path, kind: str) -> Weights:
    """Return what `save_weights` wrote. Raises `BadRecord` for a damaged, foreign or outdated file."""
    try:
        with zipfile.ZipFile(path) as archive:
            header, members = _read(archive, path, kind)
        check_sum(path, header.sha256, _checksum(members, header.about))
        arrays = {name.removesuffix(".npy"): _decode(data) for name, data in members.items()}
    except _UNREADABLE as error:
        raise BadRecord(f"{path}: not a model of sightread ({error}); neural models are npz files, written by train") from error
    return Weights(arrays, header.about)


def _read(archive: zipfile.ZipFile, path: Path, kind: str) -> tuple[_Header, dict[str, bytes]]:
    """Return the header and the raw members. Nothing is unfolded before the sizes and the kind are known to be right."""
    if (size := sum(member.file_size for member in archive.infolist())) > MOST_BYTES:
        raise BadRecord(f"{path}: unfolds to {size} bytes, more than any model of sightread; train it again")
    header = msgspec.json.decode(archive.read(_HEADER), type=_Header)
    check_kind(path, kind, header.kind, header.schema)
    return header, {name: archive.read(name) for name in sorted(archive.namelist()) if name != _HEADER}


def _checksum(members: Mapping[str, bytes], about: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(msgspec.json.encode(about, order="deterministic"))
    for name, data in members.items():
        digest.update(f"\0{name}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def _encode(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array, order="C"), version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def _decode(data: bytes) -> NDArray[Any]:
    """Return the array of a member. Raises `ValueError` for any other header, or if shape and length of the data do not agree.

    numpy's own reader evaluates the header as Python source and allocates the memory of its shape, before it looks at the data.
    """
    header = _ARRAY_HEADER.match(data)
    if header is None:
        raise ValueError("a member is no array of numbers")
    shape = [int(side) for side in header[2].replace(b",", b" ").split()]
    return np.frombuffer(data, header[1].decode(), offset=header.end()).reshape(shape).copy()


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast a network learns; the rate rises over the first tenth of the steps and falls to nothing at the end."""

    epochs: int
    rate: float
    batch: int = 16
    """Windows of a step."""
    most_windows: int = 8
    """Of one page in one epoch, drawn anew each time: a page of thousands of comments must not outweigh all others."""
    seed: int = 0


def trainer(module: str) -> Any:
    """Return the module of `classify` that trains with PyTorch. Raises `Unequipped` if PyTorch is missing."""
    try:
        return import_module(f"sightread.classify.training.{module}")
    except ModuleNotFoundError as error:
        raise Unequipped(
            f"training a neural model needs {error.name}: install sightread[neural]; reading pages with one does not"
        ) from error
