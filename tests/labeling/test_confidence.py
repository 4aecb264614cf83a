"""How sure the labeler is of a site, what it advises, and whether a site has changed since it was learned."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.labeling.clusterings import CLUSTERINGS, dbscan
from sightread.labeling.confidence import RESAMPLING, label_stability
from sightread.labeling.evidence import gather, read_site, token_relevance
from sightread.labeling.known_clusters import DRIFT, compare_looks, has_drifted, held_out_shares, known_share, remember
from sightread.labeling.label_site import label_site
from sightread.labeling.labels import LEVELS, TRUSTED, Confidence
from sightread.labeling.looks import build_table
from sightread.render.page import Block, Page
from sightread.render.page.array_types import Labels
from tests.labeling.sites import (
    BODY,
    FOOTER,
    HEADLINE,
    NAV,
    QUOTE,
    SLOGAN,
    Article,
    Look,
    Spot,
    articles,
    comments_of,
    discussed,
    lines_of,
    make_page,
    news_site,
    page_with,
    untold,
    with_middle,
    write_article,
)


def confidence(pages: list[Page]) -> Confidence:
    return label_site(pages).confidence


def thin_page(number: int) -> Page:
    """A page whose text is spread over looks that no other page has: nothing explains it."""
    looks = [Look(f"table/{'tr/' * row}td.of{number}", {"color": f"rgb({row}, {number}, 0)"}) for row in range(8)]
    return make_page(f"https://x.test/thin/{number}", [look(f"value {row} of {number}") for row, look in enumerate(looks)])


def crumb(number: int, row: int) -> Look:
    """A look that no other page has."""
    return Look(f"aside/{'div/' * row}p", {"color": f"rgb({row}, {number}, 0)"}, 200)


def strange(article: Article, texts: int) -> Page:
    """The page of an article with long texts of looks that no other page has."""
    odd = [crumb(article.number, row)(spot.text) for row, spot in enumerate(comments_of(article, texts))]
    return page_with(article, [*lines_of(article), *odd])


@pytest.mark.parametrize("notice", ["", "All events are shown here as soon as the town hall has confirmed them. " * 9])
def test_pages_without_articles_are_not_trusted_however_much_they_repeat(notice):
    """The days of a calendar on which nothing happens."""
    days = [f"{day} {month}" for month in ("June", "July") for day in range(1, 13)]
    repeated = [BODY(notice)] if notice else []
    pages = [
        make_page(f"https://x.test/{row}", [NAV("Home"), HEADLINE(day), BODY(f"No events on {day}."), *repeated, FOOTER(SLOGAN)], [day])
        for row, day in enumerate(days)
    ]
    found = confidence(pages)
    assert found.value < TRUSTED
    assert any("these may be no articles" in line for line in found.advice)


@pytest.mark.parametrize(
    ("line", "is_scant"),
    [
        ("A ferry leaves for the island at {} o'clock on each day.", True),
        ("船は毎日{}時に港を出て島へ向かう、雨の日も風の日も、町の人を乗せて海を渡る。", False),
    ],
)
def test_a_character_of_a_dense_script_is_as_much_content_as_several_letters(line, is_scant):
    pages = []
    for row in range(12):
        spots = [NAV("Home"), HEADLINE(f"Ferry {row}"), BODY(line.format(row)), FOOTER(SLOGAN)]
        pages.append(make_page(f"https://x.test/{row}", spots, [f"Ferry {row}"]))
    assert any("these may be no articles" in advice for advice in confidence(pages).advice) == is_scant


def test_a_plain_site_is_trusted_and_needs_no_advice():
    found = confidence(news_site())
    assert found == Confidence(value=1.0, coverage=1.0, agreement=1.0, margin=1.0, stability=1.0, text_share=1.0, advice=())


def test_pages_that_no_cluster_explains_lower_it():
    found = confidence([*news_site(8), *(thin_page(number) for number in range(8))])
    assert found.value == found.coverage == 0.5 < TRUSTED
    assert found.advice == ("Content was found on 50% of the pages: start from a section that links to articles.",)


def test_pages_that_would_have_chosen_otherwise_lower_it_and_so_do_halves_of_the_site():
    found = confidence([discussed(article, 19 * (article.number // 4)) for article in articles(8)])
    assert found.value == found.agreement == 0.5 < TRUSTED
    assert found.advice == (
        "Only 50% of the pages would have chosen the same clusters by themselves: compare them in the report.",
        f"Half of the pages would have given {found.stability:.0%} of the same labels: more pages are needed.",
    )


def test_pages_that_would_have_chosen_another_part_of_the_articles_agree():
    def quotes(article: Article) -> list[Spot]:
        quotes = [QUOTE(article.spare[0]), *(QUOTE(" ".join(article.spare[row:])) for row in range(1, 5))]
        return quotes[: 1 if article.number < 6 else 5]

    assert confidence(with_middle(quotes)).agreement == 1.0


def test_content_that_is_the_lesser_part_of_the_pages_lowers_it():
    found = confidence([strange(article, 12) for article in articles(8)])
    assert found.value == pytest.approx(2 * found.text_share)
    assert found.value < TRUSTED
    assert found.advice[0].startswith(
        f"On a typical page the content is {found.text_share:.0%} of the text: check that comments or teasers"
    )


def test_another_cluster_that_comes_close_lowers_it():
    """Comments of one look, three times as long as the articles: the titles alone tell them apart."""
    found = confidence([discussed(article, 12) for article in articles(10)])
    assert found.value == pytest.approx(LEVELS.margin_weight * found.margin)
    assert found.value < TRUSTED <= min(found.agreement, found.stability, found.coverage)
    assert found.advice[-1] == (
        f"Another cluster comes within {found.margin:.0%} of the chosen one: check in the report which of them is the articles' text."
    )


def test_a_site_of_no_labels_states_so():
    found = confidence([thin_page(number) for number in range(3)])
    assert (found.value, found.coverage, found.agreement, found.margin, found.stability, found.text_share) == (0, 0, 0, 0, 0, 0)
    assert found.advice[0] == "No page could be labelled: more are needed."


def test_without_titles_and_descriptions_a_site_is_not_trusted():
    found = confidence([untold(page) for page in news_site()])
    assert found.value == LEVELS.most_without_titles < TRUSTED
    assert found.advice == (
        "No title or description distinguishes the articles: check in the report that the chosen clusters are the articles' text.",
    )


def test_fewer_than_four_pages_are_not_halved_and_count_as_untried():
    assert [confidence(news_site(count)).stability for count in range(1, RESAMPLING.fewest_pages)] == pytest.approx(
        [RESAMPLING.untried] * (RESAMPLING.fewest_pages - 1)
    )
    assert confidence(news_site(RESAMPLING.fewest_pages)).stability == 1


def unsteady_site() -> list[Page]:
    """A notice stands on three pages of ten: the site knows it as its own, and most halves of it do not."""
    notice = QUOTE("Read all about the flood of the year, day by day and street by street, in the dossier of the Valley News.")
    return with_middle(lambda article: [QUOTE(article.spare[0]), *([notice] if article.number < 3 else [])], 10)


def test_stability_falls_where_half_of_the_pages_would_have_said_otherwise():
    notice = "Read all about the flood of the year, day by day and street by street, in the dossier of the Valley News."
    halves = [label_site([page for row, page in enumerate(unsteady_site()) if row in half]) for half in ((0, 4, 5, 6, 7), (3, 4, 5, 6, 7))]
    assert [sum(map(np.count_nonzero, found.labels)) for found in halves] == [5 * 6 + 1, 5 * 6]
    assert any(block.text == notice for block in unsteady_site()[0].blocks)
    found = confidence(unsteady_site())
    assert 0.9 < found.stability < 1
    assert found.value == pytest.approx(1 - LEVELS.unstable_weight * (1 - found.stability))


def counted_relabel(pages: int) -> list[list[int]]:
    """The rows of the resamples of a site of that many pages."""
    calls: list[list[int]] = []
    site = news_site(pages)
    table = read_site(site)
    evidence = gather(table, dbscan(table.looks), token_relevance)
    labels = np.zeros(len(evidence.table.page), np.int8)

    def relabel(rows: Sequence[int]) -> Labels:
        calls.append(list(rows))
        return np.zeros(sum(len(site[row].blocks) for row in rows), np.int8)

    label_stability(evidence, labels, relabel)
    return calls


@pytest.mark.parametrize(("pages", "size"), [(4, 2), (9, 4), (60, RESAMPLING.most_pages)])
def test_resamples_are_pairs_of_halves_but_bounded(pages: int, size: int):
    calls = counted_relabel(pages)
    assert [len(rows) for rows in calls] == [size] * 2 * RESAMPLING.pairs
    assert all(not set(one) & set(other) for one, other in zip(calls[::2], calls[1::2], strict=True))
    assert all(rows == sorted(set(rows)) and set(rows) <= set(range(pages)) for rows in calls)
    assert len({tuple(rows) for rows in calls}) > 1
    assert calls == counted_relabel(pages)


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
    hidden = replace(other_kind, blocks=tuple(msgspec.structs.replace(block, hidden="display") for block in other_kind.blocks))
    for page in (make_page("https://x.test/other", [OTHER(text) for text in article.paragraphs]), hidden):
        assert compare_looks(known_of(site), page).kept == 0.0


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
