"""What the tests share: one real browser, small real web servers, and a guard that keeps everything else off the network."""

import gc
import ipaddress
import os
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from sightread.render.browser.browser import Browser
from sightread.render.network.egress import LOCAL

settings.register_profile("suite", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.register_profile("thorough", deadline=None, max_examples=100_000)
settings.load_profile("suite")
"""The same examples in every run, and no example fails on a busy machine; `--hypothesis-profile explore` looks for new ones, and `thorough`
for rare ones in one file.
"""

if sys.dont_write_bytecode:  # else each of the processes that tests start compiles all modules: a fifth of its start
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")

SHARING = {
    "demo": (
        *("sightread/reading/test_reader", "sightread/models/test_model_choice", "sightread/cli/test_extract"),
        *("sightread/sites/test_store", "sightread/sites/test_learn"),
    ),
    "PostgreSQL": ("sightread/server/jobs/test_store", "sightread/server/test_odd_names"),
    "PyTorch": (
        "classify/general/test_model",
        "benchmarks/training/test_global_model",
        "classify/neural/test_neural",
        "classify/test_models",
    ),
}
"""Files of which one worker runs all, since what they share takes longer than most of their tests: a learned site, a server, an import."""
SCOPES = {f"tests/{name}.py": scope for scope, names in SHARING.items() for name in names}
SLOW = {
    *SHARING,
    *(f"tests/{name}.py" for name in ("documents/test_documents", "render/network/test_boundary", "sightread/server/test_service")),
}
"""Files with many tests that take long."""

Body = str | bytes
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Answer = Body | tuple[int, Mapping[str, str], Body] | Handler


@dataclass(frozen=True, slots=True)
class Site:
    """A server on loopback that runs for one test."""

    root: str
    requests: list[str]
    """The paths asked for so far, queries included, in order."""

    def url(self, path: str = "/") -> str:
        return self.root + path


def scope_of(nodeid: str) -> str:
    """Return the name of the tests that one worker runs together with this one."""
    path = nodeid.partition("::")[0]
    return SCOPES.get(path, path)


class FileScheduling(LoadFileScheduling):
    """Gives a file to one worker, with those that share something with it."""

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let workers begin with what takes long, so that none works alone at the end: of the others, files with few tests take longest."""
    if hasattr(config, "workerinput"):
        numbers = Counter(scope_of(item.nodeid) for item in items)
        items.sort(key=lambda item: ((scope := scope_of(item.nodeid)) not in SLOW, numbers[scope], scope))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return two more workers than CPU cores: much of the time of a test is waiting, for a deadline or for a page that is late."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FileScheduling | None:
    config.option.loadscopereorder = False
    return FileScheduling(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without garbage collection, and exempt them and all modules from it: they live as long as the process."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The one browser of the session. Tests that kill theirs open their own."""
    async with Browser(egress=LOCAL) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def site_server() -> AsyncIterator[Callable[[Mapping[str, Answer]], Awaitable[Site]]]:
    """Serve small pages on 127.0.0.1, at a port of their own, until the test ends; any other path is a 404.

        site = await site_server({
            "/": "<p>HTML",                                                   # 200, text/html
            "/feed": (200, {"Content-Type": "application/rss+xml"}, "<rss/>"),  # status, headers, body
            "/slow": handler,                                                 # async (aiohttp request) -> response
        })
        site.url("/feed"), site.requests

    It may be called several times for several sites. The pages may be changed while it runs: the mapping is read at each request.
    """
    runners: list[web.AppRunner] = []

    async def serve(pages: Mapping[str, Answer]) -> Site:
        requests: list[str] = []

        async def answer(request: web.Request) -> web.StreamResponse:
            requests.append(request.path_qs)
            found = pages.get(request.path_qs, pages.get(request.path, (404, {}, "<p>Not found")))
            if callable(found):
                return await found(request)
            status, headers, body = found if isinstance(found, tuple) else (200, {}, found)
            content = body.encode() if isinstance(body, str) else body
            return web.Response(status=status, headers={"Content-Type": "text/html; charset=utf-8", **headers}, body=content)

        app = web.Application()
        app.router.add_route("*", "/{path:.*}", answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        runners.append(runner)
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        return Site(f"http://{host}:{port}", requests)

    yield serve
    for runner in runners:
        await runner.cleanup()


@pytest.fixture(autouse=True, scope="session")
def _loopback_only() -> Iterator[None]:
    """Fail any test that connects anywhere but to this machine."""

    def guarded(connect: Callable[..., Any]) -> Callable[..., Any]:
        def checked(opened: socket.socket, address: object) -> Any:
            is_web = opened.family in (socket.AF_INET, socket.AF_INET6) and opened.type == socket.SOCK_STREAM  # a datagram's sends nothing
            if is_web and not _is_loopback(address):
                pytest.fail(f"a test connects to {address}: serve it with site_server instead")
            return connect(opened, address)

        return checked

    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex"):
            patch.setattr(socket.socket, name, guarded(getattr(socket.socket, name)))
        yield


def _is_loopback(address: object) -> bool:
    host = address[0] if isinstance(address, tuple) else ""
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return host == "localhost"
