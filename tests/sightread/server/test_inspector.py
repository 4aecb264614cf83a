"""The inspector over HTTP: what it serves, and that no text of a page is executed in any of its views or in the report."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace

import aiohttp
import pytest
import pytest_asyncio
from playwright.async_api import expect
from yarl import URL

from sightread.crawler.corpus import Corpus
from sightread.render.browser.browser import RenderOptions
from sightread.review.session import ReviewSession
from sightread.server.http import serve_on_loopback
from sightread.server.inspector import ACTIONS, VIEWS, Content, Inspected, app_of
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_current
from sightread.sites.learn import Site, learn_corpus
from sightread.viewer.report import site_findings, write_report
from tests.pages.hostile import COUNT, TEXTS, hostile_page
from tests.sightread.server.jobs.test_jobs import story
from tests.sightread.viewer.test_site_views import open_everything


@pytest_asyncio.fixture(loop_scope="session")
async def address(findings) -> AsyncIterator[str]:
    async with serve_on_loopback(app_of(Inspected(Content(findings)))) as url:
        yield url


async def test_pages_and_pictures_are_sent_when_they_are_looked_at(address, watched):
    tab = watched.tab
    await tab.goto(f"{address}/#view=blocks")
    await tab.wait_for_selector("#block-0")
    await expect(tab.locator(".picture")).to_have_js_property("complete", True)
    paths = [URL(url).path for url in watched.witness.requests]
    assert paths == ["/", "/viewer.css", "/viewer.js", "/data.json", "/pages/0.json", "/pictures/0-1.webp"]
    await tab.keyboard.press("j")
    await expect(tab.locator("#detail h2")).to_have_text("العبّارة الليلية")
    assert [URL(url).path for url in watched.witness.requests][6:] == ["/pages/1.json", "/pictures/1-1.webp"]
    assert await tab.locator(".picture").evaluate("(picture) => picture.decode().then(() => picture.naturalWidth)") > 0


async def test_a_click_fetches_the_reasons_of_that_block_alone(address, watched):
    tab = watched.tab
    await tab.goto(f"{address}/#view=blocks")
    await tab.locator("#block-2").click()
    await expect(tab.locator("#detail .reasons li")).to_have_count(8)
    await expect(tab.locator("#detail .feature").first).to_have_text("<script>window.pwned=7</script>")
    explained = {URL(url).query_string for url in watched.witness.requests if "/explain" in url}
    assert explained == {"page=0&block=2"}


@pytest.mark.parametrize("host", ["localhost:{port}", "LOCALHOST:{port}", "127.0.0.1:{port}", "[::1]:{port}"])
async def test_the_loopback_names_are_answered(address, client, host):
    async with client.get(f"{address}/data.json", headers={"Host": host.format(port=URL(address).port)}) as response:
        assert response.status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
async def test_nothing_but_get_is_answered(address, client, method):
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "GET"}
    async with client.request(method, f"{address}/data.json", headers=headers) as response:
        assert response.status == 405
        assert not any(name.lower().startswith("access-control") for name in response.headers)


@pytest.mark.parametrize("path", ["/", "/viewer.js", "/data.json", "/pages/0.json", "/pictures/0-1.webp", "/nowhere", "/pages/99.json"])
async def test_every_answer_carries_the_policy(address, client, path):
    async with client.get(address + path) as response:
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    "path",
    [
        "/viewer.py",
        "/index.html",
        "/..%2fview.py",
        "/pages/-1.json",
        "/pages/٣.json",
        "/pages/3.json",
        "/pictures/3-1.webp",
        "/pages/9999999999.json",
    ]
    + ["/history.json", "/versions/1.json", "/document?page=0&model=none", "/document?page=9&model=bte", "/document?page=0"]
    + [f"/explain{query}" for query in ("", "?page=0", "?page=0&block=99", "?page=x&block=0", "?page=0&block=-1", "?page=%C2%B2&block=0")],
)
async def test_what_is_not_there_is_not_found(address, client, path):
    async with client.get(URL(address + path, encoded=True) if "%" in path else address + path) as response:
        assert response.status == 404


OPTIONS = RenderOptions(javascript=False, picture=True)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shown(browser, tmp_path_factory):
    """A learned site of hostile pages, with a hostile name, and a person who corrects it."""
    folder = open_current(SiteHome.of("https://x.test/", tmp_path_factory.mktemp("home"))).path
    with Corpus.create(folder, f"https://x.test/{TEXTS[1]}") as corpus:
        for number in range(6):
            page, picture, *_ = await browser.render_html(hostile_page(number, story(number)), f"https://x.test/{number}?{number}", OPTIONS)
            corpus.append(replace(page, final_url=f"https://x.test/{TEXTS[number]}"), picture)
    findings = site_findings(learn_corpus(folder).results)
    findings = replace(findings, job=replace(findings.job, name=TEXTS[1], url=TEXTS[6]))
    site = Site.open(folder)
    return Inspected(Content(findings, session=ReviewSession(site, by=TEXTS[0])), site=site)


async def test_no_view_of_the_inspector_and_of_the_report_executes_a_text(shown, chromium, tmp_path):
    context = await chromium.new_context()
    await context.add_init_script(COUNT)
    tab = await context.new_page()
    requested = []
    tab.on("request", lambda request: requested.append(request.url))
    write_report(shown.findings, tmp_path / "report.html")
    async with serve_on_loopback(app_of(shown)) as address:
        for own, views in ((address, {"correct", "models"}), ((tmp_path / "report.html").as_uri(), {"overview"})):
            await tab.goto(own)
            await tab.wait_for_selector("#sheet .block", state="attached")
            assert {"blocks", "text", "looks", "map", *views} <= set(await open_everything(tab))
            assert TEXTS[1] in await tab.inner_text("body")
            assert await tab.evaluate("window.hits") == []
            assert await tab.locator("#sheet svg, #sheet script, #detail img, #text img, #site-made a, iframe").count() == 0
            assert [url for url in requested if not url.startswith((address, own, "data:"))] == []
    await context.close()


async def test_no_view_is_sent_to_another_site_and_no_action_is_taken_for_it(shown):
    concrete = [
        f"{re.sub(r'{row[^}]*}}', '0', re.sub(r'{(tile|number)[^}]*}}', '1', path))}?page=0&block=0"
        for path, _ in VIEWS
        if "name" not in path
    ]
    async with serve_on_loopback(app_of(shown)) as address, aiohttp.ClientSession() as session:
        own = {"Content-Type": "application/json", "Origin": address}

        async def status(method, path, **headers):
            async with session.request(method, f"{address}/{path}", data=b"{}" if method == "POST" else None, headers=headers) as answer:
                text = await answer.read()
                assert not any(name.lower().startswith("access-control") for name in answer.headers)
                assert answer.status != 403 or b"hit(" not in text
                return answer.status

        for path in (*concrete, "viewer.js"):
            assert await status("GET", path) in (200, 404), path
            for host in ("evil.example", f"evil.example:{address.rpartition(':')[2]}", "127.0.0.1", "localhost.evil.example", ""):
                assert await status("GET", path, Host=host) == 403, (path, host)
        for path in (path for method, path, _ in ACTIONS if method == "POST"):
            for origin in ("https://evil.example", "null", address.replace("127.0.0.1", "localhost"), f"{address}.evil.example", ""):
                assert await status("POST", path, **(own | {"Origin": origin})) == 403, (path, origin)
            assert await status("POST", path, **(own | {"Content-Type": "text/plain"})) == 403
            assert await status("POST", path, Host="evil.example", **(own | {"Origin": "http://evil.example"})) == 403
    assert shown.session.state().corrections == ()
