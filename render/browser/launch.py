"""Starts Chromium with the least privilege that the machine allows, and guarantees that it ends.

The browser and its driver (a node process of Playwright's) are two child processes that must not outlive the parent:
the driver ends at the end of its standard input, however it was closed; the browser at the end of its debugging pipe, and where `setpriv`
exists by the kernel's signal at its parent's death. `Chromium.close` waits for neither: it kills the browser's process group.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
import signal
import textwrap
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Playwright, ProxySettings, async_playwright
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sightread.render.browser.driver_environment import clean_environment, isolate_driver
from sightread.render.browser.find_browser import SETTING
from sightread.render.browser.profile import ProfileFolder, delete_stale_profiles
from sightread.render.errors import NoBrowser
from sightread.render.network.navigation_errors import first_line
from sightread.render.visit.device import LANGUAGE

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
        await _end(self.driver, self.scratch)


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


async def _end(driver: Playwright, scratch: ProfileFolder) -> None:
    _kill_browser(scratch)
    stopped = False
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_TIMEOUT):
                await driver.stop()
                stopped = True
    finally:
        if not stopped and (driver_id := _take(scratch.driver_id)):
            with suppress(ProcessLookupError):
                os.kill(driver_id, signal.SIGKILL)
        scratch.remove()


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
