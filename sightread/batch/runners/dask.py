"""Dask runner: partitions as tasks on the workers of a scheduler, each with a process for pages, and with rendering a browser, of its own.

The output must lie where all workers reach it. Dask may run a task twice, or lose it: the manifest decides. A task that comes back as
`KilledWorker`, at Dask's own limit (`distributed.scheduler.allowed-failures`), is submitted again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Event
from typing import TYPE_CHECKING, Any

from sightread.batch.inputs.files import Partition
from sightread.batch.job.manifest import CommittedPart
from sightread.batch.job.page_process import PageProcess
from sightread.batch.job.page_row import PageRow
from sightread.batch.job.page_server import PageProcessOrder
from sightread.batch.job.partition_run import WorkerJob, run_partition
from sightread.batch.job.plan import load_plan
from sightread.batch.runners.local import Report, Result, WorkerOrder
from sightread.batch.storage import open_storage
from sightread.render.errors import Rejected, SightreadError, Unequipped

Base = object
if not TYPE_CHECKING:
    with suppress(ImportError):  # then only running needs it, and raises a clear error
        from distributed import WorkerPlugin as Base
MOST_DEATHS = 5
"""Times that Dask may give a task up because its workers were killed, until the run stops."""
PARTITIONS_AHEAD = 4
"""Partitions submitted per thread of the cluster: the scheduler holds no more of a large job."""
PLUGIN = "sightread"
POLL_SECONDS = 0.2
"""Seconds between two looks at tasks and connection, which the client keeps up to date by itself."""
LOST_SECONDS = 30.0
"""Without a connection to the scheduler, until the run ends: what is committed stays."""


def distributed() -> Any:
    """Return Dask's package. Raises `Unequipped` if it is not installed."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise Unequipped("--dask needs Dask: pip install 'sightread[dask]'") from error


class BatchPlugin(Base):
    """Holds the processes for pages of a Dask worker, from task to task."""

    def __init__(self, order: WorkerOrder) -> None:
        self.order = order
        self.idle: list[PageProcess] = []

    def setup(self, worker: Any) -> None:
        """Load the plan."""
        self.storage = open_storage(self.order.output)
        self.plan = load_plan(self.storage)

    def teardown(self, worker: Any) -> None:
        """End the processes, and with them their browsers."""
        while self.idle:
            self.idle.pop().close()

    def run(self, number: int) -> Report:
        """Run a partition in a thread of the worker; each thread has a process for pages."""
        order, partition = self.order, self.plan.partitions[number]
        extraction = self.plan.options.extraction
        pages = (
            self.idle.pop()
            if self.idle
            else PageProcess(PageProcessOrder(extraction, order.home, order.browser, order.page_memory), order.limits)
        )
        counter = _Counter()
        try:
            run_partition(WorkerJob(self.storage, self.plan, order.part_seconds), partition, pages, counter)
        except SightreadError as error:
            return Report.of_failure(number, error, counter.pages, counter.failed)
        finally:
            self.idle.append(pages)
        return Report("done", number, counter.pages, counter.failed)


class _Counter:
    """Counts the pages of a task."""

    pages = failed = 0

    def on_row(self, partition: Partition, row: PageRow) -> None:
        """Count a page."""
        self.pages += 1
        self.failed += row.state == "failed"

    def on_part(self, entry: CommittedPart, *, is_own: bool) -> None: ...

    def is_stopping(self) -> bool:
        """Return False: a task that is cancelled ends at its end."""
        return False


def run_task(number: int) -> Report:
    """Run a partition on the Dask worker that calls this."""
    plugin: BatchPlugin = distributed().get_worker().plugins[PLUGIN]
    return plugin.run(number)


@contextmanager
def scheduler_errors(address: str) -> Iterator[None]:
    """Raise `Rejected` if the scheduler is not reached."""
    try:
        yield
    except OSError as error:
        raise Rejected(f"--dask {address}: no scheduler answers there: {error}") from error


def run_dask(address: str, order: WorkerOrder, partitions: Sequence[Partition], stop: Event, on_report: Callable[[Report], None]) -> Result:
    """Run the partitions on the workers of a scheduler. Raises `Unequipped` without Dask, `Rejected` if the scheduler is not reached."""
    with scheduler_errors(address):
        client = distributed().Client(address, set_as_default=False)
    with client:
        client.register_plugin(BatchPlugin(order), name=PLUGIN)
        return _run(client, partitions, stop, on_report)


def _run(client: Any, partitions: Sequence[Partition], stop: Event, on_report: Callable[[Report], None]) -> Result:
    result, waiting, deaths = Result(), list(reversed(partitions)), Counter[int]()
    under_way: dict[Any, Partition] = {}
    connected = time.monotonic()
    while (waiting or under_way) and not stop.is_set() and not result.failures:
        try:
            while waiting and len(under_way) < PARTITIONS_AHEAD * max(1, sum(client.nthreads().values())):
                number = waiting[-1].number
                under_way[client.submit(run_task, number, key=f"sightread-{number}-{deaths[number]}", pure=False)] = waiting.pop()
            for future in [future for future in under_way if future.status != "pending"]:
                number = under_way[future].number
                report = future.result() if future.status == "finished" else None
                reason = str(future.exception())[:300] if future.status == "error" else future.status
                partition = under_way.pop(future)
                if report is None:
                    deaths[number] += 1
                    waiting.append(partition)
                    report = Report("died", number, message=f"partition {number}: {reason}; it is submitted again")
                    if deaths[number] >= MOST_DEATHS:
                        report = Report("failed", number, message=reason, exit_code=4, is_temporary=True)
                result.failures += [report] if report.kind == "failed" else []
                on_report(report)
        except OSError:  # the connection to the scheduler broke: its tasks are requested again when it is back
            pass
        connected = time.monotonic() if client.status == "running" else connected
        if time.monotonic() - connected > LOST_SECONDS:
            message = "the Dask scheduler is gone: start it, and run the same command again"
            result.failures.append(Report("failed", message=message, exit_code=4, is_temporary=True))
        time.sleep(POLL_SECONDS)
    result.is_stopped = stop.is_set()
    return result
