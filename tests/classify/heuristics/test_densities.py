"""Density sum, BTE and tag ratios: what each takes for the content of small pages, and what all of them promise."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.classify.features.tag_positions import count_tags
from sightread.classify.heuristics.bte import BodyText, plateau
from sightread.classify.heuristics.cetr import TagRatios, is_content, smooth
from sightread.classify.heuristics.density_sum import DensitySum, composite_densities, mark_content, read_tree
from sightread.classify.model import save_payload
from sightread.render.errors import BadRecord
from sightread.render.page import Page
from sightread.render.static.parse import read_html

MODELS = (DensitySum, BodyText, TagRatios)
PARAGRAPH = "<p>The flood took the old bridge at night, and nobody in the valley knows how to cross the <i>river</i> today.</p>"
NAV = "<ul>" + "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Sport", "Weather", "Shop")) + "</ul>"
STORY = f"<body><nav>{NAV}</nav><main><h1>Bridge</h1>{PARAGRAPH * 4}</main><footer>{NAV}</footer>"


def kept(model: type, html: str) -> list[str]:
    page = read_html(html)
    return [block.text[:9] for block, value in zip(page.blocks, model().predict(page).relative, strict=True) if value]


@pytest.mark.parametrize("model", MODELS)
def test_the_paragraphs_are_found_between_lists_of_links(model: type):
    found = kept(model, STORY)
    assert found.count("The flood") == 4
    assert len(found) <= 7


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "html", ["", "<p>one", "<p hidden>hidden", "<ul><li><a href=/>Home</a></ul>", "<img src=x alt=y>", "<div>" * 600 + "deep<p>text"]
)
def test_any_page_gets_one_decision_a_block(model: type, html: str):
    page = read_html(html)
    found = model().predict(page).relative
    assert found.shape == (len(page.blocks),)
    assert set(found.tolist()) <= {0.0, 1.0}


@pytest.mark.parametrize("model", MODELS)
def test_hidden_blocks_are_never_content(model: type):
    html = f"<main>{PARAGRAPH * 2}<p hidden>{'hidden words ' * 30}</p>{PARAGRAPH * 2}</main>"
    assert set(kept(model, html)) == {"The flood"}


@pytest.mark.parametrize("model", MODELS)
def test_a_large_page_is_read(model: type):
    page = read_html(STORY + "<div><p>more</p></div>" * 3_000)
    assert model().predict(page).relative.sum() > 0


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_learned_and_a_file_holds_the_kind(model: type, tmp_path: Path):
    page = read_html(STORY)
    before = model().predict(page).relative.tolist()
    assert model().fit([page], [np.zeros(len(page.blocks), np.int8)]).predict(page).relative.tolist() == before
    model().save(tmp_path / "model.json")
    assert model.load(tmp_path / "model.json").predict(page).relative.tolist() == before


@pytest.mark.parametrize("model", MODELS)
def test_a_file_of_another_kind_is_a_bad_record(model: type, tmp_path: Path):
    save_payload(tmp_path / "model.json", "boilerpipe", "boilerpipe")
    with pytest.raises(BadRecord, match=r"model\.json: a 'boilerpipe' model"):
        model.load(tmp_path / "model.json")


def test_tags_are_counted_between_blocks_and_inside_them():
    page = read_html("<div><p>one</p><p>two <b>three</b><br>four</p></div><ul><li><img src=/x.png alt=x>five</li></ul>")
    tags = count_tags(page)
    assert tags.before.tolist() == [2, 2, 5]  # <div><p>; </p><p>; </p></div><ul><li><img>
    assert tags.inside.tolist() == [0, 3, 0]
    assert tags.words.tolist() == [1, 3, 1]


def test_what_parts_two_blocks_of_one_element_is_two_tags():
    page = read_html("<div>one<hr>two</div>")
    assert [block.text for block in page.blocks] == ["one", "two"]
    assert count_tags(page).before.tolist() == [1, 2]


def test_a_page_without_visible_blocks_has_no_tags_to_count():
    assert count_tags(read_html("<p hidden>x")).rows.shape == (0,)


@given(st.lists(st.integers(-3, 3), max_size=9))
def test_the_plateau_is_the_run_of_the_largest_sum(gains: list[int]):
    start, end = plateau(np.array(gains, np.float64))
    best = max((sum(gains[i:j]) for i, j in itertools.combinations(range(len(gains) + 1), 2)), default=0)
    assert sum(gains[start:end]) == max(best, 0)
    assert start <= end


def page_of(characters: int, linked: int, tags: int) -> Page:
    links = f"<a href=/>{'x' * linked}</a>" if linked else ""
    return read_html(f"<body><p>{links}{'y' * (characters - linked)}{'<b>z</b>' * (tags - bool(linked))}</p>")


def test_the_composite_density_is_that_of_the_paper():
    page = page_of(60, 20, 3)
    tree = read_tree(page)
    node = 1  # the paragraph: 62 characters, of them 20 linked; tags: a, b, b
    c, lc, t, lt = 62.0, 20.0, 3.0, 1.0
    base = math.log(c / (c - lc) * lc + lc / c * c + math.e)
    assert (tree.characters[node], tree.link_characters[node], tree.tags[node], tree.link_tags[node]) == (c, lc, t, lt)
    assert composite_densities(tree)[node] == pytest.approx(c / t * math.log(c / lc * t / lt, base))


def test_text_full_of_links_is_less_dense():
    plain, linked = (composite_densities(read_tree(page_of(80, count, 3)))[1] for count in (0, 60))
    assert plain > linked


def test_the_element_of_the_largest_density_sum_is_content():
    tree = read_tree(read_html(STORY))
    densities = composite_densities(tree)
    sums = np.zeros(len(tree.parents))
    np.add.at(sums, tree.parents[1:], densities[1:])
    assert mark_content(tree, densities)[int(np.argmax(sums))]


def test_smoothing_keeps_the_mean_of_a_level_line():
    assert smooth(np.full(5, 3.0)).tolist() == pytest.approx([3.0] * 5)
    assert smooth(np.array([0.0, 0.0, 1.0, 0.0, 0.0])).sum() == pytest.approx(1.0)


def test_lines_far_above_the_others_are_content():
    assert is_content(np.array([1.0] * 9 + [90, 100, 95, 90] + [1] * 9)).tolist() == [False] * 9 + [True] * 4 + [False] * 9


def test_lines_without_text_are_boilerplate():
    assert not is_content(np.zeros(4)).any()
    assert is_content(np.zeros(0)).shape == (0,)
