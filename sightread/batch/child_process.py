"""Child processes: how they end with their parent, those that run one function over a connection to it, and calls in a process.

Unlike `multiprocessing`, a process does not import the program that started it, so scripts need no `if __name__ == "__main__"`.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, TypeVar, cast

from sightread.render.errors import Unequipped

T = TypeVar("T")
SINGLE_THREAD: Mapping[str, str] = MappingProxyType(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
"""Environment of a process: as many linear algebra threads as cores in each would slow all of them."""

MEMORY_TRIMMING = "MALLOC_TRIM_THRESHOLD_"
"""Dask sets it for its workers, so that they give memory back at once: in a process for pages that costs 8 % of its time."""


_PR_SET_PDEATHSIG = 1
"""Of prctl(2): the signal that the kernel sends to a process when the thread that started it ends."""


def end_with_parent(parent: int, *, with_thread: bool = True) -> None:
    """End this process within a second of its parent's end, regardless of what it does.

    A thread watches the parent. Code that holds the interpreter lock keeps it from running, so on Linux the kernel kills it too, if it
    may end `with_thread`: the kernel's signal is sent when the thread ends that started it.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGKILL)

    if with_thread and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=watch, daemon=True).start()


@dataclass(slots=True, eq=False)
class ChildProcess:
    """A process that runs one function of a module, and the connection to it; it ends when its parent closes the connection, or dies."""

    process: subprocess.Popen[bytes]
    connection: Connection

    @classmethod
    def start(cls, function: str, order: object = None, *, with_thread: bool = False) -> Self:
        """Start a process that calls `module:function` with its connection and an order: instructions for all that it does.

        It may end `with_thread` that calls this, as it does with the main thread. Raises `Unequipped` if none can be started.
        """
        parent, child = Pipe()
        inherited = {name: value for name, value in os.environ.items() if name != MEMORY_TRIMMING}
        environment = {**inherited, **SINGLE_THREAD, "PYTHONPATH": os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)}
        with_thread = with_thread or threading.current_thread() is threading.main_thread()
        arguments = f"{function!r}, {child.fileno()}, {os.getpid()}, with_thread={with_thread}"
        command = [sys.executable, "-P", "-c", f"from {__name__} import run_child; run_child({arguments})"]
        try:
            process = subprocess.Popen(command, env=environment, pass_fds=(child.fileno(),), stdin=subprocess.DEVNULL)  # noqa: S603
        except OSError as error:
            parent.close()
            raise Unequipped(f"no further process can be started: {error.strerror}; give fewer processes") from error
        finally:
            child.close()
        with suppress(OSError):  # it has died already: its connection reports that when the answer is awaited
            parent.send(order)
        return cls(process, parent)

    def close(self, seconds: float = 0.0) -> None:
        """End the process: in order, if it ends by the end of its connection within a number of seconds."""
        self.connection.close()
        if seconds:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
        self.process.kill()
        self.process.wait()


def run_child(function: str, descriptor: int, parent: int, *, with_thread: bool) -> None:
    """Call a function with the connection and the order of the parent: the program of a child process."""
    end_with_parent(parent, with_thread=with_thread)
    for number in (signal.SIGINT, signal.SIGTERM):  # they reach the whole group: the parent decides when to end
        signal.signal(number, signal.SIG_IGN)
    module, _, name = function.partition(":")
    with Connection(descriptor) as connection, suppress(EOFError, ConnectionError):
        getattr(import_module(module), name)(connection, connection.recv())


def limit_memory(most: int) -> None:
    """Let allocations of this process fail beyond `most` bytes more than it has reserved, so that a page gets `MemoryError`."""
    with suppress(OSError, ValueError, IndexError):
        reserved = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (reserved + most, hard))


class ChildDied(Exception):
    """The process ended before its function did."""


NICENESS = 9
"""Added to that of the parent: what the parent does itself has priority."""


async def call_in_process(function: Callable[..., T], *arguments: object, on_step: Callable[[str], None] | None = None) -> T:
    """Return what a function of a module returns in a process of its own, which is killed if this is cancelled: a thread cannot be ended.

    With `on_step` the function has a further argument, which it calls with each step that it begins. Raises what the function raises, and
    `ChildDied`.
    """
    child = ChildProcess.start(f"{__name__}:_perform", on_step is not None)
    connection = child.connection  # closed with its last reference: a thread may still read it when this is cancelled
    try:
        await asyncio.to_thread(connection.send, (function, arguments))
        while True:
            kind, answer = await _received(connection)
            if kind != "step":
                break
            assert on_step is not None
            on_step(answer)
    except (EOFError, OSError) as error:
        raise ChildDied from error
    finally:
        child.process.kill()
        await asyncio.to_thread(child.process.wait)
    if kind == "error":
        raise answer
    return cast(T, answer)


async def _received(connection: Connection) -> Any:
    """Return the next object; no thread waits for it meanwhile, since it may take an hour."""
    loop, is_there = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection.fileno(), is_there.set)
    try:
        await is_there.wait()
    finally:
        loop.remove_reader(connection.fileno())
    return await asyncio.to_thread(connection.recv)


def _perform(connection: Connection, has_steps: bool) -> None:
    os.nice(NICENESS)
    function, arguments = connection.recv()
    steps = (lambda step: connection.send(("step", step)),) if has_steps else ()
    try:
        answer = "result", function(*arguments, *steps)
    except Exception as error:  # noqa: BLE001  (raised where it is awaited)
        error.add_note(f"In a process of its own:\n{traceback.format_exc()}")
        answer = "error", error
    connection.send(answer)
