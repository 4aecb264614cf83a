"""Installs what is missing, a browser and fonts: packages of Debian and its relatives as root, else Playwright's own download.

It needs only Python's standard library, so that `setup.sh` runs it while pip installs the packages:

    python -m sightread.machine.install check|packages|rest

`check` ends with 0 if nothing is missing, else with 1; `packages` installs those of the distribution; `rest` downloads a browser if there
still is none.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from tempfile import TemporaryFile

from sightread.machine.system import (
    DISTRIBUTION_BROWSERS,
    DRIVER_LIBRARY,
    DRIVER_PACKAGE,
    System,
    distribution_browser,
    font_packages,
    lacks_driver_library,
    missing_scripts,
    this_system,
)
from sightread.render.browser.find_browser import SHARED_BROWSERS, find_browser
from sightread.render.errors import NoBrowser, Rejected, SightreadError, Unequipped

APT_LOCK_SECONDS = 120
BROWSERS_SETTING = "PLAYWRIGHT_BROWSERS_PATH"
LAST_LINES = 3
"""Lines at the end of a failed command's output that its error repeats."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Requirements of sightread that the machine lacks."""

    browser: bool
    scripts: tuple[str, ...]
    driver: bool = False

    def __bool__(self) -> bool:
        """Whether anything is missing."""
        return self.browser or self.driver or bool(self.scripts)

    def packages(self, browser: str) -> tuple[str, ...]:
        """Return the packages of Debian and Ubuntu that bring it; `browser` is that of the browser, empty if the distribution has none."""
        found = ((browser if self.browser else ""), (DRIVER_PACKAGE if self.driver else ""), *font_packages(self.scripts))
        return tuple(filter(None, found))


@dataclass(frozen=True, slots=True)
class InstallStep:
    """A command that installs something."""

    title: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables beside those of this process."""

    def __str__(self) -> str:
        """Return the command as one types it."""
        return shlex.join([*(f"{name}={value}" for name, value in self.environment.items()), *self.command])


Runner = Callable[[InstallStep], None]


def find_missing() -> Missing:
    """Return what the machine lacks. Raises `NoBrowser` if SIGHTREAD_BROWSER names no program."""
    try:
        find_browser()
        browser = False
    except NoBrowser:
        if os.environ.get("SIGHTREAD_BROWSER"):
            raise
        browser = True
    return Missing(browser, missing_scripts(), lacks_driver_library())


def install_packages(system: System, run: Runner) -> None:
    """Install what is missing of the distribution's browser and fonts with apt-get, as root. Raises `Unequipped` if that fails."""
    missing = find_missing()
    if missing and system.installs_packages:
        run(UPDATE)
        if packages := missing.packages(distribution_browser()):
            run(apt_install(packages))


def planned_steps(system: System, missing: Missing) -> tuple[InstallStep, ...]:
    """Return the commands that installing would run, without running any; apt-get's lists of packages are taken as they are."""
    package = distribution_browser() or (DISTRIBUTION_BROWSERS[0] if system.distribution == "debian" else "")
    steps: list[InstallStep] = []
    if system.installs_packages and missing:
        packages = missing.packages(package)
        steps += [UPDATE, apt_install(packages)] if packages else []
    if missing.browser and not (system.installs_packages and package):
        steps.append(playwrights_browser(system))
    return tuple(steps)


def apt_install(packages: tuple[str, ...]) -> InstallStep:
    """Return the step that installs packages of the distribution."""
    options = ("-qq", "--yes", "--no-install-recommends", "-o", f"DPkg::Lock::Timeout={APT_LOCK_SECONDS}")
    return InstallStep(
        f"installing {', '.join(packages)}", ("apt-get", "install", *options, *packages), {"DEBIAN_FRONTEND": "noninteractive"}
    )


def playwrights_browser(system: System) -> InstallStep:
    """Return the step that downloads Playwright's browser; as root with the libraries that it needs, into a folder that all users read.

    As root the browser runs as another user, who cannot read root's home folder.
    """
    libraries = ("--with-deps",) if system.installs_packages else ()
    shared = system.root and system.platform.startswith("linux") and not os.environ.get(BROWSERS_SETTING)
    return InstallStep(
        "downloading Playwright's Chromium",
        (sys.executable, "-m", "playwright", "install", *libraries, "chromium-headless-shell"),
        {BROWSERS_SETTING: SHARED_BROWSERS} if shared else {},
    )


