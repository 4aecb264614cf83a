"""Which cluster is the articles' text: scores, templates, and what is left unknown."""

import numpy as np
import pytest

from labeling.choose import LEAST_SCORE, choose_templates, cluster_scores
from labeling.cluster import cluster_blocks
from labeling.evidence import Evidence, gather
from labeling.relevance import token_relevance
from labeling.signature import build_table
from render.page import Page
from tests.labeling.sites import BODY, NAV, Look, articles, lines_of, make_page, news_site, told

SIDE = Look("aside/p", {"font-size": "12px"}, 200)


def evidence_of(pages: list[Page], min_samples: int = 1) -> Evidence:
    table = build_table(pages)
    return gather(pages, table, cluster_blocks(table, min_samples=min_samples), token_relevance)


def path_of(evidence: Evidence, cluster: int) -> str:
    index = int(np.flatnonzero(evidence.cluster == cluster)[0])
    return evidence.pages[evidence.page[index]].tag_paths()[evidence.block(index).element]


def test_the_text_that_the_descriptions_speak_of_wins():
    evidence = evidence_of(news_site())
    (template,) = choose_templates(evidence)
    assert path_of(evidence, template.cluster) == "body/main/article/div/p"
    assert template.pages.tolist() == list(range(8))
    assert template.score > LEAST_SCORE


def test_of_two_clusters_with_as_much_text_the_more_relevant_scores_higher():
    pages = [
        make_page(
            f"https://x.test/{row}",
            [BODY(f"flood{row} took{row} bridge{row}"), SIDE(f"sunny{row} with{row} clouds{row}")],
            [f"flood{row} took{row}"],
        )
        for row in range(2)
    ]
    body, side = cluster_scores(evidence_of(pages), np.ones(4, np.bool_))
    lengths = [len("flood0 took0 bridge0"), len("sunny0 with0 clouds0")]
    share = lengths[0] / sum(lengths)
    assert body == pytest.approx(np.sqrt(share * (3 + share) / 4))
    assert side == pytest.approx(np.sqrt((1 - share) * (1 - share) / 4))


def test_without_any_relevance_the_score_is_the_share_of_the_text():
    pages = [make_page("https://x.test/", [BODY("a" * 30), SIDE("b" * 10), NAV("c" * 60)])]
    assert cluster_scores(evidence_of(pages), np.ones(3, np.bool_)).tolist() == pytest.approx([0.75, 0.25, 0])


def test_no_page_is_in_two_templates():
    other = Look("div/section/p", {"font-family": "serif"}, 560)
    pages = [told(article, lines_of(article, BODY if article.number < 5 else other)) for article in articles(8)]
    pages.insert(2, make_page("https://x.test/empty", []))
    templates = choose_templates(evidence_of(pages))
    assert [template.pages.tolist() for template in templates] == [[0, 1, 3, 4, 5], [6, 7, 8]]


def test_pages_whose_text_is_spread_over_many_looks_stay_unknown():
    crumbs = [Look(f"div/{'div/' * row}p", {"color": f"rgb({row}, 0, 0)"}) for row in range(8)]
    pages = [make_page(f"https://x.test/{page}", [look(f"text {row} of {page}") for row, look in enumerate(crumbs)]) for page in range(3)]
    assert choose_templates(evidence_of(pages)) == ()


def test_a_page_with_nothing_of_its_own_in_the_look_of_the_articles_is_not_one_of_them():
    hubs = [make_page(f"https://x.test/hub/{row}", [BODY("Welcome to the topics of the valley."), NAV(f"Topic {row}")]) for row in range(3)]
    (template,) = choose_templates(evidence_of([*news_site(), *hubs]))
    assert template.pages.tolist() == list(range(8))


def test_a_headline_that_stands_beside_many_articles_is_no_evidence():
    titles = [f"flood{row} took{row} bridge{row}" for row in range(4)]
    beside = [[SIDE(titles[0])]] * 3 + [[]]
    pages = [
        make_page(f"https://x.test/{row}", [BODY(f"{title} again"), *more], [title])
        for row, (title, more) in enumerate(zip(titles, beside, strict=True))
    ]
    assert cluster_scores(evidence_of(pages), np.ones(7, np.bool_)).tolist() == pytest.approx([1, 0])


def test_noise_is_never_chosen_and_does_not_disturb():
    pages = news_site()
    evidence = evidence_of([*pages, make_page("https://x.test/odd", [SIDE("Text like no other on the whole site. " * 9)])], min_samples=2)
    assert evidence.cluster.min() == -1
    assert [template.pages.tolist() for template in choose_templates(evidence)] == [list(range(8))]
    lonely = evidence_of(
        [told(article, [*lines_of(article), Look(f"aside/{'div/' * article.number}p")("Once. " * 3)]) for article in articles(8)], 2
    )
    assert [template.pages.tolist() for template in choose_templates(lonely)] == [list(range(8))]


def test_a_site_of_noise_alone_has_no_template():
    pages = [make_page("https://x.test/", [BODY("One text of its own."), SIDE("And another one.")])]
    assert choose_templates(evidence_of(pages, min_samples=2)) == ()
