"""The made-up magazine: the same for the same seed, and without the text of its stories and reports if scripts build them."""

import aiohttp

from benchmarks.sites.local_site import SECTIONS, LocalSite


def test_the_same_seed_gives_the_same_pages():
    assert [LocalSite(8).html(row) for row in range(8)] == [LocalSite(8).html(row) for row in range(8)]
    assert LocalSite(8, seed=1).paths != LocalSite(8).paths
    assert {path.split("/")[1] for path in LocalSite(8).paths} == set(SECTIONS)


async def test_a_server_has_all_that_the_pages_load():
    site = LocalSite(4, is_mixed=True)
    async with site.serve() as root, aiohttp.ClientSession() as client:
        for path in ("/", "/sitemap.xml", "/style.css", "/site.js", "/data/2.json", "/images/3.svg", *site.paths):
            async with client.get(root + path) as answer:
                assert answer.status == 200
                assert await answer.read()
        async with client.get(root + "/robots.txt") as answer:
            assert answer.status == 404
