"""The cache: off unless a request states an age, and within what the page's headers allow."""

import math

import pytest

from sightread.server.engine.engine import AnswerCache, Engine, lifetime
from sightread.server.schema.requests import AccessRequest, ExtractRequest, RenderRequest
from tests.internet import public_url
from tests.sightread.server.jobs.test_jobs import story


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ((), math.inf),
        ((("cache-control", "max-age=60"),), 60),
        ((("Cache-Control", 'max-age="60", s-maxage=5'),), 5),
        ((("cache-control", "public, max-age=60"), ("cache-control", "no-store")), 0),
        ((("cache-control", "private"),), 0),
        ((("cache-control", 'no-cache="set-cookie"'),), 0),
        ((("cache-control", "max-age=soon"),), 0),
        ((("cache-control", "a-" * 200_000),), 0),
        ((("vary", "*"),), 0),
        ((("vary", "accept"),), math.inf),
    ],
)
def test_the_headers_of_a_page_decide_how_long_its_answer_is_shared(headers, seconds):
    assert lifetime(headers) == seconds


def test_the_oldest_answers_go_first_and_a_large_one_is_not_kept():
    cache, expected = AnswerCache(100), [ExtractRequest(url=f"http://a/{n}", max_age=9) for n in range(6)]
    for each in expected[:5]:
        cache.store("extract", each, b"x" * 24, ())
    cache.store("extract", expected[5], b"x" * 26, ())
    assert [cache.find("extract", each) is not None for each in expected] == [False, True, True, True, True, False]
    assert cache.find("render", expected[1]) is None


async def test_an_answer_is_reused_only_for_the_same_request_and_never_with_credentials(reader, site_server):
    engine = Engine(reader)
    site = await site_server({"/a": story(1), "/private": (200, {"Cache-Control": "private"}, story(2))})

    async def visits(path, **options):
        before = len(site.requests)
        answer = await engine.extract(ExtractRequest(url=public_url(site.root, path=path), **options))
        assert "ninety years" in answer.text
        return sum(each == path for each in site.requests[before:]), answer.page.age

    assert await visits("/a") == (1, 0.0)
    assert await visits("/a", max_age=60) == (1, 0.0)
    read, age = await visits("/a", max_age=50)
    assert (read, 0 <= age < 50) == (0, True)
    assert (await visits("/a", max_age=60, without=("links",)))[0] == 1
    assert (await visits("/a", max_age=60, access=AccessRequest(headers={"X-Key": "k"})))[0] == 1
    assert (await visits("/a"))[0] == 1
    for _ in range(2):
        assert (await visits("/private", max_age=60))[0] == 1
    assert (await engine.render(RenderRequest(url=public_url(site.root, path="/a"), max_age=60))).page.age == 0.0
