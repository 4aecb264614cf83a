"""Pages that try to get out: whatever they do, nothing may reach a port of this machine. What counts is what the victim hears."""

import asyncio
import shutil
import ssl
import subprocess
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from itertools import chain, repeat

import pytest
import pytest_asyncio
from aiohttp import web

from sightread.render.archives.open import open_archive
from sightread.render.browser import launch
from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.errors import Private, Rejected, Retryable, Unusable
from tests.internet import Internet, Victim, endless, public_url, victim
from tests.pages.archive_files import Part, Sent, har, mhtml, warc
from tests.pages.websites import serving

MOST_BYTES = 3_000_000
"""Bytes that the public web may send for one page."""
PATIENT = RenderOptions(deadline=15.0)
TEXT = "The text of the page."

PARTS = {
    "image": "<img src='{root}/'>",
    "picture set": "<img srcset='{root}/ 1x'>",
    "frame": "<iframe src='{root}/'></iframe>",
    "frame of a frame": "<iframe srcdoc=\"<iframe src='{root}/'></iframe>\"></iframe>",
    "object": "<object data='{root}/'></object><embed src='{root}/'>",
    "style sheet": "<link rel=stylesheet href='{root}/'>",
    "import of a style sheet": "<style>@import url('{root}/')</style>",
    "background": "<p style='background: url({root}/)'>x",
    "font": "<style>@font-face {{ font-family: f; src: url({root}/) }}</style><p style='font-family: f'>x",
    "script": "<script src='{root}/'></script>",
    "module": "<script type=module>import '{root}/'</script>",
    "preload": "<link rel=preload as=image href='{root}/'>",
    "prefetch": "<link rel=prefetch href='{root}/'>",
    "favicon": "<link rel=icon href='{root}/'>",
    "manifest": "<link rel=manifest href='{root}/'>",
    "media": "<video src='{root}/' autoplay muted></video><audio src='{root}/' autoplay></audio>",
    "fetch": "<script>fetch('{root}/', {{mode: 'no-cors'}})</script>",
    "kept-alive fetch": "<script>fetch('{root}/', {{mode: 'no-cors', keepalive: true}})</script>",
    "old request": "<script>x = new XMLHttpRequest(); x.open('POST', '{root}/'); x.send('a')</script>",
    "beacon": "<script>navigator.sendBeacon('{root}/', 'x')</script>",
    "events": "<script>new EventSource('{root}/')</script>",
    "form": "<iframe name=f></iframe><form target=f action='{root}/' method=post></form><script>document.forms[0].submit()</script>",
    "web socket": "<script>new WebSocket('ws://127.0.0.1:{port}/')</script>",
    "worker": """<script>new Worker(URL.createObjectURL(new Blob(["fetch('{root}/', {{mode: 'no-cors'}})"])))</script>""",
    "web socket of a worker": """<script>new Worker(URL.createObjectURL(new Blob(["new WebSocket('ws://127.0.0.1:{port}/')"])))</script>""",
    "shared worker": """<script>new SharedWorker(URL.createObjectURL(new Blob(["fetch('{root}/', {{mode: 'no-cors'}})"])))</script>""",
    "import of a worker": """<script>new Worker(URL.createObjectURL(new Blob(["importScripts('{root}/')"])))</script>""",
}
"""Ways to make a browser ask a server for something, each of which does reach the victim where nothing is in between."""
UNUSED = {"favicon", "manifest"}
"""What headless browsers do not ask for, whether it is allowed or not."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def internet() -> Internet:
    return Internet()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def public(internet) -> AsyncIterator[Browser]:
    """A browser for the public web, which for tests is on this machine."""
    async with Browser(egress=internet.egress(most_bytes=MOST_BYTES)) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def here() -> AsyncIterator[Victim]:
    async with victim() as listening:
        yield listening


def filled(part: str, here: Victim) -> str:
    return part.replace("{{", "{").replace("}}", "}").replace("{root}", here.root).replace("{port}", str(here.port))


def page(part: str, here: Victim) -> str:
    return f"<!doctype html><title>Page</title><p>{TEXT}</p>{filled(part, here)}"


async def read(browser, url, options=PATIENT):
    return [block.text for block in (await browser.render(url, options)).page.blocks]


async def requested_by_parts(read_page) -> dict[str, list[str]]:
    """Read one page with all the parts, each of which asks a victim of its own, and return what the victims received."""
    async with AsyncExitStack() as stack:
        victims = {name: await stack.enter_async_context(victim()) for name in PARTS}
        html = "".join(filled(PARTS[name], listening) for name, listening in victims.items())
        with serving({"/": (200, "text/html", f"<!doctype html><title>Page</title><p>{TEXT}</p>{html}".encode())}) as site:
            assert TEXT in await read_page(site.root)
        for _ in range(100):
            if all(listening.received for name, listening in victims.items() if name not in UNUSED):
                break
            await asyncio.sleep(0.02)
        return {name: listening.received for name, listening in victims.items()}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def requested_by_public_page(public) -> dict[str, list[str]]:
    return await requested_by_parts(lambda root: read(public, public_url(root)))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def requested_by_local_page(browser) -> dict[str, list[str]]:
    return await requested_by_parts(lambda root: read(browser, f"{root}/"))


@pytest.mark.parametrize("how", PARTS)
async def test_no_part_of_a_page_reaches_this_machine_and_the_page_is_read_all_the_same(requested_by_public_page, how):
    assert requested_by_public_page[how] == []


@pytest.mark.parametrize("how", sorted(set(PARTS) - UNUSED))
async def test_the_same_page_does_reach_it_through_the_local_door(requested_by_local_page, how):
    assert requested_by_local_page[how]


async def test_a_public_page_does_not_reach_a_private_one_by_its_name_either(public, site_server, here):
    html = page("<img src='http://localhost:{port}/'><img src='http://localhost/'><img src='http://[::1]:{port}/'>", here)
    site = await site_server({"/": html})
    assert TEXT in await read(public, public_url(site.root))
    assert here.received == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_to_this_machine_is_stopped_at_the_hop(public, site_server, here, status):
    site = await site_server({"/": (status, {"Location": "/b"}, ""), "/b": (status, {"Location": f"{here.root}/"}, "")})
    with pytest.raises(Unusable, match=r"site-\d+.example/: it leads on: port \d+ is not one of the web's"):
        await public.render(public_url(site.root), PATIENT)
    assert here.received == []


@pytest.mark.parametrize(
    "move",
    [
        "<meta http-equiv=refresh content='0; url={root}/'>",
        "<script>location = '{root}/'</script>",
        "<script>onload = () => location.replace('http://127.0.0.1/')</script>",
        "<script>location = 'https://localhost/'</script>",
        "<form action='{root}/' method=post></form><script>document.forms[0].submit()</script>",
    ],
)
async def test_a_page_that_moves_on_to_this_machine_is_stopped_there(public, site_server, here, move):
    site = await site_server({"/": page(move, here)})
    with pytest.raises(Unusable, match="it leads on: "):
        await public.render(public_url(site.root), PATIENT)
    assert here.received == []


async def test_a_loop_of_redirects_ends(public, site_server):
    site = await site_server({f"/{n}": (302, {"Location": f"/{n + 1}"}, "") for n in range(40)})
    with pytest.raises(Unusable, match="it redirects more than 10 times"):
        await public.render(public_url(site.root, "/0"), PATIENT)
    assert len(site.requests) <= 21


@pytest.mark.parametrize("location", ["file:///etc/passwd", "chrome://version", "view-source:file:///etc/passwd", "data:text/html,<p>x"])
async def test_a_page_that_moves_on_to_what_is_no_web_address_shows_nothing_of_it(public, site_server, location):
    site = await site_server({"/": f"<p>{TEXT}<script>location = '{location}'</script>", "/a": (302, {"Location": location}, "")})
    assert await read(public, public_url(site.root)) == [TEXT]
    with pytest.raises((Unusable, Retryable)):
        await public.render(public_url(site.root, "/a"), PATIENT)


WEBRTC = """<script>
  for (const urls of ["stun:127.0.0.1:{port}", "turn:127.0.0.1:{port}?transport=udp", "turn:127.0.0.1:{port}?transport=tcp",
                      "turns:127.0.0.1:{port}?transport=tcp"]) {
    const peer = new RTCPeerConnection({iceServers: [{urls, username: "u", credential: "c"}]});
    peer.createDataChannel("x");
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    peer.onicecandidate = (event) => { document.title += event.candidate ? " " + event.candidate.candidate : "" };
  }
