"""A small site on the public web of the tests, and the service over it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest_asyncio
from aiohttp import web

from sightread.reading.reader import Reader
from sightread.server.access.gate import GatePolicy, SingleToken
from sightread.server.engine.engine import EnginePolicy
from sightread.server.http import serve_on_loopback
from sightread.server.process.front import app_of
from sightread.server.service import Service
from tests.conftest import Answer
from tests.internet import Internet, public_url

TOKEN = "a-token-of-the-tests"
SECRET = "a-secret-of-the-tests"
LONG = "It has carried shift workers across the estuary for ninety years, and by now it runs half empty most of the time. " * 3
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
NAV = '<nav><a href="/">Home</a> <a href="/imprint">Imprint of the paper</a></nav>'


def page(title: str, content: str) -> str:
    head = f'<title>{title}</title><meta name="description" content="All the news of the estuary">'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{NAV}<main><h1>{title}</h1>{content}</main></body></html>'


def story(number: int) -> str:
    picture = '<img src="/picture.png" alt="The ferry" width="300" height="200">' if number == 1 else ""
    script = "<script>document.querySelector('.said').textContent = 'language ' + navigator.language + ', a sentence about it.'</script>"
    return page(
        f"Story {number}",
        f'<p class="lead">The lead of story {number}.</p><p>Number {number}. {LONG}</p>{picture}<p class="said"></p>{script}',
    )


async def _slow(_request: web.Request) -> web.Response:
    await asyncio.sleep(20)
    return web.Response(text="late")


def pages() -> dict[str, Answer]:
    """Return the pages: a front page, four stories, a long report; links lead to one that is gone, and one that robots.txt forbids."""
    links = "".join(f'<li><a href="/story/{number}">Story {number} of the paper, about the ferry</a></li>' for number in range(1, 5))
    others = '<li><a href="/gone">A story that is gone, about the ferry</a></li><li><a href="/secret">A story of nobody, about it</a></li>'
    chapters = "".join(f"<h2>Chapter {number}</h2><p>{LONG * 3}</p>" for number in range(1, 31))
    return {
        "/": page("The paper", f"<ul>{links}{others}</ul>"),
        "/robots.txt": (200, {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /secret\n"),
        **{f"/story/{number}": story(number) for number in range(1, 5)},
        "/imprint": page("Imprint", f"<p>{LONG}</p>"),
        "/long": page("A long report", chapters),
        "/picture.png": (200, {"Content-Type": "image/png"}, PICTURE),
        "/slow": _slow,
    }


@dataclass(frozen=True, slots=True)
class Served:
    """The service, and the site."""

    url: str
    site: str
    root: str
    """The site's address on this machine."""
    requests: list[str]


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def reader(tmp_path_factory) -> AsyncIterator[Reader]:
    async with Reader(home=tmp_path_factory.mktemp("home"), tabs=2, egress=Internet().egress()) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def served(reader, site_server) -> AsyncIterator[Served]:
    site = await site_server(pages())
    service = Service(reader, gate=GatePolicy(SingleToken(TOKEN)), policy=EnginePolicy(webhook_secret=SECRET))
    async with serve_on_loopback(app_of(service)) as url:
        yield Served(url, public_url(site.root, path=""), site.root, site.requests)
