"""`Session`: pages read one after another with the same cookies, as after a login."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from sightread.document.document import Document
from sightread.reading import Reading
from sightread.reading.inputs import check_page_url
from sightread.render.argument_checks import check_call, check_type
from sightread.render.browser.browser import BrowserSession
from sightread.render.visit.visit import Rendered, RenderOptions


@check_call
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
