"""The made-up magazine: the same for the same seed, and without the text of its stories and reports if scripts build them."""

import aiohttp
import pytest

from benchmarks.sites.local_site import SCRIPTED, SECTIONS, LocalSite
from sightread.render.static.parse import read_html
from sightread.render.text.words import words


def text_of(html: str) -> str:
    return "\n".join(block.text for block in read_html(html).blocks)


def test_the_same_seed_gives_the_same_pages():
    assert [LocalSite(8).html(row) for row in range(8)] == [LocalSite(8).html(row) for row in range(8)]
    assert LocalSite(8, seed=1).paths != LocalSite(8).paths
    assert {path.split("/")[1] for path in LocalSite(8).paths} == set(SECTIONS)


@pytest.mark.parametrize("row", range(4))
def test_scripts_build_the_articles_of_two_templates(row):
    static, mixed = LocalSite(8), LocalSite(8, is_mixed=True)
    path = mixed.paths[row]
    assert mixed.needs_scripts(path) == (path.split("/")[1] in SCRIPTED)
    assert not static.needs_scripts(path)
    share = len(words(text_of(mixed.html(row)))) / len(words(text_of(static.html(row))))
    assert share < 0.7 if mixed.needs_scripts(path) else share == 1.0


async def test_a_server_has_all_that_the_pages_load():
    site = LocalSite(4, is_mixed=True)
    async with site.serve() as root, aiohttp.ClientSession() as client:
        for path in ("/", "/sitemap.xml", "/style.css", "/site.js", "/data/2.json", "/images/3.svg", *site.paths):
            async with client.get(root + path) as answer:
                assert answer.status == 200
                assert await answer.read()
        async with client.get(root + "/robots.txt") as answer:
            assert answer.status == 404
