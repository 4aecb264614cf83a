"""The collector: images, what a page says of itself, and pages that resist."""

import json
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import pytest
import pytest_asyncio

from sightread.render.browser.find_browser import find_browser
from sightread.render.browser.launch import launch
from sightread.render.errors import Unusable
from sightread.render.page import Link, Meta
from sightread.render.static.parse import read_html
from sightread.render.visit.collect import CollectOptions, Provenance, collect
from sightread.render.visit.navigation import attach
from tests.pages.layout import GENERATED, LAYOUT
from tests.pages.shown import texts
from tests.pages.text import TEXT


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


async def test_what_only_a_description_shows_is_an_image_without_a_source(read):
    html = (
        "<p>x</p><img src='data:image/gif;base64,R0' alt='a formula'><svg aria-label='a chart'><path d=''/></svg><img src='data:,' alt=''>"
    )
    assert [(image.source, image.alt) for image in (await read(html)).images] == [("", "a formula"), ("", "a chart")]


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


async def test_markup_that_nests_deeper_than_any_page_is_read(read):
    assert texts(await read("<div>" * 4000 + "x")) == ["x"]  # the browser's own parser takes time with the square of the depth


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


async def test_a_page_beyond_the_node_cap_is_cut_and_states_so(read):
    page = await read("<p>x" * 50, collect=CollectOptions(node_cap=20))
    assert page.truncated
    assert texts(page) == ["x"] * 10
    assert not (await read("<p>x" * 50)).truncated


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


CASES = {**TEXT, **LAYOUT}
NEAR = 1.0
"""CSS px."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def tab():
    """One tab for all the pages."""
    chromium = await launch(find_browser(None))
    context = await chromium.browser.new_context(viewport={"width": 1600, "height": 1000}, java_script_enabled=False, offline=True)
    yield await context.new_page()
    await context.close()
    await chromium.close()


def written(page):
    """Return the blocks as the tables of the pages write them."""
    return [
        (f"[{block.hidden}] " if block.hidden else "") + (f"{block.marker}| " if block.marker else "") + block.text for block in page.blocks
    ]


class Piece(NamedTuple):
    """A text node that is laid out: its text, the box of its text, and those of its ancestors by tag, the nearest first."""

    text: str
    box: tuple[float, float, float, float]
    ancestors: list[tuple[str, tuple[float, float, float, float]]]


@dataclass
class Snapshot:
    """What the browser's own layout tree says of the page."""

    answer: dict

    def string(self, index):
        return self.answer["strings"][index] if index >= 0 else ""

    def pieces(self):
        found = []
        self._read(0, (0.0, 0.0, 1.0), found)
        return found

    def _read(self, number, place, found):
        document = self.answer["documents"][number]
        nodes, layout, boxes = document["nodes"], document["layout"], document["textBoxes"]
        bounds = dict(zip(layout["nodeIndex"], layout["bounds"], strict=True))
        x, y, scale = place
        frames = dict(zip(nodes["contentDocumentIndex"]["index"], nodes["contentDocumentIndex"]["value"], strict=True))

        def moved(box):
            return (box[0] * scale + x, box[1] * scale + y, box[2] * scale, box[3] * scale)

        for row, (node, text) in enumerate(zip(layout["nodeIndex"], layout["text"], strict=True)):
            if node in frames:
                left, top, width, _ = moved(layout["bounds"][row])
                inner = scale * width / float(self.attributes(nodes, node).get("width", width / scale))
                self._read(frames[node], (left, top, inner), found)
            if text < 0 or not self.string(text).strip():
                continue
            own = [box for place, box in zip(boxes["layoutIndex"], boxes["bounds"], strict=True) if place == row]
            if not own:
                continue
            ancestors, at = [], node
            while at >= 0:
                if at in bounds:
                    ancestors.append((self.string(nodes["nodeName"][at]).lower(), moved(bounds[at])))
                at = nodes["parentIndex"][at]
            found.append(Piece(self.string(text), moved(joined(own)), ancestors))

    def attributes(self, nodes, node):
        names = [self.string(index) for index in nodes["attributes"][node]]
        return dict(zip(names[::2], names[1::2], strict=True))


def joined(boxes):
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return (left, top, right - left, bottom - top)


async def snapshot(session):
    return Snapshot(await session.send("DOMSnapshot.captureSnapshot", {"computedStyles": [], "includeDOMRects": True}))


@pytest.fixture(scope="module")
async def read(tab):
    """Return the page of a case, and the pieces of the layout tree, measured right after it; once per case, for all tests."""
    known, attached = {}, await attach(tab)

    async def read_case(name):
        if name not in known:
            html = CASES[name][0]
            await tab.set_content(html if html.startswith("<html") else f"<!doctype html>{html}", wait_until="load")  # of its frames too
            page = (await collect(tab, CollectOptions(), attached)).page(Provenance("http://site.test/", "http://site.test/", "stored"))
            known[name] = page, (await snapshot(attached.session)).pieces()
        return known[name]

    return read_case


def near(one, other):
    return all(abs(a - b) <= NEAR for a, b in zip(one, other, strict=True))


def inked(text):
    """Return the text without white space, in one case: the layout tree has it as it is painted."""
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()


def letters(texts):
    return Counter("".join(map(inked, texts)))


@pytest.mark.parametrize("name", CASES)
async def test_every_text_is_read_once_in_reading_order(read, name):
    page, _ = await read(name)
    assert written(page) == CASES[name][1]


BOXED = [name for name in CASES if name not in GENERATED]
APART = {
    *("an ornament", "a glyph of an icon font", "content-visibility", "content-visibility of the text's own block", "hidden until found"),
    *(name for name in CASES if "formula" in name),
}
"""Pages where the layout tree has other text: ornaments and icons, text that was laid out once and is not shown, and formulas, which are
collected as TeX."""


@pytest.mark.parametrize("name", BOXED)
async def test_boxes_are_those_of_the_layout_tree(read, name):
    page, pieces = await read(name)
    for block in page.blocks:
        if block.hidden == "display":
            assert block.box is None
            continue
        own = [piece for piece in pieces if inked(piece.text) in inked(block.text)]
        assert own, f"no such text in the layout tree: {block.text}"
        tag = page.elements[block.element].tag
        box = next((box for piece in own for name, box in piece.ancestors if name == tag), None)
        assert box is not None, f"no <{tag}> above {block.text}"
        text = joined([piece.box for piece in own])
        candidates = [box, (box[0], text[1], box[2], text[3]), (text[0], box[1], text[2], box[3]), text]
        assert any(near(block.box, candidate) for candidate in candidates), f"{block.text}: {block.box}, measured {candidates}"
        assert block.box.width * block.box.height > 0 or block.hidden


@pytest.mark.parametrize("name", [name for name in CASES if name not in APART])
async def test_no_letter_of_the_layout_tree_is_lost_or_doubled(read, name):
    page, pieces = await read(name)
    collected = letters(text for block in page.blocks if block.hidden != "display" for text in (block.marker, block.text))
    assert collected == letters(piece.text for piece in pieces)
