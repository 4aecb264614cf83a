"""What one site receives, and no other: headers, cookies, a name and a password; and the device that pages and servers see."""

import base64
import json
import re
from contextlib import suppress

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from playwright.async_api import async_playwright

from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.errors import Rejected, Unusable
from sightread.render.network.http import PRODUCT
from sightread.render.page import Size
from sightread.render.visit.device import NAMED, Device
from sightread.render.visit.requests import Access
from tests.internet import Internet, public_url

SECRET = "s3cret-value"


class Ear:
    """A site's pages that note the headers of each request."""

    def __init__(self):
        self.received = {}

    def responding(self, html="", status=200, **headers):
        async def answer(request):
            self.received[request.path] = request.headers
            return web.Response(status=status, text=html, content_type="text/html", headers=headers)

        return answer

    def all(self):
        return " ".join(f"{path} {dict(headers)}" for path, headers in self.received.items())


@pytest.fixture(scope="module")
async def public():
    """A browser for which sites have names, so that they are sites apart."""
    async with Browser(egress=Internet().egress()) as opened:
        yield opened


async def test_headers_and_cookies_reach_the_site_and_all_of_its_own_parts(browser, site_server):
    recorder = Ear()
    site = await site_server({"/": recorder.responding("<p>Text<img src=/own.png>"), "/own.png": recorder.responding()})
    access = Access(site.url("/somewhere?else"), (("X-Key", SECRET), ("Accept", "text/html")), (("session", "abc"), ("b", "1")))
    await browser.render(site.url(), RenderOptions(access=access))
    for path in ("/", "/own.png"):
        assert recorder.received[path]["X-Key"] == SECRET
        assert recorder.received[path].getall("Accept") == ["text/html"]
        assert sorted(recorder.received[path]["Cookie"].split("; ")) == ["b=1", "session=abc"]


async def test_third_parties_are_reported_nothing(public, site_server):
    own, foreign = Ear(), Ear()
    other = await site_server({"/": foreign.responding("<p>Frame"), "/x.js": foreign.responding(), "/x.png": foreign.responding()})
    root = public_url(other.root)
    html = f"<p>Text<img src='{root}x.png'><script src='{root}x.js'></script><iframe src='{root}'></iframe>"
    site = await site_server({"/": own.responding(html)})
    access = Access(public_url(site.root), (("X-Key", SECRET), ("Authorization", f"Bearer {SECRET}")), (("session", SECRET),))
    await public.render(public_url(site.root), RenderOptions(access=access))
    assert set(foreign.received) == {"/", "/x.js", "/x.png"}
    assert SECRET not in foreign.all() and "X-Key" not in foreign.all()
    assert own.received["/"]["X-Key"] == SECRET


@pytest.mark.parametrize("away", ["server", "script", "form"])
async def test_a_redirect_to_another_host_takes_nothing_along(public, site_server, away):
    own, foreign = Ear(), Ear()
    other = await site_server({"/": foreign.responding("<p>Text")})
    target = public_url(other.root)
    moved = {
        "server": own.responding(status=302, Location=target),
        "script": own.responding(f"<script>location = '{target}'</script>"),
        "form": own.responding(f"<form action='{target}' method=post></form><script>document.forms[0].submit()</script>"),
    }[away]
    site = await site_server({"/": moved})
    access = Access(public_url(site.root), (("X-Key", SECRET),), (("session", SECRET),), "ann", SECRET)
    page = (await public.render(public_url(site.root), RenderOptions(access=access))).page
    assert page.final_url == target
    assert own.received["/"]["X-Key"] == SECRET
    assert SECRET not in foreign.all()


async def test_what_is_meant_for_a_site_reaches_it_also_by_way_of_another(public, site_server):
    own = Ear()
    site = await site_server({"/": own.responding("<p>Text")})
    other = await site_server({"/": (302, {"Location": public_url(site.root)}, "")})
    await public.render(public_url(other.root), RenderOptions(access=Access(public_url(site.root), (("X-Key", SECRET),))))
    assert own.received["/"]["X-Key"] == SECRET


async def test_the_next_page_of_the_site_tells_it_nothing_unless_it_is_to(browser, site_server):
    recorder = Ear()
    site = await site_server({"/": recorder.responding("<p>Text")})
    with_access = RenderOptions(access=Access(site.url(), (("X-Key", SECRET),), (("session", SECRET),)))
    for options, received in ((RenderOptions(), False), (with_access, True), (RenderOptions(), False), (with_access, True)):
        await browser.render(site.url(), options)
        assert (SECRET in recorder.all()) is received


async def test_another_port_of_the_host_gets_no_header(browser, site_server):
    foreign = Ear()
    other = await site_server({"/x.png": foreign.responding()})
    site = await site_server({"/": f"<p>Text<img src='{other.url('/x.png')}'>"})
    await browser.render(site.url(), RenderOptions(access=Access(site.url(), (("X-Key", SECRET),))))
    assert "X-Key" not in foreign.received["/x.png"]


async def test_a_cookie_is_the_hosts_alone_and_not_its_subdomains(browser, site_server):
    foreign, own = Ear(), Ear()
    below = await site_server({"/x.png": foreign.responding()})
    image = f"http://below.host.localhost:{below.root.rpartition(':')[2]}/x.png"
    site = await site_server({"/": own.responding(f"<p>Text<img src='{image}'>")})
    root = f"http://host.localhost:{site.root.rpartition(':')[2]}/"
    await browser.render(root, RenderOptions(access=Access(root, cookies=(("session", SECRET),))))
    assert SECRET in own.received["/"]["Cookie"]
    assert "Cookie" not in foreign.received["/x.png"]


