"""Boxes put into articles that are not of them, on too few pages to give themselves away by repetition."""

import pytest

from tests.labeling.sites import PAGES, Article, Look, Spot, articles, lines_of, page_with, texts, whole, with_middle, write_article

APPEAL_TITLE = Look("main/article/div/div.appeal/strong", {"font-weight": "700"}, 500)
APPEAL = Look("main/article/div/div.appeal/p", {"background-color": "pink"}, 500)
IN_DETAILS = Look("main/article/div/details/p", {"background-color": "pink"}, 500)
DETAILS_TITLE = Look("main/article/div/details/summary", {"font-weight": "700"}, 500)


def box(article: Article, label: str = "From our friends") -> list[Spot]:
    """A titled box of sentences that no other page says."""
    return [
        APPEAL_TITLE(f"{label} {write_article(900 + article.number).title}"),
        *map(APPEAL, write_article(900 + article.number).spare[:2]),
    ]


def with_boxes(boxes: dict[int, list[Spot]]):
    return with_middle(lambda article: boxes.get(article.number, []))


@pytest.mark.parametrize("on", [(0,), (2, 5), tuple(range(PAGES))], ids=["one page", "two pages", "all pages"])
def test_a_box_of_a_title_and_text_of_another_look_is_not_of_the_article(on: tuple[int, ...]):
    pages = with_boxes({row: box(articles(PAGES)[row]) for row in on})
    assert texts(pages) == [whole(article) for article in articles(PAGES)]


def test_a_box_without_a_title_is():
    pages = with_boxes({row: box(articles(PAGES)[row])[1:] for row in range(PAGES)})
    assert [found[3:5] for found in texts(pages)] == [list(write_article(900 + row).spare[:2]) for row in range(PAGES)]


def test_a_box_that_opens_with_a_sentence_is():
    def spots(article: Article) -> list[Spot]:
        return [APPEAL_TITLE(article.spare[0]), APPEAL(article.spare[1])]

    pages = with_boxes({article.number: spots(article) for article in articles(PAGES)})
    assert [found[3:5] for found in texts(pages)] == [list(article.spare[:2]) for article in articles(PAGES)]


def test_a_structure_of_the_article_may_have_a_title_and_another_look():
    def spots(article: Article) -> list[Spot]:
        return [DETAILS_TITLE(article.spare[2][:14]), *map(IN_DETAILS, article.spare[:2])]

    pages = with_boxes({article.number: spots(article) for article in articles(PAGES)})
    assert all(set(article.spare[:2]) <= set(found) for article, found in zip(articles(PAGES), texts(pages), strict=True))


def test_a_box_that_holds_paragraphs_of_the_article_is_of_it():
    section = Look("main/article/div/div.section/p.first", {"font-size": "17px"}, 700)
    label = Look("main/article/div/div.section/strong", {"font-weight": "700"}, 500)
    body = Look("main/article/div/div.section/p")

    def page(article: Article):
        spots = [label(f"Part {article.title}"), section(article.spare[0]), *map(body, article.paragraphs)]
        return page_with(article, [*lines_of(article)[:3], *spots])

    assert [found[1:] for found in texts([page(article) for article in articles(PAGES)])] == [
        [article.spare[0], *article.paragraphs] for article in articles(PAGES)
    ]
