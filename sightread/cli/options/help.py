"""Argument parsers: errors of one line with the nearest name, short usage, and groups of options that only `--help-all` shows."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from sightread.render.errors import Rejected, quoted

EXAMPLES: Mapping[str, str] = MappingProxyType(
    {
        "extract": """
  sightread extract https://example.com/article > article.md
  sightread extract page.html --url https://example.com/article --format json
  sightread extract --urls urls.txt --output-dir articles
  sightread extract https://example.com/a https://example.com/b --format jsonl --output pages.jsonl""",
        "batch": """
  sightread batch crawl.warc.gz articles --static
  sightread batch pages.parquet s3://bucket/articles --static --output-format parquet --shard 0/8
  sightread batch urls.txt articles --format text --format json
  sightread batch --status articles""",
        "compare": """
  sightread compare https://example.com/article --blocks
  sightread compare page.html --static""",
        "learn": """
  sightread learn https://example.com/news/ --pages 40
  sightread learn https://example.com/news/ --refresh --json""",
        "crawl": """
  sightread crawl https://example.com/ --pages 100 --out example
  sightread label example && sightread train example && sightread evaluate example""",
        "demo": """
  sightread demo --out demo
  sightread inspect demo""",
        "label": """
  sightread label example.com
  sightread label folder --labeler published""",
        "train": """
  sightread train example.com""",
        "evaluate": """
  sightread evaluate example.com
  sightread evaluate folder --model boilerpipe --json""",
        "report": """
  sightread report example.com""",
        "explain": """
  sightread explain https://example.com/article
  sightread explain page.html --row 12
  sightread explain page.html --json""",
        "corrections": """
  sightread corrections list example.com
  sightread corrections export example.com corrections.json
  sightread corrections import example.com corrections.json
  sightread corrections export example.com tasks.json --format label-studio""",
        "sites": """
  sightread sites
  sightread sites show example.com
  sightread sites export example.com example.zip
  sightread sites import example.zip
  sightread sites forget example.com""",
        "inspect": """
  sightread inspect https://example.com/article
  sightread inspect folder""",
        "setup": """
  sightread setup
  sightread setup --dry-run""",
        "doctor": """
  sightread doctor
  sightread doctor --json""",
        "completion": """
  eval "$(sightread completion bash)"
  sightread completion fish | source""",
        "serve": """
  sightread serve
  curl -s localhost:8412/api/v1/extract -H 'Content-Type: application/json' -d '{"url": "https://example.com/article"}'""",
        "token": """
  sightread token add reporter --scope read
  sightread token list""",
        "mcp": """
  sightread mcp
  sightread mcp --light --tabs 2""",
    }
)
"""Lines at the end of each command's help."""
_PUBLIC_ALONE = "it opens the public web alone, since its callers name the addresses; extract, learn and crawl have --local"
ABSENT: Mapping[str, Mapping[str, str]] = MappingProxyType({"serve": {"--local": _PUBLIC_ALONE}, "mcp": {"--local": _PUBLIC_ALONE}})
"""Options that a command lacks on purpose, and why."""


class CommandParser(argparse.ArgumentParser):
    """Parser of one command. `synopsis` is what its usage shows, `examples` are the lines after its options."""

    def __init__(self, *, synopsis: str = "", examples: str = "", **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **settings)
        self.usage = f"{self.prog} {synopsis}" if synopsis else None
        self._examples = examples
        self._advanced: list[argparse._ArgumentGroup] = []
        self._shows_all = False

    def advanced_group(self, title: str, description: str) -> argparse._ArgumentGroup:
        """Return a new group of options that `--help` leaves out and `--help-all` shows."""
        if not self._advanced:
            self.add_argument("--help-all", action=HelpAll, help="show all options: those of the device, of access and of the browser too")
        group = self.add_argument_group(title, description)
        self._advanced.append(group)
        return group

    def show_all(self) -> None:
        """Make the help show all groups."""
        self._shows_all = True

    def format_help(self) -> str:
        """Return the help, with the examples at its end."""
        with self._without_advanced():
            text = super().format_help()
        return f"{text}\nexamples:{self._examples}\n" if self._examples else text

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
        near = get_close_matches(name, [option for option in self._option_string_actions if option.startswith("--")], 1, 0.7)
        hint = f" (did you mean {near[0]}?)" if near else ""
        return f"{self.prog} has no option {name}{hint}; {usage}"

    @contextmanager
    def _without_advanced(self) -> Iterator[None]:
        """Hide the advanced groups within the block, unless all are shown."""
        groups = [] if self._shows_all else self._advanced
        helps = [(action, action.help) for group in groups for action in group._group_actions]
        descriptions = [(group, group.description) for group in groups]
        for action, _ in helps:
            action.help = argparse.SUPPRESS
        for group, _ in descriptions:
            group.description = None
        try:
            yield
        finally:
            for action, text in helps:
                action.help = text
            for group, description in descriptions:
                group.description = description


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
        near = get_close_matches(name, self.commands, 1)
        return (
            f"no command is called {quoted(name)}; {f'did you mean {near[0]}? There' if near else 'there'} are {', '.join(self.commands)}"
        )


class HelpAll(argparse.Action):
    """Prints the help of a command with all its options."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Print the help and end the program."""
        assert isinstance(parser, CommandParser)
        parser.show_all()
        parser.print_help()
        parser.exit()


class VersionAction(argparse.Action):
    """Prints the installed version, looked up on request."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Print the version and end the program."""
        from sightread.render.network.version import VERSION  # noqa: PLC0415  (reads the package's metadata)

        parser.exit(message=f"sightread {VERSION}\n")
