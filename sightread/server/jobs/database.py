"""SQL databases of the job store: SQLite by default, PostgreSQL by its URL. Each call is one transaction, in one thread."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sightread.render.errors import Rejected, StorageFailed, Unequipped
from sightread.render.files import storage_errors

T = TypeVar("T")
Values = Sequence[object]
BUSY_SECONDS = 10.0
"""For which a transaction waits for that of another process."""


class Transaction(Protocol):
    """Argument of work on a database."""

    def query(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """Execute a statement with `?` for each value, and return its rows."""

    def now(self) -> float:
        """Return the time in seconds since 1970, by one clock for all processes that share the database."""

    def lock(self, name: str) -> None:
        """Wait for other transactions with a lock of this name."""


class Database(ABC):
    """A database, whose connection is used in one thread of its own; `blob` is its type for bytes."""

    blob = "BLOB"

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "jobs")
        self._connection: Any = None

    async def run(self, work: Callable[[Transaction], T]) -> T:
        """Return the result of the work, done in a transaction. Raises `StorageFailed`, and all that the work raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    async def close(self) -> None:
        """Close the connection; it is opened by the first call of `run`."""

        def close() -> None:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

        await asyncio.get_running_loop().run_in_executor(self._thread, close)
        self._thread.shutdown(wait=False)

    @abstractmethod
    def _run(self, work: Callable[[Transaction], T]) -> T:
        """Do the work in a transaction, in the thread."""


def open_database(location: str | Path) -> Database:
    """Return the database at a path (SQLite) or a URL (`postgresql://…`). Raises `Rejected` for another scheme."""
    text = str(location)
    if text.startswith(("postgresql://", "postgres://")):
        return PostgreSQL(text)
    if "://" in text:
        raise Rejected(f"the database {text.partition('://')[0]}:// is not known: give a postgresql:// URL or the path of an SQLite file")
    return SQLite(text)


class SQLite(Database):
    """A file that several processes of one machine may share; `:memory:` is a database of this process alone."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def _run(self, work: Callable[[Transaction], T]) -> T:
        try:
            connection = self._connection or self._open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(_SQLiteTransaction(connection))
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
            return result
        except sqlite3.Error as error:
            raise StorageFailed(f"{self._path}: {error}: check the file and the disk") from error

    def _open(self) -> sqlite3.Connection:
        if self._path != ":memory:":
            with storage_errors(Path(self._path)):
                Path(self._path).parent.mkdir(parents=True, exist_ok=True)
                Path(self._path).touch(0o600)  # requests may hold cookies
        connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")  # an accepted job survives a power failure too
        connection.execute("PRAGMA foreign_keys=ON")
        self._connection = connection
        return connection


class _SQLiteTransaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def query(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()

    def now(self) -> float:
        return time.time()

    def lock(self, name: str) -> None:
        """Do nothing: `BEGIN IMMEDIATE` lets one transaction write at a time."""


class PostgreSQL(Database):
    """A server that several service processes on several machines may share; needs the extra `postgresql`."""

    blob = "BYTEA"

    def __init__(self, url: str) -> None:
        try:
            self._driver = import_module("psycopg")
        except ImportError as error:
            raise Unequipped("PostgreSQL needs its driver: pip install 'sightread[postgresql]'") from error
        super().__init__()
        self._url = url

    def _run(self, work: Callable[[Transaction], T]) -> T:
        """Run the work; once more on a new connection if the old one has ended, since it was rolled back then."""
        for attempt in (1, 2):
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._driver.connect(self._url, connect_timeout=int(BUSY_SECONDS))
                with self._connection.transaction():
                    return work(_PostgreSQLTransaction(self._connection))
            except self._driver.OperationalError as error:
                if self._connection is not None:
                    with suppress(self._driver.Error):
                        self._connection.close()
                self._connection = None
                if attempt == 2:
                    reason = " ".join(str(error).split())
                    raise StorageFailed(f"the PostgreSQL database cannot be reached: {reason}: check --database and the server") from error
            except self._driver.Error as error:
                raise StorageFailed(f"the PostgreSQL database refused a statement: {' '.join(str(error).split())}") from error
        raise AssertionError("unreachable")


class _PostgreSQLTransaction:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def query(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        storable = [value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in values]  # its texts have no NUL
        cursor = self._connection.execute(sql.replace("?", "%s"), storable)
        return cursor.fetchall() if cursor.description else []

    def now(self) -> float:
        return float(self.query("SELECT EXTRACT(EPOCH FROM clock_timestamp())::float8")[0][0])

    def lock(self, name: str) -> None:
        self.query("SELECT pg_advisory_xact_lock(hashtext(?))", (name,))
