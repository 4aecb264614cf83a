"""The look of every block of a site, as a table of few distinct signatures.

A signature is what the original paper clusters by (Zhou and Mashuq 2013, section 3.2): the tag path and the computed properties that
differ from the body's, with the width beside it. A site of thousands of blocks has a hundred of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from render.page import Page


@dataclass(frozen=True, slots=True)
class Signature:
    """A tag path and the computed properties that differ from the body's."""

    tag_path: str
    style: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SignatureTable:
    """Every block of a site in page and document order: array row i is block i of the concatenated pages."""

    signatures: tuple[Signature, ...]
    signature: NDArray[np.int32]
    """Row of each block's signature."""
    width: NDArray[np.float64]
    """CSS px; 0 where the page has no boxes."""
    page: NDArray[np.int32]
    """Row of each block's page."""


def build_table(pages: Sequence[Page]) -> SignatureTable:
    """Return the signature of every block of the pages."""
    rows: dict[tuple[str, tuple[tuple[str, str], ...]], int] = {}
    signatures: list[Signature] = []
    signature, width, of_page = [], [], []
    for number, page in enumerate(pages):
        paths = page.tag_paths()
        styles = [tuple(sorted(style.items())) for style in page.styles]
        for block in page.blocks:
            key = (paths[block.element], styles[block.style] if block.style is not None else ())
            row = rows.setdefault(key, len(rows))
            if row == len(signatures):
                signatures.append(Signature(key[0], dict(key[1])))
            signature.append(row)
            width.append(block.box.width if block.box else 0.0)
            of_page.append(number)
    return SignatureTable(tuple(signatures), np.array(signature, np.int32), np.array(width, np.float64), np.array(of_page, np.int32))
