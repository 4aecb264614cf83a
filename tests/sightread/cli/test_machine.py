"""`setup`, `doctor` and `completion`, as a person at a terminal has them."""

import json
import shutil
import subprocess

import pytest

from sightread.cli.commands import SHELLS
from sightread.cli.machine import completion_script

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


def test_fish_completes_values(tmp_path):
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    (tmp_path / "script").write_text(completion_script("fish"))
    command = ["fish", "-c", "source script; complete -C 'sightread completion '; complete -C 'sightread extract --format js'"]
    ran = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, timeout=60, env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    )
    assert [line.split("\t")[0] for line in ran.stdout.splitlines()] == ["bash", "fish", "zsh", "json", "jsonl"]


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
