"""Documents of what CSS selectors match, and of the whole page."""

import pytest

from sightread.document.document import SELECTORS, WHOLE_PAGE, blocks_within, choose_blocks
from sightread.reading import read_static
from sightread.render.errors import Rejected

STORY = "The lighthouse at the end of the pier was painted green last summer, and nobody in the town could say who had done it. " * 3
PAGE = f"""<html lang="en"><head><title>The green lighthouse</title></head><body>
<nav class="top main"><a href="/">Home page of the paper</a></nav>
<article id="story"><h1>The green lighthouse</h1><p>{STORY}</p><p class="aside note">An aside by the editors.</p>
<table><tr><td>1701</td><td>green</td></tr></table></article>
<footer><p>All rights reserved.</p></footer></body></html>"""


@pytest.fixture(scope="module")
def document():
    return read_static(PAGE, "https://post.example/lighthouse", "boilerpipe").document


def texts(document, selector):
    return [document.page.blocks[row].text for row in sorted(blocks_within(document.page, [selector]))]


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("footer", ["All rights reserved."]),
        ("nav.main.top", ["Home page of the paper"]),
        ("article > p + .note", ["An aside by the editors."]),
        ("#story td:first-child", ["1701"]),
        ("p:not(#story p)", ["All rights reserved."]),
        ("video", []),
    ],
)
def test_selectors_match_as_in_a_browser(document, selector, found):
    assert texts(document, selector) == found


def test_keep_takes_the_matched_elements_alone_and_drop_leaves_some_out(document):
    kept = choose_blocks(document, keep=["#story", "footer"], drop=[".note", "table"])
    assert kept.text.startswith("The green lighthouse\n") and kept.text.endswith("All rights reserved.")
    assert "editors" not in kept.text and "1701" not in kept.text and "Home page" not in kept.text
    assert kept.model == SELECTORS and "unwanted" in kept.selection.reasons


def test_the_whole_page_is_every_visible_block(document):
    whole = choose_blocks(document, whole=True)
    assert len(whole.rows) == len(document.page.blocks) and whole.model == WHOLE_PAGE


def test_a_selector_without_a_match_gives_an_empty_document_that_names_it(document):
    assert choose_blocks(document, keep=["main .body"]).reason == "no text is inside an element that main .body matches"


def test_what_is_no_selector_is_refused(document):
    with pytest.raises(Rejected, match=r"'p\[' is no CSS selector: correct it"):
        choose_blocks(document, drop=["p["])


def test_without_a_choice_the_document_stays(document):
    assert choose_blocks(document) is document
