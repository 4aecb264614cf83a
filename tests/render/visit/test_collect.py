"""The collector: what is a block, and what its text is, each rule on a small real page."""

import json

import pytest

from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Unusable
from sightread.render.page import Box, Inline
from sightread.render.static.parse import read_html
from sightread.render.visit.collect import ALL_PROPERTIES, VISUAL_PROPERTIES, CollectOptions, collect
from tests.pages.shown import texts
from tests.render.visit.test_collect_page import AnsweringTab

RUNS = {
    "inline elements merge into their block": ("<p>One <b>two</b> <a href=x>three <span>four</span></a>", ["One two three four"]),
    "a block-level child interrupts the run": ("<div>one<p>two</p>three</div>", ["one", "two", "three"]),
    "a block inside an inline element interrupts too": (
        "<div>one <a href=x>two<div>three</div>four</a> five</div>",
        ["one two", "three", "four five"],
    ),
    "table cells and list items are blocks": ("<table><tr><th>a<td>b</table><ul><li>c<li>d</ul>", ["a", "b", "c", "d"]),
    "flex items are blocks": ("<div style='display:flex'><span>a</span><span>b</span></div>", ["a", "b"]),
    "display: contents is transparent": ("<div>a <p style='display:contents'>b</p> c</div>", ["a b c"]),
    "inline-blocks stand alone": ("<nav><a style='display:inline-block'>a</a> <a style='display:inline-block'>b</a></nav>", ["a", "b"]),
    "inline-blocks of a heading are its words": (
        "<h1><span style='display:inline-block'>Two</span> <span style='display:inline-block'>words</span></h1>",
        ["Two words"],
    ),
    "inline-blocks beside text belong to it": ("<div>Tags: <a style='display:inline-block'>a</a> and b</div>", ["Tags: a and b"]),
    "a button stands alone and does not break the line": ("<p>one<button>two</button>three</p>", ["one three", "two"]),
    "a float does not break the line": ("<p>one <span style='float:right'>aside it</span> two</p>", ["one two", "aside it"]),
    "a drop cap belongs to its word": ("<p><span style='float:left;font-size:60px'>O</span>nce upon", ["Once upon"]),
    "a positioned child does not break the line": ("<p>one <span style='position:absolute'>two</span> three</p>", ["one three", "two"]),
    "an empty block still breaks the line": ("<div>one<div></div>two</div>", ["one", "two"]),
    "a formula is one run": ("<p>so <math><mi>x</mi><mo>=</mo><mn>2</mn></math> holds</p>", ["so \\(x=2\\) holds"]),
    "the text of a drawing is read": ("<svg width=99 height=50><title>no</title><text y=20>label</text></svg>", ["label"]),
    "what is never shown is left out": (
        "<p>a<script>b</script><style>c</style><template>d</template><textarea>e</textarea><select><option>f</select>",
        ["a"],
    ),
    "noscript is read where scripts do not run": ("<noscript><p>a</p></noscript>", ["a"]),
}


@pytest.mark.parametrize(("html", "expected"), RUNS.values(), ids=RUNS.keys())
async def test_text_becomes_blocks(read, html, expected):
    assert texts(await read(html)) == expected


FOLDING = {
    "white space folds": ("<p>\n one \t two\n\n three  </p>", "one two three"),
    "white space folds across elements": ("<p>one <b> two </b> <i>three</i></p>", "one two three"),
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
    "no space comes where none is shown": ("<p>un<b>believ</b>able</p>", "unbelievable"),
    "a no-break space stays": ("<p>10&nbsp;km&nbsp;</p>", "10\u00a0km"),
    "a br is a newline": ("<p>one <br> two<br><br>three<br></p>", "one\ntwo\n\nthree"),
    "pre keeps its white space": ("<pre>\n\n  a\n    b  \n</pre>", "  a\n    b"),
    "pre-wrap keeps its white space": ("<p style='white-space:pre-wrap'>a  b\n c</p>", "a  b\n c"),
    "pre-line keeps its lines": ("<p style='white-space:pre-line'> a  b \n  c </p>", "a b\nc"),
    "code inside keeps its own": ("<p>a  <code style='white-space:pre'>b  c</code>  d</p>", "a b  c d"),
    "lines of Chinese join without a space": ("<p>今天\n天气 好</p>", "今天天气 好"),
    "lines of Korean keep theirs": ("<p>오늘\n날씨</p>", "오늘 날씨"),
    "text-transform is not applied": ("<p style='text-transform:uppercase'>Straße</p>", "Straße"),
    "right-to-left text keeps its order": ("<p dir=rtl>مرحبا <b>بك</b></p>", "مرحبا بك"),
}


