"""How far a model can be trusted: by itself, beside another version, and on one page."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.sites.trust import Familiarity, SiteEvaluation, UsualValues

USUAL = UsualValues(known=0.9, expected_f1=0.9, odd=0.05)
SHARES = st.floats(0, 1)


def site_evaluation(confidence=1.0, f1=1.0, pages=25, folds=(1.0, 1.0, 1.0, 1.0)):
    return SiteEvaluation(
        pages=pages, confidence=confidence, precision=1.0, recall=1.0, f1=f1, folds=tuple((1.0, 1.0, of) for of in folds), corpus="0"
    )


@pytest.mark.parametrize(
    ("confidence", "f1", "message"), [(0.74, 1.0, "confidence of its labels is 0.74"), (1.0, 0.89, "F1 on unseen pages is 0.89")]
)
def test_below_either_level_a_model_is_uncertain(confidence, f1, message):
    assert message in site_evaluation(confidence, f1).distrust_reason
    assert site_evaluation(0.75, 0.9).distrust_reason == ""
    assert [each.conclusion[0] for each in (site_evaluation(confidence, f1), site_evaluation(0.75, 0.9), site_evaluation())] == [
        *("Do not use", "Doubtful", "Good"),
    ]


@pytest.mark.parametrize(
    ("pages", "supported", "weak", "message"),
    [
        (7, 0.9, 0.0, "support 10.0% of what it keeps (maximum 6%)"),
        (8, 0.7, 0.3, ""),
        (8, 0.69, 0.0, "support 31.0% of what it keeps (maximum 30%)"),
        (7, 0.94, 0.9, ""),
        (4, 1.0, 0.0, "learned from 4 pages, the minimum is 5"),
    ],
)
def test_labels_by_both_sources_may_be_less_certain_where_looks_are_on_enough_pages(pages, supported, weak, message):
    found = msgspec.structs.replace(site_evaluation(pages=pages), supported=supported, weak=weak).distrust_reason
    assert message in found and bool(found) == bool(message)


@pytest.mark.parametrize(
    ("f1", "worst_fold", "global_f1", "is_trusted"),
    [
        (0.97, 0.9, 0.99, True),
        (0.969, 0.95, 0.98, False),
        (0.96, 0.95, 0.93, False),
        (0.96, 0.95, 0.91, True),
        (0.96, 0.89, 0.8, False),
        (0.96, 0.95, None, False),
    ],
)
def test_a_model_that_differs_from_its_labels_is_trusted_if_the_global_model_errs_twice_as_often(f1, worst_fold, global_f1, is_trusted):
    found = site_evaluation(confidence=0.5, f1=f1, folds=(1.0, 1.0, worst_fold))
    found = msgspec.structs.replace(found, supported=1.0, global_f1=global_f1)
    assert found.distrust_reason.startswith(f"its F1 on unseen pages is {f1:.3f} ") is not is_trusted


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
def test_a_model_is_uncertain_where_the_global_one_agrees_better_with_the_same_labels(f1, folds, global_f1, global_folds, beaten):
    found = msgspec.structs.replace(site_evaluation(f1=f1, folds=folds), global_f1=global_f1, global_folds=global_folds)
    assert found.is_beaten is beaten
    assert bool(found.distrust_reason) is beaten
    if beaten:
        assert found.distrust_reason.endswith(f"; the global model's is {global_f1:.2f} on the same labels")


@pytest.mark.parametrize(
    ("new", "old", "short"),
    [
        (site_evaluation(), site_evaluation(), False),
        (site_evaluation(confidence=0.95), site_evaluation(), False),  # one page of 25
        (site_evaluation(confidence=0.88), site_evaluation(), False),  # three pages of 25
        (site_evaluation(confidence=0.8), site_evaluation(), True),
        (site_evaluation(confidence=0.85, pages=8), site_evaluation(pages=8), False),  # one page of 8
        (site_evaluation(f1=0.995), site_evaluation(), False),
        (site_evaluation(f1=0.97), site_evaluation(), True),
        (site_evaluation(f1=0.97, folds=(1.0, 1.0, 0.9, 0.98)), site_evaluation(), False),  # the folds differ as much
        (site_evaluation(f1=0.97), site_evaluation(f1=0.96), False),
        (site_evaluation(confidence=0.8), site_evaluation(confidence=0.99, pages=4), False),  # the old one knew no better
    ],
)
def test_a_new_version_falls_short_of_the_old_one_where_chance_does_not_explain_it(new, old, short):
    assert bool(new.shortfall(old)) is short


@given(SHARES, SHARES)
def test_no_version_falls_short_of_itself_nor_of_a_worse_one(one, other):
    low, high = sorted((one, other))
    assert site_evaluation(high, high).shortfall(site_evaluation(low, low)) == ""


@pytest.mark.parametrize(
    ("known", "expected_f1", "unseen", "strange", "trusted"),
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
def test_a_page_is_judged_by_its_looks_and_by_what_the_model_expects(known, expected_f1, unseen, strange, trusted):
    found = Familiarity(known, expected_f1, unseen, USUAL)
    assert (found.is_strange, found.is_trusted) == (strange, trusted)


@pytest.mark.parametrize(
    ("known", "kept_looks", "keeps_known", "section", "changed", "counted_as"),
    [
        (0.9, 1.0, True, "howto", False, "page"),
        (0.1, 0.3, True, "library", False, "page"),  # new looks beside those of the site: a kind never seen
        (0.1, 0.2, True, "tutorial", True, "page"),
        (0.1, 0.2, True, "howto", True, "section"),  # a section never seen may have had these looks before
        (0.1, 0.3, False, "library", True, "page"),  # the looks of the articles are gone
        (0.1, 0.3, False, "tutorial", True, "section"),
    ],
)
def test_a_page_is_evidence_of_a_change_if_looks_are_gone_and_a_section_never_seen_counts_once(
    known, kept_looks, keeps_known, section, changed, counted_as
):
    usual = msgspec.structs.replace(USUAL, directories=("/3.11/library/",) * 5 + ("/3.11/tutorial/2024/",))
    url = f"https://x.test/3.12/{section}/1/page/"
    found = Familiarity(known, 0.95, 0.0, usual, kept_looks, keeps_known, url)
    assert (found.is_changed, found.counted_as) == (changed, url if counted_as == "page" else f"/0.0/{section}")
    unrecorded = found._replace(usual=USUAL, kept_looks=0.0)
    assert (unrecorded.is_changed, unrecorded.counted_as) == (unrecorded.is_strange, url)


def test_sections_are_the_first_directories_below_those_that_all_pages_share():
    dated = msgspec.structs.replace(USUAL, directories=("/2024/05/", "/2024/06/"))
    assert [dated.section(f"https://x.test{path}")[1] for path in ("/2025/12/story", "/2025/12/story/", "/about", "/tag/04/x")] == [
        2,
        2,
        0,
        0,
    ]
    assert msgspec.structs.replace(USUAL, directories=("/",)).section("https://x.test")[1] == 1
