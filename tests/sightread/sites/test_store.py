"""Learned sites: read once and again when they change, the record of their last pages, and parts kept or left out."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from sightread.classify.model import Prediction
from sightread.cli.commands import LearnCommand
from sightread.cli.learn import learn
from sightread.crawler.corpus import Corpus
from sightread.document.document import build_document
from sightread.document.notes import joined
from sightread.document.selection import Policy
from sightread.labeling.labels import PartDecision
from sightread.models.model_choice import choose_for
from sightread.reading import apply_model
from sightread.render.errors import BadRecord, Rejected
from sightread.render.page import Block, Element
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.history import open_candidate, open_current, promote
from sightread.sites.learn import Site, label, learn_corpus, stored_choices
from sightread.sites.store import MOST_LINES, PAGES_CONSIDERED, LearnedSite, Recent, SiteStore, note_page, read_recent
from sightread.sites.trust import UsualValues
from sightread.viewer.report import write_site_report
from tests.labeling.sites import write_corpus
from tests.labeling.test_combination import site as site_pages
from tests.pages.shown import report_data

URL = "https://courier.example/ferry"
START = "https://courier.example/"


@pytest.fixture
def site(demo, tmp_path):
    """A learned site in a home of the test's own."""
    home = SiteHome.of(URL, tmp_path)
    fill(demo, open_current(home))
    return home


def fill(demo, version):
    for name in ("model.json", "evaluation.json", "labels.json"):
        shutil.copy(demo.learned.folder.path / name, version.path)
    if not (version.path / "corpus.json").exists():
        with Corpus.create(version.path, START):
            pass


def test_a_site_with_a_model_is_read_once_and_again_when_a_file_was_replaced(site, tmp_path):
    store = SiteStore(tmp_path)
    found = store.find(URL)
    assert found is not None and found.version == "0001"
    assert store.find("http://www.courier.example/another") is found
    for name in ("model.json", "evaluation.json", "labels.json"):
        path = site.numbered(1).path / name
        shutil.copy(path, tmp_path / name)
        (tmp_path / name).replace(path)
        after = store.find(URL)
        assert after is not None and after is not found, name
        found = after
        assert store.find(URL) is found
    assert store.find("https://other.example/") is None
    open_current(SiteHome.of("https://other.example/", tmp_path))
    assert store.find("https://other.example/") is None
    site.numbered(1).labels.write_bytes(b"{")
    with pytest.raises(BadRecord, match=r"labels\.json: .* label the corpus again"):
        store.find(URL)


def test_another_version_is_taken_as_soon_as_it_is_in_use_and_back(site, demo, tmp_path):
    store = SiteStore(tmp_path)
    first = store.find(URL)
    candidate = open_candidate(site, START)
    fill(demo, candidate)
    assert store.find(URL) is first
    promote(site, candidate)
    found = store.find(URL)
    assert found is not None and found.version == "0002"
    site.link.unlink()
    site.link.symlink_to("0001")
    assert store.find(URL) is first


def test_the_pages_of_the_site_are_familiar_and_nothing_is_said_of_them(site, demo, tmp_path):
    learned = SiteStore(tmp_path).find(URL)
    assert learned is not None
    for page in demo.pages[::10]:
        found = learned.familiarity(page, learned.model.predict(page).relative)
        assert found is not None and not found.is_strange
        assert learned.remark(page, found) == ()


@pytest.fixture
def strange(site, demo, tmp_path):
    """A learned site, and a page that is strange to it."""
    learned = SiteStore(tmp_path).find(URL)
    assert learned is not None
    page = replace(
        demo.pages[0],
        blocks=tuple(
            msgspec.structs.replace(block, style=None, box=block.box and block.box._replace(width=3)) for block in demo.pages[0].blocks
        ),
    )
    found = learned.familiarity(page, learned.model.predict(page).relative)
    assert found is not None
    return learned, page, found._replace(usual=UsualValues(known=1.0, expected_f1=0.9, odd=0.03))