@pytest.mark.parametrize(("html", "expected"), FOLDING.values(), ids=FOLDING.keys())
async def test_text_is_folded_as_the_page_shows_it(read, html, expected):
    assert texts(await read(html)) == [expected]


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


async def test_a_script_link_has_no_target(read):
    (block,) = (await read("<p><a href='javascript:void 0'>go</a>")).blocks
    assert block.inlines == (Inline(0, 2, "link", ""),)


HIDDEN = {
    "<p style='visibility:hidden'>x": "visibility",
    "<div style='opacity:0'><p>x</div>": "opacity",
    "<p style='position:absolute;left:-5000px'>x": "offscreen",
    "<p style='text-indent:-9999px;white-space:nowrap'>x": "offscreen",
    "<p style='position:fixed;left:100%'>x": "offscreen",
    "<div style='height:0;overflow:hidden'><p>x</div>": "clip",
    "<p style='position:absolute;clip:rect(0 0 0 0)'>x": "clip",
    "<p style='position:absolute;clip-path:inset(50%)'>x": "clip",
    "<div style='width:300px;overflow:hidden'><div style='margin-left:300px'>x</div></div>": "clip",
    "<p style='position:absolute;width:1px;height:1px;overflow:hidden'>x": "size",
    "<div style='height:50px;overflow:auto'><div style='height:200px'></div>x</div>": "",
    "<div style='height:0'>x</div>": "",
    "<div style='overflow:hidden;height:0'><p style='position:absolute'>x</div>": "",
}


@pytest.mark.parametrize(("html", "kind"), HIDDEN.items(), ids=HIDDEN.keys())
async def test_text_kept_from_view_is_kept_and_marked(read, html, kind):
    assert [(block.text, block.hidden) for block in (await read(html)).blocks] == [("x", kind)]


async def test_hidden_text_within_a_visible_block_is_a_block_apart(read):
    page = await read("<p>one <span style='visibility:hidden'>two</span> three")
    assert [(block.text, block.hidden) for block in page.blocks] == [("one three", ""), ("two", "visibility")]


async def test_shadow_roots_are_read_in_the_order_shown(read):
    page = await read(
        "<p>a</p><div id=host><p>d</p><p slot=first>c</p>"
        "<template shadowrootmode=open><h2>b</h2><slot name=first></slot><slot></slot><slot name=none>e</slot></template></div><p>f</p>"
    )
    assert texts(page) == ["a", "b", "c", "d", "e", "f"]
    assert page.tag_paths()[page.blocks[1].element] == "body/div/h2"


async def test_frames_of_the_same_origin_are_read_in_place(read):
    page = await read(
        "<body style='margin:0'><p>a</p><iframe style='margin:100px;border:0' srcdoc='<p style=margin:7px>b</p>'></iframe><p>c</p>"
    )
    assert texts(page) == ["a", "b", "c"]
    frame, after = page.blocks[1], page.blocks[2]
    assert page.tag_paths()[frame.element] == "body/iframe/body/p"
    assert frame.box.x == 115
    assert 100 < frame.box.y < after.box.y


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


async def test_lone_surrogates_do_no_harm(browser, site_server):
    site = await site_server(
        {"/": "<p id=p>x</p><script>p.textContent = 'a\\ud83d b\\udc00'; p.className = '\\ud800'; document.title = '\\ud800'</script>"}
    )
    assert texts((await browser.render(site.url())).page) == ["a\ufffd b\ufffd"]


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
        await collect(answering(width))
    assert "\n" not in str(raised.value)


async def test_a_box_of_numbers_is_read():
    assert (await collect(answering("700"))).blocks[0].box.width == 700


async def test_thousands_of_properties_of_the_pages_own_are_read_with_all_the_others(browser):
    own = ";".join(f"--property-{number}:{number}px" for number in range(3000))
    html = f"<!doctype html><style>p {{ {own}; color: red }}</style><p>One</p><p style='{own}'>Two"
    options = RenderOptions(javascript=False, collect=CollectOptions(ALL_PROPERTIES))
    page = (await browser.render_html(html, "http://site.test/", options)).page
    assert [block.text for block in page.blocks] == ["One", "Two"]
    assert all(page.style_of(block)["color"] == "rgb(255, 0, 0)" for block in page.blocks)
