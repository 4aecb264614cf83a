"""What only looks like a part of the article, and what is one though it is short: cards, counts, labels, headings."""

from dataclasses import replace

import pytest

from tests.labeling.sites import (
    AD,
    CELL,
    FORMULA,
    LEDE,
    PAGES,
    QUOTE,
    RELATED,
    SHARE,
    SUBHEAD,
    Article,
    Look,
    Spot,
    articles,
    insert,
    lines_of,
    middles,
    page_with,
    texts,
    whole,
    with_middle,
)

CARD_TITLE = Look("main/article/div/ul/li/div.title", {"font-weight": "700"}, 300)
CARD_COUNT = Look("main/article/div/ul/li/span", {"color": "gray"}, 60)
PULLED = Look("main/article/div/div.pulled", {"float": "right"}, 250)


def card(look: Look, row: int, text: str) -> Spot:
    """A block of an item of its own."""
    return replace(look, path=look.path.replace("/li/", f"/li#i{row}/"))(text)


def playlist(article: Article) -> list[Spot]:
    """Items of a title and a count each."""
    return [
        spot
        for row in range(3)
        for spot in (card(CARD_TITLE, row, f"{article.spare[row][:20]}."), card(CARD_COUNT, row, f"{7 * row + 3} songs by us"))
    ]


def test_a_playlist_is_no_list_of_the_article():
    assert middles(with_middle(playlist)) == [[]] * PAGES


def test_a_list_with_a_title_in_every_item_is():
    pages = with_middle(lambda article: [card(CARD_TITLE, row, article.spare[row][:20]) for row in range(3)])
    assert middles(pages) == [[text[:20] for text in article.spare[:3]] for article in articles(PAGES)]


def test_a_subheading_ahead_of_content_is_of_the_article_though_it_may_repeat():
    names = ("Background", "What now?")
    pages = with_middle(lambda a: [AD("Advertisement"), SUBHEAD(names[a.number % 2] if a.number < 6 else a.spare[0][:9])])
    assert [found[0] for found in middles(pages)[:6]] == [*names] * 3


def test_a_heading_that_all_pages_share_is_of_the_site():
    assert middles(with_middle(lambda _: [SUBHEAD("Background")])) == [[]] * PAGES


def test_a_heading_ahead_of_boilerplate_is_boilerplate():
    pages = with_middle(lambda article: [SUBHEAD(f"More on {article.spare[3][:9]}"), *map(RELATED, article.spare[:3])])
    assert middles(pages) == [[]] * PAGES


def test_a_heading_at_the_very_end_is_boilerplate():
    pages = [page_with(a, [*lines_of(a)[:-1], SUBHEAD(f"More on {a.spare[3][:9]}")]) for a in articles(PAGES)]
    assert texts(pages) == [whole(article) for article in articles(PAGES)]


def test_a_label_that_ends_in_a_colon_is_no_sentence_but_an_announcement_is():
    label = replace(SHARE, width=200)
    announcement = "What they found in the {} of the old town:"
    names = [article.title.split()[0] for article in articles(PAGES)]
    assert middles(with_middle(lambda article: [label(f"{names[article.number]}:")])) == [[]] * PAGES
    assert middles(with_middle(lambda article: [label(announcement.format(names[article.number]))])) == [
        [announcement.format(name)] for name in names
    ]


@pytest.mark.parametrize("text", ["{}", "{} views", "{} of 12 people liked this text."])
def test_counts_are_boilerplate_whatever_the_numbers(text: str):
    assert middles(with_middle(lambda article: [FORMULA(text.format(17 * article.number + 3))])) == [[]] * PAGES


def test_numbers_in_the_cells_of_a_table_are_of_the_article():
    def cells(article: Article) -> list[Spot]:
        return [CELL(str(1000 * (article.number + 1) + 17 * row)) for row in range(4)]

    assert middles(with_middle(cells)) == [[spot.text for spot in cells(article)] for article in articles(PAGES)]


def test_a_block_that_other_pages_say_too_is_no_content_among_those_that_are_the_pages_own():
    notice = "Read all about the flood of the year in our dossier."
    pages = with_middle(lambda article: [QUOTE(article.spare[0]), *([QUOTE(notice)] if article.number < 3 else [])])
    assert middles(pages) == [[article.spare[0]] for article in articles(PAGES)]


def test_blocks_that_repeat_have_no_vote_but_make_their_look_the_sites_where_they_are_most():
    labels = ("Top story", "In the valley", "Today")
    assert middles(with_middle(lambda article: [PULLED(article.spare[0]), PULLED(labels[0])])) == [
        [article.spare[0]] for article in articles(PAGES)
    ]
    assert middles(with_middle(lambda article: [PULLED(article.spare[0]), *map(PULLED, labels)])) == [[]] * PAGES


def test_ledes_may_stand_outside_of_the_container_and_be_of_several_looks():
    second = Look("main/div.intro/p", {"font-weight": "700"}, 650)
    pages = [page_with(a, insert(lines_of(a), a.title, LEDE(a.spare[0]), second(a.spare[1]))) for a in articles(PAGES)]
    assert [found[:3] for found in texts(pages)] == [[article.title, *article.spare[:2]] for article in articles(PAGES)]


def test_a_label_between_headline_and_text_is_no_lede():
    pages = [page_with(a, insert(lines_of(a), a.title, LEDE(f"By {a.spare[0][:14]}"))) for a in articles(PAGES)]
    assert texts(pages) == [whole(article) for article in articles(PAGES)]
