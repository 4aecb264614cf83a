"""The tools of the MCP server: read a page, list the addresses of a site, read the first pages of a site.

`POST /mcp` is the protocol over HTTP (Streamable HTTP), answered in JSON and without sessions.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
from aiohttp import web

from sightread.document.spans import mark_spans, note_spans
from sightread.render.errors import Rejected
from sightread.render.text.words import words
from sightread.server.access.limits import check_json
from sightread.server.engine.engine import Engine
from sightread.server.jobs.sites import crawl
from sightread.server.mcp.protocol import (
    HANDSHAKE_VERSIONS,
    HTTP_STATUSES,
    STATELESS_VERSIONS,
    Message,
    ProtocolError,
    Tool,
    ToolServer,
    decode_message,
    error_answer,
    unsupported_version,
)
from sightread.server.routes.table import Route, json_response
from sightread.server.schema.answers import ExtractAnswer, MapAnswer, Outcome
from sightread.server.schema.requests import MOST_COUNT, CrawlRequest, ExtractRequest, MapRequest, convert

if TYPE_CHECKING:
    from sightread.server.service import Service


_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6}) (.+?)(?: \[\^s[0-9]+\])*")
_MARK = re.compile(r"\[\^s([0-9]+)\]")


class PageHeading(NamedTuple):
    """A heading of a document: its level from 1 to 6, its text, and the page that it is on, from 1."""

    level: int
    text: str
    page: int


class Pages(NamedTuple):
    """A document in pages."""

    texts: tuple[str, ...]
    """Markdown; an empty document has no page."""
    headings: tuple[PageHeading, ...]


def paginate(markdown: str, size: int) -> Pages:
    """Divide Markdown into pages of at most `size` characters.

    A page ends between two blocks, never within a paragraph, a table or a code block, unless a block alone is longer than a page: that is
    divided between its lines, or as a last resort within one. A heading begins the page of what follows it.
    """
    pages: list[list[str]] = []
    used = 0
    for block in (piece for whole in _blocks(markdown) for piece in _pieces(whole, size)):
        if not pages or used + len(block) + 2 > size:
            moved: list[str] = []
            while pages and len(pages[-1]) > 1 and _HEADING.fullmatch(pages[-1][-1]):
                moved.insert(0, pages[-1].pop())
            used = sum(len(each) + 2 for each in moved)
            if used + len(block) + 2 > size:
                pages += [moved] if moved else []
                moved, used = [], 0
            pages.append(moved)
        pages[-1].append(block)
        used += len(block) + 2
    headings = (
        PageHeading(len(found[1]), found[2], number)
        for number, blocks in enumerate(pages, 1)
        for block in blocks
        if (found := _HEADING.fullmatch(block))
    )
    return Pages(tuple("\n\n".join(blocks) for blocks in pages), tuple(headings))


def _blocks(markdown: str) -> Iterator[str]:
    """Yield the blocks: runs of lines without an empty one, and whole code blocks."""
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        if not line.strip() and not fence:
            if lines:
                yield "\n".join(lines)
            lines = []
            continue
        lines.append(line)
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    if lines:
        yield "\n".join(lines)


def _pieces(block: str, size: int) -> Iterator[str]:
    """Yield a block, or if it is longer than `size` its pieces, divided at the ends of lines, else of words."""
    while len(block) + 2 > size:
        end = block.rfind("\n", 1, size - 2)
        end = end if end > 0 else block.rfind(" ", 1, size - 2)
        end = end if end > 0 else size - 2
        yield block[:end]
        block = block[end:].lstrip("\n") or ""
    if block:
        yield block


INSTRUCTIONS = (
    "Reads web pages as a person sees them: the main content as Markdown, without navigation and advertising. "
    "read_url gives a page in parts, the headings first; map_site lists the addresses of a site; crawl_site reads several pages of it."
)


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """How much one call gives."""

    page: int = 12_000
    """Characters of a part of a document, with its footnotes on average: about 3,000 tokens."""
    addresses: int = 1000
    crawled: int = 25
    crawl_seconds: float = 120.0
    """After which a crawl answers with the pages that it has: clients wait for minutes at most."""
    excerpt: int = 1500
    """Characters of each crawled page."""
    headings: int = 200
    """Of one list."""
    cache_age: float = 300.0
    """Seconds: the age up to which the later parts of a document may come from the service's cache, if it has one."""


LIMITS = ToolLimits()


