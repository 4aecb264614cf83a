"""A process that runs one extractor, page after page: `python -m benchmarks.extractors.child TARGET`, controlled by
`benchmarks.extractors.workers`.

It may run under another interpreter, one that has the extractor installed, so this module imports the standard library alone. A page is a
frame of JSON on standard input, its answer one on standard output; a frame is four bytes of length, big end first, and the body. The first
output frame contains the extractor's version, or why it is missing. No extractor reaches the network or writes to the terminal.

Limits are the kernel's: memory for the whole process, CPU time for each page. CPU time does not advance while the process is held, so that
a run may be stopped and continued, and waits for a busy machine are not held against an extractor.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import math
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

ROOT = Path(__file__).resolve().parents[2]
MODEL = "model:"
"""A target that begins so names one of our own models."""
TRIAL = "<html><head><title>A trial</title></head><body><h1>A trial</h1>" + "<p>The river rose in the night, and the bridge fell.</p>" * 9
"""Page that an extractor reads first, unmeasured, so that it loads its dependencies."""
_LENGTH = struct.Struct(">I")

Read = Callable[[str, str], "str | None"]


def main(target: str, package: str, cpu_seconds: float, memory_bytes: int) -> None:
    """Answer for pages until standard input ends."""
    incoming, outgoing = _take_over_streams()
    socket.socket.connect = socket.socket.connect_ex = socket.create_connection = _refuse  # type: ignore[method-assign]
    socket.getaddrinfo = _refuse
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    opened: set[Path] = set()
    try:
        with _watched(opened):
            read = resolve(target)
            _try(read)
        hello = {"version": version_of(package, opened, getattr(read, "version", ""))}
    except Exception as error:  # noqa: BLE001  (sent to the parent, which reports it to the user)
        write_frame(outgoing, {"error": f"{type(error).__name__}: {error}"})
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, resource.RLIM_INFINITY))
    write_frame(outgoing, hello)
    for page in iter(partial(read_frame, incoming), None):
        write_frame(outgoing, _answer(read, page, cpu_seconds))


def resolve(target: str) -> Read:
    """Return the function that `module:function`, or `model:` and the name of one of our models, names. Raises what importing it raises."""
    if target.startswith(MODEL):
        reader: Callable[[str], Read] = importlib.import_module("benchmarks.extractors.registry").reader
        return reader(target.removeprefix(MODEL))
    module, _, name = target.partition(":")
    found: Read = getattr(importlib.import_module(module), name)
    return found


def version_of(package: str, opened: set[Path], declared: str = "") -> str:
    """Return the version of the distribution, or what the extractor declares as its own, and a digest of the code that is not installed
    and of the files that it read.

    So a result is found again only while adapter, model and weights are what they were.
    """
    parts = [declared] if declared else []
    if package:
        try:
            parts.append(version(package))
        except PackageNotFoundError:
            parts.append("unknown")
    loaded = (Path(found) for module in tuple(sys.modules.values()) if (found := getattr(module, "__file__", None)))
    files = {path.resolve() for path in (*loaded, *opened) if path.suffix != ".pyc"}
    installed = set(_installed_at())
    own = sorted(path for path in files if path.is_file() and path != Path(__file__).resolve() and installed.isdisjoint(path.parents))
    if own:
        parts.append(hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in own)).hexdigest()[:12])
    return "+".join(parts)


def read_frame(stream: BinaryIO) -> dict[str, Any] | None:
    """Return what the next frame holds; None at the end, also if it comes in the middle of a frame."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    body = stream.read(_LENGTH.unpack(head)[0])
    found: dict[str, Any] | None = json.loads(body) if len(body) == _LENGTH.unpack(head)[0] else None
    return found


def write_frame(stream: BinaryIO, message: dict[str, Any]) -> None:
    """Write a frame. Lone surrogates, which JSON escapes, pass."""
    body = json.dumps(message).encode()
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def _cpu_seconds(read: Read) -> float:
    """Return what this process has used, and a process of the extractor's own (its `cpu_seconds`).

    `time.process_time` would do, but under a limit of CPU time Linux moves that clock by ticks.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime + float(getattr(read, "cpu_seconds", 0.0))


def _try(read: Read) -> None:
    """Read the trial page. Raises `ImportError` if something is not installed; another failure is that page's own."""
    try:
        read(TRIAL, "")
    except ImportError:
        raise
    except (Exception, SystemExit):  # noqa: BLE001  (each page's own failure is recorded)
        pass


def _answer(read: Read, page: dict[str, Any], cpu_seconds: float) -> dict[str, Any]:
    began = _cpu_seconds(read)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(began + cpu_seconds), resource.RLIM_INFINITY))
    text, failure = "", ""
    try:
        found = read(page["html"], page["url"])
        if isinstance(found, str):
            text = found
        elif found is not None:
            failure = f"TypeError: returned {type(found).__name__}, not text"
    except (Exception, SystemExit) as error:  # noqa: BLE001  (that page's failure, recorded)
        failure = f"{type(error).__name__}: {error}"[:300]
    return {"text": text, "failure": failure, "cpu": _cpu_seconds(read) - began}


class _watched:  # noqa: N801  (used as a statement)
    """Notes which files are opened meanwhile: weights and word lists, which code does not name."""

    def __init__(self, opened: set[Path]) -> None:
        self.opened, self.is_on = opened, False
        sys.addaudithook(self._note)

    def __enter__(self) -> None:
        self.is_on = True

    def __exit__(self, *_: object) -> None:
        self.is_on = False

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.is_on and event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(str(ROOT)):
            self.opened.add(Path(arguments[0]))


def _installed_at() -> Iterator[Path]:
    yield from {Path(place).resolve() for place in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    yield from {Path(place).resolve() for place in sys.path if place.endswith(("site-packages", "dist-packages"))}


def _take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the streams of the frames; what the extractor prints, or reads, is nothing."""
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which then closes our input
    return incoming, outgoing


def _refuse(*_: object, **__: object) -> NoReturn:
    raise OSError("no extractor reaches the network here")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
