"""What the tests share: one real browser, small real web servers, and a guard that keeps everything else off the network."""

import gc
import ipaddress
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
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

DEMO = ("tests/sightread/reading/test_reader.py", "tests/sightread/models/test_model_choice.py", "tests/sightread/cli/test_extract.py")
DEMO += ("tests/sightread/sites/test_store.py", "tests/sightread/sites/test_learn.py")
"""Files that share the learned demo site, which takes longer to learn than they take: one worker runs them all."""

TRAINING = ("tests/classify/general/test_network.py", "tests/classify/neural/test_neural.py", "tests/classify/test_models.py")
"""Files that train with PyTorch, whose import takes longer than most of their tests: one worker runs them all."""

SLOW = tuple(
    f"tests/{name}.py"
    for name in (
        "sightread/server/compat/test_clients",
        "sightread/integrations/test_frameworks",
        "sightread/server/process/test_kills",
        "benchmarks/soak/test_soak",
        "documents/test_documents",
        "sightread/cli/test_kill",
        "sightread/cli/test_stopping",
        "sightread/cli/test_environment",
        "sightread/sites/test_refresh",
        "sightread/server/test_servers",
        "repository/test_deploy",
        "render/browser/test_exits",
        "repository/test_packaging",
        "repository/test_setup",
        "repository/test_plain_english",
    )
)
"""Files with few tests that take long: they go first, so that none of them runs alone at the end."""

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


class FileScheduling(LoadFileScheduling):
    """Gives a file to one worker, all files of the demo site to the same, and all that train with PyTorch to the same; slow files go
    first, then those with the most tests.
    """

    def schedule(self) -> None:
        is_new = self.collection is None
        super().schedule()
        for path in reversed(SLOW if is_new else ()):
            if path in self.workqueue:
                self.workqueue.move_to_end(path, last=False)

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        return "demo" if path in DEMO else "training" if path in TRAINING else path


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return two more workers than CPU cores: much of the time of a test is waiting, for a deadline or for a page that is late."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FileScheduling | None:
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
