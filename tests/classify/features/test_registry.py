"""Features that carry over to other sites: what they say, and what they must not depend on."""

from dataclasses import replace

import numpy as np
import pytest

from sightread.classify.features.main_text import CANDIDATE_WORDS
from sightread.classify.features.registry import NAMES, WORDS, outline_features
from sightread.labeling.clusterings import dbscan
from sightread.labeling.looks import build_table
from sightread.render.page import Block, Box, Element, Page
from sightread.render.page.page_arrays import PageArrays
from sightread.render.static.parse import read_html

PARAGRAPH = "A paragraph that goes on for a while, as those of articles do, and then ends with a full stop. " * 3


def article(paragraphs: int = 4, links: int = 6) -> Page:
    """A list of links, a headline, paragraphs in a container of their own, and a footer."""
    elements = [Element("body", -1), Element("ul", 0, "menu", ("nav",)), Element("div", 0, "story", ("text",))]
    blocks = []
    for row in range(links):
        elements.append(Element("li", 1))
        blocks.append(Block(f"Link {row}", len(elements) - 1, 0, Box(20, 20 * row, 100, 18), link_chars=6))
    elements.append(Element("h1", 2))
    blocks.append(Block("The headline", len(elements) - 1, 1, Box(200, 0, 600, 40), heading=1))
    for row in range(paragraphs):
        elements.append(Element("p", 2))
        blocks.append(Block(f"{row} {PARAGRAPH}", len(elements) - 1, 2, Box(200, 60 + 100 * row, 600, 90)))
    elements.append(Element("p", 0))
    blocks.append(Block("All rights reserved", len(elements) - 1, 3, Box(20, 900, 800, 18)))
    styles = ({"font-size": "12px", "color": "rgb(0, 0, 238)"}, {"font-size": "32px", "font-weight": "bold"}, {}, {"font-size": "10px"})
    body = {"font-size": "16px", "color": "rgb(0, 0, 0)", "background-color": "rgb(255, 255, 255)"}
    return Page("http://a.example/1", "", "imported", tuple(elements), tuple(blocks), styles, body)


def relative_features(page: Page) -> np.ndarray:
    return outline_features(PageArrays(page))


def column(page: Page, name: str) -> np.ndarray:
    return relative_features(page)[:, NAMES.index(name)]


def test_there_is_one_row_a_block_and_every_column_has_words():
    page = article()
    assert relative_features(page).shape == (len(page.blocks), len(NAMES))
    assert all(WORDS.values())


def test_names_and_addresses_do_not_matter_but_for_who_wins_an_election():
    page = article()
    renamed = [
        element._replace(id=f"x{row}" if element.id else "", classes=tuple(f"c-{name}" for name in element.classes))
        for row, element in enumerate(page.elements)
    ]
    other = replace(page, url="https://b.example/", elements=tuple(renamed))
    without = [place for place, name in enumerate(NAMES) if name not in CANDIDATE_WORDS]
    np.testing.assert_array_equal(relative_features(page)[:, without], relative_features(other)[:, without])


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


def test_contrast_is_that_of_wcag():
    contrast = column(article(), "style.contrast")
    assert contrast[7] == pytest.approx(21)
    assert contrast[0] == pytest.approx(9.4, abs=0.1), "blue links on white"


def test_windows_sum_the_text_on_both_sides():
    page = article(links=0, paragraphs=3)
    text = np.array([len(block.text) for block in page.blocks], float)
    around = np.convolve(text, np.ones(3), "same")
    np.testing.assert_allclose(column(page, "window 1.text"), around / around.max(), rtol=1e-6)


def test_the_common_ancestor_of_neighbours_shows_where_a_container_ends():
    rise = column(article(links=2, paragraphs=2), "next.rise")
    assert rise[:-1].tolist() == [1, 2, 1, 1, 2]
    assert np.isnan(rise[-1]), "nothing follows the last block"


@pytest.mark.parametrize("seed", range(10))
def test_looks_are_the_clusters_of_the_page(seed: int):
    chance = np.random.default_rng(seed)
    page = article(8, 8)
    blocks = tuple(
        replace(block, style=int(chance.integers(4)), box=Box(0, 0, float(chance.integers(100, 900)), 10)) for block in page.blocks
    )
    page = replace(page, blocks=blocks)
    pairs = set(zip(PageArrays(page).looks.tolist(), dbscan(build_table([page])).tolist(), strict=True))
    assert len(pairs) == len({look for look, _ in pairs}) == len({cluster for _, cluster in pairs})


def test_a_page_without_a_browser_has_gaps_where_boxes_and_styles_would_be():
    page = article()
    bare = replace(page, styles=(), body_style={}, blocks=tuple(replace(block, box=None, style=None) for block in page.blocks))
    found = relative_features(bare)
    gone = [row for row, name in enumerate(NAMES) if name.startswith(("box.", "style."))]
    assert np.isnan(found[:, gone]).all()
    known = [NAMES.index(name) for name in ("text.share", "parent.largest", "window 2.text", "page.blocks", "main container.in")]
    assert np.isfinite(found[:, known]).all()


def test_boxes_that_no_browser_lays_out_do_no_harm():
    page = article()
    odd = [Box(float("inf"), 0, 1, 1), Box(0, -1e300, 1e300, 1e300), Box(float("nan"), 0, 0, 0), Box(0, 0, 0, 0)]
    blocks = tuple(replace(block, box=odd[row]) if row < len(odd) else block for row, block in enumerate(page.blocks))
    assert not np.isinf(relative_features(replace(page, blocks=blocks))).any()


def test_pages_of_one_block_and_of_none_have_features():
    page = article()
    assert relative_features(replace(page, blocks=page.blocks[:1])).shape == (1, len(NAMES))
    assert relative_features(replace(page, blocks=())).shape == (0, len(NAMES))


def test_a_page_of_nothing_but_links_has_features():
    menu = '<ul><li><a href="/1">One</a><li><a href="/2">Two</a></ul>'
    page = read_html(f'{menu}<div><div><div><p><img src="/a.png" alt="A picture"></div></div></div>')
    assert relative_features(page).shape == (2, len(NAMES))


def test_a_character_that_says_a_word_counts_as_more_than_a_letter():
    page = PageArrays(read_html("<p>The ferry <a href=/>runs</a> all night</p><p>渡轮<a href=/>整夜</a>行驶</p><p>한 밤중</p>"))
    assert page.length.tolist() == [24, 18, 10]
    assert page.linked.tolist() == [4, 6, 0]
