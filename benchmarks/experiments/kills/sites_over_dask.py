"""`learn --sites` over Dask, run by an interpreter that has it, as a module: workers, kills of the last one, and options of the command."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from sightread.cli.parser import main

THREADS = 1
"""Sites that a worker learns at once: on two cores, more would wait for them and not for the delays."""
KILL_SECONDS = (8.0, 20.0)
"""Between two kills, at least and at most."""


def learn(workers: int, kills: int, options: Sequence[str]) -> int:
    """Learn on a cluster of worker processes, of which the last is killed; return the exit code, 1 if there were fewer kills."""
    distributed = import_module("distributed")
    import_module("dask").config.set({"distributed.worker.profile.enabled": False})  # as docs/batch.md advises
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=THREADS, dashboard_address=None) as cluster:
        killed: list[int] = []
        stop = threading.Event()
        killer = threading.Thread(target=_kill, args=(cluster, kills, killed, stop))
        killer.start()
        code = main(["learn", *options, "--dask", cluster.scheduler_address])
        stop.set()
        killer.join()
    return code if len(killed) == kills else 1


def _kill(cluster: Any, kills: int, killed: list[int], stop: threading.Event) -> None:
    chance = random.Random(52)
    while len(killed) < kills and not stop.wait(chance.uniform(*KILL_SECONDS)):
        killed.append([*cluster.workers.values()][-1].pid)
        os.kill(killed[-1], signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(learn(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
