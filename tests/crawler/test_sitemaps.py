import asyncio
import gzip
import time

import pytest

from sightread.crawler.fetch import Fetched, Fetcher
from sightread.crawler.sitemaps import LIMITS, parse_sitemap, read_sitemaps
from sightread.render.archives.base import MOST_DECODED
from sightread.render.errors import Unusable
from sightread.render.network.egress import LOCAL
from tests.crawler.sites import longest_hold

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def _urlset(*places: tuple[str, str]) -> str:
    urls = "".join(f"<url><loc> {url} </loc><lastmod>{modified}</lastmod></url>" for url, modified in places)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {NAMESPACE}>{urls}</urlset>'


def _index(*urls: str) -> str:
    return f"<sitemapindex {NAMESPACE}>" + "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls) + "</sitemapindex>"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_pages_and_their_dates_are_read_packed_or_not(pack):
    data = pack(_urlset(("https://example.com/a?x=1&amp;y=2", "2024-05-01")).encode())
    assert parse_sitemap(data).pages == (("https://example.com/a?x=1&y=2", "2024-05-01"),)


def test_a_plain_list_is_a_sitemap_too():
    assert [place.url for place in parse_sitemap(b"\xef\xbb\xbfhttps://example.com/a\r\nnonsense\nhttps://example.com/b").pages] == [
        "https://example.com/a",
        "https://example.com/b",
    ]


def test_the_locations_of_pictures_are_no_pages():
    data = f'<urlset {NAMESPACE} xmlns:i="http://i"><url><loc>https://e.com/a</loc><i:image><i:loc>https://e.com/a.jpg</i:loc></i:image></url></urlset>'
    assert [place.url for place in parse_sitemap(data.encode()).pages] == ["https://e.com/a"]


def test_damaged_xml_gives_what_stands_before_the_damage():
    whole = _urlset(("https://e.com/a", ""), ("https://e.com/b", ""))
    assert "https://e.com/a" in [
        place.url for place in parse_sitemap(whole[: whole.index("</loc><lastmod></lastmod></url></urlset>")].encode()).pages
    ]


def test_entities_are_neither_expanded_nor_loaded(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("https://example.com/secret")
    bomb = '<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    doctype = f'<!DOCTYPE urlset [<!ENTITY a "https://example.com/expanded">{bomb}<!ENTITY f SYSTEM "{secret.as_uri()}">]>'
    data = f"{doctype}<urlset><url><loc>&f;</loc></url><url><loc>&b;</loc></url><url><loc>https://example.com/a</loc></url></urlset>"
    assert [place.url for place in parse_sitemap(data.encode()).pages] == ["https://example.com/a"]


@pytest.mark.parametrize("data", [b"<html><body><p>Not found</p></body></html>", b"<", b"\x1f\x8b\x08\x00damaged-data"])
def test_anything_else_is_refused(data):
    with pytest.raises(Unusable):
        parse_sitemap(data)


SIZE = MOST_DECODED - 100
BEGIN = b"<urlset><url><loc>https://e.com/a</loc></url>"
HOSTILE = {
    "lines": lambda: b"https://e.com/a\n" + b"x\n" * (SIZE // 2 - 10),
    "addresses": lambda: b"https://e.com/a\n" * (SIZE // 16),
    "entries": lambda: BEGIN + b"<url/>" * ((SIZE - 60) // 6),
    "parts of one entry": lambda: BEGIN + b"<url>" + b"<a/>" * ((SIZE - 60) // 4),
    "levels": lambda: BEGIN + b"<a>" * ((SIZE - 60) // 3),
    "attributes": lambda: BEGIN + b"<url " + b" ".join(b'a%d=">"' % number for number in range(1_400_000)) + b"/>",
    "references": lambda: BEGIN + b"<url><loc>" + b"&a;" * ((SIZE - 70) // 3),
    "instructions": lambda: BEGIN + b"<?a?>" * ((SIZE - 60) // 5),
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
async def test_a_sitemap_of_millions_of_entries_is_read_as_far_as_the_limit_while_the_loop_goes_on(make):
    packed = gzip.compress(make(), 1)

    async def get(url):
        return Fetched(url, 200, packed)

    began = time.process_time()
    reading = asyncio.ensure_future(read_sitemaps(get, ("https://e.com/s",), "https://e.com/"))
    assert await longest_hold(reading) < 0.25
    assert (await reading).urls == ("https://e.com/a",)
    assert time.process_time() - began < 6.0


async def test_a_sitemap_that_inflates_beyond_the_cap_is_passed_over(site_server):
    pages: dict[str, bytes | str] = {}
    site = await site_server(pages)
    pages["/1"] = _index(site.url("/2"), site.url("/3"))
    pages["/2"] = gzip.compress(b"<urlset>" + b" " * (MOST_DECODED + 1))
    pages["/3"] = gzip.compress(_urlset((site.url("/a"), "")).encode())
    async with Fetcher(LOCAL) as fetcher:
        read = await read_sitemaps(fetcher.get, (site.url("/1"),), site.url())
    assert (read.files, read.urls) == (3, (site.url("/a"),))
    with pytest.raises(Unusable, match=f"more than {MOST_DECODED} bytes"):
        parse_sitemap(pages["/2"])


async def test_an_index_is_followed_and_the_newest_pages_come_first(site_server):
    pages: dict[str, str] = {}
    site = await site_server(pages)
    pages["/sitemap.xml"] = _index(site.url("/one.xml"), site.url("/lost.xml"), site.url("/two.xml"))
    pages["/one.xml"] = _urlset((site.url("/old"), "2020-01-01"), (site.url("/undated"), ""))
    pages["/two.xml"] = _urlset((site.url("/new"), "2024-01-01"), ("https://elsewhere.example/a", "2025-01-01"))
    async with Fetcher(LOCAL) as fetcher:
        read = await read_sitemaps(fetcher.get, (site.url("/sitemap.xml"),), site.url())
    assert read.urls == (site.url("/new"), site.url("/old"), site.url("/undated"))


async def test_indexes_that_name_each_other_end(site_server):
    pages: dict[str, str] = {}
    site = await site_server(pages)
    pages.update({f"/{level}": _index(site.url("/1"), site.url(f"/{level + 1}")) for level in range(1, 9)})
    async with Fetcher(LOCAL) as fetcher:
        read = await read_sitemaps(fetcher.get, (site.url("/1"),), site.url())
    assert read.urls == ()
    assert site.requests == [f"/{level}" for level in range(1, LIMITS.index_levels + 1)]


async def test_a_site_with_a_sitemap_for_every_day_is_not_read_whole(site_server):
    pages: dict[str, str] = {}
    site = await site_server(pages)
    pages["/sitemap.xml"] = _index(*(site.url(f"/{day}.xml") for day in range(100)))
    async with Fetcher(LOCAL) as fetcher:
        assert (await read_sitemaps(fetcher.get, (site.url("/sitemap.xml"),), site.url())).files == LIMITS.files
        assert len(site.requests) == LIMITS.files
        half = f"<urlset {NAMESPACE}>" + "<url/>" * (LIMITS.entries // 2)
        pages.update({f"/{day}.xml": half for day in range(100)})
        assert (await read_sitemaps(fetcher.get, (site.url("/sitemap.xml"),), site.url())).files == 3  # the index, and two halves
