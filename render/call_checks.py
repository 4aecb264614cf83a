"""Checks of how public functions and records are called: a missing or unknown argument raises `WrongCall` instead of Python's TypeError."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from typing import Any, TypeVar

from render.errors import WrongCall

F = TypeVar("F", bound=Callable[..., Any])


def check_call(target: F) -> F:
    """Decorate a public function, or a class with its constructor and public methods, to raise `WrongCall` if the arguments do not fit.

    Signature, documentation and types stay. The arguments are compared with the signature only after a TypeError, so a call that fits
    costs one more Python call; a TypeError from within the function passes.
    """
    if not isinstance(target, type):
        return _checked(target, f"{target.__name__}()", target.__name__)
    for name, value in list(vars(target).items()):
        if name == "__init__":
            setattr(target, name, _checked(value, target.__name__, target.__name__))
        elif inspect.isfunction(value) and not name.startswith("_"):
            setattr(target, name, _checked(value, f"{target.__name__}.{name}()", f"{target.__name__.lower()}.{name}"))
    return target


def unknown_option(label: str, name: str, known: Iterable[str]) -> str:
    """Return the message for an option that does not exist: with the nearest name, and all that exist."""
    known = tuple(known)
    if not known:
        return f"{label} has no option {name}, and takes none: leave it out"
    near = get_close_matches(name, known, 1)
    verb = "is" if len(known) == 1 else "are"
    return f"{label} has no option {name}; {f'did you mean {near[0]}? There' if near else 'there'} {verb} {', '.join(known)}"


def _checked(function: F, label: str, usage: str) -> F:
    """Return the function with its check. `label` names it in messages, `usage` in the example of a correct call."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except TypeError as error:
            if problem := _call_problem(function, label, usage, arguments, named):
                raise WrongCall(problem) from error
            raise

    @wraps(function)
    async def call_async(*arguments: Any, **named: Any) -> Any:
        return await call(*arguments, **named)

    return call_async if inspect.iscoroutinefunction(function) else call  # type: ignore[return-value]


def _call_problem(function: Callable[..., Any], label: str, usage: str, arguments: Sequence[object], named: Mapping[str, object]) -> str:
    """Return why the arguments do not fit the signature, with the remedy; empty if they fit."""
    signature = inspect.signature(function)
    parameters = {name: parameter for name, parameter in signature.parameters.items() if name != "self"}
    if len(parameters) < len(signature.parameters):
        arguments = arguments[1:]
    kinds = {parameter.kind for parameter in parameters.values()}
    by_position = [name for name, parameter in parameters.items() if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]
    by_name = [name for name, parameter in parameters.items() if parameter.kind is parameter.KEYWORD_ONLY]
    known = by_position + by_name
    required = [name for name in known if parameters[name].default is inspect.Parameter.empty]
    if inspect.Parameter.VAR_KEYWORD not in kinds and (unknown := [name for name in named if name not in known]):
        return unknown_option(label, unknown[0], known)
    if len(arguments) > len(by_position) and inspect.Parameter.VAR_POSITIONAL not in kinds:
        takes = f"takes {len(by_position) or 'no'} argument{'s' * (len(by_position) != 1)} by position"
        remedy = f"give the others by name, such as {by_name[0]}=" if by_name else "leave the others out"
        listed = f" ({', '.join(by_position)})" if by_position else ""
        return f"{label} {takes}{listed}, and got {len(arguments)}: {remedy}"
    given = by_position[: len(arguments)]
    if twice := [name for name in given if name in named]:
        return f"{label}: {twice[0]} is given twice, by position and by name: leave one of them out"
    if missing := [name for name in required if name not in named and name not in given]:
        return f"{label}: {_listed(missing)} {'is' if len(missing) == 1 else 'are'} missing: call {usage}({', '.join(required)})"
    return ""


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
