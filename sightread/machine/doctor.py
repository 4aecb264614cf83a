"""Checks of this machine: each finding is in order, a warning or a problem, with what to do."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from logging import LogRecord
from pathlib import Path
from platform import python_version
from time import monotonic
from typing import Literal

from sightread.machine.install import font_remedy
from sightread.machine.system import LANGUAGES, System, missing_scripts, this_system
from sightread.render.browser import launch
from sightread.render.browser.browser import Browser
from sightread.render.browser.find_browser import find_browser
from sightread.render.browser.limiter import LARGE_RENDERER, PROC, RESERVED_MEMORY, cores, free_memory
from sightread.render.errors import NoBrowser, PageFailed, StorageFailed
from sightread.render.version import VERSION
from sightread.sites.folders import home_folder

VERSION_TIMEOUT = 20.0
"""Seconds that a browser may take to print its version."""
UNSANDBOXED = "the browser runs without its sandbox: "
SAMPLE = "<!doctype html><title>Sample</title><p>A page of one paragraph.</p>"
CheckLevel = Literal["ok", "warning", "problem"]
GIB = 2**30
LEAST_MEMORY = RESERVED_MEMORY + LARGE_RENDERER
"""Bytes of free memory below which one large page does not fit beside what must stay free."""
LEAST_DISK = GIB
"""Bytes of free disk below which a crawl of a thousand pages with screenshots may fill the disk."""
PROXY_VARIABLES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
USER_NAMESPACES = (
    ("sys/kernel/apparmor_restrict_unprivileged_userns", "1", "sysctl kernel.apparmor_restrict_unprivileged_userns=0"),
    ("sys/kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
    ("sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=15000"),
)
"""Kernel settings that deny Chromium its sandbox: file below /proc, the denying value, the command that allows it."""


@dataclass(frozen=True, slots=True)
class BrowserCheck:
    """A browser that starts and reads pages."""

    path: Path
    version: str
    unsandboxed: str
    """Why it runs without its sandbox; empty if it has one."""
    seconds: float
    """From its start to the end of the page."""


async def check_browser(executable: Path | None = None) -> BrowserCheck:
    """Start the browser, read a sample page, and return what was found. Raises `NoBrowser`, or `PageFailed` if the page is not read."""
    path = find_browser(executable)
    began = monotonic()
    warnings: list[str] = []

    def collect(record: LogRecord) -> bool:
        warnings.append(record.getMessage().removeprefix(UNSANDBOXED))
        return False  # it is a finding here, and is not printed

    launch.logger.addFilter(collect)
    try:
        async with Browser(path) as browser:
            page, *_ = await browser.render_html(SAMPLE)
    finally:
        launch.logger.removeFilter(collect)
    seconds = monotonic() - began
    if [block.text for block in page.blocks] != ["A page of one paragraph."]:
        raise NoBrowser(f"{path}: starts, and shows a page of one paragraph as {len(page.blocks)} blocks: install another Chromium")
    return BrowserCheck(path, await asyncio.to_thread(_version, path), next(iter(warnings), ""), seconds)


def _version(path: Path) -> str:
    """Return the number that the browser's `--version` prints; empty if it prints none."""
    printed = subprocess.run((path, "--version"), capture_output=True, text=True, errors="replace", timeout=VERSION_TIMEOUT, check=False)
    found = re.search(r"\d+(\.\d+)+", printed.stdout)
    return found[0] if found else ""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    name: str
    level: CheckLevel
    value: str
    remedy: str = ""
    """The remedy; empty if all is in order."""


async def examine(executable: Path | None = None, home: Path | None = None) -> tuple[Finding, ...]:
    """Run all checks. None raises: what fails is a finding."""
    system = this_system()
    folder = home or home_folder()
    return (
        Finding("version", "ok", f"sightread {VERSION}, Python {python_version()}, Playwright {version('playwright')}, {system.name}"),
        *await check_rendering(system, executable),
        check_fonts(system),
        check_memory(free_memory()),
        check_disk("disk of the data folder", folder),
        check_disk("temporary folder", Path(tempfile.gettempdir())),
        check_data_folder(folder),
        check_proxy(os.environ),
    )


