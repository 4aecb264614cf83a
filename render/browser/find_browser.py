"""Finds a Chromium: the requested one, else Playwright's own, else the system's."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from sightread.render.errors import NoBrowser

SETTING = "SIGHTREAD_BROWSER"
SYSTEM_BROWSERS = (
    "/usr/lib/chromium/chromium-headless-shell",  # Debian's command of that name is a shell that stays in between
    "chromium-headless-shell",
    "chromium",
    "google-chrome",
    "chromium-browser",
)
PLAYWRIGHTS_BROWSERS = (
    "chromium_headless_shell-*/*/*headless*shell",
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
)


SHARED_BROWSERS = "/var/lib/sightread/browsers"
"""Where `sightread setup` as root puts Playwright's browser, which then runs as a user who cannot read root's home folder."""
SNAP_STUB_BYTES = 1 << 14
"""More than the shell script has that Ubuntu installs as `chromium-browser`; no browser is that small."""


def find_browser(executable: Path | None = None) -> Path:
    """Return the Chromium to run: the one given, else the setting SIGHTREAD_BROWSER, Playwright's own, the system's.

    Snaps are passed over: they write only below the user's home folder, and their sandbox starts no other user's browser.

    Raises `NoBrowser` if there is none, or if the one named is no program.
    """
    named = str(executable or os.environ.get(SETTING, ""))
    if named:
        found = shutil.which(named)
        if not found:
            raise NoBrowser(f"{named}: no such program: correct it, or unset {SETTING} to have one found")
        return Path(found)
    for candidate in (*_playwrights_own(), *SYSTEM_BROWSERS):
        if (found := shutil.which(candidate)) and not _is_snap(Path(found)):
            return Path(found)
    raise NoBrowser(f"no Chromium found: run `sightread setup`, or name one in {SETTING}")


def _playwrights_own() -> Iterator[str]:
    setting = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    cache = Path.home() / "Library/Caches" if sys.platform == "darwin" else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for folder in (Path(setting),) if setting else (cache / "ms-playwright", Path(SHARED_BROWSERS)):
        for pattern in PLAYWRIGHTS_BROWSERS:
            yield from map(str, sorted(folder.glob(pattern), key=_revision, reverse=True))


def _is_snap(executable: Path) -> bool:
    try:
        program = executable.resolve()
        return program.name == "snap" or (program.stat().st_size < SNAP_STUB_BYTES and b"/snap/bin/" in program.read_bytes())
    except OSError:  # not readable for us: then it is no script either
        return False


def _revision(executable: Path) -> int:
    numbers = re.findall(r"chromium\w*-(\d+)", str(executable))
    return int(numbers[-1]) if numbers else 0
