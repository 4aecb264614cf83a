"""Corrections on pages: what they decide, what they decide after a change of the site, and what is left to a person."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.experiments.learning.redesigns import REDESIGNS
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.sites.corrections.anchors import Names, anchor_pages, block_anchor, place_anchor, template_scope
from sightread.sites.corrections.matching import decide_page, match_corrections
from sightread.sites.corrections.records import (
    NO_CORRECTIONS,
    Correction,
    Corrections,
    CorrectionScope,
    address_of,
    load_corrections,
    save_corrections,
)
from sightread.sites.learn import Site, learn_corpus
from sightread.sites.store import LearnedSite
from tests.labeling.sites import COMMENT, LEDE, Look, articles, discussed, lines_of, make_page, news_site, page_with
from tests.pages.corpora import write_corpus

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


def test_no_label_is_invented_for_pages_without_corrections():
    found, texts = decided(PAGES)
    assert found.describe() == "" and not any(texts)
    assert np.array_equal(found.overlay(found.labels)[0], found.labels[0])
