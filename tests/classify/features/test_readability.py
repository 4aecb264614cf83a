"""The container that paragraphs vote for, and how blocks stand to it."""

import numpy as np
import pytest

from sightread.classify.features.context import stacking_features, words_of
from sightread.classify.features.main_text import CANDIDATE_WORDS, candidates, vote
from sightread.render.page.array_types import Floats
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html

LONG = "We walked along the old boats, which lie ashore since the war, and they were many of them. " * 4
PAGE = f"""<div class="menu"><p><a href="/a">Everything about boats and harbours</a></p></div>
<div id="story"><h1>Boats</h1><div class="part"><p>{LONG}</p><p>{LONG}</p></div><p>They were as many as the days of a year.</p></div>
<div class="sidebar"><ul><li><p>{LONG}</p></li></ul></div>
<div class="comments"><p>I have seen them too, and liked them a lot.</p></div>"""
ROWS = ("menu", "headline", "first", "second", "third", "side", "comment")


def outline(html: str) -> PageArrays:
    return PageArrays(read_html(html, "https://a.example/"))


def by_row(values: Floats) -> dict[str, float]:
    return dict(zip(ROWS, values.tolist(), strict=True))


def test_paragraphs_vote_for_their_parents_and_half_for_their_grandparents() -> None:
    page = outline("<body><div id=a><div id=b><p>one</p><p>two</p></div><p>three</p></div>")
    votes = dict(zip((element.id for element in page.page.elements), vote(page, np.array([1.0, 2.0, 4.0])), strict=False))
    assert (votes["b"], votes["a"]) == (3.0, 4.0 + 1.5)


def test_the_container_of_the_story_wins_and_all_stand_to_it() -> None:
    columns = candidates(outline(PAGE))
    assert list(columns) == list(CANDIDATE_WORDS)
    for winner in ("winner", "likely winner"):
        found = {name.removeprefix(f"{winner}."): by_row(values) for name, values in columns.items() if name.startswith(f"{winner}.")}
        assert [row for row in ROWS if found["fall"][row] == 0] == ["headline", "first", "second", "third"]
        assert found["rise"] == {"menu": 2, "headline": 1, "first": 2, "second": 2, "third": 1, "side": 4, "comment": 2}
        assert found["score"]["headline"] == found["score"]["first"] == 1.0
        assert found["score"]["comment"] < 1
        assert found["before"] == pytest.approx(dict.fromkeys(ROWS, 0.0) | {"menu": np.log(2)})
        assert found["after"] == pytest.approx(dict.fromkeys(ROWS, 0.0) | {"side": np.log(2), "comment": np.log(3)})
        assert len({*found["best"].values()}) == len({*found["rival"].values()}) == 1
    assert columns["winner.rival"][0] > columns["likely winner.rival"][0]


def test_names_speak_and_comments_are_left_to_the_page() -> None:
    columns = {name: by_row(values) for name, values in candidates(outline(PAGE)).items() if name.startswith("names.")}
    assert columns["names.weight"] == {"menu": 0, "headline": 1, "first": 1, "second": 1, "third": 1, "side": -1, "comment": 0}
    assert columns["names.near"] == columns["names.weight"]
    assert [row for row in ROWS if columns["names.unlikely"][row]] == ["menu", "side"]


def test_nobody_wins_where_nobody_votes() -> None:
    columns = candidates(outline("<div><p>Boats</p><p>Ships</p></div>"))
    assert all(np.isnan(values).all() for name, values in columns.items() if "winner" in name)
    assert columns["names.weight"].tolist() == [0, 0]


def test_likely_content_elects_a_container_too() -> None:
    page = outline(PAGE)
    score = np.array([0.1, 0.9, 0.9, 0.9, 0.9, 0.2, 0.1])
    found = stacking_features(page, {"first": score})
    assert set(found) == set(words_of({"first": "score"}))
    for name in ("votes", "even votes"):
        assert [row for row, fall in by_row(found[f"{name}.fall"]).items() if fall == 0] == ["first", "second"]
        assert found[f"{name}.mean"] == pytest.approx(np.full(7, 0.9))
        assert (found[f"{name}.outside"] < 0.9).all()
        assert (found[f"{name}.share"] > 0.5).all()
