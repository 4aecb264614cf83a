"""Jina's documented calls, Open WebUI's request, and what pages of other origins get."""

import json

import aiohttp
import pytest
import pytest_asyncio
from selectolax.lexbor import LexborHTMLParser

from tests.sightread.document.formats.test_text_stays_text import PARSERS
from tests.sightread.server.compat.conftest import LONG, TOKEN, page
from tests.sightread.server.mcp.test_protocol import META

JSON = {"Accept": "application/json"}


@pytest_asyncio.fixture(loop_scope="session")
async def client():
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {TOKEN}"}) as session:
        yield session


async def text(client, url, status=200, **headers):
    async with client.get(url, headers=headers) as answer:
        assert answer.status == status, await answer.text()
        return await answer.text()


async def test_the_text_form(client, served):
    found = await text(
        client,
        f"{served.url}/{served.site}/story/1?from=mail",
        **{"X-With-Links-Summary": "true", "X-With-Images-Summary": "true", "X-Preset": "x"},
    )
    head, _, content = found.partition("Markdown Content:\n")
    assert head.startswith(f"Title: Story 1\n\nURL Source: {served.site}/story/1?from=mail\n\n")
    assert "Warning: option 'x-preset' is ignored" in head
    assert "The lead of story 1." in content and "Imprint" not in content.partition("Links/Buttons:")[0]
    assert f"\n\nLinks/Buttons:\n- [Home]({served.site}/)\n- [Imprint of the paper]({served.site}/imprint)" in content
    assert f"\n\nImages:\n- ![Image 1: The ferry]({served.site}/picture.png)" in content


async def test_texts_and_addresses_of_the_head_and_the_lists_stay_text(client, served):
    live = "<img src=x onerror=a()> [x](javascript:a()) `"
    shown = live.replace("<", "&lt;")
    body = f'<p>{LONG}<a href="https://e.org/?[x](javascript:a())">{shown}<br>\n\n{shown}</a><a href="javascript:a()">no</a>'
    body += f'<img src="https://e.org/?![x](y)" alt="]\n\n{shown}" width=300 height=200><img src="data:,{live}">'
    sent = {"html": page(shown, body), "url": "https://e.org/?[x](javascript:a())", "withLinksSummary": True, "withImagesSummary": True}
    async with client.post(f"{served.url}/", json=sent) as answer:
        found = await answer.text()
    for render in PARSERS.values():
        tree = LexborHTMLParser(render(found))
        assert live.replace(" ", "") in "".join(tree.text().split())
        assert not tree.css("[onerror], [href^=javascript], [src^=data]")
        assert f"Image 1: ] {live}" in [image.attributes["alt"] for image in tree.css("img")]


async def test_the_json_form(client, served):
    found = json.loads(await text(client, f"{served.url}/{served.site}/story/1", **JSON, **{"X-With-Links-Summary": "all"}))
    assert (found["code"], found["status"]) == (200, 20000)
    data = found["data"]
    assert (data["title"], data["url"]) == ("Story 1", f"{served.site}/story/1") and "The lead of story 1." in data["content"]
    assert data["links"]["Imprint of the paper"] == f"{served.site}/imprint"
    assert data["usage"] == found["meta"]["usage"] and data["usage"]["tokens"] > 100


@pytest.mark.parametrize(
    ("headers", "there", "absent"),
    [
        ({"X-Return-Format": "markdown"}, "Imprint of the paper", "<nav"),
        ({"X-Respond-With": "html"}, "<nav>", "Markdown Content"),
        ({"X-Return-Format": "text"}, "Imprint of the paper", "Title:"),
        ({"X-Target-Selector": ".lead"}, "Markdown Content:\nThe lead of story 1.\n", "ninety years"),
        ({"X-Remove-Selector": ".lead, h1", "X-Retain-Images": "none"}, "ninety years", "picture.png"),
        ({"X-Locale": "de-AT", "X-Wait-For-Selector": ".said", "X-Timeout": "15", "X-Respond-With": "html"}, "language de-AT", "Title:"),
    ],
)
async def test_the_headers_of_format_selectors_and_waiting(client, served, headers, there, absent):
    found = await text(client, f"{served.url}/{served.site}/story/1", **headers)
    assert there in found and absent not in found


async def test_a_selector_that_is_not_shown_is_a_warning_for_clients_of_the_reader_and_an_error_elsewhere(client, served, monkeypatch):
    url = f"{served.site}/story/1"
    with monkeypatch.context() as patch:
        patch.setattr("sightread.render.visit.visit.READING_SHARE", 0.1)
        async with client.get(f"{served.url}/{url}", headers=JSON | {"X-Wait-For-Selector": "#never", "X-Timeout": "50"}) as answer:
            data = (await answer.json())["data"]
            assert "story 1" in data["content"] and "the selector '#never' was not met within" in data["warning"]
        async with client.post(f"{served.url}/api/v1/extract", json={"url": url, "wait_for": "#never", "deadline": 50}) as answer:
            error = (await answer.json())["error"]
            assert answer.status == 422 and ": wait_for '#never' was not met within" in error["message"]
    for wish, status, message in (
        ({"min_wait": 28}, 400, "min_wait is 28: give 0 to 24 seconds, the deadline's part for it"),
        ({"url": "http://127.0.0.1/"}, 400, "127.0.0.1, which is no public address: this service reads the public web alone"),
    ):
        async with client.post(f"{served.url}/api/v1/extract", json={"url": url} | wish) as answer:
            error = (await answer.json())["error"]
            assert (answer.status, error["message"].endswith(message)) == (status, True), error


