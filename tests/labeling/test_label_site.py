"""Labels of a site: templates, comments, pages in any order and twice, and how sure each page is."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.labeling.evidence import REPEATED_ON
from sightread.labeling.label_site import label_site
from sightread.labeling.labels import LEVELS, SiteLabels
from sightread.render.errors import Rejected
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.page import Block, Page
from tests.labeling.sites import (
    AD,
    BODY,
    CAPTION,
    COMMENT,
    FOOTER,
    HEADLINE,
    ITEM,
    NAV,
    QUOTE,
    SHARE,
    SUBHEAD,
    TEASER,
    Article,
    Look,
    articles,
    comments_of,
    discussed,
    insert,
    kept,
    lines_of,
    make_page,
    news_site,
    page_with,
    texts,
    untold,
    whole,
    write_article,
)

EMPTY = make_page("https://x.test/empty", [])
REVIEW = Look("div#review/section/p", {"font-family": "serif"}, 560)
REVIEW_HEADLINE = Look("div#review/header/h1", {"font-family": "serif"}, 900)


def test_headline_and_paragraphs_are_content_and_the_boilerplate_is_not():
    pages = news_site()
    found = label_site(pages)
    assert list(kept(found, pages)) == [whole(article) for article in articles(8)]
    assert all((labels != UNKNOWN).all() for labels in found.labels)


def test_comments_longer_than_the_articles_are_not_their_text():
    pages = [discussed(article, 12) for article in articles(8)]
    assert sum(len(block.text) for block in pages[0].blocks if block.text not in write_article(0).paragraphs) > sum(
        map(len, write_article(0).paragraphs)
    )
    assert list(kept(label_site(pages), pages)) == [whole(article) for article in articles(8)]


def test_each_template_gives_its_own_text():
    news, reviews = articles(10)[:6], articles(10)[6:]
    pages = [page_with(article, lines_of(article)) for article in news]
    pages += [page_with(article, lines_of(article, REVIEW, REVIEW_HEADLINE)) for article in reviews]
    found = label_site(pages)
    assert list(kept(found, pages)) == [whole(article) for article in (*news, *reviews)]
    bodies = {cluster.tag_path: cluster.template for cluster in found.clusters if cluster.role == "body"}
    assert bodies == {"body/main/article/div/p": 0, "body/div/section/p": 1}


def test_a_site_that_says_nothing_of_itself_is_labelled_by_its_text_alone():
    pages = [untold(page) for page in news_site()]
    assert list(kept(label_site(pages), pages)) == [list(article.paragraphs) for article in articles(8)]


def test_a_page_that_no_cluster_reaches_is_unknown_and_never_negative():
    pages = [*news_site(), make_page("https://x.test/topics", [NAV("Home"), *(NAV(f"Topic {number}") for number in range(9))])]
    found = label_site(pages)
    assert found.labels[-1].tolist() == [UNKNOWN] * 10
    assert found.page_confidence[-1] == 0
    assert all(UNKNOWN not in labels for labels in found.labels[:-1])


def test_pages_without_boxes_and_styles_are_labelled_by_their_paths():
    bare = [
        replace(page, blocks=tuple(msgspec.structs.replace(block, box=None, style=None) for block in page.blocks)) for page in news_site()
    ]
    assert list(kept(label_site(bare), bare)) == [whole(article) for article in articles(8)]


@pytest.mark.parametrize("places", [(0,), (8,), (3, 4), (0, 4, 10)], ids=["first", "last", "between", "everywhere"])
def test_pages_without_blocks_leave_the_others_where_they_are(places: tuple[int, ...]):
    full = news_site()
    pages = list(full)
    for place in places:
        pages.insert(place, EMPTY)
    found = label_site(pages)
    assert [len(labels) for labels in found.labels] == [len(page.blocks) for page in pages]
    assert [len(numbers) for numbers in found.assignments] == [len(page.blocks) for page in pages]
    assert [texts for texts in kept(found, pages) if texts] == list(kept(label_site(full), full))
    assert [found.page_confidence[place] for place in places] == [0.0] * len(places)


def test_text_that_is_not_laid_out_is_noise_and_boilerplate_and_changes_no_other_label():
    secret = "One paragraph that nobody sees, as long as any of those that everybody does, or longer still."
    plain = [*news_site(), make_page("https://x.test/topics", [NAV("Home")])]
    pages = []
    for page in plain:
        element = page.blocks[0].element
        pages.append(replace(page, blocks=(page.blocks[0], Block(secret, element, hidden="display"), *page.blocks[1:])))
    found, usual = label_site(pages), label_site(plain)
    assert [numbers[1] for numbers in found.assignments] == [-1] * 9
    assert [labels[1] for labels in found.labels] == [BOILERPLATE] * 8 + [UNKNOWN]
    assert [np.delete(labels, 1).tolist() for labels in found.labels] == [labels.tolist() for labels in usual.labels]
    assert found.confidence == usual.confidence


@pytest.mark.parametrize(
    "write",
    [
        lambda number: "。".join(chr(0x4E00 + 97 * number + row) * 2 + "在河上建了新的桥" for row in range(12)) + "。",
        lambda number: "। ".join(f"{chr(0x0915 + number)}ि{chr(0x0915 + row)}ा नदी पर नया पुल बना" for row in range(12)) + "।",
        lambda number: "۔ ".join(f"{chr(0x0627 + number)}{chr(0x0628 + row)}ر تم بناء جسر جديد على النهر" for row in range(12)) + "۔",
    ],
    ids=["Chinese", "Devanagari", "Arabic"],
)
def test_articles_of_other_scripts_are_found_too(write: Callable[[int], str]):
    written = [
        replace(
            write_article(number), title=write(number)[:16], description=write(number)[:60], paragraphs=(write(number), write(number + 9))
        )
        for number in range(6)
    ]
    pages = [page_with(article, lines_of(article)) for article in written]
    assert list(kept(label_site(pages), pages)) == [whole(article) for article in written]


SERIF = Look("div/section/p", {"font-family": "serif"}, 560)
SERIF_HEADLINE = Look("div/header/h1", {"font-family": "serif"}, 900)


def strange(article: Article, texts: int) -> Page:
    """The page of an article with long texts of looks that no other page has."""
    looks = [Look(f"aside/{'div/' * row}p", {"color": f"rgb({row}, 0, 0)"}, 200) for row in range(texts)]
    return page_with(
        article, [*lines_of(article), *(look(spot.text) for look, spot in zip(looks, comments_of(article, texts), strict=True))]
    )


def review(article: Article) -> Page:
    """The page of an article in another template."""
    return page_with(article, lines_of(article, SERIF, SERIF_HEADLINE))


def test_each_template_has_its_pages_and_a_confidence_of_its_own():
    pages = [page_with(article, lines_of(article)) for article in articles(8)]
    pages[2:2] = [review(article) for article in articles(12)[8:]]
    news, reviews = label_site(pages).templates
    assert (news.pages, reviews.pages) == ((0, 1, *range(6, 12)), (2, 3, 4, 5))
    assert news.value == 1
    assert (reviews.agreement, reviews.margin) == (1, 1)
    assert reviews.value == pytest.approx(min(4 / LEVELS.enough_pages, 1 - LEVELS.unstable_weight * (1 - reviews.stability)))


def test_the_template_that_explains_most_is_the_first_whatever_the_order_of_the_pages():
    pages = [*(review(article) for article in articles(12)[8:]), *news_site(8)]
    assert [template.pages for template in label_site(pages).templates] == [tuple(range(4, 12)), (0, 1, 2, 3)]


def test_a_template_with_a_narrow_margin_does_not_drag_the_other_down():
    pages = [*news_site(8), *(page_with(a, [*lines_of(a, SERIF, SERIF_HEADLINE), *comments_of(a, 10)]) for a in articles(16)[8:])]
    news, reviews = sorted(label_site(pages).templates, key=lambda template: template.pages)
    assert reviews.value == pytest.approx(LEVELS.margin_weight * reviews.margin)
    assert reviews.value < news.value == 1


def test_a_page_is_as_sure_as_its_template():
    found = label_site([*news_site(8), *(review(article) for article in articles(12)[8:])])
    assert found.page_confidence[:8] == (1.0,) * 8
    assert found.page_confidence[8:] == (found.templates[1].value,) * 4


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


LOOKS = (NAV, HEADLINE, BODY, QUOTE, ITEM, CAPTION, SUBHEAD, TEASER, COMMENT, SHARE, FOOTER)
WRITTEN = [text for article in articles(3) for text in (*article.paragraphs, *article.spare[:4])]
TEXTS = ("", "Share", "12", "1", "By Ann", *WRITTEN)


def portal() -> list[Page]:
    """News with comments, quotes and teasers, reviews in another template, a page of links, and an empty one."""

    def news(article: Article) -> Page:
        if article.number % 2:
            return discussed(article, article.number % 4)
        return page_with(article, insert(lines_of(article), article.paragraphs[0], *map(QUOTE, article.spare[:2])))

    pages = [news(article) for article in articles(8)]
    pages += [page_with(article, lines_of(article, SERIF, SERIF_HEADLINE)) for article in articles(12)[8:]]
    return [*pages, make_page("https://x.test/links", [NAV("Home"), NAV("All of it")]), make_page("https://x.test/empty", [])]


PORTAL = portal()
USUAL = {page.url: labels.tolist() for page, labels in zip(PORTAL, label_site(PORTAL).labels, strict=True)}


@settings(max_examples=8, deadline=None)
@given(st.permutations(range(len(PORTAL))))
def test_the_order_of_the_pages_changes_no_label(order: list[int]):
    pages = [PORTAL[row] for row in order]
    assert [labels.tolist() for labels in label_site(pages).labels] == [USUAL[page.url] for page in pages]


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(PORTAL) - 1), st.integers(0, len(PORTAL))), min_size=1, max_size=4), st.booleans())
def test_pages_that_are_there_twice_change_no_label(copies: list[tuple[int, int]], renamed: bool):
    pages = list(PORTAL)
    for row, (copied, place) in enumerate(copies):
        page = PORTAL[copied]
        pages.insert(place, replace(page, final_url=f"{page.final_url}?from={row}") if renamed else page)
    assert [labels.tolist() for labels in label_site(pages).labels] == [USUAL[page.url] for page in pages]


blocks = st.lists(st.tuples(st.sampled_from(LOOKS), st.sampled_from(TEXTS)), max_size=8)
titles = st.lists(st.sampled_from((write_article(0).title, write_article(1).title, "Valley News")), max_size=2)


def sound(found: SiteLabels, pages: list[Page]) -> None:
    """Fail where the parts of the labels contradict one another."""
    reached = [page for template in found.templates for page in template.pages]
    assert len(reached) == len(set(reached))
    for row, (page, labels, numbers) in enumerate(zip(pages, found.labels, found.assignments, strict=True)):
        assert len(labels) == len(numbers) == len(page.blocks)
        assert set(labels.tolist()) <= ({CONTENT, BOILERPLATE} if row in reached else {UNKNOWN})
        assert row in reached or found.page_confidence[row] == 0
        assert {found.clusters[number].role for number in numbers[labels == CONTENT]} <= {"body", "part"}
    for number, template in enumerate(found.templates):
        assert list(template.pages) == sorted(template.pages)
        assert (found.clusters[template.cluster].role, found.clusters[template.cluster].template) == ("body", number)
        assert all((found.assignments[page] == template.cluster).any() for page in template.pages)
    numbers = [found.confidence.value, found.confidence.coverage, found.confidence.text_share, *found.page_confidence]
    assert all(0 <= value <= 1 for value in numbers)
    assert found.confidence.value <= found.confidence.coverage


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(blocks, titles), min_size=1, max_size=6))
def test_labels_of_any_pages_are_sound_and_stand_only_where_templates_are(site: list[tuple[list[tuple[Look, str]], list[str]]]):
    pages = [make_page(f"https://x.test/{row}", [look(text) for look, text in spots], about) for row, (spots, about) in enumerate(site)]
    try:
        found = label_site(pages)
    except Rejected:
        assert not any(np.any([block.link_chars < len(block.text) for block in page.blocks]) for page in pages)
        return
    sound(found, pages)


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
