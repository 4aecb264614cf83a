"""What a caller requests before a page is read: conditions, actions, the hook, and lists without an end in view."""

import asyncio
import time
from dataclasses import replace

import pytest

from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.errors import ConditionNotMet, Rejected, TimedOut, Unusable
from sightread.render.network.egress import Egress
from sightread.render.visit.actions import Click, Press, ScrollTo, TypeText, WaitFor
from sightread.render.visit.settle import ENDLESS
from tests.internet import Internet, public_url, victim
from tests.pages.shown import texts

LONG = "<p>The towns along the river keep their markets.</p>" * 40
LATE = f"{LONG}<div id=out></div><script>setTimeout(() => out.innerHTML = '<p class=late>At last', 1200)</script>"


async def seen(browser, site, path="/", **options):
    return texts((await browser.render(site.url(path), RenderOptions(**options))).page)


async def is_ready(tab):
    return await tab.evaluate("document.querySelector('.late') !== null")


@pytest.mark.parametrize("condition", [".late", "text=at LAST", is_ready], ids=["selector", "text", "function"])
async def test_a_page_is_waited_for_until_the_condition_is_met(browser, site_server, condition):
    site = await site_server({"/": LATE})
    assert (await seen(browser, site, wait_for=condition))[-1] == "At last"


@pytest.mark.parametrize("options", [{"wait_for": ".never"}, {"actions": (WaitFor(".never"),)}], ids=["wait_for", "WaitFor"])
async def test_a_condition_that_is_not_met_fails_the_page_with_an_error_of_its_own(browser, site_server, options, monkeypatch):
    monkeypatch.setattr("sightread.render.visit.visit.READING_SHARE", 0.1)
    site = await site_server({"/": LONG})
    with pytest.raises(ConditionNotMet, match=r": (RenderOptions: wait_for|WaitFor: until) '.never' was not met within \d s: check it"):
        await seen(browser, site, **options, deadline=50)
    if "wait_for" in options:
        with pytest.raises(Unusable, match="HTTP status 404"):  # the cause
            await seen(browser, site, "/gone", **options, deadline=50)


async def test_a_page_is_waited_for_as_long_as_is_asked(browser, site_server):
    site = await site_server({"/": LATE, "/plain": "<p>No script"})
    assert (await seen(browser, site, min_wait=1.6))[-1] == "At last"
    began = time.monotonic()
    await seen(browser, site, "/plain", min_wait=0.6)
    assert time.monotonic() - began > 0.6


FORM = (
    "<h1>Search</h1><form action=/found><input name=q></form><button id=more onclick=\"fetch('/item').then(r => r.text())"
    ".then(t => document.body.insertAdjacentHTML('beforeend', `<p>${t}`))\">More</button>"
    f"{LONG}<p id=last>Last</p><script>addEventListener('scroll', () => {{ if (scrollY > 200) document.title = 'scrolled' }})</script>"
)


async def test_actions_are_done_in_their_order_each_after_the_page_is_stable(browser, site_server):
    site = await site_server({"/": FORM, "/item": "An item", "/found?q=river+towns": "<h1>Results</h1><p>Two towns"})
    assert (await seen(browser, site, actions=[Click("#more"), Click("#more")]))[-2:] == ["An item", "An item"]
    searching = (TypeText("input[name=q]", "river towns"), Press("Enter", "input[name=q]"), WaitFor("text=Two towns"))
    rendered = (await browser.render(site.url(), RenderOptions(actions=searching))).page
    assert texts(rendered) == ["Results", "Two towns"]
    assert rendered.final_url == site.url("/found?q=river+towns")


@pytest.mark.parametrize("target", ["bottom", 900, "#last"])
async def test_a_page_is_scrolled_and_read_from_its_top_again(browser, site_server, target):
    header = "<header style='position:fixed;top:0'>Menu</header>"
    site = await site_server({"/": header + FORM + "<div style='height:3000px'></div>"})
    page = (await browser.render(site.url(), RenderOptions(actions=(ScrollTo(target), WaitFor(0.1))))).page
    assert page.titles == ("scrolled",)
    assert next(block for block in page.blocks if block.text == "Menu").box.y == 0


async def test_an_action_without_its_element_fails_the_page(browser, site_server, monkeypatch):
    monkeypatch.setattr("sightread.render.visit.actions.ACTION_SECONDS", 0.4)
    site = await site_server({"/": LONG})
    with pytest.raises(Unusable, match=r"/: click #more: no element is ready for it within"):
        await seen(browser, site, actions=(Click("#more"),))


async def test_the_hook_has_the_page_before_it_is_collected_and_fails_its_page_once(browser, site_server):
    site = await site_server({"/": LONG})

    async def write(tab):
        await tab.evaluate("document.body.innerHTML = '<p>Written by a hook'")

    async def fail(tab):
        await tab.evaluate("nothing.there")

    async def loop(tab):
        await tab.evaluate("new Promise(() => 0)")

    assert await seen(browser, site, before_collect=write) == ["Written by a hook"]
    assert len(await seen(browser, site)) == 40  # the next page finds nothing of it
    with pytest.raises(Unusable, match=r"before_collect failed: .*nothing is not defined"):
        await seen(browser, site, before_collect=fail)
    assert site.requests == ["/"] * 3
    with pytest.raises(TimedOut, match=r"not read within 1\.5 s"):
        await seen(browser, site, before_collect=loop, deadline=1.5)