async def test_a_screenshot(client, served):
    async with client.get(f"{served.url}/{served.site}/story/1", headers={"X-Return-Format": "pageshot"}) as answer:
        assert answer.content_type == "image/webp" and (await answer.read())[:4] == b"RIFF"


async def test_post_takes_json_forms_and_html(client, served):
    body = {
        "url": f"{served.site}/story/2",
        "respondWith": "markdown",
        "targetSelector": ".lead",
        "timeout": 15,
        "injectPageScript": ["x()"],
    }
    async with client.post(f"{served.url}/", json=body, headers=JSON) as answer:
        data = (await answer.json())["data"]
        assert data["content"] == "The lead of story 2." and "scripts of callers are never run" in data["warning"]
    async with client.post(f"{served.url}/", data={"url": f"{served.site}/story/3#here"}) as answer:
        assert (await answer.text()).startswith("Title: Story 3\n")
    html = "<title>Told</title><main><h1>Told</h1><p>" + "It was told by the sea, and by nobody else. " * 9
    async with client.post(f"{served.url}/", json={"html": html}, headers={"Accept": "text/event-stream"}) as answer:
        event, data = (await answer.text()).strip().split("\n")
        assert event == "event: data" and "by the sea" in json.loads(data.removeprefix("data: "))["content"]


@pytest.mark.parametrize(
    ("path", "headers", "status", "message"),
    [
        ("/story/1", {"X-Return-Format": "readerlm-v2"}, 400, "needs a language model"),
        ("/story/1", {"X-Timeout": "soon"}, 400, "x-timeout is 'soon': give a number"),
        ("/story/1", {"X-Target-Selector": "p["}, 400, "is no CSS selector"),
        ("/story/1", {"X-Token-Budget": "5"}, 400, "the budget is 5"),
        ("/gone", {}, 422, "HTTP status 404"),
        ("/story/1", {"Sec-Fetch-Site": "cross-site"}, 403, "scripts of other origins get no answer"),
        ("/story/1", {"Origin": "https://other.example"}, 403, "scripts of other origins get no answer"),
        ("/story/1", {"Authorization": "Bearer wrong"}, 401, "the token is not valid"),
    ],
)
async def test_refusals_have_jinas_form(client, served, path, headers, status, message):
    found = json.loads(await text(client, f"{served.url}/{served.site}{path}", status, **headers))
    assert (found["code"], found["data"]) == (status, None) and message in found["message"], found


async def test_other_paths_are_not_taken_for_addresses(client, served):
    await text(client, f"{served.url}/site-1.example/", 404)
    assert "127.0.0.1" in await text(client, f"{served.url}/{served.root}/", 400)


async def test_the_loader_of_open_webui(client, served):
    urls = [f"{served.site}/story/2", f"{served.site}/gone", f"{served.site}/story/1"]
    async with client.post(f"{served.url}/loader", json={"urls": urls}) as answer:
        found = await answer.json()
    assert [document["metadata"]["source"] for document in found] == [urls[0], urls[2]]
    assert "The lead of story 2." in found[0]["page_content"] and found[0]["metadata"]["title"] == "Story 2"
    async with client.post(f"{served.url}/loader", json={"urls": urls[1:2]}) as answer:
        assert answer.status == 422 and "404" in (await answer.json())["error"]["message"]
    async with client.post(f"{served.url}/loader", json={"urls": []}) as answer:
        assert answer.status == 400


async def test_mcp_refuses_what_is_no_message_and_other_origins(client, served):
    async with client.post(f"{served.url}/mcp", data=b"[]", headers={"Content-Type": "application/json"}) as answer:
        assert answer.status == 400 and (await answer.json())["error"]["code"] == -32600
    async with client.post(f"{served.url}/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}) as answer:
        assert answer.status == 202
    for headers, status in (({"Origin": "https://other.example"}, 403), ({"MCP-Protocol-Version": "1999-01-01"}, 400)):
        async with client.post(f"{served.url}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers=headers) as answer:
            assert answer.status == status
    for version, method, status in (("2026-07-28", "none", 404), ("2025-06-18", "none", 200), ("2026-07-28", "ping", 200)):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": META}}
        headers = {"MCP-Protocol-Version": version, "Mcp-Method": method}
        async with client.post(f"{served.url}/mcp", json=message, headers=headers) as answer:
            assert (answer.status, "error" in await answer.json()) == (status, method == "none"), version
    async with client.get(f"{served.url}/mcp") as answer:
        assert answer.status == 405
