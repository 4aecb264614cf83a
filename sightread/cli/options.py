"""Options of a command as fields of its record: what a field declares, argparse's arguments made from it, and the record of what was typed.

    class TrainCommand(HomeOption):
        folder: str = argument(text("FOLDER|SITE"), "a folder that crawl wrote")
        folds: int = option(FOLDS, 4, "number of folds")

A record may inherit the options that it shares with others, and those of `sightread.render.visit.options`, whose annotation declares them.
Any other field without one of the functions below is no option. Below the parser no function reads argparse's `Namespace`.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar, get_args, get_origin

from sightread.render.argument_checks import known_names
from sightread.render.errors import Rejected, quoted
from sightread.render.visit.options import DeadlineOption, ReadyOptions

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
Default = TypeVar("Default")
MOST = 999_999
"""Of a unit of time: 11 days in seconds."""
_REQUIRED: Any = object()


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """A kind of values: their name in the help, and the function that reads one, or raises `argparse.ArgumentTypeError`."""

    metavar: str
    read: Callable[[str], T]


def text(metavar: str) -> Kind[str]:
    """Return the kind of any text."""
    return Kind(metavar, str)


class Group(NamedTuple):
    """Options under a title of their own: those of the class that has it as `GROUP`, and of its bases."""

    title: str
    description: str = ""
    is_advanced: bool = False


def option(kind: Kind[T], default: Default, help: str, name: str = "") -> T | Default:
    """Declare an option with a value; `name` is that of the option if the field has another."""
    return field(default=default, metadata=_with_value(kind, default, help, name))


def _with_value(kind: Kind[Any], default: object, help: str, name: str = "") -> dict[str, Any]:
    is_shown = default not in (None, "", 0) and "(default: " not in help
    shown = f"{default:g}" if isinstance(default, float) else str(default)
    whole = f"{help} (default: {shown})".strip() if is_shown else help
    return _metadata(name, type=kind.read, metavar=kind.metavar, default=default, help=whole)


def repeated(kind: Kind[T], help: str, name: str = "") -> tuple[T, ...]:
    """Declare an option that may be given more than once."""
    settings = {"type": kind.read, "metavar": kind.metavar, "action": "append", "default": [], "help": help}
    return field(default=(), metadata=_metadata(name, **settings))


def flag(help: str) -> bool:
    """Declare an option without a value."""
    return field(default=False, metadata=_metadata("", action="store_true", help=help))


def argument(kind: Kind[T], help: str, default: Default = _REQUIRED) -> T | Default:
    """Declare a positional argument; with a default it may be left out."""
    settings = {"type": kind.read, "metavar": kind.metavar, "help": help}
    if default is not _REQUIRED:
        return field(default=default, metadata=_metadata(None, nargs="?", default=default, **settings))
    required: T = field(metadata=_metadata(None, **settings))
    return required


def arguments(metavar: str, help: str) -> tuple[str, ...]:
    """Declare any number of positional arguments."""
    return field(default=(), metadata=_metadata(None, nargs="*", metavar=metavar, help=help))


def _metadata(name: str | None, **settings: object) -> dict[str, Any]:
    """Return the metadata of a field: the option's name, None for a positional argument, and what argparse receives."""
    return {"name": name, "settings": {key: value for key, value in settings.items() if key != "type" or value is not str}}


def add_options(parser: argparse.ArgumentParser, record: type, group: Callable[[Group], argparse._ArgumentGroup]) -> None:
    """Add the options of a record to a parser: those of a visit, its own, and the others that it inherits; `group` returns a new group."""
    containers: dict[Group, argparse._ActionsContainer] = {}
    for owner, each, metadata in _declared(record):
        groups = [vars(base)["GROUP"] for base in record.__mro__ if "GROUP" in vars(base) and issubclass(base, owner)]
        if groups and groups[0] not in containers:
            containers[groups[0]] = group(groups[0])
        container = containers[groups[0]] if groups else parser
        name, settings = metadata["name"], metadata["settings"]
        if name is None:
            container.add_argument(each.name, **settings)
        else:
            container.add_argument(name or f"--{each.name.replace('_', '-')}", dest=each.name, **settings)


def _declared(record: type[DataclassInstance]) -> Iterator[tuple[type, Field[Any], Mapping[str, Any]]]:
    found = {each.name: each for each in fields(record)}
    for owner in record.__mro__:
        of_visits = [name for base in owner.__bases__ if base in (DeadlineOption, ReadyOptions) for name in inspect.get_annotations(base)]
        for name in (*of_visits, *inspect.get_annotations(owner)):
            each = found.pop(name, None)
            if each and (metadata := each.metadata or _annotated(each)):
                yield owner, each, metadata


