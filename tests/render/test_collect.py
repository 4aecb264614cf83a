"""The collector: what is a block, what its text is, and what it says of itself, each rule on a small real page."""

import json

import pytest

from render.browser import RenderOptions
from render.collect import ALL_PROPERTIES, VISUAL_PROPERTIES, CollectOptions, Provenance, collect
from render.errors import Unusable
from render.page import Box, Inline, Link, Meta
from render.static import read_html


@pytest.fixture
def read(browser):
    """Return what the browser collects of a page's HTML."""

    async def read(html, **options):
        options.setdefault("javascript", False)
        return (await browser.render_html(f"<!doctype html>{html}", "http://site.test/a/", RenderOptions(**options))).page

    return read


def texts(page):
    return [block.text for block in page.blocks]


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
    "a formula is one run": ("<p>so <math><mi>x</mi><mo>=</mo><mn>2</mn></math> holds</p>", ["so x=2 holds"]),
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


async def test_styles_that_only_a_shorthand_cannot_say_are_told_apart(read):
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


async def test_images_have_the_source_a_reader_would_see(read):
    page = await read(
        "<p>a</p><img src=b.png alt=B style='display:block;width:30px;height:20px'><img src='data:image/gif;base64,R0' data-src=/c.png>"
        "<picture><source srcset='d.webp 1x, e.webp 2x'><img src=f.png></picture><img src='data:image/gif;base64,R0'><p>g</p>"
    )
    assert [image.source for image in page.images] == [f"http://site.test/{name}" for name in ("a/b.png", "c.png", "a/d.webp")]
    first = page.images[0]
    assert (first.alt, first.before, first.box.width, first.box.height) == ("B", 1, 30, 20)


LATE = {
    "an attribute of the image": ("<img src=spacer.gif data-src=/a.png>", "a.png"),
    "a set of widths": ("<img src=spacer.gif data-srcset='/s.png 400w, /m.png 1700w, /l.png 3000w'>", "m.png"),
    "a set of widths, none wide enough": ("<img src='data:,' data-srcset='/s.png 400w, /m.png 900w'>", "m.png"),
    "a set of densities": ("<img src='data:,' data-srcset='/one.png, /two.png 2x'>", "one.png"),
    "a source of its picture": ("<picture><source data-srcset='/w.webp 1x'><img src='data:,'></picture>", "w.webp"),
    "an address with a comma": ("<img src='data:,' data-srcset='/a,b.png 1x'>", "a,b.png"),
}


@pytest.mark.parametrize(("html", "name"), LATE.values(), ids=LATE.keys())
async def test_an_image_that_scripts_load_late_has_the_source_they_would_give_it(read, html, name):
    assert [image.source for image in (await read(f"<p>x</p>{html}")).images] == [f"http://site.test/{name}"]
    assert [image.source for image in read_html(f"<p>x</p>{html}", "http://site.test/a/").images] == [f"http://site.test/{name}"]


async def test_what_only_a_description_shows_is_an_image_without_a_source(read):
    html = (
        "<p>x</p><img src='data:image/gif;base64,R0' alt='a formula'><svg aria-label='a chart'><path d=''/></svg><img src='data:,' alt=''>"
    )
    assert [(image.source, image.alt) for image in (await read(html)).images] == [("", "a formula"), ("", "a chart")]


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


async def test_times_and_what_is_hidden_from_assistive_technology_are_told(read):
    html = "<p aria-hidden=true>on <time datetime=' 2024-02-29 '>leap day</time>, <time>whenever</time>"
    for page in (await read(html), read_html(html)):
        (block,) = page.blocks
        assert block.inlines == (Inline(3, 11, "time", "2024-02-29"),)
        assert page.elements[block.element].attributes == {"aria-hidden": "true"}


async def test_text_that_is_not_laid_out_has_neither_box_nor_style(read):
    page = await read("<p>a</p><p hidden style='color:red'>b <a href=c>c</a></p>")
    shown, hidden = page.blocks
    assert (hidden.text, hidden.hidden, hidden.box, hidden.style, hidden.link_chars) == ("b c", "display", None, None, 1)
    assert shown.box is not None
    assert page.has_boxes
    assert page.has_styles


async def test_a_million_nodes_are_cut_and_said_to_be(read):
    page = await read("<p>first</p><div hidden>" + "<i></i>" * 1_000_000 + "</div><p>last</p>")
    assert page.truncated
    assert texts(page) == ["first"]


async def test_markup_that_nests_deeper_than_any_page_is_read(read):
    assert texts(await read("<div>" * 4000 + "x")) == ["x"]  # the browser's own parser takes time with the square of the depth


