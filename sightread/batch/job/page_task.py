"""Messages of a batch to the process that extracts its pages: the order once, then a task per page."""

from __future__ import annotations

import msgspec

from sightread.batch.inputs.record import InputRecord
from sightread.batch.job.options import ExtractionOptions
from sightread.batch.job.page_row import PageRow


class PageProcessOrder(msgspec.Struct, frozen=True):
    """Instructions for all pages, sent to a process once."""

    extraction: ExtractionOptions
    home: str | None = None
    """The folder of learned sites; None for the default."""
    browser: str | None = None
    """The Chromium to use; None for one that is found."""
    memory: int = 2 << 30
    """Bytes that a page may allocate without a browser."""


class Task(msgspec.Struct, frozen=True, array_like=True):
    """A page to extract."""

    source: str
    record: InputRecord


def failed_row(task: Task, error: Exception) -> PageRow:
    """Return the row of a page that failed."""
    record = task.record
    return PageRow(task.source, record.position, record.url, "failed", str(error), type(error).__name__)
