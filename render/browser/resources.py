"""CPU and memory of this machine and of the browser's processes, read from /proc and the cgroup files.

If those are missing, as on macOS, the readings are None and empty: callers then use fixed bounds.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
CGROUPS = Path("/sys/fs/cgroup")
KIB = 1024
RESERVED_MEMORY = 512 * 2**20
"""Bytes of the machine's memory that pages must leave free (docs/experiments/browser-pool.md, "Memory")."""
LARGE_RENDERER = 512 * 2**20
"""Bytes that no renderer is killed for; of real pages the largest took 70 MiB."""


def cores(cgroups: Path = CGROUPS, proc: Path = PROC) -> int:
    """Return how many cores this process may use: those that it is allowed on, or fewer by the quota of its cgroup."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for folder in _own_groups(cgroups, proc):
        quota = re.match(r"(\d+) (\d+)", _text(folder / "cpu.max"))
        if quota and int(quota[2]):
            allowed = min(allowed, max(1, math.ceil(int(quota[1]) / int(quota[2]))))
    return allowed


def free_memory(cgroups: Path = CGROUPS, proc: Path = PROC) -> int | None:
    """Return the bytes that can still be allocated without swapping or being killed; None if it is unknown."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB", _text(proc / "meminfo"), re.MULTILINE)
    readings = [int(found[1]) * KIB] if found else []
    for folder in _own_groups(cgroups, proc):
        limit, used = _text(folder / "memory.max"), _text(folder / "memory.current")
        if limit.strip().isdigit() and used.strip().isdigit():
            given_back = re.search(r"^inactive_file (\d+)", _text(folder / "memory.stat"), re.MULTILINE)
            readings.append(max(0, int(limit) - int(used) + int(given_back[1] if given_back else 0)))
    return min(readings, default=None)


def load() -> float:
    """Return the processes that wait for or use a core, over the last minute, for each core of the machine; 0 if it is unknown."""
    with suppress(OSError):
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    return 0.0


def process_tree(pid: int, proc: Path = PROC) -> Iterator[int]:
    """Yield the process and all those below it; nothing if it is gone or unknown. Renderers have none below them."""
    if is_renderer(pid, proc):
        yield pid
        return
    with suppress(OSError):
        threads = list((proc / str(pid) / "task").iterdir())
        yield pid
        for thread in threads:
            for child in _text(thread / "children").split():
                yield from process_tree(int(child), proc)


def memory_of(pids: Iterator[int]) -> Mapping[int, int]:
    """Return the bytes of memory that each process has for itself or shares with others it made; what it maps from files is left out."""
    taken = {}
    for pid in pids:
        kinds = re.findall(r"^Rss(?:Anon|Shmem):\s+(\d+) kB", _text(PROC / str(pid) / "status"), re.MULTILINE)
        if kinds:
            taken[pid] = sum(map(int, kinds)) * KIB
    return taken


def excessive_renderers(renderers: Mapping[int, int], most: int, free: int | None) -> tuple[int, ...]:
    """Return the processes that use too much memory: all beyond `most` bytes, else the largest if the machine has no more than its
    reserve.

    `free` is what the machine has left, in bytes; None if it is unknown.
    """
    found = tuple(pid for pid, size in renderers.items() if size > most)
    if found or free is None or free > RESERVED_MEMORY:
        return found
    return tuple(pid for pid, size in renderers.items() if size > LARGE_RENDERER and size == max(renderers.values()))[:1]


def is_renderer(pid: int, proc: Path = PROC) -> bool:
    """Return whether a process is one in which Chromium runs pages."""
    return "--type=renderer" in _text(proc / str(pid) / "cmdline")


def _own_groups(cgroups: Path, proc: Path) -> Iterator[Path]:
    """Yield the folders of this process's cgroup (version 2) and of those around it: the tightest limit counts."""
    found = re.search(r"^0::/(.*)$", _text(proc / "self" / "cgroup"), re.MULTILINE)
    if found:
        folder = cgroups / found[1]
        yield folder
        yield from (parent for parent in folder.parents if parent == cgroups or parent.is_relative_to(cgroups))


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:  # gone meanwhile, not ours to read, or not there on this system
        return ""
