"""The start page in a browser: it reads a page, shows the inspector and the jobs, and requests nothing but its own service."""

from tests.internet import public_url
from tests.pages.hostile import COUNT, TEXTS, hostile_page
from tests.sightread.server.jobs.test_jobs import story


async def test_a_page_is_read_and_inspected_and_a_crawl_is_started(watched, address, site_server):
    site = await site_server({"/": hostile_page(story=story(1))})
    tab, witness = watched.tab, watched.witness
    await tab.goto(address)
    await tab.evaluate(COUNT)
    await tab.locator("#model option").nth(5).wait_for(state="attached")
    await tab.get_by_text("running · ").wait_for()
    await tab.fill("#url", public_url(site.root))
    await tab.click("#read")
    await tab.wait_for_selector("#result:not([hidden])")
    assert "ninety years" in await tab.inner_text("#output")
    assert await tab.inner_text("#facts b") == TEXTS[0]
    await tab.click("[data-view=json]")
    assert '"schema": 1' in await tab.inner_text("#output")
    await tab.frame_locator("#inspector").locator("#sheet .block").first.wait_for(state="attached")
    assert await tab.frames[1].evaluate(f"{COUNT}; change({{ block: 3 }}); document.body.innerText.includes('hit(')")
    await tab.fill("#crawl-url", public_url(site.root, path=f"/?{TEXTS[0]}"))
    await tab.fill("#crawl-pages", "1")
    await tab.click("#crawl button")
    await tab.get_by_text("1 read").wait_for()
    await tab.fill("#url", "http://127.0.0.1/")
    await tab.click("#read")
    await tab.wait_for_selector("#try-message:not([hidden])")
    assert "no public address" in await tab.inner_text("#try-message")
    assert await tab.is_hidden("#result")
    assert [await frame.evaluate("hits") for frame in tab.frames] == [[], []]
    await tab.goto(f"{address}/api")
    await tab.get_by_text("/api/v1/extract", exact=True).click()
    assert await tab.get_by_text("Body: ExtractRequest").first.is_visible()
    assert all(url.startswith(address) for url in witness.requests)
    assert [error for error in witness.errors if "400" not in error] == []  # the refusal above
