"""The worker process of the service: owns the browser, so that no page blocks the listening process.

Parsing, inference and JSON of a large page hold Python's interpreter lock for seconds, in threads too. So the listening process forks a
keeper before it has an event loop, and the keeper forks the worker, and another one if that dies or gives no sign of health in time. The
worker listens on a Unix socket. Both end when the listening process closes its end of a pipe, or dies.
"""

from __future__ import annotations

import asyncio
import gc
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import msgspec
from aiohttp import web

import sightread.render.errors
from sightread.batch.child_process import end_with_parent
from sightread.reading.reader import Reader
from sightread.render.errors import SightreadError, Unequipped
from sightread.server.http import runner_of
from sightread.server.process.front import app_of
from sightread.server.schema.answers import ErrorRecord
from sightread.server.service import Service

NICENESS = 10
"""Added to the niceness of the worker and its browser: the listening process has priority."""
START_TIMEOUT = 60.0
"""Seconds until a worker listens and gives its first sign of health; its browser takes one, on a loaded machine ten."""
HANG_SECONDS = 60.0
"""Seconds without a sign of health, since the loop hangs or a page is beyond its deadline, after which a worker is killed and replaced."""
SIGN_SECONDS = 0.5
"""Seconds between two signs of health."""
STOP_TIMEOUT = 4.0
"""Seconds the worker may take to close its browser before it is killed."""
RESTART_PAUSE = 0.5
"""Seconds between the death of a worker and the start of the next; twice as long after each that died before it listened."""
MOST_FAILED_STARTS = 4
"""Workers in a row that die before they listen, until the service ends with an error: another start would not mend it."""
_DRAIN = b"d"
_FAILED = 3
"""Exit status of a worker that has recorded why it cannot start."""

MakeService = Callable[[], tuple[Reader, Service]]


@dataclass(slots=True)
class Worker:
    """The keeper and its worker, seen from the process that forked them; an async context manager that ends them."""

    folder: Path
    keeper: int
    control: int
    """The write end of a pipe: closed, it ends the worker."""

    @classmethod
    def fork(cls, make_service: MakeService, close_inherited: Callable[[], None]) -> Worker:
        """Fork the keeper. Call it before there is an event loop or a thread; `make_service` is called in each worker.

        `close_inherited` is called in the keeper, to close what only the listening process needs.
        """
        folder = Path(tempfile.mkdtemp(prefix="sightread-service-"))
        orders, control = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        gc.collect()
        gc.freeze()  # modules are garbage for no process: collecting them takes 60 ms, in which nothing is answered
        keeper = os.fork()
        if not keeper:
            os.close(control)
            close_inherited()
            _keep(folder, orders, make_service)
        os.close(orders)
        return cls(folder, keeper, control)

    @property
    def socket(self) -> Path:
        """The socket on which the worker listens."""
        return _socket(self.folder)

    def check(self) -> None:
        """Raise the error for which the worker cannot start; `Unequipped` if its keeper has ended without one."""
        with suppress(FileNotFoundError):
            refusal = msgspec.json.decode(_refusal(self.folder).read_bytes(), type=ErrorRecord)
            raise getattr(sightread.render.errors, refusal.kind, SightreadError)(refusal.message)
        if _has_ended(self.keeper):
            raise Unequipped("the service's worker process cannot be kept running: see the lines above, and start the service again")

    def drain(self) -> None:
        """Make the worker refuse new pages and finish those under way."""
        with suppress(OSError):
            os.write(self.control, _DRAIN)

    async def __aenter__(self) -> Worker:
        return self

    async def __aexit__(self, *_: object) -> None:
        os.close(self.control)
        try:
            async with asyncio.timeout(STOP_TIMEOUT + 1.0):  # the keeper kills the worker first
                while not _has_ended(self.keeper):  # noqa: ASYNC110  (a process sends no event)
                    await asyncio.sleep(0.02)
        except TimeoutError:
            with suppress(ProcessLookupError):
                os.killpg(self.keeper, signal.SIGKILL)
            _has_ended(self.keeper)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


def _socket(folder: Path) -> Path:
    return folder / "worker"


def _refusal(folder: Path) -> Path:
    return folder / "refused.json"


def _refuse(folder: Path, error: SightreadError) -> None:
    """Record why no worker can start, for `Worker.check`."""
    temporary = folder / "refused"
    temporary.write_bytes(msgspec.json.encode(ErrorRecord(type(error).__name__, str(error))))
    temporary.rename(_refusal(folder))


def _has_ended(process: int) -> bool:
    try:
        return os.waitpid(process, os.WNOHANG)[0] == process
    except ChildProcessError:
        return True


