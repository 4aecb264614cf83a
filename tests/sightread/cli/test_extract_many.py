"""`sightread extract` of several pages: files or JSON lines, errors as values, and the same result after a kill."""

import json
import signal
from pathlib import Path
from threading import Event

import pandas as pd
import pytest

from sightread.batch.processes import _Worker
from tests.processes.terminal import finish, start

TOWNS = ("Aldmoor", "Breck", "Carrow", "Dunlin")


def story(town: str) -> str:
    return f"""<title>{town} looks back</title><meta name="author" content="Ana Lim"><nav><a href="/">Home</a></nav><article>
        <h1>{town} looks back</h1><p>The coopers of {town} kept a ledger, and it came to light under a stair this spring.</p>
        <p>It names their masters, their apprentices, and what each was fined for when work in {town} was done badly.</p></article>"""


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Four HTML files, named relative to the current folder."""
    monkeypatch.chdir(tmp_path)
    for town in TOWNS:
        (tmp_path / f"{town}.html").write_text(story(town))
    return [f"{town}.html" for town in TOWNS]


def index(folder: Path) -> dict[str, dict]:
    lines = [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]
    return {line["source"]: line for line in lines}


def test_a_folder_holds_a_file_per_page_and_an_index(sightread, pages):
    Path("bad.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    ran = sightread("extract", *pages, "bad.html", "--static", "--output-dir", "out")
    assert (ran.code, ran.out) == (3, "")
    assert "failed: bad.html: the document: not HTML but binary data" in ran.err
    assert ran.err.splitlines()[-1].startswith("4 of 5 pages extracted in ")
    found = index(Path("out"))
    assert found.keys() == {*pages, "bad.html"}
    assert found["bad.html"]["error"]["kind"] == "Unusable"
    article = found["Breck.html"]["article"]
    assert (article["title"], article["authors"], article["model"]) == ("Breck looks back", ["Ana Lim"], "global")
    head, text = (Path("out") / article["file"]).read_text().removeprefix("---\n").split("\n---\n\n")
    assert 'title: "Breck looks back"' in head and 'model: "global"' in head and f"expected_f1: {article['expected_f1']}" in head
    assert text.startswith("# Breck looks back\n")


def test_json_lines_name_what_was_given_and_a_code_of_notes_is_shown_once(sightread, pages):
    Path("list.txt").write_text("# towns\n" + "\n".join(pages[1:]) + "\n\n")
    ran = sightread("extract", pages[0], "missing.html", "--urls", "list.txt", "--static", "--tabs", 1, "--format", "jsonl")
    lines = {line["source"]: line for line in map(json.loads, ran.out.splitlines())}
    assert ran.code == 3
    assert lines.keys() == {*pages, "missing.html"}
    assert lines["missing.html"]["error"]["kind"] == "Rejected"
    assert lines["Carrow.html"]["text"].startswith("Carrow looks back")
    notes = [line for line in ran.err.splitlines() if line.startswith("note site-unknown: ")]
    assert len(notes) == 1 and notes[0].endswith("its site is not known (and 3 more pages)")


def test_pages_that_are_there_are_not_read_again_and_the_rest_has_no_idle_process(sightread, pages, monkeypatch):
    read = ("--static", "--model", "boilerpipe", "--tabs", 1, "--output-dir", "out")
    assert sightread("extract", *pages[:3], *read).code == 0
    started = []
    with monkeypatch.context() as patch:
        start = _Worker.start
        patch.setattr(_Worker, "start", lambda *given: started.append(given) or start(*given))
        again = sightread("extract", *pages, *read, "--tabs", 4)
    assert len(started) == 1
    assert again.err.splitlines()[0] == "3 of 4 pages are there already; delete the folder's index.jsonl to read them again"
    assert "1 of 1 pages extracted" in again.err
    other = sightread("extract", *pages, *read, "--without", "links")
    assert "4 of 4 pages extracted" in other.err


def test_a_torn_folder_of_json_lines_is_mended(sightread, pages):
    read = ("--static", "--model", "boilerpipe", "--tabs", 1, "--format", "jsonl", "--output-dir")
    sightread("extract", *pages, *read, "whole")
    sightread("extract", *pages[:2], *read, "torn")
    for name in ("index.jsonl", "pages.jsonl"):  # a kill in the middle of a line, of either file
        with Path("torn", name).open("ab") as file:
            file.write(b'{"source":"Carrow.html","sett')
    sightread("extract", *pages, *read, "torn")
    texts = [
        {line["source"]: line["text"] for line in map(json.loads, Path(folder, "pages.jsonl").read_text().splitlines())}
        for folder in ("whole", "torn")
    ]
    assert texts[0] == texts[1]
    assert len(Path("torn", "pages.jsonl").read_text().splitlines()) == 4


def test_a_killed_job_goes_on(sightread, serve, tmp_path):
    is_blocked, may_go_on = Event(), Event()

    def blocking() -> str:
        is_blocked.set()
        may_go_on.wait(30)
        return story("Breck")

    site = serve({"/Aldmoor": story("Aldmoor"), "/Breck": blocking, "/Carrow": story("Carrow")})
    (tmp_path / "urls.txt").write_text("\n".join(site.url(f"/{town}") for town in TOWNS[:3]))
    command = ("extract", "--urls", tmp_path / "urls.txt", "--output-dir", tmp_path / "out", "--per-host", "1", "--local")
    program = start(*command, home=tmp_path / "home")
    assert is_blocked.wait(30)
    program.send_signal(signal.SIGTERM)
    ran = finish(program)
    assert (ran.code, ran.messages[-1]) == (128 + signal.SIGTERM, "stopped; the same command continues where it stopped")
    assert "/Carrow" not in site.requests
    before = (tmp_path / "out" / "index.jsonl").read_bytes()
    may_go_on.set()
    assert sightread(*command).code == 0
    assert (tmp_path / "out" / "index.jsonl").read_bytes().startswith(before)
    assert index(tmp_path / "out").keys() == {site.url(f"/{town}") for town in TOWNS[:3]}


def test_a_table_has_a_row_for_each_page(sightread, pages):
    read = ("--static", "--model", "boilerpipe", "--tabs", 1, "--output-dir", "table", "--format")
    assert sightread("extract", *pages[:2], *read, "csv").code == 0
    assert sightread("extract", *pages, *read, "parquet").code == 0
    csv, parquet = pd.read_csv("table/pages.csv"), pd.read_parquet("table/pages.parquet")
    assert (list(csv["source"]), sorted(parquet["source"])) == (pages[:2], sorted(pages))
    assert (list(csv["title"]), json.loads(csv["authors"][0])) == (list(parquet["title"])[:2], list(parquet["authors"][0]))
    assert parquet["text"].str.len().min() > 100
    assert "add --output-dir FOLDER" in sightread("extract", pages[0], "--static", "--format", "csv").err
