"""CleanPortalEval (Endrédy and Novák 2013): pages of four news portals with gold text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from benchmarks.datasets.samples import read_samples

DATA = "cleanportaleval"
_REMARK = re.compile(r"<!--.*?-->", re.DOTALL)
"""Annotators' marks in place of a gold text: there is no article."""


class Stored(NamedTuple):
    """A page of the data set; a page without an article has an empty gold text."""

    portal: str
    """Prefix of its id."""
    id: str
    url: str
    html: str
    gold: str


def read_portals(data: Path) -> list[Stored]:
    """Return the pages in the file's order, or in that of their names. Raises `Rejected` if the set is not there."""
    return [
        Stored(sample.id.partition("_")[0], sample.id, sample.url, sample.html, _REMARK.sub("", sample.gold).strip())
        for sample in read_samples(DATA, data)
    ]
