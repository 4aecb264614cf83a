"""Starts Python processes that run one function of this package, over a connection to their parent.

Unlike `multiprocessing`, a process does not import the program that started it, so scripts need no `if __name__ == "__main__"`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import MappingProxyType

from render.errors import Unequipped

SINGLE_THREAD: Mapping[str, str] = MappingProxyType(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
"""Environment of a process: as many linear algebra threads as cores in each would slow all of them."""

MEMORY_TRIMMING = "MALLOC_TRIM_THRESHOLD_"
"""Dask sets it for its workers, so that they give memory back at once: in a process for pages that costs 8 % of its time."""


def start_process(function: str) -> tuple[subprocess.Popen[bytes], Connection]:
    """Start a process that calls `module:function` with the descriptor of its connection; return it and our end.

    Raises `Unequipped` if none can be started.
    """
    module, _, name = function.partition(":")
    parent, child = Pipe()
    inherited = {name: value for name, value in os.environ.items() if name != MEMORY_TRIMMING}
    environment = {**inherited, **SINGLE_THREAD, "PYTHONPATH": os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)}
    command = [sys.executable, "-P", "-c", f"from {module} import {name}; {name}({child.fileno()})"]
    try:
        process = subprocess.Popen(command, env=environment, pass_fds=(child.fileno(),), stdin=subprocess.DEVNULL)  # noqa: S603
    except OSError as error:
        parent.close()
        raise Unequipped(f"no further process can be started: {error.strerror}; give fewer processes") from error
    finally:
        child.close()
    return process, parent
