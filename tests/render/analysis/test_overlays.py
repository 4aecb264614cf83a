"""Overlays and text that is not laid out: both are marked in a page, and passed over by whatever learns from looks."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.labeling.clusterings import NOISE
from sightread.labeling.label_site import label_site
from sightread.render.analysis.overlays import Layer, find_overlays
from sightread.render.labels import BOILERPLATE
from sightread.render.page import Block, Box, Element, Image, Page, Size
from sightread.render.page.view import laid_out

PARAGRAPH = "The towns along the river have kept their markets for longer than anyone who trades there can remember. "
ARTICLE = "<main>" + "".join(f"<p>{n}. {PARAGRAPH * 3}</p>" for n in range(30)) + "</main>"
MIDDLE = "position:fixed;left:20%;top:25%;width:60%;background:#fff"
BOTTOM = "position:fixed;left:0;right:0;bottom:0;background:#fff"

CONSENT = {
    "English": f"<div style='{BOTTOM}'><p>We use cookies to make it work.</p><button>Accept all</button> <button>More</button></div>",
    "German": f"<div style='{MIDDLE}'><h2>Datenschutz</h2><p>Wir verarbeiten Daten.</p><a href=#>Alle akzeptieren</a></div>",
    "French": f"<section style='{BOTTOM}'><p>Nous utilisons des cookies.</p><button>Tout accepter</button></section>",
    "Japanese": f"<div style='{BOTTOM}'><p>当サイトではクッキーを使用しています。</p><button>同意する</button></div>",
    "with a cross alone": f"<div style='{BOTTOM}'><p>By reading on you agree to our use of cookies.</p><button>×</button></div>",
    "in the flow": "<div class=cookie-notice><p>This site uses cookies.</p><button>OK</button></div>",
    "a dialog element": "<dialog open><p>Your privacy matters to us.</p><button>I agree</button></dialog>",
    "in a shadow root": f"<x-ask><template shadowrootmode=open><p style='{BOTTOM}'>We use cookies. <button>OK</button></template></x-ask>",
}
OTHERS = {
    "a newsletter": (
        f"<div style='{MIDDLE};height:400px'><p>Get our letter every Friday morning.</p><button>Subscribe</button></div>",
        "dialog",
    ),
    "a role": ("<div role=dialog style='position:absolute;top:90px'><p>Choose your country.</p><button>Go</button></div>", "dialog"),
    "a bar at the bottom": (f"<div style='{BOTTOM}'><p>Read on in our app</p><button>Open</button></div>", "banner"),
}
PARTS = {
    "a fixed header": "<div style='position:fixed;top:0;left:0;right:0;height:60px'><b>The River Times</b> <a href=/>Home</a></div>",
    "a sticky header": "<header style='position:sticky;top:0'><a href=/>Home</a> <a href=/x>Markets</a></header>",
    "a sticky side bar": "<aside style='position:sticky;top:0;float:left;width:200px'><p>In this article</p><p>Bridges</p></aside>",
    "a fixed side bar": "<div style='position:fixed;top:0;left:0;width:250px;bottom:0'><p>Chapter one: river</p><p>Chapter two</p></div>",
    "a fixed menu": f"<nav style='{BOTTOM}'><a href=/a>Home page</a> <a href=/b>All markets</a> <a href=/c>My list</a></nav>",
    "a button": f"<div style='{BOTTOM}'><button>Chat</button></div>",
    "a recipe": "<section class=cookie-recipe><h2>Cookies</h2><p>Two eggs, and sugar.</p></section>",
    "a dialog that is closed": "<div role=dialog style='display:none'><p>We use cookies.</p><button>Accept</button></div>",
    "a footer": "<footer class=cookie-footer><a href=/cookies>Cookie policy</a> <button>OK</button></footer>",
}
LOCKS = {
    "of the whole document": "html,body{height:100%;overflow:hidden}",
    "of a fixed body": "body{position:fixed;width:100%;height:100%;overflow:hidden}",
    "of a fixed body that shows on": "body{position:fixed;width:100%}",
    "of a box around the page": "body{margin:0}main{height:100vh;overflow:hidden}",
    "of a fixed box around the page": "body{margin:0}main{position:fixed;inset:0;overflow:hidden}",
    "by overflow: clip": "html,body{height:100%;overflow:clip}",
    "by a blur": "main{filter:blur(8px)}",
}


def inside(page):
    return [block.text for row, block in enumerate(page.blocks) if page.overlay_of(row)]


@pytest.mark.parametrize("html", CONSENT.values(), ids=CONSENT.keys())
async def test_a_consent_layer_is_marked_with_its_blocks(read, html):
    page = await read(html + ARTICLE)
    assert [overlay.kind for overlay in page.overlays] == ["consent"]
    assert page.overlays[0].box.width > 0
    assert inside(page)
    assert not any("towns" in text for text in inside(page))


@pytest.mark.parametrize(("html", "kind"), OTHERS.values(), ids=OTHERS.keys())
async def test_dialogs_and_banners_are_marked(read, html, kind):
    page = await read(ARTICLE + html)
    assert [overlay.kind for overlay in page.overlays] == [kind]


@pytest.mark.parametrize("html", PARTS.values(), ids=PARTS.keys())
async def test_parts_of_the_page_are_no_overlays(read, html):
    assert (await read(html + ARTICLE)).overlays == ()


async def test_an_overlay_inside_another_is_part_of_it(read):
    page = await read(
        f"<div role=dialog style='{MIDDLE}'><p>We use cookies.</p><div class=consent-row><button>OK</button></div></div>{ARTICLE}"
    )
    assert len(page.overlays) == 1
    assert inside(page) == ["We use cookies.", "OK"]


@pytest.mark.parametrize("style", LOCKS.values(), ids=LOCKS.keys())
async def test_what_stands_below_a_locked_fold_is_not_marked_hidden(read, style):
    page = await read(f"<style>{style}</style>{ARTICLE}{CONSENT['English']}")
    assert len(page.overlays) == 1
    assert [block.hidden for block in page.blocks if "towns" in block.text] == [""] * 30
    assert page.blocks[29].box.y > 1000


async def test_a_page_hidden_until_the_reader_answers_is_read(read):
    page = await read(f"<style>main{{visibility:hidden}}</style>{ARTICLE}{CONSENT['English']}")
    assert [overlay.kind for overlay in page.overlays] == ["consent"]
    assert [block.hidden for block in page.blocks[:30]] == ["visibility"] * 30


ROWS = st.lists(st.integers(0, 5), min_size=1, max_size=12)


@given(ROWS, st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["fixed", "dialog", "named"])), max_size=4), st.text(max_size=5))
def test_overlays_never_overlap_nor_hold_most_of_the_text(parents, expected, word):
    elements = [Element("body", -1), *(Element("div", min(parent, row)) for row, parent in enumerate(parents))]
    blocks = [Block(f"cookies {word} accept", row % len(elements), box=Box(0, 0, 9, 9)) for row in range(len(elements))]
    layers = [Layer(min(row, len(elements) - 1), how, Box(300, 300, 900, 500)) for row, how in expected]
    found = find_overlays(elements, blocks, layers, Size(1600, 1000))
    above = [{overlay.element for overlay in found if overlay.element in ancestors(elements, row)} for row in range(len(elements))]
    assert all(len(rows) <= 1 for rows in above)
    for overlay in found:
        within = sum(len(block.text) for block in blocks if overlay.element in ancestors(elements, block.element))
        assert within <= 0.5 * sum(len(block.text) for block in blocks)


def ancestors(elements, row):
    rows = []
    while row >= 0:
        rows.append(row)
        row = elements[row].parent
    return rows


def a_page(**fields):
    blocks = (
        Block("shown", 1, box=Box(0, 0, 9, 9)),
        Block("menu", 1, hidden="display"),
        Block("faint", 1, box=Box(0, 9, 9, 9), hidden="opacity"),
    )
    images = tuple(Image(f"http://site.test/{n}.png", "", 0, n) for n in range(4))
    values = {"url": "u", "final_url": "u", "source": "browser", "elements": (Element("body", -1), Element("p", 0)), "blocks": blocks}
    return Page(**values | {"images": images} | fields)


def test_what_is_not_laid_out_is_left_away_and_the_rest_keeps_its_rows():
    page, rows = laid_out(a_page())
    assert ([block.text for block in page.blocks], rows) == (["shown", "faint"], (0, 2))
    assert [image.before for image in page.images] == [0, 1, 1, 2]


def test_labelers_see_none_of_it_and_call_it_boilerplate():
    pages = [template_page(number) for number in range(6)]
    bare = [replace(page, blocks=page.blocks[:-1]) for page in pages]
    found, alone = label_site(pages), label_site(bare)
    for whole, part in zip((*found.labels, *found.assignments), (*alone.labels, *alone.assignments), strict=True):
        assert (whole[:-1] == part).all()
    assert {int(labels[-1]) for labels in found.labels} == {BOILERPLATE}
    assert {int(clusters[-1]) for clusters in found.assignments} == {NOISE}
    assert found.confidence == alone.confidence


def template_page(number):
    """Return one page of a site: a bar of links, an article, and a menu that is not laid out."""
    names = [f"{word}{number}" for word in ("river", "valley", "bridge", "harvest", "council", "winter")]
    texts = [f"The {name} of town {number} was opened by its people on day {row}, and all of them came." for row, name in enumerate(names)]
    elements = (Element("body", -1), Element("nav", 0), *(Element("p", 0) for _ in texts), Element("div", 0))
    blocks = (
        Block("Home", 1, 0, Box(0, 0, 80, 20), link_chars=4),
        *(Block(text, row, 1, Box(0, 20 * row, 700, 20)) for row, text in enumerate(texts, 2)),
        Block("A menu nobody opened. " * 40, len(elements) - 1, hidden="display"),
    )
    styles = ({"font-size": "12px"}, {})
    return Page(
        "u", f"http://site.test/{number}", "browser", elements, blocks, styles, titles=(texts[0],), descriptions=(" ".join(texts[:2]),)
    )
