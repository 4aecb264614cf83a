"""The folders of learned sites, and the versions of a site in its own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sightread.crawler.corpus import Corpus
from sightread.render.errors import BadRecord, Rejected
from sightread.sites.folders import SiteFolder, SiteHome, home_folder, site_key
from sightread.sites.history import locked, open_candidate, open_current, promote, read_mark, reject
from tests.labeling.sites import news_site, write_corpus
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


def test_a_site_of_which_no_page_was_had_is_forgotten(tmp_path, site):
    bare = SiteHome(tmp_path / "bare.example")
    for each in (bare, site):
        with locked(each):
            open_current(each)
    assert (bare.path.exists(), names(site), site.current) == (False, ["0001"], site.numbered(1))


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


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://courier.example/en/ferry?page=2#top", "courier.example"),
        ("https://www.courier.example/", "courier.example"),
        ("HTTP://Courier.Example", "courier.example"),
        ("http://courier.example:80/", "courier.example"),
        ("https://courier.example:443/", "courier.example"),
        ("http://courier.example:8080/", "courier.example_8080"),
        ("http://127.0.0.1:8417/", "127.0.0.1_8417"),
        ("http://[::1]:8417/", "--1_8417"),
        ("https://xn--bcher-kva.example/", "bücher.example"),
        ("https://bücher.example/", "bücher.example"),
        ("https://courier.example./", "courier.example"),
    ],
)
def test_pages_of_one_site_share_a_folder(url, key):
    assert site_key(url) == key


@pytest.mark.parametrize("url", ["http://../", "http://..%2f..%2fetc/", "http://a%2f..%2f..%2fb/", "http://www.../", "http://www./"])
def test_no_host_leads_out_of_the_home(tmp_path, url):
    try:
        path = SiteHome.of(url, tmp_path).path
    except Rejected:
        return
    assert path.resolve().parent == (tmp_path / "sites").resolve()


def test_the_home_is_the_setting_else_the_users_data_folder(monkeypatch):
    monkeypatch.setenv("SIGHTREAD_HOME", "/somewhere")
    assert home_folder() == Path("/somewhere")
    monkeypatch.delenv("SIGHTREAD_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert home_folder() == Path("/data/sightread")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/reader")
    assert home_folder() == Path("/home/reader/.local/share/sightread")


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"pages": "many"}'])
def test_a_damaged_standing_states_what_to_do(tmp_path, content):
    folder = SiteFolder(tmp_path)
    folder.evaluation.write_bytes(content)
    with pytest.raises(BadRecord, match=r"evaluation\.json: .*; delete it and evaluate the site again"):
        folder.read_evaluation()


@pytest.mark.parametrize("target", ["../elsewhere", "..", ".", "versions", "12", "00012345678"])
def test_a_link_that_names_no_version_is_none(tmp_path, target):
    (tmp_path / "current").symlink_to(target)
    assert SiteHome(tmp_path).current is None
