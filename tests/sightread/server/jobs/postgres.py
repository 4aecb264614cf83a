"""A PostgreSQL server for tests, if its programs are installed: on a socket in a folder of its own, gone with the session."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDERS = ("/usr/lib/postgresql", "/usr/local/bin")


def programs() -> Path | None:
    """Return the folder of initdb and postgres; None if there is none."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    return next((path.parent for folder in FOLDERS for path in sorted(Path(folder).rglob("initdb"), reverse=True)), None)


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """Start a server, yield the URL of its database, and stop it. PostgreSQL refuses to run as root: then it runs as `nobody`."""
    found = programs()
    assert found is not None
    owner = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="pg-") as place:  # the path of a socket has at most 107 characters
        Path(place).chmod(0o777)
        data = Path(place) / "data"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": place}
        subprocess.run([*owner, found / "initdb", "-D", data, "-U", "tests", "-A", "trust", "-N"], check=True, **quiet)
        options = f"-c listen_addresses= -c unix_socket_directories={place} -c fsync=off"
        subprocess.run([*owner, found / "pg_ctl", "-D", data, "-w", "-o", options, "start"], check=True, **quiet)
        try:
            yield f"postgresql://tests@/postgres?host={place}"
        finally:
            subprocess.run([*owner, found / "pg_ctl", "-D", data, "-m", "immediate", "stop"], check=False, **quiet)
