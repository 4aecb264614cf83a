"""The collector: rules of blocks, texts and styles that the pages of `test_completeness.py` do not have."""

import json

import pytest

from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Unusable
from sightread.render.page import Box, Inline
from sightread.render.static.parse import read_html
from sightread.render.visit.collect import ALL_PROPERTIES, VISUAL_PROPERTIES, CollectOptions, collect
from sightread.render.visit.navigation import attach
from tests.pages.shown import texts
from tests.render.visit.test_collect_page import AnsweringTab

FOLDING = {
    "what is never shown is left out": (
        "<p>a<script>b</script><style>c</style><template>d</template><textarea>e</textarea><select><option>f</select>",
        "a",
    ),
    "a margin is a space between words": (
        "<p>Wind<span style='margin-left:.3em'>110</span><i style='padding:0 1em'>km</i>per hour</p>",
        "Wind 110 km per hour",
    ),
    "a picture is a space between words": ("<p>one<svg width=9 height=9></svg>two</p>", "one two"),
    "a small distance within a word is none": ("<p>un<b style='margin:.1em'>believ</b>able</p>", "unbelievable"),
    "padding of code within a word is none": ("<p>two <code style='padding:.5em'>int</code>s</p>", "two ints"),
    "a margin in preformatted text is none": ("<pre>ab<span style='margin-left:1em'>cd</span></pre>", "abcd"),
    "punctuation stays at its word": ("<p>one<i style='margin-left:1em'>, two</i></p>", "one, two"),
    "signs of Chinese stay together": ("<p>春天<b style='margin:1em'>来</b>了</p>", "春天来了"),
    "a drop cap with a margin belongs to its word": (
        "<p><span style='float:left;font-size:60px;margin-right:9px'>O</span>nce upon</p>",
        "Once upon",
    ),
    "a word that is broken between lines is one": (
        "<p style='width:4ch;font:16px monospace;line-height:.9'>over<wbr><b>lap</b></p>",
        "overlap",
    ),
    "code inside keeps its own": ("<p>a  <code style='white-space:pre'>b  c</code>  d</p>", "a b  c d"),
    "lines of Korean keep theirs": ("<p>오늘\n날씨</p>", "오늘 날씨"),
}


@pytest.mark.parametrize(("html", "expected"), FOLDING.values(), ids=FOLDING.keys())
async def test_text_is_folded_as_the_page_shows_it(read, html, expected):
    assert texts(await read(html)) == [expected]


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<p style='position:fixed;left:100%'>x", "offscreen"),
        ("<div style='overflow:hidden;height:0'><p style='position:absolute'>x</div>", ""),
    ],
)
async def test_text_kept_from_view_is_kept_and_marked(read, html, kind):
    assert [(block.text, block.hidden) for block in (await read(html)).blocks] == [("x", kind)]


async def test_links_and_emphasis_are_ranges_of_code_points(read):
    page = await read("<p>😀 <b> bold </b> and <a href=../b#c>a <i>𝕝ink</i> 😀</a> <code>x</code><s>y</s>H<sub>2</sub><sup>3</sup></p>")
    (block,) = page.blocks
    marked = {inline.kind: block.text[inline.start : inline.end] for inline in block.inlines}
    assert marked == {
        **{"strong": "bold", "link": "a 𝕝ink 😀", "emphasis": "𝕝ink", "code": "x"},
        **{"deleted": "y", "subscript": "2", "superscript": "3"},
    }
    assert block.inlines[1].target == "http://site.test/b#c"
    assert block.link_chars == len("a 𝕝ink 😀")


async def test_a_link_around_blocks_marks_each_of_them(read):
    page = await read("<a href=/x><h2>Title</h2><p>Teaser</p></a>")
    assert [block.inlines for block in page.blocks] == [(Inline(0, n, "link", "http://site.test/x"),) for n in (5, 6)]


async def test_frames_of_another_origin_are_left_out(read):
    assert texts(await read("<p>a</p><iframe sandbox srcdoc='<p>b</p>'></iframe>")) == ["a"]


