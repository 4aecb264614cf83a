"""Store of extracted texts and their scores: one SQLite file, which a kill at any moment leaves whole.

A text is kept under the extractor, its version and the page's content; a score under the measure, the text and the gold text. So a second
run does only what is new: pages that changed, extractors of another version, measures that were not taken.

In the end each set and extractor has one Parquet file, a row per page, which `table` reads. Columns: `page` (its id in the set),
`kind` (page type), `version`, `failure`, `cpu` (seconds), and `<measure>_precision`, `_recall` and `_f1` for each of
`benchmarks.metrics.measures`.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import math
import os
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple, Self

import pandas as pd

from benchmarks.metrics.measures import MEASURES
from sightread.classify.evaluation import Score
from sightread.render.errors import BadRecord, Rejected, StorageFailed, Unequipped
from sightread.render.files import write_atomically

WAIT = 120
"""Seconds to wait for another run that writes to the same file."""
_TABLES = """
create table if not exists texts (
    extractor text, version text, page text, text blob, digest text, failure text, cpu real, primary key (extractor, version, page)
) without rowid;
create table if not exists scores (
    measure text, digest text, gold text, precision real, recall real, f1 real, primary key (measure, digest, gold)
) without rowid;
"""


class Extraction(NamedTuple):
    """Result of an extractor for a page."""

    text: str
    failure: str = ""
    """The error raised, or the end of its process; the text counts as empty then."""
    cpu: float = 0.0
    """Seconds of CPU time."""


class StoredExtraction(NamedTuple):
    """A stored extraction, without its text."""

    digest: str
    failure: str
    cpu: float


def default_cache() -> Path:
    """Return the user's own cache folder for benchmarks, by the XDG convention."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sightread" / "benchmarks"


def digest(*texts: str) -> str:
    """Return a digest of texts; lone surrogates count."""
    whole = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        whole.update(b"%d:" % len(data) + data)
    return whole.hexdigest()[:32]


class Store:
    """An open cache; a context manager. One thread uses it, and any number of processes may."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "extractions.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(self._path, timeout=WAIT)
        except (OSError, sqlite3.Error) as error:
            raise StorageFailed(f"cannot open {self._path}: {error}; choose another folder with --cache") from error
        with self._errors_reported():
            self._file.execute("pragma journal_mode = wal")
            self._file.execute("pragma synchronous = normal")
            self._file.executescript(_TABLES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def keep(self, extractor: str, version: str, found: Iterable[tuple[str, Extraction]]) -> None:
        """Keep extractions of pages, all of them or, killed meanwhile, none. Raises `StorageFailed`."""
        rows = [(extractor, version, page, _packed(each.text), digest(each.text), each.failure, each.cpu) for page, each in found]
        with self._errors_reported(), self._file:
            self._file.executemany("insert or replace into texts values (?, ?, ?, ?, ?, ?, ?)", rows)

    def kept(self, extractor: str, version: str) -> dict[str, StoredExtraction]:
        """Return what is kept of an extractor, by page."""
        with self._errors_reported(), closing(self._file.cursor()) as cursor:
            rows = cursor.execute("select page, digest, failure, cpu from texts where extractor = ? and version = ?", (extractor, version))
            return {page: StoredExtraction(*rest) for page, *rest in rows}

    def text(self, extractor: str, version: str, page: str) -> str:
        """Return a text that is kept. Raises `BadRecord` if it is not."""
        with self._errors_reported():
            query = "select text from texts where extractor = ? and version = ? and page = ?"
            row = self._file.execute(query, (extractor, version, page)).fetchone()
        if row is None:
            raise BadRecord(f"{self._path}: {extractor} {version} has no text of page {page}: run it again")
        return _unpacked(row[0])

    def keep_scores(self, measure: str, found: Mapping[tuple[str, str], Score]) -> None:
        """Keep scores by digests of the text and of the gold text."""
        rows = [(measure, *key, score.precision, score.recall, score.f1) for key, score in found.items()]
        with self._errors_reported(), self._file:
            self._file.executemany("insert or replace into scores values (?, ?, ?, ?, ?, ?)", rows)

    def scores(self, measure: str) -> dict[tuple[str, str], Score]:
        """Return all scores of a measure, by digests of the text and of the gold text. SQLite keeps NaN as nothing."""
        with self._errors_reported(), closing(self._file.cursor()) as cursor:
            rows = cursor.execute("select digest, gold, precision, recall, f1 from scores where measure = ?", (measure,))
            return {(text, gold): Score(*(math.nan if value is None else value for value in values)) for text, gold, *values in rows}

    @contextmanager
    def _errors_reported(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StorageFailed(f"{self._path}: {error}; free the disk, or delete the file and run again") from error


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def _unpacked(data: bytes) -> str:
    return zlib.decompress(data).decode("utf-8", "surrogatepass")


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
        found = [read_results(cache, of_set, name) for name in requested or [path.stem for path in there]]
        frames += [frame for frame in found if frame is not None]
    missing = set(requested) - {name for frame in frames for name in frame["extractor"].unique()}
    if missing or not frames:
        reason = f"none of {', '.join(sorted(missing))}" if missing else "no results"
        raise Rejected(f"{cache}: {reason}; make them with: python -m benchmarks run NAME ...")
    return pd.concat(frames, ignore_index=True)


def _path(cache: Path, data: str, name: str) -> Path:
    return cache / "results" / data / f"{re.sub(r'[^0-9A-Za-z.-]', '-', name)}.parquet"


def add_cache(parser: argparse.ArgumentParser) -> None:
    """Add where results are kept, and of which sets."""
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where results are kept (default: the user's cache folder)")
    parser.add_argument("--sets", nargs="+", default=(), metavar="SET", help="data sets (default: all that are there)")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add how many processes work."""
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once (default: one per CPU core)")


def add_measure(parser: argparse.ArgumentParser) -> None:
    """Add the measure that is shown."""
    parser.add_argument("--measure", choices=tuple(MEASURES), default="rouge", help="(default: %(default)s)")


def add_results(parser: argparse.ArgumentParser) -> None:
    """Add which stored results are shown."""
    parser.add_argument("extractors", nargs="*", metavar="EXTRACTOR", help="(default: all that have results)")
    add_cache(parser)
    add_measure(parser)
