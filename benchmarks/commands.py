"""Registry of the commands of `python -m benchmarks`: a module below this package that defines `COMMAND` is one.

Names and help are read from the sources, so that listing the commands imports none of their modules.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import benchmarks
from sightread.render.errors import StorageFailed, Unequipped
from sightread.render.files import storage_errors

Run = Callable[[argparse.Namespace], int]
AddOptions = Callable[[argparse.ArgumentParser], None]
_MARK = "\nCOMMAND = Command("


@dataclass(frozen=True, slots=True)
class Command:
    """One measurement. `COMMAND = Command("name", "help", ...)` at the top level of a module registers it; both are literals there."""

    name: str
    help: str
    run: Run
    """From the parsed options to an exit code."""
    add_options: AddOptions | None = None
    """Adds what it takes besides `--data`."""
    needs_data: bool = True
    """Whether it reads data sets, and has `--data`."""

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        """Add all options of the command to its parser."""
        if self.needs_data:
            parser.add_argument("--data", type=Path, metavar="FOLDER", help="the folder of the data sets (else SIGHTREAD_DATA)")
        if self.add_options is not None:
            self.add_options(parser)


class Listed(NamedTuple):
    """A command whose module is not imported yet."""

    name: str
    help: str
    module: str

    def load(self) -> Command:
        """Import the module. Raises `Unequipped` if a package that it needs is not installed."""
        try:
            command: Command = import_module(self.module).COMMAND
        except ModuleNotFoundError as error:
            raise Unequipped(f"{self.name} needs the package {error.name}, which is not installed: ./setup.sh installs it") from error
        return command


def list_commands() -> list[Listed]:
    """Return all commands by name."""
    return sorted(_find())


def _find() -> Iterator[Listed]:
    for folder in map(Path, benchmarks.__path__):
        for path in folder.rglob("*.py"):
            source = path.read_text("utf-8")
            if _MARK in source:
                module = ".".join((benchmarks.__name__, *path.relative_to(folder).with_suffix("").parts))
                yield Listed(*_declared(source), module)


def _declared(source: str) -> tuple[str, str]:
    """Return the name and the help of the command that a source defines."""
    start = source.index(_MARK) + 1
    (statement,) = ast.parse(source[start:].split("\n\n\n")[0]).body[:1]
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.value, ast.Call)
    name, text = (ast.literal_eval(argument) for argument in statement.value.args[:2])
    return name, text


def output_folder(name: str) -> Path:
    """Return the folder of that name, made if it is missing, for argparse. Raises `ArgumentTypeError` if nothing can be written."""
    path = Path(name)
    try:
        with storage_errors(path):
            path.mkdir(parents=True, exist_ok=True)
    except StorageFailed as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise argparse.ArgumentTypeError(f"cannot write {path}: no permission to write there: choose another folder")
    return path


def output_file(name: str) -> Path:
    """Return the path of a file in a folder where one can write, for argparse. Raises `ArgumentTypeError` otherwise."""
    path = Path(name)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"cannot write {path}: it is a folder: name a file in it")
    if not path.exists():
        output_folder(str(path.parent))
    return path


def add_out(parser: argparse.ArgumentParser, text: str, *, required: bool = False) -> None:
    """Add `--out FOLDER`; the folder is made, or refused, before the command begins."""
    parser.add_argument("--out", type=output_folder, required=required, metavar="FOLDER", help=text)


def add_model_file(parser: argparse.ArgumentParser) -> None:
    """Add `--out FILE` of a model that is trained."""
    parser.add_argument("--out", type=output_file, metavar="FILE", help="write the model that is fitted to all pages there")


def add_python(parser: argparse.ArgumentParser) -> None:
    """Add `--python PATH` of other people's extractors."""
    text = "the interpreter that has other extractors installed"
    parser.add_argument("--python", type=Path, default=Path(sys.executable), metavar="PATH", help=text)


def add_pages(parser: argparse.ArgumentParser, default: int, text: str = "at even distances") -> None:
    """Add `--pages N`."""
    parser.add_argument("--pages", type=int, default=default, metavar="N", help=f"{text} (default: %(default)s)")