def test_one_odd_page_however_often_it_is_read_is_no_change_of_the_site_and_a_majority_is(strange):
    learned, page, found = strange
    for number in range(9):
        note_page(learned.folder.recent, f"{START}{number}", strange=False)
    for _ in range(12):
        message = joined(learned.remark(page, found))
    assert message.endswith(f"; if others are too, run: sightread learn {START} --refresh")
    for number in range(5):
        note_page(learned.folder.recent, f"{START}{number}", strange=True)
    assert joined(learned.remark(page, found)).endswith(
        f"; so were 6 of the last 10 pages, so the site has changed; run: sightread learn {START} --refresh"
    )


def test_pages_of_a_kind_never_learned_are_no_change_of_the_site_however_many(strange):
    learned, page, found = strange
    found = found._replace(known=0.1, kept_looks=0.9, keeps_known=True)
    for number in range(10):
        url = f"{START}library/{number}"
        (note,) = learned.remark(replace(page, final_url=url), found._replace(url=url))
        assert note.code == "sample-too-narrow"
    assert note.message.endswith(
        f"; the sample is too narrow: it lacks pages of this kind, in /library/; run: sightread learn {START} --refresh --pages 0"
    )
    assert read_recent(learned.folder.recent) == Recent(0, 10)


def test_the_other_model_is_asked_only_if_the_mixture_was_better_and_a_place_is_unknown(demo):
    class Other:
        requested = 0

        def predict(self, page):
            self.requested += 1
            return Prediction(np.full(len(page.blocks), 0.999))

    page, other, of_site = demo.pages[0], Other(), LearnedSite.load(demo.learned.folder)
    strange = replace(page, elements=(*page.elements, Element("aside", 0), Element("q", len(page.elements))))
    strange = replace(strange, blocks=(*page.blocks, Block("a text at a place of its own", len(strange.elements) - 1)))
    alone = replace(of_site, site_evaluation=msgspec.structs.replace(of_site.site_evaluation, is_mixed=False))
    mixed = replace(of_site, site_evaluation=msgspec.structs.replace(of_site.site_evaluation, is_mixed=True))
    for learned, read, kept in ((alone, strange, False), (mixed, page, None), (mixed, strange, True)):
        own = learned.model.predict(read)
        found = learned.complete(read, own, other)
        assert found.probabilities[: len(page.blocks)].tolist() == own.probabilities[: len(page.blocks)].tolist()
        assert kept is None or (found.probabilities[-1] >= 0.5) == kept
    assert other.requested == 1


def noted(path, decisions, start=0):
    for number, strange in enumerate(decisions, start):
        found = note_page(path, f"{START}{number}", strange=strange)
    return found


def test_the_last_pages_add_up_each_once_as_it_was_last(tmp_path):
    path = tmp_path / "recent"
    assert noted(path, [True]) == Recent(1, 1)
    assert noted(path, [False, True, False], 1) == Recent(2, 4)
    assert note_page(path, f"{START}0", strange=False) == Recent(1, 4)
    noted(path, [True] * 30)
    assert noted(path, [False] * 4, 30) == Recent(PAGES_CONSIDERED - 4, PAGES_CONSIDERED)
    with path.open("ab") as file:
        file.write(b"0123456789abcdef 1 and more\nfedcba")
    assert note_page(path, f"{START}9", strange=True).strange >= 2  # a torn or foreign line is passed over


def test_many_writers_lose_nothing_and_the_record_does_not_grow_for_ever(tmp_path):
    path = tmp_path / "recent"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: note_page(path, f"{START}{number}", strange=True), range(200)))
    assert len(set(path.read_bytes().splitlines())) == 200
    for _ in range(MOST_LINES):
        note_page(path, START, strange=False)
    assert len(path.read_bytes().splitlines()) < MOST_LINES
    assert note_page(tmp_path / "gone" / "recent", START, strange=True) == Recent(1, 1)
    assert note_page(tmp_path, START, strange=False) == Recent(0, 1)  # nothing can be written there


ANSWERS = {"comments": True}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = write_corpus(tmp_path_factory.mktemp("site"), site_pages())
    write_site_report(learn_corpus(path, choices=ANSWERS).results)
    return path


def test_what_the_user_chose_is_read_with_auto_and_stays_chosen_when_the_site_is_labelled_again(folder):
    new = site_pages(9)[-1]
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
    page = site_pages(1)[0]
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