async def test_frames_of_another_origin_are_read_in_place_on_request(browser, site_server):
    inner = await site_server(
        {"/": "<style>body{margin:0;color:red}</style><p style='margin:7px'>c <a href=/x>d</a></p><img src=/i.png alt=I>"}
    )
    middle = await site_server({"/": f"<body style='margin:0'><p>b</p><iframe style='border:0;margin:10px' src='{inner.url()}'></iframe>"})
    outer = await site_server(
        {
            "/": "<style>body{margin:0;color:green}</style><p>a</p>"
            f"<iframe style='border:0;margin:100px;width:600px;height:400px' src='{middle.url()}'></iframe><p>e</p><img src=/o.png alt=O>"
        }
    )
    page = (await browser.render(outer.url(), RenderOptions(collect=CollectOptions(frames="all")))).page
    assert texts(page) == ["a", "b", "c d", "e"]
    assert [page.tag_paths()[block.element] for block in page.blocks][2] == "body/iframe/body/iframe/body/p"
    a, b, c, _ = page.blocks
    assert (b.box.x, c.box.x) == (100, 117)
    assert a.box.y < b.box.y < c.box.y
    assert (page.style_of(a).get("color"), page.style_of(c).get("color")) == (None, "rgb(255, 0, 0)")
    assert [(image.alt, image.before) for image in page.images] == [("I", 3), ("O", 4)]
    assert inner.url("/x") in {link.url for link in page.links}


async def test_times_and_what_is_hidden_from_assistive_technology_are_reported(read):
    html = "<p aria-hidden=true>on <time datetime=' 2024-02-29 '>leap day</time>, <time>whenever</time>"
    for page in (await read(html), read_html(html)):
        (block,) = page.blocks
        assert block.inlines == (Inline(3, 11, "time", "2024-02-29"),)
        assert page.elements[block.element].attributes == {"aria-hidden": "true"}


async def test_boxes_are_those_of_the_document(read):
    page = await read("<body style='margin:0'><p style='margin:2000px 0 0 50px;width:300px;height:40px'>x")
    assert page.blocks[0].box == Box(50, 2000, 300, 40)
    assert page.document == (1600, 2040)


async def test_headings_have_the_level_that_html_or_aria_gives_them(read):
    page = await read(
        "<h2>a</h2><div role=heading aria-level=4>b</div><div role=heading>c</div><h3 role=presentation>d</h3><h1><div>e</div></h1>"
        "<div><h2 style='display:inline'>f</h2></div><div><h2 style='display:inline'>g</h2> more</div>"
    )
    assert [block.heading for block in page.blocks] == [2, 4, 2, 0, 1, 2, 0]


async def test_styles_are_what_differs_from_the_body_and_each_stands_once(read):
    page = await read("<style>body{color:#111} p{color:#222;font-size:20px}</style><p>a<p>b<div>c</div>")
    assert page.body_style["color"] == "rgb(17, 17, 17)"
    assert set(page.body_style) == set(VISUAL_PROPERTIES)
    first, second, third = page.blocks
    assert first.style == second.style
    assert (page.style_of(first)["color"], page.style_of(first)["font-size"]) == ("rgb(34, 34, 34)", "20px")
    assert "color" not in page.style_of(third)
    assert "margin-top" in page.style_of(first)


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


async def test_text_that_is_not_laid_out_has_neither_box_nor_style(read):
    page = await read("<p>a</p><p hidden style='color:red'>b <a href=c>c</a></p>")
    shown, hidden = page.blocks
    assert (hidden.text, hidden.hidden, hidden.box, hidden.style, hidden.link_chars) == ("b c", "display", None, None, 1)
    assert shown.box is not None
    assert page.has_boxes
    assert page.has_styles


PAGE = {
    "elements": [["body", -1]],
    "blocks": [{"text": "x", "element": 0, "box": [0, 0, "WIDTH", 20]}],
    **{name: [] for name in ("styles", "titles", "descriptions", "metas", "json_ld", "images", "links")},
    **{"body_style": {}, "canonical": "", "language": "", "viewport": [1, 1], "document": [1, 1], "truncated": False},
}


