"""Measures of text and structure against gold, and their means with intervals."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.metrics.means import estimate
from benchmarks.metrics.measures import rouge_lsum, shingle_score, split_sentences, word_score
from benchmarks.metrics.structure import KINDS, compare, structure_of_html, structure_of_markdown, teds
from sightread.classify.evaluation import Score
from sightread.render.text.words import words

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


def frame(f1: list[float], **columns: list[float]) -> pd.DataFrame:
    return pd.DataFrame({"rouge_f1": f1} | columns)


@given(SCORES)
@settings(deadline=None)
def test_the_mean_lies_in_its_interval_and_the_interval_in_the_scores(scores: list[float]):
    found = estimate([frame(scores)], "rouge")
    assert found.mean == pytest.approx(np.mean(scores))
    assert min(scores) - 1e-9 <= found.low <= found.high <= max(scores) + 1e-9
    assert found.pages == len(scores)


def test_the_interval_is_that_of_the_mean():
    """Of 400 pages, half 0 and half 1, the mean has a standard error of 0.025, and the interval is 1.96 of them to each side."""
    found = estimate([frame([0.0, 1.0] * 200)], "rouge")
    assert found.mean == 0.5
    assert found.low == pytest.approx(0.451, abs=0.006)
    assert found.high == pytest.approx(0.549, abs=0.006)


def test_a_mean_over_sets_counts_each_set_alike_and_draws_within_each():
    large, small = frame([1.0] * 300), frame([0.0] * 10)
    assert estimate([large, small], "rouge")[:3] == (0.5, 0.5, 0.5)


def test_shingles_are_worth_what_the_published_protocol_says():
    """Six words have three shingles; the first five have two of them."""
    score = shingle_score("a b c d e", "a b c d e f")
    assert (score.precision, score.recall) == (1, pytest.approx(2 / 3))
    assert shingle_score("one two", "one two").f1 == 1, "a short text is one shingle"
    assert shingle_score("One two", "one two").f1 == 0, "case counts"


def test_a_page_without_extraction_counts_for_recall_alone():
    assert math.isnan(shingle_score("", "a b c d").precision)
    assert shingle_score("", "a b c d").recall == 0
    assert shingle_score("", "").f1 == 1
    pages = pd.DataFrame({"shingles_precision": [1.0, math.nan], "shingles_recall": [1.0, 0.0], "shingles_f1": [1.0, 0.0]})
    assert estimate([pages], "shingles").mean == pytest.approx(2 / 3), "of a mean precision of 1 and a mean recall of a half"
    assert estimate([pages], "shingles", "precision").mean == 1


TEXTS = st.lists(st.sampled_from(["the", "river", "rose.", "A", "bridge", "fell!", "\n"]), max_size=30).map(" ".join)


def test_the_union_over_sentences_counts():
    """The worked example of Lin (2004), section 3.2: w1 w2 w3 w4 w5 against w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5 share w1 w2 w3 w5."""
    score = rouge_lsum("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    assert score.recall == pytest.approx(4 / 5)
    assert score.precision == pytest.approx(4 / 10)


def test_order_counts_inside_a_sentence_but_not_between_them_and_tokens_as_often_as_both_have_them():
    assert rouge_lsum("It rained. The bridge fell.", "The bridge fell. It rained.").f1 == 1
    assert rouge_lsum("fell bridge the", "the bridge fell").recall == pytest.approx(1 / 3)
    score = rouge_lsum("no", "no\nno\nno")
    assert (score.precision, score.recall) == (1, pytest.approx(1 / 3))


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_scores_are_those_of_rouge_score(one: str, other: str):
    scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge_score is in the dependency group peers")

    class Whole:
        def tokenize(self, text: str) -> list[str]:
            return text.split()

    first, second = ("\n".join(map(" ".join, split_sentences(text))) for text in (one, other))
    if first and second:
        expected = scorer.RougeScorer(["rougeLsum"], tokenizer=Whole()).score(second, first)["rougeLsum"]
        found = rouge_lsum(one, other)
        assert (found.precision, found.recall, found.f1) == pytest.approx((expected.precision, expected.recall, expected.fmeasure))


def test_words_are_compared_as_multisets_whatever_their_case_and_order() -> None:
    assert word_score("The end, the END", "end the") == Score(0.5, 1.0, 2 / 3)
    assert word_score("汉字 नमस्ते", "汉字").recall == 1.0


def test_in_scripts_without_spaces_a_clause_is_one_word_by_the_protocol_and_each_character_by_ours() -> None:
    extracted, gold = "昨日の洪水で橋が流された", "昨日の洪水で橋が流された 103 4"
    assert word_score(extracted, gold).recall == 1 / 3
    assert word_score(extracted, gold, words).recall == 12 / 14


HTML = """<h1>The ferry</h1><h2>Its <em>route</em> <a href="#route">¶</a></h2><p>By <a href="/map">the map</a>, \\(a + b\\).</p>
<ul><li>One<ol><li>Inner</li></ol></li><li>Two</li></ul><table><tr><th>Depth</th><th>Tide</th></tr><tr><td>3 m</td><td>low</td></tr></table>
<pre><code>sail(1)\n  anchor()\n</code></pre><p><img src="/pictures/boat.png" alt=""></p>
<p><math><mi>x</mi><annotation encoding="application/x-tex">x + y</annotation></math></p>"""
MARKDOWN = """# The ferry

