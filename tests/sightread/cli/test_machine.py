"""`setup`, `doctor` and `completion`; and what a machine may lack: a browser, disk space, a free port, letters."""

import io
import json
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from sightread.cli.commands import SHELLS
from sightread.cli.machine import completion_script
from sightread.render.errors import StorageFailed
from sightread.sites.learn import learn_corpus
from sightread.viewer.report import write_site_report
from tests.pages.stories import ARTICLE
from tests.processes.families import file_size_limit
from tests.processes.terminal import finish, start

BASH = """source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); function=$(complete -p sightread | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$function" sightread "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\\n' "${COMPREPLY[@]}" """


def completed(script, *words):
    ran = subprocess.run(["bash", "-c", BASH, "bash", str(script), *words], capture_output=True, text=True, cwd=script.parent, timeout=60)
    assert ran.stderr == ""
    return ran.stdout.split("\n")[:-1]


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "sightread bash"
    path.write_text(completion_script("bash"))
    return path


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("sightread", "do"), ["doctor"]),
        (("sightread", "extract", "--format", "j"), ["json", "jsonl"]),
        (("sightread", "extract", "--colour-scheme", "d"), ["dark"]),
        (("sightread", "evaluate", "--model", "boilern"), ["boilernet"]),
        (("sightread", "completion", ""), list(SHELLS)),
        (("sightread", "serve", "--po"), ["--port"]),
        (("sightread", "extract", "sight"), ["sightread bash"]),
        (("sightread", "extract", "--url", "sight"), []),
    ],
)
def test_bash_completes_commands_options_values_and_files(script, words, found):
    assert [word for word in completed(script, *words) if word] == found


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_reads_its_script(shell, tmp_path):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / "script"
    path.write_text(completion_script(shell))
    ran = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_doctor_names_a_browser_that_is_not_there(sightread, monkeypatch):
    monkeypatch.setenv("SIGHTREAD_BROWSER", "/nonexistent/chromium")
    ran = sightread("doctor", "--json")
    (browser,) = [finding for finding in json.loads(ran.out) if finding["name"] == "browser"]
    assert (ran.code, browser["level"]) == (4, "problem")
    assert browser["remedy"] == "correct it, or unset SIGHTREAD_BROWSER to have one found"
    shown = sightread("doctor")
    assert (shown.code, shown.err) == (4, "") and "→ correct it" in shown.out


def test_setup_with_everything_there_installs_nothing_and_reads_a_page(sightread, monkeypatch):
    monkeypatch.setattr("sightread.machine.install.missing_scripts", tuple)
    ran = sightread("setup", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json()["version"][0].isdigit()
    assert sightread("setup", "--dry-run").out == "nothing is missing\n"


def test_a_browser_that_is_not_there_or_ends_at_once_is_named_and_a_file_is_read_without_one(sightread, serve, page, monkeypatch):
    monkeypatch.setenv("SIGHTREAD_BROWSER", "/nonexistent/chromium")
    url = serve({"/": ARTICLE}).url()
    for command in (("extract", url), ("learn", url), ("serve", "--port", 0)):
        assert sightread(*command).failed(4).startswith("/nonexistent/chromium: no such program")
    ran = sightread("extract", url, "--browser", "/bin/ls")
    assert (ran.code, ran.out, len(ran.complaint) < 300) == (4, "", True)
    reason = "does not start: /bin/ls: unrecognized option '--[a-z-]+': install another, or name one in SIGHTREAD_BROWSER"
    assert re.match(rf"\S*ls: {reason}", ran.complaint)
    ran = sightread("extract", page, "--browser", "/nonexistent/chromium", "--format", "text")
    assert (ran.code, "ninety years" in ran.out) == (0, True)
    assert ran.messages[0].endswith("; reading the file without one")


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


@pytest.mark.parametrize("command", ["serve", "demo", "inspect"])
def test_a_port_that_is_taken_is_refused_before_a_browser_is_started(sightread, page, monkeypatch, command):
    monkeypatch.setenv("SIGHTREAD_BROWSER", "/nonexistent/chromium")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = sightread(command, *([page] if command == "inspect" else []), "--port", port)
    problem = f"cannot listen on 127.0.0.1 port {port}: another program listens there: end it, or choose another port with --port"
    assert ran.failed(4) == problem


def test_an_address_of_another_machine_cannot_be_listened_on(sightread, monkeypatch):
    monkeypatch.setenv("SIGHTREAD_TOKEN", "a-token-of-sixteen-characters-or-more")
    for host in ("192.0.2.1", "no-such-host.invalid"):
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
