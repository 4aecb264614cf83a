"""CPU time of this process and of all that it started, from the kernel's own books (Linux)."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_TICK = 1 / os.sysconf("SC_CLK_TCK")


def tree_seconds() -> float:
    """Return the CPU seconds that this process and its descendants have used; those that ended count through their parents.

    Other processes are counted in the kernel's ticks of a hundredth of a second, this one exactly: sum over many pages.
    """
    processes = _processes()
    return time.process_time() + sum(processes[process].seconds for process in _below(os.getpid(), processes))


def descendants(process: int) -> frozenset[int]:
    """Return the ids of the processes that one started, and they, and so on, as far as they live."""
    return _below(process, _processes())


class _Process(NamedTuple):
    parent: int
    seconds: float
    """With those of its children that ended."""


def _processes() -> dict[int, _Process]:
    found: dict[int, _Process] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):  # it ended meanwhile
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                found[int(folder.name)] = _Process(int(fields[1]), _TICK * sum(map(int, fields[11:15])))
    return found


def _below(process: int, processes: Mapping[int, _Process]) -> frozenset[int]:
    below = {process}
    while more := {each for each, (parent, _) in processes.items() if parent in below} - below:
        below |= more
    return frozenset(below - {process})
