"""Learned sites at hand: read once, and again when they change; and the record of how the last new pages stood."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from sightread.classify.model import Prediction
from sightread.crawler.corpus import Corpus
from sightread.document.notes import joined
from sightread.render.errors import BadRecord
from sightread.render.page import Block, Element
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_candidate, open_current, promote
from sightread.sites.store import MOST_LINES, PAGES_CONSIDERED, LearnedSite, Recent, SiteStore, note_page, read_recent
from sightread.sites.trust import UsualValues

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
        blocks=tuple(replace(block, style=None, box=block.box and block.box._replace(width=3)) for block in demo.pages[0].blocks),
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
