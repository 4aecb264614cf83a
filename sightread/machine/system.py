"""The operating system, as far as installing a browser depends on it."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

DISTRIBUTION_BROWSERS = ("chromium-headless-shell", "chromium")
"""Packages to look for, best first. Ubuntu has neither: its `chromium-browser` installs a snap, which cannot run in a folder of ours."""

DRIVER_LIBRARY = "libatomic.so.1"
DRIVER_PACKAGE = "libatomic1"
"""Libraries that Playwright's driver (Node.js) needs besides the C library; a bare Debian or Ubuntu lacks them."""


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
    """Whether apt-get is there."""

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
