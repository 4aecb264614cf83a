"""Environment of Playwright's driver (Node.js): an allow-list, so that no inherited variable changes what the browser may do.

The driver reads a hundred environment variables. One of them opens loopback to every page
(`PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK`), another bypasses the proxy, others connect to a browser elsewhere or, as
`NODE_OPTIONS`, run code. Playwright has no option for the driver's environment and copies ours.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from types import ModuleType

from sightread.render.errors import NoBrowser

INHERITED = re.compile(r"PATH|LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|FONTCONFIG_\w+|XDG_DATA_DIRS")
"""Environment variables passed to driver and browser: paths of programs, libraries and fonts, and the language."""
NODE_OPTIONS = "--max-semi-space-size=2"
"""Options of the driver's Node.js: MB for each half of its new objects. Pages do not need the 16 MB that it grows to by itself: this takes
40 MB less (docs/experiments/service.md)."""
_TRANSPORTS = ("playwright._impl.transport", "playwright._impl._transport")
"""Modules that start the driver, in recent and in older versions of Playwright."""
_GETTER = "get_driver_env"
"""Their function that returns its environment."""
_SET_BY_PLAYWRIGHT = frozenset(("PW_LANG_NAME", "PW_LANG_NAME_VERSION", "PW_CLI_DISPLAY_VERSION"))
"""Variables that the function sets itself: the language of the client."""


def clean_environment() -> dict[str, str | float | bool]:
    """Return the environment variables that child processes may inherit."""
    return {name: value for name, value in os.environ.items() if INHERITED.fullmatch(name)}


def isolate_driver() -> None:
    """Make Playwright start its driver with `clean_environment`, from now on in this process.

    It replaces a private function, since `os.environ` is shared by all threads. Raises `NoBrowser` if this Playwright has none such: a
    driver with an inherited environment is never started.
    """
    transport = _transport()
    original = getattr(transport, _GETTER, None)
    if original is None:
        raise NoBrowser("this version of Playwright starts its driver in an unknown way: install the version in requirements.lock")
    if original.__module__ == __name__:
        return

    def environment() -> dict[str, str | float | bool]:
        given = {name: value for name, value in original().items() if name in _SET_BY_PLAYWRIGHT}
        return clean_environment() | given | {"NODE_OPTIONS": NODE_OPTIONS}

    setattr(transport, _GETTER, environment)


def _transport() -> ModuleType | None:
    for name in _TRANSPORTS:
        try:
            return import_module(name)
        except ImportError:
            continue
    return None
