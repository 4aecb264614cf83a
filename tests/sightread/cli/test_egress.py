"""The egress boundary of commands: private addresses are refused, and no variable of the environment opens them."""

import asyncio
import json
import os
import re
import sys
from functools import cache
from pathlib import Path

import playwright
import pytest

from sightread.cli.parser import main
from sightread.reading.reader import Reader
from sightread.render.errors import Private
from tests.internet import public_url, victim
from tests.pages.stories import ARTICLE
from tests.processes.terminal import ROOT

BUNDLES = Path(playwright.__file__).parent / "driver" / "package" / "lib"
READ = re.compile(r"process\.env(?:\.|\[[\"'])([A-Za-z_]\w*)|FromENV\([\"'](\w+)")
OF_NODE = ("NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "NODE_DEBUG", "NODE_V8_COVERAGE", "UV_THREADPOOL_SIZE", "SSLKEYLOGFILE")
OF_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "no_proxy", "NO_PROXY")
NEEDED = ("PATH", "HOME", "TMPDIR", "TMP", "TEMP")
"""Without these no program of this machine is found; they open nothing."""
PATIENCE = 150.0
"""Seconds for a program; under this environment a start takes several times as long as usual."""
OPENS_LOOPBACK = "PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK"

COMMANDS = """
import json
import sys
from sightread.cli import learn, parser, servers, visiting
from tests.internet import Internet

learn.egress = servers.egress = visiting.egress = lambda options: Internet().egress()
for command in json.loads(sys.argv[1]):
    print(command[0], "ended with", parser.main(command), flush=True)
"""
"""Commands, one after another, with an internet on this machine."""
UNPROTECTED = """
import asyncio, sys
from playwright.async_api import async_playwright
from sightread.render.network.egress import Boundary
from sightread.render.browser.find_browser import find_browser
from sightread.render.network.proxy import Proxy
from tests.internet import Internet

async def main(url):
    async with async_playwright() as driver, Proxy(Boundary(Internet().egress())) as proxy:
        browser = await driver.chromium.launch(executable_path=find_browser(None), chromium_sandbox=False, proxy={"server": proxy.url})
        tab = await browser.new_page()
        await tab.goto(url)
        await asyncio.sleep(0.5)
        await browser.close()

asyncio.run(main(sys.argv[1]))
"""
"""A browser behind the same proxy, with the environment that its driver inherits."""


@cache
def variables() -> frozenset[str]:
    """The names of all variables that the driver reads."""
    texts = (bundle.read_text("utf-8", "replace") for bundle in BUNDLES.rglob("*.js"))
    return frozenset(name or other for text in texts for name, other in READ.findall(text))


def hostile(folder: Path, here: str) -> dict[str, str]:
    """An environment that opens whatever any of them can open."""
    (folder / "evil.js").write_text(f"require('fs').writeFileSync({json.dumps(str(folder / 'ran'))}, '')")
    names = variables().union(OF_NODE, OF_PROXIES) - set(NEEDED)
    special = {
        **dict.fromkeys((*OF_PROXIES[:6], "SELENIUM_REMOTE_URL"), here),
        **dict.fromkeys(("no_proxy", "NO_PROXY", "PLAYWRIGHT_PROXY_BYPASS_FOR_TESTING"), "*,127.0.0.1,localhost,<local>"),
        "NODE_OPTIONS": f"--require={folder / 'evil.js'}",
        "NODE_V8_COVERAGE": str(folder / "coverage"),
    }
    special |= {name: str(folder / name) for name in names if "FILE" in name or name.endswith("_DIR")}
    return {**os.environ, **dict.fromkeys(names, "1"), **special, "PYTHONPATH": str(ROOT), "SIGHTREAD_HOME": str(folder / "home")}


def attack(root: str) -> str:
    """An article that asks a server of this machine for things."""
    socket = root.replace("http", "ws")
    asks = f"<img src='{root}/image'><script>fetch('{root}/fetch', {{mode: 'no-cors'}}); new WebSocket('{socket}')</script>"
    return ARTICLE + asks


