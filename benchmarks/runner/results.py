"""Results on disk: one Parquet file per set and extractor, a row per page, in the cache folder. `table` and `compare` read nothing else.

Columns: `page` (its id in the set), `kind` (page type), `version`, `failure`, `cpu` (seconds), and `<measure>_precision`, `_recall` and
`_f1` for each of `benchmarks.metrics.measures`. Beside them, `pages` holds what is known of each page itself
(`benchmarks.metrics.features`).
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from sightread.render.errors import BadRecord, Rejected, Unequipped
from sightread.render.files import write_atomically

PAGES = "pages"
"""The file that no extractor has."""


def write_results(cache: Path, data: str, name: str, frame: pd.DataFrame) -> None:
    """Replace the results of an extractor on a set. Raises `StorageFailed`, and `Unequipped` without pyarrow."""
    buffer = io.BytesIO()
    try:
        frame.assign(data=data, extractor=name).to_parquet(buffer, index=False)
    except ImportError as error:
        raise Unequipped("Parquet wants pyarrow, which is not installed: pip install pyarrow") from error
    write_atomically(_path(cache, data, name), buffer.getvalue())


def read_results(cache: Path, data: str, name: str) -> pd.DataFrame | None:
    """Return the results of an extractor on a set, in the set's order; None if there are none. Raises `BadRecord` for a damaged file."""
    path = _path(cache, data, name)
    if not path.is_file():
        return None
    try:
        return pd.read_parquet(path)
    except ImportError as error:
        raise Unequipped("Parquet wants pyarrow, which is not installed: pip install pyarrow") from error
    except (OSError, ValueError) as error:
        raise BadRecord(f"{path}: not a Parquet file of results: {error}; delete it and run again") from error


def read_all(cache: Path, data: Iterable[str], names: Iterable[str] = ()) -> pd.DataFrame:
    """Return the results of these sets, of these extractors or of all. Raises `Rejected` if there are none, or a named one has none."""
    requested = list(names)
    frames = []
    for of_set in data:
        there = sorted((cache / "results" / of_set).glob("*.parquet"))
        found = [read_results(cache, of_set, name) for name in requested or [path.stem for path in there if path.stem != PAGES]]
        frames += [frame for frame in found if frame is not None]
    missing = set(requested) - {name for frame in frames for name in frame["extractor"].unique()}
    if missing or not frames:
        reason = f"none of {', '.join(sorted(missing))}" if missing else "no results"
        raise Rejected(f"{cache}: {reason}; make them with: python -m benchmarks run NAME ...")
    return pd.concat(frames, ignore_index=True)


def _path(cache: Path, data: str, name: str) -> Path:
    return cache / "results" / data / f"{re.sub(r'[^0-9A-Za-z.-]', '-', name)}.parquet"