def _keep(folder: Path, orders: int, make_service: MakeService) -> NoReturn:
    """Keep a worker running until one ends by itself, too many cannot start, or the listening process is gone. Never returns."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM):  # the process that listens decides when to end
        signal.signal(number, signal.SIG_IGN)
    keeper, failed_starts = os.getpid(), 0
    while True:
        _socket(folder).unlink(missing_ok=True)
        seen, signs = os.pipe()
        worker = os.fork()
        if not worker:
            os.close(seen)
            end_with_parent(keeper)
            os._exit(_work(folder, orders, signs, make_service))
        os.close(signs)
        _attend(worker, seen, orders)
        os.close(seen)
        status = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        failed_starts = 0 if _socket(folder).exists() else failed_starts + 1
        pause = RESTART_PAUSE * 2.0 ** max(0, failed_starts - 1)
        is_left = failed_starts < MOST_FAILED_STARTS and bool(_end_of(orders).poll(pause * 1000))
        if status in (0, _FAILED) or is_left:
            os._exit(0)
        ended = f"the worker process ended with {_named(status)}"
        if failed_starts == MOST_FAILED_STARTS:
            _refuse(folder, _why_none_starts(f"{ended} before it listened, {failed_starts} times in a row", status))
            os._exit(0)
        print(f"sightread: {ended}; another one is started", file=sys.stderr, flush=True)  # noqa: T201


def _attend(worker: int, seen: int, orders: int) -> None:
    """Wait until the worker ends; kill it if it gives no sign of health in time, or does not end soon after the listening process."""
    polling = _end_of(orders)
    polling.register(seen, select.POLLIN)
    ends = time.monotonic() + START_TIMEOUT
    while left := max(0.0, ends - time.monotonic()):
        ready = dict(polling.poll(left * 1000))
        if orders in ready:
            polling.unregister(orders)
            ends = time.monotonic() + STOP_TIMEOUT
            orders = -1
        if seen in ready:
            if not os.read(seen, 1024):  # it has ended
                return
            if orders >= 0:
                ends = time.monotonic() + HANG_SECONDS
    os.kill(worker, signal.SIGKILL)


def _end_of(orders: int) -> select.poll:
    """Return what waits for the end of the listening process alone: orders are read by the worker."""
    polling = select.poll()
    polling.register(orders, select.POLLHUP)
    return polling


def _named(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


def _why_none_starts(what: str, status: int) -> SightreadError:
    """Return the error of workers that die before they listen: the machine's lack if they were killed, else a defect."""
    if status < 0:
        return Unequipped(f"{what}: something kills it: check the memory limit and the system's log")
    return SightreadError(f"{what}: this is a defect of sightread; please report the lines above")


def _work(folder: Path, orders: int, signs: int, make_service: MakeService) -> int:
    niceness = os.nice(NICENESS)
    with suppress(OSError):  # Linux compares niceness within a session only, if it groups processes by session: `autogroup` in sched(7)
        Path("/proc/self/autogroup").write_text(str(niceness))
    try:
        asyncio.run(_serve(folder, orders, signs, make_service))
    except SightreadError as error:
        _refuse(folder, error)
        return _FAILED
    except BaseException:  # noqa: BLE001  (the outermost: nothing may return into the code that forked us)
        traceback.print_exc()
        return 1
    return 0


async def _serve(folder: Path, orders: int, signs: int, make_service: MakeService) -> None:
    reader, service = make_service()
    ended = asyncio.Event()
    draining: list[asyncio.Task[None]] = []

    def obey() -> None:
        if os.read(orders, 1) == _DRAIN:
            draining.append(asyncio.create_task(service.drain()))
        else:
            asyncio.get_running_loop().remove_reader(orders)
            ended.set()

    async def give_signs() -> None:
        while True:
            if not reader.overdue:
                os.write(signs, b".")
            await asyncio.sleep(SIGN_SECONDS)

    asyncio.get_running_loop().add_reader(orders, obey)
    async with reader, _listen(app_of(service, guarded=False), _socket(folder)):
        signing = asyncio.create_task(give_signs())
        await ended.wait()
        signing.cancel()


@asynccontextmanager
async def _listen(app: web.Application, socket: Path) -> AsyncIterator[None]:
    runner = runner_of(app)
    await runner.setup()
    try:
        fresh = socket.with_name(f"{socket.name}-{os.getpid()}-{time.monotonic_ns()}")
        await web.UnixSite(runner, fresh).start()
        fresh.replace(socket)  # it listens already, and replaces one that died
        yield
    finally:
        await runner.cleanup()
