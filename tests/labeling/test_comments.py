"""Comments in the very look of the paragraphs, told apart by where they stand."""

from dataclasses import replace

import pytest

from sightread.render.page import Page
from tests.labeling.sites import BODY, NAV, Article, Look, articles, comments_of, insert, lines_of, page_with, texts, whole, write_article

PAGES = 6


def alike(step: str) -> Look:
    """The look of the paragraphs, in another container below the main part."""
    return replace(BODY, path=f"main/{step}/div/p")


def blog(article: Article, comments: int = 3) -> Page:
    """A post whose comments look like its paragraphs, each in a container of its own."""
    spots = [alike(f"article#c{row}.comment")(spot.text) for row, spot in enumerate(comments_of(article, comments))]
    return page_with(article, insert(lines_of(article), article.paragraphs[-1], *spots))


@pytest.mark.parametrize("comments", [2, 3, 12])
def test_comments_that_look_like_the_paragraphs_are_not_content(comments: int):
    assert texts([blog(article, comments) for article in articles(PAGES)]) == [whole(article) for article in articles(PAGES)]


def test_a_second_part_of_the_article_in_one_container_a_page_stays_with_it():
    pages = [page_with(a, insert(lines_of(a), a.paragraphs[-1], *map(alike("article.second"), a.spare[:4]))) for a in articles(PAGES)]
    assert texts(pages) == [[*whole(article), *article.spare[:4]] for article in articles(PAGES)]


def test_paragraphs_between_other_ones_stay_with_them():
    """Boxes among the paragraphs, two a page: they have several containers, but stand within the article."""

    def page(article: Article) -> Page:
        spots = lines_of(article)
        for row in (0, 1):
            inner = replace(BODY, path="main/article/div/p.inner")
            spots = insert(spots, article.paragraphs[row], inner(article.spare[row]))
        return page_with(article, spots)

    expected = [[a.title, a.paragraphs[0], a.spare[0], a.paragraphs[1], a.spare[1], *a.paragraphs[2:]] for a in articles(PAGES)]
    assert texts([page(article) for article in articles(PAGES)]) == expected


def test_parts_of_the_article_in_front_of_its_main_part_stay_with_it():
    def page(article: Article) -> Page:
        intro = [alike(f"article#i{row}.intro")(text) for row, text in enumerate(openings(article))]
        return page_with(article, [NAV("Home"), *intro, *map(BODY, article.paragraphs)])

    def openings(article: Article) -> tuple[str, ...]:
        return write_article(500 + article.number, 2).paragraphs

    expected = [[*openings(article), *article.paragraphs] for article in articles(PAGES)]
    assert texts([page(article) for article in articles(PAGES)]) == expected
