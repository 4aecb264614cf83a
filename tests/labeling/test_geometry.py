"""Where articles stand on their pages: containers, columns, and captions beneath pictures."""

from dataclasses import replace

import pytest

from sightread.labeling.geometry import PLACE
from sightread.labeling.label_site import label_site
from sightread.render.page import Image, Page
from tests.labeling.sites import (
    BODY,
    HEADLINE,
    NAV,
    PAGES,
    Article,
    Look,
    Spot,
    articles,
    insert,
    kept,
    lines_of,
    middles,
    page_with,
    texts,
    whole,
    with_middle,
)

CREDIT = Look("main/article/div/div.picture/span", {"color": "gray"}, 380)
WIDE = (400, 250)
"""CSS px of a picture that is one of the article's."""


def pictured(*spots: Spot) -> list[Spot]:
    """The blocks, under a picture."""
    return [spots[0].under(*WIDE), *spots[1:]]


def short(article: Article, row: int = 0) -> str:
    """A few words without a full stop."""
    return article.spare[row][:14]


def test_a_short_caption_beneath_a_picture_is_of_the_article_whatever_its_tags():
    assert middles(with_middle(lambda a: pictured(CREDIT(short(a))))) == [[short(article)] for article in articles(PAGES)]


def test_a_credit_follows_its_caption_and_may_repeat():
    credit = Look("main/article/div/div.picture/em", {"font-size": "10px"}, 200)
    agencies = ("Photo by Ann Lee", "Photo by Bo Sand", "Valley Press", "Hill Agency")
    pages = with_middle(lambda a: pictured(CREDIT(short(a)), credit(agencies[a.number % 4])))
    assert middles(pages) == [[short(article), agencies[article.number % 4]] for article in articles(PAGES)]


@pytest.mark.parametrize("size", [(PLACE.picture_width - 1, 250), (400, PLACE.picture_height - 1)], ids=["narrow", "low"])
def test_a_thumbnail_has_no_caption(size: tuple[int, int]):
    look = replace(CREDIT, width=100)
    assert middles(with_middle(lambda a: [look(short(a)).under(*size)])) == [[]] * PAGES
    assert middles(with_middle(lambda a: [look(short(a)).under(PLACE.picture_width, PLACE.picture_height)])) == [
        [short(a)] for a in articles(PAGES)
    ]


def moved(page: Page, by: float) -> Page:
    """The page with its pictures further down, or up."""
    boxes = [image.box for image in page.images]
    return replace(
        page, images=tuple(image._replace(box=box._replace(y=box.y + by)) for image, box in zip(page.images, boxes, strict=True) if box)
    )


def test_a_caption_is_set_right_beneath_its_picture_and_no_wider():
    pages, kept = with_middle(lambda a: pictured(CREDIT(short(a)))), [[short(article)] for article in articles(PAGES)]
    wider = [replace(CREDIT, width=WIDE[0] + PLACE.caption_slack + more) for more in (0, 1)]
    bare = [replace(page, images=tuple(image._replace(box=None) for image in page.images)) for page in pages]
    outside = [replace(page, images=tuple(Image(i.source, i.alt, 0, i.before, i.box) for i in page.images)) for page in pages]
    assert middles([moved(page, WIDE[1] / 2) for page in pages]) == [[]] * PAGES  # laid over it
    assert middles([moved(page, 11 - PLACE.caption_gap) for page in pages]) == kept
    assert middles([moved(page, -PLACE.caption_gap) for page in pages]) == [[]] * PAGES
    assert middles(with_middle(lambda a: pictured(wider[0](short(a))))) == kept
    assert middles(with_middle(lambda a: pictured(wider[1](short(a))))) == [[]] * PAGES
    assert middles(bare) == middles(outside) == [[]] * PAGES


def test_what_follows_a_paragraph_under_the_picture_is_no_caption():
    narrow = Look("main/article/div/p", width=380)

    def middle(article: Article) -> list[Spot]:
        return [narrow(article.spare[3]).under(*WIDE), replace(CREDIT, width=200)(short(article))]

    pages = [page_with(a, [NAV("Home"), HEADLINE(a.title), *middle(a), *map(narrow, a.paragraphs)]) for a in articles(PAGES)]
    assert texts(pages) == [[article.title, article.spare[3], *article.paragraphs] for article in articles(PAGES)]


def test_the_usual_container_corrects_a_page_where_comments_have_widened_it():
    """On one page two comments are set like paragraphs, in a single container: no split tells them apart."""
    comment = replace(BODY, path="main/section/div/p")
    body = replace(BODY, path="main/section.story/div/p")
    chatter = Look("main/aside/p", {"font-size": "12px"}, 300)

    def page(article: Article) -> Page:
        more = [*map(comment, article.spare[6:9])] if article.number == 0 else []
        spots = [*lines_of(article, body)[:-1], *more, chatter(article.spare[0])]
        return page_with(article, spots)

    assert texts([page(article) for article in articles(PAGES)]) == [whole(article) for article in articles(PAGES)]


def test_where_the_paragraphs_are_elsewhere_a_page_keeps_its_own_container():
    elsewhere = replace(BODY, path="main/section/div/p")
    pages = [
        page_with(a, lines_of(a, elsewhere if a.number == 0 else replace(BODY, path="main/section.story/div/p"))) for a in articles(PAGES)
    ]
    assert texts(pages) == [whole(article) for article in articles(PAGES)]


def test_a_line_in_the_usual_container_is_too_little_for_a_page_to_have_it():
    usual, elsewhere = replace(BODY, path="main/section.story/div/p"), replace(BODY, path="main/section/div/p")
    pages = [page_with(article, lines_of(article, usual)) for article in articles(PAGES)]
    first = articles(PAGES)[0]
    pages[0] = page_with(first, insert(lines_of(first, elsewhere), first.paragraphs[-1], usual("One line more.")))
    assert texts(pages) == [whole(article) for article in articles(PAGES)]


@pytest.mark.parametrize("path", ["ul/li", "ol/li", "table/tr/td", "dl/dd", "blockquote"])
def test_a_structure_is_no_container_and_what_stands_around_it_is_of_the_article(path: str):
    """The paragraphs are set in a list, a table or a quote; what is set between two such is of the article too."""
    body = Look(f"main/article/div/{path}/p")
    between = Look("main/article/div/p", {"font-style": "italic"}, 620)

    def page(article: Article) -> Page:
        return page_with(article, [*lines_of(article, body)[:-1], between(article.spare[0])])

    assert texts([page(article) for article in articles(PAGES)]) == [[*whole(article), article.spare[0]] for article in articles(PAGES)]


def test_of_one_look_inside_and_outside_of_the_article_only_the_inside_is_content():
    """Captions and, behind the article, the titles of others."""
    outside = replace(CREDIT, path="main/article/section/div/span")
    inside = replace(CREDIT, path="main/article/section.story/div/span")
    body = replace(BODY, path="main/article/section.story/p")

    def page(article: Article) -> Page:
        spots = insert(lines_of(article, body), article.paragraphs[1], *pictured(inside(short(article))))
        return page_with(article, insert(spots, article.paragraphs[-1], *(outside(short(article, row)) for row in (1, 2, 3))))

    pages = [page(article) for article in articles(PAGES)]
    found = label_site(pages)
    assert len({number for numbers in found.assignments for number in numbers[[5, 8, 9, 10]].tolist()}) == 1
    assert [texts[3] for texts in kept(found, pages)] == [short(article) for article in articles(PAGES)]
    assert [len(texts) for texts in kept(found, pages)] == [6] * PAGES