async def test_a_hook_cannot_leave_the_egress_boundary_or_the_deadline(site_server):
    site, internet = await site_server({"/": LONG}), Internet()

    async def reach(tab):
        for url in (here.root, "http://127.0.0.1:1/", "http://localhost/"):
            await tab.evaluate("url => fetch(url, { mode: 'no-cors' }).catch(() => 0)", url)
        await tab.request.get(here.root, fail_on_status_code=False)

    async with victim() as here, Browser(egress=Egress(resolve=internet.resolve, dial=internet.dial)) as browser:
        await browser.render(public_url(site.root), RenderOptions(before_collect=reach))
    assert here.received == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"wait_for": ""}, "give a CSS selector"),
        ({"wait_for": 3}, "give a string, a function or None"),
        ({"min_wait": -1}, "give 0 to 24 seconds"),
        ({"min_wait": 30}, "give 0 to 24 seconds"),
        ({"min_wait": float("nan")}, "give 0 to 24 seconds"),
        ({"actions": ("click",)}, "give a tuple of a Click, a TypeText, a Press, a ScrollTo or a WaitFor"),
        ({"actions": (WaitFor(1),) * 101}, "give 100 at most"),
        ({"wait_for": ".a", "javascript": False}, "need scripts"),
    ],
)
def test_wishes_that_make_no_sense_are_refused_before_a_page_is_opened(options, message):
    with pytest.raises(Rejected, match=message):
        RenderOptions(**options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Click(" "), "Click: selector is ' ': give a CSS selector of 1 to 2000 characters"),
        (lambda: Click(""), "Click: selector is '': give a CSS selector"),
        (lambda: Click(None), "Click: selector is None: give a string"),
        (lambda: TypeText("", "towns"), "TypeText: selector is '': give a CSS selector"),
        (lambda: Press(""), "Press: key is empty"),
        (lambda: Press("Enter", " "), "Press: selector is ' ': give a CSS selector"),
        (lambda: ScrollTo(""), "ScrollTo: target is '': give a CSS selector"),
        (lambda: WaitFor(-2), "WaitFor: until is -2: give 0 or more seconds"),
        (lambda: WaitFor(""), "WaitFor: until is '': give a CSS selector, or text= and a text"),
    ],
)
def test_an_action_that_can_do_nothing_is_not_made(make, message):
    with pytest.raises(Rejected, match=message):
        make()


ROWS = 200
EXPECTED = [f"The market of town {number} opens at nine" for number in range(ROWS)]
STYLE = """<style>
* { margin: 0; padding: 0 } li, tr, .placed { height: 50px; list-style: none } #list { position: relative }
.placed { position: absolute; top: 0; left: 0 }
</style>"""
SCRIPT = """
let count = 200, delay = 0;
const text = (n) => `The market of town ${n} opens at nine`, H = 50;
const range = (from, to, make) => Array.from({ length: to - from }, (_, i) => make(from + i));
const place = (html) => Object.assign(document.createElement('div'), { className: 'placed', innerHTML: html });
const redraw = (draw, scroller = window) => {
  const view = () => {
    const top = scroller === window ? scrollY : scroller.scrollTop, height = scroller === window ? innerHeight : scroller.clientHeight;
    draw(Math.max(0, Math.floor(top / H) - 2), Math.min(count, Math.ceil((top + height) / H) + 2));
  };
  scroller.addEventListener('scroll', () => delay ? setTimeout(view, delay) : view());
  view();
};
"""
SPACERS = """
redraw((from, to) => {
  list.style.padding = `${H * from}px 0 ${H * (count - to)}px`;
  list.innerHTML = range(from, to, (n) => `<li>${text(n)}</li>`).join('');
});"""
PLACED = """
const shown = new Map();
list.style.height = `${H * count}px`;
redraw((from, to) => {
  for (const [n, row] of shown) if (n < from || n >= to) { row.remove(); shown.delete(n); }
  for (let n = from; n < to; n++) if (!shown.has(n)) {
    shown.set(n, list.appendChild(place(text(n))));
    shown.get(n).style.top = `${H * n}px`;
  }
}, window.box ?? window);"""
RECYCLED = """
list.style.height = `${H * count}px`;
const pool = range(0, 26, () => list.appendChild(place('<b></b><i>daily</i><u>free</u>')));
redraw((from, to) => range(from, to, (n) => {
  const row = pool[n % pool.length];
  row.firstChild.textContent = text(n);
  row.style.transform = `translateY(${H * n}px)`;
}));"""
TABLE = """
redraw((from, to) => {
  const rows = range(from, to, (n) => `<tr><td>${text(n)}<td>free<td>daily</tr>`);
  list.innerHTML = `<tr style="height:${H * from}px"></tr>${rows.join('')}<tr style="height:${H * (count - to)}px"></tr>`;
});"""
LATER = """
count = 100;
addEventListener('scroll', () => setTimeout(() => {
  if (scrollY + innerHeight < H * 100 - 200) return;
  count = 200;
  list.style.paddingBottom = `${H * (200 - Math.ceil((scrollY + innerHeight) / H))}px`;
}, 200));"""
BOX = "<p>Before<div id=box style='overflow:auto;height:400px'><div id=list></div></div><p style='height:2000px'>After"
LISTS = {
    "rows between spacers, made anew": ("<ul id=list></ul>", SPACERS),
    "rows at their places": ("<div id=list></div>", PLACED),
    "rows that show other ones": ("<div id=list></div>", RECYCLED),
    "rows that change late": ("<div id=list></div>", f"{RECYCLED}delay = 120"),
    "rows of a box that scrolls": (BOX, PLACED),
    "rows of a table": ("<table><tbody id=list></table>", TABLE),
    "rows that come later": ("<ul id=list></ul>", f"{LATER}{SPACERS}"),
}


