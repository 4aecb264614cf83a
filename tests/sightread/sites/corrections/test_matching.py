"""Corrections: what they decide, also after a change of the site, and what is left to a person; answers that decide a look; the file."""

import difflib
import signal
import subprocess
import sys
import time
from dataclasses import replace
from dataclasses import replace as replaced

import msgspec
import numpy as np
import pytest

from benchmarks.experiments.learning.redesigns import REDESIGNS
from sightread.render.errors import BadRecord
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.sites.corrections.anchors import Names, anchor_pages, block_anchor, place_anchor, template_scope
from sightread.sites.corrections.matching import decide_page, match_corrections
from sightread.sites.corrections.records import (
    NO_CORRECTIONS,
    Anchor,
    Correction,
    Corrections,
    CorrectionScope,
    address_of,
    encode_corrections,
    load_corrections,
    save_corrections,
)
from sightread.sites.learn import Site, learn_corpus
from sightread.sites.store import LearnedSite
from tests.labeling.sites import COMMENT, LEDE, Look, articles, discussed, lines_of, make_page, news_site, page_with, write_corpus

PAGES = [discussed(article, 2) for article in articles(6)]
PLAIN = Look("section/div/p")


def correction(pages, text, *, is_content=True, target="look", scope=None, place=""):
    anchors = anchor_pages(pages)
    row = next(row for row, page in enumerate(pages) if any(block.text == text for block in page.blocks))
    block = next(number for number, each in enumerate(pages[row].blocks) if each.text == text)
    names = Names.of(pages)
    if target == "place":
        element = next(each for each in pages[row].ancestors(pages[row].blocks[block].element) if pages[row].elements[each].tag == place)
        anchor = place_anchor(anchors[row], element, names)
    else:
        anchor = block_anchor(anchors[row], block, names)
    scopes = {"page": CorrectionScope("page", address_of(pages[row].url)), "template": template_scope(anchors, row)}
    return Correction(
        is_content,
        target,
        anchor,
        scopes.get(scope, scope or CorrectionScope()),
        pages[row].url,
        "ada",
        "2026-05-21T09:14:55+00:00",
        "site 0001",
    )


def decided(pages, *made):
    found = match_corrections(anchor_pages(pages), Corrections(made))
    return found, [
        {block.text: int(label) for block, label in zip(page.blocks, labels, strict=True) if label != UNKNOWN}
        for page, labels in zip(pages, found.labels, strict=True)
    ]


def test_a_look_is_corrected_on_every_page_and_nothing_else_is():
    comment = PAGES[0].blocks[-3].text
    _, texts = decided(PAGES, correction(PAGES, comment))
    assert [len(of_page) for of_page in texts] == [2] * 6
    assert all(label == CONTENT for of_page in texts for label in of_page.values())


def test_a_place_holds_all_that_is_below_it():
    _, texts = decided(PAGES, correction(PAGES, PAGES[0].blocks[-2].text, is_content=False, target="place", place="section"))
    assert [len(of_page) for of_page in texts] == [2] * 6


def test_a_text_is_corrected_alone_and_goes_before_its_look():
    comment, other = PAGES[0].blocks[-3].text, PAGES[0].blocks[-2].text
    look, block = correction(PAGES, comment), correction(PAGES, other, is_content=False, target="block", scope="page")
    for order in ((look, block), (block, look)):
        _, texts = decided(PAGES, *order)
        assert texts[0] == {comment: CONTENT, other: BOILERPLATE} and len(texts[1]) == 2


def test_a_page_and_a_pattern_limit_a_correction():
    comment = PAGES[2].blocks[-3].text
    for scope in ("page", CorrectionScope("pattern", "/2*")):
        _, texts = decided(PAGES, correction(PAGES, comment, scope=scope))
        assert [len(of_page) for of_page in texts] == [0, 0, 2, 0, 0, 0]


