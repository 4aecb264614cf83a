"""`run` and `table` on small sets of our own, the cache of extractions and scores, and extractors in processes of their own."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.extractors.child import resolve
from benchmarks.extractors.registry import TITLED, Extractor, find_extractors
from benchmarks.extractors.workers import Limits, PageTask, Workers, version_under
from benchmarks.metrics.fragments import text_of
from benchmarks.runner import runs, standings
from benchmarks.runner.store import Extraction, Store, digest, read_results
from sightread.render.errors import BadRecord, Rejected, StorageFailed
from tests.benchmarks.small_data import FIVE_LINES, plug_in

STORY = "The river rose in the night. By morning the old bridge had fallen into it."
MENU = "Home News Sport"
READS_THE_STORY = """
    def read(html, url):
        with open("reads.txt", "a") as file:
            file.write(url + "\\n")
        if url.endswith("/2"):
            raise ValueError("odd page")
        return html.partition("<p>")[2]
"""


def write_set(folder: Path, name: str, pages: int = 4, kinds: Sequence[str] = ()) -> None:
    """Write a set of our form whose pages tell the same story, each with a line of its own."""
    lines = []
    for number in range(pages):
        text = f"{STORY} Day {number}."
        page = {"id": str(number), "url": f"http://{name}.test/{number}", "html": f"<div>{MENU}</div><p>{text}", "text": text}
        lines.append(page | ({"page_type": kinds[number % len(kinds)]} if kinds else {"page_type": None}))
    path = folder / name / "pages.jsonl.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))


def plan(folder: Path, *extractors: str, **changes: object) -> runs.Plan:
    return runs.Plan(extractors, data=folder / "data", cache=folder / "cache", **changes)  # type: ignore[arg-type]


def read_pages(folder: Path) -> list[str]:
    """Return the URLs that the plugged-in extractor was given, but for the trial page's."""
    return [line for line in folder.joinpath("reads.txt").read_text().splitlines() if line]


def test_an_extractor_of_five_lines_takes_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    name = plug_in(tmp_path, monkeypatch, FIVE_LINES)
    write_set(tmp_path / "data", "scrapinghub")
    assert runs.run(plan(tmp_path, name, "boilerpipe")) == 0
    capsys.readouterr()
    assert standings.table(standings.Question(tmp_path / "cache")) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| extractor | scrapinghub | mean of 1 | failed | CPU ms |"
    assert lines[3].startswith("| mine:read | .919 [.919, .919] |"), "its words of the menu are three of 20"
    frame = read_results(tmp_path / "cache", "scrapinghub", name)
    assert frame is not None
    assert frame["words_recall"].tolist() == [1.0] * 4


