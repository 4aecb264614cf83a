"""Routes of Jina Reader and of Open WebUI's loader: `POST /loader` with a list of addresses, answered by a list of documents."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

from sightread.render.errors import ConditionNotMet, Rejected, Unusable, quoted
from sightread.render.network.address import percent_decode
from sightread.server.access.limits import check_json
from sightread.server.compat import jina
from sightread.server.routes.table import Route, json_response
from sightread.server.schema.answers import ExtractAnswer, Outcome
from sightread.server.schema.requests import BatchRequest, convert, decode_object

if TYPE_CHECKING:
    from sightread.server.service import Service


FORM = "application/x-www-form-urlencoded"


MOST_URLS = 100
"""Of one request; Open WebUI sends twenty."""


class LoaderRequest(msgspec.Struct):
    """The body of `POST /loader`."""

    urls: list[str]


def loader_urls(body: bytes) -> tuple[str, ...]:
    """Return the addresses, each once. Raises `Rejected`."""
    urls = tuple(dict.fromkeys(convert(decode_object(body, "urls"), LoaderRequest).urls))
    if not 0 < len(urls) <= MOST_URLS:
        raise Rejected(f"{len(urls)} urls: send 1 to {MOST_URLS}")
    return urls


def loader_document(url: str, answer: ExtractAnswer) -> dict[str, Any]:
    """Return a page as a document of Open WebUI; `source` is the address that was requested."""
    found = answer.metadata
    metadata = {
        "source": url,
        "url": answer.page.final_url,
        "title": found.title,
        "description": found.description,
        "language": found.language,
        "author": ", ".join(found.authors),
        "published": found.published,
    }
    return {"page_content": answer.markdown, "metadata": {name: value for name, value in metadata.items() if value}}


async def _read_address(service: Service, request: web.Request) -> web.StreamResponse:
    return await _read(service, request, jina.translate(_address(request), "", jina.options_of_headers(request.headers)))


async def _read_posted(service: Service, request: web.Request) -> web.StreamResponse:
    if request.content_type != FORM:
        check_json(request)
    url, html, options = jina.options_of_body(request.content_type, await service.read_body(request))
    return await _read(service, request, jina.translate(url, html, {**jina.options_of_headers(request.headers), **options}))


async def _read(service: Service, request: web.Request, read: jina.Read) -> web.StreamResponse:
    try:
        answer = await service.engine.extract(read.request)
    except ConditionNotMet as error:  # the published reader then returns the page as it is, and its clients rely on it
        if not read.request.wait_for:
            raise
        answer = await service.engine.extract(msgspec.structs.replace(read.request, wait_for=""))
        warning = error.worded(lambda _: "the selector", "")
        read = replace(read, presentation=replace(read.presentation, warnings=(*read.presentation.warnings, warning)))
    accepted = request.headers.get("Accept", "")
    if "text/event-stream" in accepted:
        whole = await asyncio.to_thread(jina.as_json, answer, read.presentation)
        body = b"event: data\ndata: " + msgspec.json.encode(whole["data"]) + b"\n\n"
        return web.Response(body=body, content_type="text/event-stream")
    if "application/json" in accepted:
        return await json_response(await asyncio.to_thread(jina.as_json, answer, read.presentation))
    if read.presentation.form in ("screenshot", "pageshot"):
        picture = jina.picture_of(answer)
        if not picture:
            raise Unusable(f"{read.request.url}: no screenshot could be taken")
        return web.Response(body=picture, content_type="image/webp")
    return web.Response(text=await asyncio.to_thread(jina.as_text, answer, read.presentation), content_type="text/plain", charset="utf-8")


async def _load(service: Service, request: web.Request) -> web.StreamResponse:
    """Return the pages in the order of the request; those that failed are left out, unless all did."""
    check_json(request)
    urls = loader_urls(await service.read_body(request))
    outcomes: dict[str, Outcome] = {}
    async with aclosing(service.engine.batch(BatchRequest(urls=urls))) as found:
        async for outcome in found:
            outcomes[outcome.url] = outcome
    read = [(url, answer) for url in urls if (answer := outcomes[url].result) is not None]
    if not read:
        raise Unusable("; ".join(outcome.error.message for outcome in outcomes.values() if outcome.error is not None))
    return await json_response([loader_document(url, answer) for url, answer in read])


def _address(request: web.Request) -> str:
    """Return the address in a path, as it was sent: encoded as a whole, or with its query as the query of the request."""
    path = request.rel_url.raw_path_qs.removeprefix("/")
    if "://" not in path[:10].lower():
        path = percent_decode(path) if "%3a" in path[:10].lower() else path.replace(":/", "://", 1)  # a proxy may fold two slashes
    if not path.lower().startswith(("http://", "https://")):
        raise Rejected(f"{quoted(path, 100)} is not an address: put http:// or https:// before it")
    return path


ROUTES = (
    Route("POST", "/loader", _load, "read", reads_page=True),
    Route("POST", "/", _read_posted, "read", reads_page=True, error_form=jina.failure),
    Route("GET", r"/{address:[Hh][Tt][Tt][Pp][Ss]?(:|%3[Aa]).*}", _read_address, "read", reads_page=True, error_form=jina.failure),
)
