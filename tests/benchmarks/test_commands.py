"""The commands of `python -m benchmarks`: found by their files, listed without an import, run by name; and paths of their output."""

import sys

import pytest

import benchmarks
import benchmarks.experiments
from benchmarks.__main__ import main
from benchmarks.commands import list_commands

ADDED = '''
"""Counts letters."""

import argparse

from benchmarks.commands import Command


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text")


COMMAND = Command(
    "letters", "how many letters a text has", lambda options: print(len(options.text)) or 0, add_options, needs_data=False
)
'''


@pytest.fixture
def run(monkeypatch):
    """Run the command line with these arguments."""

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["benchmarks", *arguments])
        return main()

    return run


def test_a_new_file_is_a_new_command(run, tmp_path, monkeypatch, capsys):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "letters.py").write_text(ADDED)
    monkeypatch.setattr(benchmarks.experiments, "__path__", [*benchmarks.experiments.__path__, str(tmp_path / "experiments")])
    monkeypatch.setattr(benchmarks, "__path__", [*benchmarks.__path__, str(tmp_path)])
    with pytest.raises(SystemExit):
        run("--help")
    assert "how many letters a text has" in capsys.readouterr().out
    assert run("letters", "seven!!") == 0
    assert capsys.readouterr().out == "7\n"
    sys.modules.pop("benchmarks.experiments.letters")


def test_every_command_is_listed_as_its_module_declares_it_and_takes_its_options(run, capsys):
    names = [listed.name for listed in list_commands()]
    assert len(set(names)) == len(names)
    for listed in list_commands():
        command = listed.load()
        assert (command.name, command.help) == (listed.name, listed.help)
        with pytest.raises(SystemExit) as ended:
            run(listed.name, "--help")
        assert ended.value.code == 0
        assert ("--data" in capsys.readouterr().out) == command.needs_data


def test_a_name_of_no_command_and_a_missing_package_are_errors_of_one_line(run, tmp_path, monkeypatch, capsys):
    with pytest.raises(SystemExit) as ended:
        run("strange")
    assert ended.value.code == 2
    assert "invalid choice: 'strange'" in capsys.readouterr().err
    (tmp_path / "needy.py").write_text("import no_such_package\n" + ADDED)
    monkeypatch.setattr(benchmarks, "__path__", [*benchmarks.__path__, str(tmp_path)])
    assert run("letters") == 4
    assert capsys.readouterr().err == (
        "benchmarks: letters needs the package no_such_package, which is not installed: ./setup.sh installs it\n"
    )


@pytest.fixture
def refusal(run, capsys):
    """Run a command line that is refused, and return what it writes."""

    def refusal(command, out) -> str:
        with pytest.raises(SystemExit) as ended:
            run(*command.split(), "--out", str(out), "--data", "/nowhere")
        assert ended.value.code == 2
        return capsys.readouterr().err

    return refusal


def test_nothing_is_run_if_its_output_cannot_be_written(refusal, tmp_path):
    (tmp_path / "file").write_text("")
    for command in ("train-global", "gold", "scale"):
        for name in ("file", "file/further"):
            reported = refusal(command, tmp_path / name)
            assert "choose another folder" in reported
            assert str(tmp_path / name) in reported
    for command in ("train-rebuilt web2text", "train-rebuilt boilerpipe-tree"):
        assert "it is a folder: name a file in it" in refusal(command, tmp_path)
        assert "choose another folder" in refusal(command, tmp_path / "file" / "model.npz")
