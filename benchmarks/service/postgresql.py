"""A PostgreSQL server on a socket in a folder of its own, if its programs are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path("/usr/lib/postgresql")
"""Where Debian puts the programs, below their version."""


def programs() -> Path | None:
    """Return the folder of initdb and pg_ctl; None if there is none."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    return next((path.parent for path in sorted(FOLDER.rglob("initdb"), reverse=True)), None)


@contextmanager
def running() -> Iterator[str]:
    """Start a server, yield the URL of its database, and stop it. It refuses to run as root, and runs as the user `nobody` then.

    It does not wait for the disk (fsync): for tests and measurements of crashes of programs, not of machines.
    """
    found = programs()
    assert found is not None
    owner = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="pg-") as place:  # the path of a socket has at most 107 characters
        Path(place).chmod(0o777)
        data = f"{place}/data"

        def call(*command: str | Path, check: bool = True) -> None:
            subprocess.run([*owner, *map(str, command)], check=check, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        call(found / "initdb", "-D", data, "-U", "tests", "-A", "trust", "-N")
        call(found / "pg_ctl", "-D", data, "-w", "-o", f"-c listen_addresses= -c unix_socket_directories={place} -c fsync=off", "start")
        try:
            yield f"postgresql://tests@/postgres?host={place}"
        finally:
            call(found / "pg_ctl", "-D", data, "-m", "immediate", "stop", check=False)
