"""How well a cluster does as the articles' text, on a site and on each page by itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.labeling.articles.cluster_scores import cluster_scores, combine, local_scores
from tests.labeling.sites import BODY, NAV, QUOTE, Look, evidence_of, make_page, news_site, untold

SIDE = Look("aside/p", {"font-size": "12px"}, 200)
LOOKS = (BODY, SIDE, QUOTE, NAV)
WORDS = ("flood", "took", "bridge", "cat", "saved", "from", "tree")


def test_a_share_of_the_text_and_of_the_relevance_make_the_score_of_the_docstring():
    assert combine(1.0, 1.0) == 1
    assert combine(0.0, 1.0) == 0
    assert combine(0.4, 0.0) == pytest.approx(0.2)
    assert combine(0.5, 1.0) == pytest.approx(np.sqrt(0.5 * 3.5 / 4))


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


def test_noise_has_no_score_on_its_page():
    evidence = evidence_of([*news_site(2), make_page("https://x.test/odd", [SIDE("Once and never again.")])], min_samples=2)
    assert set(local_scores(evidence).page.tolist()) == {0, 1}


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
