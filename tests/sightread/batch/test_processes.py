"""`sightread.extract_many`: many pages without a browser, over processes."""

import os
import signal
import subprocess
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

import sightread
from sightread.batch import child_process, processes
from sightread.batch.processes import Timeouts

TOWNS = ("Aldmoor", "Breck", "Carrow", "Dunlin", "Elver", "Fenwick", "Garle", "Hythe", "Islay", "Jarrow")


def page(number: int) -> str:
    town = TOWNS[number % len(TOWNS)]
    return f"""<title>{town} looks back</title><nav><a href="/">Home</a></nav><article><h1>{town} looks back</h1>
        <p>The coopers of {town} kept a ledger for {number} hundred years, and it came to light under a stair this spring.</p>
        <p>It names their masters, their apprentices, and what each was fined for when work in {town} was done badly.</p></article>"""


def url(number: int) -> str:
    return f"https://courier.example/{number}"


def workers() -> list[int]:
    """Process ids of the workers that this process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"sightread.batch.processes" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def test_one_bad_page_in_ten_changes_nothing_for_the_others() -> None:
    bad = {9: None, 19: b"%PDF-1.7\n" + bytes(range(256)), 29: ""}
    pages = [bad.get(number, (page(number), url(number))) for number in range(30)]
    outcomes = {each.index: each for each in sightread.extract_many(pages, processes=2, output_format="markdown")}
    assert sorted(outcomes) == list(range(30))
    for number, outcome in outcomes.items():
        if number in bad:
            assert isinstance(outcome.error, sightread.SightreadError) and outcome.result is None
        else:
            assert outcome.result == sightread.extract(page(number), url(number), output_format="markdown")
            assert (outcome.error, outcome.url) == (None, url(number))


def test_processes_that_are_killed_are_replaced_and_lose_no_more_than_their_page() -> None:
    def pages() -> Iterator[str]:
        for number in range(12):
            if number == 5:
                for worker in workers():
                    os.kill(worker, signal.SIGKILL)
            yield page(number)

    outcomes = list(sightread.extract_many(pages(), processes=2, include_links=False))
    failed = [each for each in outcomes if each.error]
    assert sorted(each.index for each in outcomes) == list(range(12))
    assert len(failed) <= 2
    assert all("the process that read it ended with status -9" in str(each.error) for each in failed)
    read = next(each for each in outcomes if not each.error)
    alone = sightread.extract(page(read.index), include_links=False)
    assert isinstance(read.unwrap(), sightread.Document)  # without a format
    assert (read.unwrap().to_json("left_out"), read.unwrap().notes) == (alone.to_json("left_out"), alone.notes)


def test_a_page_that_takes_too_long_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "TIMEOUTS", Timeouts(page=1.5))
    large = "<main>" + "".join(f"<p>{page(number)}" for number in range(20_000))
    outcomes = {each.index: each for each in sightread.extract_many([page(1), large, page(2)], processes=1, output_format="text")}
    assert "not processed within 1.5 s: too large" in str(outcomes[1].error)
    assert outcomes[0].error is outcomes[2].error is None


def test_pages_are_taken_as_processes_become_free_and_closing_ends_the_processes() -> None:
    taken = []

    def pages() -> Iterator[str]:
        for number in count():
            taken.append(number)
            yield page(number)

    outcomes = sightread.extract_many(pages(), processes=1, output_format="text")
    assert len(list(islice(outcomes, 3))) == 3
    assert len(taken) <= 5
    assert len(workers()) == 1
    outcomes.close()
    assert workers() == []


def test_processes_that_die_before_they_have_their_order_are_waited_for_and_a_fault_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Dead(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)  # dead, and still to be waited for
            started.append(self)

    monkeypatch.setattr(child_process, "SINGLE_THREAD", {"PYTHONMALLOC": "none"})  # with which no Python starts
    monkeypatch.setattr(subprocess, "Popen", Dead)
    with pytest.raises(sightread.Unequipped, match="3 processes of extract_many ended while they loaded the model"):
        list(sightread.extract_many([page(1)], processes=1))
    assert [process.returncode for process in started] == [1] * 3


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: sightread.extract_many(page(1)), "pages is a single page: give a list of HTML"),
        (lambda: sightread.extract_many([page(1)], processes=0), "processes is 0: give 1 or more processes"),
        (lambda: sightread.extract_many([page(1)], "gpt"), "no model is called 'gpt'"),
        (lambda: sightread.extract_many([page(1)], output_format="pdf"), "output_format is 'pdf'"),
        (lambda: sightread.extract_many([page(1)], include_tabels=False), "did you mean include_tables?"),
    ],
)
def test_wrong_options_are_refused_before_a_process_starts(call, complaint: str) -> None:
    with pytest.raises(sightread.Rejected) as caught:
        call()
    assert complaint in str(caught.value)
    assert workers() == []
