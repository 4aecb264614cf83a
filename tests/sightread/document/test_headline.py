"""The headline, which is kept beside the blocks that a model keeps."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from sightread.classify.model import Prediction
from sightread.document.selection import select
from sightread.render.static.parse import read_html


def belongs(html: str) -> set[str]:
    """The texts that belong to those that begin with KEEP."""
    return texts_added(f"<html><head><title>What it is - Site</title></head><body>{html}")


def texts_added(html: str, url: str = "https://example.org/") -> set[str]:
    """The texts beside those that begin with KEEP."""
    page = read_html(html, url)
    kept = np.array([block.text.startswith("KEEP") for block in page.blocks])
    return {page.blocks[row].text for row in select(page, Prediction(kept.astype(float), needs_headline=True)).rows if not kept[row]}


@pytest.mark.parametrize(
    ("banner", "headline"),
    [
        ('<h1><a href="/">What it is</a></h1>', {"What it was"}),
        ("<h1>Site</h1>", {"What it was"}),
        ("<h1>What it is</h1>", {"What it is"}),
    ],
    ids=["a link to the home page", "the site's own name", "no banner"],
)
def test_the_banner_of_the_site_is_no_headline(banner: str, headline: set[str]) -> None:
    head = '<title>What it is</title><meta property="og:site_name" content="Site"><meta name="twitter:title" content="What it was">'
    html = f'<head>{head}<meta name="twitter:title" content="Site"></head><body>{banner}<h1>What it was</h1><p>KEEP'
    assert texts_added(html, "https://example.org/a") == headline


def test_the_headline_belongs_where_it_stands_before_what_is_kept() -> None:
    assert belongs("<h2>What it is</h2><h1>What it is</h1><p>KEEP") == {"What it is"}
    assert belongs("<h1>Another thing</h1><p>KEEP") == set()
    assert belongs("<p>KEEP<h1>What it is</h1>") == set()


@pytest.mark.parametrize(
    ("title", "body", "headline"),
    [
        ("The old bridge fell (2025) | Valley News", "<h1>The old bridge fell</h1><p>by Ann<p>KEEP", {"The old bridge fell"}),
        ("Promises - Guides | MDN", "<h1>Promises</h1><p>KEEP", {"Promises"}),
        ("The old bridge fell - Valley News", "<h1>Valley News</h1><p>KEEP", set()),
        ("The old bridge fell", "<h1>The bridge</h1><h1>that fell</h1><p>KEEP", set()),
        ("The old bridge fell", "<p>KEEP<h1>The old bridge</h1><p>Others", set()),
    ],
    ids=["part of the title", "a short part", "the site's name", "not the only one", "after the beginning"],
)
def test_the_only_first_heading_is_the_headline_if_it_is_mostly_the_title(title: str, body: str, headline: set[str]) -> None:
    assert texts_added(f"<head><title>{title}</title></head><body>{body}", "https://example.org/a") == headline


@pytest.mark.parametrize(
    ("title", "body", "headline"),
    [
        ("The Tide Tables: 港の朝", "<h1>The Tide Tables</h1><h1>6 港の朝</h1><p>KEEP", {"6 港の朝"}),
        ("港の朝 :: The Tide Tables :: Talks", "<h1>The Tide Tables</h1><h3>港の朝</h3><p>KEEP", {"港の朝"}),
        ("The Tide Tables: 港の朝", "<h1>The Tide Tables</h1><p>KEEP<h2>港の朝</h2><p>KEEP", {"The Tide Tables"}),
        ("The old bridge fell | News", "<h1>The old bridge fell</h1><h2>More</h2><p>KEEP", {"The old bridge fell"}),
    ],
    ids=["numbered", "three parts", "below the text", "no other part"],
)
def test_a_name_of_the_site_that_is_longer_than_the_headline_is_none_where_that_is_a_heading_below(
    title: str, body: str, headline: set[str]
):
    assert texts_added(f"<head><title>{title}</title></head><body>{body}", "https://example.org/a") == headline


def test_a_headline_that_the_browser_did_not_lay_out_is_none() -> None:
    page = read_html("<head><title>What it is</title></head><body><h1>What it is</h1><p>KEEP")
    for hidden, rows in (("", (0, 1)), ("display", (1,))):
        page = replace(page, blocks=(msgspec.structs.replace(page.blocks[0], hidden=hidden), page.blocks[1]))
        assert select(page, Prediction(np.array([0.1, 0.9]), needs_headline=True)).rows == rows
