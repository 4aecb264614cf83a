"""Child processes: how they end with their parent, and a start of those that run one function, over a connection to it.

Unlike `multiprocessing`, a process does not import the program that started it, so scripts need no `if __name__ == "__main__"`.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import MappingProxyType

from sightread.render.errors import Unequipped

SINGLE_THREAD: Mapping[str, str] = MappingProxyType(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
"""Environment of a process: as many linear algebra threads as cores in each would slow all of them."""

MEMORY_TRIMMING = "MALLOC_TRIM_THRESHOLD_"
"""Dask sets it for its workers, so that they give memory back at once: in a process for pages that costs 8 % of its time."""


_PR_SET_PDEATHSIG = 1
"""Of prctl(2): the signal that the kernel sends to a process when the thread that started it ends."""


def end_with_parent(parent: int, *, is_of_main_thread: bool = True) -> None:
    """End this process within a second of its parent's end, regardless of what it does.

    A thread watches the parent. Code that holds the interpreter lock keeps it from running, so on Linux the kernel kills it too, if
    the parent started it in its main thread: the kernel's signal is sent when that thread ends.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGKILL)

    if is_of_main_thread and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=watch, daemon=True).start()


def start_process(function: str) -> tuple[subprocess.Popen[bytes], Connection]:
    """Start a process that calls `module:function` with the descriptor of its connection; return it and our end.

    Raises `Unequipped` if none can be started.
    """
    module, _, name = function.partition(":")
    parent, child = Pipe()
    inherited = {name: value for name, value in os.environ.items() if name != MEMORY_TRIMMING}
    environment = {**inherited, **SINGLE_THREAD, "PYTHONPATH": os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)}
    is_of_main_thread = threading.current_thread() is threading.main_thread()
    ends = f"from {__name__} import end_with_parent; end_with_parent({os.getpid()}, is_of_main_thread={is_of_main_thread})"
    command = [sys.executable, "-P", "-c", f"{ends}; from {module} import {name}; {name}({child.fileno()})"]
    try:
        process = subprocess.Popen(command, env=environment, pass_fds=(child.fileno(),), stdin=subprocess.DEVNULL)  # noqa: S603
    except OSError as error:
        parent.close()
        raise Unequipped(f"no further process can be started: {error.strerror}; give fewer processes") from error
    finally:
        child.close()
    return process, parent
