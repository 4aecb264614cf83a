"""Lists without an end in view: rows that are taken away when they leave it, and buttons that bring more."""

import asyncio
from dataclasses import replace

import pytest

from sightread.render.browser.browser import RenderOptions
from sightread.render.visit.actions import Click
from sightread.render.visit.settle import ENDLESS
from tests.pages.shown import texts

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
