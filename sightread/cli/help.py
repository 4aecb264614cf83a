"""Argument parser with messages of one line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from render.errors import Rejected


class CommandParser(argparse.ArgumentParser):
    """Argument parser that reports an error in one line, as all other errors are."""

    def error(self, message: str) -> NoReturn:
        """End the program with the message and the exit code of bad input."""
        self.exit(Rejected.exit_code, f"sightread: {message}; see {self.prog} --help\n")


class Version(argparse.Action):
    """Prints the installed version, looked up on request."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Print the version and end the program."""
        from render.version import VERSION  # noqa: PLC0415  (reads the package's metadata)

        parser.exit(message=f"sightread {VERSION}\n")