class ReadUrl(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `read_url`."""

    url: Annotated[str, msgspec.Meta(description="Address of the page, with https://")]
    page: Annotated[int, msgspec.Meta(ge=1, description="Part of a long document; the first part begins with a list of all headings")] = 1
    wait_for: Annotated[str, msgspec.Meta(description="CSS selector that must be shown before the page is read; seldom needed")] = ""
    chunk_tokens: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=MOST_COUNT,
            description="From 50 on: return chunks for a retrieval index, of at most that number of tokens each, as JSON lines with "
            "heading path and offsets",
        ),
    ] = 0
    citations: Annotated[
        bool,
        msgspec.Meta(description="Mark each block as [^s12], with links below the text that open the page and highlight that block there"),
    ] = False


class MapSite(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `map_site`."""

    url: Annotated[str, msgspec.Meta(description="Address of the site, or of a section of it")]
    search: Annotated[str, msgspec.Meta(description="Words: the addresses that contain them come first")] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=LIMITS.addresses, description="Most addresses")] = 100


class CrawlSite(msgspec.Struct, forbid_unknown_fields=True):
    """Arguments of `crawl_site`."""

    url: Annotated[str, msgspec.Meta(description="Address of the site, or of a section of it")]
    pages: Annotated[int, msgspec.Meta(ge=1, le=LIMITS.crawled, description="Most pages to read")] = 5
    include: Annotated[str, msgspec.Meta(description="Pattern of addresses to take, such as /blog/*")] = ""
    exclude: Annotated[str, msgspec.Meta(description="Pattern of addresses to leave out, such as /tag/*")] = ""


def tool_server(started: Callable[[], Awaitable[Engine]]) -> ToolServer:
    """Return the server of the three tools over the engine that `started` returns: a client is not kept waiting by a browser."""

    async def read_url(request: ReadUrl) -> str:
        fields: dict[str, Any] = {"url": request.url, "wait_for": request.wait_for, "citations": request.citations}
        fields["max_age"] = LIMITS.cache_age if request.page > 1 else 0
        if request.chunk_tokens:
            fields |= {"chunk_tokens": request.chunk_tokens, "outputs": ("chunks",)}
            return read_chunks(await (await started()).extract(convert(fields, ExtractRequest)), request.page)
        return read_part(await (await started()).extract(convert(fields, ExtractRequest)), request.page)

    async def map_site(request: MapSite) -> str:
        return list_addresses(await (await started()).map(convert({"url": request.url, "pages": LIMITS.addresses}, MapRequest)), request)

    async def crawl_site(request: CrawlSite) -> str:
        patterns = {"include": list(filter(None, [request.include])), "exclude": list(filter(None, [request.exclude]))}
        full = convert({"kind": "crawl", "url": request.url, "pages": request.pages, "scope": patterns}, CrawlRequest)
        engine, outcomes, is_cut = await started(), list[Outcome](), False
        with TemporaryDirectory(prefix="sightread-crawl-") as folder:  # nothing of the crawl is kept
            try:
                async with asyncio.timeout(LIMITS.crawl_seconds), aclosing(crawl(engine, full, Path(folder) / "site")) as found:
                    async for outcome in found:
                        outcomes.append(outcome)
            except TimeoutError:
                is_cut = True
        return list_pages(outcomes, request.url, is_cut=is_cut)

    read_only = "Read-only: nothing is changed on the site."
    return ToolServer(
        (
            Tool(
                "read_url",
                "Read a web page",
                "Open a web page in a browser and return its main content as Markdown, without navigation, advertising and footers. Long "
                f"documents come in parts: the first begins with a list of all headings and the part that each is in. {read_only}",
                ReadUrl,
                read_url,
            ),
            Tool(
                "map_site",
                "List the addresses of a site",
                f"List the addresses of a site, from its start page and its sitemaps, without reading the pages. {read_only}",
                MapSite,
                map_site,
            ),
            Tool(
                "crawl_site",
                "Read pages of a site",
                "Follow the links of a site from a start page, articles first, and return title, address and beginning of each page; "
                f"read_url gives the rest. robots.txt is obeyed. {read_only}",
                CrawlSite,
                crawl_site,
            ),
        ),
        INSTRUCTIONS,
    )


