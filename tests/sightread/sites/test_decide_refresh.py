"""Whether a version learned anew may take the place of the old one, on pages that are built block by block."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from sightread.sites.folders import SiteFolder
from sightread.sites.learn import Site, learn_corpus
from sightread.sites.refresh import decide_refresh
from sightread.sites.store import LearnedSite
from tests.labeling.sites import Look, lines_of, page_with, write_article
from tests.pages.corpora import write_corpus

OTHER, HEAD = Look("div/section/div.text", {"font-family": "serif"}, 610), Look("div/section/h2", {"color": "red"}, 610)


def pages(first, **looks):
    return [page_with(write_article(number), lines_of(write_article(number), **looks)) for number in range(first, first + 10)]


def learn(folder, found):
    return Site.open(write_corpus(folder, found)), learn_corpus(folder)


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    folder = tmp_path_factory.mktemp("old")
    learn(folder, pages(0))
    return LearnedSite.load(SiteFolder(folder))


@pytest.fixture(scope="module")
def same(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("same"), pages(20))


@pytest.fixture(scope="module")
def redesigned(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("redesigned"), pages(20, body=OTHER, headline=HEAD))


def with_evaluation(learned, **changes):
    return replace(learned, site_evaluation=msgspec.structs.replace(learned.site_evaluation, **{"global_f1": None} | changes))


def test_a_version_that_is_as_good_may_take_the_place(old, same):
    decision = decide_refresh(old, *same)
    assert (decision.strange, decision.drifted, decision.reason) == (0, False, "")


def test_after_a_redesign_a_trusted_version_may_take_the_place_though_it_is_less_sure(old, redesigned):
    site, learned = redesigned
    decision = decide_refresh(old, site, with_evaluation(learned, supported=0.96, f1=0.985))
    assert (decision.strange, decision.drifted, decision.reason) == (10, True, "")


def test_no_version_that_is_not_trusted_may_take_the_place_not_even_after_a_redesign(old, redesigned):
    site, learned = redesigned
    decision = decide_refresh(old, site, with_evaluation(learned, supported=0.6))
    assert decision.drifted
    assert decision.reason.startswith("neither the global model nor titles and descriptions support 40.0% of what it keeps (maximum 30%)")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"supported": 0.955}, "its evidence supports 95.5% of what it keeps, that of the old one 100.0%"),
        ({"f1": 0.981}, "F1 on unseen pages is 0.98, that of the old one"),
        ({"supported": None, "confidence": 0.76}, "the confidence of its labels is 0.76"),
        ({"supported": None, "f1": 0.91}, "F1 on unseen pages is 0.91"),
    ],
)
def test_a_version_that_is_worse_may_not_take_the_place_of_one_that_still_reads_the_site(old, same, changes, message):
    site, learned = same
    many = replace(old, site_evaluation=msgspec.structs.replace(old.site_evaluation, pages=250))
    assert message in decide_refresh(many, site, with_evaluation(learned, **{"pages": 250} | changes)).reason
    doubtful = replace(old, site_evaluation=msgspec.structs.replace(old.site_evaluation, f1=0.5))
    assert decide_refresh(doubtful, site, with_evaluation(learned, **changes)).reason == ""


def test_the_figures_of_a_version_whose_sample_lacks_a_kind_of_page_are_no_measure(old, same):
    site, learned = same
    found = [
        page_with(write_article(number), [*lines_of(write_article(number)), *[OTHER("A line of a reference.")] * 99]) for number in range(9)
    ]
    many = replace(old, site_evaluation=msgspec.structs.replace(old.site_evaluation, pages=250))
    wide = replace(site, pages=tuple(found))
    decision = decide_refresh(many, wide, with_evaluation(learned, pages=250, f1=0.981))
    assert (decision.strange, decision.lacking, decision.drifted, decision.reason) == (9, 9, False, "")


def test_a_version_that_keeps_other_text_of_pages_that_look_as_before_may_not_take_the_place(old, same):
    site, learned = same
    footers = [np.array([len(page.blocks) - 1 == row for row in range(len(page.blocks))], np.int8) for page in site.pages]
    wrong = replace(learned, labels=replace(learned.labels, labels=tuple(footers)))
    reason = decide_refresh(old, site, wrong).reason
    assert reason == "on 10 pages with unchanged layout it keeps other text than the old one (F1 0.00, below 0.9)"
