from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import expect
from yarl import URL

from sightread.server.http import serve_on_loopback
from sightread.server.inspector import Content, Inspected, app_of


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
