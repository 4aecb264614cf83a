"""What a person sees: ways to hide text, of which none is in a document, and designs, of which nothing is lost."""

import asyncio

import numpy as np
import pytest

from sightread.document.document import build_document
from sightread.document.selection import Policy
from sightread.render.browser.browser import STORED
from sightread.render.page import decode_page, encode_page
from sightread.render.static.parse import read_html
from tests.pages.sights import DESIGNS, SCRIPTED, SEEN, WAYS, written

SHOWN = "<p>A paragraph that everybody sees, with words enough to be one: {}.</p>"
PER_PAGE = 15
"""Cases one below the other: pixels are looked at in six places of a page at most."""
HIDING = {name: markup for ways in WAYS.values() for name, markup in ways.items()}
REASONS = {name: reason for reason, ways in WAYS.items() for name in ways}
NUMBERS = {name: number for number, name in enumerate({**HIDING, **DESIGNS, **SEEN, **SCRIPTED})}
IN_MARKUP = (
    *("color: transparent", "opacity", "font-size: 0", "font-size of a class", "font-size: 1px", "transform: scale(0)"),
    *("clip-path", "text-indent"),
    *("left of the page", "tags of Unicode", "selectors of variants", "signs without width"),
)
"""Ways of which markup alone is certain."""


def words_of(name):
    return f"Words of number {NUMBERS[name]} that are written out"


def batches(names):
    return [names[start : start + PER_PAGE] for start in range(0, len(names), PER_PAGE)]


def page_of(names, markup):
    return "<!doctype html>" + "".join(
        SHOWN.format(NUMBERS[name]) + f"<div>{written(markup[name], words_of(name))}</div>" for name in names
    )


def document_of(page, **policy):
    """Return the document by a model that is sure of everything."""
    return build_document(page, np.ones(len(page.blocks)), policy=Policy(**policy))


@pytest.fixture(scope="module")
async def pages(browser):
    """Return the page of each case."""
    groups = [(names, cases) for cases in (HIDING, DESIGNS, SEEN, SCRIPTED) for names in batches(list(cases))]
    rendered = await asyncio.gather(*(browser.render_html(page_of(*group), "http://site.test/", STORED) for group in groups))
    return {name: each.page for (names, _), each in zip(groups, rendered, strict=True) for name in names}


@pytest.mark.parametrize("name", HIDING)
async def test_text_that_no_person_sees_is_not_in_the_document_and_is_listed(pages, name):
    page, words, reason = pages[name], words_of(name), REASONS[name]
    document = document_of(page)
    assert words not in document.markdown
    assert SHOWN.format(NUMBERS[name])[3:-4] in document.text
    assert [(block.hidden, block.reachable) for block in page.blocks if words in block.text] == [(reason, False)] * (reason is not None)
    assert [each.reason for each in document.hidden if words in each.text] == [reason] * (reason is not None)
    if reason is not None:
        assert words in document_of(page, visible="all").text
        (row,) = (row for row, block in enumerate(page.blocks) if words in block.text)
        assert document.selection.reasons[row] == "invisible"


@pytest.mark.parametrize("name", [*DESIGNS, *SCRIPTED])
async def test_what_a_person_can_open_is_in_the_document(pages, name):
    assert words_of(name) in document_of(pages[name]).text


@pytest.mark.parametrize("name", SEEN)
async def test_what_a_person_sees_is_not_taken_for_hidden(pages, name):
    assert words_of(name) in document_of(pages[name], visible="visible").text


async def test_text_that_fades_in_when_a_reader_comes_to_it_is_reachable(browser, site_server):
    show = "new IntersectionObserver(([e]) => { if (e.isIntersecting) e.target.style.opacity = 1; }).observe(late)"
    late = "<p id=late style='opacity:0'>A paragraph that fades in when it is reached.</p>"
    never = "<p style='opacity:0;transition:opacity 1s'>A paragraph that never fades in, whatever a reader does.</p>"
    site = await site_server({"/": f"<!doctype html><p>Seen.</p><div style='height:3000px'></div>{late}{never}<script>{show}</script>"})
    page = (await browser.render(site.url())).page
    assert [block.reachable for block in page.blocks] == [None, True, False]


async def test_a_page_of_which_everything_seems_hidden_keeps_its_text_with_a_note(pages, browser):
    page = (
        await browser.render_html("<p style='opacity:0'>All that there is, in more than eight words, is not to be seen.", "", STORED)
    ).page
    document = document_of(page)
    assert document.text
    assert [note.code for note in document.notes] == ["text-hidden"]
    assert document_of(pages["white on white"]).notes[0].code == "text-hidden"


def test_pages_that_were_stored_before_sight_keep_their_hidden_text(pages):
    old = encode_page(pages["hidden"]).replace(b'"reachable":false', b'"reachable":null')
    assert words_of("hidden") in document_of(decode_page(old)).text


@pytest.mark.parametrize("name", IN_MARKUP)
def test_markup_is_certain_of_some_ways_without_a_browser(name):
    document = document_of(read_html(page_of([name], HIDING)))
    assert words_of(name) not in document.text
    assert [each.reason for each in document.hidden] == [REASONS[name]]


@pytest.mark.parametrize("name", SEEN)
def test_markup_takes_nothing_for_hidden_that_a_person_sees(name):
    assert words_of(name) in document_of(read_html(page_of([name], SEEN))).text


def test_a_page_that_no_browser_saw_has_a_note_if_only_the_visible_was_wanted():
    page = read_html("<p>Shown.<p hidden>Not shown.")
    assert [note.code for note in document_of(page, visible="visible").notes] == ["sight-not-used"]
    assert document_of(page, visible="visible").text == "Shown."
    assert document_of(page).notes == ()
