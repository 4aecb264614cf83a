"""The table of looks: one row a block, one signature a look."""

from dataclasses import replace

from sightread.labeling.evidence.signature import Signature, build_table
from tests.labeling.sites import BODY, FOOTER, QUOTE, make_page


def test_blocks_of_one_path_and_style_share_a_signature_across_pages():
    table = build_table([make_page("https://x.test/1", [BODY("a"), QUOTE("b")]), make_page("https://x.test/2", [QUOTE("c"), BODY("d")])])
    assert table.signatures == (
        Signature("body/main/article/div/p", {}),
        Signature("body/main/article/div/blockquote/p", {"font-style": "italic"}),
    )
    assert table.signature.tolist() == [0, 1, 1, 0]
    assert table.width.tolist() == [700, 620, 620, 700]
    assert table.page.tolist() == [0, 0, 1, 1]


def test_the_order_of_properties_ids_and_classes_make_no_difference():
    one = replace(BODY, path="div#a.x/p", style={"color": "red", "float": "left"})
    other = replace(BODY, path="div#b/p.y", style={"float": "left", "color": "red"})
    assert len(build_table([make_page("https://x.test/", [one("a"), other("b")])]).signatures) == 1


def test_a_page_without_boxes_or_styles_has_paths_alone():
    page = make_page("https://x.test/", [QUOTE("a"), FOOTER("b")])
    bare = replace(page, blocks=tuple(replace(block, box=None, style=None) for block in page.blocks))
    table = build_table([bare])
    assert [dict(signature.style) for signature in table.signatures] == [{}, {}]
    assert table.width.tolist() == [0, 0]


def test_pages_without_blocks_have_no_rows():
    empty = make_page("https://x.test/", [])
    table = build_table([empty, make_page("https://x.test/1", [BODY("a")]), empty])
    assert table.page.tolist() == [1]
    assert build_table([empty]).signatures == ()