def test_two_templates_of_one_site_are_corrected_independently():
    other = [
        make_page(
            f"https://x.test/report/{each.number}", [PLAIN(each.title), *map(PLAIN, each.paragraphs), COMMENT(each.spare[0])], (each.title,)
        )
        for each in articles(12)[6:]
    ]
    pages = [*PAGES, *other]
    kept = correction(pages, other[0].blocks[-1].text, scope="template")
    dropped = correction(pages, PAGES[0].blocks[-3].text, is_content=False, scope="template")
    assert kept.scope.kind == dropped.scope.kind == "template"
    _, texts = decided(pages, kept, dropped)
    assert [set(of_page.values()) for of_page in texts] == [{BOILERPLATE}] * 6 + [{CONTENT}] * 6
    assert decide_page(replace(other[1], url="https://x.test/new", final_url=""), Corrections((kept, dropped))) == {5: True}


@pytest.mark.parametrize("change", [change for change in REDESIGNS if change not in ("none", "class names, sizes", "everything")])
def test_after_a_partial_change_a_text_shows_where_the_look_has_gone(change):
    comment = PAGES[0].blocks[-3].text
    found, texts = decided([REDESIGNS[change](page) for page in PAGES], correction(PAGES, comment))
    assert found.matches[0].state == "matches" and [len(of_page) for of_page in texts] == [2] * 6
    exact = set(found.matches[0].anchors) == {"look", "path"}
    assert exact or ("text" in found.matches[0].anchors and "since the site has changed" in found.describe())


def test_what_only_a_text_is_left_of_needs_a_person_and_changes_nothing():
    made = [correction(PAGES, PAGES[0].blocks[-3].text), correction(PAGES, PAGES[0].blocks[3].text)]
    moved = [REDESIGNS["everything"](page) if number else page for number, page in enumerate(PAGES)]
    found, texts = decided(moved[1:], *made)
    assert found.describe() == "0 of 2 corrections match, 2 need you" and not any(texts)
    assert "nothing of it is found" in found.needing[0].describe()
    found, _ = decided([REDESIGNS["everything"](PAGES[0])], made[0])
    assert "only its text is found (1 block on 1 page): is it the same?" in found.needing[0].describe()


def test_a_replaced_correction_no_longer_holds_until_the_replacement_is_undone():
    old = correction(PAGES, PAGES[0].blocks[-3].text)
    made = Corrections((old,)).with_answer(Correction(False, "look", old.anchor, replaces=old.id))
    assert [each.is_content for each in made.active] == [False]
    assert made.undo().active == (old,) and made.undo().redo() == made
    assert made.undo().with_answer(old).undone == made.undo().undone
    assert NO_CORRECTIONS.undo() is NO_CORRECTIONS and NO_CORRECTIONS.redo() is NO_CORRECTIONS


def test_learning_again_keeps_corrections_and_new_pages_follow_them(tmp_path):
    pages = news_site(8)
    write_corpus(tmp_path, pages)
    dropped = correction(pages, pages[0].blocks[3].text, is_content=False, target="block")
    kept = correction(pages, "All rights reserved by the Valley News.")
    save_corrections(tmp_path / "corrections.json", Corrections((kept, dropped)))
    learned = learn_corpus(tmp_path)
    assert learned.corrections.describe() == "2 of 2 corrections match"
    assert all(labels[-1] == CONTENT for labels in learned.labels.labels) and learned.labels.labels[0][3] == BOILERPLATE
    model = Site.open(tmp_path).model()
    new = page_with(articles(9)[8], [*lines_of(articles(9)[8]), LEDE("A line of a look that nobody knows.")])
    assert model.predict(new).probabilities[-2] > 0.5  # the look of the corrected footer generalises
    site = LearnedSite.load(learned.folder)
    assert decide_page(new, site.corrections) == {len(new.blocks) - 2: True}
    assert load_corrections(learned.folder.corrections).made == (kept, dropped)


ANSWERED = [discussed(article, 2) for article in articles(4)]
ANCHORS = anchor_pages(ANSWERED)
ROW = len(ANSWERED[0].blocks) - 3


def given(page, *, is_content, needs=1, block=ROW):
    """An answer about the look of the comments, on one of them."""
    anchor = block_anchor(ANCHORS[page], block, Names.of(ANSWERED))
    return Correction(is_content, "look", anchor, page=ANSWERED[page].url, needs=needs)