def test_a_second_run_reads_only_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    name = plug_in(tmp_path, monkeypatch, READS_THE_STORY)
    write_set(tmp_path / "data", "scrapinghub", pages=3)
    runs.run(plan(tmp_path, name))
    assert len(read_pages(tmp_path)) == 3
    runs.run(plan(tmp_path, name))
    assert len(read_pages(tmp_path)) == 3, "all is kept, the failure too"
    write_set(tmp_path / "data", "scrapinghub", pages=5)
    runs.run(plan(tmp_path, name))
    assert [url[-1] for url in read_pages(tmp_path)[3:]] == ["3", "4"]
    frame = read_results(tmp_path / "cache", "scrapinghub", name)
    assert frame is not None
    assert frame["failure"].tolist() == ["", "", "ValueError: odd page", "", ""]
    assert frame["rouge_f1"].tolist() == [1, 1, 0, 1, 1]
    tmp_path.joinpath("mine.py").write_text(tmp_path.joinpath("mine.py").read_text() + "# changed\n")
    runs.run(plan(tmp_path, name))
    assert len(read_pages(tmp_path)) == 10, "changed code is another version"


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    slow = READS_THE_STORY.replace("return html", "import time; time.sleep(0.2); return html")
    name = plug_in(tmp_path, monkeypatch, slow)
    write_set(tmp_path / "data", "scrapinghub", pages=20)
    arguments = ["run", name, "--data", "data", "--cache", "cache", "--jobs", "1"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    killed = subprocess.Popen([sys.executable, "-m", "benchmarks", *arguments], cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    reads = tmp_path / "reads.txt"
    deadline = time.monotonic() + 60
    while (not reads.exists() or len(read_pages(tmp_path)) < 12) and time.monotonic() < deadline:
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    time.sleep(0.5)  # the page under way is read to its end by the process that was left, which then ends
    before = read_pages(tmp_path)
    assert 12 <= len(before) < 20
    runs.run(plan(tmp_path, name))
    again = read_pages(tmp_path)[len(before) :]
    assert set(before) | set(again) == {f"http://scrapinghub.test/{number}" for number in range(20)}
    assert len(again) < 20


def test_what_a_group_lacks_is_left_out_with_a_word_and_what_is_named_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    from benchmarks.extractors import registry as extractors

    lacking = extractors.Extractor("lacking", "no_such_module:read", "no-such-package")
    monkeypatch.setattr(extractors, "GROUPS", {"peers": (lacking, extractors.KNOWN["boilerpipe"])})
    monkeypatch.setattr(extractors, "KNOWN", {"lacking": lacking})
    write_set(tmp_path / "data", "scrapinghub", pages=1)
    assert runs.run(plan(tmp_path, "peers")) == 0
    assert "left out: lacking does not start" in capsys.readouterr().err
    with pytest.raises(Rejected, match=r"lacking does not start .* install it there"):
        runs.run(plan(tmp_path, "lacking"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of one extractor on a set of one page without a type."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        name = plug_in(folder, patch, FIVE_LINES)
        write_set(folder / "data", "scrapinghub", pages=1)
        runs.run(plan(folder, name))
    return folder / "cache"


ANY_TEXT = st.text(st.characters(exclude_categories=()))


def test_what_is_kept_is_found_again_under_its_version_alone(tmp_path: Path):
    with Store(tmp_path) as store:
        store.keep("one", "1", [("p", Extraction("text", "", 0.5)), ("q", Extraction("", "ValueError: odd", 0.25))])
    with Store(tmp_path) as store:
        assert store.text("one", "1", "p") == "text"
        assert {page: (each.failure, each.cpu) for page, each in store.kept("one", "1").items()} == {
            "p": ("", 0.5),
            "q": ("ValueError: odd", 0.25),
        }
        assert store.kept("one", "2") == store.kept("two", "1") == {}
        with pytest.raises(BadRecord, match="one 2 has no text of page p: run it again"):
            store.text("one", "2", "p")
        store.keep("one", "1", [("p", Extraction("new"))])
        assert (store.text("one", "1", "p"), store.kept("one", "1")["p"].digest) == ("new", digest("new"))


@given(texts=st.lists(ANY_TEXT, max_size=5))
@settings(max_examples=20, deadline=None)
def test_any_text_survives(texts: list[str], tmp_path_factory: pytest.TempPathFactory):
    with Store(tmp_path_factory.mktemp("store")) as store:
        store.keep("one", "1", [(str(number), Extraction(text)) for number, text in enumerate(texts)])
        assert [store.text("one", "1", str(number)) for number in range(len(texts))] == texts


@given(ANY_TEXT, ANY_TEXT)
def test_where_one_text_ends_and_the_next_begins_counts(one: str, other: str):
    assert (digest(one, other) == digest(one + other, "")) == (other == "")


def test_two_runs_may_write_at_once(tmp_path: Path):
    with Store(tmp_path) as one, Store(tmp_path) as other:
        one.keep("one", "1", [("p", Extraction("a"))])
        other.keep("one", "1", [("q", Extraction("b"))])
        assert set(one.kept("one", "1")) == {"p", "q"}


def test_a_damaged_file_is_reported_with_what_to_do(tmp_path: Path):
    tmp_path.joinpath("extractions.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(StorageFailed, match=r"extractions.sqlite: .*; free the disk, or delete the file and run again"):
        Store(tmp_path)
    tmp_path.joinpath("file").write_text("")
    with pytest.raises(StorageFailed, match="choose another folder with --cache"):
        Store(tmp_path / "file" / "cache")


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


FERRY_STORY = "".join(
    f"<p>In chapter {number} the old ferry crosses the wide river once more, and the whole town comes down to the water to watch it go.</p>"
    for number in range(1, 8)
)
COMMENTS = """<section id=comments><div class=comment><p>What a fine story, I went there with my mother every summer of my life!</p></div>
    <div class=comment><p>We never had a ferry in our town, and I miss it all the more for that.</p></div></section>"""
HTML = f"""<html><head><title>The last ferry</title></head><body>
    <div id=menu><a href="/">Home</a> <a href="/news">News</a></div>
    <div id=story><h1>The last ferry</h1>{FERRY_STORY}</div>{COMMENTS}</body></html>"""


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
