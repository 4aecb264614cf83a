"""The command line itself: its help, the records of its options, and what it makes of an end that no command foresaw."""

import inspect
import json
import signal
from importlib import import_module

import pytest

from sightread.cli import learn, sites
from sightread.cli.commands import COMMANDS as RECORDS
from sightread.cli.commands import MODULES
from sightread.cli.options import as_help, read_options
from sightread.cli.parser import build_parser
from sightread.cli.visiting import render_options
from sightread.client.async_client import AsyncClient
from sightread.render import errors
from sightread.render.visit.options import declared_options
from sightread.render.visit.visit import RenderOptions
from sightread.server.engine.build_answers import render_options as service_options
from sightread.server.process.front import all_routes
from sightread.server.routes.catalog import openapi_document
from sightread.server.schema.requests import PageOptions

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
        assert callable(getattr(import_module(f"sightread.cli.{MODULES[name]}"), name))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(sightread, command):
    ran = sightread(command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: sightread {command} ")
    assert "\nexamples:\n" in ran.out
    assert "--proxy" not in ran.out or command in ("serve", "mcp")
    assert "(default: None)" not in ran.out
    if "--help-all" in ran.out:
        assert set(ran.out.split()) < set(sightread(command, "--help-all").out.split())


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


def options_of(*arguments: str, **others):
    parsed = build_parser().parse_args(arguments)
    return read_options(RECORDS[parsed.command], parsed, **others)


def test_each_option_reaches_its_field():
    options = options_of(
        "extract", "https://x.test/", "--with", "posts", "--without", "tables", "--language", "de", "--header", "A: b", "--local"
    )
    assert (options.targets, options.also, options.without) == (("https://x.test/",), ("posts",), ("tables",))
    assert (options.language, options.header, options.local, options.deadline) == ("de", ("A: b",), True, 30.0)


def test_a_visit_has_the_same_defaults_in_the_library_in_the_service_and_on_the_command_line():
    library, service, typed = RenderOptions(), PageOptions(), options_of("extract", "https://x.test/")
    assert render_options(typed, "https://x.test/") == library
    assert service_options(service, "https://x.test/", is_stored=False) == library


def test_an_option_of_a_visit_is_declared_once_for_all(sightread):
    fields = json.loads(openapi_document(all_routes()))["components"]["schemas"]["ExtractRequest"]["properties"]
    keywords = inspect.signature(AsyncClient.extract).parameters
    shown = " ".join(sightread("extract", "--help").out.split())
    for name, _, option, default in declared_options():
        assert getattr(RenderOptions(), name) == default
        assert keywords[name].default == getattr(PageOptions(), name)
        assert (f"--{name.replace('_', '-')} {option.metavar} {as_help(option.help)}" in shown) == bool(option.metavar)
        assert name == "wait_for" or fields[name]["description"] == option.help  # of the service, which takes no function, its own
