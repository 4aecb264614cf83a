"""The operating system, as far as installing a browser depends on it, and its fonts per script.

Without a font for a script a browser draws boxes of one width, and the text is measured wrong.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

DISTRIBUTION_BROWSERS = ("chromium-headless-shell", "chromium")
"""Packages to look for, best first. Ubuntu has neither: its `chromium-browser` installs a snap, which cannot run in a folder of ours."""
DRIVER_LIBRARY = "libatomic.so.1"
DRIVER_PACKAGE = "libatomic1"
"""Libraries that Playwright's driver (Node.js) needs besides the C library; a bare Debian or Ubuntu lacks them."""
LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "Latin": "en",
        "Greek": "el",
        "Cyrillic": "ru",
        "Hebrew": "he",
        "Arabic": "ar",
        "Devanagari": "hi",
        "Bengali": "bn",
        "Tamil": "ta",
        "Thai": "th",
        "Chinese": "zh",
        "Japanese": "ja",
        "Korean": "ko",
    }
)
"""The scripts that are checked, each with the code of a language that is written in it (ISO 639-1, as fontconfig has it)."""
EAST_ASIAN = frozenset(("Chinese", "Japanese", "Korean"))
LISTING = ("fc-list", ":", "lang")
TIMEOUT = 60.0
"""Seconds that fontconfig may take; the first call after fonts are installed builds its cache."""


@dataclass(frozen=True, slots=True)
class System:
    """Properties of the system that decide how a browser is installed."""

    platform: str
    """As in `sys.platform`: linux, darwin."""
    distribution: str = ""
    """ID of /etc/os-release: debian, ubuntu, fedora; empty on systems without one."""
    name: str = ""
    """For people, such as Debian GNU/Linux 12."""
    root: bool = False
    apt: bool = False

    @property
    def installs_packages(self) -> bool:
        """Whether packages of the distribution can be installed: apt-get, as root."""
        return self.root and self.apt


def this_system() -> System:
    """Return the system that this program runs on."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    name = release.get("PRETTY_NAME") or f"{platform.system()} {platform.release()}"
    return System(sys.platform, release.get("ID", ""), name, os.geteuid() == 0, shutil.which("apt-get") is not None)


def distribution_browser() -> str:
    """Return the distribution's browser package that can be installed; empty if it has none, or only one that needs snap."""
    if not shutil.which("apt-cache"):
        return ""
    policy = subprocess.run(
        ("apt-cache", "policy", *DISTRIBUTION_BROWSERS),  # noqa: S607
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    for package in DISTRIBUTION_BROWSERS:
        found = re.search(rf"^{package}:\n +Installed: .*\n +Candidate: (\S+)", policy.stdout, re.MULTILINE)
        if found and found[1] != "(none)" and "snap" not in found[1]:
            return package
    return ""


def lacks_driver_library() -> bool:
    """Return whether the library that Playwright's driver needs is missing."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        ctypes.CDLL(DRIVER_LIBRARY)
    except OSError:
        return True
    return False


def missing_scripts(platform: str = sys.platform) -> tuple[str, ...]:
    """Return the scripts that no installed font covers; all on a Linux without fontconfig's `fc-list`, none on systems that bring fonts."""
    if not platform.startswith("linux"):
        return ()
    return tuple(script for script, language in LANGUAGES.items() if language not in _languages())


def font_packages(scripts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the packages of Debian and Ubuntu that hold fonts for the scripts."""
    if not scripts:
        return ()
    east, other = EAST_ASIAN & set(scripts), set(scripts) - EAST_ASIAN
    return ("fontconfig", *(("fonts-noto-core",) if other else ()), *(("fonts-noto-cjk",) if east else ()))


def _languages() -> frozenset[str]:
    """Return the language codes that the installed fonts cover, without their regions."""
    if not shutil.which(LISTING[0]):
        return frozenset()
    try:
        listed = subprocess.run(LISTING, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    return frozenset(re.findall(r"[=|]([a-z]{2,3})(?=[-|\n])", listed.stdout + "\n"))
