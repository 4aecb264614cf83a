"""Boilerpipe: every leaf of both published trees, and the shallow text features that they read."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sightread.classify.heuristics.boilerpipe.model import Boilerpipe, by_density, by_words
from sightread.classify.heuristics.boilerpipe.shallow_features import Shallow, page_blocks, shallow_of
from sightread.classify.model import save_payload
from sightread.render.errors import BadRecord
from sightread.render.page import Block, Inline, Page
from sightread.render.static.parse import read_html
from tests.labeling.sites import AD, BODY, NAV, make_page

THIRD, MORE_THAN_A_THIRD = 0.333333, 1 / 3
FIVE_NINTHS, MORE_THAN_FIVE_NINTHS = 0.555556, 0.555557
FAR = Shallow(100, 0, 100)
"""A neighbour with much text."""


def density(value: float) -> Shallow:
    return Shallow(0, 0, value)


def count(value: float) -> Shallow:
    return Shallow(value, 0, 0)


@pytest.mark.parametrize(
    ("before", "block", "after", "content"),
    [
        (FAR, Shallow(100, MORE_THAN_A_THIRD, 100), FAR, False),
        (FAR, Shallow(100, THIRD, 100), FAR, True),
        (Shallow(9, MORE_THAN_FIVE_NINTHS, 9), density(100), density(11), False),
        (Shallow(9, MORE_THAN_FIVE_NINTHS, 9), density(0), density(11.1), True),
        (Shallow(9, FIVE_NINTHS, 9), density(100), density(11), True),
        (density(4), density(9), density(10), False),
        (density(4.1), density(9), density(10), True),
        (density(4), density(9), density(10.1), True),
        (density(4), density(9.1), density(0), False),
        (density(100), density(9.1), density(0), False),
        (density(4), density(9.1), density(0.1), True),
    ],
)
def test_the_tree_of_densities_is_algorithm_1(before: Shallow, block: Shallow, after: Shallow, content: bool):
    assert by_density(before, block, after) is content


@pytest.mark.parametrize(
    ("before", "block", "after", "content"),
    [
        (FAR, Shallow(100, MORE_THAN_A_THIRD, 100), FAR, False),
        (FAR, Shallow(100, THIRD, 100), FAR, True),
        (Shallow(9, MORE_THAN_FIVE_NINTHS, 9), count(40), count(17), False),
        (Shallow(9, MORE_THAN_FIVE_NINTHS, 9), count(41), count(17), True),
        (Shallow(9, MORE_THAN_FIVE_NINTHS, 9), count(40), count(18), True),
        (Shallow(9, FIVE_NINTHS, 9), count(40), count(17), True),
        (count(4), count(16), count(15), False),
        (count(5), count(16), count(15), True),
        (count(4), count(16), count(16), True),
        (count(4), count(17), count(15), True),
        (count(4), count(17), count(0), True),
    ],
)
def test_the_tree_of_word_numbers_is_algorithm_2(before: Shallow, block: Shallow, after: Shallow, content: bool):
    assert by_words(before, block, after) is content


def shallow(block: Block) -> Shallow:
    """The features of the one block of a page."""
    page = replace(read_html("<p>x"), blocks=(block,))
    return shallow_of(page_blocks(page)[1][0])


def test_link_density_is_the_share_of_words_inside_links():
    text = "read all of it here today"
    links = (Inline(0, 4, "link", "https://x.test/"), Inline(15, 19, "link", "https://x.test/"), Inline(5, 8, "strong"))
    assert shallow(Block(text, 0, inlines=links, link_chars=8)).link_density == pytest.approx(2 / 6)


def test_without_ranges_link_density_is_the_share_of_characters():
    assert shallow(Block("ten chars!", 0, link_chars=5)).link_density == 0.5


def test_link_density_is_never_more_than_all():
    links = (Inline(0, 5, "link"), Inline(0, 5, "link"))
    assert shallow(Block("twice", 0, inlines=links, link_chars=5)).link_density == 1.0


PARAGRAPH = "The flood took the old bridge at night, and nobody in the valley knows how to cross the river today."


@pytest.mark.parametrize(("name", "kept"), [("boilerpipe", [0, 0, 1, 1, 1, 1, 0, 0]), ("boilerpipe-density", [0, 0, 1, 1, 1, 1, 0, 0])])
def test_paragraphs_are_kept_and_links_and_short_texts_dropped(name: str, kept: list[int]):
    page = make_page("https://x.test/", [NAV("Home"), NAV("Sports"), AD("Buy it."), *[BODY(PARAGRAPH)] * 3, NAV(PARAGRAPH), AD("The end.")])
    assert Boilerpipe(name).predict(page).relative.tolist() == kept


def test_hidden_blocks_are_never_content_and_nobodys_neighbours():
    shown = make_page("https://x.test/", [AD("Buy it."), BODY(PARAGRAPH), AD("The end.")])
    assert Boilerpipe().predict(shown).relative.tolist() == [1, 1, 1]
    hidden = replace(shown, blocks=(shown.blocks[0], replace(shown.blocks[1], hidden="display"), shown.blocks[2]))
    assert Boilerpipe().predict(hidden).relative.tolist() == [0, 0, 0]


def test_a_page_without_blocks_has_no_predictions():
    assert Boilerpipe().predict(make_page("https://x.test/", [])).relative.shape == (0,)


def test_static_html_needs_no_browser():
    html = f"<nav><a href=/>Home</a></nav><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p><footer><a href=/x>Imprint</a></footer>"
    assert Boilerpipe().predict(read_html(html)).relative.tolist() == [0, 1, 1, 0]


def test_nothing_is_learned_from_labels():
    page = make_page("https://x.test/", [BODY(PARAGRAPH)])
    assert Boilerpipe().fit([page], [np.zeros(1, np.int8)]).predict(page).relative.tolist() == [1]


def article() -> Page:
    story = "<h1>The old bridge</h1><p>By Ada</p>" + f"<p>{PARAGRAPH}</p>" * 4
    teaser = f"<p>{PARAGRAPH}</p>"
    links = "<ul>" + "<li><a href=/x>Elsewhere</a></li>" * 4 + "</ul>"
    return read_html(f"<title>The old bridge</title>{teaser}{links}{story}<h2>Comments</h2><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p>")


def kept(name: str) -> list[str]:
    page = article()
    return [block.text[:14] for block, value in zip(page.blocks, Boilerpipe(name).predict(page).relative, strict=True) if value]


def test_largest_content_is_the_run_with_the_most_words():
    assert kept("boilerpipe-largest") == ["By Ada", *["The flood took"] * 4, "Comments", *["The flood took"] * 2]


def test_main_content_goes_from_the_headline_to_where_the_comments_begin():
    assert kept("boilerpipe-article") == ["The old bridge", "By Ada", *["The flood took"] * 4]


@pytest.mark.parametrize("name", ["boilerpipe-largest", "boilerpipe-article"])
def test_where_nothing_is_content_the_filters_keep_nothing(name: str):
    assert Boilerpipe(name).predict(read_html("<p>Few words</p><p><a href=/>Home</a></p>")).relative.tolist() == [0, 0]
    assert Boilerpipe(name).predict(read_html("")).relative.shape == (0,)


@pytest.mark.parametrize("name", ["boilerpipe", "boilerpipe-density", "boilerpipe-largest", "boilerpipe-article"])
def test_the_tree_is_saved_by_its_name(tmp_path: Path, name: str):
    Boilerpipe(name).save(tmp_path / "model.json")
    assert Boilerpipe.load(tmp_path / "model.json").name == name


@pytest.mark.parametrize("payload", ["another-tree", 3, ["boilerpipe"]])
def test_a_file_that_names_no_published_tree_is_a_bad_record(tmp_path: Path, payload: object):
    save_payload(tmp_path / "model.json", "boilerpipe", payload)
    with pytest.raises(BadRecord, match=r"model\.json: not a boilerpipe model: "):
        Boilerpipe.load(tmp_path / "model.json")
