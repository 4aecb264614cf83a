"""Text of pages that would be markup or script, in every view of the inspector and the report: a browser executes none of it."""

import re
from dataclasses import replace

import aiohttp
import pytest_asyncio

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
