"""The one place where it is decided which blocks are kept, and why."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.classify.model import Prediction
from sightread.document.selection import Policy, select
from sightread.render.static.parse import read_html

TABLE = "<table><tr><th>Year<th>Masters<tr><td>1701<td>40<tr><td>1702<td>57<tr><td>1703<td>61</table>"
PAGE = read_html(f"<title>The ledger</title><h1>The ledger</h1><p>one<p>·<p>two<p>two{TABLE}<p>end")
CHANCE = st.floats(0, 1)


def texts(rows):
    return [PAGE.blocks[row].text for row in rows]


@given(st.lists(CHANCE, min_size=len(PAGE.blocks), max_size=len(PAGE.blocks)), CHANCE, st.booleans())
def test_every_block_has_a_reason_and_the_kept_ones_one_to_keep(probabilities, threshold, needs):
    found = select(PAGE, Prediction(np.array(probabilities), needs_postprocessing=needs), Policy(threshold))
    assert len(found.reasons) == len(PAGE.blocks)
    left_out = {"hidden", "overlay", "navigation", "duplicate", "ornament", "unwanted", "low probability"}
    assert {row for row, reason in enumerate(found.reasons) if reason not in left_out} == set(found.rows)
    assert 0 <= found.expected_f1 <= 1


@given(st.lists(CHANCE, min_size=len(PAGE.blocks), max_size=len(PAGE.blocks)), CHANCE, CHANCE)
def test_a_higher_threshold_keeps_no_more(probabilities, one, other):
    low, high = sorted((one, other))
    prediction = Prediction(np.array(probabilities))
    kept = [np.array(probabilities) >= prediction.least(threshold) for threshold in (low, high)]
    assert not (kept[1] & ~kept[0]).any()


@given(st.floats(0.001, 0.999))
def test_a_block_exactly_at_the_level_is_kept(probability):
    probabilities = np.full(len(PAGE.blocks), probability)
    assert Prediction(probabilities, level=probability).least(0.5) == probability
    assert select(PAGE, Prediction(probabilities, level=probability)).rows


def test_the_level_of_the_prediction_decides_and_its_probabilities_stay():
    probabilities = np.full(len(PAGE.blocks), 0.2)
    probabilities[1] = 0.4
    prediction = Prediction(probabilities, level=0.3)
    assert texts(select(PAGE, prediction).rows) == ["one"]
    assert prediction.probabilities[1] == 0.4
    np.testing.assert_array_equal(prediction.relative >= 0.5, probabilities >= 0.3)
    assert texts(select(PAGE, prediction, Policy(0.7)).rows) == []  # surer than the level asks


def test_what_belongs_to_kept_blocks_is_kept_with_its_rule_and_only_if_the_model_wants_it():
    probabilities = np.where([block.text in ("one", "1701", "40", "1702", "57", "1703", "61", "end") for block in PAGE.blocks], 0.9, 0.1)
    plain, found = (select(PAGE, Prediction(probabilities, needs_postprocessing=needs)) for needs in (False, True))
    assert "The ledger" not in texts(plain.rows)
    reasons = dict(zip((block.text for block in PAGE.blocks), found.reasons, strict=True))
    assert (reasons["The ledger"], reasons["Year"], reasons["one"]) == ("headline", "rest of a table", "probability")


def test_a_table_whose_cells_have_several_lines_is_kept_whole_and_one_of_controls_is_not():
    names = "<table><tr><td><p>A<p>abs()<p>all()<td><p>B<p>bin()</table>"
    controls = "<table><tr><td><h3>A</h3><p>abs()<div><p>Rate</div><td><h3>B</h3><p>bin()<div><p>Rate</div></table>"
    for table, dropped in ((names, set()), (controls, {"abs()", "bin()", "Rate"})):
        page = read_html(f"<main><h1>Functions</h1><p>These are always available.{table}<h2>abs(x)</h2><p>Its distance from 0.</main>")
        probabilities = np.where([len(block.text) == 1 or len(block.text) > 5 for block in page.blocks], 0.9, 0.1)
        rows = select(page, Prediction(probabilities, needs_postprocessing=True)).rows
        assert {page.blocks[row].text for row in set(range(len(page.blocks))).difference(rows)} == dropped


def test_text_that_the_browser_did_not_lay_out_needs_a_clear_probability_unless_nothing_else_is_kept():
    page = read_html("<p>shown<p hidden>an answer that opens on a click<p hidden>a menu")
    rendered = replace(page, source="browser")
    prediction = Prediction(np.array([0.6, 0.9, 0.7]))
    assert select(rendered, prediction).rows == (0, 1)
    assert select(rendered, prediction).reasons[2] == "hidden"
    assert select(page, prediction).rows == (0, 1, 2)
    answer = replace(read_html("<p>shown<details><summary>question</summary><p hidden>answer</details>"), source="browser")
    assert select(answer, Prediction(np.array([0.6, 0.6, 0.75]))).rows == (0, 1, 2)
    assert select(rendered, Prediction(np.array([0.1, 0.6, 0.7]))).rows == (1, 2)


def test_ornaments_and_repeated_headings_are_left_out_whatever_their_probability():
    page = read_html("<h2>Said</h2><h2>Said</h2><p>one</p><p>·</p>")
    found = select(page, Prediction(np.ones(4)))
    assert found.reasons == ("probability", "duplicate", "probability", "ornament")


def test_links_to_the_page_before_or_after_are_left_out_unless_nothing_else_is_kept():
    links = (
        '<p>Next: <a rel="next" href="2.html">The second chapter</a></p><p><a href="2.html">Chapter 2</a> follows, of which more below.</p>'
    )
    page = read_html(f"<p>one</p>{links}", "https://x.test/1.html")
    assert select(page, Prediction(np.ones(3))).reasons == ("probability", "navigation", "probability")
    assert select(page, Prediction(np.array([0.1, 0.9, 0.1]))).reasons == ("low probability", "probability", "low probability")
    assert select(page, Prediction(np.ones(3)), Policy(corrected={1: True})).reasons == ("probability", "corrected", "probability")


@pytest.mark.parametrize(("width", "is_content"), [(250, False), (700, True)])
async def test_links_of_closed_menus_and_iframes_at_the_side_are_left_out(browser, width, is_content):
    frame = f"<iframe width={width} height=200 srcdoc='<p>A list of all classes and modules</p>'></iframe>"
    menu = "<ul style='display: none'><li><a href=/a>Hidden link</a><li>Hidden answer <a href=/b>here</a></ul>"
    page = (await browser.render_html(f"<!doctype html><h1>Post</h1>{menu}{frame}<p>The only text.", "http://site.test/")).page
    found = select(page, Prediction(np.ones(len(page.blocks))))
    kept = [page.blocks[row].text for row in found.rows]
    assert ("Hidden link" in kept, "Hidden answer here" in kept, "The only text." in kept) == (False, True, True)
    assert ("A list of all classes and modules" in kept) == is_content
    assert found.reasons[[block.text for block in page.blocks].index("Hidden link")] == "navigation"


@pytest.mark.parametrize("wrong", [np.ones(3), np.full(len(PAGE.blocks), 1.5), np.full(len(PAGE.blocks), np.nan)])
def test_a_prediction_that_does_not_fit_the_page_is_refused(wrong):
    with pytest.raises(ValueError, match="probabilities"):
        select(PAGE, Prediction(wrong))
