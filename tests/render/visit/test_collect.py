"""The collector: rules of blocks, texts, styles and images that the pages of `test_completeness.py` do not have."""

import json

import pytest

from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Unusable
from sightread.render.page import Box, Inline, Link, Meta
from sightread.render.static.parse import read_html
from sightread.render.visit.collect import ALL_PROPERTIES, VISUAL_PROPERTIES, CollectOptions, collect
from sightread.render.visit.navigation import attach
from tests.pages.shown import texts

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
    assert shown.box is not None and shown.style is not None


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
    "an attribute of any name": ("<img src='data:,' data-fallback-src=/f.png data-id=a.b :src=/t.png nitro-lazy-src=/a.png>", "a.png"),
    "an original's attribute": ("<img src=lazy_placeholder.gif data-lazy-original-src='{{x.y}}' data-wp-original-src=/a.png>", "a.png"),
    "a set of any name": ("<img src=blank.gif x-src=/b.png nitro-lazy-srcset='/s.png 400w, /m.png 1700w'>", "m.png"),
    "words of a placeholder that is none": ("<img src=/google-pixel.png>", "google-pixel.png"),
}


@pytest.mark.parametrize(("html", "name"), LATE.values(), ids=LATE.keys())
async def test_an_image_that_scripts_load_late_has_the_source_they_would_give_it(read, html, name):
    assert [image.source for image in (await read(f"<p>x</p>{html}")).images] == [f"http://site.test/{name}"]
    assert [image.source for image in read_html(f"<p>x</p>{html}", "http://site.test/a/").images] == [f"http://site.test/{name}"]


@pytest.mark.parametrize("name", ["blank.gif", "lazy_placeholder.png?v=2", "1x1.gif", "grey-placeholder-300x200.png"])
async def test_a_placeholder_that_nothing_replaces_shows_nothing(read, name):
    html = f"<p>x</p><img src=/{name}><img src=/{name} alt=bar>"
    assert [image.source for image in (await read(html)).images] == [""]
    assert [image.source for image in read_html(html, "http://site.test/a/").images] == [""]


@pytest.mark.parametrize(
    ("image", "box"),
    [
        ("<img src=/none.jpg alt=Sea>", None),
        ("<img src=/none.jpg alt=Sea width=700 height=400>", None),
        ("<img src=/none.jpg alt=Sea style='display:block;width:700px;height:auto'>", None),
        ("<img src=/none.jpg alt=Sea style='display:block;width:700px;height:400px'>", (700, 400)),
        ("<img src=/none.jpg width=700 height=400>", (700, 400)),
        ("<p style='height:9000px'></p><img src=/none.jpg alt=Sea loading=lazy width=700 height=400>", (700, 400)),
        ("<img src=data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E data-src=/none.jpg alt=Sea width=90>", (90, 150)),
    ],
    ids=("no size", "its description", "a height of its description", "sizes of the page", "no description", "not requested yet", "there"),
)
async def test_the_box_of_a_description_in_place_of_an_image_is_not_taken_for_its_own(browser, site_server, image, box):
    site = await site_server({"/": f"<!doctype html><p>x</p>{image}"})
    (found,) = (await browser.render(site.url())).page.images
    assert (found.box and found.box[2:]) == box


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


async def test_a_million_nodes_are_cut_and_said_to_be(read):
    page = await read("<p>first</p><div hidden>" + "<i></i>" * 1_000_000 + "</div><p>last</p>")
    assert page.truncated
    assert texts(page) == ["first"]


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
        return self.answers.get(method, {})

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
        await collect(await attach(AnsweringTab(answer)))
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
    collected = await collect(await attach(AnsweringTab({"result": {"value": value}})))
    with pytest.raises(Unusable, match=r"blocks\[0\]\.element is 7"):
        collected.page("u", "u", "browser")
