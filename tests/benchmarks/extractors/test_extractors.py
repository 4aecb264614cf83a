"""Extractors in processes of their own: whatever they do costs the page that they did it on; and others called as their users call them."""

import sys
from pathlib import Path

import pytest

from benchmarks.extractors.child import resolve
from benchmarks.extractors.registry import TITLED, Extractor, find_extractors
from benchmarks.extractors.workers import Limits, PageTask, Workers, version_under
from benchmarks.metrics.fragments import text_of
from benchmarks.runner.store import Extraction
from sightread.render.errors import Rejected
from tests.benchmarks.small_data import plug_in

PYTHON = Path(sys.executable)
LIMITS = Limits(cpu=1, memory=512 << 20)

ILL_BEHAVED = """
    import os, signal, socket, sys, time

    def read(html, url):
        if html == "raise":
            raise ValueError("an odd page")
        if html == "loop":
            while True:
                pass
        if html == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if html == "leave":
            os._exit(3)
        if html == "exit":
            sys.exit("enough")
        if html == "eat":
            return "x" * (1 << 31)
        if html == "number":
            return 3
        if html == "nothing":
            return None
        if html == "call":
            socket.create_connection(("192.0.2.1", 80))
        if html == "print":
            print("noise", flush=True)
            return "read " + repr(sys.stdin.read())
        if html == "sleep":
            time.sleep(1000)
        return "the text of " + html + url
"""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have limits of CPU time reached before those of the clock, however busy the machine is."""
    monkeypatch.setattr("benchmarks.extractors.workers.START_TIMEOUT", 200)


def read(name: str, *pages: str, jobs: int = 1, limits: Limits = LIMITS) -> dict[str, Extraction]:
    (extractor,) = find_extractors([name])
    requested = [PageTask(page, page, f"\udc80{page}") for page in pages]
    return dict(Workers(jobs, PYTHON, limits).extract(extractor, requested))


def test_each_way_to_fail_costs_its_page_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    name = plug_in(tmp_path, monkeypatch, ILL_BEHAVED)
    bad = {
        "raise": "ValueError: an odd page",
        "loop": "Ended: more than 1 s of CPU time",
        "crash": "Ended: its process was killed by SIGSEGV",
        "leave": "Ended: its process ended with exit code 3",
        "exit": "SystemExit: enough",
        "eat": "MemoryError: ",
        "number": "TypeError: returned int, not text",
        "call": "OSError: no extractor reaches the network here",
    }
    good = [f"page {number}" for number in range(4)]
    found = read(name, *(page for pair in zip(bad, [*good, *good], strict=True) for page in pair), "nothing", "print")
    assert {page: found[page].failure for page in bad} == bad
    assert all(not found[page].text for page in bad)
    assert [found[page][:2] for page in good] == [(f"the text of {page}\udc80{page}", "") for page in good]
    assert found["nothing"][:2] == ("", ""), "finding nothing is no failure"
    assert found["print"].text == "read ''", "what is printed reaches nobody"


def test_a_process_that_sleeps_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("benchmarks.extractors.workers.START_TIMEOUT", 1)
    name = plug_in(tmp_path, monkeypatch, ILL_BEHAVED)
    assert read(name, "sleep")["sleep"].failure == "Ended: no answer for 1 s"
    monkeypatch.setattr("benchmarks.extractors.workers.START_TIMEOUT", 200)
    assert not read(name, "awake")["awake"].failure


def test_several_processes_share_the_pages_and_each_reads_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("benchmarks.extractors.workers.RECYCLED", 3)
    name = plug_in(tmp_path, monkeypatch, "import os\ndef read(html, url):\n    return str(os.getpid())")
    found = read(name, *map(str, range(14)), jobs=2)
    processes = [each.text for each in found.values()]
    assert len(found) == 14
    assert 5 <= len(set(processes)) <= 6
    assert max(map(processes.count, processes)) <= 3


def test_cpu_time_is_the_page_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = """
        import time

        def read(html, url):
            end = time.process_time() + float(html or 0)
            while time.process_time() < end:
                pass
            return "done"
    """
    found = read(plug_in(tmp_path, monkeypatch, source), "0.2", "0", "0.3", "0.30", "0.300", limits=Limits(cpu=1, memory=LIMITS.memory))
    assert [each[:2] for each in found.values()] == [("done", "")] * 5, "a process may use more in all than one page"
    assert 0.2 <= found["0.2"].cpu < 0.4
    assert found["0"].cpu < 0.1


def test_the_version_changes_with_the_code_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def version() -> str:
        (extractor,) = find_extractors([name])
        return version_under(extractor, PYTHON, LIMITS)

    name = plug_in(tmp_path, monkeypatch, "import helper\ndef read(html, url):\n    return helper.text")
    tmp_path.joinpath("helper.py").write_text("text = 'one'")
    first = version()
    assert version() == first
    tmp_path.joinpath("helper.py").write_text("text = 'two'")
    assert version() != first


@pytest.mark.parametrize(("name", "message"), [("trafilatur", "did you mean trafilatura"), ("a b:c", "no extractor is called 'a b:c'")])
def test_a_name_of_none_is_refused_with_the_names_that_there_are(name: str, message: str):
    with pytest.raises(Rejected, match=message):
        find_extractors([name])


STORY = "".join(
    f"<p>In chapter {number} the old ferry crosses the wide river once more, and the whole town comes down to the water to watch it go.</p>"
    for number in range(1, 8)
)
COMMENTS = """<section id=comments><div class=comment><p>What a fine story, I went there with my mother every summer of my life!</p></div>
    <div class=comment><p>We never had a ferry in our town, and I miss it all the more for that.</p></div></section>"""
HTML = f"""<html><head><title>The last ferry</title></head><body>
    <div id=menu><a href="/">Home</a> <a href="/news">News</a></div>
    <div id=story><h1>The last ferry</h1>{STORY}</div>{COMMENTS}</body></html>"""


@pytest.mark.parametrize("extractor", TITLED, ids=lambda each: each.name)
def test_a_peer_gives_title_and_text_and_neither_navigation_nor_comments(extractor: Extractor):
    text = resolve(extractor.target)(HTML, "http://news.test/ferry")
    assert text
    assert text.startswith("The last ferry\n")
    assert "In chapter 7 the old ferry" in text
    assert "Home" not in text
    assert "What a fine story" not in text


def test_blocks_stand_on_lines_of_their_own_and_inline_text_stays_together():
    assert text_of("<div>One<p>two <b>bold</b>er</p>three<br>four<!-- no --> five<ul><li>six</ul></div>").split("\n") == [
        "One",
        "two bolder",
        "three",
        "four five",
        "six",
    ]
