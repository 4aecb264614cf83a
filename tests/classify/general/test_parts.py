"""Parts of the global model: boosted trees as arrays, page types by words, bins, and levels of decisions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingClassifier

from sightread.classify.evaluation import domain_folds
from sightread.classify.features.registry import NAMES
from sightread.classify.general.first_stage import Bins
from sightread.classify.general.model import cut
from sightread.classify.general.page_type import HASHED_WORDS, SOURCES, PageTypes, fit_page_types, page_words
from sightread.classify.general.trees import Growth, grow
from sightread.classify.model import LEVELS, Decided, sigmoid
from sightread.render.labels import PAGE_TYPES
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html
from tests.classify.sites_to_learn import NEW

SMALL = Growth(trees=9, leaves=7, least=5, part=1.0)


def rows(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns that matter, one that does not, one without values, and values that are not there; content is a part of the plane."""
    chance = np.random.default_rng(seed)
    features = chance.normal(size=(count, 5)).astype(np.float32)
    content = (features[:, 0] * features[:, 1] > 0.2) | (features[:, 2] > 1)
    features[chance.random((count, 5)) < 0.1] = np.nan
    features[:, 3] = np.nan
    return features, content


@pytest.fixture(scope="module")
def grown():
    features, content = rows(1, 900)
    return grow(features, content, np.ones(900), SMALL)


def test_the_odds_are_those_of_scikit_learn(grown):
    features, content = rows(1, 900)
    known = [0, 1, 2, 4]
    other = HistGradientBoostingClassifier(
        learning_rate=SMALL.rate,
        max_iter=SMALL.trees,
        max_leaf_nodes=SMALL.leaves,
        max_bins=SMALL.bins,
        min_samples_leaf=SMALL.least,
        l2_regularization=SMALL.penalty,
        early_stopping=False,
        random_state=0,
    ).fit(features[:, known], content)
    new = rows(2, 300)[0]
    np.testing.assert_allclose(grown.decide(new), other.decision_function(new[:, known]), atol=1e-5)


def test_contributions_add_up_to_the_odds_and_what_is_not_read_has_none(grown):
    new = rows(3, 20)[0]
    for row, odds in zip(new, grown.decide(new), strict=True):
        shares = grown.contributions(row)
        assert shares.sum() + grown.base == pytest.approx(odds, abs=1e-5)
        assert shares[3] == 0


def test_the_same_rows_give_the_same_trees_and_rows_that_count_more_others(grown):
    features, content = rows(1, 900)
    again = grow(features, content, np.ones(900), SMALL)
    for name, array in grown.arrays.items():
        np.testing.assert_array_equal(array, again.arrays[name])
    leaning = grow(features, content, np.where(content, 9.0, 1.0), SMALL)
    assert leaning.decide(features).mean() > grown.decide(features).mean() + 1


def test_a_split_may_ask_only_whether_a_value_is_there_and_a_value_may_be_infinite():
    features = np.random.default_rng(4).normal(size=(400, 1)).astype(np.float32)
    features[::2] = np.nan
    trees = grow(features, np.isnan(features[:, 0]), np.ones(400), SMALL)
    leaf = trees.arrays["first"] == np.arange(len(trees.arrays["first"]))
    assert np.isposinf(trees.arrays["threshold"][~leaf]).any()
    new = np.array([[np.nan], [-1e30], [0], [np.inf], [-np.inf]], np.float32)
    assert (trees.decide(new) > 0).tolist() == [True, False, False, False, False]


THREAD = """<html><head><meta property="og:type" content="website"><script type="application/ld+json">{"@type": "DiscussionForumPosting"}
</script></head><body class="topic-page"><h1>Which boat?</h1><div class="post-body">A small one?</div></body></html>"""


def words_of(html, url="", sources=SOURCES):
    outline = PageArrays(read_html(html, url))
    return page_words(outline, np.full(outline.count, 0.5), sources)


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


NUMBERS = st.lists(st.one_of(st.floats(-1e6, 1e6, width=32), st.just(np.nan)), min_size=1, max_size=60)


@settings(max_examples=40, deadline=None)
@given(NUMBERS, NUMBERS)
def test_bins_rise_with_the_values_and_nothing_shares_that_of_what_is_not_there(learned: list[float], new: list[float]):
    bins = Bins.of(np.array(learned, np.float32)[:, None])
    codes = bins.codes(np.array(new, np.float32)[:, None])
    if len(bins.columns):
        last = int(bins.starts[-1]) - 1
        assert (codes[:, 0] == last).tolist() == np.isnan(np.array(new, np.float32)).tolist()
        known = np.argsort(new)[: len(new) - int(np.isnan(new).sum())]
        assert (np.diff(codes[known, 0]) >= 0).all()
        assert codes.min() >= 0


def test_a_feature_that_never_differs_has_no_bins():
    features = np.zeros((9, len(NAMES)), np.float32)
    features[:, 3] = np.nan
    features[4, 7] = 1
    assert Bins.of(features).columns == (7,)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(-4, 4),
    st.lists(st.tuples(st.integers(-8, 8), st.booleans(), st.integers(1, 9), st.integers(0, 2)), min_size=1, max_size=30),
)
def test_the_level_moves_with_the_decisions_and_none_is_better(shift: int, rows: list[tuple[int, bool, int, int]]):
    whole, content, lengths, page = (np.array(column) for column in zip(*rows, strict=True))
    decided = Decided(whole * 0.05 + 0.01, content, lengths.astype(np.float64), np.unique(page, return_inverse=True)[1])
    moved = replace(decided, decisions=decided.decisions + shift * 0.05)
    best = decided.best_level()
    most = decided.mean_f1(best)
    assert best in LEVELS
    assert moved.mean_f1(moved.best_level()) == pytest.approx(most)
    assert all(decided.mean_f1(level) <= most + 1e-12 for level in LEVELS)


def test_surer_decisions_give_a_steeper_slope():
    content = np.array([False, False, True, True] * 5)
    mixed = Decided(np.array([-1.0, 0.3, -0.3, 1.0] * 5), content, np.ones(20), np.repeat(np.arange(5), 4))
    apart = replace(mixed, decisions=np.array([-1.0, -0.8, 0.8, 1.0] * 5))
    assert mixed.best_slope(0.0) < apart.best_slope(0.0)


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