def decided_by(*answers):
    found = match_corrections(ANCHORS, Corrections(answers))
    labels = [set(of_page[ROW : ROW + 2].tolist()) for of_page in found.labels]
    return found, labels


YES, NO, DOUBTED = given(0, is_content=True), given(1, is_content=False), given(0, is_content=True, needs=2)


@pytest.mark.parametrize(
    ("answers", "of_all"),
    [
        ((YES,), CONTENT),
        ((DOUBTED,), None),
        ((DOUBTED, given(1, is_content=True)), CONTENT),
        ((YES, NO), None),
        ((YES, NO, given(2, is_content=False)), BOILERPLATE),
        ((DOUBTED, NO, given(2, is_content=True)), CONTENT),
        ((DOUBTED, NO), None),
    ],
)
def test_enough_answers_decide_a_look_and_too_few_or_contradictory_ones_nothing(answers, of_all):
    _, labels = decided_by(*answers)
    assert all(of_page == {UNKNOWN if of_all is None else of_all} for of_page in labels)


def test_an_answer_in_doubt_is_no_evidence_and_says_so():
    found, _ = decided_by(DOUBTED)
    assert all(np.all(weights == 1) for weights in found.weights())
    (match,) = found.unconfirmed
    assert match.blocks == {0: (ROW,)}  # what was shown
    assert found.describe() == "1 of 1 corrections match" and "must confirm it first" in match.describe()


def test_a_mark_decides_whatever_was_answered_and_the_same_answer_again_counts():
    mark = msgspec.structs.replace(NO, needs=0)
    assert decided_by(YES, mark)[1][3] == {BOILERPLATE}
    assert len(Corrections((mark,)).with_answer(mark).made) == 1
    assert decided_by(*Corrections((DOUBTED,)).with_answer(DOUBTED).made)[1][3] == {CONTENT}


def test_a_new_page_follows_what_is_decided_alone():
    new = replaced(ANSWERED[3], url="https://x.test/new", final_url="https://x.test/new")
    assert decide_page(new, Corrections((DOUBTED,))) == {}
    assert decide_page(new, Corrections((YES,))) == {ROW: True, ROW + 1: True}


WRITER = """
import sys
from pathlib import Path
from sightread.sites.corrections.records import load_corrections, save_corrections
from sightread.sites.corrections.records import Anchor, Correction
path = Path(sys.argv[1])
for number in range(100_000):
    save_corrections(path, load_corrections(path).with_answer(Correction(True, "look", Anchor(f"body > p .n{number}"))))
    print(number, flush=True)
"""


def numbered(number, *, is_content=True):
    return Correction(is_content, "look", Anchor(f"body > p .n{number}", sample=f"text {number}"), by="ada")


def test_a_new_answer_adds_lines_to_a_diff_and_changes_none():
    old, new = (encode_corrections(Corrections(tuple(numbered(n) for n in range(count)))).decode().splitlines() for count in (3, 4))
    removed = [line for line in difflib.ndiff(old, new) if line.startswith("- ")]
    assert len(new) > len(old) and all(line.strip("- ") == "}" for line in removed)
    assert '    "sample": "text 3"' in new


def test_a_kill_loses_no_answer(tmp_path):
    path = tmp_path / "corrections.json"
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True) as writer:
        seen = [writer.stdout.readline() for _ in range(20)]
        time.sleep(0.01)
        writer.send_signal(signal.SIGKILL)
        seen += writer.stdout.readlines()
    confirmed = max(int(line) for line in seen if line.endswith("\n"))
    kept = load_corrections(path).made
    assert len(kept) in (confirmed + 1, confirmed + 2)
    assert [each.anchor.path for each in kept] == [f"body > p .n{number}" for number in range(len(kept))]


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff", b'{"schema": 1, "corrections": [{}]}', b'{"schema": 9, "corrections": []}'])
def test_a_damaged_file_is_refused_with_its_name(tmp_path, data):
    (tmp_path / "corrections.json").write_bytes(data)
    with pytest.raises(BadRecord, match=r"corrections\.json: .*(restore|update)"):
        load_corrections(tmp_path / "corrections.json")
