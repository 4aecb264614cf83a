"""The options of a visit that are plain values, each declared once: name, type, default, bounds and one line of help.

The library's `RenderOptions` and the commands' records inherit them; the request models of the service, from which OpenAPI and the clients
have them, are made from them.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, NamedTuple, get_args

from sightread.render.argument_checks import check_range

Condition = str | Callable[[Any], Awaitable[object]]
"""A CSS selector, `text=` and a text, or a function of Playwright's page that returns something true once it is met."""
Way = Literal["always", "auto"]
"""Which pages a browser renders."""
Scroll = Literal["lazy", "none", "endless"]
"""How a page is scrolled before it is collected: until what waits for that has loaded, never, or until no more comes."""


class Option(NamedTuple):
    """The annotation of an option."""

    help: str
    metavar: str = ""
    """Its value on the command line, which has only the options with one."""
    least: float | None = None
    """Least number."""
    above: float | None = None
    """Number that it must exceed, in place of a least one."""


@dataclass(frozen=True, kw_only=True)
class DeadlineOption:
    """The time that a page may take."""

    deadline: Annotated[float, Option("Deadline per page in seconds.", "S", above=0)] = 30.0
    """Seconds for the whole page, from its turn in the browser on; everything that happens to it happens inside."""


@dataclass(frozen=True, kw_only=True)
class ReadyOptions:
    """Whether a page is rendered, and when it is ready to be read."""

    render: Annotated[
        Way,
        Option("Pages that a browser renders: always all of them, or auto, all but those of learned sites whose HTML is enough.", "WAY"),
    ] = "always"
    """With "auto" a `Reader` reads a page of a learned site from its HTML if the site's student does as well as the browser there."""
    check_every: Annotated[int, Option("With render auto, how many pages there are for one that is read both ways.", "N", least=1)] = 100
    """At first more are read both ways: as many as a template has learned pages for one, twice as many after each that agreed."""
    wait_for: Annotated[Condition | None, Option("Wait until it is shown: a CSS selector, or text=SOME WORDS.", "WHAT")] = None
    """`ConditionNotMet` is raised if the condition does not become true in time; a function is called until it returns something true."""
    min_wait: Annotated[float, Option("Seconds to wait at least after a page has loaded.", "S", least=0)] = 0.0
    javascript: Annotated[bool, Option("Run the page's scripts; those of stored HTML never run.")] = True
    scroll: Annotated[
        Scroll,
        Option(
            "How the page is scrolled before it is read: lazy, until late content loads; none; endless, for as long as it grows.", "HOW"
        ),
    ] = "lazy"


_FIELDS = (*fields(DeadlineOption), *fields(ReadyOptions))


def declared_options() -> list[tuple[str, Any, Option, Any]]:
    """Return name, type, annotation and default of each option."""
    return [(each.name, kind, option, each.default) for each in _FIELDS for kind, option in (get_args(each.type),)]


def visit_options(record: object) -> dict[str, Any]:
    """Return the options that a record of any of these kinds has, by name."""
    return {each.name: getattr(record, each.name) for each in _FIELDS}


def check_bounds(record: object) -> None:
    """Raise `Rejected` unless the numbers are within their bounds."""
    for name, kind, option, _ in declared_options():
        least = option.least if option.above is None else option.above
        if least is not None:
            unit = "seconds" if kind is float else ""
            check_range(f"{type(record).__name__}: {name}", getattr(record, name), least, unit=unit, above=option.above is not None)
