"""Entry point of the command line: the parsers of all commands, errors of one line, and options that only `--help-all` shows."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from sightread.cli.commands import COMMANDS
from sightread.cli.options import Group, add_options, as_help
from sightread.render.argument_checks import did_you_mean, known_names
from sightread.render.errors import Rejected, quoted

EPILOG = """exit codes: 0 done, 2 bad input, 3 if a page failed, 4 this machine lacks something (a browser, disk space),
5 done, but the result is not trusted, 6 what --wait-for names was not shown in time, 70 a defect of sightread,
75 (batch) try the same command again, 130 stopped by Ctrl-C, 143 by SIGTERM.
SIGTERM lets open pages end, a second one ends at once; serve and inspect end at either signal, with 0"""
_PUBLIC_ALONE = "it opens the public web alone, since its callers name the addresses; extract, learn and crawl have --local"
ABSENT: Mapping[str, Mapping[str, str]] = MappingProxyType({"serve": {"--local": _PUBLIC_ALONE}, "mcp": {"--local": _PUBLIC_ALONE}})
"""Options that a command lacks on purpose, and why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parsed = build_parser().parse_args(arguments)
    from sightread.cli.run import run  # noqa: PLC0415  (asyncio is slow to import, and --help does not need it)

    return run(parsed)


def build_parser() -> RootParser:
    """Return the parser of the whole command line."""
    parser = RootParser(prog="sightread", description="Extracts the main content of web pages from how they look.", epilog=EPILOG)
    parser.usage = "sightread COMMAND [options]"
    parser.add_argument("--version", action=Printed, text=_version, help="print the version and end")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", prog="sightread", parser_class=CommandParser)
    for name, record in COMMANDS.items():
        about, _, examples = (record.__doc__ or "").partition("\n")
        command = commands.add_parser(name, help=as_help(about), description=about, examples=textwrap.dedent(examples).strip())
        add_options(command, record, command.new_group)
        names = " ".join(f"{each.metavar}{'...' * (each.nargs == '*')}" for each in command._get_positional_actions())
        options = "[options]" if len(command._get_optional_actions()) > 1 else ""
        command.usage = " ".join(filter(None, (command.prog, record.SYNOPSIS or names, options)))
    parser.commands = commands.choices
    return parser


class _Help(argparse.RawDescriptionHelpFormatter):
    """Breaks no name at a hyphen."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class CommandParser(argparse.ArgumentParser):
    """Parser of one command; `examples` are the lines after its options."""

    def __init__(self, *, examples: str = "", **settings: Any) -> None:
        super().__init__(formatter_class=_Help, **settings)
        self._examples = examples
        self.advanced: list[argparse._ArgumentGroup] = []

    def new_group(self, group: Group) -> argparse._ArgumentGroup:
        """Return a new group of options; an advanced one is left out of `--help`, and `--help-all` shows it."""
        if group.is_advanced and not self.advanced:
            help = "show all options: those of the device, of access and of the browser too"
            self.add_argument("--help-all", action=Printed, text=CommandParser.format_all, help=help)
        made = self.add_argument_group(group.title, group.description or None)
        if group.is_advanced:
            self.advanced.append(made)
        return made

    def format_help(self) -> str:
        """Return the help, with the examples at its end."""
        all_groups = self._action_groups
        self._action_groups = [group for group in all_groups if group not in self.advanced]
        text = self.format_all()
        self._action_groups = all_groups
        return text

    def format_all(self) -> str:
        """Return the help with the advanced options."""
        text = super().format_help()
        return f"{text}\nexamples:\n{textwrap.indent(self._examples, '  ')}\n" if self._examples else text

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse all arguments; an unknown one ends the program, with the nearest option and the usage of this command."""
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(self._refusal(unknown[0]))
        return parsed, unknown

    def error(self, message: str) -> NoReturn:
        """End the program with the message and the exit code of bad input."""
        if missing := re.fullmatch(r"the following arguments are required: (.*)", message):
            message = f"{self.prog} needs {missing[1]}"
        elif valueless := re.fullmatch(r"argument (?:-\w, )?(--[\w-]+): expected one argument", message):
            message = f"{valueless[1]} needs a value, {self._option_string_actions[valueless[1]].metavar}"
        self.exit(Rejected.exit_code, f"sightread: {message}; see {self.prog} --help\n")

    def _refusal(self, unknown: str) -> str:
        usage = f"usage: {self.usage}"
        if not unknown.startswith("-"):
            return f"{self.prog} takes no further argument {quoted(unknown)}: leave it out; {usage}"
        name = unknown.partition("=")[0]
        if reason := ABSENT.get(self.prog.rpartition(" ")[2], {}).get(name):
            return f"{self.prog} has no option {name}: {reason}"
        hint = did_you_mean(name, [option for option in self._option_string_actions if option.startswith("--")], 0.7)
        return f"{self.prog} has no option {name}{hint}; {usage}"


class RootParser(CommandParser):
    """Parser of the whole command line; `commands` are its commands' parsers by name."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Mapping[str, CommandParser] = {}

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse all arguments; a missing or unknown command ends the program, with those that exist, or the nearest."""
        first = next(iter(sys.argv[1:] if args is None else args), "")
        if not first:
            self.error(f"no command is named; there are {', '.join(self.commands)}")
        if first and not first.startswith("-") and first not in self.commands:
            self.error(self._unknown_command(first))
        if first.startswith("-") and first.partition("=")[0] not in self._option_string_actions:
            self.error(self._refusal(first))
        return super().parse_known_args(args, namespace)

    def _unknown_command(self, name: str) -> str:
        if name.startswith(("http://", "https://")) or Path(name).is_file():
            return f"no command is called {quoted(name)}; did you mean sightread extract {name}?"
        return f"no command is called {quoted(name)}; {known_names(name, self.commands)}"


class Printed(argparse.Action):
    """Prints a text that is made on request, and ends the program."""

    def __init__(self, option_strings: Sequence[str], dest: str, text: Callable[[Any], str], help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help=help)
        self._text = text

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Print the text and end the program."""
        parser._print_message(self._text(parser), sys.stdout)
        parser.exit()


def _version(_: argparse.ArgumentParser) -> str:
    from sightread.render.version import VERSION  # noqa: PLC0415  (reads the package's metadata)

    return f"sightread {VERSION}\n"


if __name__ == "__main__":
    sys.exit(main())