async def run(program: str, *arguments: str, env: dict[str, str]) -> tuple[int, str, str]:
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, *arguments, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await asyncio.wait_for(started.communicate(), PATIENCE)
    assert started.returncode is not None
    return started.returncode, out.decode(), err.decode()


def test_the_driver_reads_the_variable_that_opens_loopback():
    assert OPENS_LOOPBACK in variables() and len(variables()) > 50


async def test_an_inherited_variable_opens_loopback_where_nothing_is_done_against_it(site_server):
    async with victim() as here:
        site = await site_server({"/": attack(here.root)})
        env = {**os.environ, "PYTHONPATH": str(ROOT), OPENS_LOOPBACK: "1"}
        code, _, err = await run(UNPROTECTED, public_url(site.root), env=env)
        assert (code, err) == (0, "")
        assert here.received


async def ask_service(env: dict[str, str], url: str) -> bytes:
    """Start the service, request a page, and return the first line of its answer."""
    service = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", COMMANDS, json.dumps([("serve", "--port", "0", "--tabs", "1", "--model", "boilerpipe")])),
        env=env,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert service.stdout is not None
        line = (await asyncio.wait_for(service.stdout.readline(), PATIENCE)).decode()
        port = int(re.search(r":(\d+)", line)[1])
        body = json.dumps({"url": url}).encode()
        head = f"POST /api/v1/extract HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await asyncio.wait_for(reader.readline(), PATIENCE)
        writer.close()
    finally:
        service.terminate()
        await service.wait()
    return answer


async def test_no_variable_that_the_driver_reads_opens_the_boundary_of_commands_or_service(site_server, tmp_path):
    async with victim() as here:
        site = await site_server({"/": attack(here.root), "/robots.txt": (404, {}, "")})
        url, env = public_url(site.root), hostile(tmp_path, here.root)
        commands = [("extract", url), ("learn", url, "--pages", "1", "--delay", "0", "--out", str(tmp_path / "site"))]
        (_, out, err), answer = await asyncio.gather(run(COMMANDS, json.dumps(commands), env=env), ask_service(env, url))
        assert "Traceback" not in err
        codes = dict(re.findall("(.*) ended with (.*)", out))
        assert codes == {"extract": "0", "learn": "2"}, err  # a page alone is not enough to learn from
        assert b"200" in answer
        assert site.requests.count("/") == len(commands) + 1
        assert here.received == []
        assert not (tmp_path / "ran").exists() and not (tmp_path / "coverage").exists()


HOSTS = ("localhost:{port}", "[::1]:{port}", "2130706433", "10.0.0.1", "example.com:8080")
OTHER_COMMANDS = ("learn", "crawl", "inspect")


@pytest.mark.parametrize(
    ("command", "host"), [*(("extract", host) for host in HOSTS), *((command, HOSTS[0]) for command in OTHER_COMMANDS)]
)
def test_a_private_address_is_refused_in_one_line_that_names_the_switch(capsys, tmp_path, serve, command, host):
    site = serve({"/": ARTICLE})
    url = f"http://{host.format(port=site.root.rpartition(':')[2])}/"
    assert main([command, url, "--home", str(tmp_path)]) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("sightread: ")]
    assert ("which is no public address" in line) or ("is not one of the web's" in line)
    assert line.endswith("; --local opens it")
    assert site.requests == []


@pytest.mark.parametrize("command", ["extract", "learn", "crawl", "inspect"])
def test_a_refusal_that_no_switch_would_lift_names_none(capsys, tmp_path, command):
    assert main([command, "http://user:secret@localhost/", "--home", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert "--local" not in message and "secret" not in message


def test_the_switch_opens_this_machine_by_its_name(sightread, serve):
    site = serve({"/": ARTICLE})
    url = site.url().replace("127.0.0.1", "localhost")
    ran = sightread("extract", url, "--local", "--format", "text", "--model", "boilerpipe")
    assert (ran.code, "ninety years" in ran.out) == (0, True)


async def test_a_reader_opens_the_public_web_alone_unless_told(tmp_path):
    async with victim() as here, Reader(home=tmp_path) as reader:
        for url in (here.root, "http://localhost/", "http://169.254.169.254/latest/meta-data/"):
            with pytest.raises(Private):
                await reader.read(url)
    assert here.received == []
