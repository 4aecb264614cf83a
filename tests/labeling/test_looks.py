"""Signatures of looks, and pages that are copies."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.labeling.looks import COPIES, Signature, build_table, find_copies
from sightread.render.page import Page
from tests.labeling.sites import (
    BODY,
    NAV,
    QUOTE,
    TEASER,
    Look,
    articles,
    insert,
    lines_of,
    make_page,
    news_site,
    page_with,
    texts,
    whole,
    write_article,
)


def test_blocks_of_one_path_and_style_share_a_signature_across_pages():
    table = build_table([make_page("https://x.test/1", [BODY("a"), QUOTE("b")]), make_page("https://x.test/2", [QUOTE("c"), BODY("d")])])
    assert table.signatures == (
        Signature("body/main/article/div/p", {}),
        Signature("body/main/article/div/blockquote/p", {"font-style": "italic"}),
    )
    assert table.signature.tolist() == [0, 1, 1, 0]
    assert table.width.tolist() == [700, 620, 620, 700]
    assert table.page.tolist() == [0, 0, 1, 1]


PRINTED = Look("div.print/p", {"font-family": "serif"}, 600)
PRINTED_HEADLINE = Look("div.print/h1", {"font-family": "serif"}, 600)
SENTENCES = [sentence for number in range(40) for sentence in write_article(number, 1).spare]
"""More than enough different ones of about 70 characters."""


def printed(number: int) -> Page:
    """The print version of an article: another address, another look, no navigation."""
    page = page_with(write_article(number), lines_of(write_article(number), PRINTED, PRINTED_HEADLINE)[2:])
    return replace(page, url=f"{page.url}/print", final_url=f"{page.url}/print")


def page_of(name: str, sentences: list[str], look: Look = BODY) -> Page:
    return make_page(f"https://x.test/{name}", [look(text) for text in sentences])


def originals(*pages: Page) -> list[int]:
    return find_copies(pages).original.tolist()


def test_an_address_fetched_twice_is_one_page():
    first, second = (make_page("https://x.test/1", [BODY(f"Seen {count} times.")]) for count in (3, 4))
    assert originals(first, second) == [0, 0]


def test_a_text_under_two_addresses_is_one_page():
    page = news_site(1)[0]
    assert originals(page, replace(page, final_url="https://x.test/0?from=mail")) == [0, 0]


def test_a_print_version_is_a_copy_though_it_looks_different_and_lacks_the_navigation():
    assert originals(*news_site(3), printed(1)) == [0, 1, 2, 1]


def test_a_chain_of_copies_ends_at_its_first_page():
    steps = [page_of(f"{row}", SENTENCES[3 * row : 3 * row + 10]) for row in range(3)]
    assert originals(steps[0], steps[2]) == [0, 1]
    assert originals(*steps) == [0, 0, 0]


def test_a_page_of_teasers_is_a_copy_of_none_that_it_teases():
    written = [write_article(number) for number in range(4)]
    hub = page_of("hub", [text for article in written for text in (f"{article.title} is news.", article.description)], TEASER)
    pages = [page_with(article, insert(lines_of(article), article.title, BODY(article.description))) for article in written]
    assert originals(hub, *pages) == [0, 1, 2, 3, 4]


def test_a_page_that_is_hardly_more_than_a_teaser_is_no_copy():
    few = SENTENCES[: COPIES.least_characters // 100]
    assert sum(map(len, few)) < COPIES.least_characters
    assert originals(page_of("all", SENTENCES[:12]), page_of("few", few)) == [0, 1]
    assert originals(page_of("all", SENTENCES[:12]), page_of("more", SENTENCES[:4])) == [0, 0]


def test_pages_that_share_half_of_what_they_say_are_two():
    assert originals(page_of("a", SENTENCES[:20]), page_of("b", SENTENCES[10:30])) == [0, 1]


def test_what_many_pages_share_does_not_make_them_one():
    notice = [f"{text} (terms of use)" for text in SENTENCES[:12]]
    pages = [page_of(f"{row}", [*notice, SENTENCES[20 + row]]) for row in range(COPIES.most_pages + 1)]
    assert originals(*pages) == list(range(COPIES.most_pages + 1))
    assert originals(*pages[: COPIES.most_pages]) == [0] * COPIES.most_pages


def test_short_texts_and_links_make_no_copies():
    short = [f"{row:04} short line." for row in range(40)]
    assert len(short[0]) < COPIES.least_text
    assert originals(page_of("a", ["First.", *short]), page_of("b", ["Second.", *short])) == [0, 1]
    assert originals(page_of("a", SENTENCES[:9], NAV), page_of("b", SENTENCES[:10], NAV)) == [0, 1]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.sampled_from(SENTENCES[:30]), min_size=1, max_size=12, unique=True), max_size=6))
def test_an_original_stands_at_or_ahead_of_its_copies_and_is_its_own(pages: list[list[str]]):
    found = originals(*(page_of(f"{row}", sentences) for row, sentences in enumerate(pages)))
    assert all(original <= row and found[original] == original for row, original in enumerate(found))


PARTS = page_of("1", SENTENCES[:8]), page_of("2", SENTENCES[8:16])
ALL_OF_IT = page_of("all", SENTENCES[:16])


@pytest.mark.parametrize(("order", "whole_page"), [((0, 1, 2), 0), ((1, 0, 2), 1), ((1, 2, 0), 2)])
def test_a_page_that_holds_several_others_is_a_copy_of_none(order, whole_page):
    found = find_copies([(ALL_OF_IT, *PARTS)[row] for row in order])
    assert found.original.tolist() == [0, 1, 2]
    assert np.flatnonzero(found.is_collection).tolist() == [whole_page]


def test_an_article_on_two_fronts_is_no_collection():
    fronts = page_of("front", SENTENCES[:24]), page_of("archive", [*SENTENCES[:8], *SENTENCES[24:32]])
    articles_of_both = [page_of(f"{row}", SENTENCES[8 * row : 8 * row + 8]) for row in range(4)]
    found = find_copies([*fronts, *articles_of_both])
    assert found.original.tolist() == list(range(6))
    assert np.flatnonzero(found.is_collection).tolist() == [0, 1]


def test_a_front_with_whole_articles_does_not_make_their_text_repeated():
    written = articles(8)
    entry = Look("main/article/h2", {"font-size": "20px"}, 690)
    front = page_with(write_article(8), [spot for article in written[:4] for spot in lines_of(article, headline=entry)[:-1]])
    found = texts([*(page_with(article, lines_of(article)) for article in written), front])
    assert found[:8] == [whole(article) for article in written]
