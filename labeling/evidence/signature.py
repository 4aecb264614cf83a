"""Signatures: the look of every block of a site, as a table of few distinct values.

A signature is what the original paper clusters by (Zhou and Mashuq 2013, section 3.2): the tag path and the computed properties that
differ from the body's, with the width beside it. A site of thousands of blocks has a hundred of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Page, Style

WIDEST = float(1 << 25)
"""CSS px. Chromium lays nothing out beyond it: its layout unit is a 64th of a px in 32 bits."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A tag path and the computed properties that differ from the body's."""

    tag_path: str
    style: Style

    def digest(self) -> str:
        """Return a digest of 32 hexadecimal digits, equal in every run and for any order of the properties."""
        return blake2b(msgspec.json.encode((self.tag_path, sorted(self.style.items()))), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class SignatureTable:
    """Every block of a site in page and document order: array row i is block i of the concatenated pages."""

    signatures: tuple[Signature, ...]
    """Each once."""
    signature: NDArray[np.int32]
    """Row of each block's signature."""
    width: NDArray[np.float64]
    """CSS px, from 0 to `WIDEST`; 0 if the page has no boxes."""
    page: NDArray[np.int32]
    """Row of each block's page."""


def build_table(pages: Sequence[Page]) -> SignatureTable:
    """Return the signature of every block of the pages.

    A width that is no number or below 0 counts as not measured, one beyond `WIDEST` as that. Records from a browser or a file hold none
    such, for JSON has no word for them; pages made by hand may.
    """
    styles = _Styles()
    rows: dict[tuple[str, int], int] = {}
    signature, width = [], []
    for page in pages:
        paths = page.tag_paths()
        of_style = [styles.row(style) for style in page.styles]
        for block in page.blocks:
            key = (paths[block.element], of_style[block.style] if block.style is not None else styles.none)
            signature.append(rows.setdefault(key, len(rows)))
            width.append(block.box.width if block.box else 0.0)
    return SignatureTable(
        signatures=tuple(Signature(path, styles.all[row]) for path, row in rows),
        signature=np.array(signature, np.int32),
        width=np.nan_to_num(np.array(width, np.float64), nan=0.0, posinf=WIDEST).clip(0.0, WIDEST),
        page=np.repeat(np.arange(len(pages), dtype=np.int32), [len(page.blocks) for page in pages]),
    )


class _Styles:
    """The distinct styles of a site. They are compared by a hash first, since a hostile page may have thousands of properties."""

    def __init__(self) -> None:
        self.all: list[Mapping[str, str]] = []
        self._rows: dict[int, list[int]] = {}
        self.none = self.row({})

    def row(self, style: Mapping[str, str]) -> int:
        """Return the row of the style, independent of the order of its properties."""
        alike = self._rows.setdefault(hash(frozenset(style.items())), [])
        for row in alike:
            if self.all[row] == style:
                return row
        alike.append(len(self.all))
        self.all.append(style)
        return alike[-1]
