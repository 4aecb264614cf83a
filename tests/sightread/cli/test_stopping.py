"""Commands that are asked to stop: open pages end first, what they gave is kept, and asked again they end at once."""

import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from subprocess import Popen

import pytest

from sightread.crawler.corpus import Corpus
from tests.internet import public_url
from tests.pages.stories import ARTICLE, stories
from tests.processes.families import PATIENCE, family, left, needs_proc
from tests.processes.services import address_of, ask
from tests.processes.terminal import finish, start

pytestmark = needs_proc
ON = "sightread: stopped; the same command continues where it stopped"
START_SECONDS = 90.0
"""Until a started command requests its page: a second on an idle machine."""


@dataclass(slots=True)
class Held:
    """A page that is not answered until it is let go."""

    html: str
    requested: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)

    def __call__(self) -> str:
        self.requested.set()
        self.let_go.wait(START_SECONDS)
        return self.html


@pytest.fixture
def held() -> Iterator[Held]:
    page = Held(ARTICLE)
    yield page
    page.let_go.set()


def read_line(program: Popen[str], word: str) -> None:
    assert program.stderr is not None
    assert any(word in line for line in program.stderr)


@pytest.fixture
def under_way(service, serve, held) -> Iterator[tuple[str, Future, dict[int, str]]]:
    """The service's address, its answer to be for a page that is held, and its processes."""
    address, url = address_of(service), public_url(serve({"/": held}).url())
    with ThreadPoolExecutor() as callers:
        answer = callers.submit(ask, f"{address}/api/v1/extract", {"url": url})
        assert held.requested.wait(START_SECONDS)
        yield address, answer, family(service.pid)


def test_the_service_answers_what_is_under_way_turns_others_away_and_ends_well(service, under_way, held):
    address, answer, pids = under_way
    service.send_signal(signal.SIGTERM)
    read_line(service, "sightread: stopping")
    status, message, later = ask(f"{address}/api/v1/extract", {"html": ARTICLE})
    assert (status, message["error"]["message"], later) == (503, "the service is stopping: try again later", "2")
    status, health, _ = ask(f"{address}/healthz")
    assert (status, health["status"], health["under_way"]) == (503, "stopping", 1)
    held.let_go.set()
    status, document, _ = answer.result()
    assert (status, "shift workers" in document["text"]) == (200, True)
    _, errors = service.communicate(timeout=PATIENCE)
    assert (service.returncode, "Traceback" in errors, left(pids)) == (0, False, {})
    assert len(pids) > 4  # keeper, worker, driver and browser
    with socket.create_server(("127.0.0.1", int(address.rpartition(":")[2]))):  # neither keeper nor worker has the port
        pass


def test_the_service_ends_at_once_when_it_is_asked_again(service, under_way):
    _, answer, pids = under_way
    service.send_signal(signal.SIGTERM)
    read_line(service, "sightread: stopping")
    service.send_signal(signal.SIGINT)
    read_line(service, "sightread: stopped")
    assert (service.wait(PATIENCE), left(pids)) == (130, {})
    assert isinstance(answer.exception(), OSError)  # nobody is there any more


def test_a_crawl_stores_its_open_pages_and_goes_on_later(sightread, serve, held, tmp_path):
    site = serve(stories(6, lambda town: f"<title>{town}</title>"))
    held.html, site.pages["/story/1"] = str(site.pages["/story/1"]), held
    command = ("crawl", site.url(), "--pages", 6, "--tabs", 2, "--out", tmp_path / "site", "--no-pictures")
    job = start(*command, home=tmp_path)
    assert held.requested.wait(START_SECONDS)
    pids = family(job.pid)
    job.send_signal(signal.SIGTERM)
    read_line(job, "stopping: open pages end first; a second SIGTERM ends at once")
    asked_for = len(site.requests)
    held.let_go.set()
    ran = finish(job)
    assert (ran.code, ran.err.splitlines()[-1], left(pids)) == (143, ON, {})
    assert site.url("/story/1") in {page.url for page in Corpus.open(tmp_path / "site")}
    assert sum(path.startswith("/story/") for path in site.requests[asked_for:]) <= 1  # the other tab's, which was open already
    ran = sightread(*command, "--json")
    assert (ran.code, ran.json()["pages"], ran.json()["failures"]) == (0, 6, 0)


@pytest.mark.parametrize(("path", "signals"), [("/story/1", 2), ("/robots.txt", 1)], ids=["asked twice", "no page open"])
def test_a_crawl_ends_at_once_when_it_is_asked_again_or_has_no_page_open(serve, held, tmp_path, path, signals):
    site = serve(stories(6, lambda town: f"<title>{town}</title>") | {path: held})
    job = start("crawl", site.url(), "--tabs", 2, "--out", tmp_path / "site", "--no-pictures", home=tmp_path)
    assert held.requested.wait(START_SECONDS)
    pids = family(job.pid)
    for _ in range(signals):
        job.send_signal(signal.SIGTERM)
        if job.poll() is None:
            read_line(job, "stop")
    assert (job.wait(PATIENCE), left(pids)) == (143, {})
    job.communicate()
    assert not held.let_go.is_set()
