"""Looks, map, versions and the diff of two documents, in the inspector of a learned site; by mouse and by keyboard."""

import json
from importlib.resources import files

import aiohttp
import pytest
from playwright.async_api import expect

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
    "view=models&model=bte&words=1": "#models .diff",
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


async def test_looks_are_ordered_and_found_by_name(inspected, watched):
    tab = watched.tab
    await tab.goto(f"{inspected}/#view=looks")
    cards = tab.locator("#looks .look-card")
    await expect(cards).not_to_have_count(0)
    kept = await cards.evaluate_all("(cards) => cards.map((card) => card.classList.contains('kept'))")
    assert kept == sorted(kept, reverse=True) and any(kept) and not all(kept)
    await tab.get_by_label("Order of the looks").select_option("links")
    first = tab.get_by_role("button", name="boilerplate, dropped").first
    await expect(first).to_contain_text("100 %")
    await first.focus()
    await tab.keyboard.press("Enter")
    await expect(first).to_have_attribute("aria-pressed", "true")
    await expect(tab.locator("#looks .look-details")).to_contain_text("By titles and descriptions it is boilerplate")
    await expect(tab.locator("#sheet .block.within")).not_to_have_count(0)
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
    await tab.evaluate("openPage(2, null, 'models').then(() => change({ model: 'version 0001', reference: 'auto', words: true }))")
    await expect(tab.locator("#models .model[aria-pressed=true] .title")).to_have_text("version 0001", timeout=60_000)
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