async def check_rendering(system: System, executable: Path | None = None) -> tuple[Finding, ...]:
    """Check that the browser starts, reads a page, and has its sandbox."""
    try:
        found = await check_browser(executable)
    except (NoBrowser, PageFailed, StorageFailed) as error:
        problem, _, remedy = str(error).rpartition(": ")
        return (Finding("browser", "problem", problem or str(error), remedy if problem else "sightread setup"),)
    browser = Finding("browser", "ok", f"Chromium {found.version}, {found.path}: reads a page in {found.seconds:.1f} s")
    return browser, check_sandbox(system, found)


def check_sandbox(system: System, browser: BrowserCheck, proc: Path = PROC) -> Finding:
    """Check that Chromium's own sandbox is on; without it a page that breaks out of the renderer has the user's rights."""
    if not browser.unsandboxed:
        return Finding("sandbox", "ok", "on" + (", as an unprivileged user" if system.root else ""))
    denied = [command for name, value, command in USER_NAMESPACES if _setting(proc / name) == value]
    if denied:
        remedy = f"as root, {' && '.join(denied)}"
    elif system.root and not shutil.which("setpriv"):
        remedy = "install util-linux (setpriv), or run it as another user than root"
    else:
        remedy = "in a container or chroot, allow user namespaces (docker run --security-opt seccomp=unconfined)"
    return Finding("sandbox", "warning", f"off: {browser.unsandboxed}", remedy)


def check_fonts(system: System) -> Finding:
    """Check that each script has a font."""
    missing = missing_scripts(system.platform)
    if not missing:
        return Finding("fonts", "ok", f"all of {len(LANGUAGES)} scripts" if system.platform.startswith("linux") else "the system's own")
    remedy = "sightread setup" if system.installs_packages else font_remedy(system, missing)
    return Finding("fonts", "warning", f"none for {', '.join(missing)}: text in them is measured wrong", remedy)


def check_memory(free: int | None) -> Finding:
    """Check that at least one large page fits into the memory that is free (bytes; None if it is unknown)."""
    if free is None:
        return Finding("memory", "ok", f"unknown; {cores()} CPU cores, one page per core at once")
    value = f"{free / GIB:.1f} GiB free, {cores()} CPU cores, one page per core at once"
    if free < LEAST_MEMORY:
        return Finding("memory", "warning", value, f"free {LEAST_MEMORY / GIB:.0f} GiB, or open one page at once with --tabs 1")
    return Finding("memory", "ok", value)


def check_disk(name: str, folder: Path) -> Finding:
    """Check the free space of the file system that the folder is on, or will be."""
    place = _existing(folder)
    free = shutil.disk_usage(place).free
    value = f"{free / GIB:.1f} GiB free at {place}"
    if free < LEAST_DISK:
        return Finding(name, "warning", value, "free some, or name a folder on another disk in SIGHTREAD_HOME or TMPDIR")
    return Finding(name, "ok", value)


def check_data_folder(folder: Path) -> Finding:
    """Check that learned sites can be written, and count them."""
    place = _existing(folder)
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        return Finding("data folder", "problem", f"{folder} cannot be written", "name another in SIGHTREAD_HOME")
    sites = sum(each.is_dir() for each in (folder / "sites").iterdir()) if (folder / "sites").is_dir() else 0
    return Finding("data folder", "ok", f"{folder}, {sites} learned {'site' if sites == 1 else 'sites'}")


def check_proxy(environment: Mapping[str, str]) -> Finding:
    """Check for proxy variables: sightread's own proxy dials pages, and takes no upstream proxy from the environment."""
    named = [name for name in PROXY_VARIABLES if environment.get(name)]
    if named:
        return Finding("proxy", "warning", f"{named[0]} is set, and pages are opened without it", f"--proxy env:{named[0]}")
    return Finding("proxy", "ok", "none in the environment")


def _existing(folder: Path) -> Path:
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())


def _setting(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
