"""How sure the labeler is of each template and of each page."""

import pytest

from sightread.labeling.confidence import LEVELS
from sightread.labeling.evidence import REPEATED_ON
from sightread.labeling.label_site import label_site
from sightread.render.page import Page
from tests.labeling.sites import AD, Article, Look, articles, comments_of, discussed, lines_of, news_site, page_with, write_article

REVIEW = Look("div/section/p", {"font-family": "serif"}, 560)
REVIEW_HEADLINE = Look("div/header/h1", {"font-family": "serif"}, 900)


def strange(article: Article, texts: int) -> Page:
    """The page of an article with long texts of looks that no other page has."""
    looks = [Look(f"aside/{'div/' * row}p", {"color": f"rgb({row}, 0, 0)"}, 200) for row in range(texts)]
    return page_with(
        article, [*lines_of(article), *(look(spot.text) for look, spot in zip(looks, comments_of(article, texts), strict=True))]
    )


def review(article: Article) -> Page:
    """The page of an article in another template."""
    return page_with(article, lines_of(article, REVIEW, REVIEW_HEADLINE))


def test_each_template_has_its_pages_and_a_confidence_of_its_own():
    pages = [page_with(article, lines_of(article)) for article in articles(8)]
    pages[2:2] = [review(article) for article in articles(12)[8:]]
    news, reviews = label_site(pages).templates
    assert (news.pages, reviews.pages) == ((0, 1, *range(6, 12)), (2, 3, 4, 5))
    assert news.value == 1
    assert (reviews.agreement, reviews.margin) == (1, 1)
    assert reviews.value == pytest.approx(min(4 / LEVELS.enough_pages, 1 - LEVELS.unstable_weight * (1 - reviews.stability)))


def test_copies_are_one_page_of_their_template():
    (template,) = label_site(news_site(2) * 5).templates
    assert (template.pages, template.value) == (tuple(range(10)), 2 / LEVELS.enough_pages)


def test_the_template_that_explains_most_is_the_first_whatever_the_order_of_the_pages():
    pages = [*(review(article) for article in articles(12)[8:]), *news_site(8)]
    assert [template.pages for template in label_site(pages).templates] == [tuple(range(4, 12)), (0, 1, 2, 3)]


def test_templates_name_the_cluster_of_their_paragraphs():
    found = label_site([*news_site(8), *(review(article) for article in articles(12)[8:])])
    assert [found.clusters[template.cluster].tag_path for template in found.templates] == ["body/main/article/div/p", "body/div/section/p"]
    assert [found.clusters[template.cluster].template for template in found.templates] == [0, 1]


def test_a_template_with_a_narrow_margin_does_not_drag_the_other_down():
    pages = [*news_site(8), *(page_with(a, [*lines_of(a, REVIEW, REVIEW_HEADLINE), *comments_of(a, 10)]) for a in articles(16)[8:])]
    news, reviews = sorted(label_site(pages).templates, key=lambda template: template.pages)
    assert reviews.value == pytest.approx(LEVELS.margin_weight * reviews.margin)
    assert reviews.value < news.value == 1


def test_a_page_is_as_sure_as_its_template():
    found = label_site([*news_site(8), *(review(article) for article in articles(12)[8:])])
    assert found.page_confidence[:8] == (1.0,) * 8
    assert found.page_confidence[8:] == (found.templates[1].value,) * 4


def test_a_page_with_the_usual_comments_is_as_sure_as_the_others():
    found = label_site([discussed(article, 2) for article in articles(9)])
    assert set(found.page_confidence) == {found.templates[0].value} == {1.0}


def test_a_page_with_much_text_that_the_site_does_not_explain_is_less_sure():
    last = write_article(8)
    found = label_site([*news_site(8), strange(last, 3)])
    told_text = sum(map(len, (last.title, *last.paragraphs)))
    other = sum(len(spot.text) for spot in comments_of(last, 3))
    assert found.page_confidence[8] == pytest.approx(told_text / (told_text + other))
    assert set(found.page_confidence[:8]) == {found.templates[0].value}


def test_text_that_stands_in_its_look_on_two_more_pages_is_explained():
    is_certain = [
        label_site(
            [*news_site(8), *(page_with(a, [*lines_of(a), *map(AD, a.spare[:4])]) for a in articles(8 + count)[8:])]
        ).page_confidence[-1]
        for count in (REPEATED_ON - 1, REPEATED_ON)
    ]
    assert is_certain[0] < is_certain[1] == 1
