"""Pictures: the whole page, as WebP, no larger than WebP can be."""

import pytest
from playwright.async_api import Error

from render.browser import RenderOptions
from render.errors import Retryable
from render.page import Size
from render.picture import TALLEST, screenshot


def webp_size(picture):
    """Read width and height from the header of a lossy or an extended WebP."""
    assert (picture[:4], picture[8:12]) == (b"RIFF", b"WEBP")
    if picture[12:16] == b"VP8X":
        return tuple(int.from_bytes(picture[at : at + 3], "little") + 1 for at in (24, 27))
    assert picture[12:16] == b"VP8 "
    return tuple(int.from_bytes(picture[at : at + 2], "little") & 0x3FFF for at in (26, 28))


async def picture_of(browser, html):
    return (await browser.render_html(f"<!doctype html><body style='margin:0'>{html}", options=RenderOptions(picture=True))).picture


async def test_the_whole_page_is_taken_at_half_scale(browser):
    assert webp_size(await picture_of(browser, "<div style='height:3000px'>x")) == (800, 1500)


async def test_a_page_taller_than_webp_is_cut(browser):
    width, height = webp_size(await picture_of(browser, "<div style='height:50000px'>x"))
    assert (width, height) == (800, TALLEST - 1)


class FailingTab:
    """A tab that takes no picture."""

    def __init__(self, answer):
        self.url = "http://site.test/"
        self.context = self
        self.answer = answer

    async def new_cdp_session(self, tab):
        return self

    async def send(self, method, options):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def detach(self):
        pass


@pytest.mark.parametrize(
    "answer", [Error("Target closed\nlong log"), {}, {"data": "?"}, {"data": ""}], ids=["closed", "none", "broken", "empty"]
)
async def test_a_failed_picture_may_work_later_and_says_so_in_one_line(answer):
    with pytest.raises(Retryable, match=r"^http://site\.test/: .*picture.*try again") as raised:
        await screenshot(FailingTab(answer), Size(10, 20))
    assert "\n" not in str(raised.value)
