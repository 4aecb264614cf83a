"""Features that carry over to other sites: text, place and title, and hashed words."""

from dataclasses import replace

import numpy as np
import pytest

from sightread.classify.features.blocks import NAMED, NAMES, TITLE, WINNERS, WORDS, block_features
from sightread.classify.features.hashed_words import LIMITS, Bags, container_names, first_words, fit_lexicon
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
    return block_features(PageArrays(page))[:, NAMES.index(name)]


def test_there_is_one_row_per_block_of_any_page_and_every_column_has_words():
    menu = '<ul><li><a href="/1">One</a><li><a href="/2">Two</a></ul><div><div><p><img src="/a.png" alt="A picture"></div></div>'
    for page in (article(), replace(article(), blocks=article().blocks[:1]), read_html(""), read_html(menu)):
        found = block_features(PageArrays(page))
        assert found.shape == (len(page.blocks), len(NAMES))
        assert not np.isinf(found).any()
    assert all(WORDS.values())


def test_other_names_and_addresses_do_not_matter():
    page = article()
    renamed = [
        element._replace(id=f"x{row}" if element.id else "", classes=tuple(f"c-{name}" for name in element.classes))
        for row, element in enumerate(page.elements)
    ]
    other = replace(page, url="https://b.example/", elements=tuple(renamed))
    without = [place for place, name in enumerate(NAMES) if name not in NAMED and name.partition(".")[0] not in WINNERS]
    np.testing.assert_array_equal(*(block_features(PageArrays(each))[:, without] for each in (page, other)))


def test_usual_names_are_for_or_against_all_that_they_contain():
    page = read_html(
        """<div class=menu><p>Home</div><div id=story><h1>Boats</h1><div class=part><p>One</p></div></div>
        <div class=sidebar><p>Two</div><div class=comments><p>Three</div>"""
    )
    assert column(page, "named.weight").tolist() == column(page, "named.near").tolist() == [0, 1, 1, -1, 0]
    assert column(page, "named.unlikely").tolist() == [1, 0, 0, 1, 0]


def test_marks_of_many_scripts_are_counted_a_character():
    page = read_html("<p>At 10, or 11; or later.</p><p>在１２点，也许。</p><p>😀 9</p>")
    assert column(page, "text.digits") == pytest.approx([4 / 23, 2 / 16, 1 / 3])
    assert column(page, "text.commas") == pytest.approx([2 / 23, 1 / 16, 0])
    assert column(page, "text.stops") == pytest.approx([1 / 23, 1 / 16, 0])


def test_a_character_that_says_a_word_counts_as_more_than_a_letter():
    page = PageArrays(read_html("<p>The ferry <a href=/>runs</a> all night</p><p>渡轮<a href=/>整夜</a>行驶</p><p>한 밤중</p>"))
    assert page.length.tolist() == [24, 18, 10]
    assert page.linked.tolist() == [4, 6, 0]


TITLED = """<title>Boats of the north - The Harbour Times</title>
<meta name="description" content="A walk along old boats that lie ashore.">
<div class="side"><h2>The Harbour Times</h2><p>Subscribe now:</p><p>Every week in your letter box.</p></div>
<div class="post"><h3>Boats of the North</h3>
<p>We took a walk along the old boats that lie ashore since the war.</p><p>They were many.</p></div>
<p>All rights reserved</p>"""


def columns(html: str) -> dict[str, Floats]:
    return {name: column(read_html(html), name) for name in (*TITLE, "text.told")}


def test_the_headline_is_what_reads_like_the_title_without_the_name_of_the_site() -> None:
    found = columns(TITLED)
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
    assert found["title.described"][4] == pytest.approx(8 / 8)
    assert found["title.describes"][4] == pytest.approx(8 / 13)
    assert found["title.described"][6] == 0
    assert found["text.told"].tolist() == [0, 0, 1, 0, 0, 0, 0]
    without = columns("<title>Boats</title><p>Boats ashore")
    assert np.isnan(without["title.described"]).all()


def test_a_title_that_is_unseen_is_not_there() -> None:
    page = outline(TITLED)
    is_title = np.array([name in TITLE for name in NAMES])
    with_title, without = block_features(page), block_features(page, ("title",))
    assert np.isnan(without[:, is_title]).all() and not np.isnan(with_title[:, is_title]).any()
    np.testing.assert_array_equal(without[:, ~is_title], with_title[:, ~is_title])


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


def words_of(page: Page) -> Bags:
    return first_words(PageArrays(page))


def names_of(page: Page) -> Bags:
    return container_names(PageArrays(page))


def learned(read):
    bags = Bags.joined([read(page) for page in NAMED_PAGES])
    return fit_lexicon(bags, IS_CONTENT, np.ones(len(IS_CONTENT)))


def test_first_words_that_other_sites_use_tell_content():
    message = learned(words_of).decide(words_of(NEW_PAGE))
    assert message.argmax() == 1
    assert message[2] < message[1]


def test_names_are_cut_up_where_case_and_delimiters_are():
    menu, story, side = learned(names_of).decide(names_of(NEW_PAGE))
    assert story > max(menu, side) + 0.1


@pytest.mark.parametrize("read", [words_of, names_of])
def test_pages_say_together_what_each_says_alone(read):
    lexicon = learned(read)
    apart = np.concatenate([lexicon.decide(read(page)) for page in NAMED_PAGES])
    np.testing.assert_allclose(lexicon.decide(Bags.joined([read(page) for page in NAMED_PAGES])), apart, atol=1e-6)


@pytest.mark.parametrize("read", [words_of, names_of])
def test_some_blocks_are_explained_as_among_all(read):
    lexicon, bags = learned(read), Bags.joined([read(page) for page in NAMED_PAGES])
    rows = np.arange(len(IS_CONTENT)) % 3 == 1
    some = bags.of_rows(rows)
    np.testing.assert_allclose(lexicon.decide(some), lexicon.decide(bags)[rows], atol=1e-6)
    assert len(some.words) < len(bags.words)


def test_blocks_of_one_element_have_the_same_names():
    bags = names_of(read_html("<div class=a>one<p>two</p>three</div>"))
    one, two, three = (own.tolist() for own in np.split(bags.words, bags.starts[1:-1]))
    assert one == three != two


DEEP = f"<div class=menu><p>Home</p></div>{'<div class=main-text>' * (LIMITS.ancestors + 9)}<p>Snow fell<div>and stayed</div>"


@pytest.mark.parametrize("html", ["", "<p>1234 \ud83d</p>", "<p class='é ß 你好'>你好</p>", f"<p id={'x' * 5000}>{'y' * 5000}</p>", DEEP])
def test_any_page_has_bags(html):
    page = PageArrays(read_html(html))
    assert learned(words_of).decide(first_words(page)).shape == (page.count,)
    names = learned(names_of)
    np.testing.assert_allclose(names.decide_names(page), names.decide(container_names(page)), atol=1e-6)
