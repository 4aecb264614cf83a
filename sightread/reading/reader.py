"""`Reader`: extracts pages with a browser; and `Session`: pages read one after another with the same cookies, as after a login."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from sightread.batch.outcome import Outcome, as_completed
from sightread.crawler.rate_limit import RATE_LIMIT, RateLimit
from sightread.document.document import Document
from sightread.models.model_choice import check_name, choose_model
from sightread.reading import Reading, apply_model
from sightread.reading.archived import noted, open_given
from sightread.reading.extraction import check_html, check_page_url
from sightread.reading.html_first import HtmlFirst, Way
from sightread.render.archives.base import Archive
from sightread.render.argument_checks import check_range, check_type
from sightread.render.browser.browser import STORED, Browser, BrowserSession, PoolHealth, Rendered, RenderOptions
from sightread.render.browser.limiter import cores
from sightread.render.errors import Rejected, Unusable
from sightread.render.network.egress import PUBLIC, Egress
from sightread.render.network.http import PageHeaders
from sightread.render.static.charset import Html, as_decoded, check_is_text
from sightread.sites.store import SiteStore

if TYPE_CHECKING:
    from sightread.crawler.fetch import Fetched


class Session:
    """Reads pages that share cookies, storage and cache, made by `Reader.session`; it ends with the block. Calls wait for each other."""

    def __init__(self, browser: BrowserSession, finish: Callable[[str, Rendered], Awaitable[Reading]]) -> None:
        self._browser = browser
        self._finish = finish

    async def extract(self, url: str, *, options: RenderOptions | None = None) -> Document:
        """Render the page at `url` and return its main content. `options` are the session's by default.

        Raises `Retryable`, `Unusable` or `Rejected`; and `BrowserFailed` once the browser is lost, with the cookies.
        """
        return (await self.read(url, options=options)).document

    async def read(self, url: str, *, options: RenderOptions | None = None) -> Reading:
        """Render the page at `url` and return its `Reading`. Device, scripts, credentials and blocking are the session's."""
        check_page_url("Session", url)
        check_type("Session: options", options, RenderOptions | None)
        return await self._finish(url, await self._browser.render(url, options))


LIVE = RenderOptions()
DocumentOutcomes: TypeAlias = AsyncGenerator[Outcome[Document], None]
TABS_AHEAD = 2
"""Pages of `extract_many` under way per tab: while one page is processed in a thread, its tab renders the next."""
T = TypeVar("T")


