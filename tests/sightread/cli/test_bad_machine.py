"""What a machine may lack: a browser, disk space, a folder that can be written, a free port, a terminal that shows every letter."""

import errno
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from sightread.crawler.corpus import Corpus
from sightread.render.errors import StorageFailed
from sightread.sites.learn import learn_corpus
from sightread.viewer.report import write_site_report
from tests.labeling.sites import news_site
from tests.pages.stories import ARTICLE, stories
from tests.processes.limits import file_size_limit
from tests.processes.terminal import finish, start


@pytest.fixture
def corpus(tmp_path):
    """A corpus of eight small pages."""
    with Corpus.create(tmp_path / "corpus", "https://x.test/") as written:
        for page in news_site():
            written.append(page)
    return tmp_path / "corpus"


@pytest.mark.parametrize("command", ["extract", "learn", "crawl", "serve"])
def test_a_browser_that_is_not_there(sightread, serve, monkeypatch, command):
    monkeypatch.setenv("SIGHTREAD_BROWSER", "/nonexistent/chromium")
    ran = sightread(command, *([] if command == "serve" else [serve({"/": ARTICLE}).url()]))
    assert (ran.code, ran.out) == (4, "")
    assert ran.complaint.startswith("/nonexistent/chromium: no such program")


@pytest.mark.parametrize(("name", "reason"), [("false", ".*"), ("ls", "/bin/ls: unrecognized option '--[a-z-]+'")])
def test_a_browser_that_ends_at_once(sightread, serve, name, reason):
    ran = sightread("extract", serve({"/": ARTICLE}).url(), "--browser", f"/bin/{name}")
    assert (ran.code, ran.out, len(ran.complaint) < 300) == (4, "", True)
    assert re.match(rf"\S*{name}: does not start: {reason}: install another, or name one in SIGHTREAD_BROWSER", ran.complaint)


def test_a_file_is_read_without_a_browser_where_there_is_none(sightread, page):
    ran = sightread("extract", page, "--browser", "/nonexistent/chromium", "--format", "text")
    assert (ran.code, "ninety years" in ran.out) == (0, True)
    assert ran.messages[0].endswith("; reading the file without one")


def test_a_file_longer_than_the_system_allows_leaves_what_was_there(sightread, corpus):
    assert sightread("label", corpus).code == 0
    before = (corpus / "labels.json").read_bytes()
    with file_size_limit(1000):
        ran = sightread("label", corpus)
    assert (ran.code, ran.out) == (4, "")
    assert ran.complaint.startswith(f"cannot write {corpus / 'labels.json'}: the file grows larger than the system allows")
    assert (corpus / "labels.json").read_bytes() == before
    assert [path.name for path in corpus.iterdir() if path.name.endswith(".part")] == []


def learn(folder):
    write_site_report(learn_corpus(folder).results)


def test_a_disk_that_fills_up_while_a_site_is_learned_leaves_whole_files_and_a_later_try_succeeds(corpus):
    learn(shutil.copytree(corpus, corpus.with_name("whole")))
    whole = {path.name: path.stat().st_size for path in corpus.with_name("whole").iterdir() if path.is_file()}
    for limit, name in ((whole["labels.json"] - 1, "labels.json"), (whole["report.html"] - 1, "report.html")):
        with file_size_limit(limit), pytest.raises(StorageFailed, match=f"^cannot write {corpus / name}: the file grows larger than"):
            learn(corpus)
        found = [path for path in corpus.rglob("*") if path.is_file()]
        assert not [path for path in found if path.name == name or path.name.endswith(".part")]
        for path in found:
            if path.suffix == ".json":
                json.loads(path.read_bytes())
    learn(corpus)
    assert {path.name for path in corpus.iterdir() if path.is_file()} == set(whole)


def test_a_disk_that_fills_up_in_the_crawl_keeps_the_pages_before(sightread, serve, tmp_path, monkeypatch):
    site = serve(stories(4, lambda town: f"<title>{town}</title>"))
    sync, folder = os.fsync, tmp_path / "site"
    left = 9

    def full(file):
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(file)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        ran = sightread("crawl", site.url(), "--pages", 4, "--out", folder, "--no-pictures")
    assert (ran.code, ran.out) == (4, "")
    assert re.fullmatch(rf"cannot write {folder}/\S+: the disk is full: free some space and run the same command again, .*", ran.complaint)
    kept = [page.url for page in Corpus.open(folder)]
    assert 0 < len(kept) < 4
    assert sightread("crawl", site.url(), "--pages", 4, "--out", folder, "--no-pictures").code == 0
    assert [page.url for page in Corpus.open(folder)][: len(kept)] == kept


def test_a_full_disk_under_the_standard_output_is_reported(tmp_path, page):
    with Path("/dev/full").open("w") as full:
        program = subprocess.run(
            [sys.executable, "-m", "sightread.cli.parser", "extract", page, "--static"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert "Traceback" not in program.stderr
    assert program.stderr.splitlines()[-1] == "sightread: cannot write the standard output: No space left on device"
    assert program.returncode == 4


@pytest.mark.parametrize("command", ["crawl", "extract"])
def test_a_path_below_a_file_cannot_be_written(sightread, serve, page, command):
    if command == "crawl":
        ran = sightread("crawl", serve({"/": ARTICLE}).url(), "--out", page / "site")
    else:
        ran = sightread("extract", page, "--static", "--output", page / "out.md")
    assert (ran.code, ran.out) == (4, "")
    assert ran.messages[-1].startswith("cannot write ") and re.search(
        "a (part of that path is a file|file is where a folder is needed): choose another folder$", ran.messages[-1]
    )
    assert page.read_text() == ARTICLE


@pytest.mark.parametrize("name", [".", "..", "/", ""])
def test_a_folder_is_no_place_for_output(sightread, page, name):
    ran = sightread("extract", page, "--static", "--model", "boilerpipe", "--output", name)
    assert (ran.code, ran.out) == (4, "")
    assert ran.complaint.startswith("cannot write ")


@pytest.mark.parametrize("command", ["serve", "demo", "inspect"])
def test_a_port_that_is_taken_is_refused_before_a_browser_is_started(sightread, page, monkeypatch, command):
    monkeypatch.setenv("SIGHTREAD_BROWSER", "/nonexistent/chromium")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = sightread(command, *([page] if command == "inspect" else []), "--port", port)
    problem = f"cannot listen on 127.0.0.1 port {port}: another program listens there: end it, or choose another port with --port"
    assert (ran.code, ran.out, ran.complaint) == (4, "", problem)


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_an_address_of_another_machine_cannot_be_listened_on(sightread, monkeypatch, host):
    monkeypatch.setenv("SIGHTREAD_TOKEN", "a-token-of-sixteen-characters-or-more")
    ran = sightread("serve", "--host", host, "--port", 0)
    problem = f"cannot listen on {host} port 0: this is no address of this machine: choose another one with --host"
    assert (ran.code, ran.complaint) == (4, problem)


def test_a_reader_that_goes_away_ends_the_command_quietly(page, tmp_path):
    program = start("extract", page, "--static", home=tmp_path)
    program.stdout.close()
    program.stdout = None
    ran = finish(program)
    assert ran.code == 141
    assert "Broken" not in ran.err and "Traceback" not in ran.err


def test_a_terminal_without_the_letters_gets_what_it_can_show(sightread, page, monkeypatch):
    page.write_text(ARTICLE.replace("estuary", "দুধপুকুর"))
    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, "ascii"))
    ran = sightread("extract", page, "--static", "--format", "text")
    assert (ran.code, b"ninety years" in shown.getvalue()) == (0, True)
