"""Starts Chromium with the least privilege that the machine allows, and guarantees that it ends.

The browser and its driver (a node process of Playwright's) are two child processes that must not outlive the parent:
the driver ends at the end of its standard input, however it was closed; the browser at the end of its debugging pipe, and where `setpriv`
exists by the kernel's signal at its parent's death. `Chromium.close` waits for neither: it kills the browser's process group.

Environment of Playwright's driver (Node.js): an allow-list, so that no inherited variable changes what the browser may do.

The driver reads a hundred environment variables. One of them opens loopback to every page
(`PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK`), another bypasses the proxy, others connect to a browser elsewhere or, as
`NODE_OPTIONS`, run code. Playwright has no option for the driver's environment and copies ours.

A browser's own folder on disk: profile, HOME and a file of process ids; removed however the run ended.

The folder is locked (flock) for as long as its maker lives, and the kernel drops the lock with the process. So the next start
distinguishes folders in use from those of killed runs, without comparing process ids, and deletes the latter.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import re
import shutil
import signal
import tempfile
import textwrap
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Self

from playwright.async_api import Browser, Playwright, ProxySettings, async_playwright
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sightread.render.browser.find_browser import SETTING
from sightread.render.errors import NoBrowser, StorageFailed
from sightread.render.network.http import first_line
from sightread.render.visit.device import LANGUAGE

INHERITED = re.compile(r"PATH|LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|FONTCONFIG_\w+|XDG_DATA_DIRS")
"""Environment variables passed to driver and browser: paths of programs, libraries and fonts, and the language."""
NODE_OPTIONS = "--max-semi-space-size=2"
"""Options of the driver's Node.js: MB for each half of its new objects. Pages do not need the 16 MB that it grows to by itself: this takes
40 MB less (docs/experiments/service.md)."""
_TRANSPORTS = ("playwright._impl.transport", "playwright._impl._transport")
"""Modules that start the driver, in recent and in older versions of Playwright."""
_GETTER = "get_driver_env"
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


PREFIX = "sightread-browser-"


@dataclass(frozen=True, slots=True)
class ProfileFolder:
    """One browser's folder. The maker's lock is `lock`, a file descriptor that is not inherited by the browser."""

    folder: Path
    lock: int

    @property
    def profile(self) -> Path:
        """The part that the browser may write: user data, HOME and TMPDIR in one."""
        return self.folder / "profile"

    @property
    def browser_id(self) -> Path:
        """Where `launcher.sh` notes the browser's process id."""
        return self.folder / "browser.pid"

    @property
    def driver_id(self) -> Path:
        """Where `launcher.sh` notes the process id of the browser's parent, the driver."""
        return self.folder / "driver.pid"

    @classmethod
    def make(cls, user: int | None = None) -> Self:
        """Make a folder, its profile owned by `user` (a numeric id) if one is given.

        Raises `StorageFailed` if the temporary folder cannot be written.
        """
        try:
            folder = Path(tempfile.mkdtemp(prefix=PREFIX))
            while (lock := _lock(folder)) is None:  # swept by another start between the two calls
                folder = Path(tempfile.mkdtemp(prefix=PREFIX))
            scratch = cls(folder, lock)
            scratch.profile.mkdir(mode=0o700)
            if user is not None:
                folder.chmod(0o711)  # the other user passes through, and lists nothing
                os.chown(scratch.profile, user, user)
        except OSError as error:
            raise StorageFailed(
                f"{tempfile.gettempdir()}: cannot make the browser's folder: {error.strerror}: free it, or set TMPDIR"
            ) from error
        return scratch

    def remove(self) -> None:
        """Delete the folder and drop the lock. The browser must be dead."""
        _remove(self.folder, self.lock)


def delete_stale_profiles() -> None:
    """Delete the folders of runs that were killed; those of living ones are locked and stay."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # another sweep was faster, or another user's
            if folder.lstat().st_uid == os.geteuid() and (lock := _lock(folder)) is not None:
                _remove(folder, lock)


def _lock(folder: Path) -> int | None:
    """Return a locked descriptor of the folder, or None if another holds the lock or has just deleted the folder."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    except OSError:  # a file system without locks
        os.close(lock)
        raise
    if folder.exists():
        return lock
    os.close(lock)
    return None


def _remove(folder: Path, lock: int) -> None:
    for _ in range(3):  # a file written while the browser died makes the first try fall short
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            break
    with suppress(OSError):
        os.close(lock)


