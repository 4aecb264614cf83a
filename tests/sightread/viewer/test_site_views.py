"""Looks, map, versions and diff in the inspector of a learned site, by mouse and keyboard; and no view of any page has a missing value."""

import json
import re
from importlib.resources import files

import aiohttp
import pytest
import pytest_asyncio
from playwright.async_api import expect

from sightread.reading.reading import read_static
from sightread.server.http import serve_on_loopback
from sightread.server.inspector import app_of, inspect_reading

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
RUN_AXE = """([only, exclude]) => axe.run({ exclude }, { runOnly: only, resultTypes: ['violations'], selectors: false })
    .then((found) => found.violations)"""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
VIEWS = {
    "view=overview": "#overview .thumb canvas",
    "view=blocks&page=1&block=3": "#detail .cause",
    "view=text&page=1&block=3": "#text .found",
    "view=looks&cluster=0": "#looks .look-details",
    "view=correct": "#correct .question",
    "view=models&model=bte&diff=words": "#models .diff",
    "view=models&page=4&model=HTML alone&against=auto&diff=sides": "#models .pair del",
    "view=map": "#lanes .lane",
    "view=versions": "#versions .strip",
}
EVERY_DIFF_HOLDS_BOTH = """() => [...Array(200).keys()].every((seed) => {
    const letter = (at, seed) => "ab c\\n"[Math.floor(9999 * Math.abs(Math.sin(seed * 97 + at))) % 5];
    const [one, other] = [seed, seed + 0.3].map((each) => Array.from({ length: 40 }, (_, at) => letter(at, each)).join(""));
    const squeeze = (text) => text.replace(/\\s/g, "");
    const side = (kind) => squeeze(diffTexts(one, other).flat().filter(([each]) => each !== kind).map(([, text]) => text).join(""));
    return side(1) === squeeze(one) && side(-1) === squeeze(other);
})"""
FRAME = [".bar", "#pages"]
WITHOUT_FRAME = list(VIEWS)[2:]
"""Views that are checked without the frame around them, which is as in the first two."""
SCHEMES = {"light": TAGS, "dark": ["color-contrast"]}
"""Colour schemes with their rules; contrast is the only one that depends on the scheme."""


@pytest.mark.parametrize("width", [1280, 390])
async def test_no_view_violates_wcag_2_2_aa(inspected, watched, width):
    tab, found = watched.tab, {}
    await tab.set_viewport_size({"width": width, "height": 800})
    await tab.goto(f"{inspected}/#view=overview")
    await tab.evaluate(AXE)
    for place, ready in VIEWS.items():
        await tab.goto(f"{inspected}/#{place}")
        await tab.locator(ready).first.wait_for()
        for scheme, rules in SCHEMES.items() if width > 1000 else [("light", TAGS)]:
            await tab.emulate_media(color_scheme=scheme)
            if width < 1000 and place in WITHOUT_FRAME[2:]:
                continue
            for violation in await tab.evaluate(RUN_AXE, [rules, FRAME if place in WITHOUT_FRAME else []]):
                found[f"{scheme}, {place}: {violation['id']}"] = [node["html"][:160] for node in violation["nodes"][:3]]
        assert await tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), place
    assert found == {}, json.dumps(found, indent=1)
    assert watched.witness.errors == [] and all(url.startswith(inspected) for url in watched.witness.requests)


async def test_the_map_leads_to_a_block_by_keyboard_and_by_mouse(inspected, watched):
    tab = watched.tab
    await tab.goto(f"{inspected}/#view=overview")
    await tab.locator("#overview .card").first.wait_for()
    await tab.keyboard.press("7")
    await expect(tab.locator("#map-note")).to_have_text("60 blocks on 6 pages")
    await tab.keyboard.press("ArrowRight")
    await tab.keyboard.press("ArrowDown")
    block = await tab.evaluate("[state.map.page[state.point], state.map.block[state.point]]")
    await expect(tab.locator("#map-said")).to_contain_text("on ")
    await tab.keyboard.press("Enter")
    await expect(tab.locator(f"#block-{block[1]}")).to_have_attribute("aria-selected", "true")
    assert await tab.evaluate("[state.tab, state.page]") == ["blocks", block[0]]
    await tab.keyboard.press("7")
    await tab.keyboard.press("a")
    await tab.wait_for_url("**by=page*")
    await expect(tab.get_by_role("radio", name="By page")).to_have_attribute("aria-checked", "true")
    box = await tab.locator("#plot").bounding_box()
    x, y, page, row = await tab.evaluate("[layout.xs[20], layout.ys[20], state.map.page[20], state.map.block[20]]")
    await tab.mouse.move(box["x"] + x, box["y"] + y)
    await expect(tab.locator("#map-tip")).to_be_visible()
    await tab.mouse.click(box["x"] + x, box["y"] + y)
    await expect(tab.locator(f"#block-{row}")).to_have_attribute("aria-selected", "true")
    assert await tab.evaluate("state.page") == page
    await tab.goto(f"{inspected}/#view=map&by=place")
    await expect(tab.locator("#lanes .lane")).to_have_count(0)
    assert watched.witness.errors == []


