"""`WorkerProcess`: a worker process of the local runner, as its parent sees it."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

import msgspec

from sightread.batch.child_process import start_process
from sightread.batch.inputs.record import Partition
from sightread.batch.runners.worker import WorkerOrder


@dataclass(slots=True, eq=False)
class WorkerProcess:
    """The process, its connection, and the partition that it runs."""

    process: subprocess.Popen[bytes]
    connection: Connection
    partition: Partition | None = None
    is_ready: bool = False

    @classmethod
    def start(cls, order: WorkerOrder) -> WorkerProcess:
        """Start a worker. Raises `Unequipped`."""
        process, connection = start_process("sightread.batch.runners.worker:serve")
        with suppress(OSError):
            connection.send_bytes(msgspec.json.encode(order))
        return cls(process, connection)

    def close(self, seconds: float) -> None:
        """End the process: in order if it ends within the given number of seconds."""
        with suppress(OSError):
            self.connection.send_bytes(b"")
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        self.connection.close()
        self.process.kill()
        self.process.wait()
