"""A service that is killed with its jobs under way: nothing accepted is lost, and nothing that was stored is done again."""

import signal
import socket
import threading
import time

from tests.internet import public_url
from tests.processes.families import PATIENCE, family, left, needs_proc
from tests.processes.services import address_of, ask, started
from tests.sightread.server.jobs.test_jobs import story

pytestmark = needs_proc


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
