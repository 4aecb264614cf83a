"""Parts of pages that are kept or left out on a whole site, from `learn` to the document."""

import numpy as np
import pytest

from sightread.classify.model import Prediction
from sightread.cli.commands import LearnCommand
from sightread.cli.learn import learn
from sightread.document.document import build_document
from sightread.document.selection import Policy
from sightread.labeling.labels import PartDecision
from sightread.models.model_choice import choose_for
from sightread.reading import apply_model
from sightread.render.errors import Rejected
from sightread.sites.folders import SiteFolder
from sightread.sites.learn import Site, label, learn_corpus, stored_choices
from sightread.sites.store import LearnedSite
from sightread.viewer.report import write_site_report
from tests.labeling.sites import write_corpus
from tests.labeling.test_site_parts import site
from tests.pages.reports import report_data

ANSWERS = {"comments": True}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = write_corpus(tmp_path_factory.mktemp("site"), site())
    write_site_report(learn_corpus(path, choices=ANSWERS).results)
    return path


def test_what_the_user_chose_is_read_with_auto_and_stays_chosen_when_the_site_is_labelled_again(folder):
    new = site(9)[-1]
    learned = LearnedSite.load(SiteFolder(folder))
    assert "The 8. answer disagrees." in apply_model(choose_for(learned), new, is_new=False).document.text
    assert stored_choices(SiteFolder(folder)) == ANSWERS
    again = label(Site.open(folder))
    assert [(part.kind, part.keep) for part in again.parts if part.is_chosen] == [("comments", True)]
    back = label(Site.open(folder), choices={"comments": False})
    assert [(part.kind, part.keep) for part in back.parts if part.is_chosen] == [("comments", False)]


def test_the_report_names_each_part_with_its_evidence(folder):
    report = report_data(folder / "report.html")["site"]
    assert "comments: kept, as chosen by --keep" in report
    assert "byline: left out; the evidence labels 0% of the text of these parts content, on 8 pages" in report


def test_a_wanted_part_is_kept_with_its_reason_and_an_unwanted_one_left_out_unless_it_is_all():
    page = site(1)[0]
    is_comment = np.array(["answer" in block.text or block.text == "Me too." for block in page.blocks])
    of_text = Prediction(np.where(is_comment | (np.arange(len(page.blocks)) < 2), 0.1, 0.9))
    kept = build_document(page, of_text, policy=Policy(keep=frozenset({"comments"})))
    assert [kept.selection.reasons[row] for row in np.flatnonzero(is_comment)] == ["wanted"] * 2
    assert set(kept.from_threshold(0.6).rows) == set(kept.rows)
    everything = Prediction(np.full(len(page.blocks), 0.9))
    without = build_document(page, everything, policy=Policy(drop=frozenset({"comments"})))
    assert not set(without.rows) & set(np.flatnonzero(is_comment))
    assert [without.selection.reasons[row] for row in np.flatnonzero(is_comment)] == ["unwanted"] * 2
    alone = build_document(page, Prediction(np.where(is_comment, 0.9, 0.1)), policy=Policy(drop=frozenset({"comments"})))
    assert set(alone.rows) == set(np.flatnonzero(is_comment))


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        (
            PartDecision("byline", None, 1, 0.5),
            "byline: kept look by look; the evidence labels 50% of the text of these parts content, on 1 page",
        ),
        (PartDecision("related", False, 3, 0.0, is_chosen=True), "related: left out, as chosen by --drop"),
        (PartDecision("related", True, 0, 0.0, is_chosen=True), "related: kept, as chosen by --keep; no page has any"),
        (
            PartDecision("comments", False, 2, 1.0, below_article=True),
            "comments: left out; below a longer article; the evidence labels 100% of the text of these parts content, on 2 pages",
        ),
    ],
)
def test_a_decision_is_described_in_one_clause(decision, message):
    assert decision.describe() == message


async def test_a_part_that_is_to_be_kept_and_dropped_is_refused():
    with pytest.raises(Rejected, match="keep and drop both name byline"):
        await learn(LearnCommand(keep=("byline",), drop=("comments", "byline")))
