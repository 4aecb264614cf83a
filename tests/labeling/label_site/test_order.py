"""What must hold of the labels of any site: whatever the order of its pages, and whichever of them are there twice."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.labeling.label_site import label_site
from sightread.labeling.labels import SiteLabels
from sightread.render.errors import Rejected
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.page import Page
from tests.labeling.sites import (
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
    discussed,
    insert,
    lines_of,
    make_page,
    page_with,
    write_article,
)

REVIEW = Look("div/section/p", {"font-family": "serif"}, 560)
REVIEW_HEADLINE = Look("div/header/h1", {"font-family": "serif"}, 900)
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
    pages += [page_with(article, lines_of(article, REVIEW, REVIEW_HEADLINE)) for article in articles(12)[8:]]
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