def towns(page) -> list[str]:
    return [text.partition("nine")[0] + "nine" for text in texts(page) if text.startswith("The market")]


@pytest.fixture
async def read_lists(browser, site_server):
    """Read the lists; the pages by their names."""
    pages = [f"<!doctype html>{STYLE}<h1>Markets</h1>{body}<script>{SCRIPT}{script}</script>" for body, script in LISTS.values()]
    site = await site_server({f"/{number}": page for number, page in enumerate(pages)})

    async def read(**options):
        urls = [site.url(f"/{number}") for number in range(len(pages))]
        rendered = await asyncio.gather(*(browser.render(url, RenderOptions(**options)) for url in urls))
        return {name: found.page for name, found in zip(LISTS, rendered, strict=True)}

    return read


async def test_a_list_that_takes_rows_away_is_read_to_its_end_in_order_if_that_is_requested(read_lists, monkeypatch):
    found = await read_lists(scroll="endless")
    assert {name: (towns(page), page.unfinished) for name, page in found.items()} == dict.fromkeys(LISTS, (EXPECTED, ""))
    assert [text for text in texts(found["rows of a box that scrolls"]) if text not in EXPECTED] == ["Markets", "Before", "After"]
    monkeypatch.setattr("sightread.render.visit.settle.ENDLESS", replace(ENDLESS, steps=4))
    for name, page in (await read_lists(scroll="endless")).items():
        assert page.unfinished == "its end was not reached within 4 steps of scrolling", name
        assert towns(page) == EXPECTED[: len(towns(page))] and 20 < len(towns(page)) < 150, name


PLAIN = """<!doctype html><h1>Markets</h1><p id=clock>It is 0<ul><li>One<li>Two<li>Three</ul><p style='height:3000px'>Long<p>Last
<script>
let n = 0;
setInterval(() => clock.textContent = `It is ${++n % 10}`, 30);
addEventListener('scroll', () => {
  const offer = document.body.appendChild(document.createElement('div'));
  offer.style = 'position:fixed;top:100px';
  offer.textContent = `An offer ${scrollY}`;
  setTimeout(() => offer.remove(), 10);
});
</script>"""


async def test_what_a_page_removes_or_changes_in_view_is_not_put_back(browser, site_server):
    site = await site_server({"/": PLAIN})
    page = (await browser.render(site.url(), RenderOptions(scroll="endless"))).page
    assert [text for text in texts(page) if not text.startswith("It is")] == ["Markets", "One", "Two", "Three", "Long", "Last"]
    assert len(texts(page)) == 7


MORE = """<!doctype html><ul id=list></ul><button id=more onclick="setTimeout(add, 100)">More</button>
<script>
let n = 0;
const add = () => {
  for (let i = 0; i < 20 && n < LAST; i++) list.insertAdjacentHTML('beforeend', `<li>The market of town ${n++} opens at nine</li>`);
  if (n >= LAST) more.END;
};
add();
</script>"""


async def test_a_button_is_clicked_for_as_long_as_it_brings_more(browser, site_server, monkeypatch):
    ends = {"gone": "remove()", "disabled": "disabled = true", "idle": "title = ''"}
    pages = {f"/{name}": MORE.replace("LAST", "100").replace("END", end) for name, end in ends.items()}
    site = await site_server({**pages, "/none": "<p>None<script>1</script>", "/endless": MORE.replace("LAST", "1e9").replace("END", "x")})
    options = RenderOptions(actions=(Click("#more", repeated=True),))
    for name in ends:
        page = (await browser.render(site.url(f"/{name}"), options)).page
        assert (towns(page), page.unfinished) == (EXPECTED[:100], ""), name
    assert texts((await browser.render(site.url("/none"), options)).page) == ["None"]
    monkeypatch.setattr("sightread.render.visit.actions.MOST_CLICKS", 3)
    page = (await browser.render(site.url("/endless"), options)).page
    assert (towns(page), page.unfinished) == (EXPECTED[:80], "click-all #more ended after 3 clicks")
