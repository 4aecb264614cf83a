"""The pool: what it does when the browser fails, when pages attack it, and when the machine is short of something."""

import asyncio
import os
import signal
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import web

from sightread.render.browser.browser import Browser, PoolPolicy, RenderOptions
from sightread.render.browser.launch import PREFIX
from sightread.render.browser.limiter import (
    LARGE_RENDERER,
    PAGE_MEMORY,
    RESERVED_MEMORY,
    WORKS_FOR,
    PageLimiter,
    Turns,
    cores,
    excessive_renderers,
    free_memory,
    free_tabs,
)
from sightread.render.errors import BrowserFailed, PageFailed, Retryable, Unusable
from sightread.render.network.egress import LOCAL
from tests.processes.families import family, needs_proc

MARGIN = 20.0
"""Seconds after its deadline within which a page has freed its place, on a busy machine too."""
MIB = 2**20


def texts(rendered):
    return [block.text for block in rendered.page.blocks]


def processes(mark):
    return {pid for pid, line in family(os.getpid()).items() if mark in line}


def scratch_files_with(mark):
    """The files of all browsers that hold these bytes; those of other test processes come and go."""
    found = []
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        for root, _, names in os.walk(folder):
            for path in (Path(root, name) for name in names):
                with suppress(OSError):
                    if path.is_file() and mark in path.read_bytes():
                        found.append(path)
    return found


@pytest.fixture(scope="module")
async def others():
    """The processes that are none of the pool's."""
    return processes("")


@pytest.fixture(scope="module")
async def pool(others):
    """One pool for all that is killed and all the attacks of this file: whatever a page does, the next one must find it well."""
    async with Browser(tabs=1, egress=LOCAL) as opened:
        yield opened


async def until(holds):
    """Wait until something holds, and fail where that takes longer than MARGIN."""
    async with asyncio.timeout(MARGIN):
        while not holds():  # noqa: ASYNC110  (processes send no events)
            await asyncio.sleep(0.02)


async def stuck_page(site_server, times):
    """A site whose page hangs the first times that it is asked for, and the event that tells that it does."""
    stuck, requested = asyncio.Event(), []

    async def page(_: web.Request) -> web.Response:
        requested.append(1)
        loop = "<script>r = new XMLHttpRequest(); r.open('GET', '/stuck', false); r.send(); for (;;) ;</script>"
        return web.Response(text="<p>Text" + (loop if len(requested) <= times else ""), content_type="text/html")

    async def note(_: web.Request) -> web.Response:
        stuck.set()
        return web.Response()

    return await site_server({"/": page, "/stuck": note, "/next": "<p>Next"}), stuck


async def test_pages_that_navigate_themselves_cost_no_browser(browser, site_server, caplog, monkeypatch):
    monkeypatch.setattr("sightread.render.browser.pool.ANSWER_TIMEOUT", MARGIN)
    caplog.set_level("INFO", "sightread.render.browser.pool")  # which says why a browser was replaced
    on = "<script>location.replace('/there')</script><p>Here"
    site = await site_server({"/": on, "/there": "<p>There"})
    before = browser.health
    found = await asyncio.gather(*(browser.render(site.url(f"/?{number}")) for number in range(10)))
    assert {tuple(texts(rendered)) for rendered in found} == {("There",)}
    assert (browser.health.restarts, browser.health.retried) == (before.restarts, before.retried), caplog.text


# What the browser fails


@needs_proc
async def test_a_page_whose_renderer_is_killed_is_read_all_the_same(pool, others, site_server):
    site, stuck = await stuck_page(site_server, 1)
    before = pool.health
    async with asyncio.timeout(60):
        rendering = asyncio.create_task(pool.render(site.url()))
        await stuck.wait()
        for pid in processes("--type=renderer") - others:
            os.kill(pid, signal.SIGKILL)
        assert texts(await rendering) == ["Text"]
    health = pool.health
    assert (health.done, health.failed, health.retried, health.open) == (before.done + 1, before.failed, before.retried + 1, 0)
    assert health.restarts == before.restarts


