"""Option records of the commands: complete, frozen, and read from what the parser gives."""

from dataclasses import FrozenInstanceError, asdict

import pytest

from sightread.cli.options.options import CrawlCommand, ExtractCommand, LearnCommand, read_options
from sightread.cli.parser import build_parser


def options_of(*arguments: str):
    parsed = build_parser().parse_args(arguments)
    return read_options(parsed.record, parsed)


def test_each_option_reaches_its_field():
    options = options_of(
        "extract", "https://x.test/", "--with", "posts", "--without", "tables", "--language", "de", "--header", "A: b", "--local"
    )
    assert isinstance(options, ExtractCommand)
    assert (options.listing.targets, options.also, options.without) == (("https://x.test/",), ("posts",), ("tables",))
    assert (options.browsing.appearance.language, options.browsing.secrets.header, options.browsing.local) == ("de", ("A: b",), True)


def test_an_option_that_a_command_lacks_keeps_its_default():
    served = options_of("mcp", "--tabs", "2")
    assert (served.browsing.tabs, served.browsing.local, served.browsing.deadline) == (2, False, 30.0)


def test_learn_crawls_with_the_options_of_crawl():
    learn = options_of("learn", "x.test", "--pages", "7", "--refresh")
    assert isinstance(learn, LearnCommand) and learn.refresh
    crawl = options_of("crawl", "x.test", "--pages", "7")
    assert isinstance(crawl, CrawlCommand)
    assert asdict(learn.crawl) == asdict(crawl)


def test_nothing_can_be_changed():
    with pytest.raises(FrozenInstanceError):
        options_of("train", "x.test").folder = "y.test"
