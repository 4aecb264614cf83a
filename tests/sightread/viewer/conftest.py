"""A learned site with two versions, served by its inspector, once for all tests of the viewer."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from sightread.server.http import serve_on_loopback
from sightread.server.inspector import app_of, inspect_corpus
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_candidate, open_current, promote
from sightread.sites.learn import Site, evaluate, label, train, write_articles
from sightread.sites.store import note_page
from tests.labeling.sites import articles, discussed, html_of, write_corpus

START = f"https://x.test/{'a-long-section/' * 12}"


SHELL = "<!doctype html><title>The harbour</title><div id=root></div><script src=/app.js></script>"
"""The HTML of a page that scripts build."""


def learn_version(folder, pages, sources=()):
    site = Site.open(write_corpus(folder.path, pages, START, sources))
    label(site)
    train(site)
    evaluate(site)
    write_articles(site)


@pytest.fixture(scope="session")
def two_versions(tmp_path_factory):
    """A site whose second version has another look of its comments; four pages were read with it, the last of them strange.

    Scripts build the fifth page of that version, and the HTML of the sixth was not kept.
    """
    home = SiteHome.of("https://x.test/", tmp_path_factory.mktemp("home"))
    pages = [discussed(article, 2) for article in articles(6)]
    learn_version(open_current(home), [recoloured(page) for page in pages])
    candidate = open_candidate(home, "https://x.test/")
    learn_version(candidate, pages, [*map(html_of, pages[:4]), SHELL])
    promote(home, candidate)
    for number in range(4):
        note_page(candidate.recent, f"https://x.test/{number}", strange=number == 3)
    return home


def recoloured(page):
    """The page with other colours and sizes of its last styles."""
    other = {"color": "rgb(0, 90, 0)", "font-size": "31px"}
    styles = [dict(style) | (other if row >= len(page.styles) - 1 else {}) for row, style in enumerate(page.styles)]
    return replace(page, styles=tuple(styles))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def inspected(two_versions) -> AsyncIterator[str]:
    """The address of the inspector of the site."""
    shown = inspect_corpus(two_versions.current.path, "ada")
    shown.complete()
    async with serve_on_loopback(app_of(shown)) as url:
        yield url
