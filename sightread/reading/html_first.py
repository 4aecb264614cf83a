"""Pages of learned sites from their HTML alone, and which of them a browser must render (`RenderOptions(render="auto")`).

The HTML is fetched as the browser would fetch it, past the same egress boundary. It is enough where the site's student agrees with its
model of rendered pages, on the template of the page, and the page is as the student knows them. Anything else is left to the browser,
failures of the request too, and some pages are read both ways: a template whose HTML is no longer enough is noticed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal, get_args

from sightread.batch.child_process import ChildDied, call_in_process, limit_memory
from sightread.models.model_choice import choose_for
from sightread.reading.reading import apply_model, is_large
from sightread.render.analysis.block_pages import check_wall
from sightread.render.analysis.fallback_text import shows_little
from sightread.render.archives.base import Archive
from sightread.render.browser.browser import Browser, Rendered, RenderOptions
from sightread.render.browser.limiter import ON_REQUEST
from sightread.render.convert import VAGUE, Kind, convert, find_kind, unreadable
from sightread.render.errors import Retryable, TimedOut, Unusable
from sightread.render.labels import THRESHOLD
from sightread.render.network.address import check_url, origin_of
from sightread.render.network.egress import Egress
from sightread.render.network.http import GONE_STATUSES, NO_HEADERS, NOT_MODIFIED, PageHeaders, charset_of, status_failure, type_failure
from sightread.render.page import Page
from sightread.render.static.charset import DecodedHtml, decode_html
from sightread.render.static.parse import read_html
from sightread.render.visit.capture import Capture, CaptureOptions
from sightread.render.visit.device import Device
from sightread.sites.store import LearnedSite, SiteStore
from sightread.sites.student import word_f1

if TYPE_CHECKING:
    from sightread.crawler.fetch import Fetched, Fetcher

LEAST_AGREEMENT = 0.99
"""Word F1 of the two documents of a page that is read both ways: dates and counters differ by less."""
MOST_MEMORY = 1 << 30
"""Bytes that the conversion of a document may take."""
SHORT: dict[Kind, int] = {"pdf": 0, "markdown": 50_000, "text": 1_000_000, "json": 1_000_000, "feed": 1_000_000}
"""Most bytes of a document that is converted in a thread, which no deadline can end: Markdown may take quadratic time."""
ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

Way = Literal["html", "browser", "both"]
"""How a page was read: from its HTML alone, rendered, or rendered to be compared with its HTML."""
WAYS = get_args(Way)


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page whose HTML is enough."""

    page: Page
    html: str
    headers: PageHeaders
    site: LearnedSite
    is_checked: bool
    """Whether it is rendered too, to be compared."""