## Its *route*

By [the map](https://a.example/map), $a + b$.

- One
  1. Inner
- Two

| Depth | Tide |
|---|---|
| 3 m | low |

```
sail(1)
  anchor()
```

![](https://a.example/pictures/boat.png)

$$
x + y
$$
"""


def test_html_and_its_markdown_have_the_same_structure():
    found, gold = (
        structure_of_markdown(MARKDOWN, "https://a.example/"),
        structure_of_html(HTML, "https://a.example/"),
    )
    assert gold.headings == ((1, "the ferry"), (2, "its route"))
    assert gold.items == (("one", False, 1), ("inner", True, 2), ("two", False, 1))
    assert gold.tables == ((("Depth", "Tide"), ("3 m", "low")),)
    assert (gold.images, gold.links, gold.formulas) == (("boat.png",), (("the map", "https://a.example/map"),), ("x+y", "a+b"))
    assert found.formulas == ("a+b", "x+y")
    scores = compare(found, gold)
    assert list(scores) == list(KINDS)
    assert set(scores.values()) == {1}


def test_what_neither_has_does_not_count_and_what_one_side_has_alone_counts_as_nothing():
    scores = compare(structure_of_html("<h2>One</h2>"), structure_of_html("<ul><li>One</ul>"))
    assert (scores["headings"], scores["list items"]) == (0, 0)
    assert {scores[kind] for kind in ("tables", "code", "images", "links", "formulas")} == {None}


def test_the_title_counts_on_neither_side_and_levels_count_by_rank():
    gold = structure_of_html("<h2>One</h2><h3>Two</h3>")
    assert compare(structure_of_html("<h1>The title</h1><h3>One</h3><h4>Two</h4>"), gold, "The title")["heading levels"] == 1
    assert compare(structure_of_html("<h2>One</h2><h2>Two</h2>"), gold)["heading levels"] == 0.5


@pytest.mark.parametrize(
    ("other", "similarity"),
    [
        ((("a", "b"), ("c", "d")), 1),
        ((("a", "b"),), 1 - 3 / 7),  # a row with its two cells is missing, of seven nodes
        ((("a", "b"), ("c", "x")), 1 - 1 / 7),
        ((("a",), ("b",), ("c", "d")), 1 - 3 / 8),  # a row is divided: a new row, and its second cell in it
        ((), 1 - 6 / 7),
    ],
)
def test_teds_counts_rows_and_cells(other, similarity):
    assert teds((("a", "b"), ("c", "d")), other) == pytest.approx(similarity)


tables = st.lists(st.lists(st.sampled_from(["", "a", "bc", "abc"]), max_size=3).map(tuple), max_size=3).map(tuple)


@given(tables, tables)
def test_teds_is_symmetric_within_0_and_1_and_1_for_equal_tables_alone(one, other):
    assert teds(one, other) == pytest.approx(teds(other, one))
    assert 0 <= teds(one, other) <= 1
    assert (teds(one, other) == 1) == (one == other)
