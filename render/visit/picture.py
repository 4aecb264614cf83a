"""Screenshot record: tiles in WebP or PNG, one below the other, since a page may be taller than one file can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, takewhile
from pathlib import Path
from typing import Literal

from sightread.render.errors import BadRecord
from sightread.render.files import storage_errors, write_atomically
from sightread.render.page import Box

SCALE = 0.5
"""Picture px per CSS px, if nothing else is requested. Letters stay readable, and a median page takes about 60 KB."""

PictureFormat = Literal["webp", "png"]
PNG = b"\x89PNG\r\n\x1a\n"
"""How a PNG file begins."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot of a page, from its top down."""

    tiles: tuple[bytes, ...] = field(repr=False)
    """WebP or PNG files; each continues where the one before ends, without a gap."""
    scale: float = SCALE
    """Picture px per CSS px."""
    left: float = 0.0
    top: float = 0.0
    """Where it begins on the page, in CSS px."""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Where each tile is on the page, by the size in its file. Raises `BadRecord` if one is damaged."""
        boxes: list[Box] = []
        for tile in self.tiles:
            width, height = image_size(tile)
            top = boxes[-1].y + boxes[-1].height if boxes else self.top
            boxes.append(Box(self.left, top, width / self.scale, height / self.scale))
        return tuple(boxes)


def image_size(tile: bytes) -> tuple[int, int]:
    """Read width and height, in px, from the head of a PNG file, or of a WebP file of either kind that Chromium writes.

    Raises `BadRecord` for others.
    """
    if len(tile) >= 24 and tile.startswith(PNG):
        return int.from_bytes(tile[16:20]), int.from_bytes(tile[20:24])
    if len(tile) >= 30 and tile[:4] == b"RIFF" and tile[8:12] == b"WEBP":
        kind = tile[12:16]
        if kind == b"VP8X":  # extended: 24 bits a side, less one
            return int.from_bytes(tile[24:27], "little") + 1, int.from_bytes(tile[27:30], "little") + 1
        if kind == b"VP8 ":  # lossy: 14 bits a side
            return int.from_bytes(tile[26:28], "little") & 0x3FFF, int.from_bytes(tile[28:30], "little") & 0x3FFF
    raise BadRecord("a picture is not a WebP or PNG file, or is damaged: take it again")


def write_picture(path: Path, picture: Picture) -> tuple[Path, ...]:
    """Write the tiles as `page.webp`, `page.tile-2.webp` and so on, for a path `page.webp`, and return where; former ones are gone then.

    Raises `StorageFailed`.
    """
    paths = tuple(tile_path(path, number) for number in range(1, len(picture.tiles) + 1))
    for file, tile in zip(paths, picture.tiles, strict=True):
        write_atomically(file, tile)
    remove_picture(path, beyond=len(paths))
    return paths


def read_picture(path: Path, scale: float = SCALE) -> Picture | None:
    """Return the picture that `write_picture` wrote there; None if there is none."""
    tiles = tuple(file.read_bytes() for file in _files(path, 1))
    return Picture(tiles, scale) if tiles else None


def remove_picture(path: Path, beyond: int = 0) -> None:
    """Delete the files of a picture that come after the first `beyond`. Raises `StorageFailed`."""
    with storage_errors(path):
        for file in list(_files(path, beyond + 1)):
            file.unlink()


def tile_path(path: Path, number: int) -> Path:
    """Return where tile `number` lies, from 1, of the picture at `path`."""
    return path if number == 1 else path.with_name(f"{path.stem}.tile-{number}{path.suffix}")


def _files(path: Path, first: int) -> Iterator[Path]:
    return takewhile(Path.is_file, (tile_path(path, number) for number in count(first)))
