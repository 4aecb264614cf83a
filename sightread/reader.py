"""Reading pages with a browser."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import TracebackType
from typing import Self

from classify.document import Document
from render.browser import STORED, Browser, Rendered, RenderOptions
from render.charset import check_is_text, decode_html
from render.egress import PUBLIC, Egress
from sightread.models import choose_model
from sightread.reading import Reading, apply_model
from sightread.shelf import Shelf

LIVE = RenderOptions()


class Reader:
    """Reads pages with a browser of its own; an async context manager, outside of which it raises `RuntimeError`.

    `model` is a name as on the command line; `home` is where learned sites are kept (SIGHTREAD_HOME by default); `executable` names a
    Chromium (else Playwright's own or the system's is found); `tabs` is how many pages may be open at once. `egress` says what they may
    reach: the public web, or with `Egress(local=True)` this machine and private networks as well.
    """

    def __init__(
        self,
        model: str = "auto",
        *,
        home: Path | None = None,
        executable: Path | None = None,
        tabs: int = 2,
        egress: Egress = PUBLIC,
    ) -> None:
        self.model = model
        self.egress = egress
        self._shelf = Shelf(home)
        self._browser = Browser(executable, tabs, egress)

    async def __aenter__(self) -> Self:
        """Start the browser. Raises `NoBrowser`."""
        await self._browser.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._browser.__aexit__(kind, error, trace)

    async def extract(self, url: str, *, model: str = "") -> Document:
        """Render the page at `url` and return its main content. Raises `Retryable`, `Unusable` or `Rejected`."""
        return (await self.read(url, model=model)).document

    async def extract_html(self, html: str | bytes, url: str = "", *, model: str = "") -> Document:
        """Render stored HTML, with every request refused, and return its main content. Raises `Retryable`, `Unusable` or `Rejected`."""
        return (await self.read_html(html, url, model=model)).document

    async def read(self, url: str, *, model: str = "", options: RenderOptions = LIVE) -> Reading:
        """Render the page at `url` and return its main content with all that led to it."""
        name = model or self.model
        choose_model(name, url, self._shelf, rendered=True)  # a wrong name costs no page
        rendered = await self._browser.render(url, options)
        return await asyncio.to_thread(self._apply, name, rendered.page.final_url, rendered)

    async def read_html(self, html: str | bytes, url: str = "", *, model: str = "", options: RenderOptions = STORED) -> Reading:
        """Render stored HTML and return its main content with all that led to it."""
        name = model or self.model
        choose_model(name, url, self._shelf, rendered=True)
        check_is_text(decode_html(html) if isinstance(html, bytes) else html, url)
        return await asyncio.to_thread(self._apply, name, url, await self._browser.render_html(html, url, options))

    def _apply(self, name: str, url: str, rendered: Rendered) -> Reading:
        choice = choose_model(name, url, self._shelf, rendered=True)
        return apply_model(choice, rendered.page, rendered.picture)
