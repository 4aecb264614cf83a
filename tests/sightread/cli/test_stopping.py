"""Commands that are stopped or killed: open pages end first, nothing runs on, and run again they end as if never stopped."""

import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen

import pytest

from sightread.crawler.corpus import Corpus
from tests.internet import public_url
from tests.pages.stories import ARTICLE, stories
from tests.pages.websites import Website
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


PAGES = 6
DONE = (0, 5)
"""Six pages are too few to be sure of a model, so that it may be learned and not trusted."""
LABELLING, TRAINING, EVALUATING = "labelling blocks …", "training the site's model …", "evaluating on held-out pages …"


def result(folder: Path) -> tuple[str, bytes, bytes]:
    """What a finished job leaves that must not depend on its past."""
    return Corpus.open(folder).digest(), (folder / "labels.json").read_bytes(), (folder / "model.json").read_bytes()


def command(site: Website, folder: Path) -> tuple[object, ...]:
    return ("learn", site.url("/en/"), "--pages", PAGES, "--out", folder, "--no-pictures")


@pytest.fixture
def learn(small_site, tmp_path) -> Iterator[Callable[..., Popen[str]]]:
    """Start the job; whatever the test does, it is ended."""
    started: list[Popen[str]] = []

    def run(folder: Path) -> Popen[str]:
        started.append(start(*command(small_site, folder), home=tmp_path))
        return started[-1]

    yield run
    for program in started:
        program.kill()
        program.communicate()


def wait_for_requests(site: Website, before: int, number: int) -> None:
    """Wait until the site was asked for so many more articles."""
    while sum(path.count("/") > 3 for path in site.requests[before:]) < number:
        time.sleep(0.002)


def wait_for_step(job: Popen[str], line: str) -> None:
    assert job.stderr is not None
    assert any(message.startswith(line) for message in job.stderr), "the step never began"


def test_a_job_stopped_and_killed_in_the_crawl_and_in_later_steps_ends_the_same_when_run_again(learn, sightread, small_site, tmp_path):
    whole, folder = tmp_path / "whole", tmp_path / "site"
    assert sightread(*command(small_site, whole)).code in DONE

    before = len(small_site.requests)
    job = learn(folder)
    wait_for_requests(small_site, before, 1)
    pids = family(job.pid)
    job.kill()
    assert any("chrom" in line for line in pids.values()) and left(pids) == {}

    before = len(small_site.requests)
    job = learn(folder)
    wait_for_requests(small_site, before, 3)
    pids = family(job.pid)
    job.send_signal(signal.SIGINT)
    _, errors = job.communicate(timeout=PATIENCE)
    assert (job.returncode, "Traceback" in errors, left(pids)) == (130, False, {})
    assert errors.splitlines()[-1] == "sightread: stopped; the same command continues where it stopped"
    assert 0 < len(Corpus.open(folder)) < PAGES

    job = learn(folder)
    wait_for_step(job, LABELLING)
    visited = len(small_site.requests)
    job.send_signal(signal.SIGTERM)  # it ends with its step, which a thread does
    _, errors = job.communicate(timeout=PATIENCE)
    assert (job.returncode, "Traceback" in errors, EVALUATING in errors) == (143, False, False)

    job = learn(folder)
    wait_for_step(job, TRAINING)
    pids = family(job.pid)
    job.kill()
    assert left(pids) == {}
    assert sightread(*command(small_site, folder)).code in DONE
    assert len(small_site.requests) == visited  # the pages are not visited again
    assert result(folder) == result(whole)
