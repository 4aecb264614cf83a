"""The collector: images, what a page says of itself, and pages that resist."""

import json

import pytest

from sightread.render.errors import Unusable
from sightread.render.page import Link, Meta
from sightread.render.static.parse import read_html
from sightread.render.visit.collect import collect
from sightread.render.visit.navigation import attach
from tests.pages.shown import texts


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
