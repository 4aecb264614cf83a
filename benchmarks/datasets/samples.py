"""The data sets as pages with gold text, in our form: `<name>/pages.jsonl.gz`, one JSON object a line with `id`, `url`, `html`, `text`
and, if the set has them, `page_type`. If that file is absent, the set's public original is read (`benchmarks.datasets.originals`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from benchmarks.datasets.folder import read_lines
from benchmarks.datasets.originals import ORIGINALS, Original
from benchmarks.runner.store import digest
from sightread.render.errors import Rejected

COMPARISON = ("cleaneval", "cleanportaleval", "dragnet", "l3s-gn1", "readability", "scrapinghub")
"""Of the eight sets of the empirical comparison (Bevendorff et al. 2023, Table 1) those that were at hand."""
WCXB = "wcxb-dev"
SETS = (*COMPARISON, WCXB)

Item = TypeVar("Item")


class Sample(NamedTuple):
    """A page of a data set."""

    data: str
    id: str
    url: str
    html: str
    gold: str
    kind: str = ""
    """Its page type, if the set declares one."""

    @property
    def key(self) -> str:
        """A digest of what an extractor sees of it."""
        return digest(self.html, self.url)


def at_even_distances(items: Sequence[Item], count: int) -> list[Item]:
    """Return `count` of the items, spread evenly from the first to the last; all if there are fewer."""
    return [items[int(row)] for row in np.linspace(0, len(items) - 1, min(count, len(items)))]


def wcxb_markup(data: Path, count: int) -> list[bytes]:
    """Return the markup of `count` pages of WCXB dev, at even distances, in UTF-8."""
    return at_even_distances([page.html.encode("utf-8", "replace") for page in read_samples(WCXB, data) if page.html], count)


def find_sets(names: Iterable[str], folder: Path) -> list[str]:
    """Return the names, each once; without any, all sets that are there. Raises `Rejected` for a name of none, and where none is there."""
    requested = list(dict.fromkeys(names))
    for name in requested:
        if name not in SETS:
            near = get_close_matches(name, SETS, 1)
            raise Rejected(f"no data set is called {name!r}; {f'did you mean {near[0]}? There' if near else 'there'} are {', '.join(SETS)}")
    found = requested or [name for name in SETS if (folder / name).is_dir()]
    if not found:
        raise Rejected(f"{folder}: none of {', '.join(SETS)} is there (sources: docs/benchmarks.md)")
    return found


def read_samples(name: str, folder: Path) -> Iterator[Sample]:
    """Yield the pages of a set. Raises `Rejected` if neither form of it is there, `BadRecord` for a damaged file."""
    stored = folder / name / "pages.jsonl.gz"
    if name in ORIGINALS and not stored.is_file() and (folder / name).is_dir():
        yield from (_sample(name, original) for original in ORIGINALS[name](folder / name))
        return
    for page in read_lines(stored):
        yield Sample(name, str(page["id"]), page.get("url") or "", page["html"], page["text"] or "", page.get("page_type") or "")


def _sample(name: str, original: Original) -> Sample:
    return Sample(name, original.id, original.url, original.html, original.gold)
