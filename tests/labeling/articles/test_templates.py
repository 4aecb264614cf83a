"""Which cluster is the articles' text: scores, templates, and what is left unknown."""

import numpy as np

from sightread.labeling.articles.article import weigh_articles
from sightread.labeling.articles.templates import TEMPLATE, Template, choose_templates
from sightread.labeling.evidence.evidence import Evidence
from sightread.render.page import Page
from tests.labeling.sites import (
    BODY,
    CELL,
    ITEM,
    NAV,
    Article,
    Look,
    articles,
    comments_of,
    discussed,
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


def test_a_page_with_nothing_of_its_own_in_the_look_of_the_articles_is_not_one_of_them():
    hubs = [make_page(f"https://x.test/hub/{row}", [BODY("Welcome to the topics of the valley."), NAV(f"Topic {row}")]) for row in range(3)]
    (template,) = templates_of(evidence_of([*news_site(), *hubs]))
    assert template.pages.tolist() == list(range(8))


def test_noise_is_never_chosen_and_does_not_disturb():
    pages = news_site()
    evidence = evidence_of([*pages, make_page("https://x.test/odd", [SIDE("Text like no other on the whole site. " * 9)])], min_samples=2)
    assert evidence.cluster.min() == -1
    assert [template.pages.tolist() for template in templates_of(evidence)] == [list(range(8))]
    lonely = evidence_of(
        [page_with(article, [*lines_of(article), Look(f"aside/{'div/' * article.number}p")("Once. " * 3)]) for article in articles(8)], 2
    )
    assert [template.pages.tolist() for template in templates_of(lonely)] == [list(range(8))]


def test_a_site_of_noise_alone_has_no_template():
    pages = [make_page("https://x.test/", [BODY("One text of its own."), SIDE("And another one.")])]
    assert templates_of(evidence_of(pages, min_samples=2)) == ()


def test_a_page_with_only_a_line_in_the_look_of_the_winner_is_of_its_own_template():
    news, reviews = articles(14)[:8], articles(14)[8:]
    pages = [page_with(article, lines_of(article)) for article in news]
    pages += [
        page_with(a, insert(lines_of(a, SERIF, SERIF_HEADLINE), a.paragraphs[-1], BODY(f"Edited by hand {a.number}."))) for a in reviews
    ]
    templates = templates_of(evidence_of(pages))
    assert [template.pages.tolist() for template in templates] == [list(range(8)), list(range(8, 14))]
    assert [found[:5] for found in texts(pages)] == [whole(article) for article in (*news, *reviews)]


def test_a_page_with_long_comments_is_of_the_same_template_as_the_others():
    pages = [discussed(article, 2) for article in articles(8)]
    for crowded in (discussed(write_article(3), 40), untold(discussed(write_article(3), 40))):
        pages[3] = crowded
        assert [template.pages.tolist() for template in templates_of(evidence_of(pages))] == [list(range(8))]
        assert [found[-4:] for found in texts(pages)] == [list(article.paragraphs) for article in articles(8)]


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


def test_pages_of_a_look_that_repeats_nothing_elsewhere_are_a_template():
    pages = [page_with(a, [*lines_of(a), *map(SIDE, a.spare[:2])]) for a in articles(8)]
    others = [page_with(a, [NAV("Home"), *map(SIDE, a.paragraphs)]) for a in articles(10)[8:]]
    assert [template.pages.tolist() for template in templates_of(evidence_of([*pages, *others]))] == [list(range(8)), [8, 9]]
