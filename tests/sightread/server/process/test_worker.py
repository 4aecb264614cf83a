"""The service's two processes: what callers see while the worker hangs or dies, and that a killed service loses no job."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

import pytest

from tests.internet import public_url
from tests.pages.stories import ARTICLE
from tests.processes.families import PATIENCE, family, left, needs_proc
from tests.processes.services import address_of, ask, started
from tests.processes.terminal import piped
from tests.sightread.server.jobs.test_jobs import story

pytestmark = needs_proc
BROKEN = """
import os, sys
from sightread.cli import parser, servers
from sightread.server.process import worker

def service(*_, **__):
    END

servers.Service = service
worker.RESTART_PAUSE = 0.02
worker.MOST_FAILED_STARTS = 2
sys.exit(parser.main(["serve", "--port", "0"]))
"""

STUCK = """
import re
from sightread.server.engine.engine import Engine
from sightread.server.process import worker

async def hold_the_interpreter(*_):
    yield re.match("(a+)+b", "a" * 60)

Engine.batch = hold_the_interpreter
worker.HANG_SECONDS = 2.5
worker.START_TIMEOUT = 25.0
"""


class Running(NamedTuple):
    """A service, started as a program."""

    program: Popen[str]
    address: str
    home: Path


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """The service of most tests, in their order: the last one ends it."""
    home = tmp_path_factory.mktemp("home")
    with started(home) as program:
        yield Running(program, address_of(program), home)


def worker_of(address):
    return ask(f"{address}/healthz")[1].get("process")


def test_health_is_reported_while_the_worker_does_nothing_but_one_page(running):
    """A stopped process is as one that holds the interpreter lock."""
    address = running.address
    worker = worker_of(address)
    os.kill(worker, signal.SIGSTOP)
    try:
        with ThreadPoolExecutor() as callers:
            answer = callers.submit(ask, f"{address}/api/v1/extract", {"html": ARTICLE})
            deadline = time.monotonic() + PATIENCE
            while not (health := ask(f"{address}/healthz")[1])["under_way"] and time.monotonic() < deadline:
                time.sleep(0.02)
            assert (health["status"], health["under_way"]) == ("ok", 1)
            assert not answer.done()
            os.kill(worker, signal.SIGCONT)
            assert answer.result()[0] == 200
    finally:
        os.kill(worker, signal.SIGCONT)


def test_internal_headers_of_clients_reach_no_route(running):
    """Jina's route reads each header that begins with X- as an option, and warns of unknown ones."""
    forged = {f"X-Sightread-{name}": "http://evil.example" for name in ("Caller", "Scopes", "Origin", "Unknown")}
    status, answer, _ = ask(f"{running.address}/", {"html": ARTICLE}, Accept="application/json", **forged)
    assert status == 200 and "warning" not in answer["data"]
    assert ask(f"{running.address}/api/v1/jobs", **forged)[0] == 200  # the caller's scopes are the listener's
    started_job = ask(f"{running.address}/v2/batch/scrape", {"urls": ["https://e.org/"]}, **forged)[1]
    assert started_job["url"].startswith(f"{running.address}/v2/")


def test_the_listening_process_has_priority_over_worker_and_browser(running):
    """Niceness alone is compared within a session where Linux groups processes by session."""
    address, listener = running.address, running.program.pid
    assert ask(f"{address}/api/v1/extract", {"html": ARTICLE})[0] == 200
    worker = worker_of(address)
    lower = [worker, *(pid for pid, line in family(worker).items() if "--type=renderer" in line)]
    assert len(lower) > 1
    for pid in lower:
        assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, listener)
        session = Path(f"/proc/{pid}/autogroup")
        assert not session.exists() or int(session.read_text().split()[-1]) > 0


def test_a_worker_that_dies_is_replaced_and_its_callers_are_reported_to_come_again(running, serve):
    address = running.address
    worker = worker_of(address)
    site = serve({"/": lambda: (os.kill(worker, signal.SIGKILL), ARTICLE)[1]})
    status, message, later = ask(f"{address}/api/v1/extract", {"url": public_url(site.url())})
    assert (status, message["error"]["kind"], later) == (503, "Service Unavailable", "2")
    assert message["error"]["message"] == "the worker process ended while it had the page, and is replaced: try again"
    deadline = time.monotonic() + PATIENCE
    while (answer := ask(f"{address}/api/v1/extract", {"html": ARTICLE}))[0] == 503 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert answer[0] == 200
    while worker_of(address) in (None, worker) and time.monotonic() < deadline:  # what is known of it may be half a second old
        time.sleep(0.05)
    assert worker_of(address) not in (None, worker)


