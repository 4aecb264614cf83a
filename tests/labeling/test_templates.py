"""Templates of a site, and the scores of their clusters."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.labeling.articles import weigh_articles
from sightread.labeling.clusterings import NOISE
from sightread.labeling.evidence import Evidence
from sightread.labeling.templates import TEMPLATE, Template, choose_templates, cluster_scores, combine, local_scores
from sightread.render.page import Page
from tests.labeling.sites import (
    BODY,
    CELL,
    ITEM,
    NAV,
    QUOTE,
    Article,
    Look,
    articles,
    comments_of,
    evidence_of,
    insert,
    lines_of,
    make_page,
    news_site,
    page_with,
    texts,
    untold,
    whole,
    write_article,
)

SIDE = Look("aside/p", {"font-size": "12px"}, 200)
LOOKS = (BODY, SIDE, QUOTE, NAV)
WORDS = ("flood", "took", "bridge", "cat", "saved", "from", "tree")


def test_a_share_of_the_text_and_of_the_relevance_make_the_score_of_the_docstring():
    assert combine(1.0, 1.0) == 1
    assert combine(0.0, 1.0) == 0
    assert combine(0.4, 0.0) == pytest.approx(0.2)
    assert combine(0.5, 1.0) == pytest.approx(np.sqrt(0.5 * 3.5 / 4))


def test_a_headline_that_stands_beside_many_articles_is_no_evidence():
    titles = [f"flood{row} took{row} bridge{row}" for row in range(4)]
    beside = [[SIDE(titles[0])]] * 3 + [[]]
    pages = [
        make_page(f"https://x.test/{row}", [BODY(f"{title} again"), *more], [title])
        for row, (title, more) in enumerate(zip(titles, beside, strict=True))
    ]
    assert cluster_scores(evidence_of(pages), np.ones(7, np.bool_)).tolist() == pytest.approx([1, 0])


def test_on_a_page_alone_a_cluster_scores_as_if_the_site_had_no_other_pages():
    evidence = evidence_of([*news_site(3), untold(news_site(4)[3])])
    locally = local_scores(evidence)
    for page in range(4):
        alone = cluster_scores(evidence, evidence.table.page == page)
        on_page = locally.page == page
        assert locally.score[on_page].tolist() == pytest.approx(alone[locally.cluster[on_page]].tolist())


words_of_a_block = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
pages_of_words = st.lists(
    st.tuples(st.lists(st.tuples(st.sampled_from(LOOKS), words_of_a_block), min_size=1, max_size=8), words_of_a_block),
    min_size=1,
    max_size=5,
)


@settings(max_examples=40, deadline=None)
@given(pages_of_words)
def test_scores_are_shares_and_of_one_order_on_a_page_and_alone(site: list[tuple[list[tuple[Look, str]], str]]):
    evidence = evidence_of(
        [make_page(f"https://x.test/{row}", [look(text) for look, text in spots], [title]) for row, (spots, title) in enumerate(site)]
    )
    scores = cluster_scores(evidence, np.ones(len(evidence.table.page), np.bool_))
    locally = local_scores(evidence)
    for found in (scores, locally.score):
        assert ((found >= 0) & (found <= 1 + 1e-9)).all()
    assert np.all(np.diff(locally.page) >= 0)
    for page in range(len(site)):
        on_page = locally.page == page
        assert locally.score[on_page] == pytest.approx(cluster_scores(evidence, evidence.table.page == page)[locally.cluster[on_page]])


SERIF = Look("div/section/p", {"font-family": "serif"}, 560)
SERIF_HEADLINE = Look("div/header/h1", {"font-family": "serif"}, 900)


def templates_of(evidence: Evidence) -> tuple[Template, ...]:
    return choose_templates(evidence, weigh_articles)


def path_of(evidence: Evidence, cluster: int) -> str:
    index = int(np.flatnonzero(evidence.cluster == cluster)[0])
    return evidence.table.pages[evidence.table.page[index]].tag_paths()[evidence.table.block(index).element]


def test_the_text_that_the_descriptions_speak_of_wins():
    evidence = evidence_of(news_site())
    (template,) = templates_of(evidence)
    assert path_of(evidence, template.cluster) == "body/main/article/div/p"
    assert template.pages.tolist() == list(range(8))
    assert template.score > TEMPLATE.least_score


def test_no_page_is_in_two_templates():
    pages = [page_with(article, lines_of(article, BODY if article.number < 5 else SERIF)) for article in articles(8)]
    pages.insert(2, make_page("https://x.test/empty", []))
    templates = templates_of(evidence_of(pages))
    assert [template.pages.tolist() for template in templates] == [[0, 1, 3, 4, 5], [6, 7, 8]]


def test_pages_whose_text_is_spread_over_many_looks_stay_unknown():
    crumbs = [Look(f"div/{'div/' * row}p", {"color": f"rgb({row}, 0, 0)"}) for row in range(8)]
    pages = [make_page(f"https://x.test/{page}", [look(f"text {row} of {page}") for row, look in enumerate(crumbs)]) for page in range(3)]
    assert templates_of(evidence_of(pages)) == ()


def as_noise(evidence: Evidence, page: int) -> Evidence:
    """Return the evidence with the blocks of a page in no cluster."""
    return replace(evidence, cluster=np.where(evidence.table.page == page, NOISE, evidence.cluster))


def test_noise_is_never_chosen_and_does_not_disturb():
    pages = [*news_site(), make_page("https://x.test/odd", [SIDE("Text like no other on the whole site. " * 9)])]
    evidence = as_noise(evidence_of(pages), 8)
    assert set(local_scores(evidence).page.tolist()) == set(range(8))
    assert [template.pages.tolist() for template in templates_of(evidence)] == [list(range(8))]
    assert templates_of(as_noise(evidence_of(pages[8:]), 0)) == ()


def test_a_page_with_only_a_line_in_the_look_of_the_winner_is_of_its_own_template():
    news, reviews = articles(14)[:8], articles(14)[8:]
    pages = [page_with(article, lines_of(article)) for article in news]
    pages += [
        page_with(a, insert(lines_of(a, SERIF, SERIF_HEADLINE), a.paragraphs[-1], BODY(f"Edited by hand {a.number}."))) for a in reviews
    ]
    templates = templates_of(evidence_of(pages))
    assert [template.pages.tolist() for template in templates] == [list(range(8)), list(range(8, 14))]
    assert [found[:5] for found in texts(pages)] == [whole(article) for article in (*news, *reviews)]


def cut_up(article: Article, comments: int) -> tuple[Page, list[str]]:
    """A page whose article is paragraphs, a table and a list, none of them as long as its comments; and what the article says."""
    table, items = article.spare[:5], article.spare[5:11]
    spots = insert(lines_of(article), article.paragraphs[0], *map(CELL, table), *map(ITEM, items))
    content = [article.title, article.paragraphs[0], *table, *items, *article.paragraphs[1:]]
    return page_with(article, insert(spots, article.paragraphs[-1], *comments_of(article, comments))), content


def test_comments_longer_than_every_part_of_the_article_are_not_its_text_where_the_whole_is_longer():
    page, content = cut_up(write_article(0, paragraphs=2), 4)
    lengths = [sum(map(len, of_look)) for of_look in (content[1:2] + content[-1:], content[2:7], content[7:13])]
    comments = sum(len(spot.text) for spot in comments_of(write_article(0), 4))
    assert max(lengths) < comments < sum(lengths)
    assert texts([page]) == [content]


def test_fronts_full_of_teasers_stay_unknown():
    """Each article teases the two that follow; the fronts tease pages that were not fetched, in the same look."""
    pages = [
        page_with(a, [*lines_of(a), *(SIDE(write_article((a.number + step) % 8).description) for step in (1, 2))]) for a in articles(8)
    ]
    fronts = [make_page(f"https://x.test/front/{row}", [NAV("Home"), *map(SIDE, write_article(50 + row).spare)]) for row in range(2)]
    assert [template.pages.tolist() for template in templates_of(evidence_of([*pages, *fronts]))] == [list(range(8))]
    assert texts([*pages, *fronts]) == [*map(whole, articles(8)), [], []]