def guarded(recorder, realm="Basic realm=x"):
    async def answer(request):
        recorder.received.setdefault(request.path, []).append(request.headers.get("Authorization", ""))
        if request.headers.get("Authorization") != "Basic " + base64.b64encode(b"ann:pass:word").decode():
            return web.Response(status=401, headers={"WWW-Authenticate": realm}, text="<p>Who?", content_type="text/html")
        return web.Response(text="<p>Inside", content_type="text/html")

    return answer


async def test_a_name_and_password_open_the_site_that_requests_them(browser, site_server):
    recorder = Ear()
    site = await site_server({"/": guarded(recorder)})
    options = RenderOptions(access=Access(site.url(), user="ann", password="pass:word"))
    assert [block.text for block in (await browser.render(site.url(), options)).page.blocks] == ["Inside"]
    assert recorder.received["/"][0] == ""  # not before it is asked for


async def test_a_wrong_password_is_reported_once_and_ends_as_a_401_that_does_not_repeat_it(browser, site_server):
    recorder = Ear()
    site = await site_server({"/": guarded(recorder)})
    options = RenderOptions(access=Access(site.url(), user="ann", password=SECRET))
    with pytest.raises(Unusable, match="401") as raised:
        await browser.render(site.url(), options)
    assert SECRET not in str(raised.value)
    assert len(recorder.received["/"]) == 2


async def test_a_third_party_that_requests_a_password_gets_none(public, site_server):
    foreign = Ear()
    other = await site_server({"/": guarded(foreign), "/x.png": guarded(foreign)})
    root = public_url(other.root)
    site = await site_server({"/": f"<p>Text<img src='{root}x.png'><iframe src='{root}'></iframe>"})
    options = RenderOptions(access=Access(public_url(site.root), user="ann", password="pass:word"))
    await public.render(public_url(site.root), options)
    assert foreign.received == {"/": [""], "/x.png": [""]}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"headers": (("X Key", SECRET),)}, "header 1: its name"),
        ({"headers": ((f"Bearer {SECRET}", ""),)}, "header 1: its name"),
        ({"headers": (("X-Key", f"{SECRET}\r\nX-Injected: 1"),)}, "header X-Key: its value holds a line break"),
        ({"headers": (("X-Key", f"{SECRET}\n"),)}, "a line break"),
        ({"headers": (("X-Key", f"{SECRET}\0"),)}, "control character"),
        ({"headers": (("X-Key", f"{SECRET}\u0100"),)}, "X-Key"),
        ({"headers": (("Host", SECRET),)}, "header Host: it belongs to the transfer"),
        ({"headers": (("Sec-Fetch-Site", SECRET),)}, "leave it out"),
        ({"headers": (("Cookie", SECRET),)}, "give it as a cookie"),
        ({"headers": (("User-Agent", SECRET),)}, "give it as the user agent"),
        ({"headers": (("X-Key", SECRET * 1000),)}, "the headers have more than 8000 characters"),
        ({"cookies": (("a;b", SECRET),)}, "cookie 1: its name"),
        ({"cookies": (("a", f"{SECRET}; Domain=example.com"),)}, "cookie a: its value"),
        ({"cookies": (("a", f"{SECRET}\r\n"),)}, "cookie a: its value"),
        ({"user": f"{SECRET}:x"}, "a colon"),
        ({"user": "ann", "password": f"{SECRET}\n"}, "control character"),
        ({"password": SECRET}, "a password without a user name"),
    ],
)
def test_what_cannot_be_sent_is_refused_in_one_line_that_does_not_repeat_it(fields, message):
    with pytest.raises(Rejected, match=message) as raised:
        Access("https://example.com/", **fields)
    assert "\n" not in str(raised.value)
    assert SECRET not in str(raised.value)


@given(st.text(), st.text())
def test_what_is_accepted_can_end_no_line_and_begin_no_header(name, value):
    with suppress(Rejected):
        Access("https://example.com/", headers=((name, value),))
        assert name.isascii() and not set(name) & set(" \t\r\n:\0")
        assert not any(ord(character) < 32 and character != "\t" for character in value) and value == value.strip(" \t")
    with suppress(Rejected):
        Access("https://example.com/", cookies=((name, value),))
        assert (name + value).isascii() and (name + value).isprintable() and not set(name + value) & set(' ;,"\\')


@pytest.mark.parametrize("origin", ["", "example.com", "file:///etc/passwd", "https://ann:pw@example.com/"])
def test_an_origin_is_that_of_a_web_address(origin):
    with pytest.raises(Rejected):
        Access(origin)


def test_an_origin_is_written_as_browsers_write_it():
    assert Access("HTTPS://EXAMPLE.com:443/a?b").origin == "https://example.com"
    assert Access("http://[::1]:8080/").origin == "http://[::1]:8080"


def test_secrets_stay_out_of_what_is_printed():
    access = Access("https://example.com", (("X-Key", SECRET),), (("session", SECRET),), SECRET, SECRET)
    assert repr(access) == "Access(origin='https://example.com')"
    assert SECRET not in repr(RenderOptions(access=access))


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