class Reader:
    """Reads pages with a browser of its own; an async context manager, outside of which it raises `Rejected`.

    `model` is a name as on the command line; `home` is the folder of learned sites (SIGHTREAD_HOME by default); `executable` is a Chromium
    (by default Playwright's own or the system's); `tabs` is the number of pages that may be open at once, one per CPU core by default.
    `egress` sets the reachable addresses: the public web, or with `Egress(local=True)` this machine and private networks as well. A `light`
    reader loads no images and no web fonts. `processing` is the deadline in seconds for model and document of one rendered page.
    """

    def __init__(
        self,
        model: str = "auto",
        *,
        home: Path | str | None = None,
        executable: Path | str | None = None,
        tabs: int | None = None,
        egress: Egress = PUBLIC,
        light: bool = False,
        processing: float = 60.0,
    ) -> None:
        for name, value, allowed in (
            ("model", model, str),
            ("home", home, Path | str | None),
            ("executable", executable, Path | str | None),
            ("tabs", tabs, int | None),
            ("egress", egress, Egress),
            ("light", light, bool),
            ("processing", processing, float),
        ):
            check_type(f"Reader: {name}", value, allowed)
        check_range("Reader: tabs", 1 if tabs is None else tabs, 1, unit="pages open at once")
        check_range("Reader: processing", processing, 0, unit="seconds", above=True)
        check_name(model)
        self.model = model
        self.processing = processing
        self._overdue: set[asyncio.Future[Any]] = set()
        self.egress = egress
        self.home = Path(home) if home else None
        """The folder of learned sites; None for the default one."""
        self._sites = SiteStore(self.home)
        self._browser = Browser(Path(executable) if executable else None, tabs, egress, light=light)
        self._html_first = HtmlFirst(self._browser, self._sites, egress)
        self._is_open = False
        self.pages_ahead = TABS_AHEAD * (tabs or cores())
        """Number of pages of `extract_many` under way."""

    async def __aenter__(self) -> Self:
        """Start the browser. Raises `NoBrowser`."""
        await self._browser.__aenter__()
        self._is_open = True
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._is_open = False
        await self._html_first.close()
        await self._browser.__aexit__(kind, error, trace)

    @property
    def ways(self) -> Mapping[Way, int]:
        """Number of pages so far that were read from their HTML, rendered, and read both ways."""
        return self._html_first.ways

    @property
    def health(self) -> PoolHealth:
        """The browser's current health."""
        return self._browser.health

    async def drain(self) -> None:
        """Accept no new pages, and wait for those that are open: each ends within its deadline."""
        await self._browser.drain()

    async def extract(self, url: str, *, model: str = "", options: RenderOptions = LIVE) -> Document:
        """Render the page at `url` and return its main content. Raises `Retryable`, `Unusable` or `Rejected`."""
        return (await self.read(url, model=model, options=options)).document

    async def extract_html(self, html: Html, url: str = "", *, model: str = "", options: RenderOptions = STORED) -> Document:
        """Render stored HTML, with every request refused, and return its main content. Raises `Retryable`, `Unusable` or `Rejected`."""
        return (await self.read_html(html, url, model=model, options=options)).document

    async def extract_archived(self, archive: Archive | Path | str, url: str = "", *, model: str = "") -> Document:
        """Render a page of an archive with its own files, and return its main content.

        `archive` is the path of a WARC, HAR or MHTML file, of a page that a browser saved, or of a mirrored folder; or an archive opened by
        `sightread.render.archives.open.open_archive`. `url` selects one of several pages. Raises `Rejected`, `Unusable` or `Retryable`.
        """
        return (await self.read_archived(archive, url, model=model)).document

    def extract_many(
        self, urls: Iterable[str], *, model: str = "", options: RenderOptions = LIVE, rate_limit: RateLimit = RATE_LIMIT
    ) -> DocumentOutcomes:
        """Yield the outcome of each page, in order of completion: its `Document`, or its error as a value.

            async with aclosing(reader.extract_many(urls)) as outcomes:
                async for outcome in outcomes:
                    print(outcome.url, outcome.error or outcome.result.text)

        URLs are taken from the iterable as tabs become free, so it may be of any length. `rate_limit` spares the hosts: by default two
        pages of one host at once, half a second apart; the URLs of other hosts go first meanwhile. Closing the generator, as
        `contextlib.aclosing` does at the end of its block, cancels the pages under way. Raises `Rejected`, and `NoBrowser`.
        """
        if isinstance(urls, str | bytes) or not isinstance(urls, Iterable):
            raise Rejected("Reader.extract_many(): urls is a single URL: give a list of URLs, or use Reader.extract")
        check_type("Reader.extract_many(): rate_limit", rate_limit, RateLimit)
        self._check_call(model, options)

        async def extract(url: str) -> Document:
            return await self.extract(url, model=model, options=options)

        return as_completed(urls, extract, str, self.pages_ahead, rate_limit)

    async def render(self, url: str, *, options: RenderOptions = LIVE, convert: bool = False) -> Rendered:
        """Return the `Page` at `url`, with picture and capture if the options request them; no model reads it.

        It is rendered, or with `render="auto"` taken from its HTML where that is enough (`sightread.reading.html_first`). With `convert`,
        plain text, Markdown, JSON, a feed or a PDF in place of HTML is converted (`sightread.render.convert`), without a browser.
        """
        check_page_url("Reader", url)
        self._check_call("", options)
        try:
            return await self._html_first.render(url, options)
        except Unusable as failure:
            if not (convert and failure.content_type):
                raise
            return await self._html_first.convert(url, options, failure)

    async def render_again(self, url: str, options: RenderOptions, known: PageHeaders) -> Rendered | Fetched:
        """As `render`; or the answer that the page is as it was when it came with the headers `known`, or is at another address."""
        check_page_url("Reader", url)
        self._check_call("", options)
        return await self._html_first.render_again(url, options, known)

    async def render_html(self, html: Html, url: str = "", *, options: RenderOptions = STORED, archive: Archive | None = None) -> Rendered:
        """Render stored HTML, with every request refused but those for files of its archive, and return its `Page`; no model reads it."""
        check_html("Reader", html)
        check_type("Reader: url", url, str)
        self._check_call("", options)
        decoded = as_decoded(html)
        check_is_text(decoded, url)
        return await self._html_first.render_html(decoded, url, options, archive)

    async def read_rendered(self, rendered: Rendered, *, model: str = "") -> Reading:
        """Return the reading of a page that `render` rendered."""
        name = self._check_call(model, LIVE)
        return await self._finish(name, rendered.page.url, rendered)

    async def read(self, url: str, *, model: str = "", options: RenderOptions = LIVE) -> Reading:
        """Render the page at `url` and return the `Reading`: its main content with the page, the prediction and the model.

        Of plain text, Markdown, JSON, a feed and a PDF all is content.
        """
        check_page_url("Reader", url)
        name = self._check_call(model, options)
        await self._check_site(name, url)
        return await self._finish(name, url, await self.render(url, options=options, convert=True))

    @asynccontextmanager
    async def session(self, *, model: str = "", options: RenderOptions = LIVE) -> AsyncIterator[Session]:
        """Open a session: its pages share cookies, storage and cache, which are gone at the end of the block.

            async with reader.session() as session:
                await session.read(login_url, options=RenderOptions(actions=(TypeText("#user", user), Click("#enter"))))
                document = await session.extract(url)

        `options` are those of its pages. Pages are read one at a time. Raises `Rejected`, and `NoBrowser`.
        """
        name = self._check_call(model, options)
        async with self._browser.session(options) as session:
            yield Session(session, lambda url, rendered: self._finish(name, url, rendered))

    async def read_html(self, html: Html, url: str = "", *, model: str = "", options: RenderOptions = STORED) -> Reading:
        """Render stored HTML and return its `Reading`."""
        check_html("Reader", html)
        check_type("Reader: url", url, str)
        name = self._check_call(model, options)
        await self._check_site(name, url)
        return await self._finish(name, url, await self.render_html(html, url, options=options))

    async def read_archived(
        self, archive: Archive | Path | str, url: str = "", *, model: str = "", options: RenderOptions = STORED
    ) -> Reading:
        """Render a page of an archive and return its `Reading`; the note lists the archive's defects."""
        check_type("Reader: archive", archive, Archive | Path | str)
        check_type("Reader: url", url, str)
        name = self._check_call(model, options)
        await self._check_site(name, url if "://" in url else "")  # else its name in the archive
        opened = await asyncio.to_thread(open_given, archive, url)
        rendered = await self._browser.render_archived(opened, url, options)
        return noted(await self._finish(name, url, rendered), opened)

    def _check_call(self, model: str, options: RenderOptions) -> str:
        """Return the name of the model. Raises `Rejected` for wrong arguments, and then for a reader that is not open."""
        check_type("Reader: model", model, str)
        check_type("Reader: options", options, RenderOptions)
        name = model or self.model
        check_name(name)
        if not self._is_open:
            raise Rejected("the reader is not open: use it inside `async with`, as in `async with sightread.Reader() as reader:`")
        return name

    async def check_model(self, model: str, url: str) -> str:
        """Return the name of the model. Raises `Rejected` for one that cannot read the page at `url`."""
        name = self._check_call(model, LIVE)
        await self._check_site(name, url)
        return name

    async def _check_site(self, name: str, url: str) -> None:
        """Raise `Rejected` before a page is opened if the model is the site's own and the site was never learned."""
        if name == "site":
            await asyncio.to_thread(choose_model, name, url, self._sites, rendered=True)

    async def process(self, url: str, work: Callable[[], T], ends: float = math.inf) -> T:
        """Return the result of work on a page, done in a thread.

        Raises `Unusable` if that takes longer than `processing` seconds, or until `ends` of the event loop's clock.
        """
        last = asyncio.get_running_loop().time() + self.processing
        working = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            async with asyncio.timeout_at(min(last, ends)):
                return await asyncio.shield(working)
        except TimeoutError as error:
            if working.done():
                raise
            self._overdue.add(working)
            working.add_done_callback(self._forget)
            limit = f"{self.processing:g} s" if last < ends else "its deadline"
            raise Unusable(f"{url or 'the document'}: too large: not processed within {limit}") from error

    def _forget(self, working: asyncio.Future[Any]) -> None:
        self._overdue.discard(working)
        if not working.cancelled():
            working.exception()  # its result is no longer needed

    @property
    def overdue(self) -> int:
        """Number of pages still processed after their deadline: a thread cannot be stopped."""
        return len(self._overdue)

    async def _finish(self, name: str, url: str, rendered: Rendered) -> Reading:
        """Return the reading of a rendered page by the model of that name; `url` names the page in errors."""
        return await self.process(url, lambda: self.apply(rendered, name))

    def apply(self, rendered: Rendered, model: str) -> Reading:
        """Return the reading of a rendered page by the model of that name, in this thread; large pages take seconds."""
        choice = choose_model(model, rendered.page.final_url, self._sites, rendered=rendered.page.source != "static")
        return replace(apply_model(choice, rendered.page, rendered.picture), capture=rendered.capture)
