"""What a first model says around a block: by group, container, section and neighbour, and never by the block itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.classify.features.context import stacking_features, words_of
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html

PAGE = PageArrays(
    read_html(
        """<div class=posts><div class=post><h2>One</h2><p>aaaa</p></div><div class=post><h2>Two</h2><p>bbbb</p><p>cccc</p></div></div>
        <footer><p>dddd</p></footer>"""
    )
)
SCORES = np.array([0.1, 0.9, 0.2, 0.8, 0.6, 0.05])
SCORE = st.lists(st.floats(0, 1), min_size=6, max_size=6).map(np.array)


def column(name: str, scores: np.ndarray = SCORES) -> np.ndarray:
    return stacking_features(PAGE, {"s": scores})[name]


def test_every_column_has_words():
    assert list(stacking_features(PAGE, {"s": SCORES, "t": SCORES})) == list(words_of({"s": "one score", "t": "another"}))


def test_blocks_of_one_class_path_hear_of_the_others():
    assert column("s.classes")[[1, 3, 4]] == pytest.approx([0.7, 0.75, 0.85])
    assert np.isnan(column("s.classes")[5])


def test_a_container_speaks_without_the_block():
    own, above = column("s.parent"), column("s.second")
    assert own[3] == pytest.approx((4 * 0.2 + 5 * 0.6) / 9)  # weights are characters and one more
    assert above[5] == pytest.approx(column("s.sixth")[5])


def test_a_section_is_what_stands_under_its_heading():
    assert column("s.section")[4] == pytest.approx((4 * 0.2 + 5 * 0.8 + 5 * 0.05) / 14)


def test_neighbours_end_with_the_page():
    assert np.isnan(column("s.before")[0]) and np.isnan(column("s.after")[5])
    assert column("s.before")[1] == 0.1


@given(SCORE, st.integers(0, 5), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_no_mean_of_a_block_holds_its_own_score(scores: np.ndarray, row: int, other: float):
    changed = scores.copy()
    changed[row] = other
    before, after = stacking_features(PAGE, {"s": scores}), stacking_features(PAGE, {"s": changed})
    for name in filter(lambda name: name.startswith("s."), before):
        np.testing.assert_allclose(before[name][row], after[name][row], atol=1e-9)


@given(SCORE)
@settings(max_examples=40, deadline=None)
def test_all_that_is_heard_lies_between_the_least_and_the_greatest_score(scores: np.ndarray):
    for name, values in stacking_features(PAGE, {"s": scores}).items():
        if name.startswith("s."):
            known = values[np.isfinite(values)]
            assert ((known >= scores.min() - 1e-9) & (known <= scores.max() + 1e-9)).all(), name
