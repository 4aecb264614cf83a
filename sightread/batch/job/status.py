"""How far a job is, and what it costs: totals and rates over the entries of all runners."""

from __future__ import annotations

import os
import socket
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from sightread.batch.inputs.files import Partition
from sightread.batch.job.manifest import read_progress
from sightread.batch.job.storage import Storage
from sightread.render.files import storage_errors


class JobLog:
    """Appends events to a file; without a path it does nothing. A context manager. Several processes may append to one file.

    Each line has `time`, `event`, `host`, `process` and the event's own fields, of pages `partition`, `source` and `position`.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file = -1

    def __enter__(self) -> Self:
        if self._path is not None:
            with storage_errors(self._path):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def write(self, event: str, **fields: object) -> None:
        """Append an event. A full disk loses the line, not the job."""
        if self._file < 0:
            return
        known = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, "host": socket.gethostname()}
        try:
            os.write(self._file, msgspec.json.encode({**known, "process": os.getpid(), **fields}) + b"\n")
        except (OSError, UnicodeEncodeError):
            return


RECENT_SECONDS = 600.0
"""Seconds over which the current rate is taken."""


class Status(msgspec.Struct, frozen=True):
    """Totals of a job, or of a shard of it."""

    partitions: int
    partitions_done: int
    is_done: bool
    rows: int
    extracted: int
    skipped: int
    failed: int
    others: dict[str, int]
    """Records that hold no answer and have no row, by kind."""
    models: dict[str, int]
    """Rows by model, and version of a site's model."""
    recent_pages_per_second: float
    """Rows committed in the last ten minutes by all runners together, per second."""
    seconds_left: float
    """At that rate, if the other partitions are like those that are done; 0 if it is not known."""
    cpu_seconds_per_page: float
    """Mean processor time of an extracted page, with its browser and the loading of models."""
    seconds_per_page: float
    """Mean wall time of a row in one worker."""


def read_status(storage: Storage, partitions: Sequence[Partition]) -> Status:
    """Return the status of some partitions. Raises `BadRecord`."""
    progress = read_progress(storage, partitions)
    entries, now = progress.entries, time.time()
    rows, extracted = sum(entry.rows for entry in entries), sum(entry.extracted for entry in entries)
    others: Counter[str] = Counter()
    models: Counter[str] = Counter()
    for entry in entries:
        others.update(entry.others)
        models.update(entry.models)
    recent = [entry for entry in entries if entry.committed_at > now - RECENT_SECONDS]
    first = min((entry.committed_at - entry.seconds for entry in recent), default=now)
    rate = sum(entry.rows for entry in recent) / max(1.0, min(RECENT_SECONDS, now - first))
    done = len(progress.done)
    left = rows / done * (progress.partitions - done) / rate if done and rate else 0.0
    return Status(
        progress.partitions,
        done,
        progress.is_done,
        rows,
        extracted,
        sum(entry.skipped for entry in entries),
        sum(entry.failed for entry in entries),
        dict(others),
        dict(models),
        round(rate, 2),
        round(left),
        round(sum(entry.cpu_seconds for entry in entries) / max(1, extracted), 4),
        round(sum(entry.seconds for entry in entries) / max(1, rows), 4),
    )


def metrics(status: Status) -> str:
    """Return the status as Prometheus metrics in text, as its node exporter reads from files."""
    gauges = {
        "partitions": status.partitions,
        "partitions_done": status.partitions_done,
        "pages_per_second": status.recent_pages_per_second,
        "seconds_left": status.seconds_left,
        "cpu_seconds_per_page": status.cpu_seconds_per_page,
    }
    states = {"extracted": status.extracted, "skipped": status.skipped, "failed": status.failed}
    lines = [f"# TYPE sightread_batch_{name} gauge\nsightread_batch_{name} {value}" for name, value in gauges.items()]
    rows = [f'sightread_batch_rows{{state="{state}"}} {value}' for state, value in states.items()]
    return "\n".join([*lines, "# TYPE sightread_batch_rows gauge", *rows, ""])
