"""Records of the commands: complete, frozen, and read from what the parser gives."""

from dataclasses import FrozenInstanceError, asdict

import pytest

from sightread.cli.commands import COMMANDS, CrawlCommand
from sightread.cli.options import read_options
from sightread.cli.parser import build_parser
from sightread.cli.visiting import render_options
from sightread.client.async_client import PageKeywords
from sightread.render.visit.visit import RenderOptions
from sightread.server.engine.build_answers import render_options as service_options
from sightread.server.schema.requests import PageOptions


def options_of(*arguments: str, **others):
    parsed = build_parser().parse_args(arguments)
    return read_options(COMMANDS[parsed.command], parsed, **others)


def test_each_option_reaches_its_field():
    options = options_of(
        "extract", "https://x.test/", "--with", "posts", "--without", "tables", "--language", "de", "--header", "A: b", "--local"
    )
    assert (options.targets, options.also, options.without) == (("https://x.test/",), ("posts",), ("tables",))
    assert (options.language, options.header, options.local, options.deadline) == ("de", ("A: b",), True, 30.0)


def test_learn_crawls_with_the_options_of_crawl_and_demo_on_this_machine():
    learn = options_of("learn", "x.test", "--pages", "7", "--refresh")
    crawl = options_of("crawl", "x.test", "--pages", "7")
    assert isinstance(learn, CrawlCommand) and learn.refresh
    assert asdict(crawl).items() <= asdict(learn).items()
    demo = options_of("demo", sockets=None)
    assert (demo.local, demo.pages, demo.dry_run, demo.site) == (True, 52, False, None)


def test_a_visit_has_the_same_defaults_in_the_library_in_the_service_and_on_the_command_line():
    library, service, typed = RenderOptions(), PageOptions(), options_of("extract", "https://x.test/")
    assert render_options(typed, "https://x.test/") == library
    assert service_options(service, "https://x.test/", is_stored=False) == library
    assert PageKeywords.__annotations__.keys() == set(PageOptions.__struct_fields__)


def test_nothing_can_be_changed():
    with pytest.raises(FrozenInstanceError):
        options_of("train", "x.test").folder = "y.test"
