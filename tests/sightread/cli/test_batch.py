"""`sightread batch`: the same rows from processes and from shards, after a kill as well; status, checks and exit codes for schedulers."""

import json
import signal
import time
from pathlib import Path

import pytest

from sightread.batch.job.manifest import output_rows
from sightread.batch.job.plan import load_plan, shard_of
from sightread.batch.storage import open_storage
from sightread.render.errors import Rejected
from tests.pages.archive_files import Sent, warc
from tests.processes.families import file_size_limit
from tests.processes.terminal import finish, start

TEXT = "The coopers of the town kept a ledger, and it came to light under a stair this spring, among old coats. "
PAGES = 60


def html(number: int) -> bytes:
    return f"<title>T{number}</title><nav><a href='/'>Home</a></nav><article><h1>T{number}</h1><p>{TEXT * 3}</p></article>".encode()


@pytest.fixture
def crawl(tmp_path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    sent = [Sent(f"https://a.example/{n}", html(n)) for n in range(PAGES - 3)]
    bad = [
        Sent("https://a.example/gone", b"<p>Gone", status=404),
        Sent("https://a.example/pdf", b"%PDF-1.7" + bytes(99)),
        Sent("https://a.example/logo", b"x", "image/png"),
    ]
    Path("crawl.warc.gz").write_bytes(warc([*sent, *bad]))
    return "crawl.warc.gz"


def write(name: str, text: str) -> None:
    Path(name).write_text(text)


def rows(output: str) -> list[dict]:
    storage = open_storage(output)
    found = [{name: getattr(row, name) for name in row.__struct_fields__} for row in output_rows(storage, load_plan(storage))]
    return [{name: value for name, value in row.items() if not name.endswith("seconds")} for row in found]


def test_shards_write_what_processes_write_and_a_killed_job_goes_on(sightread, crawl, tmp_path):
    options = ("--static", "--model", "boilerpipe", "--partition-rows", "40", "--format", "text", "--format", "json", "--processes", "1")
    job = start("batch", crawl, "whole", *options, home=tmp_path)
    deadline = time.monotonic() + 60
    while not Path("whole/manifest").is_dir() and time.monotonic() < deadline:
        time.sleep(0.02)
    job.send_signal(signal.SIGKILL)
    finish(job)
    done = sightread("batch", crawl, "whole", *options, "--json", "--log", "log.jsonl")
    assert (done.code, done.json()["is_done"], done.json()["failed"]) == (3, True, 1)
    shards = [("batch", crawl, "parts", *options, "--shard", f"{n}/2", "--output-format", "parquet") for n in range(2)]
    assert [sightread(*shard).code for shard in shards] == [0, 0]
    whole = rows("whole")
    assert whole == rows("parts") and len(whole) == PAGES
    assert [row["state"] for row in whole] == ["extracted"] * (PAGES - 3) + ["skipped", "failed", "skipped"]
    assert [row["reason"] for row in whole if row["state"] == "skipped"] == ["status: 404", "not-html: image/png"]
    assert whole[0]["documents"]["text"].startswith("T0") and json.loads(whole[3]["documents"]["json"])["url"] == whole[3]["url"]
    assert {"part-committed", "page-failed"} <= {json.loads(line)["event"] for line in Path("log.jsonl").read_text().splitlines()}


def test_the_text_alone_is_written_with_title_and_language(sightread, crawl):
    ran = sightread("batch", crawl, "texts", "--fast", "--processes", "1", "--json")
    assert (ran.code, ran.json()["models"]) == (3, {"fast": PAGES - 3})
    found = rows("texts")
    assert found[2]["documents"] == {"text": f"T2\n\n{' '.join([TEXT.strip()] * 3)}"}
    assert (found[2]["title"], found[2]["url"], found[2]["expected_f1"] > 0.7) == ("T2", "https://a.example/2", True)
    assert [row["error"] for row in found if row["state"] == "failed"] == ["Unusable"]
    assert "another" in sightread("batch", crawl, "texts", "--static").complaint


def test_urls_are_opened_once_each_in_the_browser(sightread, serve, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    site = serve({f"/{n}": html(n).decode() for n in range(3)})
    urls = [site.url(path) for path in ("/0", "/1", "/gone", "/2", "/1")]
    write("urls.txt", "\n".join(urls))
    ran = sightread("batch", "urls.txt", "out", "--local", "--model", "boilerpipe", "--processes", "1", "--json")
    assert (ran.code, ran.json()["extracted"], ran.json()["failed"]) == (3, 3, 1)
    assert ran.messages == ["1 of 4 pages failed; the column reason of their rows has the causes"]
    found = {row["url"]: (row["state"], row["error"], row["title"]) for row in rows("out")}
    assert found[urls[2]][:2] == ("failed", "Unusable") and found[urls[3]] == ("extracted", "", "T2")
    assert [path for path in site.requests if path == "/1"] == ["/1"]


def test_status_and_checks_of_an_output(sightread, crawl):
    assert sightread("batch", crawl, "out", "--static", "--plan", "--partition-rows", "100", "--json").json()["partitions"] == 2
    status = sightread("batch", "--status", "out", "--json", "--metrics", "batch.prom").json()
    assert "sightread_batch_partitions 2\n" in Path("batch.prom").read_text()
    assert (status["partitions_done"], status["is_done"], status["rows"]) == (0, False, 0)
    checked = sightread("batch", "--verify", "out", "--json")
    assert (checked.code, len(checked.json()["faults"])) == (75, 2)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("in.jsonl",), "batch needs an input and an output: sightread batch INPUT OUTPUT"),
        (("none.jsonl", "out"), "none.jsonl: no input there: give a file, a folder of files or a pattern"),
        (("--status", "out"), "out/job.json: no batch was begun there"),
        (("in.jsonl", "out", "--shard", "3/3"), "'3/3' is not a shard: give I/N with I from 0 to N-1, such as 0/8"),
        (("in.jsonl", "out", "--partition-rows", "20001"), "'20001' is more than 20000 rows"),
        (("in.jsonl", "out", "--input-format", "json"), "nothing is called 'json'; did you mean jsonl? There are auto, warc, urls"),
        (("in.jsonl", "out", "--page-memory", "1"), "'1' MB is less than a model and a page need: give 256 or more"),
        (("in.jsonl", "out", "--metrics", "x.prom"), "--metrics goes with --status"),
        (("in.jsonl", "out", "--html-column", "htlm"), "in.jsonl has no such column; did you mean html? There are url, html"),
        (("http://127.0.0.1:1/in.warc.gz", "out"), "in.warc.gz: no input there: give a file"),
        (("in.jsonl", "out", "--model", "globl"), "no model is called 'globl'; did you mean global?"),
        (("in.jsonl", "out", "--fast", "--format", "json"), "--fast gives the text alone, by a way of its own: leave --model"),
        (("in.jsonl", "out", "--fast", "--model", "global"), "--fast gives the text alone"),
        (("in.jsonl", "out", "--dask", "tcp://127.0.0.1:1"), "--dask needs Dask: pip install 'sightread[dask]'"),
    ],
)
def test_wrong_commands_are_refused_and_not_to_be_tried_again(sightread, tmp_path, monkeypatch, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    Path("in.jsonl").write_text('{"url": "https://a.example/", "html": "<p>Text"}\n')
    ran = sightread("batch", *arguments)
    assert ran.code in (2, 4) and complaint in ran.complaint


def test_a_batch_in_which_no_page_can_be_read_states_so(sightread, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("in.jsonl", '{"uri": "https://a.example/", "htlm": "<p>Text"}\n')
    ran = sightread("batch", "in.jsonl", "out", "--static", "--processes", "1", "--json")
    reason = rows("out")[0]["reason"]
    assert reason.endswith("in the row: name them with --html-column or --url-column")
    assert (ran.code, ran.json()["failed"]) == (3, 1) and f"no page could be read: {reason}; the column reason of the rows" in ran.err
    assert [sightread("batch", "in.jsonl", "out", "--static", "--shard", shard).code for shard in ("0/1", "0/2")] == [0, 0]


def test_files_of_unknown_kind_are_counted_and_named(sightread, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for name in ("a.html", "b.html"):
        write(f"in/{name}", "<p>Text")
    remedy = "name it with --input-format warc, urls, corpus, parquet or jsonl; sightread extract reads HTML files"
    ran = sightread("batch", "in", "out", "--static")
    assert (ran.code, ran.complaint) == (2, f"{tmp_path}/in/a.html: the kind of input is unknown, as is that of 1 more: {remedy}")
    write("in/c.jsonl", '{"url": "https://a.example/", "html": "<p>Text of the page"}\n')
    ran = sightread("batch", "in", "out", "--static", "--processes", "1")
    assert (ran.code, ran.messages) == (
        0,
        [f"2 of 3 files are left out, the first is {tmp_path}/in/a.html: the kind of input is unknown: {remedy}"],
    )


def test_a_full_disk_is_to_be_tried_again(sightread, crawl):
    with file_size_limit(10):
        ran = sightread("batch", crawl, "out", "--static")
    assert (ran.code, ran.complaint.startswith("cannot write")) == (75, True)


@pytest.mark.parametrize("output", ["file", "file/below/it", "x" * 300])
def test_an_output_that_can_never_be_written_is_not_to_be_tried_again(sightread, crawl, output):
    write("file", "a file where a folder is needed")
    ran = sightread("batch", crawl, output, "--static")
    assert (ran.code, ran.complaint.endswith("choose another folder")) == (4, True), ran.complaint


def test_the_shard_is_what_a_scheduler_declares():
    slurm = {"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "8", "SLURM_ARRAY_TASK_MIN": "1"}
    assert (shard_of(None, slurm), shard_of("0/2", slurm), shard_of(None, {})) == ((4, 8), (0, 2), (0, 1))
    assert shard_of(None, {"JOB_COMPLETION_INDEX": "3", "SIGHTREAD_SHARDS": "4"}) == (3, 4)
    with pytest.raises(
        Rejected, match="JOB_COMPLETION_INDEX is 3 and SIGHTREAD_SHARDS not set: set SIGHTREAD_SHARDS to the number of tasks"
    ):
        shard_of(None, {"JOB_COMPLETION_INDEX": "3"})
