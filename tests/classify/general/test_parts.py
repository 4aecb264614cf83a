"""Parts of the global model: page types by words, and levels of decisions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.classify.evaluation import domain_folds
from sightread.classify.general.model import cut, decide_together
from sightread.classify.general.page_type import HASHED_WORDS, SOURCES, PageTypes, fit_page_types, page_words
from sightread.classify.model import sigmoid
from sightread.render.labels import PAGE_TYPES
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html
from tests.classify.sites_to_learn import NEW

THREAD = """<html><head><meta property="og:type" content="website"><script type="application/ld+json">{"@type": "DiscussionForumPosting"}
</script></head><body class="topic-page"><h1>Which boat?</h1><div class="post-body">A small one?</div></body></html>"""


def words_of(html, url="", sources=SOURCES):
    outline = PageArrays(read_html(html, url))
    return page_words(outline, sources)


def test_the_address_is_read_or_left_out():
    here, there, nowhere = (words_of(THREAD, url) for url in ("https://forum.example/t/boat/12", "https://shop.example/p/boat", ""))
    assert here != there
    assert words_of(THREAD, "https://forum.example/t/boat/12", SOURCES[1:]) == nowhere


def test_what_the_page_declares_and_how_its_elements_are_called_are_read():
    plain = words_of(THREAD)
    for old, new in (
        ("DiscussionForumPosting", "Product"),
        ("website", "article"),
        ("post-body", "price-tag"),
        ("Which boat", "Buy a boat"),
    ):
        assert words_of(THREAD.replace(old, new)) != plain


def test_each_source_counts_alike_however_many_words_it_has():
    few, many = (
        sum(value**2 for _, value in words_of(THREAD.replace("post-body", names))) for names in ("a-post", " ".join(map(str, range(900))))
    )
    assert few == pytest.approx(many, rel=0.2)


def test_a_type_is_predicted_by_what_pages_of_it_have_in_common():
    pages = [
        words_of(f"<body class='{name} site{n}'><p>{n} words", f"https://s{n}.example/") for n in range(8) for name in ("thread", "cart")
    ]
    types = fit_page_types(pages, ["forum", "product"] * 8)
    chances = types.chances(words_of("<body class='cart elsewhere'><p>Other words", "https://new.example/"))
    assert PAGE_TYPES[int(chances.argmax())] == "product"
    assert chances.sum() == pytest.approx(1)


def test_any_page_has_chances():
    types = PageTypes(np.zeros((HASHED_WORDS, len(PAGE_TYPES))), np.zeros(len(PAGE_TYPES)))
    with pytest.raises(ValueError, match="damaged"):
        PageTypes.of(np.zeros((3, len(PAGE_TYPES))), np.zeros(len(PAGE_TYPES)))
    for html, url in (
        ("", ""),
        ("<p>1 \ud83d</p>", "https://\ud83d/"),
        ("<p class='é 你好'>x", "not an address"),
        ("<p>x", "data:text/html,x"),
    ):
        assert types.chances(words_of(html, url)) == pytest.approx(1 / len(PAGE_TYPES))


def test_pages_of_one_domain_share_their_fold():
    hosts = ("www.bay.example", "bay.co.uk", "shop.bay.example", "", "", "hill.co.uk", "www.bay.co.uk")
    fold = domain_folds([replace(NEW, url=f"https://{host}/" if host else "") for host in hosts], 9)
    assert fold.tolist() == [0, 1, 0, 2, 3, 4, 1]


ODDS = st.lists(st.tuples(st.floats(-8, 8), st.integers(1, 500)), min_size=1, max_size=40)


@settings(max_examples=40, deadline=None)
@given(ODDS)
def test_the_cut_keeps_the_likeliest_blocks_at_least_one(rows: list[tuple[float, int]]):
    odds, weight = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    kept = odds >= cut(odds, weight, 1.3)
    assert kept.sum() >= (odds >= cut(odds, weight, 2.0)).sum()
    assert kept.any()
    assert kept.all() or odds[kept].min() > odds[~kept].max()


def test_a_sure_article_is_kept_whole_and_uncertain_blocks_are_kept_where_nothing_is_sure():
    weight = np.full(5, 100.0)
    assert cut(np.array([6.0, 5.0, 4.0, -5.0, -6.0]), weight, 1.0) == 0
    odds = np.array([-1.0, -1.2, -6.0, -6.0, -6.0])
    assert (odds >= cut(odds, weight, 1.0)).tolist() == [True, True, False, False, False]


def test_an_uncertain_teaser_is_dropped_beside_a_sure_article_and_kept_elsewhere():
    odds, weight = np.array([5.0, 5.0, 0.6, -5.0]), np.full(4, 100.0)
    assert (odds >= cut(odds, weight, 1.0)).tolist() == [True, True, True, False]
    assert (odds >= cut(odds, weight, 2.0)).tolist() == [True, True, False, False]


@given(st.floats(-8, -0.01))
def test_rounding_drops_no_block_where_all_are_kept(odds: float):
    """Log-odds and level are rounded apart, so the level is some way below the least of them."""
    both = np.array([odds, odds])
    least = cut(both, np.ones(2), 1.0)
    assert sigmoid(np.array([least]))[0].astype(np.float32) < sigmoid(both).astype(np.float32).min()


def test_blocks_of_one_card_draw_near_to_its_mean_and_a_look_is_decided_as_one():
    cards = [
        f"<div class=card><b>A lantern</b><p>It is of brass and burns oil for {hours}.</p></div>"
        for hours in ("long", "nine hours", "a day")
    ]
    page = PageArrays(read_html(f"<p>Above</p><div>{''.join(cards)}</div><p>Below</p>"))
    assert [row >= 0 for row in page.records.tolist()] == [False, *[True] * 6, False]
    odds = np.array([2.0, -3.0, 1.0, -1.0, 1.0, -2.0, 1.0, -2.0])
    decided = decide_together(odds, page)
    assert decided[[0, 7]].tolist() == [2.0, -2.0]
    assert (decided[[1, 3, 5]] > -2.0).all() and (decided[[2, 4, 6]] < 1.0).all()
    assert len({*decided[[1, 3, 5]].round(6).tolist()}) == 1
