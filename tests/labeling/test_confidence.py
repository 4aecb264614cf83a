"""How sure the labeler is of a site, and what it advises."""

import pytest

from labeling.auto import FEW_PAGES, TRUSTED, UNTOLD, label_site
from labeling.labels import Confidence
from render.page import Page
from tests.labeling.sites import (
    COMMENT,
    QUOTE,
    Article,
    Look,
    articles,
    insert,
    lines_of,
    make_page,
    news_site,
    told,
    untold,
    write_article,
)


def confidence(pages: list[Page]) -> Confidence:
    return label_site(pages).confidence


def thin_page(number: int) -> Page:
    """A page whose text is spread over looks that no other page has: nothing explains it."""
    looks = [Look(f"table/{'tr/' * row}td.of{number}", {"color": f"rgb({row}, {number}, 0)"}) for row in range(8)]
    return make_page(f"https://x.test/thin/{number}", [look(f"value {row} of {number}") for row, look in enumerate(looks)])


def discussion(article: int, comments: int) -> Page:
    """A page with comments as long as paragraphs, which speak of other things."""
    written = write_article(article)
    spots = [COMMENT(write_article(100 * (article + 1) + row).paragraphs[1]) for row in range(comments)]
    return told(written, insert(lines_of(written), written.paragraphs[-1], *spots))


def test_a_plain_site_is_trusted_and_needs_no_advice():
    found = confidence(news_site())
    assert (found.value, found.coverage, found.agreement, found.advice) == (1.0, 1.0, 1.0, ())
    assert found.text_share == pytest.approx(1)


def test_pages_that_no_cluster_explains_lower_it():
    found = confidence([*news_site(6), *(thin_page(number) for number in range(6))])
    assert found.value == found.coverage == 0.5 < TRUSTED
    assert found.advice == ("Content was found on 50% of the pages: start from a section that links to articles.",)


def test_pages_without_text_do_not_count_against_it():
    assert confidence([*news_site(6), *[make_page("https://x.test/empty", [])] * 6]).value == 1.0


def test_pages_that_would_have_chosen_otherwise_lower_it():
    found = confidence([*(discussion(number, 0) for number in range(4)), *(discussion(number, 18) for number in range(4, 8))])
    assert found.value == found.agreement == 0.5 < TRUSTED
    assert found.advice == ("Only 50% of the pages would have chosen the same clusters by themselves: compare them in the report.",)


def test_pages_that_would_have_chosen_another_part_of_the_articles_agree():
    def page(article: Article) -> Page:
        quotes = [QUOTE(article.spare[0]), *(QUOTE(" ".join(article.spare[row:])) for row in range(1, 5))]
        return told(article, insert(lines_of(article), article.paragraphs[1], *quotes[: 1 if article.number < 6 else 5]))

    assert confidence([page(article) for article in articles(8)]).agreement == 1.0


def test_content_that_is_the_lesser_part_of_the_pages_lowers_it():
    pages = [told(a, [*lines_of(a), *(_own_look(a.number, row) for row in range(12))]) for a in articles(6)]
    found = confidence(pages)
    assert found.value == pytest.approx(2 * found.text_share)
    assert found.value < TRUSTED
    assert found.advice[0].startswith(
        f"On a typical page the content is {found.text_share:.0%} of the text: check that comments or teasers"
    )


def _own_look(number: int, row: int):
    return Look(f"aside/{'div/' * row}p", {"color": f"rgb({row}, 0, 0)"}, 200)(write_article(100 * (number + 1) + row).paragraphs[1])


@pytest.mark.parametrize("count", [1, 2, FEW_PAGES - 1])
def test_few_pages_lower_it(count: int):
    found = confidence(news_site(count))
    assert found.value == pytest.approx(count / FEW_PAGES)
    assert found.advice[0].endswith("pages could be labelled: crawl more of them (--pages).")


def test_enough_pages_do_not():
    assert confidence(news_site(FEW_PAGES)).value == 1.0


def test_without_titles_and_descriptions_a_site_is_not_trusted():
    found = confidence([untold(page) for page in news_site()])
    assert found.value == UNTOLD < TRUSTED
    assert found.advice == (
        "No title or description tells the articles apart: check in the report that the chosen clusters are the articles' text.",
    )


def test_titles_and_descriptions_that_all_pages_share_tell_nothing():
    pages = [
        make_page(page.url, lines_of(article), ["Valley News"], ["All the news."])
        for article, page in zip(articles(8), news_site(), strict=True)
    ]
    assert confidence(pages).value == UNTOLD


def test_a_page_is_as_sure_as_the_content_is_large():
    plain, commented = label_site([*news_site(7), discussion(7, 3)]).page_confidence[-2:]
    text = [len(paragraph) for paragraph in (write_article(7).title, *write_article(7).paragraphs)]
    comments = [len(write_article(800 + row).paragraphs[1]) for row in range(3)]
    assert plain == pytest.approx(1)
    assert commented == pytest.approx(sum(text) / (sum(text) + sum(comments)))


def test_nothing_it_says_leaves_nought_to_one():
    for pages in (news_site(1), news_site(9), [thin_page(number) for number in range(3)], [discussion(number, 20) for number in range(5)]):
        found = label_site(pages)
        parts = found.confidence
        assert all(0 <= part <= 1 for part in (parts.value, parts.coverage, parts.agreement, parts.text_share, *found.page_confidence))