def _annotated(each: Field[Any]) -> Mapping[str, Any]:
    """Return the metadata of an option that its annotation declares; empty for any other field."""
    for declared in getattr(each.type, "__metadata__", ()):
        if declared.metavar:
            typed, name = get_args(each.type)[0], declared.metavar
            numbers: dict[Any, Kind[Any]] = {float: DELAY if declared.above is None else SECONDS, int: COUNT}
            names = get_args(typed) if get_origin(typed) is Literal else ()
            kind = one_of(*names, metavar=name) if names else numbers.get(typed, text(name))
            return _with_value(kind, each.default, as_help(declared.help))
    return {}


def as_help(sentence: str) -> str:
    """Return a sentence as the help has it: without capital and full stop."""
    return sentence[:1].lower() + sentence[1:].removesuffix(".")


def read_options(record: type[T], parsed: argparse.Namespace, **others: object) -> T:
    """Return the record of a command from what argparse parsed, lists as tuples, and the values of `others` that it has fields for."""
    known = {each.name for each in fields(record)}  # type: ignore[arg-type]
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in (vars(parsed) | others).items()}
    return record(**{name: value for name, value in given.items() if name in known})


def checked(metavar: str, parse: Callable[[str], T], is_allowed: Callable[[T], object], problem: str) -> Kind[T]:
    """Return the kind of the values that are allowed; the error of any other text is the text with the problem behind it."""

    def read(text: str) -> T:
        try:
            value = parse(text)
        except ValueError:
            value = None
        if value is None or not is_allowed(value):
            raise argparse.ArgumentTypeError(f"{quoted(text)} {problem}")
        return value

    return Kind(metavar, read)


def whole_number(metavar: str, problem: str, allowed: Container[int]) -> Kind[int]:
    """Return the kind of the whole numbers that are allowed."""
    return checked(metavar, lambda text: int(text) if text.isascii() and text.isdigit() else -1, allowed.__contains__, problem)


def duration(metavar: str, unit: str) -> Kind[float]:
    """Return the kind of numbers above 0 of a unit, such as hours."""
    return checked(metavar, float, lambda number: 0 < number <= MOST, f"is not a number of {unit} above 0: give a number up to {MOST}")


COUNT = whole_number("N", "is not a whole number above 0: give 1 or more", range(1, sys.maxsize))


def _folds(text: str) -> int:
    if text == "1":
        raise argparse.ArgumentTypeError("1 fold leaves no page to learn from: give 2 or more")
    return COUNT.read(text)


def _origin(text: str) -> str:
    """Return an origin, such as https://read.example, as browsers send it: in lower case, without a slash at its end. Empty for others."""
    from sightread.render.network.address import check_url, origin_of  # noqa: PLC0415  (a parser of URLs, which `--help` need not wait for)

    try:
        address = check_url(text)
    except Rejected:
        return ""
    found = origin_of(address.href)
    return found if address.port and address.href == f"{found}/" else ""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A function that takes one of the names, and names the nearest for any other."""

    names: Callable[[], Sequence[str]]

    def __call__(self, text: str) -> Any:
        """Return the name."""
        if text not in self.names():
            raise argparse.ArgumentTypeError(f"nothing is called {quoted(text)}; {known_names(text, self.names())}")
        return text


def one_of(*names: str, metavar: str = "NAME") -> Kind[Any]:
    """Return the kind of the names."""
    return Kind(metavar, OneOf(lambda: names))


TEXT, NAME, FILE, FOLDER = text("TEXT"), text("NAME"), Kind("FILE", Path), Kind("FOLDER", Path)
FOLDS, NUMBER = Kind("N", _folds), whole_number("N", "is not a whole number: give 0 or more", range(sys.maxsize))
PORT = whole_number("PORT", "is not a port: give 0 to 65535", range(1 << 16))
SECONDS, HOURS = duration("S", "seconds"), duration("H", "hours")
DELAY = checked("S", float, lambda seconds: 0 <= seconds <= MOST, f"is not a number of seconds: give 0 to {MOST}")
ORIGIN = checked("ORIGIN", _origin, bool, "is not an origin: give scheme and host, such as https://read.example")
HOST_NAME = checked(
    *("NAME", str, re.compile(r"[\w.-]+|\[[0-9a-fA-F:.]+\]").fullmatch),
    "is not a host name: give it alone, such as read.example, without scheme and port",
)
