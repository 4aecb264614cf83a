"""The structure of a text against gold: what Markdown and HTML declare, and how much of it agrees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.metrics.structure import KINDS, Structure, compare, structure_of_html, structure_of_markdown, teds

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


def test_dollars_of_code_and_prices_are_no_formulas():
    assert structure_of_markdown("It costs $5 or $6 a day: `$a$`.\n\n```\n$b$\n```\n").formulas == ()


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


@given(st.text(alphabet="<>ab/ =\"'&;\x00$\\"))
def test_any_markup_has_a_structure(text):
    assert isinstance(structure_of_html(text), Structure)
    assert isinstance(structure_of_markdown(text), Structure)