def test_a_worker_that_can_start_no_more_ends_the_service_with_its_error(running):
    worker, jobs = worker_of(running.address), running.home / "service" / "jobs.sqlite3"
    jobs.unlink()
    jobs.mkdir()
    os.kill(worker, signal.SIGKILL)
    _, errors = running.program.communicate(timeout=PATIENCE)
    assert (running.program.returncode, "jobs.sqlite3: " in errors.splitlines()[-1]) == (4, True)


def test_a_stuck_worker_is_ended_its_job_fails_at_the_second_and_none_outlives_the_one_that_listens(tmp_path):
    """The second worker may hang before its first sign of health, and no code of the stuck one runs."""
    job = {"kind": "batch", "urls": ["http://site.example/"]}
    with started(tmp_path, "--lease", "1", first=STUCK) as service:
        address = address_of(service)
        id, deadline = ask(f"{address}/api/v1/jobs", job)[1]["id"], time.monotonic() + 3 * PATIENCE
        while time.monotonic() < deadline:
            status, record, _ = ask(f"{address}/api/v1/jobs/{id}")
            if status == 200 and record["state"] == "failed":
                break
            time.sleep(0.2)
        assert record["error"]["message"] == "it ended 2 processes of the service without a result in between"
        ask(f"{address}/api/v1/jobs", job)
        time.sleep(1.0)
        pids = family(service.pid)
        assert len(pids) > 4
        service.kill()
        assert left(pids) == {}


@pytest.mark.parametrize(
    ("end", "code", "message"),
    [
        ("raise RuntimeError('no start')", 70, "ended with status 1 before it listened, 2 times in a row: this is a defect of sightread"),
        ("os.kill(os.getpid(), 9)", 4, "ended with signal SIGKILL before it listened, 2 times in a row: something kills it"),
    ],
)
def test_a_worker_that_cannot_start_is_not_started_for_ever(tmp_path, end, code, message):
    program = BROKEN.replace("END", end)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=piped(tmp_path)["env"], timeout=PATIENCE)
    assert (ran.returncode, ran.stdout) == (code, "")
    assert ran.stderr.splitlines()[-1].startswith(f"sightread: the worker process {message}")
    assert ran.stderr.count("another one is started") == 1


def test_what_keeps_the_worker_from_starting_is_reported_once(sightread, monkeypatch):
    monkeypatch.setenv("SIGHTREAD_BROWSER", "/nonexistent/chromium")
    ran = sightread("serve", "--port", 0)
    assert (ran.code, "/nonexistent/chromium" in ran.complaint) == (4, True)


def test_a_killed_service_leaves_no_process_and_goes_on_with_its_jobs_after_its_restart(serve, tmp_path):
    read, hold = [], threading.Event()

    def page(number):
        def answer():
            read.append(number)
            if number == 3 and not hold.is_set():
                hold.wait(PATIENCE)
            return story(number)

        return answer

    site = serve({f"/{number}": page(number) for number in range(6)})
    urls = [public_url(site.url(f"/{number}"), path=f"/{number}") for number in range(6)]
    with started(tmp_path, "--lease", "1", "--tabs", "1") as service:
        address = address_of(service)
        status, job, _ = ask(f"{address}/api/v1/jobs", {"kind": "batch", "urls": urls})
        assert status == 202
        deadline = time.monotonic() + PATIENCE
        while 3 not in read and time.monotonic() < deadline:
            time.sleep(0.02)
        before = ask(f"{address}/api/v1/jobs/{job['id']}")[1]["done"]
        pids = family(service.pid)
        service.send_signal(signal.SIGKILL)
        service.wait(PATIENCE)
        with socket.create_server(("127.0.0.1", int(address.rpartition(":")[2]))):  # neither keeper nor worker has the port
            pass
        assert len(pids) > 4 and left(pids) == {}
    hold.set()
    stored = set(read[:before])
    first = len(read)
    with started(tmp_path, "--lease", "1", "--tabs", "1") as service:
        address = address_of(service)
        while (now := ask(f"{address}/api/v1/jobs/{job['id']}")[1])["state"] != "done" and time.monotonic() < deadline + 4 * PATIENCE:
            time.sleep(0.1)
        found = ask(f"{address}/api/v1/jobs/{job['id']}/results")[1]["results"]
    assert (now["state"], now["done"], now["failed"]) == ("done", 6, 0)
    assert now["attempts"] >= 2  # a busy machine may lose a lease of one second once more
    assert sorted(outcome["index"] for outcome in found) == list(range(6))
    assert not stored & set(read[first:])