FLAGS = (  # beyond Playwright's own, which turn off updates, first-run pages, sync and other background traffic
    f"--accept-lang={LANGUAGE},en",  # the headless shell declares no language of its own; given here it costs no page anything
    "--disable-quic",
    "--block-new-web-contents",  # popups fail, as with any popup blocker; the headless shell alone knows this
    "--disable-domain-reliability",
    "--no-pings",
    "--dns-prefetch-disable",
    # Names are resolved by the egress proxy alone. What a page makes the browser look up past it does not resolve.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # With a proxy alone STUN over UDP still leaves the machine: it takes both of these to stop it.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # No optimising compilers: half of the holes in V8 were theirs, and a page is read before what they make pays. 16 CPU ms less per page.
    "--js-flags=--no-opt --no-maglev",
)
UNPROTECTED = "--disable-ipc-flooding-protection"
"""A flag of Playwright's that we leave out: with it a page may change its address thousands of times per second, each with an event."""
LIGHT = ("--blink-settings=imagesEnabled=false", "--disable-remote-fonts")
"""Flags that leave out images and web fonts: a sixth of the CPU time of pages without scripts, and most of their requests."""
DISABLED = "RenderDocument"
"""Features that are disabled besides those that the driver disables. With RenderDocument 13 of 30 tabs that were closed during a navigation
within their site never closed (Chromium 156, Playwright 1.65); without it, all did."""
CLOSED_PROXY = "http://127.0.0.1:0"
"""The proxy of contexts that have no other: of the browser's own requests, and of stored pages' workers. No program listens at port 0."""
NO_BYPASS = "<-loopback>"
"""Proxy rule: no address, loopback included, is reached without the proxy. The driver's own rule depends on a variable."""
UNPRIVILEGED_ID = 65534
LAUNCHER = Path(__file__).with_name("launcher.sh")
START_TIMEOUT = 30.0
"""Seconds a start may take; one second is usual, ten were seen on a machine under load."""
STOP_TIMEOUT = 3.0
"""Seconds the driver may take to end once its browser is dead; 0.05 are usual."""

LONGEST_REASON = 200
"""Characters of the line that names why the browser does not start; values of options are left out of it."""

NO_SETPRIV = "it refuses it as root, and there is no setpriv to become another user"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Privilege:
    """As whom the browser runs (None: as we do), and whether inside its sandbox."""

    user: int | None
    sandbox: bool


def proxied(url: str) -> ProxySettings:
    """Return the settings of a context whose every connection goes through the proxy at `url`."""
    return ProxySettings(server=url, bypass=NO_BYPASS)


def _privileges() -> tuple[Privilege, ...]:
    """Return the commands to try, best first. As root Chromium refuses its sandbox, so `setpriv` makes it run as `nobody`."""
    if os.geteuid() != 0:
        return Privilege(None, sandbox=True), Privilege(None, sandbox=False)
    if shutil.which("setpriv"):
        return Privilege(UNPRIVILEGED_ID, sandbox=True), Privilege(UNPRIVILEGED_ID, sandbox=False), Privilege(None, sandbox=False)
    return (Privilege(None, sandbox=False),)


@dataclass(frozen=True, slots=True)
class Chromium:
    """A running browser with its driver and folder. Its launcher closes it."""

    browser: Browser
    privilege: Privilege
    driver: Playwright
    scratch: ProfileFolder

    @property
    def alive(self) -> bool:
        """Whether the browser still answers."""
        return self.browser.is_connected()

    async def close(self) -> None:
        """Kill the browser, end the driver, delete the folder. Holds under cancellation."""
        _kill_browser(self.scratch)
        stopped = False
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_TIMEOUT):
                    await self.driver.stop()
                    stopped = True
        finally:
            if not stopped and (driver_id := _take(self.scratch.driver_id)):
                with suppress(ProcessLookupError):
                    os.kill(driver_id, signal.SIGKILL)
            self.scratch.remove()


