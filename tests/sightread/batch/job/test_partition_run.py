"""The commit protocol and poison pages: no row lost, none twice, whatever ends, freezes or comes second."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from sightread.batch.child_process import ChildProcess
from sightread.batch.inputs.files import InputRecord, Partition
from sightread.batch.job import page_process, partition_run
from sightread.batch.job.manifest import CommittedPart, committed, output_rows, read_progress, unnamed_parts, verify
from sightread.batch.job.page_process import PageLimits, PageProcess, ProcessesDied
from sightread.batch.job.page_row import PageRow
from sightread.batch.job.page_server import PageProcessOrder, Task
from sightread.batch.job.partition_run import WorkerJob, run_partition
from sightread.batch.job.plan import ExtractionOptions, InputOptions, JobOptions, make_plan
from sightread.batch.runners.local import is_temporary
from sightread.batch.storage import FolderStorage
from sightread.render.errors import StorageFailed

STATIC = ExtractionOptions(static=True, formats=("text",))
TEXT = "The coopers of the town kept a ledger, and it came to light under a stair this spring, among old coats. "

LARGE = "<div><p>" + "</p><p>".join(f"<b>{n}</b> {TEXT}" for n in range(30_000))


def page(number: int) -> str:
    return f"<title>Page {number}</title><nav><a href='/'>Home</a></nav><article><h1>Page {number}</h1><p>{TEXT * 3}</p></article>"


@pytest.fixture(scope="module")
def process() -> Iterator[PageProcess]:
    """One process for all tests: to start one costs more than they do."""
    with PageProcess(PageProcessOrder(STATIC)) as process:
        yield process


@pytest.fixture(scope="module")
def other() -> Iterator[PageProcess]:
    """That of another run of the same job."""
    with PageProcess(PageProcessOrder(STATIC)) as process:
        yield process


@pytest.fixture
def job(tmp_path) -> WorkerJob:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"url": f"https://a.example/{n}", "html": page(n)}) + "\n" for n in range(12)))
    storage = FolderStorage(tmp_path / "out")
    return WorkerJob(storage, make_plan(JobOptions(InputOptions(str(path), partition_rows=12), STATIC), storage))


class Watcher:
    """Calls a function at a page, and stops the run if it returns True."""

    def __init__(self, at: int = -1, act: Callable[[], object] = lambda: True) -> None:
        self.at, self.act, self.stopping, self.parts = at, act, False, []

    def on_row(self, partition: Partition, row: PageRow) -> None:
        if row.position == self.at:
            self.at = -1
            self.stopping = self.act() is True

    def on_part(self, entry: CommittedPart, *, is_own: bool) -> None:
        self.parts.append((entry.start, entry.end, is_own))

    def is_stopping(self) -> bool:
        return self.stopping


def places(job: WorkerJob) -> list[int]:
    return [row.position for row in output_rows(job.storage, job.plan)]


def test_a_partition_goes_on_behind_its_last_part(job, process):
    (partition,) = job.plan.partitions
    first = Watcher(4)
    assert run_partition(job, partition, process, first) is False
    assert list(verify(job.storage, job.plan)) == [f"partition 0 ({partition.file}): not complete: run the job again"]
    second = Watcher()
    assert run_partition(job, partition, process, second) is True
    assert second.parts[0][0] == first.parts[0][1] >= 5 and second.parts[-1][1:] == (12, True)
    assert places(job) == list(range(12))
    assert list(verify(job.storage, job.plan)) == []
    assert run_partition(job, partition, process, Watcher()) is True


@pytest.mark.parametrize("stops", [False, True])
def test_the_second_of_two_runs_discards_its_part_and_goes_on_behind_the_other(job, process, other, stops):
    (partition,) = job.plan.partitions

    def overtake() -> bool:
        run_partition(job, partition, other, Watcher(2))
        return stops

    late = Watcher(6, overtake)
    assert run_partition(job, partition, process, late) is not stops
    assert [is_own for _, _, is_own in late.parts] == [False, True][: 1 if stops else 2]
    assert run_partition(job, partition, process, Watcher()) is True
    assert places(job) == list(range(12)) and list(verify(job.storage, job.plan)) == []
    assert unnamed_parts(job.storage, read_progress(job.storage, job.plan.partitions).entries) == []


def test_a_full_disk_loses_nothing_that_was_committed(job, process, monkeypatch):
    (partition,) = job.plan.partitions
    run_partition(job, partition, process, Watcher(3))

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(partition_run, "file_digest", full)
        with pytest.raises(StorageFailed, match="the disk is full: free some space and run the same command again"):
            run_partition(job, partition, process, Watcher())
    assert run_partition(job, partition, process, Watcher()) is True
    assert places(job) == list(range(12)) and list(verify(job.storage, job.plan)) == []


def test_verify_finds_what_is_missing_changed_or_there_twice(job, process):
    (partition,) = job.plan.partitions
    run_partition(job, partition, process, Watcher(3))
    run_partition(job, partition, process, Watcher())
    first = next(committed(job.storage, partition))
    path = Path(job.storage.path(first.file))
    with path.open("r+b") as file:
        content = file.read()
        file.seek(len(content) // 2)
        file.write(b"\0\0\0\0")
    (fault,) = verify(job.storage, job.plan)
    assert "its checksum differs: delete" in fault
    path.unlink()
    assert "missing" in next(verify(job.storage, job.plan))
    job.storage.remove(first.name)
    assert run_partition(job, partition, process, Watcher()) is True
    assert places(job) == list(range(12)) and list(verify(job.storage, job.plan)) == []


def tasks(*numbers: int, html: str = "") -> Iterator[Task]:
    for number in numbers:
        yield Task("in", InputRecord(number, f"https://a.example/{number}", (html or page(number)).encode()))


def kill(process: PageProcess) -> None:
    if process.pid:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


def test_a_page_whose_process_is_killed_is_read_again(process):
    def pages() -> Iterator[Task]:
        yield from tasks(0)
        yield from tasks(1, html=LARGE[:200_000])
        kill(process)  # once the first page is done, while the second is read
        yield from tasks(2, 3)

    assert [(row.position, row.state) for row in process.rows(pages())] == [(number, "extracted") for number in range(4)]


def test_a_page_without_an_answer_from_three_processes_is_recorded():
    with PageProcess(PageProcessOrder(STATIC), PageLimits(wall_seconds=0.5)) as process:
        (row,) = process.rows(tasks(0, html=LARGE))
    assert (row.state, row.error) == ("failed", "Unusable") and "the process that read it ended 3 times" in row.reason


def test_processes_that_end_while_they_load_may_do_better_in_another_run(monkeypatch):
    start = ChildProcess.start
    monkeypatch.setattr(page_process.ChildProcess, "start", lambda *_, **__: start("operator:eq"))
    pages = iter(tasks(0))
    with (
        PageProcess(PageProcessOrder(STATIC)) as dying,
        pytest.raises(ProcessesDied, match="3 processes ended while they loaded the model") as caught,
    ):
        list(dying.rows(pages))
    assert is_temporary(caught.value)


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (PageLimits(memory=1 << 20), "its process needed"),
        (PageLimits(cpu_seconds=0.2), "not processed within 0.2 s of processor time"),
        (PageLimits(wall_seconds=0.2), "the process that read it ended 3 times"),
    ],
)
def test_a_page_over_its_time_or_memory_is_an_error_row(limits, reason):
    with PageProcess(PageProcessOrder(STATIC), limits) as process:
        (row,) = process.rows(tasks(0, html=LARGE))
    assert (row.state, row.error) == ("failed", "Unusable") and reason in row.reason


def test_an_allocation_beyond_the_memory_of_a_page_fails_alone():
    order = msgspec.structs.replace(PageProcessOrder(STATIC), memory=160 << 20)
    with PageProcess(order) as process:
        rows = list(process.rows(iter([*tasks(0), *tasks(1, html=LARGE), *tasks(2)])))
    assert [row.state for row in rows] == ["extracted", "failed", "extracted"]
