"""Dask with a real scheduler and two worker processes, one of them killed: rows are those of processes, and a site is learned."""

import asyncio
import json
import os
import signal
from collections import Counter
from dataclasses import replace
from threading import Event

import pytest
from dask import config
from distributed import LocalCluster

from sightread.batch.job.manifest import output_rows, verify
from sightread.batch.job.plan import ExtractionOptions, InputOptions, JobOptions, make_plan
from sightread.batch.runners.dask import run_dask
from sightread.batch.runners.local import WorkerOrder
from sightread.batch.storage import FolderStorage
from sightread.cli import learn_over_dask
from sightread.cli.learn_over_dask import LearnOrder, dask_learner
from sightread.crawler.fetch import POLICY
from sightread.render.network.egress import LOCAL
from sightread.server.engine.engine import EnginePolicy
from sightread.server.jobs.store import Progress
from sightread.server.schema.requests import LearnRequest
from tests.pages.stories import stories
from tests.pages.websites import serving
from tests.processes.families import family

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


async def test_a_site_whose_worker_was_killed_is_learned_by_another(tmp_path, monkeypatch):
    monkeypatch.setattr(learn_over_dask, "POLICY", replace(POLICY, longest_delay=1.0))
    order = LearnOrder({"home": tmp_path, "egress": LOCAL, "tabs": 1}, EnginePolicy(private=True))
    with (
        serving(stories(8, lambda town: f"<title>{town} looks back</title>")) as site,
        config.set({"distributed.scheduler.locks": {"lease-timeout": "3s", "lease-validation-interval": "500ms"}}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
    ):
        async with dask_learner(cluster.scheduler_address, order) as (learn_site, threads):
            learning = asyncio.create_task(learn_site(None, LearnRequest(site.url(), 8), Progress()))
            while not any(path.startswith("/story") for path in site.requests):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            (busy,) = [worker.pid for worker in cluster.workers.values() if family(worker.pid)]
            os.kill(busy, signal.SIGKILL)
            learned = await learning
    assert (threads, learned.pages, learned.trusted) == (2, 8, True)
    assert max(Counter(path for path in site.requests if path.startswith("/story")).values()) <= 2
