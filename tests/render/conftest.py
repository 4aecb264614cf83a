"""What the renderer's tests share."""

import pytest

from sightread.render.browser.browser import RenderOptions


@pytest.fixture
def read(browser):
    """Return what the browser collects of a page's HTML."""

    async def read(html, **options):
        options.setdefault("javascript", False)
        return (await browser.render_html(f"<!doctype html>{html}", "http://site.test/a/", RenderOptions(**options))).page

    return read
