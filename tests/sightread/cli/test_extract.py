"""`sightread extract` of one page and of several: URLs, files, standard input, and the same result after a kill."""

import json
import signal
from pathlib import Path
from threading import Event

import pandas as pd
import pytest

from sightread.batch.processes import _Worker
from sightread.data.demo import HELD_OUT
from sightread.models.model_choice import NO_STUDENT
from tests.processes.terminal import finish, start

ARTICLE = """<!doctype html><html lang="en"><title>The night ferry</title><body><nav><a href="/">Home</a></nav>
<article><h1>The night ferry</h1>
<p>It has carried shift workers across the estuary every night for ninety years, and now it runs half empty most of the time.</p>
<p>The council says that <a href="/budget">the budget</a> allows for two more winters, and that nobody has asked for a third one.</p>
</article></body></html>"""
FIRST = "It has carried shift workers across the estuary every night for ninety years, and now it runs half empty most of the time."
ADDRESS = "https://courier.example/ferry"
UNKNOWN = "global read the page: courier.example was never learned (sightread learn)"


@pytest.fixture
def article(tmp_path):
    path = tmp_path / "ferry.html"
    path.write_text(ARTICLE)
    return path


def test_a_file_in_every_format(sightread, article):
    read = ("extract", article, "--url", ADDRESS, "--static")
    ran = {name: sightread(*read, "--format", name) for name in ("markdown", "text", "html", "json", "tei")}
    assert [(result.code, result.messages) for result in ran.values()] == [(0, [UNKNOWN])] * 5
    assert ran["tei"].out.startswith('<?xml version="1.0"') and f"<p>{FIRST}</p>" in ran["tei"].out
    assert FIRST in ran["markdown"].out.splitlines()
    assert "[the budget](https://courier.example/budget)" in ran["markdown"].out
    assert FIRST in ran["text"].out.splitlines() and "](" not in ran["text"].out
    assert ran["html"].out.startswith("<article") and f"<p>{FIRST}</p>" in ran["html"].out
    record = ran["json"].json()
    assert sightread(*read, "--json").out == ran["json"].out
    assert (record["model"], record["url"], record["schema"]) == ("global", ADDRESS, 1)
    assert record["markdown"].rstrip("\n") + "\n" == ran["markdown"].out
    assert next(block["text"] for block in record["blocks"] if block["kind"] == "paragraph") == FIRST
    assert all(result.out.endswith("\n") and "Home" not in result.out for result in ran.values())


@pytest.mark.parametrize("how", [(), ("--static",)], ids=["rendered", "static"])
def test_a_file_has_boxes_where_a_browser_rendered_it(sightread, article, how):
    record = sightread("extract", article, "--url", ADDRESS, "--format", "json", *how).json()
    assert FIRST in record["text"]
    assert [block["box"] is None for block in record["blocks"]] == [bool(how)] * len(record["blocks"])


def test_standard_input_is_read_for_a_dash(sightread, article):
    ran = sightread("extract", "-", "--static", "--format", "text", typed=ARTICLE.encode())
    assert (ran.code, FIRST in ran.out) == (0, True)
    assert ran.messages == ["global read the page: without a URL its site is not known"]


def test_a_page_of_a_learned_site_live_or_saved_is_read_with_its_model_but_not_without_a_browser(sightread, demo, tmp_path, monkeypatch):
    monkeypatch.setenv("SIGHTREAD_HOME", str(demo.home))
    url, saved = demo.site.url(HELD_OUT[0]), tmp_path / "saved.html"
    ran = sightread("extract", url, "--format", "json")
    assert (ran.code, ran.err, ran.json()["model"]) == (0, "", "site")
    saved.write_bytes(demo.site.pages[HELD_OUT[0]][2])
    ran = sightread("extract", saved, "--url", url, "--format", "json")
    assert (ran.code, ran.json()["model"], ran.json()["url"]) == (0, "site", url)
    ran = sightread("extract", saved, "--url", url, "--static", "--format", "json")
    assert (ran.code, ran.json()["model"]) == (0, "global")
    assert ran.messages == [f"global read the page: {NO_STUDENT.message}"]


def test_a_page_of_an_unknown_site_is_read_with_the_global_model_and_the_reason_is_reported(sightread, serve):
    site = serve({"/ferry": ARTICLE})
    ran = sightread("extract", site.url("/ferry"))
    assert (ran.code, FIRST in ran.out) == (0, True)
    key = site.root.removeprefix("http://")
    assert ran.messages == [f"global read the page: {key} was never learned (sightread learn)"]


def test_the_site_model_of_an_unknown_site_is_refused(sightread, article):
    ran = sightread("extract", article, "--url", "https://courier.example/ferry", "--model", "site", "--static")
    assert ran.failed(2) == "no site model for https://courier.example/ferry: courier.example was never learned (sightread learn)"


def test_output_goes_into_a_file_whose_folder_is_made(sightread, article, tmp_path):
    path = tmp_path / "new" / "ferry.md"
    ran = sightread("extract", article, "--static", "--output", path, "--model", "boilerpipe")
    assert ran == (0, "", "")
    assert path.read_text() == sightread("extract", article, "--static", "--model", "boilerpipe").out


def test_a_page_on_which_nothing_is_kept_gives_nothing_and_states_so(sightread, tmp_path):
    (tmp_path / "short.html").write_text("<p>Short")
    ran = sightread("extract", tmp_path / "short.html", "--static", "--model", "boilerpipe")
    assert (ran.code, ran.out) == (0, "")
    assert ran.messages == ["no block reaches a probability of 0.5 (the highest is 0.00)"]


def test_what_was_left_out_is_reported_where_it_is_requested(sightread, article):
    ran = sightread("extract", article, "--static", "--url", ADDRESS, "--explain")
    assert "left out: " in ran.err and "Home" in ran.err and "Home" not in ran.out
    record = sightread("extract", article, "--static", "--json", "--explain", "--with", "posts", "--with", "attributes").json()
    assert [each["reason"] for each in record["left_out"] if each["text"] == "Home"] == ["low probability"]
    assert (record["posts"], record["attributes"]) == ([], [])


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
