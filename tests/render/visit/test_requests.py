"""What one site is told, and nobody else: extra headers, cookies, a name and a password."""

import base64
from contextlib import suppress

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.errors import Rejected, Unusable
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
