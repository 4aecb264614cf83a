"""`run` and `table` on small sets of our own, and the cache of extractions and scores."""

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
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
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


def test_page_types_and_complexity_have_tables_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    name = plug_in(tmp_path, monkeypatch, FIVE_LINES)
    write_set(tmp_path / "data", "wcxb-dev", kinds=("article", "article", "forum"))
    write_set(tmp_path / "data", "cleaneval")
    runs.run(plan(tmp_path, name))
    for by, head in (
        ("kind", "| extractor | article | forum | all | failed | CPU ms |"),
        ("set", "| extractor | cleaneval | wcxb-dev | mean of 1 | failed | CPU ms |"),
    ):
        capsys.readouterr()
        standings.table(standings.Question(tmp_path / "cache", by=by, measure="words"))
        assert capsys.readouterr().out.startswith(head)
    standings.table(standings.Question(tmp_path / "cache", out=tmp_path / "table.md"))
    assert tmp_path.joinpath("table.md").read_text().startswith("| extractor | cleaneval | wcxb-dev |")


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
