"""How the crawls of a soak test are compared: by the records and text of their articles, whatever folder they are in."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.soak.parts import CrawlCounts
from sightread.document.document import build_document
from sightread.render.static.parse import read_html
from sightread.sites.folders import SiteFolder
from sightread.sites.learn import save_articles

URL = "https://courier.example/ferry"


def learned(path: Path, text: str = "It sails at night.", model: str = "site") -> Path:
    """Save the one article of a learned site, with the folder's name as its version, as a trusted site model gives it."""
    page = read_html(f"<h1>The ferry</h1><p>{text}</p>", URL)
    document = build_document(page, np.ones(len(page.blocks)), model)
    save_articles(SiteFolder(path), [replace(document, version=path.name)])
    return path


def test_crawls_with_the_same_articles_are_equal_whatever_their_folders_are_called(tmp_path):
    counts = CrawlCounts()
    for number in range(3):
        counts.add("en", set(), learned(tmp_path / f"crawl-{number}"), 0)
    account = counts.account()
    assert (account.different, account.errors) == (0, {"crawls": 3})


def test_crawls_with_other_articles_than_most_crawls_of_their_edition_are_counted_with_its_name(tmp_path):
    counts = CrawlCounts()
    for number, text in enumerate(("It sails at night.", "It sails at noon.", "It sails at night.")):
        counts.add("en", set(), learned(tmp_path / f"crawl-{number}", text), 0)
    counts.add("hi", set(), learned(tmp_path / "hi"), 0)
    account = counts.account()
    assert (account.different, account.errors) == (1, {"crawls": 4, "crawls of en with other articles": 1})


def test_a_crawl_whose_articles_another_model_chose_is_another_one(tmp_path):
    counts = CrawlCounts()
    for number, model in enumerate(("site", "global", "site")):
        counts.add("en", set(), learned(tmp_path / f"crawl-{number}", model=model), 0)
    assert counts.account().different == 1
