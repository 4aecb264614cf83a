"""However the job is ended, nothing of it runs on, and run again it ends with the files of a job that was never ended.

The job learns six pages of a site that the tests serve; it is a program of its own, unless nothing is done to it.
"""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from sightread.crawler.corpus import Corpus
from tests.pages.websites import Website
from tests.processes.families import PATIENCE, family, left, needs_proc
from tests.processes.terminal import start

pytestmark = needs_proc
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
