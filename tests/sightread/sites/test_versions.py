"""The versions of a site on disk."""

import os
import signal
import subprocess
import sys
import time

import pytest

from sightread.crawler.corpus import Corpus
from sightread.render.errors import Rejected
from sightread.sites import history
from sightread.sites.folders import SiteHome
from sightread.sites.history import locked, open_candidate, open_current, promote, read_mark, reject
from tests.labeling.sites import news_site
from tests.pages.corpora import write_corpus
from tests.processes.terminal import ROOT

START = "https://courier.example/"


@pytest.fixture
def site(tmp_path):
    """A site whose first version has a corpus."""
    home = SiteHome(tmp_path / "courier.example")
    write_corpus(open_current(home).path, news_site(3), START)
    return home


def names(site):
    return [version.path.name for version in site.versions]


def test_the_first_version_is_in_use_at_once(tmp_path):
    site = SiteHome(tmp_path / "sites" / "courier.example")
    assert open_current(site) == site.current == site.numbered(1)
    assert open_current(site) == site.numbered(1)
    assert names(site) == ["0001"]


def test_a_site_of_which_no_page_was_had_is_forgotten(tmp_path, site):
    bare = SiteHome(tmp_path / "bare.example")
    for each in (bare, site):
        with locked(each):
            open_current(each)
    assert (bare.path.exists(), names(site), site.current) == (False, ["0001"], site.numbered(1))


def test_a_version_that_was_deleted_by_hand_is_made_anew(site):
    for path in (*site.numbered(1).path.iterdir(), site.numbered(1).path):
        path.unlink() if path.is_file() else path.rmdir()
    assert open_current(site).path.is_dir()
    assert site.current == open_current(site)


def test_a_candidate_knows_the_pages_of_the_version_in_use_and_is_gone_on_with_until_it_is_promoted(site):
    candidate = open_candidate(site, START)
    assert (candidate, site.current) == (site.numbered(2), site.numbered(1))
    mark = read_mark(candidate)
    assert mark is not None and mark.known == tuple(page.url for page in news_site(3))
    (candidate.path / "corpus.json").write_text("begun")
    assert open_candidate(site, START) == candidate
    assert (candidate.path / "corpus.json").read_text() == "begun"
    promote(site, candidate)
    assert (site.current, read_mark(candidate)) == (candidate, None)


@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff", b'{"begun": "now"}'])
def test_an_unfinished_candidate_from_another_start_or_with_a_damaged_mark_is_replaced(site, content):
    other = open_candidate(site, f"{START}sports" if content is None else START)
    if content is not None:
        other.refresh.write_bytes(content)
    assert open_candidate(site, START) == site.numbered(3)
    assert names(site) == ["0001", "0003"]


def test_an_unfinished_candidate_whose_pages_are_no_longer_fresh_is_replaced(site, monkeypatch):
    stale = open_candidate(site, START)
    later = time.time() + history.STALE_SECONDS + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert open_candidate(site, START) == site.numbered(3)
    assert not stale.path.exists()


def test_a_rejected_candidate_stays_to_be_looked_at_until_the_next(site):
    reject(open_candidate(site, START), "its labels are doubtful")
    assert names(site) == ["0001", "0002"]
    mark = read_mark(site.numbered(2))
    assert mark is not None and mark.rejected == "its labels are doubtful"
    assert open_candidate(site, START) == site.numbered(3)
    assert names(site) == ["0001", "0003"]
    assert site.current == site.numbered(1)


def test_the_version_before_is_kept_and_older_ones_are_deleted(site):
    for number in (2, 3, 4):
        candidate = open_candidate(site, START)
        with Corpus.create(candidate.path, "https://courier.example/"):
            pass
        promote(site, candidate)
        assert names(site) == [f"{number - 1:04}", f"{number:04}"]


def test_a_kill_between_the_two_steps_of_a_promotion_leaves_the_new_version_in_use(site):
    candidate = open_candidate(site, START)
    mark = candidate.refresh.read_bytes()
    with Corpus.create(candidate.path, "https://courier.example/"):
        pass
    promote(site, candidate)
    candidate.refresh.write_bytes(mark)  # the link was replaced, the mark not yet removed
    assert site.current == candidate
    assert open_candidate(site, START) == site.numbered(3)
    assert names(site) == ["0001", "0002", "0003"]
    assert read_mark(candidate) is None


@pytest.fixture
def other_process(site):
    """A process that holds the lock of the site."""
    code = (
        f"from pathlib import Path\nfrom sightread.sites.folders import SiteHome\nfrom sightread.sites.history import locked\n"
        f"with locked(SiteHome(Path({str(site.path)!r}))):\n    print('locked', flush=True)\n    input()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert process.stdout is not None and process.stdout.readline() == "locked\n"
    yield process
    process.kill()
    process.communicate()


def test_only_one_process_at_a_time_learns_a_site_and_the_lock_of_a_killed_one_is_gone_with_it(site, other_process):
    with pytest.raises(Rejected, match="another process is learning this site: wait for it to end"), locked(site):
        pass
    other_process.send_signal(signal.SIGKILL)
    other_process.wait()
    for _ in range(2):
        with locked(site):
            pass
