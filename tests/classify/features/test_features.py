"""Features that carry over to other sites: text and containers, the main text, the title, hashed words, and scores around a block."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.classify.features.context import stacking_features, words_of
from sightread.classify.features.hashed_words import Bags, container_names, fit_lexicon
from sightread.classify.features.hashed_words import first_words as first_word_bags
from sightread.classify.features.main_text import CANDIDATE_WORDS, TITLE_WORDS, candidates, first_words, title_features, vote
from sightread.classify.features.registry import NAMES, WORDS, outline_features
from sightread.render.page import Page
from sightread.render.page.array_types import Floats
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html

PARAGRAPH = "A paragraph that goes on for a while, as those of articles do, and then ends with a full stop. " * 3


def outline(html: str) -> PageArrays:
    return PageArrays(read_html(html, "https://a.example/"))


def article(paragraphs: int = 4, links: int = 6) -> Page:
    """A list of links, a headline, paragraphs in a container of their own, and a footer."""
    menu = "".join(f"<li><a href=/>Link {row}</a>" for row in range(links))
    story = "".join(f"<p>{row} {PARAGRAPH}</p>" for row in range(paragraphs))
    return read_html(f"<ul id=menu class=nav>{menu}</ul><div id=story class=text><h1>The headline</h1>{story}</div><p>All rights reserved")


def column(page: Page, name: str) -> np.ndarray:
    return outline_features(PageArrays(page))[:, NAMES.index(name)]


def test_there_is_one_row_per_block_of_any_page_and_every_column_has_words():
    menu = '<ul><li><a href="/1">One</a><li><a href="/2">Two</a></ul><div><div><p><img src="/a.png" alt="A picture"></div></div>'
    for page in (article(), replace(article(), blocks=article().blocks[:1]), read_html(""), read_html(menu)):
        found = outline_features(PageArrays(page))
        assert found.shape == (len(page.blocks), len(NAMES))
        assert not np.isinf(found).any()
    assert all(WORDS.values())


def test_names_and_addresses_do_not_matter_but_for_who_wins_an_election():
    page = article()
    renamed = [
        element._replace(id=f"x{row}" if element.id else "", classes=tuple(f"c-{name}" for name in element.classes))
        for row, element in enumerate(page.elements)
    ]
    other = replace(page, url="https://b.example/", elements=tuple(renamed))
    without = [place for place, name in enumerate(NAMES) if name not in CANDIDATE_WORDS]
    np.testing.assert_array_equal(*(outline_features(PageArrays(each))[:, without] for each in (page, other)))


def test_paragraphs_stand_in_the_container_of_most_text():
    inside = column(article(links=3, paragraphs=2), "main container.in")
    assert inside.tolist() == [0, 0, 0, 1, 1, 1, 0]


def test_the_share_of_a_container_counts_everything_below_it():
    page = article()
    text = np.array([len(block.text) - block.link_chars for block in page.blocks])
    share = column(page, "parent.text")
    assert share[7] == pytest.approx(text[6:11].sum() / text.sum())
    assert share[0] == 0, "the links' list holds only links"


def test_a_look_knows_the_links_of_all_its_blocks():
    page = article()
    blocks = (replace(page.blocks[0], link_chars=0), *page.blocks[1:])
    links = column(replace(page, blocks=blocks), "same look.links")
    assert links[:6] == pytest.approx([5 / 6] * 6)


def test_windows_sum_the_text_on_both_sides():
    page = article(links=0, paragraphs=3)
    text = np.array([len(block.text) for block in page.blocks], float)
    around = np.convolve(text, np.ones(3), "same")
    np.testing.assert_allclose(column(page, "window 1.text"), around / around.max(), rtol=1e-6)


def test_the_common_ancestor_of_neighbours_shows_where_a_container_ends():
    rise = column(article(links=2, paragraphs=2), "next.rise")
    assert rise[:-1].tolist() == [1, 2, 1, 1, 2]
    assert np.isnan(rise[-1]), "nothing follows the last block"


def test_a_character_that_says_a_word_counts_as_more_than_a_letter():
    page = PageArrays(read_html("<p>The ferry <a href=/>runs</a> all night</p><p>渡轮<a href=/>整夜</a>行驶</p><p>한 밤중</p>"))
    assert page.length.tolist() == [24, 18, 10]
    assert page.linked.tolist() == [4, 6, 0]


LONG = "We walked along the old boats, which lie ashore since the war, and they were many of them. " * 4
READABLE = f"""<div class="menu"><p><a href="/a">Everything about boats and harbours</a></p></div>
<div id="story"><h1>Boats</h1><div class="part"><p>{LONG}</p><p>{LONG}</p></div><p>They were as many as the days of a year.</p></div>
<div class="sidebar"><ul><li><p>{LONG}</p></li></ul></div>
<div class="comments"><p>I have seen them too, and liked them a lot.</p></div>"""
ROWS = ("menu", "headline", "first", "second", "third", "side", "comment")


def by_row(values: Floats) -> dict[str, float]:
    return dict(zip(ROWS, values.tolist(), strict=True))


def test_paragraphs_vote_for_their_parents_and_half_for_their_grandparents() -> None:
    page = outline("<body><div id=a><div id=b><p>one</p><p>two</p></div><p>three</p></div>")
    votes = dict(zip((element.id for element in page.page.elements), vote(page, np.array([1.0, 2.0, 4.0])), strict=False))
    assert (votes["b"], votes["a"]) == (3.0, 4.0 + 1.5)


def test_the_container_of_the_story_wins_and_all_stand_to_it() -> None:
    columns = candidates(outline(READABLE))
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
    columns = {name: by_row(values) for name, values in candidates(outline(READABLE)).items() if name.startswith("names.")}
    assert columns["names.weight"] == {"menu": 0, "headline": 1, "first": 1, "second": 1, "third": 1, "side": -1, "comment": 0}
    assert columns["names.near"] == columns["names.weight"]
    assert [row for row in ROWS if columns["names.unlikely"][row]] == ["menu", "side"]


def test_nobody_wins_where_nobody_votes() -> None:
    columns = candidates(outline("<div><p>Boats</p><p>Ships</p></div>"))
    assert all(np.isnan(values).all() for name, values in columns.items() if "winner" in name)
    assert columns["names.weight"].tolist() == [0, 0]


def test_likely_content_elects_a_container_too() -> None:
    page = outline(READABLE)
    score = np.array([0.1, 0.9, 0.9, 0.9, 0.9, 0.2, 0.1])
    found = stacking_features(page, {"first": score})
    assert set(found) == set(words_of({"first": "score"}))
    for name in ("votes", "even votes"):
        assert [row for row, fall in by_row(found[f"{name}.fall"]).items() if fall == 0] == ["first", "second"]
        assert found[f"{name}.mean"] == pytest.approx(np.full(7, 0.9))
        assert (found[f"{name}.outside"] < 0.9).all()
        assert (found[f"{name}.share"] > 0.5).all()


TITLED = """<title>Boats of the north - The Harbour Times</title>
<meta name="description" content="A walk along old boats that lie ashore.">
<div class="side"><h2>The Harbour Times</h2><p>Subscribe now:</p><p>Every week in your letter box.</p></div>
<div class="post"><h3>Boats of the North</h3>
<p>We took a walk along the old boats that lie ashore since the war.</p><p>They were many.</p></div>
<p>All rights reserved</p>"""


def columns(html: str) -> dict[str, Floats]:
    return title_features(outline(html))


def test_the_headline_is_what_reads_like_the_title_without_the_name_of_the_site() -> None:
    found = columns(TITLED)
    assert set(found) == set(TITLE_WORDS)
    assert found["title.place"].tolist() == pytest.approx([-np.log(4), -np.log(3), -np.log(2), 0, np.log(2), np.log(3), np.log(4)])
    assert found["title.heading"].tolist() == [3.0] * 7
    assert found["title.sure"].tolist() == [1.0] * 7
    assert found["title.like"][[0, 3]].tolist() == pytest.approx([2 * 3 / (3 + 6), 1.0])


def test_what_belongs_to_the_headline_meets_it_in_its_own_box() -> None:
    found = columns(TITLED)
    assert found["title.rise"].tolist() == [2, 2, 2, 0, 1, 1, 1]
    assert found["title.common"].tolist() == [0, 0, 0, 1, 0.5, 0.5, 0]
    text = found["title.text"]
    assert text[0] == text[6] == 1.0 > text[4] == text[5] > text[3]
    assert (found["title.links"] == 0).all()


def test_first_words_the_description_are_counted_both_ways() -> None:
    found = columns(TITLED)
    assert found["description.like"][4] == pytest.approx(8 / 8)
    assert found["description.words"][4] == pytest.approx(8 / 13)
    assert found["description.like"][6] == 0
    assert found["told.colon"].tolist() == [0, 0, 1, 0, 0, 0, 0]
    assert first_words("船と海 Boats") == {"船", "と", "海", "boats"}
    without = columns("<title>Boats</title><p>Boats ashore")
    assert np.isnan(without["description.like"]).all()


@pytest.mark.parametrize("html", ["<p>Boats ashore<p>and others", "<title>Nothing that stands there</title><p>Boats ashore<p>and others"])
def test_a_page_without_its_title_in_sight_says_nothing_of_headlines(html: str) -> None:
    found = columns(html)
    assert all(np.isnan(found[name]).all() for name in ("title.place", "title.common", "title.text", "title.sure"))
    assert found["title.like"].tolist() == [0, 0]


SITES = [
    f"""<body class=home{number}><nav class="main-menu"><p>Home page</p></nav><div id=articleBody{number}><p>Rain fell on {town}.</p>
    <p>Nobody in {town} was surprised.</p></div><div class=side-{number}><p>Subscribe to our letter</p></div></body>"""
    for number, town in enumerate(("Ashby", "Brome", "Corby", "Derby", "Elham", "Foxley"))
]
NAMED_PAGES = [read_html(html) for html in SITES]
IS_CONTENT = np.tile([False, True, True, False], len(NAMED_PAGES))
NEW_PAGE = read_html(
    "<div class='side_menu'><p>Home</p></div><div id=main-article><p>Snow fell</p></div><div class=sidebar-2><p>Subscribe</p></div>"
)


def learned(read):
    bags = Bags.joined([read(page) for page in NAMED_PAGES])
    return fit_lexicon(bags, IS_CONTENT, np.ones(len(IS_CONTENT)))


def test_first_words_that_other_sites_use_tell_content():
    message = learned(first_word_bags).decide(first_word_bags(NEW_PAGE))
    assert message.argmax() == 1
    assert message[2] < message[1]


def test_names_are_cut_up_where_case_and_delimiters_are():
    menu, story, side = learned(container_names).decide(container_names(NEW_PAGE))
    assert story > max(menu, side) + 0.1


@pytest.mark.parametrize("read", [first_word_bags, container_names])
def test_pages_say_together_what_each_says_alone(read):
    lexicon = learned(read)
    apart = np.concatenate([lexicon.decide(read(page)) for page in NAMED_PAGES])
    np.testing.assert_allclose(lexicon.decide(Bags.joined([read(page) for page in NAMED_PAGES])), apart, atol=1e-6)


@pytest.mark.parametrize("read", [first_word_bags, container_names])
def test_some_blocks_are_explained_as_among_all(read):
    lexicon, bags = learned(read), Bags.joined([read(page) for page in NAMED_PAGES])
    rows = np.arange(len(IS_CONTENT)) % 3 == 1
    some = bags.of_rows(rows)
    np.testing.assert_allclose(lexicon.decide(some), lexicon.decide(bags)[rows], atol=1e-6)
    assert len(some.words) < len(bags.words)


def test_blocks_of_one_element_have_one_bag_of_names():
    page = read_html("<div class=a>one<p>two</p>three</div>")
    bags = container_names(page)
    assert bags.bag[0] == bags.bag[2] != bags.bag[1]
    assert len(bags.values) == 2


@pytest.mark.parametrize("html", ["", "<p>1234 \ud83d</p>", "<p class='é ß 你好'>你好</p>", f"<p id={'x' * 5000}>{'y' * 5000}</p>"])
def test_any_page_has_bags(html):
    page = read_html(html)
    for read in (first_word_bags, container_names):
        assert learned(read).decide(read(page)).shape == (len(page.blocks),)


POSTS = PageArrays(
    read_html(
        """<div class=posts><div class=post><h2>One</h2><p>aaaa</p></div><div class=post><h2>Two</h2><p>bbbb</p><p>cccc</p></div></div>
        <footer><p>dddd</p></footer>"""
    )
)
SCORES = np.array([0.1, 0.9, 0.2, 0.8, 0.6, 0.05])
SCORE = st.lists(st.floats(0, 1), min_size=6, max_size=6).map(np.array)


def score_column(name: str, scores: np.ndarray = SCORES) -> np.ndarray:
    return stacking_features(POSTS, {"s": scores})[name]


def test_blocks_of_one_class_path_hear_of_the_others():
    assert score_column("s.classes")[[1, 3, 4]] == pytest.approx([0.7, 0.75, 0.85])
    assert np.isnan(score_column("s.classes")[5])


def test_a_container_speaks_without_the_block():
    own, above = score_column("s.parent"), score_column("s.second")
    assert own[3] == pytest.approx((4 * 0.2 + 5 * 0.6) / 9)  # weights are characters and one more
    assert above[5] == pytest.approx(score_column("s.sixth")[5])


def test_a_section_is_what_stands_under_its_heading():
    assert score_column("s.section")[4] == pytest.approx((4 * 0.2 + 5 * 0.8 + 5 * 0.05) / 14)


def test_neighbours_end_with_the_page():
    assert np.isnan(score_column("s.before")[0]) and np.isnan(score_column("s.after")[5])
    assert score_column("s.before")[1] == 0.1


@given(SCORE, st.integers(0, 5), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_no_mean_of_a_block_holds_its_own_score(scores: np.ndarray, row: int, other: float):
    changed = scores.copy()
    changed[row] = other
    before, after = stacking_features(POSTS, {"s": scores}), stacking_features(POSTS, {"s": changed})
    for name in filter(lambda name: name.startswith("s."), before):
        np.testing.assert_allclose(before[name][row], after[name][row], atol=1e-9)