async def launch(executable: Path, flags: tuple[str, ...] = ()) -> Chromium:
    """Start the browser, inside its sandbox and as an unprivileged user if the machine allows, else with a warning.

    `flags` are added to the common ones.

    Raises `NoBrowser` if it does not start.
    """
    delete_stale_profiles()
    driver = await _start_driver()
    reasons: list[str] = []
    try:
        for privilege in _privileges():
            try:
                chromium = await _start_browser(driver, executable, privilege, flags)
            except PlaywrightError as error:
                reasons.append(_reason(error))
                if isinstance(error, PlaywrightTimeout):
                    break
            else:
                if not privilege.sandbox:
                    logger.warning("the browser runs without its sandbox: %s", (reasons or [NO_SETPRIV])[0])
                return chromium
        raise NoBrowser(f"{executable}: does not start: {reasons[-1]}: install another, or name one in {SETTING}")
    except BaseException:
        await driver.stop()
        raise


async def _start_driver() -> Playwright:
    isolate_driver()
    manager = async_playwright()
    starting = asyncio.ensure_future(manager.start())
    try:
        driver = await asyncio.shield(starting)
    except asyncio.CancelledError:  # a start cut short would leave the driver to the garbage collector
        await (await starting).stop()
        raise
    except Exception as error:
        raise NoBrowser(f"the browser's driver does not start ({first_line(str(error))}): run `sightread setup`") from error
    with suppress(AttributeError):  # private: a killed driver sets an error there that is never read, which asyncio would report
        manager._client._transport.on_error_future.add_done_callback(lambda future: future.cancelled() or future.exception())  # type: ignore[union-attr]
    return driver


async def _start_browser(driver: Playwright, executable: Path, privilege: Privilege, flags: tuple[str, ...]) -> Chromium:
    """Start the browser in a folder of our own.

    Playwright takes one for persistent contexts only, so there is such a context, with a blank tab that stays unused; pages get their own.
    """
    scratch = ProfileFolder.make(privilege.user)
    try:
        context = await driver.chromium.launch_persistent_context(
            scratch.profile,
            executable_path=LAUNCHER,
            artifacts_dir=scratch.folder,
            args=(*FLAGS, *flags),
            ignore_default_args=[UNPROTECTED],
            chromium_sandbox=privilege.sandbox,
            proxy=proxied(CLOSED_PROXY),  # a context that is made without a proxy of its own reaches nothing
            env=_environment(executable, privilege, scratch),
            timeout=START_TIMEOUT * 1000,
            # The driver would close the browser at a signal while we still use it: signals are the caller's, and closing is ours.
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
    except BaseException:
        _kill_browser(scratch)
        scratch.remove()
        raise
    browser = context.browser
    assert browser is not None
    browser.on("disconnected", lambda _: _kill_browser(scratch))  # renderers may outlive a crashed browser
    return Chromium(browser, privilege, driver, scratch)


def _environment(executable: Path, privilege: Privilege, scratch: ProfileFolder) -> dict[str, str | float | bool]:
    return {
        **clean_environment(),
        "HOME": str(scratch.profile),
        "TMPDIR": str(scratch.profile),
        "SIGHTREAD_LAUNCH_EXECUTABLE": str(executable),
        "SIGHTREAD_LAUNCH_FOLDER": str(scratch.folder),
        "SIGHTREAD_LAUNCH_DISABLED": DISABLED,
        "SIGHTREAD_LAUNCH_USER": "" if privilege.user is None else str(privilege.user),
    }


def _reason(error: PlaywrightError) -> str:
    """Return the line of Playwright's report with the reason why the browser did not start."""
    lines = [line.strip(" -") for line in error.message.splitlines() if "<launching>" not in line]
    informative = [line for line in lines if re.search(r"sandbox|FATAL|error while loading|[Pp]ermission denied|not found|Failed", line)]
    printed = [line for line in lines if "[err]" in line]
    reason = re.sub(r"^(\[[^]]*\] ?)+", "", (informative or printed or lines)[0])
    return textwrap.shorten(re.sub(r"(--[\w-]+)=[^\s']+", r"\1", reason), LONGEST_REASON, placeholder=" …")


def _kill_browser(scratch: ProfileFolder) -> None:
    """Kill the browser's process group, of which Playwright makes it the leader: renderers and helpers included."""
    if browser_id := _take(scratch.browser_id):
        with suppress(ProcessLookupError):
            os.killpg(browser_id, signal.SIGKILL)


def _take(note: Path) -> int | None:
    """Return the process id in the note and delete it: a second kill might hit the next process with that id."""
    try:
        process = int(note.read_text())
        note.unlink()
    except (OSError, ValueError):  # the launcher did not get that far
        return None
    return process
