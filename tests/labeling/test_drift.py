"""Whether a page looks like those that a site was learned from, and whether the site has changed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.labeling.clusterings import CLUSTERINGS
from sightread.labeling.known_clusters import DRIFT, compare_looks, has_drifted, held_out_shares, known_share, remember
from sightread.labeling.looks import build_table
from sightread.render.page import Block
from tests.labeling.sites import COMMENT, FOOTER, NAV, Look, articles, lines_of, make_page, news_site, page_with, write_article

OTHER = Look("div/section/div.text", {"font-family": "serif"}, 610)


def known_of(pages):
    table = build_table(pages)
    return remember(table, CLUSTERINGS["dbscan"](table))


@pytest.fixture
def site():
    return news_site(8)


def test_a_new_page_of_the_template_is_known(site):
    assert known_share(known_of(site), page_with(write_article(99), lines_of(write_article(99)))) == 1.0


def test_of_an_article_in_another_look_only_the_boilerplate_is_known(site):
    article = write_article(99)
    page = page_with(article, lines_of(article, body=OTHER, headline=OTHER))
    footer = len(page.blocks[-1].text)
    unlinked = sum(len(block.text) - block.link_chars for block in page.blocks)
    assert known_share(known_of(site), page) == pytest.approx(footer / unlinked)


def test_a_page_of_another_kind_has_the_looks_of_the_site_and_a_page_of_another_site_has_not(site):
    article = write_article(99)
    other_kind = page_with(article, [*lines_of(article), *[OTHER("A line of a reference.")] * 99])
    found = compare_looks(known_of(site), other_kind)
    assert found.known < 0.5 and found.kept == 1.0
    hidden = replace(other_kind, blocks=tuple(replace(block, hidden="display") for block in other_kind.blocks))
    for page in (make_page("https://x.test/other", [OTHER(text) for text in article.paragraphs]), hidden):
        assert compare_looks(known_of(site), page).kept == 0.0


def test_links_and_hidden_text_count_for_nothing(site):
    page = make_page("https://x.test/links", [FOOTER("Here"), Look("div/a", linked=True)("A link of a look never seen"), OTHER("Unseen")])
    hidden = replace(page, blocks=(*page.blocks[:2], replace(page.blocks[2], hidden="display")))
    assert known_share(known_of(site), hidden) == 1.0
    assert known_share(known_of(site), page) < 1.0


def test_a_page_of_links_is_judged_by_its_links(site):
    assert known_share(known_of(site), make_page("https://x.test/list", [NAV("Home"), NAV("Sports")])) == 1.0
    assert known_share(known_of(site), make_page("https://x.test/list", [Look("div/b/a", linked=True)("Home")])) == 0.0


def test_held_out_pages_are_compared_with_the_others_only(site):
    odd = page_with(write_article(50), lines_of(write_article(50), body=OTHER, headline=OTHER))
    pages = [*site, odd]
    assert known_share(known_of(pages), odd) == 1.0
    shares = held_out_shares(known_of(pages), pages)
    assert shares[:8].tolist() == [1.0] * 8
    assert shares[8] < 0.2


def test_what_is_not_laid_out_makes_no_page_more_or_less_familiar(site):
    narrow = replace(OTHER, width=OTHER.width - 118)  # within reach of one another, but for the menus
    odd = [page_with(write_article(50 + row), lines_of(write_article(50 + row), body=look)) for row, look in enumerate((OTHER, narrow))]
    pages = [*site, *odd]
    menu = Block("Choose your town. " * 9, 0, None, None, hidden="display")
    dark = [replace(page, blocks=(*page.blocks, *[menu] * 40)) for page in pages]
    known = known_of(pages)
    assert held_out_shares(known, dark).tolist() == held_out_shares(known, pages).tolist()
    assert [known_share(known, page) for page in dark] == [known_share(known, page) for page in pages]


def test_comments_on_some_pages_only_are_known_from_them():
    pages = [
        page_with(article, [*lines_of(article), *([COMMENT("Well said, I am sure of it.")] if article.number % 2 else [])])
        for article in articles(8)
    ]
    assert held_out_shares(known_of(pages), pages).tolist() == [1.0] * 8


@pytest.mark.parametrize(
    ("strange", "pages", "rate", "drifted"),
    [
        (4, 4, 0.04, False),  # too few to say
        (5, 5, 0.04, True),
        (2, 5, 0.001, False),  # no majority, however unlikely
        (3, 5, 0.04, True),
        (3, 5, 0.2, False),  # the site always had odd pages
        (6, 10, 0.2, True),
        (5, 10, 0.04, False),
        (10, 10, 1.0, False),  # every page was strange before
    ],
)
def test_a_site_has_changed_where_most_new_pages_are_strange_and_chance_does_not_explain_it(strange, pages, rate, drifted):
    assert has_drifted(strange, pages, rate) is drifted


@given(st.integers(0, 40), st.integers(0, 40), st.floats(0, 1))
def test_more_strange_pages_never_take_a_change_back(strange, familiar, rate):
    pages = strange + familiar + 1
    assert has_drifted(strange, pages, rate) <= has_drifted(strange + 1, pages, rate)
    assert not has_drifted(strange, pages, rate) or (2 * strange > pages >= DRIFT.least_pages)


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3])
def test_pages_that_are_strange_by_chance_seldom_raise_an_alarm(rate):
    drawn = np.random.default_rng(0).binomial(10, rate, 5000)
    assert np.mean([has_drifted(int(count), 10, rate) for count in drawn]) <= 0.01
