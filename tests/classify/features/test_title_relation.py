"""How blocks stand to the page's own title and description."""

import numpy as np
import pytest

from sightread.classify.features.main_text import TITLE_WORDS, first_words, title_features
from sightread.render.page.array_types import Floats
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html

PAGE = """<title>Boats of the north - The Harbour Times</title>
<meta name="description" content="A walk along old boats that lie ashore.">
<div class="side"><h2>The Harbour Times</h2><p>Subscribe now:</p><p>Every week in your letter box.</p></div>
<div class="post"><h3>Boats of the North</h3>
<p>We took a walk along the old boats that lie ashore since the war.</p><p>They were many.</p></div>
<p>All rights reserved</p>"""


def columns(html: str) -> dict[str, Floats]:
    return title_features(PageArrays(read_html(html, "https://a.example/")))


def test_the_headline_is_what_reads_like_the_title_without_the_name_of_the_site() -> None:
    found = columns(PAGE)
    assert set(found) == set(TITLE_WORDS)
    assert found["title.place"].tolist() == pytest.approx([-np.log(4), -np.log(3), -np.log(2), 0, np.log(2), np.log(3), np.log(4)])
    assert found["title.heading"].tolist() == [3.0] * 7
    assert found["title.sure"].tolist() == [1.0] * 7
    assert found["title.like"][[0, 3]].tolist() == pytest.approx([2 * 3 / (3 + 6), 1.0])


def test_what_belongs_to_the_headline_meets_it_in_its_own_box() -> None:
    found = columns(PAGE)
    assert found["title.rise"].tolist() == [2, 2, 2, 0, 1, 1, 1]
    assert found["title.common"].tolist() == [0, 0, 0, 1, 0.5, 0.5, 0]
    text = found["title.text"]
    assert text[0] == text[6] == 1.0 > text[4] == text[5] > text[3]
    assert (found["title.links"] == 0).all()


def test_first_words_the_description_are_counted_both_ways() -> None:
    found = columns(PAGE)
    assert found["description.like"][4] == pytest.approx(8 / 8)
    assert found["description.words"][4] == pytest.approx(8 / 13)
    assert found["description.like"][6] == 0
    without = columns("<title>Boats</title><p>Boats ashore")
    assert np.isnan(without["description.like"]).all()


def test_a_colon_announces_what_follows() -> None:
    assert columns(PAGE)["told.colon"].tolist() == [0, 0, 1, 0, 0, 0, 0]


@pytest.mark.parametrize("html", ["<p>Boats ashore<p>and others", "<title>Nothing that stands there</title><p>Boats ashore<p>and others"])
def test_a_page_without_its_title_in_sight_says_nothing_of_headlines(html: str) -> None:
    found = columns(html)
    assert all(np.isnan(found[name]).all() for name in ("title.place", "title.common", "title.text", "title.sure"))
    assert found["title.like"].tolist() == [0, 0]


def test_letters_are_words_where_no_spaces_part_them() -> None:
    assert first_words("船と海 Boats") == {"船", "と", "海", "boats"}
