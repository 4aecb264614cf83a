"""The device: what a page sees of it, what servers read, and what cannot be one."""

import json
import re

import pytest
from aiohttp import web
from playwright.async_api import async_playwright

from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Rejected
from sightread.render.network.http import PRODUCT
from sightread.render.page import Size
from sightread.render.visit.device import NAMED, Device

SEEN = """<meta name=viewport content="width=device-width"><title>Seen</title><body><p id=seen></p><script>
const brands = navigator.userAgentData ? navigator.userAgentData.brands.map((brand) => brand.brand + "/" + brand.version) : []
document.getElementById("seen").textContent = JSON.stringify({
  width: innerWidth, height: innerHeight, ratio: devicePixelRatio, touch: navigator.maxTouchPoints > 0,
  coarse: matchMedia("(pointer: coarse)").matches, dark: matchMedia("(prefers-color-scheme: dark)").matches,
  language: navigator.language, number: (1234.5).toLocaleString(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  noon: new Date(Date.UTC(2026, 0, 1, 12)).getHours(), agent: navigator.userAgent, brands, mobile: navigator.userAgentData?.mobile,
})</script>"""


@pytest.fixture
async def look(browser, site_server):
    """Render a page on a device, and return what its script saw and the headers that its server read."""
    received = {}

    async def answer(request):
        received.update({name.lower(): value for name, value in request.headers.items()})
        return web.Response(text=SEEN, content_type="text/html")

    site = await site_server({"/": answer})

    async def seen(**fields):
        page = (await browser.render(site.url(), RenderOptions(device=Device(**fields)))).page
        return json.loads(page.blocks[0].text), received

    return seen


async def test_a_device_is_what_page_and_server_see(look):
    agent = "Newsbot/1.0 (+https://example.com/bot)"
    window = {"viewport": Size(700, 500), "scale": 2.5, "colour_scheme": "dark"}
    seen, received = await look(**window, language="de-AT", time_zone="Asia/Tokyo", user_agent=agent)
    assert (seen["width"], seen["height"], seen["ratio"], seen["touch"], seen["dark"]) == (700, 500, 2.5, False, True)
    assert (seen["language"], seen["number"]) == ("de-AT", "1\u00a0234,5")
    assert received["accept-language"].split(",")[0] == "de-AT"
    assert (seen["zone"], seen["noon"]) == ("Asia/Tokyo", 21)
    assert received["user-agent"] == seen["agent"] == agent


async def test_by_default_it_is_a_fresh_browser_whose_user_agent_is_honest_and_agrees_with_the_client_hints(look):
    seen, received = await look()
    assert (seen["language"], seen["number"], seen["dark"]) == ("en-US", "1,234.5", False)
    assert received["accept-language"].split(",")[0] == "en-US"
    assert received["user-agent"] == seen["agent"]
    version = re.fullmatch(rf"Mozilla/5\.0 \(.+\) .+ HeadlessChrome/(\d+)\.0\.0\.0 Safari/537\.36 {re.escape(PRODUCT)}", seen["agent"])[1]
    assert {f"HeadlessChrome/{version}", f"Chromium/{version}"} <= set(seen["brands"])
    assert f'"HeadlessChrome";v="{version}"' in received["sec-ch-ua"]


async def test_a_mobile_device_has_a_touch_screen_and_heeds_the_viewport_meta(look):
    seen, received = await look(viewport=Size(400, 800), mobile=True)
    assert (seen["width"], seen["touch"], seen["coarse"], seen["mobile"]) == (400, True, True, True)
    assert received["sec-ch-ua-mobile"] == "?1"


async def test_named_devices_are_those_of_playwright():
    async with async_playwright() as driver:
        for name, device in NAMED.items():
            other = driver.devices[name]
            assert device.viewport == Size(**other["viewport"])
            assert (device.scale, device.mobile) == (other["device_scale_factor"], other["is_mobile"])
            assert device.mobile == other["has_touch"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"viewport": Size(0, 500)}, r"viewport 0 × 500: give whole CSS px, 100 to 10000 a side"),
        ({"viewport": Size(700.5, 500)}, r"whole CSS px"),
        ({"viewport": Size(float("nan"), 500)}, r"whole CSS px"),
        ({"scale": 0.0}, r"device scale 0: give 0.5 to 5"),
        ({"scale": float("nan")}, r"device scale nan"),
        ({"colour_scheme": "sepia"}, r"colour_scheme is 'sepia': give 'light' or 'dark'"),
        ({"language": "de_DE.UTF-8"}, r"language 'de_DE.UTF-8' \(did you mean de-DE\?\): give a language tag"),
        ({"language": "German"}, r"language 'German': give a language tag \(BCP 47\), such as en"),
        ({"language": "de\r\nX: y"}, r"language 'de..X: y': give"),
        ({"time_zone": "Europe/Vienn"}, r"time zone 'Europe/Vienn' \(did you mean Europe/Vienna\?\)"),
        ({"time_zone": "berlin"}, r"\(did you mean Europe/Berlin\?\)"),
        ({"time_zone": "Buenos Aires"}, r"\(did you mean America/.*Buenos_Aires\?\)"),
        ({"time_zone": "localtime"}, r"time zone 'localtime'.*: give a name"),
        ({"time_zone": "../etc/passwd"}, r"time zone '../etc/passwd': give a name of the time zone database, such as"),
        ({"user_agent": "x\r\nX-Injected: 1"}, r"the user agent must be one line of printable ASCII"),
        ({"user_agent": "x" * 501}, r"at most 500 characters"),
    ],
)
def test_what_no_device_has_is_reported_in_one_line(fields, message):
    with pytest.raises(Rejected, match=message) as raised:
        Device(**fields)
    assert "\n" not in str(raised.value) and "\r" not in str(raised.value)