@needs_proc
async def test_a_page_that_the_browser_fails_time_and_again_is_a_recorded_failure(pool, others, site_server):
    site, stuck = await stuck_page(site_server, 3)
    before = pool.health
    async with asyncio.timeout(60):
        rendering = asyncio.create_task(pool.render(site.url()))
        while not rendering.done():
            await asyncio.wait((rendering, waiting := asyncio.ensure_future(stuck.wait())), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            stuck.clear()
            for pid in processes("--type=renderer") - others:
                os.kill(pid, signal.SIGKILL)
        with pytest.raises(BrowserFailed, match=r"crashed|no tab was opened"):  # the latter where the killed one was the next tab's
            await rendering
        assert (pool.health.failed - before.failed, pool.health.retried - before.retried) == (1, 2)
        assert texts(await pool.render(site.url("/next"))) == ["Next"]


@needs_proc
async def test_a_browser_that_has_done_its_share_is_replaced_and_no_page_is_lost(site_server):
    async def page(request: web.Request) -> web.Response:
        await asyncio.sleep(0.1)
        return web.Response(text=f"<p>{request.path}", content_type="text/html")

    pages = {f"/{i}": page for i in range(200)}
    site = await site_server(pages)
    others, read = processes("about:blank"), []
    async with asyncio.timeout(60), Browser(tabs=2, egress=LOCAL, policy=PoolPolicy(pages=4)) as browser:
        while browser.health.recycled < 1:
            three = list(pages)[len(read) : len(read) + 3]
            read += [texts(one)[0] for one in await asyncio.gather(*(browser.render(site.url(path)) for path in three))]
        health = browser.health
        assert read == list(pages)[: health.done]
        assert health.failed == 0
        await until(lambda: len(processes("about:blank") - others) == 1)
    assert not processes("about:blank") - others


# Pages that attack

HANGS = {
    "a loop before it is loaded": "<p>Text<script>for (;;) ;</script>",
    "a loop after it is loaded": "<p>Text<script>onload = () => setTimeout(() => { for (;;) ; }, 0)</script>",
    "alerts without end": "<p>Text<script>for (;;) alert(1)</script>",
    "alerts from its unload": "<p>Text<script>onbeforeunload = onpagehide = () => { for (;;) alert(1) }; for (;;) ;</script>",
}


@pytest.mark.parametrize("html", HANGS.values(), ids=HANGS.keys())
async def test_a_page_that_hangs_frees_its_place_at_its_deadline(pool, site_server, html):
    site = await site_server({"/": html, "/next": "<p>Next"})
    started = time.monotonic()
    with pytest.raises(Retryable, match="not read within 1 s"):
        await pool.render(site.url(), RenderOptions(deadline=1))
    assert time.monotonic() - started < 1 + MARGIN
    assert pool.health.open == 0
    assert texts(await pool.render(site.url("/next"))) == ["Next"]


BEFOREUNLOAD = "<p>Text<script>onbeforeunload = (e) => { e.preventDefault(); return 'stay' }; onunload = () => { for (;;) ; }</script>"


@needs_proc
async def test_a_page_that_does_not_want_to_go_is_closed(pool, site_server):
    site = await site_server({"/": BEFOREUNLOAD})
    await pool.render(site.url())
    before = processes("--type=renderer")
    assert texts(await pool.render(site.url())) == ["Text"]
    await until(lambda: len(processes("--type=renderer")) <= len(before))


async def test_a_flood_of_windows_opens_three_at_the_most(pool, site_server):
    flood = "<p>Text<a id=a href=/popup target=_blank></a><iframe id=f></iframe><script>for (i = 0; i < 200; i++) {attempt}</script>"
    for attempt in ("open('/popup')", "a.click()", "f.contentWindow.open('/popup')"):
        site = await site_server({"/": flood.replace("{attempt}", attempt), "/popup": "<p>Popup"})
        assert texts(await pool.render(site.url())) == ["Text"]
        await asyncio.sleep(0.2)
        assert site.requests.count("/popup") <= 3


async def test_a_flood_of_addresses_is_throttled_and_a_page_that_closes_its_window_leaves_the_pool_well(pool, site_server):
    flood = "<p id=p></p><script>for (i = 0; i < 1000; i++) history.pushState(0, '', '?' + i); p.textContent = location.search</script>"
    site = await site_server({"/": flood, "/close": "<p>Text<script>close()</script>", "/next": "<p>Next"})
    assert texts(await pool.render(site.url())) != ["?999"]
    with suppress(PageFailed):
        assert texts(await pool.render(site.url("/close"), RenderOptions(deadline=5))) == ["Text"]
    assert texts(await pool.render(site.url("/next"))) == ["Next"]


async def test_a_flood_of_downloads_writes_nothing(pool, site_server, tmp_path):
    file = (200, {"Content-Type": "application/zip", "Content-Disposition": "attachment; filename=flood.zip"}, b"PK" * 200_000)
    flood = "<p>Text<a id=a href=/file.zip download></a><script>for (i = 0; i < 30; i++) a.click()</script>"
    site = await site_server({"/": flood, "/file.zip": file})
    assert texts(await pool.render(site.url())) == ["Text"]
    await asyncio.sleep(0.3)
    assert "/file.zip" in site.requests
    assert scratch_files_with(b"PKPKPK") == []


BOMBS = {
    "arrays": "const kept = []; for (;;) kept.push(new Uint8Array(2 ** 24).fill(1))",
    "canvases": "for (;;) { const c = document.createElement('canvas'); c.width = c.height = 4096; "
    "c.getContext('2d', { willReadFrequently: true }).fillRect(0, 0, 4096, 4096); (self.kept ??= []).push(c) }",
    "WebAssembly": "const kept = []; for (;;) { const m = new WebAssembly.Memory({ initial: 4096 }); "
    "new Uint8Array(m.buffer).fill(1); kept.push(m) }",
    "elements": "for (;;) for (let i = 0; i < 1e5; i++) document.body.append(document.createElement('p'), 'text')",
}


@needs_proc
@pytest.mark.parametrize("script", BOMBS.values(), ids=BOMBS.keys())
async def test_a_bomb_costs_its_page_alone(tight, site_server, script):
    site = await site_server({"/": f"<p>Text<script>{script}</script>", "/next": "<p>Next"})
    with pytest.raises(PageFailed, match=r"more than 200 MiB of memory|not read within|crashed"):
        await tight.render(site.url(), RenderOptions(deadline=4))
    assert texts(await tight.render(site.url("/next"))) == ["Next"]
    assert tight.health.memory < 800 * MIB


async def test_a_page_that_moves_on_for_ever_is_given_up_once(pool, site_server):
    async def on(request: web.Request) -> web.Response:
        following = int(request.query.get("n", 0)) + 1
        return web.Response(text=f"<p>Text<script>location = '/?n={following}'</script>", content_type="text/html")

    site = await site_server({"/": on})
    retried = pool.health.retried
    with pytest.raises(Unusable, match="it moves on and on"):
        await pool.render(site.url())
    assert site.requests.count("/") == 1
    assert pool.health.retried == retried


# Turns, and the machine


async def test_health_counts_what_was_read_and_what_failed_until_the_browser_takes_no_pages(site_server):
    requested = asyncio.Event()

    async def slow(_: web.Request) -> web.Response:
        requested.set()
        await asyncio.sleep(1)
        return web.Response(text="<p>Slow", content_type="text/html")

    site = await site_server({"/": "<p>Text", "/slow": slow})
    async with Browser(tabs=1, egress=LOCAL) as browser:
        await browser.render(site.url())
        with pytest.raises(Unusable):
            await browser.render(site.url("/gone"))
        health = browser.health
        assert (health.done, health.failed, health.open, health.waiting, health.bound) == (1, 1, 0, 0, 1)
        assert health.alive
        assert not health.draining
        pages = [asyncio.create_task(browser.render(site.url("/slow"))) for _ in range(3)]
        await requested.wait()
        await browser.drain()  # the open page is read, and those that wait are refused
        first, *others = await asyncio.gather(*pages, return_exceptions=True)
        assert (texts(first), {type(other) for other in others}) == (["Slow"], {Retryable})
        with pytest.raises(Retryable, match="takes no new pages"):
            await browser.render(site.url())
        assert browser.health.draining
    assert not browser.health.alive
    with pytest.raises(RuntimeError, match="use it inside `async with`"):
        await browser.render_html("<p>Text")


@pytest.mark.parametrize(
    ("opened", "free", "crowd", "expected"),
    [
        (0, None, 0.0, 8),
        (0, 100 * PAGE_MEMORY, 0.0, 8),
        (0, 0, 0.0, 1),
        (2, 0, 0.0, 2),
        (2, 3 * PAGE_MEMORY, 0.0, 5),
        (0, None, 99.0, min(8, cores())),
    ],
)
def test_fewer_pages_are_opened_while_the_machine_is_short_of_something(opened, free, crowd, expected):
    assert free_tabs(8, opened, free, crowd) == expected


async def test_pages_get_their_turn_in_their_order_and_memory_that_is_given_back_lets_the_next_in():
    gate, order = PageLimiter(2, bound=lambda tabs, _: tabs), []

    async def work(number):
        async with gate.turn():
            order.append(number)
            assert gate.opened <= 2
            await asyncio.sleep(0)

    await asyncio.gather(*(work(number) for number in range(20)))
    assert order == list(range(20))
    await gate.emptied()
    bounds = iter([1, 1, 1, 2])
    gate = PageLimiter(2, bound=lambda *_: next(bounds, 2))
    async with asyncio.timeout(MARGIN), gate.turn(), gate.turn():
        assert gate.opened == 2


def test_the_tightest_limit_of_the_control_groups_counts(tmp_path):
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    assert (free_memory(groups, proc), cores(groups, proc) >= 1) == (None, True)  # of a machine that does not report any
    (proc / "self").mkdir(parents=True)
    (groups / "outer" / "inner").mkdir(parents=True)
    (proc / "meminfo").write_text("MemTotal: 9000 kB\nMemAvailable: 8000 kB\n")
    (proc / "self" / "cgroup").write_text("0::/outer/inner\n")
    assert free_memory(groups, proc) == 8000 * 1024
    for name, text in (("max", "5000\n"), ("current", "4000\n"), ("stat", "anon 1\ninactive_file 500\n")):
        (groups / "outer" / f"memory.{name}").write_text(text)
    (groups / "outer" / "inner" / "memory.max").write_text("max\n")
    assert free_memory(groups, proc) == 1500
    (groups / "outer" / "cpu.max").write_text("100000 100000\n")
    assert cores(groups, proc) == 1


@pytest.mark.parametrize(
    ("renderers", "free", "expected"),
    [
        ({1: 70 * MIB, 2: 4097 * MIB, 3: 5000 * MIB}, None, (2, 3)),
        ({1: 70 * MIB, 2: 3000 * MIB, 3: 2000 * MIB}, 10_000 * MIB, ()),
        ({1: 70 * MIB, 2: 3000 * MIB, 3: 2000 * MIB}, RESERVED_MEMORY, (2,)),  # the largest gives the others room
        ({1: 70 * MIB, 2: 3000 * MIB}, None, ()),
        ({1: 70 * MIB, 2: LARGE_RENDERER}, 0, ()),  # it is not they who took it
        ({}, 0, ()),
    ],
)
def test_who_takes_too_much_is_killed_before_the_machine_has_nothing_left(renderers, free, expected):
    assert excessive_renderers(renderers, 4096 * MIB, free) == expected


async def test_who_has_the_least_under_way_is_next_and_who_has_nothing_may_exceed_the_limit():
    turns, begun, ends = Turns(lambda _: 2, reserve=1), [], {}

    async def work(name):
        WORKS_FOR.set(name[0])
        async with turns.turn():
            begun.append(name)
            await ends.setdefault(name, asyncio.Event()).wait()

    async def end(name):
        ends[name].set()
        for _ in range(5):
            await asyncio.sleep(0)

    tasks = {name: asyncio.create_task(work(name)) for name in ("a1", "a2", "a3", "a4", "b1", "b2", "c1")}
    await asyncio.sleep(0.01)
    assert begun == ["a1", "a2", "b1"]  # b has a place beside the two of a, and c none beside that
    assert (turns.opened, turns.waiting) == (3, 4)
    await end("a1")
    assert begun[3:] == ["c1"]
    tasks["b2"].cancel()
    await end("b1")
    await end("a2")
    assert begun[4:] == ["a3"]
    turns.refuse(ValueError("closed"))
    with pytest.raises(ValueError, match="closed"):
        await tasks["a4"]
    await end("c1")
    await end("a3")
    await asyncio.wait_for(turns.emptied(), MARGIN)


def priorities(pids):
    """Of those of the processes that have not ended."""
    found = set()
    for pid in pids:
        with suppress(ProcessLookupError):
            found.add(os.getpriority(os.PRIO_PROCESS, pid))
    return found


async def test_the_browser_of_a_page_that_burdens_it_is_left_to_its_caller(site_server, monkeypatch):
    """Others get one of their own at once, and what was set apart ends when it is not needed."""
    monkeypatch.setattr("sightread.render.browser.pool.BURDEN_SECONDS", 0.5)
    monkeypatch.setattr("sightread.render.browser.pool.APART_SECONDS", 1.0)
    monkeypatch.setattr("sightread.render.browser.pool.ANSWER_TIMEOUT", MARGIN)
    site = await site_server({"/": "<p>Text", "/loop": "<p>Text<script>for (;;);</script>"})

    async def read(opened, caller, path):
        WORKS_FOR.set(caller)
        return await opened.render(site.url(path), RenderOptions(deadline=180))

    async with Browser(tabs=2, egress=LOCAL) as opened:
        before = processes("--type=renderer")
        looping = [asyncio.create_task(read(opened, "hostile", f"/loop?{number}")) for number in range(2)]
        async with asyncio.timeout(180):
            while not (burdened := {pid for pid in processes("--type=renderer") - before if priorities([pid]) == {19}}):
                assert texts(await asyncio.create_task(read(opened, "good", "/"))) == ["Text"]
        assert texts(await asyncio.create_task(read(opened, "good", "/"))) == ["Text"]
        others = priorities(processes("--type=renderer") - burdened - before)
        assert others and 19 not in others
        assert opened.health.restarts == 0
        for task in looping:
            task.cancel()
        await asyncio.gather(*looping, return_exceptions=True)
        await until(lambda: not burdened & processes("--type=renderer"))
        assert texts(await asyncio.create_task(read(opened, "hostile", "/"))) == ["Text"]