</script>"""
TRANSPORT = """<script>
  document.title = isSecureContext;
  new WebTransport("https://127.0.0.1:{port}/").ready.catch(() => {});
</script>"""


@pytest.mark.parametrize("way", [WEBRTC, TRANSPORT], ids=["STUN and TURN", "WebTransport"])
async def test_no_datagram_leaves_and_no_relay_is_reached(public, site_server, here, way):
    site = await site_server({"/": page(way + "<script>setTimeout(() => late.textContent = 'Late', 1500)</script><p id=late>", here)})
    assert TEXT in await read(public, public_url(site.root, domain="localhost"))
    await asyncio.sleep(1.5)
    assert here.received == []


async def test_no_datagram_leaves_through_the_local_door_either(browser, site_server, here):
    site = await site_server({"/": page(WEBRTC + TRANSPORT, here)})
    assert TEXT in await read(browser, site.url())
    await asyncio.sleep(1.5)
    assert [line for line in here.received if line.startswith("UDP")] == []


RELAY = """<script>
  for (const port of [80, 443]) {
    const urls = `turn:{host}:${port}?transport=tcp`;
    const peer = new RTCPeerConnection({iceServers: [{urls, username: "u", credential: "c"}]});
    peer.createDataChannel("x");
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  }
  fetch("/later").then(() => document.body.append("Late"));
