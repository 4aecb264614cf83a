"""The Dask runner with a real scheduler and two worker processes: the rows of processes, also after a worker was killed."""

import json
import os
import signal
from threading import Event

import pytest
from distributed import LocalCluster

from sightread.batch.job.manifest import output_rows, verify
from sightread.batch.job.plan import ExtractionOptions, InputOptions, JobOptions, make_plan
from sightread.batch.runners.dask import run_dask
from sightread.batch.runners.local import WorkerOrder
from sightread.batch.storage import FolderStorage

STORY = "The lighthouse at the end of the pier was painted green last summer, and no one in the town knew who had done it. "
PAGES = 40


@pytest.fixture
def job(tmp_path):
    page = f"<title>%d</title><nav><a href='/'>Home</a></nav><article><h1>Page %d</h1><p>{STORY * 3}</p></article>"
    lines = [json.dumps({"url": f"https://a.example/{n}", "html": page % (n, n)}) for n in range(PAGES)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    storage = FolderStorage(tmp_path / "out")
    options = JobOptions(InputOptions(str(tmp_path / "in.jsonl"), partition_rows=10), ExtractionOptions(static=True))
    return storage, make_plan(options, storage)


def test_every_row_is_there_once_after_a_worker_was_killed(job, tmp_path):
    storage, plan = job
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]
        reports = []

        def on_report(report):
            if not reports:
                os.kill(pids[0], signal.SIGKILL)
            reports.append(report)

        result = run_dask(cluster.scheduler_address, WorkerOrder(str(tmp_path / "out")), plan.partitions, Event(), on_report)
    assert not result.failures and not result.is_stopped
    assert [row.position for row in output_rows(storage, plan)] == list(range(PAGES)) and list(verify(storage, plan)) == []
    assert sum(report.kind == "done" for report in reports) == 4
