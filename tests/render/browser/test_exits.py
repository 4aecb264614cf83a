"""However a run ends, no browser, no driver and no folder of theirs is left. Each test runs a real program and kills it."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sightread.render.browser.launch import PREFIX, ProfileFolder, delete_stale_profiles
from tests.processes.families import PATIENCE, family, left, needs_proc

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
