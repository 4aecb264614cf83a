"""Entry point of the command line, and the arguments of every command; `sightread.cli.run` runs them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sightread.cli.batch.arguments import add_batch_command, add_without
from sightread.cli.machine.arguments import add_machine_commands
from sightread.cli.options.argument_types import choice, count, delay, folds, port, seconds, whole_number
from sightread.cli.options.browser_options import add_appearance, add_language
from sightread.cli.options.help import EXAMPLES, CommandParser, RootParser, VersionAction
from sightread.cli.options.options import (
    CompareCommand,
    CorrectionsCommand,
    CrawlCommand,
    DemoCommand,
    EvaluateCommand,
    ExplainCommand,
    ExtractCommand,
    InspectCommand,
    LabelCommand,
    LearnCommand,
    SitesCommand,
    TrainCommand,
)
from sightread.cli.options.visit_options import add_blocking, add_capture, add_waiting
from sightread.cli.servers.arguments import add_mcp, add_serve, add_token
from sightread.document.formats import format_names
from sightread.models.registry import MODELS
from sightread.render.labels import PART_KINDS

EPILOG = """exit codes: 0 done, 2 bad input, 3 if a page failed, 4 this machine lacks something (a browser, disk space),
5 done, but the result is not trusted, 6 what --wait-for names was not shown in time, 70 a defect of sightread,
75 (batch) try the same command again, 130 stopped by Ctrl-C, 143 by SIGTERM.
SIGTERM lets open pages end, a second one ends at once; serve and inspect end at either signal, with 0"""
DEMO_PORT = 8417
"""Fixed, so that a killed demo finds its corpus again."""
NAMED = ", ".join(("site", *MODELS))
LABELERS = "auto, hdbscan (clusters without a radius) or published (the original paper's, one cluster per site)"
STORED = "an HTML, MHTML, HAR or WARC file, a folder of saved pages (host/path)"
LOCAL = "--local"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parsed = build_parser().parse_args(arguments)
    from sightread.cli.run import run  # noqa: PLC0415  (asyncio is slow to import, and --help does not need it)

    return run(parsed)


def build_parser() -> RootParser:
    """Return the parser of the whole command line."""
    parser = RootParser(
        prog="sightread",
        synopsis="COMMAND [options]",
        description="Extracts the main content of web pages from how they look.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action=VersionAction, help="print the version and end")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", prog="sightread", parser_class=CommandParser)
    _add_extract(commands)
    _add_explain(commands)
    _add_compare(commands)
    add_batch_command(partial(_command, commands))
    _add_crawls(commands)
    _add_steps(commands)
    _add_sites(commands)
    _add_corrections(commands)
    _add_servers(commands)
    add_machine_commands(partial(_command, commands))
    parser.commands = commands.choices
    return parser


Commands = Any  # argparse does not name the type of its sub-parsers publicly


def _command(commands: Commands, name: str, synopsis: str, help: str) -> CommandParser:
    """Return the new parser of a command."""
    parser: CommandParser = commands.add_parser(
        name, help=help, description=f"{help[0].upper()}{help[1:]}.", synopsis=synopsis, examples=EXAMPLES.get(name, "")
    )
    return parser


def _add_extract(commands: Commands) -> None:
    extract = _command(commands, "extract", "URL|FILE|FOLDER... [options]", "print the main content of a page, or write that of many")
    extract.set_defaults(module="extract_command", record=ExtractCommand)
    extract.add_argument("targets", nargs="*", metavar="URL|FILE|FOLDER", help=f"an http(s) URL, {STORED}, or - for standard input")
    extract.add_argument("--urls", metavar="FILE", help="read further URLs and file names from a file, one per line; - for standard input")
    extract.add_argument(
        "--output-dir",
        type=Path,
        metavar="FOLDER",
        help="write a file per page there, and index.jsonl; after a stop, the same command continues",
    )
    extract.add_argument(
        "--per-host",
        type=count,
        metavar="N",
        help="pages of one host open at once (default: 2; any number on this machine)",
    )
    extract.add_argument("--delay", type=delay, metavar="S", help="seconds between two pages of one host (default: 0.5; 0 on this machine)")
    formats = (*format_names(), "jsonl")
    extract.add_argument(
        "--format", type=choice(*formats), default="markdown", metavar="NAME", help=f"{', '.join(formats)} (default: %(default)s)"
    )
    extract.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")
    extract.add_argument(
        "--with",
        dest="also",
        type=choice("posts", "attributes"),
        metavar="NAME",
        action="append",
        default=[],
        help="further fields of the JSON, posts or attributes; repeatable",
    )
    add_without(extract)
    extract.add_argument("--explain", action="store_true", help="list dropped blocks with the reason: on standard error, or in the JSON")
    extract.add_argument("--output", type=Path, metavar="FILE", help="write there instead of to standard output")
    extract.add_argument(
        "--picture", type=Path, metavar="FILE.webp", help="write a screenshot of the whole page; tall pages continue in further files"
    )
    extract.add_argument("--overlay", type=Path, metavar="FILE.svg", help="write an SVG of the screenshot with all blocks, kept or dropped")
    _tabs(extract)
    _model(extract)
    add_capture(extract)
    add_language(_add_reading(extract, "read without a browser: no boxes and styles, so only models of the DOM"))


def _add_explain(commands: Commands) -> None:
    explain = _command(commands, "explain", "URL|FILE [options]", "explain why each block of a page is kept or left out")
    explain.set_defaults(module="review.explain_command", record=ExplainCommand)
    explain.add_argument("target", metavar="URL|FILE", help=f"an http(s) URL, {STORED}, or -")
    explain.add_argument("--row", type=whole_number, metavar="N", help="explain only the block of this number, with its neighbours")
    _model(explain)
    _json(explain)
    _add_reading(explain, "read without a browser")


def _add_compare(commands: Commands) -> None:
    compare = _command(commands, "compare", "URL|FILE|FOLDER [options]", "compare all models on a page or a corpus")
    compare.set_defaults(module="review.compare", record=CompareCommand)
    compare.add_argument("target", metavar="URL|FILE|FOLDER", help=f"an http(s) URL, {STORED}, a folder that crawl wrote, or -")
    compare.add_argument("--blocks", action="store_true", help="of a single page, also show which model keeps which block")
    compare.add_argument(
        "--model", default="auto", metavar="NAME", help="reference of the comparison (default: auto; of a corpus: its labels)"
    )
    _json(compare)
    add_language(_add_reading(compare, "read without a browser"))


def _add_crawls(commands: Commands) -> None:
    learn = _command(commands, "learn", "SITE [options]", "crawl a site, label it, train its model, extract its articles, and report")
    crawl = _command(commands, "crawl", "SITE [options]", "only crawl: render pages of a site into a corpus")
    demo = _command(commands, "demo", "[options]", "learn the bundled demo site, served on this machine")
    learn.set_defaults(module="sites.learn_commands", record=LearnCommand)
    crawl.set_defaults(module="sites.learn_commands", record=CrawlCommand)
    demo.set_defaults(module="sites.learn_commands", record=DemoCommand, local=True)
    for parser in (learn, crawl):
        parser.add_argument("site", nargs="?", metavar="SITE", help="the URL to start from: a front page, a section, or an article")
        _local(parser)
        _scope(parser)
    learn.add_argument(
        "--refresh", action="store_true", help="learn a known site again, and keep the old model unless the new one is as good"
    )
    parts = ", ".join(PART_KINDS)
    for option, what in (("--keep", "keep"), ("--drop", "leave out")):
        learn.add_argument(
            option,
            action="append",
            default=[],
            type=choice(*PART_KINDS),
            metavar="PART",
            help=f"{what} this part of the site's pages, regardless of the evidence: {parts} (repeatable)",
        )
    sizes = "25; of a list of URLs, all"
    for parser, pages, default in ((learn, None, f"{sizes}; of a refresh, as many as before"), (crawl, None, sizes), (demo, 52, "52")):
        parser.add_argument("--pages", type=count, default=pages, metavar="N", help=f"number of articles (default: {default})")
        parser.add_argument(
            "--out", type=Path, metavar="FOLDER", help="a folder of your own (default: one below sites/HOST in the home folder)"
        )
        _tabs(parser)
        parser.add_argument("--delay", type=delay, metavar="S", help="seconds between two pages (default: 0.5; 0 on this machine)")
        parser.add_argument("--deadline", type=seconds, default=30.0, metavar="S", help="deadline per page in seconds (default: 30)")
        parser.add_argument("--no-pictures", action="store_true", help="take no screenshots")
        _json(parser)
        _browser(parser)
        _home(parser)
        add_waiting(parser)
        add_blocking(parser)
        device = add_appearance(parser)
        if parser is demo:  # the others have it among the options of which pages
            add_language(device)
    demo.add_argument("--port", type=port, default=DEMO_PORT, help="where to serve the demo site (default: %(default)s)")


def _scope(parser: CommandParser) -> None:
    group = parser.add_argument_group("which pages", "recorded with the crawl; the same command with the same choice continues")
    group.add_argument(
        "--within", metavar="PATH", help="only pages below this path (default: below SITE's path if that is a section; / for all)"
    )
    group.add_argument(
        "--include", action="append", default=[], metavar="GLOB", help="only addresses that match, such as '/blog/*'; repeatable"
    )
    group.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB", help="leave out addresses that match, such as '*/tag/*'; repeatable"
    )
    group.add_argument("--depth", type=whole_number, metavar="N", help="at most N links from the start page")
    add_language(group, "request pages in this language, such as de-AT, and leave out those that declare another")
    group.add_argument("--sitemap", metavar="URL", help="the pages of this sitemap alone; links are not followed")
    group.add_argument("--urls", metavar="FILE", help="the pages of this list alone, one URL per line; - for standard input")
    group.add_argument("--dry-run", action="store_true", help="visit the pages and list those that would be taken, and why; write nothing")


def _add_steps(commands: Commands) -> None:
    for name, record, what in (
        ("label", LabelCommand, "label the blocks of a crawled site automatically"),
        ("train", TrainCommand, "train a site's model on its labels"),
        ("evaluate", EvaluateCommand, "cross-validate a model by page against the labels, and write articles and report"),
        ("report", TrainCommand, "write the articles and the report of a site again"),
    ):
        step = _command(commands, name, "FOLDER|SITE [options]", what)
        step.set_defaults(module="sites.site_commands", record=record)
        step.add_argument("folder", metavar="FOLDER|SITE", help="a folder that crawl wrote, or the URL of a site crawled before")
        _json(step)
        _home(step)
        if name == "label":
            step.add_argument("--labeler", default="auto", metavar="NAME", help=f"{LABELERS} (default: %(default)s)")
        if name == "evaluate":
            _model(step, NAMED, "site")
            step.add_argument("--folds", type=folds, default=4, metavar="N", help="number of folds (default: %(default)s)")


def _add_sites(commands: Commands) -> None:
    synopsis = "[list | show SITE | export SITE FILE | import FILE | forget SITE] [options]"
    sites = _command(commands, "sites", synopsis, "list, show, export, import or forget learned sites")
    sites.set_defaults(module="sites.sites_command", record=SitesCommand)
    sites.add_argument(
        "action",
        nargs="?",
        type=choice("list", "show", "export", "import", "forget"),
        default="list",
        metavar="ACTION",
        help="list all (default), show one, export its version in use, import an export, or forget one",
    )
    sites.add_argument("site", nargs="?", metavar="SITE", help="name or URL of the site; of an import, the file")
    sites.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the ZIP file to export to")
    sites.add_argument("--replace", action="store_true", help="put an import into use in place of a site that is known already")
    _json(sites)
    _home(sites)


def _add_corrections(commands: Commands) -> None:
    synopsis = "list|export|import|undo|redo SITE [FILE] [options]"
    found = _command(commands, "corrections", synopsis, "list, export, import, undo or redo the corrections of a learned site")
    found.set_defaults(module="review.corrections_command", record=CorrectionsCommand)
    actions = ("list", "export", "import", "undo", "redo")
    found.add_argument("action", type=choice(*actions), metavar="ACTION", help=", ".join(actions))
    found.add_argument("site", metavar="SITE|FOLDER", help="name or URL of a learned site, or a folder that crawl wrote")
    found.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the file to export to, or to import")
    formats = ("corrections", "label-studio", "gold")
    found.add_argument(
        "--format", type=choice(*formats), default="corrections", metavar="NAME", help=f"{', '.join(formats)} (default: %(default)s)"
    )
    _json(found)
    _home(found)


def _add_servers(commands: Commands) -> None:
    inspect = _command(
        commands,
        "inspect",
        "URL|FILE|FOLDER|SITE|JOB [options]",
        "show a page or a corpus in the browser: every block, and why it was kept",
    )
    inspect.add_argument(
        "target",
        metavar="URL|FILE|FOLDER|SITE|JOB",
        help=f"an http(s) URL, {STORED}, a folder that crawl wrote, the name of a learned site, or the id of a job of the service",
    )
    inspect.set_defaults(module="servers.commands", record=InspectCommand)
    _from(inspect)
    inspect.add_argument("--port", type=port, default=0, help="(default: any free one)")
    inspect.add_argument("--no-open", action="store_true", help="only print the address")
    inspect.add_argument("--deadline", type=seconds, default=30.0, metavar="S", help="deadline of the page in seconds (default: 30)")
    _local(inspect)
    add_waiting(inspect)
    add_blocking(inspect)
    add_language(add_appearance(inspect))
    serve = _command(commands, "serve", "[options]", "answer over HTTP: pages, jobs, and a start page")
    add_serve(serve)
    _tabs(serve)
    token = _command(commands, "token", "add NAME | list | revoke NAME|ID [options]", "add, list and revoke tokens of the service")
    add_token(token)
    _json(token)
    _home(token)
    mcp = _command(commands, "mcp", "[options]", "tools for language models over standard input and output (Model Context Protocol)")
    add_mcp(mcp)
    _tabs(mcp)
    for parser in (inspect, serve, mcp):
        _model(parser)
        _browser(parser)
        _home(parser)


def _add_reading(parser: CommandParser, static: str) -> argparse._ArgumentGroup:
    """Add the options with which one page is read, and return the group of device and access; `static` is the help of `--static`."""
    _from(parser)
    parser.add_argument("--static", action="store_true", help=static)
    parser.add_argument("--deadline", type=seconds, default=30.0, metavar="S", help="deadline of the page in seconds (default: 30)")
    _local(parser)
    _browser(parser)
    _home(parser)
    add_waiting(parser)
    add_blocking(parser)
    return add_appearance(parser)


def _from(parser: CommandParser) -> None:
    parser.add_argument(
        "--url", default="", help="of an archive, the page to read; of an HTML file, its address, for links and the site's model"
    )


def _model(parser: CommandParser, names: str = f"auto, {NAMED}", default: str = "auto") -> None:
    parser.add_argument("--model", default=default, metavar="NAME", help=f"{names} (default: %(default)s)")


def _local(parser: CommandParser) -> None:
    parser.add_argument(LOCAL, action="store_true", help="also open pages of this machine, of private networks and at unusual ports")


def _tabs(parser: CommandParser) -> None:
    parser.add_argument("--tabs", type=count, metavar="N", help="pages open at once, fewer while memory is low (default: one per CPU core)")
    parser.add_argument("--light", action="store_true", help="load no images and no web fonts: fewer requests, and a sixth less CPU time")


def _json(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the result as one line of JSON, and no progress")


def _browser(parser: CommandParser) -> None:
    parser.add_argument("--browser", type=Path, metavar="FILE", help="the Chromium to use (else SIGHTREAD_BROWSER, else one that is found)")


def _home(parser: CommandParser) -> None:
    parser.add_argument(
        "--home", type=Path, metavar="FOLDER", help="where learned sites are kept (else SIGHTREAD_HOME, else your data folder)"
    )


if __name__ == "__main__":
    sys.exit(main())
