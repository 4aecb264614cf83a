"""Every view of report and inspector, of a learned site, of a rendered page and of one without boxes: no missing value is shown, no
field is read that its record lacks, and nothing fails.
"""

import re

import pytest
import pytest_asyncio

from sightread.reading.reader import Reader
from sightread.reading.reading import read_static
from sightread.render.browser.browser import RenderOptions
from sightread.server.http import serve_on_loopback
from sightread.server.inspector import app_of, inspect_reading

MISSING = re.compile(r"NaN|undefined|\bnull\b|\[object")
STRICT = r"""window.missing = [];
window.pending = 0;
{
    const ask = fetch, settled = () => { window.pending -= 1; };
    window.fetch = (...call) => { window.pending += 1; const answer = ask(...call); answer.then(settled, settled); return answer; };
    const parse = JSON.parse, known = new WeakMap();
    const isKnown = (name, record) => name in record || typeof name === "symbol" || /^(then|toJSON|color|\d+)$|-/.test(name);
    const strict = (value) => {
        if (typeof value !== "object" || value === null) return value;
        if (!known.has(value)) known.set(value, new Proxy(value, { get(record, name) {
            if (!isKnown(name, record)) window.missing.push(String(name));
            return strict(Reflect.get(record, name));
        } }));
        return known.get(value);
    };
    JSON.parse = (text) => strict(parse(text));
    Response.prototype.json = async function () { return strict(parse(await this.text())); };
}
"""
"""Counts open requests, and notes each field that the page reads and its record lacks; names with a hyphen, `color` and numbers are keys
of maps."""
SETTLED = """() => new Promise((resolve) => {
    const look = () => (window.pending || /^…$/m.test(document.body.innerText) ? setTimeout(look, 10) : resolve());
    setTimeout(look, 10);
})"""
PAGE = """<title>Tides</title><nav><a href=/a>Home</a> <a href=/b>News</a></nav>
<main><h1>Tides of the north <a href=#t aria-label=Permalink style="opacity:0">¶</a></h1>
<p>The tide rises twice a day, and the harbour is dry in between; boats wait for it.<p hidden>An answer that opens on a click.
<table><tr><th>Day<th>Height<tr><td>Monday<td>3 m</table><img src=data:, alt=""><pre>tide = 3</pre>
<p style="position:absolute;left:-9999px">Far aside<details><summary>When?</summary>At noon.</details></main><footer>© Harbour</footer>"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def places(inspected):
    """The addresses of three inspectors, by what they show."""
    async with Reader() as reader:
        rendered = await reader.read_html(PAGE, "https://tides.test/", options=RenderOptions(picture=True))
    static = read_static(PAGE, "https://tides.test/")
    async with serve_on_loopback(app_of(inspect_reading(rendered))) as one, serve_on_loopback(app_of(inspect_reading(static))) as other:
        yield {"learned site": inspected, "rendered page": one, "static page": other}


async def open_everything(tab):
    """Open each view that is offered, and select each block. Returns the views, and asserts that no value is missing."""
    seen = []
    for name in await tab.locator("[role=tab]:visible").evaluate_all("(tabs) => tabs.map((tab) => tab.dataset.tab)"):
        await tab.locator(f"[role=tab][data-tab={name}]").click()
        numbers = range(await tab.evaluate("state.view?.blocks.length ?? 0")) if name == "blocks" else [None]
        for number in numbers:
            await tab.evaluate("(block) => block === null || change({ block })", number)
            await tab.evaluate(SETTLED)
            shown = await tab.inner_text("body")
            assert not MISSING.findall(shown), (name, number, [line for line in shown.splitlines() if MISSING.search(line)])
        seen.append(name)
    return seen


@pytest.mark.parametrize("shown", ["learned site", "rendered page", "static page"])
async def test_no_view_of_the_inspector_shows_a_missing_value(places, watched, shown):
    async def strictly(route):
        answer = await route.fetch()
        await route.fulfill(response=answer, body=STRICT + await answer.text())

    tab = watched.tab
    await tab.route("**/viewer.js", strictly)
    failed = []
    tab.on("response", lambda answer: answer.status >= 400 and failed.append(answer.url))
    await tab.goto(places[shown])
    await tab.wait_for_selector("#sheet .block", state="attached")
    seen = await open_everything(tab)
    assert set(seen) >= {"blocks", "text", "models"} and ("versions" in seen) == (shown == "learned site")
    assert await tab.evaluate("window.missing") == []
    assert watched.witness.errors == failed == []


async def test_no_view_of_a_report_shows_a_missing_value(open_report, findings, watched):
    assert {"overview", "blocks", "looks", "map"} <= set(await open_everything(await open_report(findings)))
    assert watched.witness.errors == []
