"""Values of command line options: each function checks one and names what is wrong with it."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from difflib import get_close_matches

from sightread.render.errors import Rejected, quoted

MOST = 999_999
"""Of a unit of time: 11 days in seconds."""


def count(text: str) -> int:
    """Return a whole number above 0."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number above 0: give 1 or more")
    return int(text)


def whole_number(text: str) -> int:
    """Return a whole number, 0 or more."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number: give 0 or more")
    return int(text)


def folds(text: str) -> int:
    """Return the number of parts of a cross-validation, 2 or more."""
    if text == "1":
        raise argparse.ArgumentTypeError("1 fold leaves no page to learn from: give 2 or more")
    return count(text)


def port(text: str) -> int:
    """Return a port, 0 to 65535."""
    if not (text.isascii() and text.isdigit() and int(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a port: give 0 to 65535")
    return int(text)


def seconds(text: str) -> float:
    """Return a number of seconds above 0."""
    return Duration("seconds")(text)


@dataclass(frozen=True, slots=True)
class Duration:
    """A function that takes a number above 0 of a unit, such as hours."""

    unit: str

    def __call__(self, text: str) -> float:
        """Return the number."""
        try:
            number = float(text)
        except ValueError:
            number = 0.0
        if not 0 < number <= MOST:
            raise argparse.ArgumentTypeError(f"{quoted(text)} is not a number of {self.unit} above 0: give a number up to {MOST}")
        return number


def origin(text: str) -> str:
    """Return an origin, such as https://read.example, as browsers send it: in lower case, without a slash at its end."""
    from sightread.render.network.address import check_url, origin_of  # noqa: PLC0415  (a parser of URLs, which `--help` need not wait for)

    try:
        address = check_url(text)
    except Rejected:
        address = None
    if address is None or not address.port or address.href != (found := origin_of(address.href)) + "/":
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not an origin: give scheme and host, such as https://read.example")
    return found


def host_name(text: str) -> str:
    """Return a host name or address without scheme, port and path."""
    if not re.fullmatch(r"[\w.-]+|\[[0-9a-fA-F:.]+\]", text):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a host name: give it alone, such as read.example, without scheme and port")
    return text


def delay(text: str) -> float:
    """Return a number of seconds, 0 or more."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a number of seconds: give 0 to {MOST}")
    return seconds


@dataclass(frozen=True, slots=True)
class OneOf:
    """A function that takes one of the names, and names the nearest for any other."""

    names: tuple[str, ...]

    def __call__(self, text: str) -> str:
        """Return the name."""
        if text in self.names:
            return text
        near = get_close_matches(text, self.names, 1)
        hint = f"did you mean {near[0]}? There" if near else "there"
        raise argparse.ArgumentTypeError(f"nothing is called {quoted(text)}; {hint} are {', '.join(self.names)}")


def choice(*names: str) -> OneOf:
    """Return the type of an option that takes one of the names."""
    return OneOf(names)
