import gzip
import socket

import pytest
from aiohttp import web

from crawler.fetch import Fetcher, inflate
from crawler.version import USER_AGENT
from render.errors import Retryable, Unusable


async def test_an_error_status_is_an_answer(site_server):
    site = await site_server({"/gone": (410, {}, "gone")})
    async with Fetcher() as fetcher:
        assert await fetcher.get(site.url("/gone")) == (site.url("/gone"), 410, b"gone")


async def test_it_says_who_it_is(site_server):
    async def echo(request: web.Request) -> web.Response:
        return web.Response(text=request.headers["User-Agent"])

    site = await site_server({"/": echo})
    async with Fetcher() as fetcher:
        assert (await fetcher.get(site.url())).body.decode() == USER_AGENT
    assert USER_AGENT.startswith("sightread/")


async def test_redirects_are_followed_to_their_end(site_server):
    site = await site_server({"/a": (301, {"Location": "b?x=1"}, ""), "/b": "there"})
    async with Fetcher() as fetcher:
        assert await fetcher.get(site.url("/a")) == (site.url("/b?x=1"), 200, b"there")


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://example.com/a", "http://user:secret@127.0.0.1/"])
async def test_a_redirect_that_leaves_the_web_is_refused(site_server, location):
    site = await site_server({"/": (302, {"Location": location}, "")})
    async with Fetcher() as fetcher:
        with pytest.raises(Unusable, match="redirects to"):
            await fetcher.get(site.url())


async def test_a_loop_of_redirects_ends_after_ten(site_server):
    site = await site_server({"/": (302, {"Location": "/"}, "")})
    async with Fetcher() as fetcher:
        with pytest.raises(Unusable, match="more than 10 redirects"):
            await fetcher.get(site.url())
    assert len(site.requests) == 11


async def test_a_body_beyond_the_cap_is_refused_while_it_is_read(site_server):
    site = await site_server({"/": b"x" * 200_001})
    async with Fetcher(cap=200_000) as fetcher:
        with pytest.raises(Unusable, match="larger than 200000 bytes"):
            await fetcher.get(site.url())


async def test_a_small_body_that_inflates_beyond_the_cap_is_refused(site_server):
    bomb = gzip.compress(b"\0" * 5_000_000)
    site = await site_server({"/": (200, {"Content-Encoding": "gzip"}, bomb)})
    async with Fetcher(cap=200_000) as fetcher:
        with pytest.raises(Unusable, match="when decompressed"):
            await fetcher.get(site.url())


async def test_an_encoded_body_is_decoded(site_server):
    site = await site_server({"/": (200, {"Content-Encoding": "gzip"}, gzip.compress(b"hello"))})
    async with Fetcher() as fetcher:
        assert (await fetcher.get(site.url())).body == b"hello"


async def test_a_refused_connection_may_work_later():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        async with Fetcher() as fetcher:
            with pytest.raises(Retryable, match="cannot connect"):
                await fetcher.get(url)


async def test_use_outside_its_block_is_a_mistake():
    with pytest.raises(RuntimeError, match="async with"):
        await Fetcher().get("http://127.0.0.1/")


def test_gzip_that_breaks_off_gives_what_there_is():
    data = gzip.compress(b"".join(b"%d " % number for number in range(10_000)))
    assert inflate(data[:-2000], "x").startswith(b"0 1 2 ")
    assert inflate(gzip.compress(b"a") + gzip.compress(b"b"), "x") == b"ab"


@pytest.mark.parametrize("data", [b"\x1f\x8b\x08\x00damaged-data", b"plain text"])
def test_what_is_no_gzip_is_refused(data):
    with pytest.raises(Unusable, match="gzip"):
        inflate(data, "x")
