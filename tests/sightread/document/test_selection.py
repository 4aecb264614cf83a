"""The one place where it is decided which blocks are kept, and why."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread import extract
from sightread.classify.model import Prediction
from sightread.document.document import build_document
from sightread.document.selection import Policy, find_duplicates, select
from sightread.document.tree.nodes import PARTS
from sightread.render.labels import PART_KINDS
from sightread.render.page import Box, Overlay
from sightread.render.static.parse import read_html
from sightread.render.text.words import letters

TABLE = "<table><tr><th>Year<th>Masters<tr><td>1701<td>40<tr><td>1702<td>57<tr><td>1703<td>61</table>"
PAGE = read_html(f"<title>The ledger</title><h1>The ledger</h1><p>one<p>·<p>two<p>two{TABLE}<p>end")
CHANCE = st.floats(0, 1)
ROOT = Path(__file__).parents[3] / "data" / "demo" / "templates"


def texts(rows):
    return [PAGE.blocks[row].text for row in rows]


NAME = '<a href="/u/ana">ana</a> <time datetime="2024-05-01">May</time>'
NIGHT = "The ferry runs all night long, twice an hour."
FRAGMENTS = (
    "<h2>Said</h2><h2>Said</h2><p>the first, of 1 July",
    "<p>·<p>\u200b<p>Read on<p>***",
    "<ul><li><p>•<p>a harbour<li>•<li><ul><li>a pier</ul></ul>",
    "<p>1. rope<br>2. tar<p>2. oil<p>• salt<p>• <br>• sand",
    "<table><tr><td><pre>1\n2</pre><td><pre>import os\nexit()</pre></table>",
    "<pre><div>1</div><div>2</div></pre><p>Copy<p>Python<pre>print(7)</pre>",
    "<figure><figure><img src=/a.jpg alt=boat><figcaption>The boat</figcaption></figure><figcaption>All boats</figcaption></figure>",
    "<table><caption>Runs</caption><tr><th>Line<th>Time<tr><td><p>Night<p>express<td>9<tr><td>Day<td>·</table>",
    "<table><tr><td><h3>Left</h3><p>a menu<td>the text beside it</table>",
    "<dl><dt>weir<dd>a low dam<p>in a river</dl><blockquote><p>Quoth he<table><tr><td>x<td>y</table></blockquote>",
    "<p>As said<a href=#n1><sup>1</sup></a> here.<ol><li id=n1>A note. <a href=#top>↩</a></ol>",
    '<nav><a href="/next" rel=next>The next page</a></nav><h3><a href=/c>Copy link</a></h3><p>[gallery ids="1,2"]',
    f"<div class=wide><p>{NIGHT}</div><div class=narrow><p>{NIGHT}</div>",
    f"<div id=comments><h3>2 replies</h3><div class=comment>{NAME}<p>I saw the ferry, from the end of the pier.</div></div>",
    "<div class=cookie-consent role=dialog><p>We use cookies.<button>Accept</button></div><p hidden>an answer",
    "<noscript>Please enable JavaScript to read this page.</noscript><p>$x^2$ and \\(a_1\\)",
)
LEFT_OUT = {*("hidden", "overlay", "navigation", "duplicate", "script notice", "unwanted"), *("ornament", "line numbers", "code label")}


@st.composite
def pages_and_predictions(draw):
    body = "".join(draw(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=5)))
    page = read_html(f"<title>Said</title><body>{body}", "https://post.example/news/1")
    page = replace(page, source=draw(st.sampled_from(["static", "stored"])), recovered_from=draw(st.sampled_from(["", "", "", "noscript"])))
    rows = range(len(page.blocks))
    chances = st.one_of(st.just([1.0] * len(rows)), st.lists(CHANCE, min_size=len(rows), max_size=len(rows)))
    policy = Policy(
        threshold=draw(st.sampled_from([0.2, 0.5, 0.9])),
        keep=draw(st.frozensets(st.sampled_from(PART_KINDS), max_size=2)),
        drop=draw(st.frozensets(st.sampled_from(PART_KINDS), max_size=2)),
        corrected=draw(st.dictionaries(st.sampled_from(rows), st.booleans(), max_size=3)),
        unwanted=draw(st.frozensets(st.sampled_from(PARTS), max_size=2)),
        excluded=draw(st.frozensets(st.sampled_from(rows), max_size=2)),
    )
    return page, Prediction(np.array(draw(chances)), needs_headline=draw(st.booleans())), policy


def check(document):
    """Each block is in the document with a reason to keep it and its text, or is not, with a reason to leave it out."""
    selection, corrected = document.selection, {} if document.page.recovered else document.policy.corrected
    assert len(selection.reasons) == len(document.page.blocks)
    kept = set()
    for row, reason in enumerate(selection.reasons):
        if corrected.get(row) if reason == "corrected" else reason not in LEFT_OUT | {"low probability"}:
            kept.add(row)
    assert kept == set(document.rows) and len(document.rows) == len(kept)
    whole = letters(document.text)
    assert [block.text for block in document.blocks if letters(block.text) not in whole] == []


@settings(max_examples=100, deadline=None)
@given(pages_and_predictions())
def test_every_block_has_one_reason_and_the_kept_ones_are_in_the_text(given):
    page, prediction, policy = given
    document = build_document(page, prediction, policy=policy)
    check(document)
    assert 0 <= document.expected_f1 <= 1


@pytest.mark.parametrize("name", ["news", "feature", "report", "index"])
def test_every_block_of_a_page_of_the_demo_site_has_one_reason(name):
    document = extract((ROOT / f"{name}.html").read_text())
    for other in (document, document.from_threshold(0.01), document.without("comments", "tables", "images", "links")):
        check(other)


CODE = (
    "<p>Run it:<table><tr><td><pre>1\n2</pre><td><pre>import os\nexit()</pre></table><p>Copy<pre>print(7)</pre><ul><li><p>•<p>a pier</ul>"
)


def test_what_the_tree_absorbs_and_what_is_pruned_is_not_kept():
    page = read_html(CODE)
    document = build_document(page, np.ones(len(page.blocks)))
    reasons = {block.text: reason for block, reason in zip(page.blocks, document.selection.reasons, strict=True)}
    assert (reasons["1\n2"], reasons["Copy"], reasons["•"], reasons["a pier"]) == ("line numbers", "code label", "ornament", "probability")
    table = build_document(PAGE, np.ones(len(PAGE.blocks))).without("tables")
    assert {each.text for each in table.left_out if each.reason == "unwanted"} >= {"Year", "1703"} and "1703" not in table.text


def test_a_block_is_left_out_for_an_overlay_only_if_the_overlay_is():
    page = read_html("<div><p>We use cookies.<p>Advertisement</div><p>The text")
    page = replace(page, overlays=(Overlay(page.elements[page.blocks[0].element].parent, "dialog"),))
    assert select(page, Prediction(np.array([0.9, 0.05, 0.9]))).reasons == ("overlay", "overlay", "probability")
    assert select(page, Prediction(np.array([0.9, 0.05, 0.1]))).reasons == ("probability", "low probability", "low probability")


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


def test_the_headline_is_kept_with_its_reason_and_only_if_the_model_wants_it():
    probabilities = np.where([block.text in ("one", "1701", "40", "1702", "57", "1703", "61", "end") for block in PAGE.blocks], 0.9, 0.1)
    plain, found = (select(PAGE, Prediction(probabilities, needs_headline=needs)) for needs in (False, True))
    assert "The ledger" not in texts(plain.rows)
    reasons = dict(zip((block.text for block in PAGE.blocks), found.reasons, strict=True))
    assert (reasons["The ledger"], reasons["Year"], reasons["one"]) == ("headline", "low probability", "probability")


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
    found = select(page, Prediction(np.ones(len(page.blocks))), Policy(visible="all"))
    kept = [page.blocks[row].text for row in found.rows]
    assert ("Hidden link" in kept, "Hidden answer here" in kept, "The only text." in kept) == (False, True, True)
    assert ("A list of all classes and modules" in kept) == is_content
    assert found.reasons[[block.text for block in page.blocks].index("Hidden link")] == "navigation"


@pytest.mark.parametrize("wrong", [np.ones(3), np.full(len(PAGE.blocks), 1.5), np.full(len(PAGE.blocks), np.nan)])
def test_a_prediction_that_does_not_fit_the_page_is_refused(wrong):
    with pytest.raises(ValueError, match="probabilities"):
        select(PAGE, Prediction(wrong))


# What a page holds twice, and what only repeats itself.


EVERY_NIGHT, IN_WINTER = "The ferry runs all night long, twice an hour.", "It will not run in the coming winter, says the council."


def rows_of(html, probabilities=None):
    page = read_html(html)
    chance = np.full(len(page.blocks), 0.9) if probabilities is None else np.array(probabilities)
    return tuple(row for row in range(len(page.blocks)) if row not in find_duplicates(page, range(len(page.blocks)), chance))


def shown_rows_of(html, hidden=()):
    """The rows that stay of a page whose blocks are shown but for the hidden ones, if prose that is shown twice is kept."""
    page = read_html(html)
    blocks = (
        msgspec.structs.replace(block, hidden="display" if row in hidden else "", box=None if row in hidden else Box(0, 20 * row, 300, 18))
        for row, block in enumerate(page.blocks)
    )
    page = replace(page, blocks=tuple(blocks))
    copies = find_duplicates(page, range(len(page.blocks)), np.full(len(page.blocks), 0.9), keep_prose=True)
    return tuple(row for row in range(len(page.blocks)) if row not in copies)


def test_of_a_text_for_wide_and_for_narrow_screens_one_stays():
    assert rows_of(f"<div class=wide><p>{EVERY_NIGHT}<p>{IN_WINTER}</div><div class=narrow><p>{EVERY_NIGHT}<p>{IN_WINTER}</div>") == (0, 1)


def test_the_likeliest_copy_stays():
    assert rows_of(f"<div class=teaser><p>{EVERY_NIGHT}</div><div class=post><p>{EVERY_NIGHT}</div>", [0.6, 0.9]) == (1,)


def test_what_is_repeated_in_like_places_stays():
    step = f"<li><p>{EVERY_NIGHT}"
    assert rows_of(f"<ul>{step * 4}</ul>") == (0, 1, 2, 3)


def test_a_table_keeps_the_cells_that_another_place_says_too_unless_it_says_nothing_else():
    table = f"<table><tr><th>Line<th>Runs<tr><td>Night<td>{EVERY_NIGHT}<tr><td>Winter<td>{IN_WINTER}</table>"
    assert len(rows_of(f"<div class=lead><p>{EVERY_NIGHT}</div>{table}")) == 7
    assert rows_of(f"<div class=lead><p>{EVERY_NIGHT}</div><table><tr><td>{EVERY_NIGHT}</table>") == (0,)


def test_prose_that_is_shown_twice_can_be_kept_twice():
    twice = f"<div class=summary><p>{EVERY_NIGHT}</div><div class=details><p>{EVERY_NIGHT}</div>"
    assert shown_rows_of(twice) == (0, 1)
    assert shown_rows_of(twice, hidden=(1,)) == (0,)
    assert shown_rows_of(twice.replace("<p>", "<h2>")) == (0,)
    assert shown_rows_of(f"<div class=teaser><p><a href=/x>{EVERY_NIGHT}</a></div><div class=post><p>{EVERY_NIGHT}</div>") == (0,)


def test_a_copy_in_another_place_is_left_out_of_a_document():
    page = read_html(f"<div class=wide><p>{EVERY_NIGHT}</div><div class=narrow><p>{EVERY_NIGHT}</div>")
    assert select(page, Prediction(np.ones(2))).reasons == ("probability", "duplicate")
