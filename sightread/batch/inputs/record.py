"""`InputRecord`: one record of an input, with its position; and `Partition`: a range of records that one worker reads."""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec

LOG = logging.getLogger(__name__)

TO_THE_END = -1
"""End of a partition that reaches to the end of its file, whose length is not known."""


class InputRecord(msgspec.Struct, frozen=True, array_like=True):
    """One record: a page, or the reason why it is none."""

    position: int
    """Its byte offset in a WARC file, else its number in the file, from 0."""
    url: str = ""
    html: bytes = b""
    """Empty for a URL that a browser opens."""
    page: bytes = b""
    """A stored `Page` that was rendered before, in JSON."""
    charset: str = ""
    """As the HTTP answer declares it; empty if it does not."""
    note: str = ""
    """A defect of the record that leaves it readable."""
    other: str = ""
    """Kind of a record that holds no answer, such as a WARC request: it is counted, and has no row."""
    skipped: str = ""
    """Reason for which an answer is no page: a code, then a colon and details."""
    failed: str = ""
    """Reason for which the record cannot be read."""

    @classmethod
    def guarded(cls, position: int, read: Callable[[], InputRecord]) -> InputRecord:
        """Return what `read` returns; a record on which it fails is lost alone, for the process would fail on it again and again."""
        try:
            return read()
        except (ValueError, LookupError, TypeError, ArithmeticError, AttributeError) as error:
            LOG.warning("record at %d: %r", position, error, exc_info=True)
            return cls(position, failed="damaged: it cannot be parsed")


class Partition(msgspec.Struct, frozen=True):
    """A range of records of one input file: a pure function of the input and the options of the job."""

    number: int
    """Its place in the plan, from 0."""
    kind: str
    """warc, jsonl, parquet, corpus or urls."""
    file: str
    """The input file, its path or URL; of a list of URLs, the partition's own file in the output."""
    start: int = 0
    """Position of its first record."""
    end: int = TO_THE_END
    """Position after its last record."""
    records: int = 0
    """How many it has; 0 if that is not known."""
    owner: int = 0
    """Partitions with one owner belong to the same shard, and do not run at once: a host has one owner."""
    byte: int = 0
    """Offset at which reading begins, if records are numbered."""

    def holds(self, position: int) -> bool:
        """Return whether a position is before the end."""
        return self.end == TO_THE_END or position < self.end
