"""Finding a Chromium, and starting it with the least privilege; however a run ends, no browser, driver or folder of theirs is left."""

import asyncio
import logging
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from aiohttp import web

from sightread.render.browser.browser import find_browser
from sightread.render.browser.launch import PREFIX, ProfileFolder, delete_stale_profiles, launch
from sightread.render.errors import NoBrowser, StorageFailed
from tests.processes.families import PATIENCE, family, left, needs_proc

as_root = pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can become another user")


@pytest.fixture
def bare(monkeypatch, tmp_path) -> Path:
    """A machine without a browser; returns its folder of programs."""
    monkeypatch.delenv("SIGHTREAD_BROWSER", raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(
        "sightread.render.browser.find_browser.SYSTEM_BROWSERS",
        ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser"),
    )
    return tmp_path / "bin"


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return path


def test_the_browser_is_looked_for_in_order(bare, monkeypatch, tmp_path):
    with pytest.raises(NoBrowser, match=r"no Chromium found: run `sightread setup`"):
        find_browser()
    last, first = program(bare / "chromium"), program(bare / "chromium-headless-shell")
    assert find_browser() == first
    own = tmp_path / "playwright"
    program(own / "chromium-1300/chrome-linux64/chrome")
    program(own / "chromium_headless_shell-999/chrome-headless-shell-linux64/chrome-headless-shell")
    newest = program(own / "chromium_headless_shell-1255/chrome-headless-shell-linux64/chrome-headless-shell")
    assert find_browser() == newest
    monkeypatch.setenv("SIGHTREAD_BROWSER", str(last))
    assert find_browser() == last
    assert find_browser(first) == first
    monkeypatch.setenv("SIGHTREAD_BROWSER", "/no/such/browser")
    with pytest.raises(NoBrowser, match="/no/such/browser: no such program"):  # it is not silently replaced
        find_browser()


async def test_a_start_that_is_cancelled_leaves_nothing():
    before = set(family(os.getpid()))
    for pause in (0.0, 0.3, 0.6):
        starting = asyncio.create_task(launch(find_browser()))
        await asyncio.sleep(pause)
        if starting.cancel():
            with pytest.raises(asyncio.CancelledError):
                await starting
        else:
            await (await starting).close()
    await asyncio.sleep(1)
    assert set(family(os.getpid())) <= before


def environment(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


def status(pid: int) -> dict[str, str]:
    return dict(re.findall(r"^(\w+):\s*(\S+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE))


@pytest.fixture(scope="module")
async def chromium():
    """A Chromium that was started with a secret in the environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIGHTREAD_TEST_TOKEN", "secret")
        started = await launch(find_browser())
    yield started
    await started.close()


@needs_proc
@as_root
async def test_as_root_no_part_of_the_browser_is_root_and_renderers_are_sandboxed(chromium):
    await (await chromium.browser.new_page()).set_content("<p>Text")
    parts = family(int(chromium.scratch.driver_id.read_text()))
    assert {status(pid)["Uid"] for pid in parts} == {"65534"}
    renderers = [status(pid) for pid, line in parts.items() if "--type=renderer" in line]
    assert renderers
    assert {(renderer["Seccomp"], renderer["NoNewPrivs"]) for renderer in renderers} == {("2", "1")}
    assert not any("--no-sandbox" in line for line in parts.values())


async def test_without_setpriv_root_is_warned_that_there_is_no_sandbox(monkeypatch, caplog):
    found = find_browser()
    monkeypatch.setattr("sightread.render.browser.launch.os.geteuid", lambda: 0)
    monkeypatch.setattr("sightread.render.browser.launch.shutil.which", lambda _: None)
    with caplog.at_level(logging.WARNING):
        chromium = await launch(found)
    await chromium.close()
    assert not chromium.privilege.sandbox
    assert "the browser runs without its sandbox" in caplog.text


@needs_proc
async def test_the_browser_sees_no_secrets_of_the_environment(chromium):
    assert b"SIGHTREAD" not in environment(int(chromium.scratch.browser_id.read_text()))


async def test_ten_tabs_that_refresh_themselves_close(chromium, site_server):
    async def again(request: web.Request) -> web.Response:
        return web.Response(text=f"<meta http-equiv=refresh content='0; url={request.path}x'><p>Text", content_type="text/html")

    site = await site_server({"/": again, **{f"/{'x' * count}": again for count in range(1, 500)}})
    for number in range(10):
        context = await chromium.browser.new_context(proxy={"server": "http://127.0.0.1:0", "bypass": "127.0.0.1"})
        tab = await context.new_page()
        await tab.goto(site.url(), wait_until="commit")
        await asyncio.sleep(0.03 + 0.01 * number)
        async with asyncio.timeout(20):
            await tab.close()
            await context.close()


async def test_a_driver_that_is_started_otherwise_is_refused(monkeypatch):
    monkeypatch.setattr("sightread.render.browser.launch._GETTER", "another_name")
    with pytest.raises(NoBrowser, match="starts its driver in an unknown way"):
        await launch(find_browser())


def test_a_folder_that_cannot_be_made_states_so(monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", "/proc")
    with pytest.raises(StorageFailed, match="/proc: cannot make the browser's folder"):
        ProfileFolder.make()


PROGRAM = """
import asyncio, sys
from aiohttp import web
from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.network.egress import LOCAL
from sightread.render.errors import PageFailed

# A page that says when it is stuck for good, so that every end comes at the worst moment.
STUCK = '<p>Text<script>r = new XMLHttpRequest(); r.open("GET", "/stuck", false); r.send(); for (;;) ;</script>'

async def main(end):
    stuck = asyncio.Event()

    async def answer(request):
        if request.path == "/stuck":
            stuck.set()
        return web.Response(text="<p>Text" if stuck.is_set() else STUCK, content_type="text/html")

    server = web.Server(answer)
    async with Browser(egress=LOCAL) as browser:
        listener = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0)
        url = "http://127.0.0.1:%d/" % listener.sockets[0].getsockname()[1]
        rendering = asyncio.create_task(browser.render(url, RenderOptions(deadline=60)))
        await stuck.wait()
        print("ready", flush=True)
        if end != "signal":
            await asyncio.to_thread(sys.stdin.readline)
        if end == "exception":
            raise SystemExit("an exception")
        if end == "return":
            rendering.cancel()
            await asyncio.wait([rendering])
            return
        try:
            await rendering
            health = browser.health
            print("read", health.done, health.failed, health.retried, health.restarts, health.open, flush=True)
        except PageFailed as error:
            print(type(error).__name__, flush=True)
        await browser.render_html("<p>Text")
        print("again", flush=True)
        await asyncio.to_thread(sys.stdin.readline)

asyncio.run(main(sys.argv[1]))
"""


def heed_signals():
    """Restore the signals that the tests may have been started to ignore, as `nohup` and a shell's background jobs are."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A TMPDIR that other users can pass through, as the system's can; pytest's cannot."""
    with tempfile.TemporaryDirectory(prefix="sightread-test-") as folder:
        Path(folder).chmod(stat.S_IRWXU | stat.S_IXGRP | stat.S_IXOTH)
        yield Path(folder)


@pytest.fixture
def start(temporary) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []

    def run(end: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(Path(__file__).parents[3])}
        program = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, end],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
            env=environment,
            preexec_fn=heed_signals,
        )
        started.append(program)
        return program

    yield run
    for program in started:
        program.kill()
        program.communicate()


def ready(program: subprocess.Popen[str]) -> dict[int, str]:
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    pids = family(program.pid)
    assert any("run-driver" in line for line in pids.values())
    assert sum("--type=renderer" in line for line in pids.values()) >= 1
    return pids


@needs_proc
@pytest.mark.parametrize("end", ["return", "exception"])
def test_nothing_is_left_after_an_orderly_end(start, temporary, end):
    program = start(end)
    pids = ready(program)
    _, errors = program.communicate("\n", timeout=PATIENCE)
    assert errors == ("" if end == "return" else "an exception\n")
    assert left(pids) == {}
    assert list(temporary.iterdir()) == []


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_but_its_folder_is_left_after_a_signal_and_a_later_run_deletes_it(start, temporary, monkeypatch, number):
    program = start("signal")
    pids = ready(program)
    program.send_signal(number)
    _, errors = program.communicate(timeout=PATIENCE)
    assert left(pids) == {}
    if number == signal.SIGINT:
        assert errors.splitlines()[-1] == "KeyboardInterrupt"
        assert list(temporary.iterdir()) == []
        return
    assert errors == ""
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    living = ProfileFolder.make()
    assert len(list(temporary.glob(f"{PREFIX}*"))) == 2
    delete_stale_profiles()
    assert list(temporary.glob(f"{PREFIX}*")) == [living.folder]
    living.remove()


def kill(pids: dict[int, str], mark: str) -> None:
    (process,) = (pid for pid, line in pids.items() if mark in line)
    os.kill(process, signal.SIGKILL)


@needs_proc
@pytest.mark.parametrize("mark", ["run-driver", "about:blank"], ids=["driver", "browser"])
def test_a_killed_driver_or_browser_is_replaced_loses_no_page_and_leaves_nothing(start, temporary, mark):
    program = start("signal")
    pids = ready(program)
    kill(pids, mark)
    assert program.stdout is not None
    assert program.stdout.readline() == "read 1 0 1 1 0\n"  # retried once, in the second browser
    assert program.stdout.readline() == "again\n"
    assert left(pids) == {}
    _, errors = program.communicate("\n", timeout=PATIENCE)
    assert errors == ""
    assert list(temporary.iterdir()) == []
