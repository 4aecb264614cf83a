"""Pages that attack the browser and the collector: each costs itself alone, and what can be read of it is read."""

import zlib

import pytest

from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import PageFailed
from tests.pages.shown import texts
from tests.pages.websites import serving
from tests.processes.families import needs_proc

MIB = 2**20
UNIT = 16 * MIB
"""Decoded bytes of a bomb's unit; 640 of them are 10 GiB."""
UNITS = 640


def gzip_bomb() -> bytes:
    """10 MB that decode to 10 GiB of the letter x: the same unit over and over, each behind a full flush."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    first, unit = (packer.compress(b"x" * UNIT) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + unit * (UNITS - 1)


def brotli_bomb() -> bytes:
    """Nine kB of them: a copy of what stands before, as long as a metablock may be (RFC 7932), over and over."""
    return bytes.fromhex("cfffff7f0024f0e2b14072efff0d") + bytes.fromhex("fcffff074002200e0b40f7fedf00") * (UNITS - 1) + b"\x03"


def zstd_bomb() -> bytes:
    """Of 328 kB: a frame without a stated size, of blocks of 128 KiB that repeat one byte (RFC 8878, 3.1.1.2)."""
    block = (128 * 1024 << 3 | 1 << 1).to_bytes(3, "little") + b"x"
    return bytes.fromhex("28b52ffd0058") + block * (UNITS * UNIT // (128 * 1024)) + (1).to_bytes(3, "little")


@needs_proc
@pytest.mark.parametrize(("coding", "make"), [("gzip", gzip_bomb), ("br", brotli_bomb), ("zstd", zstd_bomb)])
async def test_a_body_that_inflates_to_ten_gibibytes_costs_its_page_alone(tight, site_server, coding, make):
    site = await site_server({"/": (200, {"Content-Encoding": coding}, make()), "/next": "<p>Next"})
    with pytest.raises(PageFailed, match=r"more than 200 MiB of memory|not read within|crashed"):
        await tight.render(site.url(), RenderOptions(deadline=5))
    assert texts((await tight.render(site.url("/next"))).page) == ["Next"]
    assert tight.health.memory < 1600 * MIB


NESTED = """<p>first</p><script>
let at = document.createElement("div"); const outer = at; outer.hidden = {hidden};
for (let level = 1; level < {levels}; level++) {{ const inner = document.createElement("div"); at.append(inner); at = inner }}
at.append("deep"); document.body.append(outer)</script>"""


async def test_what_scripts_nest_20_000_levels_deep_is_read_and_its_path_is_cut(browser, site_server):
    site = await site_server({"/": NESTED.format(hidden="true", levels=20_000)})
    page = (await browser.render(site.url())).page
    assert texts(page) == ["first", "deep"]
    assert len(page.elements) <= 514


async def test_what_the_parser_meets_60_000_levels_deep_is_read_and_its_path_is_cut(browser, site_server):
    site = await site_server({"/": "<p>first</p>" + "<div>" * 60_000 + "deep"})
    page = (await browser.render(site.url())).page
    assert texts(page) == ["first", "deep"]
    assert len(page.elements) <= 514


@pytest.mark.parametrize("levels", [5_000, 60_000])
async def test_visible_levels_beyond_what_chromium_can_lay_out_cost_their_page_alone(tight, site_server, levels):
    site = await site_server({"/": NESTED.format(hidden="false", levels=levels), "/next": "<p>Next"})
    with pytest.raises(PageFailed, match=r"crashed|not read within|memory"):
        await tight.render(site.url(), RenderOptions(deadline=2))
    assert texts((await tight.render(site.url("/next"))).page) == ["Next"]
    assert tight.health.open == 0


MANY = """<p>first</p><div id=many></div><script>
const parts = document.createDocumentFragment();
many.hidden = {hidden};
for (let i = 0; i < {nodes}; i++) parts.append(document.createElement("i"));
many.append(parts); document.body.append("last")</script>"""


@pytest.mark.parametrize(("hidden", "nodes"), [("true", 250_000), ("false", 120_000)])
async def test_nodes_without_number_made_by_a_script_are_cut_and_said_to_be(browser, site_server, hidden, nodes):
    site = await site_server({"/": MANY.format(hidden=hidden, nodes=nodes)})
    page = (await browser.render(site.url())).page
    assert page.truncated
    assert texts(page) == ["first"]


BODY = """<!doctype html><title>T</title><style>body{margin:0;font:20px/30px monospace}h1{width:400px}li{color:red}</style>
<h1>One</h1><ul><li>Two <a href=/x>link</a><li>Three</ul><table><tr><td>Four<td>Five</table><pre>  Six</pre>"""
OVERRIDES = {
    "all that is called of the language": "const namesOf = Object.getOwnPropertyNames;"
    " for (const kind of [Object, Array, Map, Set, RegExp, String, Number, Math, JSON, Symbol])"
    " for (const owner of [kind, kind.prototype]) if (owner) for (const name of namesOf(owner))"
    " try { owner[name] = () => { throw 1 } } catch {}",
    "iteration": "Array.prototype[Symbol.iterator] = Map.prototype[Symbol.iterator] = String.prototype[Symbol.iterator] = function* () {}",
    "Function.prototype": "Function.prototype.toString = Function.prototype.call = Function.prototype.apply = () => 'native code'",
    "setters of Object.prototype": "for (const name of ['get', 'set', 'value', 'text', 'element', 'x', 'row', 'next', 'left'])"
    " Object.defineProperty(Object.prototype, name, { __proto__: null, get() { return 'pwned' }, set() { throw 1 }, configurable: true })",
    "toJSON": "Array.prototype.toJSON = String.prototype.toJSON = Object.prototype.toJSON = () => 'pwned'",
    "what measures": "getComputedStyle = () => ({ getPropertyValue: () => 'pwned', display: 'none' });"
    " for (const kind of [Element, Range]) kind.prototype.getBoundingClientRect = () => new DOMRect(1, 2, 3, 4);"
    " Element.prototype.checkVisibility = () => false; CSSStyleDeclaration.prototype.getPropertyValue = () => 'pwned'",
    "the tree": "for (const [kind, name] of [[Node, 'firstChild'], [Node, 'nextSibling'], [Node, 'nodeType'], [Document, 'body'],"
    " [Element, 'localName'], [Element, 'shadowRoot'], [Document, 'documentElement']])"
    " Object.defineProperty(kind.prototype, name, { get: () => null, configurable: true });"
    " Element.prototype.querySelector = Document.prototype.querySelectorAll = Document.prototype.createRange = () => { throw 1 }",
}


@pytest.fixture(scope="module")
async def overridden(browser):
    """The address of a page per script, and the page as it is without one."""
    scripts = {"plain": "", **OVERRIDES}
    with serving({f"/{number}": f"{BODY}<script>{script}</script>" for number, script in enumerate(scripts.values())}) as site:
        urls = {name: site.url(f"/{number}") for number, name in enumerate(scripts)}
        yield urls, (await browser.render(urls["plain"])).page


@pytest.mark.parametrize("name", OVERRIDES)
async def test_a_page_that_overrides_built_ins_gets_the_same_boxes_and_styles(browser, overridden, name):
    urls, plain = overridden
    page = (await browser.render(urls[name])).page
    assert [block.text for block in page.blocks] == ["One", "Two link", "Three", "Four", "Five", "  Six"]
    assert (page.blocks, page.styles, page.elements, page.links) == (plain.blocks, plain.styles, plain.elements, plain.links)


async def test_what_a_page_that_overrides_built_ins_fills_in_late_is_waited_for(browser, site_server):
    names = ("setters of Object.prototype", "all that is called of the language", "toJSON", "iteration")
    overrides = "".join(f"<script>{OVERRIDES[name]}</script>" for name in names)
    late = "setTimeout.call(window, (word) => { late.textContent = word }, 600, 'Late')"
    site = await site_server({"/": f"<p>Early<p id=late>{overrides}<script>{late}</script>"})
    assert texts((await browser.render(site.url())).page) == ["Early", "Late"]


HOSTILE = {
    "spaces where lines are kept": f"<p style='white-space:pre-line'>x{' ' * 400_000}y</p>",
    "spaces of other scripts": "<pre>x" + "\u00a0\t" * 20_000 + "y</pre>",
    "Chinese lines": "<p>" + "中\n" * 10_000 + "</p>",
    "a set of sources without a size": f"<p>x</p><img src='data:,' data-srcset='a{' ' * 400_000}b'>",
    "a set of sources that is one word": f"<p>x</p><img src='data:,' data-srcset='{'a' * 400_000} b'>",
    "an address like a placeholder's": f"<p>x</p><img src='http://site.test/?{'blank-' * 60_000}'>",
    "content that never ends": f'<style>p::before {{ content: "{"a" * 400_000}</style><p>x</p>',
    "a selector of spaces": f"<style>p{' ' * 400_000}q::before {{ content: 'a' }}</style><p>x</p>",
    "spans": f"<table><tr><td colspan=1e16 rowspan=1e16>x<td colspan={'9' * 100_000}>y</table>",
    "hidden siblings": f"<div>{'<p class=item hidden>x' * 8000}</div>",
    "rules for the pointer": "<style>"
    + "".join(f".a{n} .b:hover .c {{ opacity: 1 }}" for n in range(5000))
    + f"</style>{'<p class=c style=opacity:0>x' * 5000}",
    "tags of Unicode": "<p>x" + "\U000e0041" * 400_000,
    "names of fields": "<form><input name=children><input name=style><p class=a>x<p class=a style='opacity:0'>y</form>",
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
async def test_a_hostile_page_is_read_in_time(browser, html):
    page = (await browser.render_html(f"<!doctype html><p>first</p>{html}", "http://site.test/")).page
    assert texts(page)[0] == "first"
    assert len(page.blocks) > 1


ENDLESS = """<style>p { height: 900px }</style><p>0</p><script>
let count = 0;
const more = () => { const p = document.createElement("p"); p.textContent = count += 1; document.body.append(p) };
new IntersectionObserver(() => { more(); more() }, { rootMargin: "4000px" }).observe(document.body);
addEventListener("scroll", more); setInterval(more, 5)</script>"""


async def test_a_page_that_grows_as_long_as_one_looks_is_read_and_ends(browser, site_server):
    site = await site_server({"/": ENDLESS})
    page = (await browser.render(site.url())).page
    assert 1 < len(page.blocks) < 3000
