"""How far a model can be trusted: by itself, beside another version, and on one page."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classify.site.model import SiteModel
from sightread.sites.trust import TRUST, Familiarity, SiteEvaluation, UsualValues, blind_expected_f1, usual_pages
from tests.labeling.sites import news_site

USUAL = UsualValues(known=0.9, sure=0.9, odd=0.05)
SHARES = st.floats(0, 1)


def standing(confidence=1.0, f1=1.0, pages=25, folds=(1.0, 1.0, 1.0, 1.0)):
    return SiteEvaluation(
        pages=pages, confidence=confidence, precision=1.0, recall=1.0, f1=f1, folds=tuple((1.0, 1.0, of) for of in folds), corpus="0"
    )


@pytest.mark.parametrize(
    ("confidence", "f1", "said"), [(0.74, 1.0, "confidence of its labels is 0.74"), (1.0, 0.89, "F1 on unseen pages is 0.89")]
)
def test_below_either_level_a_model_is_doubtful(confidence, f1, said):
    assert said in standing(confidence, f1).doubt
    assert standing(0.75, 0.9).doubt == ""


@pytest.mark.parametrize(
    ("f1", "folds", "global_f1", "global_folds", "beaten"),
    [
        (0.95, (0.95,) * 4, 0.99, (0.99,) * 4, True),
        (0.99, (0.99,) * 4, 0.95, (0.95,) * 4, False),
        (0.95, (0.95,) * 4, 0.955, (0.955,) * 4, False),  # another draw of pages says otherwise
        (0.95, (1.0, 0.9, 0.95, 0.95), 0.98, (0.9, 1.0, 0.98, 1.0), False),  # so do the folds
        (0.41, (0.17, 0.5, 0.5, 0.5), 0.98, (0.98,) * 4, True),
        (0.95, (0.95,), 0.97, (0.97,), True),
        (0.95, (0.95,) * 4, None, (), False),  # it was not measured
    ],
)
def test_a_model_is_doubtful_where_the_global_one_agrees_better_with_the_same_labels(f1, folds, global_f1, global_folds, beaten):
    found = msgspec.structs.replace(standing(f1=f1, folds=folds), global_f1=global_f1, global_folds=global_folds)
    assert found.is_beaten is beaten
    assert bool(found.doubt) is beaten
    if beaten:
        assert found.doubt.endswith(f"; the global model's is {global_f1:.2f} on the same labels")


@pytest.mark.parametrize(
    ("new", "old", "short"),
    [
        (standing(), standing(), False),
        (standing(confidence=0.95), standing(), False),  # one page of 25
        (standing(confidence=0.88), standing(), False),  # three pages of 25
        (standing(confidence=0.8), standing(), True),
        (standing(confidence=0.85, pages=8), standing(pages=8), False),  # one page of 8
        (standing(f1=0.995), standing(), False),
        (standing(f1=0.97), standing(), True),
        (standing(f1=0.97, folds=(1.0, 1.0, 0.9, 0.98)), standing(), False),  # the folds differ as much
        (standing(f1=0.97), standing(f1=0.96), False),
        (standing(confidence=0.8), standing(confidence=0.99, pages=4), False),  # the old one knew no better
    ],
)
def test_a_new_version_falls_short_of_the_old_one_where_chance_does_not_explain_it(new, old, short):
    assert bool(new.shortfall(old)) is short


@given(SHARES, SHARES)
def test_no_version_falls_short_of_itself_nor_of_a_worse_one(one, other):
    low, high = sorted((one, other))
    assert standing(high, high).shortfall(standing(low, low)) == ""


@pytest.mark.parametrize(
    ("known", "sure", "blind", "strange", "believed"),
    [
        (0.9, 0.9, 0.0, False, True),
        (0.46, 0.95, 0.0, False, True),
        (0.44, 0.95, 0.0, True, True),  # it looks new, and the model reads on
        (0.44, 0.89, 0.0, True, False),
        (0.44, 0.95, 0.93, True, False),  # the model would say as much of anything
        (0.9, 0.8, 0.93, True, True),
        (0.9, 0.69, 0.0, True, False),
    ],
)
def test_a_page_is_judged_by_its_looks_and_by_what_the_model_expects(known, sure, blind, strange, believed):
    found = Familiarity(known, sure, blind, USUAL)
    assert (found.is_strange, found.is_believed) == (strange, believed)


@given(SHARES, SHARES, SHARES, SHARES)
def test_a_model_that_is_not_believed_is_never_passed_over(known, sure, blind, level):
    found = Familiarity(known, sure, blind, UsualValues(known=0.9, sure=level, odd=0.1))
    assert found.is_believed or found.is_strange


def test_a_model_that_knows_nothing_of_a_page_may_still_be_sure_of_it():
    pages = news_site(8)
    content = [np.array(["h1" in page.tag_paths()[block.element] for block in page.blocks], np.int8) for page in pages]
    modest = blind_expected_f1(SiteModel().fit(pages, content))
    boilerplate = [np.array(["footer" not in page.tag_paths()[block.element] for block in page.blocks], np.int8) for page in pages]
    assert modest < blind_expected_f1(SiteModel().fit(pages, boilerplate))


def test_what_is_usual_is_not_moved_by_a_few_odd_pages():
    usual = usual_pages(np.array([1.0] * 17 + [0.0] * 3), [0.99] * 17 + [0.3] * 3)
    assert usual.known == 1.0
    assert usual.odd == pytest.approx(4 / 22)


def test_a_model_that_often_doubts_itself_is_held_to_its_own_level():
    assert usual_pages(np.ones(20), [0.99] * 20).sure == TRUST.least_f1_of_relevance
    modest = usual_pages(np.ones(20), [0.8] * 20)
    assert TRUST.least_expected_f1 < modest.sure <= 0.8
    assert modest.odd == pytest.approx(1 / 22)


@given(st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=40))
def test_what_is_usual_is_always_a_probability(pages):
    usual = usual_pages(np.array([known for known, _ in pages]), [sure for _, sure in pages])
    assert 0 <= usual.known <= 1 and 0 <= usual.sure <= TRUST.least_f1_of_relevance and 0 < usual.odd < 1
