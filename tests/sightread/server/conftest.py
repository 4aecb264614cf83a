"""One reader of the public web, which for tests is on this machine, and the service over it; a learned site; databases of jobs."""

from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio

from benchmarks.service import postgresql as postgres
from sightread.crawler.corpus import Corpus
from sightread.reading.reader import Reader
from sightread.server.http import serve_on_loopback
from sightread.server.process.front import app_of
from sightread.server.service import Service
from sightread.sites.learn import Site, label, train
from tests.internet import Internet
from tests.labeling.sites import articles, discussed


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def reader(tmp_path_factory) -> AsyncIterator[Reader]:
    """A reader with two tabs, one for all tests that need no other: to start a browser costs more than they do."""
    async with Reader("boilerpipe", home=tmp_path_factory.mktemp("home"), tabs=2, egress=Internet().egress()) as opened:
        yield opened


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def address(reader) -> AsyncIterator[str]:
    async with serve_on_loopback(app_of(Service(reader))) as url:
        yield url


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """The corpus of a site that is labelled and trained; only to be copied."""
    folder = tmp_path_factory.mktemp("site") / "corpus"
    with Corpus.create(folder, "https://x.test/") as corpus:
        for article in articles(5):
            corpus.append(discussed(article, 2))
    site = Site.open(folder)
    label(site)
    train(site)
    return folder


@pytest.fixture(scope="session")
def postgres_url():
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres.running() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request, tmp_path):
    """The database of the jobs, without any job."""
    if request.param == "sqlite":
        return str(tmp_path / "jobs.sqlite3")
    import psycopg

    url = request.getfixturevalue("postgres_url")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS results, jobs")
    return url
