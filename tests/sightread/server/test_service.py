"""The HTTP service as a client meets it."""

import asyncio
import io
import json
import os
import socket
import threading
from collections.abc import AsyncIterator

import aiohttp
import pytest

from sightread.reading import reader as reader_module
from sightread.reading import reading
from sightread.render.errors import NoBrowser
from sightread.server.access.limits import MEGABYTE, Limits
from sightread.server.http import serve_on_loopback
from sightread.server.process.front import app_of
from sightread.server.service import Service
from tests.internet import DNS_FAILURES, fail_names, public_url
from tests.processes.families import family

TEXT = "It has carried shift workers across the estuary for ninety years, and by now it runs half empty most of the time."
ARTICLE = f"<!doctype html><title>The night ferry</title><h1>The night ferry</h1><p>{TEXT}</p>"


async def ask(client, address, body, **options):
    """Post a body, JSON unless it is bytes already; return status, answer and headers."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"} | options.pop("headers", {})
    async with client.post(f"{address}/api/v1/extract", data=io.BytesIO(data), headers=headers, **options) as response:
        assert response.content_type == "application/json"
        return response.status, await response.json(), response.headers


async def error_of(client, address, body, **options):
    status, answer, _ = await ask(client, address, body, **options)
    assert answer.keys() == {"error"} and answer["error"].keys() == {"kind", "message"}
    assert "\n" not in answer["error"]["message"]
    return status, answer["error"]["kind"], answer["error"]["message"]


async def test_a_url_is_rendered(client, address, site_server):
    site = await site_server({"/ferry": ARTICLE})
    status, answer, _ = await ask(client, address, {"url": public_url(site.root, path="/ferry"), "model": "boilerpipe"})
    assert (status, answer["model"], answer["url"], answer["note"]) == (200, "boilerpipe", public_url(site.root, path="/ferry"), "")
    assert TEXT in answer["text"]
    assert answer["metadata"]["title"] == "The night ferry"
    assert all(block["box"] for block in answer["blocks"])


async def test_what_is_not_html_is_extracted_and_not_rendered(client, address, site_server):
    site = await site_server({"/notes": (200, {"Content-Type": "text/markdown"}, "# Tide\n\nIt *rises*.")})
    url = public_url(site.root, "/notes")
    status, answer, _ = await ask(client, address, {"url": url})
    assert (status, answer["text"], [note["code"] for note in answer["notes"]]) == (200, "Tide\n\nIt rises.", ["converted"])
    async with client.post(f"{address}/api/v1/render", json={"url": url}) as answer:
        assert answer.status == 422 and "its content is text/markdown" in (await answer.json())["error"]["message"]


async def test_stored_html_is_read_as_if_it_came_from_its_url_by_the_models_and_without_the_parts_that_are_named(client, address):
    html = ARTICLE.replace("estuary", "<a href='/map'>estuary</a>")
    status, answer, _ = await ask(client, address, {"html": html, "url": "https://courier.example/ferry"})
    assert (status, answer["url"], answer["model"]) == (200, "https://courier.example/ferry", "boilerpipe")  # the service's own model
    assert "[estuary](https://courier.example/map)" in answer["markdown"]
    _, answer, _ = await ask(client, address, {"html": html, "without": ["links", "comments"], "device": {"viewport": [300, 400]}})
    assert "estuary" in answer["markdown"] and "](" not in answer["markdown"]
    assert all(block["box"][2] <= 300 for block in answer["blocks"])
    _, answer, _ = await ask(client, address, {"html": ARTICLE, "url": "https://courier.example/", "model": "auto"})
    assert answer["note"] == "global read the page: courier.example was never learned (sightread learn)"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "the body is invalid: "),
        (b"", "the body is invalid: it is empty: send a JSON object"),
        (b"\xff\xfe", "the body is invalid: "),
        (b"[" * 100_000, "the body is invalid: "),
        (b"[]", "the body is invalid: Expected `object`, got `array`"),
        ({"url": 7}, "the body is invalid: Expected `str`, got `int` - at `$.url`"),
        ({"html": "x", "outptus": []}, "the body is invalid: Object contains unknown field `outptus` (did you mean outputs?); the"),
        (
            {"device": {"viewprt": 1}},
            "the body is invalid: Object contains unknown field `viewprt` - at `$.device` (did you mean view",
        ),
        ({"outputs": ["htm"]}, "the body is invalid: Invalid enum value 'htm' - at `$.outputs[0]` (did you mean html?)"),
        ({"actions": [{"type": "clik"}]}, "the body is invalid: Invalid value 'clik' - at `$.actions[0].type` (did you mean click?)"),
        ({"without": ["x"]}, "the body is invalid: Invalid enum value 'x' - at `$.without[0]`; the"),
        ({"html": ARTICLE, "formt": "text"}, "the body is invalid: Object contains unknown field `formt`; the fields are in"),
        ({}, "neither url nor html was sent"),
        ({"url": "", "html": ""}, "neither url nor html was sent"),
        ({"html": ARTICLE, "model": "gpt"}, "no model is called 'gpt'"),
        ({"html": ARTICLE, "model": "site"}, "no site model for a page without a URL"),
        ({"html": ARTICLE, "url": "ftp://courier.example/", "model": "boilerpipe"}, "ftp://courier.example/: not an http or https address"),
    ],
)
async def test_a_bad_request_gets_what_is_wrong_with_it(client, address, body, message):
    status, _, found_message = await error_of(client, address, body)
    assert (status, found_message[: len(message)]) == (400, message)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "data:text/html,<p>Text",
        "javascript:alert(1)",
        "about:blank",
        "chrome://version",
        "view-source:http://courier.example/",
        "//courier.example/",
        "courier.example",
        "http://",
        "http://courier.example:99999/",
    ],
)
async def test_what_is_no_web_address_is_not_opened(client, address, url):
    status, kind, found_message = await error_of(client, address, {"url": url})
    assert (status, kind, found_message[: len(url)]) == (400, "Rejected", url)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "LOCALHOST", "0.0.0.0",
     "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "[fe80::1]", "[fd00::1]", "100.64.0.1"],
)  # fmt: skip
async def test_an_address_of_this_machine_or_a_private_network_is_refused(client, address, host):
    status, kind, found_message = await error_of(client, address, {"url": f"http://{host}/secret"})
    assert (status, kind) == (400, "Private")
    assert found_message.endswith(", which is no public address: this service reads the public web alone")


@pytest.mark.parametrize(("code", "status", "kind"), [(socket.EAI_NONAME, 422, "Unusable"), (socket.EAI_AGAIN, 503, "Retryable")])
async def test_a_name_that_does_not_resolve_may_be_tried_again_unless_it_is_unknown(client, address, monkeypatch, code, status, kind):
    fail_names(monkeypatch, code)
    answer = await error_of(client, address, {"url": "http://courier.invalid/"})
    assert answer == (status, kind, f"http://courier.invalid/: {DNS_FAILURES[code]}")


async def test_a_page_that_gives_nothing_is_no_fault_of_the_request_and_one_that_fails_for_now_may_be_tried_again(
    client, address, site_server
):
    site = await site_server({"/failing": (500, {}, "<p>Oh")})
    gone = public_url(site.root, path="/gone")
    assert await error_of(client, address, {"url": gone}) == (422, "Unusable", f"{gone}: HTTP status 404")
    assert (await error_of(client, address, {"url": public_url(site.root, path="/failing")}))[:2] == (503, "Retryable")


async def test_stored_html_that_is_never_laid_out_in_time_need_not_be_sent_again(client, address):
    message = "the document: not laid out within 0.01 s: send a smaller one"
    assert await error_of(client, address, {"html": ARTICLE, "deadline": 0.01}) == (422, "Unusable", message)


async def slow_model(client, reader, address, monkeypatch, **options):
    """Return the answer about a page whose model takes a minute."""
    took = threading.Event()
    monkeypatch.setattr(reader_module, "apply_model", lambda *_: took.wait(60))
    answer = await error_of(client, address, {"html": ARTICLE, **options})
    assert reader.overdue == 1
    took.set()
    while reader.overdue:  # noqa: ASYNC110  (a thread sends no event)
        await asyncio.sleep(0.01)
    return answer


async def test_a_page_that_takes_too_long_to_process_need_not_be_sent_again(client, reader, address, monkeypatch):
    monkeypatch.setattr(reader, "processing", 0.05)
    message = "the document: too large: not processed within 0.05 s"
    assert await slow_model(client, reader, address, monkeypatch) == (422, "Unusable", message)


async def test_the_deadline_of_a_page_holds_to_its_answer(client, reader, address, monkeypatch):
    message = "the document: too large: not processed within its deadline"
    assert await slow_model(client, reader, address, monkeypatch, deadline=10) == (422, "Unusable", message)


async def test_a_large_page_is_read_in_a_process_of_its_own_which_ends_at_its_deadline(client, reader, address, monkeypatch):
    request = {"html": ARTICLE, "deadline": 60}

    async def ask_route(route):
        async with client.post(f"{address}/api/v1/{route}", json=request) as response:
            return response.status, {name: value for name, value in (await response.json()).items() if name != "page"}

    routes = ("extract", "render", "explain")
    small = [await ask_route(route) for route in routes]
    monkeypatch.setattr(reading, "MOST_ELEMENTS", 0)
    assert await asyncio.gather(*map(ask_route, routes)) == small and {status for status, _ in small} == {200}
    assert (await ask_route("inspect"))[0] == 400
    monkeypatch.setattr(reader, "processing", 0.2)
    error = {"kind": "Unusable", "message": "the document: too large: not processed within its deadline"}
    assert await ask_route("extract") == (422, {"error": error})
    assert not [line for line in family(os.getpid()).values() if "child_process" in line]


async def test_a_selector_without_end_costs_its_page_alone(client, address):
    """A chain of ancestors is searched in all its combinations, by code that holds the interpreter."""
    page = {"html": "<div>" * 300 + f"<p>{TEXT}</p>" * 3000, "deadline": 6}
    selecting = asyncio.ensure_future(error_of(client, address, page | {"drop_selectors": ["x " + "div " * 20 + "p"]}))
    waits = []
    while not selecting.done():
        began = asyncio.get_running_loop().time()
        async with client.get(f"{address}/healthz") as response:
            assert response.status == 200
        waits.append(asyncio.get_running_loop().time() - began)
        await asyncio.sleep(0.05)
    assert (await selecting)[0] == 422
    assert sorted(waits)[-2] < 5.0


async def test_links_of_html_without_a_url_name_no_address_of_ours(client, address):
    html = ARTICLE.replace("</p>", " <a href='map.html'>map</a> <a href='/x'>root</a> <img src=a.png> <a href='https://a.example/'>far</a>")
    status, answer, _ = await ask(client, address, {"html": html, "model": "boilerpipe"})
    assert (status, "stored.invalid" in json.dumps(answer), "https://a.example/" in answer["markdown"]) == (200, False, True)


async def test_a_body_beyond_the_limit_is_refused_by_its_length(client, address):
    status, kind, _ = await error_of(client, address, {"html": "x" * 10 * MEGABYTE})
    assert (status, kind) == (413, "Request Entity Too Large")


async def test_a_body_beyond_the_limit_is_refused_where_no_length_is_reported(client, address):
    async def chunks() -> AsyncIterator[bytes]:
        yield b'{"html":"'
        for _ in range(11):
            yield b"x" * MEGABYTE
        yield b'"}'

    async with client.post(f"{address}/api/v1/extract", data=chunks(), headers={"Content-Type": "application/json"}) as response:
        assert response.status == 413
        assert (await response.json())["error"]["kind"] == "Request Entity Too Large"


@pytest.mark.parametrize("kind", ["text/html", "application/x-www-form-urlencoded", ""])
async def test_a_body_that_is_not_said_to_be_json_is_refused(client, address, kind):
    status, _, found_message = await error_of(client, address, {"html": ARTICLE}, headers={"Content-Type": kind})
    assert (status, found_message) == (415, "send JSON, with Content-Type: application/json")


async def test_a_wrong_path_is_404_and_a_wrong_method_405_each_with_a_remedy(client, address):
    for path, status, kind, allowed, message in (
        ("extrct", 404, "Not Found", None, "nothing is at this path: /api lists the routes"),
        ("extract", 405, "Method Not Allowed", "POST", "GET is not a method of this path: use POST"),
    ):
        async with client.get(f"{address}/api/v1/{path}") as response:
            error = (await response.json())["error"]
            assert (response.status, error["kind"], response.headers.get("Allow"), error["message"]) == (status, kind, allowed, message)


@pytest.mark.parametrize(
    "host", ["courier.example", "127.0.0.1", "127.0.0.1:1", "localhost.courier.example:{port}", "evil@127.0.0.1:{port}"]
)
async def test_another_name_for_the_service_is_refused(client, address, host):
    port = address.rpartition(":")[2]
    status, kind, _ = await error_of(client, address, {"html": ARTICLE}, headers={"Host": host.format(port=port)})
    assert (status, kind) == (403, "Forbidden")


async def test_pages_render_side_by_side_health_answers_meanwhile_and_one_too_many_is_turned_away(client, reader, site_server):
    arrived, release = asyncio.Semaphore(0), asyncio.Event()

    async def slow(_):
        arrived.release()
        await release.wait()
        return aiohttp.web.Response(text=ARTICLE, content_type="text/html")

    site = await site_server({"/a": slow, "/b": slow})
    async with serve_on_loopback(app_of(Service(reader, Limits(waiting=2)))) as address:
        requests = [
            asyncio.ensure_future(ask(client, address, {"url": public_url(site.root, path=path), "model": "boilerpipe"}))
            for path in ("/a", "/b")
        ]
        await arrived.acquire()
        await arrived.acquire()
        async with client.get(f"{address}/healthz") as response:
            health = await response.json()
        figures, _, _, _, _ = (health.pop(name) for name in ("browser", "jobs", "cache", "ways", "hidden"))
        assert health.pop("process") == os.getpid()
        assert health == {"status": "ok", "under_way": 2, "waiting_limit": 2, "overdue": 0, "has_disk_space": True}
        assert {"open", "waiting", "bound", "done", "failed", "retried", "restarts", "recycled", "memory", "alive"} < set(figures)
        assert {type(value) for value in figures.values()} == {int, bool}  # no name or address
        status, answer, headers = await ask(client, address, {"html": ARTICLE})
        assert (status, headers["Retry-After"]) == (503, "2")
        assert answer["error"]["message"] == "2 pages are under way: try again soon"
        release.set()
        assert [status for status, _, _ in await asyncio.gather(*requests)] == [200, 200]
        async with client.get(f"{address}/healthz") as response:
            assert (await response.json())["under_way"] == 0


async def test_a_caller_who_goes_away_frees_its_place(client, reader, site_server):
    arrived = asyncio.Event()

    async def stuck(_):
        arrived.set()
        await asyncio.sleep(60)

    site = await site_server({"/": stuck})
    async with serve_on_loopback(app_of(Service(reader, Limits(waiting=1)))) as address:
        requests = asyncio.ensure_future(ask(client, address, {"url": public_url(site.root)}))
        await arrived.wait()
        requests.cancel()
        await asyncio.wait([requests])
        for _ in range(100):
            status, _, _ = await ask(client, address, {"html": ARTICLE})
            if status == 200:
                break
            await asyncio.sleep(0.05)
        assert status == 200


async def test_a_browser_that_is_gone_from_the_machine_is_the_services_fault(client, reader, monkeypatch):
    async def no_browser(*_, **__):
        raise NoBrowser("no Chromium found")

    monkeypatch.setattr(reader, "render_html", no_browser)
    async with serve_on_loopback(app_of(Service(reader))) as address:
        assert await error_of(client, address, {"html": ARTICLE}) == (503, "NoBrowser", "no Chromium found")


async def test_a_page_is_shown_on_the_device_that_is_requested(client, address, site_server):
    seen = "${innerWidth} × ${innerHeight}, ${matchMedia('(prefers-color-scheme: dark)').matches}, ${navigator.language}, "
    script = f"document.body.append(`Seen: {seen}${{Intl.DateTimeFormat().resolvedOptions().timeZone}}.`)"
    site = await site_server({"/": f"{ARTICLE}<script>{script}</script>"})
    device = {"viewport": [700, 500], "colour_scheme": "dark", "language": "de-AT", "time_zone": "Asia/Tokyo"}
    status, answer, _ = await ask(client, address, {"url": public_url(site.root), "model": "boilerpipe", "device": device})
    assert status == 200
    assert any("Seen: 700 × 500, true, de-AT, Asia/Tokyo." in block["text"] for block in answer["blocks"])
