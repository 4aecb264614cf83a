"""Reads the pages of a crawl of whole sites (`sightread.crawler.whole_site`), with a browser or from their HTML alone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from sightread.crawler.answers import PageAnswer, Redirected, Unchanged
from sightread.crawler.fetch import Fetched, Fetcher
from sightread.crawler.site_state import KnownUrl
from sightread.document.document import Document
from sightread.reading.reader import Reader
from sightread.reading.reading import read_static
from sightread.render.archives.cdxj import WarcFolder
from sightread.render.browser.browser import RenderOptions
from sightread.render.network.http import NOT_MODIFIED, charset_of, status_failure, type_failure
from sightread.render.static.charset import decode_html
from sightread.render.visit.capture import CaptureOptions

SiteAnswer = PageAnswer[Document] | Unchanged | Redirected


async def read_rendered(reader: Reader, known: KnownUrl, options: RenderOptions) -> SiteAnswer:
    """Read a page with a reader; with `render="auto"` from its HTML if that is enough. Raises what `Reader.render` raises."""
    rendering = replace(options, capture=CaptureOptions(source=True))
    rendered = await reader.render_again(known.url, rendering, known.headers)
    if isinstance(rendered, Fetched):
        return _without_body(rendered)
    reading = await reader.read_rendered(rendered)
    return PageAnswer(reading.page, reading.document.text, reading.document, rendered.source, rendered.headers)


async def read_replayed(reader: Reader, known: KnownUrl, options: RenderOptions, fetcher: Fetcher, archive: WarcFolder) -> SiteAnswer:
    """Render a page with the files of an archive, whose answers the fetcher has. Raises what `read_rendered` raises."""
    answer = await fetcher.get(known.url)
    if failure := status_failure(known.url, answer.status) or type_failure(known.url, answer.content_type):
        raise failure
    html = decode_html(answer.body, charset_of(answer.content_type))
    reading = await reader.read_rendered(await reader.render_html(html, answer.url, options=options, archive=archive))
    return PageAnswer(reading.page, reading.document.text, reading.document, html.text, answer.headers)


@dataclass(frozen=True, slots=True)
class HtmlPages:
    """Reads pages from their HTML, without a browser."""

    fetcher: Fetcher
    model: str = "auto"
    home: Path | None = None

    async def read(self, known: KnownUrl) -> SiteAnswer:
        """Request a page, and read its HTML. Raises `Retryable` or `Unusable`."""
        answer = await self.fetcher.request(known.url, known.headers.condition)
        if answer.status == NOT_MODIFIED or answer.location:
            return _without_body(answer)
        failure = status_failure(known.url, answer.status, answer.retry_after) or type_failure(known.url, answer.content_type)
        if failure:
            raise failure
        return await asyncio.to_thread(self._read, known.url, answer)

    def _read(self, url: str, answer: Fetched) -> PageAnswer[Document]:
        html = decode_html(answer.body, charset_of(answer.content_type))
        reading = read_static(html, url, self.model, self.home)
        page = replace(reading.page, status=answer.status)
        return PageAnswer(page, reading.document.text, reading.document, html.text, answer.headers)


def _without_body(answer: Fetched) -> Unchanged | Redirected:
    return Redirected(answer.location) if answer.location else Unchanged()
