"""The site model's features: which names a block has, and which groups they belong to."""

import math
from dataclasses import replace

import pytest

from sightread.classify.site.features import GROUPS, Group, block_features, features_of
from tests.labeling.sites import NAV, Look, make_page

LEAD = Look("div#main.story.wide/p.lead", {"color": "red"}, 700)
PAGE = make_page("https://x.test/", [LEAD("Twelve chars"), NAV("Home")])


def test_each_group_gives_its_own_features():
    found = {group: features_of(PAGE, 0, frozenset({group})) for group in GROUPS}
    assert found == {
        "style": {"style color: red": 1.0},
        "path": {"path body/div/p": 1.0, "<p>": 1.0, "1 up: <div>": 1.0, "2 up: <body>": 1.0},
        "selector": {"p.lead": 1.0, "in div.story": 1.0, "in div.wide": 1.0, "in div#main": 1.0},
        "size": {"width 700px": 1.0},
        "text": {"length": pytest.approx(math.log(13) / 8), "link share": 0.0, "text: Twelve chars": 1.0},
    }


def test_all_groups_together_are_their_sum():
    parts: dict[str, float] = {}
    for group in GROUPS:
        parts |= features_of(PAGE, 1, frozenset({group}))
    assert features_of(PAGE, 1) == parts
    assert features_of(PAGE, 1)["link share"] == 1.0


@pytest.mark.parametrize("groups", [GROUPS, frozenset[Group]({"path", "text"}), frozenset[Group]()])
def test_the_features_of_a_page_are_those_of_its_blocks_in_order(groups: frozenset[Group]):
    assert list(block_features(PAGE, groups)) == [features_of(PAGE, row, groups) for row in range(2)]


def test_blocks_of_one_element_keep_their_own_features():
    twins = replace(PAGE, blocks=(PAGE.blocks[0], replace(PAGE.blocks[0], text="Another, longer text", hidden="display")))
    first, second = block_features(twins)
    assert first["length"] < second["length"]
    assert "hidden by display" in second
    assert "hidden by display" not in first


def test_a_page_without_boxes_or_styles_has_neither_feature():
    bare = replace(PAGE, blocks=tuple(replace(block, box=None, style=None) for block in PAGE.blocks))
    assert not [name for name in features_of(bare, 0) if name.startswith(("style", "width"))]


def test_a_page_without_blocks_has_no_features():
    assert list(block_features(make_page("https://x.test/", []))) == []


def test_an_empty_block_has_finite_features():
    empty = replace(PAGE, blocks=(replace(PAGE.blocks[0], text=""),))
    assert all(math.isfinite(value) for value in features_of(empty, 0).values())