def read_part(answer: ExtractAnswer, number: int) -> str:
    """Return one part of a document: the first after a head with its facts and headings. Raises `Rejected` if there is no such part."""
    spans = () if answer.spans is msgspec.UNSET else answer.spans
    marked = mark_spans(answer.markdown, spans, "footnotes")
    notes = sum(len(note) + 1 for note in note_spans(spans))
    parts = paginate(marked, 1 + LIMITS.page * len(marked) // (len(marked) + notes + 1))
    count = max(1, len(parts.texts))
    place = _place(number, count)
    text = parts.texts[number - 1] if parts.texts else ""
    numbers = frozenset(map(int, _MARK.findall(text)))
    text = "\n\n".join(filter(None, (text, "\n".join(note_spans(span for span in spans if span.number in numbers)))))
    url = answer.page.final_url or answer.page.url
    if number > 1:
        return f"{url}\n{place}\n\n{text}"
    found = answer.metadata
    facts = [f"Title: {found.title}", f"URL: {url}", f"Author: {', '.join(found.authors)}", f"Published: {found.published}"]
    head = [fact for fact in facts if not fact.endswith(": ")]
    head += [f"Warning: {note.message}" for note in answer.notes if note.level == "warning"]
    head += [f"Empty: {answer.reason}"] if answer.reason else []
    return "\n\n".join(filter(None, ["\n".join(head), place if count > 1 else "", _headings(parts, count), text]))


def read_chunks(answer: ExtractAnswer, number: int) -> str:
    """Return one part of a document's chunks, a line of JSON each. Raises `Rejected` if there is no such part."""
    assert answer.chunks is not msgspec.UNSET
    parts: list[list[str]] = [[]]
    size = 0
    for line in (msgspec.json.encode(chunk).decode() for chunk in answer.chunks):
        if parts[-1] and size + len(line) > LIMITS.page:
            parts.append([])
            size = 0
        parts[-1].append(line)
        size += len(line) + 1
    head = f"{answer.page.final_url or answer.page.url}\n{_place(number, len(parts))}"
    return "\n".join([head, *(parts[number - 1] or [f"Empty: {answer.reason}"])])


def _place(number: int, count: int) -> str:
    """Return which part it is. Raises `Rejected` if there is no such part."""
    if number > count:
        raise Rejected(f"the document has {count} part{'s' * (count > 1)}: page {number} does not exist")
    return f"Part {number} of {count}." + (f" Next: read_url with page={number + 1}." if number < count else "")


def list_addresses(answer: MapAnswer, request: MapSite) -> str:
    """Return the addresses of a site, one per line."""
    urls = list(dict.fromkeys(link.url for link in (*answer.links, *answer.spare)))
    searched = frozenset(words(request.search))
    if searched:
        urls.sort(key=lambda url: -len(searched & frozenset(words(url))))
    shown = urls[: request.limit]
    more = f"; {len(urls) - len(shown)} more were found" if len(urls) > len(shown) else ""
    return "\n".join([f"{len(shown)} addresses of {request.url}{more}:", *shown])


def list_pages(outcomes: list[Outcome], url: str, *, is_cut: bool = False) -> str:
    """Return the beginning of each page that was read, and the pages that failed."""
    read = [outcome for outcome in outcomes if outcome.result is not None]
    failed = [f"- {outcome.url}: {outcome.error.message}" for outcome in outcomes if outcome.error is not None]
    head = f"{len(read)} pages of {url}"
    head += f"; stopped after {LIMITS.crawl_seconds:g} s, there may be more" if is_cut else ""
    parts = [head]
    for outcome in read:
        assert outcome.result is not None
        parts.append(_excerpt(outcome.url, outcome.result))
    if failed:
        parts.append("\n".join(["Not read:", *failed]))
    return "\n\n---\n\n".join(parts)


def _headings(parts: Pages, count: int) -> str:
    """Return the list of headings; empty if there is one at most, which the text begins with."""
    if len(parts.headings) < 2:
        return ""
    top = min(heading.level for heading in parts.headings)
    lines = [
        f"{'  ' * (heading.level - top)}- {heading.text}" + (f" (part {heading.page})" if count > 1 else "")
        for heading in parts.headings[: LIMITS.headings]
    ]
    more = len(parts.headings) - len(lines)
    return "\n".join(["Headings:", *lines, *([f"- and {more} more"] if more else [])])


def _excerpt(url: str, answer: ExtractAnswer) -> str:
    parts = paginate(answer.markdown, LIMITS.excerpt)
    text = parts.texts[0] if parts.texts else answer.reason
    rest = len(answer.markdown) - len(text)
    more = f"\n\n({rest} more characters: read_url {url})" if rest > 0 and parts.texts else ""
    return f"Title: {answer.metadata.title}\nURL: {url}\n\n{text}{more}"


async def _answer(service: Service, request: web.Request) -> web.StreamResponse:
    check_json(request)
    version = request.headers.get("MCP-Protocol-Version", HANDSHAKE_VERSIONS[0])
    try:
        message = decode_message(await service.read_body(request))
    except ProtocolError as error:
        return await json_response(error_answer(None, error), 400)
    if version not in (*HANDSHAKE_VERSIONS, *STATELESS_VERSIONS):
        return await json_response(error_answer(message.get("id"), unsupported_version(version)), 400)

    async def started() -> Engine:
        return service.engine

    server = tool_server(started)
    answer = await server.answer(message, request.headers)
    if answer is None:
        return web.Response(status=202)
    return await json_response(answer, _status(answer, version))


def _status(answer: Message, version: str) -> int:
    """Return the HTTP status of an answer: errors have their own in the revisions without a handshake."""
    if "error" not in answer or version in HANDSHAKE_VERSIONS:
        return 200
    return HTTP_STATUSES.get(answer["error"]["code"], 200)


ROUTES = (Route("POST", "/mcp", _answer, "read", reads_page=True),)