</script>"""
MAGIC_COOKIE = b"\x21\x12\xa4\x42"
"""In the head of every STUN message (RFC 8489, 5)."""


@pytest.mark.parametrize("checked", [True, False])
async def test_no_stun_over_tcp_leaves_though_a_relay_at_a_port_of_the_web_can_be_dialled(
    public, internet, site_server, monkeypatch, checked
):
    if not checked:  # the positive control: without the check of what a tunnel begins with, it leaves
        monkeypatch.setattr("sightread.render.network.proxy.may_open", lambda _: True)
    came = bytearray()

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.extend(await reader.read(100))
        writer.close()

    async def later(_: web.Request) -> web.Response:
        await asyncio.sleep(1)
        return web.Response()

    async with await asyncio.start_server(note, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        relay = f"9.9.{port >> 8}.{port & 255}"
        site = await site_server({"/": f"<p>{TEXT}{RELAY.replace('{host}', relay)}", "/later": later})
        assert await read(public, public_url(site.root)) == [TEXT, "Late"]
        assert {to for address, to in internet.dialled if address == relay} == {80, 443}
        assert (MAGIC_COOKIE in came) is not checked
        assert not (checked and came)


async def test_a_service_worker_is_not_installed_and_nothing_is_kept_from_page_to_page(public, site_server, here):
    html = f"""<p>{TEXT}<p id=seen><script>
        seen.textContent = [isSecureContext, document.cookie, localStorage.a, navigator.serviceWorker?.controller].join();
        document.cookie = "a=1; max-age=9999"; localStorage.a = 1;
        navigator.serviceWorker?.register("/worker.js");
        indexedDB.open("a"); caches.open("a");
      </script>"""
    worker = f"onfetch = (e) => e.respondWith(new Response('Taken over')); new WebSocket('ws://127.0.0.1:{here.port}')"
    site = await site_server({"/": html, "/worker.js": (200, {"Content-Type": "text/javascript"}, worker)})
    for _ in range(2):
        assert await read(public, public_url(site.root, domain="localhost")) == [TEXT, "true,,,"]
    assert here.received == []


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "view-source:file:///etc/passwd", "view-source:http://example.com/", "chrome://version", "data:text/html,<p>x",
     "blob:http://example.com/1", "ftp://example.com/", "javascript:alert(1)", "about:blank", "http://user@127.0.0.1/"],
)  # fmt: skip
async def test_what_is_no_web_address_never_gets_to_the_browser(public, internet, url):
    before = len(internet.resolved)
    for attempt in (public.render(url), public.render_html(f"<p>{TEXT}", url)):
        with pytest.raises(Rejected):
            await attempt
    assert len(internet.resolved) == before


@pytest.mark.parametrize("port", [22, 25, 6379, 9222, 8412])
async def test_no_service_of_this_machine_is_opened(public, port):
    for host in ("127.0.0.1", "localhost", "[::1]"):
        with pytest.raises(Private):
            await public.render(f"http://{host}:{port}/")


async def test_the_page_of_a_name_that_is_rebound_comes_from_the_address_that_was_checked(public, internet, site_server):
    site = await site_server({"/": f"<p>{TEXT}<img src=/a.png><script>fetch('/b'); new WebSocket('ws://rebound.example/c')</script>"})
    internet.rebound["rebound.example"] = chain(await internet.resolve(f"site-{site.root.rpartition(':')[2]}.example"), repeat("127.0.0.1"))
    internet.dialled.clear()
    assert await read(public, "http://rebound.example/") == [TEXT]
    assert internet.resolved.count("rebound.example") == 1
    assert {address[:4] for address, _ in internet.dialled} == {"9.9."}
    assert set(site.requests) >= {"/", "/a.png", "/b"}


ARCHIVES = {
    "WARC": lambda url, html, moved: warc([Sent(url, html), Sent(moved, status=302, headers={"Location": "http://127.0.0.1/"})]),
    "HAR": lambda url, html, moved: har([Sent(url, html), Sent(moved, status=307, headers={"Location": "http://127.0.0.1/"})]),
    "MHTML": lambda url, html, _: mhtml([Part(html, location=url)]),
}


@pytest.mark.parametrize("javascript", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("kind", ARCHIVES)
async def test_no_part_of_an_archived_page_reaches_this_machine(browser, here, tmp_path, kind, javascript):
    """Pages with a public address and with a private one, in a browser that may reach the latter too."""
    options = RenderOptions(javascript=javascript, deadline=20.0)
    html = "".join(filled(part, here) for part in PARTS.values()) + filled(WEBRTC + TRANSPORT, here)
    for url in ("https://courier.example/a", f"{here.root}/a"):
        body = f"<!doctype html><title>Page</title><p>{TEXT}</p>{html}<img src=/moved><iframe src={here.root}/moved></iframe>".encode()
        (tmp_path / "file").write_bytes(ARCHIVES[kind](url, body, f"{here.root}/moved"))
        rendered = await browser.render_archived(await asyncio.to_thread(open_archive, tmp_path / "file"), url, options)
        assert TEXT in [block.text for block in rendered.page.blocks]
    await asyncio.sleep(0.5)
    assert here.received == []


def certified(folder) -> tuple[ssl.SSLContext, str]:
    """Return what a server by TLS needs, and the flag with which a browser trusts it."""

    def openssl(*arguments, given=b""):
        return subprocess.run(["openssl", *arguments], input=given, check=True, capture_output=True, cwd=folder).stdout

    made = ("-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "site.pem", "-days", "2", "-subj", "/CN=site")
    openssl("req", "-x509", *made, "-addext", "subjectAltName=DNS:*.example")
    key = openssl("pkey", "-pubin", "-outform", "DER", given=openssl("x509", "-in", "site.pem", "-noout", "-pubkey"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "site.pem", folder / "key.pem")
    return context, f"--ignore-certificate-errors-spki-list={b64encode(sha256(key).digest()).decode()}"


@asynccontextmanager
async def secure_site(context, answer) -> AsyncIterator[str]:
    """Serve a site by TLS, and yield its address on this machine."""
    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
@pytest.mark.parametrize("local", [False, True], ids=["public", "local"])
async def test_no_header_of_a_secure_site_makes_the_browser_reach_this_machine(internet, here, tmp_path, monkeypatch, local):
    there = f"https://127.0.0.1:{here.port}"
    group = f'{{"group": "default", "max_age": 9999, "include_subdomains": true, "endpoints": [{{"url": "{there}/report"}}]}}'
    headers = {
        "Alt-Svc": f'h2="127.0.0.1:{here.port}"; ma=9999, h3="127.0.0.1:{here.port}"; ma=9999, h3=":{here.port}"; ma=9999',
        "Report-To": group,
        "Reporting-Endpoints": f'default="{there}/report", csp="{there}/csp"',
        "NEL": '{"report_to": "default", "max_age": 9999, "success_fraction": 1.0, "failure_fraction": 1.0}',
        "Content-Security-Policy": f"img-src 'none'; report-uri {there}/csp; report-to csp",
        "Expect-CT": f'report-uri="{there}/ct", max-age=9999',
        "Link": f"<{there}>; rel=preconnect, <{there}/a.css>; rel=preload; as=style, <{there}/m>; rel=modulepreload",
        "Speculation-Rules": f'"{there}/rules.json"',
        "SourceMap": f"{there}/map",
        "Permissions-Policy": f'camera=();report-to=default, geolocation=(self "{there}")',
        "Cross-Origin-Embedder-Policy": 'require-corp; report-to="default"',
        "Content-Type": "text/html",
    }
    seen = []

    async def answer(request: web.Request) -> web.Response:
        seen.append(request.path)
        script = f"""navigator.serviceWorker?.register('/worker.js'); navigator.sendBeacon('{there}/beacon');
            for (const url of ['{there}/', 'https://site-{here.port}.example/']) new WebTransport(url).ready.catch(() => 0);
            fetch('/again').then(() => {{ document.body.append('Secure: ' + isSecureContext + '.') }})"""
        return web.Response(text=f"<p>{TEXT}<img src=/blocked.png><script>{script}</script>", headers=headers)

    context, flag = certified(tmp_path)
    async with secure_site(context, answer) as root:
        monkeypatch.setattr(launch, "FLAGS", (*launch.FLAGS, flag, "--short-reporting-delay"))
        async with Browser(egress=internet.egress(local=local)) as opened:
            for path in ("/", "/2"):
                url = public_url(root, path=path).replace("http:", "https:")
                assert {TEXT, "Secure: true."} <= set(await read(opened, url, RenderOptions(deadline=20.0, min_wait=1.0)))
        await asyncio.sleep(0.5)
    assert {"/", "/2", "/again"} <= set(seen) and "/blocked.png" not in seen
    assert bool(here.received) is local  # through the local door it is reached by TCP
    assert [line for line in here.received if line.startswith("UDP")] == []


async def test_a_page_that_never_ends_ends_at_its_deadline(public, site_server):
    site = await site_server({"/": endless(b"<p>", 0.5)})
    with pytest.raises(Retryable, match="not read within 2 s"):
        await public.render(public_url(site.root), RenderOptions(deadline=2))


async def test_a_page_that_sends_without_end_ends_at_its_bytes(public, site_server):
    site = await site_server({"/": endless(b"<!-- " + b"x" * 60_000 + b" -->")})
    with pytest.raises(Unusable, match=f"more than {MOST_BYTES} bytes for one page"):
        await public.render(public_url(site.root), PATIENT)
