"""Record of whether recently read pages are evidence of a change of their site, shared by processes.

A line is a digest of what the page counts as (`Familiarity.counted_as`: its URL or a section), and 1 if the page is evidence of a change,
else 0. Each is appended in one write, so any number of processes may write; what is read again counts once, with its last value.
"""

from __future__ import annotations

import re
from contextlib import suppress
from hashlib import blake2b
from os import SEEK_END
from pathlib import Path
from typing import NamedTuple

from sightread.render.errors import StorageFailed
from sightread.render.files import write_atomically

PAGES_CONSIDERED = 10
"""Number of different pages considered."""
LOOK_BACK = 200
"""Lines read for them: the same page may have been read many times."""
MOST_LINES = 2000
"""Number of lines from which on the older ones are deleted."""

_LINE = re.compile(rb"^([0-9a-f]{16}) ([01])\n", re.MULTILINE)
_BYTES = 19


class Recent(NamedTuple):
    """The last different pages: their number, and how many of them are evidence of a change."""

    strange: int
    pages: int


def note_page(path: Path, url: str, *, strange: bool) -> Recent:
    """Record whether one page is evidence of a change, and return the last ones, this one included.

    If the file cannot be written or read, only this page is returned: reading a page must not fail for that.
    """
    line = f"{blake2b(url.encode('utf-8', 'replace'), digest_size=8).hexdigest()} {int(strange)}\n".encode()
    content = line
    with suppress(OSError, StorageFailed), path.open("a+b", buffering=0) as file:
        file.write(line)
        size = file.tell()
        file.seek(max(0, size - LOOK_BACK * _BYTES))
        content = file.read()
        if size > MOST_LINES * _BYTES:
            write_atomically(path, content)
    return _last(content)


def read_recent(path: Path) -> Recent:
    """Return the last pages that were recorded; none if none were."""
    with suppress(OSError), path.open("rb") as file:
        file.seek(0, SEEK_END)
        file.seek(max(0, file.tell() - LOOK_BACK * _BYTES))
        return _last(file.read())
    return Recent(0, 0)


def read_readings(path: Path) -> tuple[bool, ...]:
    """Return whether each page is evidence of a change, the oldest first; a page that was read several times is there as often."""
    with suppress(OSError):
        return tuple(mark == b"1" for _, mark in _LINE.findall(path.read_bytes()))
    return ()


def _last(content: bytes) -> Recent:
    last: dict[bytes, int] = {}
    for digest, is_strange in reversed(_LINE.findall(content)):
        if len(last) < PAGES_CONSIDERED:
            last.setdefault(digest, int(is_strange))
    return Recent(sum(last.values()), len(last))
