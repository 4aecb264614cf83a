"""The command line itself: its help, and what it makes of an end that no command foresaw."""

import signal
from importlib import import_module

import pytest

from sightread.cli import learn, sites
from sightread.cli.commands import COMMANDS as RECORDS
from sightread.cli.parser import build_parser, main
from sightread.render import errors

COMMANDS = (
    *("extract", "explain", "compare", "batch", "learn", "crawl", "demo", "label", "train", "evaluate", "report", "sites", "corrections"),
    *("inspect", "serve", "token", "mcp"),
    *("setup", "doctor", "completion"),
)


def ends_with(error):
    async def command(_):
        raise error

    return command


def test_every_command_of_the_help_is_there_and_no_other(sightread):
    shown = sightread("--help").out
    (choices,) = (action.choices for action in build_parser()._actions if action.choices)
    assert tuple(choices) == COMMANDS
    for name in choices:
        assert f"\n    {name}" in shown
        assert callable(getattr(import_module(f"sightread.cli.{RECORDS[name].MODULE}"), name))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(sightread, command):
    ran = sightread(command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: sightread {command} ")
    assert "\nexamples:\n" in ran.out
    assert "--proxy" not in ran.out or command in ("serve", "mcp")
    assert "(default: None)" not in ran.out


@pytest.mark.parametrize("command", ["extract", "learn", "inspect"])
def test_all_options_are_shown_on_request(sightread, command):
    ran = sightread(command, "--help-all")
    assert (ran.code, ran.err) == (0, "")
    assert "--proxy" in ran.out and "--device" in ran.out and "--time-zone" in ran.out


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.Rejected, 2),
        (errors.BadRecord, 2),
        (errors.UnknownModel, 2),
        (errors.Retryable, 3),
        (errors.Unusable, 3),
        (errors.NoBrowser, 4),
        (errors.StorageFailed, 4),
        (errors.Unwritable, 4),
        (errors.NotTrusted, 5),
        (errors.ConditionNotMet, 6),
    ],
)
def test_every_error_has_its_exit_code_and_one_line(sightread, monkeypatch, error, code):
    monkeypatch.setattr(sites, "train", ends_with(error("what, where, what to do")))
    assert sightread("train", "folder") == (code, "", "sightread: what, where, what to do\n")


def test_a_fault_of_ours_is_reported_as_such_with_its_traceback(sightread, monkeypatch):
    monkeypatch.setattr(sites, "train", ends_with(ZeroDivisionError("ours")))
    ran = sightread("train", "folder")
    assert ran.code == 70
    assert "ZeroDivisionError: ours" in ran.err
    assert ran.messages == ["this is a defect of sightread, not of your input; please report the lines above"]


@pytest.mark.parametrize(
    ("module", "command", "message"),
    [(sites, "train", "stopped"), (learn, "learn", "stopped; the same command continues where it stopped")],
)
def test_ctrl_c_promises_to_go_on_only_where_it_will(sightread, monkeypatch, module, command, message):
    monkeypatch.setattr(module, command, ends_with(KeyboardInterrupt()))
    ran = sightread(command, "folder")
    assert (ran.code, ran.messages) == (128 + signal.SIGINT, [message])


def test_main_returns_what_the_command_returns(monkeypatch):
    async def command(options):
        return 0 if options.folder == "here" else 1

    monkeypatch.setattr(sites, "label", command)
    assert (main(["label", "here"]), main(["label", "there"])) == (0, 1)