async def test_the_head_is_read(read):
    page = await read(
        "<html lang=fr><title> A \n title</title><meta property=og:title content='A title'><meta name=twitter:title content=Other>"
        "<meta name=Description content=' Some \n text'><link rel=canonical href=/c><meta name=empty content=''>"
        '<script type=application/ld+json>{"a": 1}</script><p>a'
    )
    assert page.titles == ("A title", "Other")
    assert page.descriptions == ("Some text",)
    assert Meta("description", "Some text") in page.metas
    assert page.json_ld == ('{"a": 1}',)
    assert (page.canonical, page.language) == ("http://site.test/c", "fr")


async def test_links_are_absolute_and_stand_once_with_a_text(read):
    page = await read(
        "<a href=b#x><img></a><a href=b#y rel=nofollow> Bee </a><a href=mailto:x@y>m</a><p hidden><a rel=next href=//other.test/>o</a>"
    )
    assert page.links == (Link("http://site.test/a/b", "Bee", "nofollow"), Link("http://other.test/", "o", "next"))


async def test_a_page_that_overrides_the_language_is_read_all_the_same(browser, site_server):
    site = await site_server(
        {
            "/": "<form><input name=firstChild><input name=localName><input name=nodeType><p>text</p></form><img name=body><img name=title>"
            "<script>JSON.stringify = Map = Set = Object.entries = getComputedStyle = () => { throw 1 };"
            "Node.prototype.__defineGetter__('firstChild', () => null); Array.prototype.push = RegExp.prototype.test = () => 1</script>"
        }
    )
    page = (await browser.render(site.url())).page
    assert texts(page) == ["text"]


async def test_a_page_beyond_the_node_cap_is_cut_and_says_so(read):
    page = await read("<p>x" * 50, collect=CollectOptions(node_cap=20))
    assert page.truncated
    assert texts(page) == ["x"] * 10
    assert not (await read("<p>x" * 50)).truncated


async def test_lone_surrogates_do_no_harm(browser, site_server):
    site = await site_server(
        {"/": "<p id=p>x</p><script>p.textContent = 'a\\ud83d b\\udc00'; p.className = '\\ud800'; document.title = '\\ud800'</script>"}
    )
    assert texts((await browser.render(site.url())).page) == ["a\ufffd b\ufffd"]


async def test_reading_changes_nothing(browser, site_server):
    watched = (
        "<p>one<b>two</b></p><script>new MutationObserver(() => { document.title = 'changed' }).observe(document, "
        "{subtree: true, childList: true, attributes: true, characterData: true})</script>"
    )
    site = await site_server({"/": f"<title>same</title>{watched}"})
    first, second = [(await browser.render(site.url())).page for _ in range(2)]
    assert first.titles == ("same",)
    assert (first.blocks, first.styles, first.elements) == (second.blocks, second.styles, second.elements)


class AnsweringTab:
    """A tab whose browser answers with what it is told to."""

    def __init__(self, answer):
        self.url = "http://site.test/"
        self.context = self
        self.answers = {"Page.getFrameTree": {"frameTree": {"frame": {"id": "1"}}}, "Page.createIsolatedWorld": {"executionContextId": 1}}
        self.answers["Runtime.evaluate"] = answer

    async def new_cdp_session(self, tab):
        return self

    async def send(self, method, _=None):
        return self.answers[method]

    async def detach(self):
        pass


BROKEN = {
    "no text": {"result": {"type": "undefined"}},
    "an exception": {"result": {}, "exceptionDetails": {"text": "Uncaught", "exception": {"description": "TypeError: x\n at y"}}},
    "no JSON": {"result": {"value": "{"}},
    "another schema": {"result": {"value": json.dumps({"blocks": [{"text": 1}]})}},
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
async def test_a_broken_answer_makes_the_page_unusable_in_one_line(answer):
    with pytest.raises(Unusable, match=r"^http://site\.test/: .*\S$") as raised:
        await collect(AnsweringTab(answer))
    assert "\n" not in str(raised.value)


async def test_tables_that_do_not_fit_together_make_the_page_unusable():
    rest = {
        "styles": [],
        "titles": [],
        "descriptions": [],
        "metas": [],
        "json_ld": [],
        "images": [],
        "links": [],
        "body_style": {},
        "canonical": "",
        "language": "",
        "viewport": [1, 1],
        "document": [1, 1],
        "truncated": False,
    }
    value = json.dumps({"elements": [["body", -1]], "blocks": [{"text": "x", "element": 7}], **rest})
    collected = await collect(AnsweringTab({"result": {"value": value}}))
    with pytest.raises(Unusable, match=r"blocks\[0\]\.element is 7"):
        collected.page(Provenance("u", "u", "browser"))
