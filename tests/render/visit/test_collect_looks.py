"""The collector: where blocks stand, how they are set, and which elements are around them, each rule on a small real page."""

from sightread.render.page import Box
from sightread.render.static.parse import read_html
from sightread.render.visit.collector.collect import ALL_PROPERTIES, VISUAL_PROPERTIES, CollectOptions


async def test_text_left_of_a_right_to_left_page_can_be_scrolled_to(read):
    page = await read("<html dir=rtl><p style='width:3000px;text-align:left'>x")
    assert page.blocks[0].hidden == ""
    assert page.blocks[0].box.x < 0


async def test_boxes_are_those_of_the_document(read):
    page = await read("<body style='margin:0'><p style='margin:2000px 0 0 50px;width:300px;height:40px'>x")
    assert page.blocks[0].box == Box(50, 2000, 300, 40)
    assert page.document == (1600, 2040)


async def test_a_run_beside_blocks_has_its_own_height_and_the_width_of_its_element(read):
    page = await read(
        "<body style='margin:0;font:10px/20px serif'><div style='width:500px'>one<p style='margin:0'>two</p>three<br>four</div>"
    )
    assert [(box.x, box.width) for box in (block.box for block in page.blocks)] == [(0, 500)] * 3
    one, two, three = (block.box for block in page.blocks)
    assert one.y + one.height <= two.y + 5
    assert three.y >= two.y + 20
    assert three.height > one.height + 15


async def test_headings_have_the_level_that_html_or_aria_gives_them(read):
    page = await read(
        "<h2>a</h2><div role=heading aria-level=4>b</div><div role=heading>c</div><h3 role=presentation>d</h3><h1><div>e</div></h1>"
        "<div><h2 style='display:inline'>f</h2></div><div><h2 style='display:inline'>g</h2> more</div>"
    )
    assert [block.heading for block in page.blocks] == [2, 4, 2, 0, 1, 2, 0]


async def test_z_is_that_of_the_nearest_element_that_has_one(read):
    page = await read("<p>a</p><div style='position:fixed;z-index:9'><p>b</p><p style='position:relative;z-index:-1'>c</div>")
    assert [block.z for block in page.blocks] == [0, 9, -1]


async def test_styles_are_what_differs_from_the_body_and_each_stands_once(read):
    page = await read("<style>body{color:#111} p{color:#222;font-size:20px}</style><p>a<p>b<div>c</div>")
    assert page.body_style["color"] == "rgb(17, 17, 17)"
    assert set(page.body_style) == set(VISUAL_PROPERTIES)
    first, second, third = page.blocks
    assert first.style == second.style
    assert (page.style_of(first)["color"], page.style_of(first)["font-size"]) == ("rgb(34, 34, 34)", "20px")
    assert "color" not in page.style_of(third)
    assert "margin-top" in page.style_of(first)


async def test_styles_that_only_a_shorthand_cannot_say_are_distinguished(read):
    page = await read("<style>p{font-variant-caps:all-small-caps} .b{font-weight:700}</style><p>a<p class=b>b")
    assert [page.style_of(block).get("font-weight") for block in page.blocks] == [None, "700"]


async def test_the_caller_chooses_properties_and_attributes(read):
    page = await read("<p style='width:70px' data-x=1 data-y=2>a", collect=CollectOptions(("width",), ("data-x",)))
    assert page.style_of(page.blocks[0]) == {"width": "70px"}
    assert page.elements[1].attributes == {"data-x": "1"}
    assert len((await read("<p>a", collect=CollectOptions(ALL_PROPERTIES))).body_style) > 300
    bare = await read("<p>a", collect=CollectOptions(()))
    assert (bare.styles, bare.blocks[0].style) == ((), None)


async def test_elements_are_the_ancestors_of_blocks_with_what_structure_needs(read):
    page = await read("<body class='x  y'><div id=m></div><table><tr><td colspan=2 lang=de onclick=z>a</table>")
    assert page.tag_paths()[-1] == "body/table/tbody/tr/td"
    assert page.elements[0].classes == ("x", "y")
    assert page.elements[-1].attributes == {"colspan": "2", "lang": "de"}
    assert "m" not in {element.id for element in page.elements}


async def test_empty_cells_keep_their_columns(read):
    html = "<table><tr><th></th><th>one</th><th></th><tr><td>two<td><td><img src=/i.png></table>"
    for page in (await read(html), read_html(html, "http://site.test/a/")):
        assert [element.tag for element in page.elements if element.tag in ("td", "th")] == ["th"] * 3 + ["td"] * 3
        assert len(page.blocks) == 2


async def test_spans_stay_within_the_limits_of_html(read):
    html = "<table><tr><td colspan=10000000000000000>a<td colspan=0>b<td rowspan=99999>c<td colspan=x>d<td colspan=' +3x'>e</table>"
    for page in (await read(html), read_html(html)):
        found = [dict(page.elements[block.element].attributes) for block in page.blocks]
        assert found == [{"colspan": "1000"}, {"colspan": "1"}, {"rowspan": "65534"}, {"colspan": "1"}, {"colspan": "3"}]


async def test_text_that_is_not_laid_out_has_neither_box_nor_style(read):
    page = await read("<p>a</p><p hidden style='color:red'>b <a href=c>c</a></p>")
    shown, hidden = page.blocks
    assert (hidden.text, hidden.hidden, hidden.box, hidden.style, hidden.link_chars) == ("b c", "display", None, None, 1)
    assert shown.box is not None
    assert page.has_boxes
    assert page.has_styles