def answering(width):
    return AnsweringTab({"result": {"value": json.dumps(PAGE).replace('"WIDTH"', width)}})


@pytest.mark.parametrize("width", ["null", "NaN", "Infinity", "1e999", "-1", '"wide"'])
async def test_a_box_that_is_no_box_makes_the_page_unusable_in_one_line(width):
    with pytest.raises(Unusable, match=r"^http://site\.test/: what the browser collected cannot be read: .*\S$") as raised:
        await collect(await attach(answering(width)))
    assert "\n" not in str(raised.value)
    assert (await collect(await attach(answering("700")))).blocks[0].box.width == 700


async def test_thousands_of_properties_of_the_pages_own_are_read_with_all_the_others(browser):
    own = ";".join(f"--property-{number}:{number}px" for number in range(3000))
    html = f"<!doctype html><style>p {{ {own}; color: red }}</style><p>One</p><p style='{own}'>Two"
    options = RenderOptions(javascript=False, collect=CollectOptions(ALL_PROPERTIES))
    page = (await browser.render_html(html, "http://site.test/", options)).page
    assert [block.text for block in page.blocks] == ["One", "Two"]
    assert all(page.style_of(block)["color"] == "rgb(255, 0, 0)" for block in page.blocks)


MOVES = """<style>
body { margin: 0 }
p { position: absolute; left: 0; top: 0; width: 100px; height: 20px; margin: 0 }
@keyframes come { from { opacity: 0; left: 500px } to { left: 40px } }
@keyframes turn { from { left: 70px } to { left: 900px } }
</style>"""


@pytest.mark.parametrize(
    ("html", "left"),
    [
        (f"{MOVES}<p style='animation: come 60s 10s both'>x", 40),
        (f"<div><template shadowrootmode=open>{MOVES}<p style='animation: come 60s both'>x</template></div>", 40),
        (f"{MOVES}<p style='animation: turn .3s infinite linear'>x", 70),
        (f"{MOVES}<p style='animation: turn 100s -50s infinite linear paused'>x", 485),
    ],
    ids=["where it ends", "where it ends in a shadow", "without end, where it begins", "stopped by the page, where it is"],
)
async def test_what_moves_is_read_where_it_stays(read, html, left):
    (block,) = (await read(html)).blocks
    assert (block.box, block.hidden) == (Box(left, 0, 100, 20), "")


async def test_a_colour_that_fades_is_read_as_it_becomes_and_so_is_what_inherits_it(read):
    fading = """<style>div, b { transition: color 60s } @starting-style { div { color: rgb(250, 0, 0) } }
        div { color: rgb(0, 0, 250) }</style><div><p>one</p><p><b style='display: block'>two</b></div>"""
    page = await read(fading)
    assert [page.styles[block.style]["color"] for block in page.blocks] == ["rgb(0, 0, 250)"] * 2


async def test_an_image_sized_by_its_own_box_that_is_not_there_keeps_the_size_that_the_page_gives_it(read):
    sources = "srcset='/a-300.png 300w, /a-800.png 800w, /a-1600.png 1600w' src=/a-1600.png"
    image = f"<img loading=lazy width=700 height=400 sizes='auto, 100vw' {sources} alt=Sea>"
    page = await read(f"<style>img {{ contain-intrinsic-size: 3000px 1500px }}</style><body style='margin:0'><p>x</p>{image}")
    assert [(image.source, image.box[2:]) for image in page.images] == [("http://site.test/a-800.png", (700, 400))]


async def test_spans_stay_within_the_limits_of_html(read):
    html = "<table><tr><td colspan=10000000000000000>a<td colspan=0>b<td rowspan=99999>c<td colspan=x>d<td colspan=' +3x'>e</table>"
    for page in (await read(html), read_html(html)):
        found = [dict(page.elements[block.element].attributes) for block in page.blocks]
        assert found == [{"colspan": "1000"}, {"colspan": "1"}, {"rowspan": "65534"}, {"colspan": "1"}, {"colspan": "3"}]
