"""However the job is ended, nothing of it runs on, and run again it ends with the files of a job that was never ended.

The job learns six pages of a site that the tests serve; it is a program of its own, unless nothing is done to it.
"""

import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

import pytest

from sightread.crawler.corpus import Corpus
from tests.pages.websites import Website
from tests.processes.families import PATIENCE, family, left, needs_proc
from tests.processes.terminal import finish, start

pytestmark = needs_proc
PAGES = 6
DONE = (0, 5)
"""Six pages are too few to be sure of a model, so that it may be learned and not trusted."""
LABELLING, TRAINING, EVALUATING = "labelling blocks …", "training the site's model …", "evaluating on held-out pages …"


class Left(NamedTuple):
    """What a finished job leaves that must not depend on its past."""

    corpus: str
    labels: bytes
    model: bytes


def result(folder: Path) -> Left:
    return Left(Corpus.open(folder).digest(), (folder / "labels.json").read_bytes(), (folder / "model.json").read_bytes())


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


class Finished(NamedTuple):
    """A job that nobody disturbed: its folder, what it left there, and the processes that it had."""

    folder: Path
    left: Left
    pids: dict[int, str]


@pytest.fixture(scope="module")
def uninterrupted(small_site, tmp_path_factory) -> Finished:
    folder = tmp_path_factory.mktemp("uninterrupted")
    before = len(small_site.requests)
    job = start(*command(small_site, folder), home=folder)
    wait_for_requests(small_site, before, 1)
    pids = family(job.pid)
    assert finish(job).code in DONE
    return Finished(folder, result(folder), pids)


@pytest.fixture
def crawled_folder(uninterrupted, tmp_path) -> Path:
    """A folder in which the crawl is done, and nothing after it."""
    later = shutil.ignore_patterns("labels.json", "model.json", "evaluation.json", "articles", "report.html")
    return shutil.copytree(uninterrupted.folder, tmp_path / "site", ignore=later)


def test_nothing_is_left_running_after_a_normal_end(uninterrupted):
    assert any("chrom" in line for line in uninterrupted.pids.values())
    assert left(uninterrupted.pids) == {}


def wait_for_requests(site: Website, before: int, number: int) -> None:
    """Wait until the site was asked for so many more articles."""
    while sum(path.count("/") > 3 for path in site.requests[before:]) < number:
        time.sleep(0.002)


def wait_for_step(job: Popen[str], line: str) -> None:
    assert job.stderr is not None
    assert any(message.startswith(line) for message in job.stderr), "the step never began"


def test_a_job_killed_again_and_again_in_the_crawl_and_in_each_later_step_ends_the_same_when_run_again(
    learn, sightread, small_site, uninterrupted, tmp_path
):
    folder = tmp_path / "site"
    for articles in (1, 3):  # of the six
        before = len(small_site.requests)
        job = learn(folder)
        wait_for_requests(small_site, before, articles)
        pids = family(job.pid)
        job.kill()
        assert any("chrom" in line for line in pids.values())
        assert left(pids) == {}
    visited = []
    for step, seconds in ((LABELLING, 0.0), (TRAINING, 0.05)):
        job = learn(folder)
        wait_for_step(job, step)
        visited.append(len(small_site.requests))
        time.sleep(seconds)
        pids = family(job.pid)
        job.kill()
        assert left(pids) == {}
    assert sightread(*command(small_site, folder)).code in DONE
    assert visited == [len(small_site.requests)] * 2  # the pages are not visited again
    assert result(folder) == uninterrupted.left


def test_a_job_stopped_in_the_crawl_closes_its_browser_and_keeps_its_pages(learn, small_site, tmp_path):
    before = len(small_site.requests)
    job = learn(tmp_path / "site")
    wait_for_requests(small_site, before, 3)
    pids = family(job.pid)
    job.send_signal(signal.SIGINT)
    _, errors = job.communicate(timeout=PATIENCE)
    assert (job.returncode, "Traceback" in errors) == (130, False)
    assert left(pids) == {}
    assert 0 < len(Corpus.open(tmp_path / "site")) < PAGES
    assert errors.splitlines()[-1] == "sightread: stopped; the same command continues where it stopped"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_job_stopped_in_a_later_step_ends_with_that_step(learn, crawled_folder, number, code):
    job = learn(crawled_folder)
    wait_for_step(job, LABELLING)
    job.send_signal(number)
    _, errors = job.communicate(timeout=PATIENCE)
    assert (job.returncode, "Traceback" in errors) == (code, False)
    assert EVALUATING not in errors