UPDATE = InstallStep("reading the lists of packages", ("apt-get", "-qq", "update"))


def run_step(step: InstallStep) -> None:
    """Run the step's command, with its output kept. Raises `Unequipped` with the last lines of it if it fails."""
    with TemporaryFile("w+", errors="replace") as log:
        try:
            ended = subprocess.run(
                step.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, **step.environment}, check=False
            )
        except OSError as error:
            raise Unequipped(f"{step.title} failed: {step.command[0]}: {error.strerror}") from error
        if ended.returncode:
            log.seek(0)
            lines = [line.strip() for line in log if line.strip()]
            raise Unequipped(f"{step.title} failed: {' / '.join(lines[-LAST_LINES:]) or f'exit code {ended.returncode}'}")


def install(system: System, run: Runner, warn: Callable[[str], None]) -> None:
    """Install what is missing. Raises `NoBrowser` if there is no browser afterwards; fonts that are missing are a warning."""
    failure = ""
    try:
        install_packages(system, run)
    except Unequipped as error:
        failure = str(error)
    install_rest(system, run, warn, failure)


def install_rest(system: System, run: Runner, warn: Callable[[str], None], failure: str = "") -> None:
    """Download Playwright's browser if there is none, and warn of missing fonts; `failure` is why packages could not be installed."""
    missing = find_missing()
    if missing.driver:
        raise NoBrowser(
            f"{failure}{'; ' if failure else ''}{DRIVER_LIBRARY} is missing, which the browser's driver needs: {driver_remedy(system)}"
        )
    if missing.browser:
        try:
            run(playwrights_browser(system))
        except Unequipped as error:
            raise NoBrowser(f"{'; '.join(filter(None, (failure, str(error))))}: {browser_remedy(system)}") from error
        if find_missing().browser:
            raise NoBrowser(f"{playwrights_browser(system)}: it ended without an error, and no browser is there: {browser_remedy(system)}")
    elif failure:
        warn(failure)
    if missing.scripts:
        warn(f"no fonts for {', '.join(missing.scripts)}: text in them is measured wrong: {font_remedy(system, missing.scripts)}")


def browser_remedy(system: System) -> str:
    """Return what a person does to have a browser that setup could not install."""
    named = "or name a Chromium in SIGHTREAD_BROWSER"
    if system.platform == "darwin":
        return f"check the network and its proxy (HTTPS_PROXY), {named}"
    if system.apt and system.distribution != "ubuntu":
        as_root = "" if system.root else "as root, "
        return f"{as_root}apt-get install {DISTRIBUTION_BROWSERS[0]}, {named}"
    return f"check the network and its proxy (HTTPS_PROXY), install your distribution's chromium (not a snap), {named}"


def driver_remedy(system: System) -> str:
    """Return what a person does to have the library of Playwright's driver."""
    return f"as root, apt-get install {DRIVER_PACKAGE}" if system.apt else "install your distribution's libatomic"


def font_remedy(system: System, scripts: tuple[str, ...]) -> str:
    """Return what a person does to have fonts for the scripts."""
    if system.apt:
        return f"as root, apt-get install {' '.join(font_packages(scripts))}"
    return "install your distribution's Noto fonts and fontconfig"


def main(arguments: list[str]) -> int:
    """Run one of the module's commands, and return its exit code."""
    system, command = this_system(), " ".join(arguments)
    try:
        if command == "check":
            return int(bool(find_missing()))
        if command == "packages":
            install_packages(system, run_step)
        elif command == "rest":
            install_rest(system, run_step, _warn)
        else:
            raise Rejected(f"{command!r} is not check, packages or rest")
    except SightreadError as error:
        _warn(str(error))
        return error.exit_code
    return 0


def _warn(line: str) -> None:
    sys.stderr.write(f"setup: {line}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