async def test_versions_are_listed_and_compared_and_lead_to_the_diff_of_a_page(inspected, watched):
    async with aiohttp.ClientSession() as client:
        async with client.get(f"{inspected}/history.json") as response:
            old, new = await response.json()
        async with client.get(f"{inspected}/versions/0001.json") as response:
            compared = await response.json()
        async with client.get(f"{inspected}/versions/0002.json") as response:
            assert response.status == 404
    assert (old["number"], old["state"], new["number"], new["state"]) == ("0001", "previous", "0002", "in use")
    assert new["readings"] == [False, False, False, True] and not new["drifted"] and new["pages"] == 6
    assert len(compared["pages"]) == 6 and any(share < 0.5 for share in compared["looks"].values())
    tab = watched.tab
    await tab.goto(f"{inspected}/#view=overview")
    await tab.locator("#overview .card").first.wait_for()
    await tab.keyboard.press("8")
    panel = tab.locator("#versions")
    await expect(panel.locator(".versions tbody tr")).to_have_count(2)
    await expect(panel.get_by_role("img", name="of 4 pages read with it 1 had lost the looks")).to_be_visible()
    changed = [page for page in compared["pages"] if page["f1"] < 1 or page["strange"]]
    await expect(panel.locator(".change-of-page")).to_have_count(len(changed))
    await tab.evaluate("openPage(2, null, 'models').then(() => change({ model: 'version 0001', reference: 'auto', diff: 'words' }))")
    await expect(tab.locator("#models .model[aria-pressed=true] .title")).to_have_text("version 0001", timeout=60_000)
    assert watched.witness.errors == []


async def test_a_page_stands_beside_what_its_html_alone_gives(inspected, watched):
    tab, panel = watched.tab, watched.tab.locator("#models")
    await tab.goto(f"{inspected}/#view=text&page=0")
    await tab.get_by_role("button", name="Beside its HTML alone").click()
    await expect(panel).to_contain_text("From HTML alone: read by the model student.", timeout=60_000)
    await expect(panel.locator(".tally")).to_contain_text("0 words only in auto, 0 words only in HTML alone; F1 1.00")
    left, right = [await panel.locator(f".pair:not(.heads) > :nth-child({side})").all_inner_texts() for side in (1, 2)]
    assert left == right and len(left) > 5
    await panel.get_by_label("Right side").select_option("bte")
    await expect(panel.locator(".pair ins").last).to_be_visible()
    await tab.evaluate("openPage(4)")
    await tab.keyboard.press("b")
    await expect(panel).to_contain_text("From HTML alone: global read the page: ")
    await expect(panel.locator(".pair del")).not_to_have_count(0)
    await panel.get_by_role("button", name="Blocks").click()
    await expect(panel.locator(".difference.lost")).not_to_have_count(0)
    await tab.evaluate("openPage(5)")
    await tab.keyboard.press("b")
    await expect(panel).to_contain_text("The HTML of this page as it came from the server was not kept")
    assert watched.witness.errors == []


async def test_a_diff_holds_both_documents_word_by_word(inspected, watched):
    tab = watched.tab
    await tab.goto(f"{inspected}/#view=models&page=3&model=bte&against=boilernet")
    await expect(tab.locator("#models .difference").first).to_be_visible(timeout=60_000)
    await tab.keyboard.press("w")
    await expect(tab.locator("#models .diff")).to_be_visible()
    texts = "(left) => [...document.querySelectorAll('#models .diff .line')].map((line) => [...line.childNodes]"
    texts += ".filter((each) => each.nodeName !== left).map((each) => each.textContent).join('')).join(' ')"
    async with aiohttp.ClientSession() as client:
        for model, others in (("boilernet", "INS"), ("bte", "DEL")):
            async with client.get(f"{inspected}/document?page=3&model={model}") as response:
                document = (await response.json())["markdown"]
            assert (await tab.evaluate(texts, others)).split() == document.split()
    assert await tab.evaluate(EVERY_DIFF_HOLDS_BOTH)
    assert watched.witness.errors == []


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
    """The addresses of two inspectors, by what they show."""
    async with serve_on_loopback(app_of(inspect_reading(read_static(PAGE, "https://tides.test/")))) as static:
        yield {"learned site": inspected, "static page": static}


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


@pytest.mark.parametrize("shown", ["learned site", "static page"])
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