@dataclass(slots=True)
class HtmlFirst:
    """Reads pages from their HTML where that is enough; to be closed."""

    browser: Browser
    """It names the user agent."""
    sites: SiteStore
    egress: Egress
    ways: Counter[Way] = field(default_factory=Counter)
    """Pages so far, by how they were read."""
    _agents: dict[Device, str] = field(default_factory=dict)
    _fetcher: Fetcher | None = None
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def close(self) -> None:
        """End the client that requests HTML, if it was needed."""
        await self._open.aclose()

    async def render(self, url: str, options: RenderOptions) -> Rendered:
        """Return the page at `url`, from its HTML if that is enough, else as `Browser.render` does. Raises what that raises."""
        rendered = await self.render_again(url, options, None)
        assert isinstance(rendered, Rendered)
        return rendered

    async def render_again(self, url: str, options: RenderOptions, known: PageHeaders | None) -> Rendered | Fetched:
        """Return the page as `render` does; or the answer that it is as it was, or at another address, if the headers are given with which
        it was received, which may be empty. Raises what `Browser.render` raises.
        """
        found: HtmlPage | Fetched | None = None
        if not _needs_browser(options):
            site = await asyncio.to_thread(self._site, url) if options.render == "auto" else None
            if site is not None or (known and known.condition):
                found = await self._find(url, options, site, known)
        if found is not None and not isinstance(found, HtmlPage):
            return found
        if found is not None and not found.is_checked:
            self.ways["html"] += 1
            return Rendered(found.page, capture=Capture(source=found.html) if options.capture.source else None, headers=found.headers)
        rendered = await self.browser.render(url, options)
        self.ways["browser" if found is None else "both"] += 1
        if found is not None:
            await asyncio.to_thread(_compare, found, rendered.page)
        return rendered

    async def render_html(self, html: DecodedHtml, url: str, options: RenderOptions, archive: Archive | None = None) -> Rendered:
        """Return the page of stored HTML, as it is if that is enough, else as `Browser.render_html` does, or `Browser.render_archived` with
        the files of an archive. Raises what that raises.
        """
        if options.render == "auto" and url and not _needs_browser(options):
            site = await asyncio.to_thread(self._site, url)
            with suppress(Unusable):
                if site is not None and (found := await asyncio.to_thread(_read, html, url, site, options)):
                    self.ways["html"] += 1
                    return Rendered(found.page)
        self.ways["browser"] += 1
        if archive:
            return await self.browser.render_archived(archive, url, options)
        return await self.browser.render_html(html, url, options)

    async def convert(self, url: str, options: RenderOptions, failure: Unusable) -> Rendered:
        """Return what is at `url` in place of HTML, as a page (`sightread.render.convert`). `failure` is the browser's.

        Raises what the request raises, and `Unusable` for what cannot be read. What may take long is done in a process of its own.
        """
        given = failure.content_type.partition(";")[0].strip().lower()
        if not (given in VAGUE or find_kind(b"", given)):
            raise unreadable(url, given) from failure
        try:
            async with asyncio.timeout(options.deadline):
                answer = await self._fetch(url, options)
                if found := status_failure(url, answer.status, answer.retry_after):
                    raise found
                kind = find_kind(answer.body, answer.content_type, answer.url.partition("?")[0])
                if kind is None:
                    raise unreadable(url, answer.content_type)
                arguments = answer.body, kind, answer.url, charset_of(answer.content_type), url
                is_short = len(answer.body) <= SHORT[kind]
                page = await (asyncio.to_thread(convert, *arguments) if is_short else call_in_process(_convert_apart, *arguments))
        except TimeoutError as error:
            raise _overdue(url, options) from error
        except (ChildDied, MemoryError) as error:
            raise Unusable(f"{url}: it takes more than {MOST_MEMORY >> 20} MiB to read, or is damaged") from error
        return Rendered(replace(page, url=url, status=answer.status, rendered_at=_now()))

    async def _find(
        self, url: str, options: RenderOptions, site: LearnedSite | None, known: PageHeaders | None
    ) -> HtmlPage | Fetched | None:
        try:
            async with asyncio.timeout(options.deadline):
                answer = await self._fetch(url, options, known)
                if known is not None and (answer.status == NOT_MODIFIED or answer.location):
                    return answer
                if (failure := status_failure(url, answer.status, answer.retry_after)) is None:
                    if site is None or type_failure(url, answer.content_type) or self.sites.site(answer.url) != self.sites.site(url):
                        return None
                    html = await asyncio.to_thread(decode_html, answer.body, charset_of(answer.content_type))
                    found = await asyncio.to_thread(_read, html, answer.url, site, options)
                    if found is None:
                        return None
                    page = replace(found.page, url=url, status=answer.status, rendered_at=_now())
                    return replace(found, page=page, headers=answer.headers)
        except TimeoutError as error:
            raise _overdue(url, options) from error
        except Unusable:
            return None
        if isinstance(failure, Retryable) or answer.status in GONE_STATUSES:
            raise failure
        return None

    async def _fetch(self, url: str, options: RenderOptions, known: PageHeaders | None = None) -> Fetched:
        """Return the answer to a request as the browser would send it; with `known`, to one with that condition, without redirects."""
        address = check_url(url).href.partition("#")[0]
        fetcher, headers = await self._client(), await self._headers(options)
        ON_REQUEST.get()()
        if known is None:
            return await fetcher.get(address, lambda target: {**headers, **_of_origin(options, target)})
        return await fetcher.request(address, {**headers, **_of_origin(options, address), **known.condition})

    async def _client(self) -> Fetcher:
        async with self._opening:
            if self._fetcher is None:
                from sightread.crawler.fetch import Fetcher  # noqa: PLC0415  (aiohttp takes as long to load as a page to render)

                self._fetcher = await self._open.enter_async_context(Fetcher(self.egress))
        return self._fetcher

    def _site(self, url: str) -> LearnedSite | None:
        learned = self.sites.find(url)
        choice = choose_for(learned, rendered=False) if learned else None
        return learned if choice and choice.site else None

    async def _headers(self, options: RenderOptions) -> dict[str, str]:
        device = options.device
        if device not in self._agents:
            self._agents[device] = await self.browser.user_agent(device)
        return {"User-Agent": self._agents[device], "Accept-Language": device.accepted_languages, "Accept": ACCEPT}


def _convert_apart(*arguments: Any) -> Page:
    limit_memory(MOST_MEMORY)
    return convert(*arguments)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _overdue(url: str, options: RenderOptions) -> TimedOut:
    return TimedOut(f"{url}: not read within {options.deadline:g} s: try again, or allow more")


def _read(html: DecodedHtml, url: str, learned: LearnedSite, options: RenderOptions) -> HtmlPage | None:
    """Return the page at `url` if its HTML is enough. Raises `Walled` for a block page, and `Unusable` for binary data."""
    site = learned.by_html
    assert site is not None
    page = read_html(html, url, options.collect.attributes)
    if shows_little(page) or is_large(page) or site.needs_browser(page):
        return None
    check_wall(page)
    prediction = site.model.predict(page)
    familiarity = site.familiarity(page, prediction.probabilities)
    if (familiarity and not familiarity.is_trusted) or not (prediction.relative >= THRESHOLD).any():
        return None
    return HtmlPage(page, html.text, NO_HEADERS, learned, _is_checked(url, site.check_interval(page, options.check_every)))


def _needs_browser(options: RenderOptions) -> bool:
    """Return whether the options ask for what HTML alone does not have."""
    capture = replace(options.capture, source=False)
    has_login = options.access is not None and bool(options.access.user)
    return options.picture or options.is_interactive or options.scroll == "endless" or has_login or capture != CaptureOptions()


def _of_origin(options: RenderOptions, target: str) -> Mapping[str, str]:
    access = options.access
    if access is None or origin_of(target) != access.origin:
        return {}
    cookies = "; ".join(f"{name}={value}" for name, value in access.cookies)
    return dict(access.headers) | ({"Cookie": cookies} if cookies else {})


def _is_checked(url: str, interval: int) -> bool:
    """Return whether a page is one in `interval`; the same in every run."""
    return int.from_bytes(blake2b(url.encode("utf-8", "replace"), digest_size=8).digest()) % interval == 0


def _compare(found: HtmlPage, rendered: Page) -> None:
    site = found.site.by_html
    assert site is not None
    documents = [
        apply_model(choose_for(found.site, rendered=is_rendered), page, is_new=False).document
        for is_rendered, page in ((False, found.page), (True, rendered))
    ]
    site.note_check(found.page, agrees=word_f1(*documents) >= LEAST_AGREEMENT)
