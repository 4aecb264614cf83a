"""Text and page light each other up: paragraphs, lists, tables, images and dropped text; pages of very many blocks."""

import numpy as np
import pytest_asyncio
from playwright.async_api import expect

from sightread.classify.model import Prediction
from sightread.document.document import build_document
from sightread.render.browser.browser import RenderOptions
from sightread.render.page import Size
from sightread.viewer.build import MOST_POINTS, Findings, build_map
from sightread.viewer.records import JobSummary
from tests.labeling.sites import BODY, NAV, make_page

PAGE = """<!doctype html><title>Tides</title><style>body { width: 900px } img { display: block; width: 500px; height: 320px }</style>
<nav><a href="/">Home</a> <a href="/2">Tides of the bay</a></nav>
<main><h1>Tides</h1><p>The <b>water</b> comes <a href="/moon">twice a day</a>.</p><ol><li>Ebb, 2 m</li><li>Flood, 2 m</li></ol>
<table><tr><th>Hour</th><th>Height</th></tr><tr><td>2</td><td>4</td></tr><tr><td>4</td><td>2</td></tr></table>
<figure><img alt="The bay at noon" src="/noon.jpg"><figcaption>Noon</figcaption></figure>
<p>It leaves again.</p></main><footer>All rights reserved</footer>"""
PIECES = """() => Object.fromEntries([...document.querySelectorAll('#text .markdown > .line .piece[data-number]')]
    .map((piece) => [piece.dataset.number, piece.textContent]))"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def tides(browser):
    """A page with everything, of which navigation and footer are dropped."""
    rendered = await browser.render_html(PAGE, "https://tides.example/", RenderOptions(javascript=False, picture=True))
    page = rendered.page
    kept = [page.tag_paths()[block.element].startswith("body/main") for block in page.blocks]
    document = build_document(page, np.where(kept, 0.9, 0.1))
    predictions = [np.where(kept, 0.9, 0.1)]
    return Findings(JobSummary("Tides", page.url), [page], [rendered.picture], predictions=predictions, documents=[document])


async def test_every_kept_block_has_its_own_part_of_the_text(open_report, tides, watched):
    tab = await open_report(tides, "view=text")
    found = await tab.evaluate(PIECES)
    page = tides.pages[0]
    assert set(found) == {str(row) for row in tides.documents[0].rows}
    for row in tides.documents[0].rows:
        letters = "".join(filter(str.isalnum, page.blocks[row].text))
        assert "".join(filter(str.isalnum, found[str(row)].replace("](https://tides.example/moon)", ""))) == letters
    cells = [row for row, block in enumerate(page.blocks) if block.text in ("2", "4")]
    for row in cells:
        await tab.locator(f"#block-{row}").hover()
        await expect(tab.locator("#text .piece.pointed")).to_have_attribute("data-number", str(row))
    await tab.locator("#text .piece", has_text="Flood").hover()
    await expect(tab.locator("#sheet .block.hovered")).to_have_text("Flood, 2 m")
    assert watched.witness.errors == []


async def test_images_and_dropped_text_light_up_on_both_sides(open_report, tides, watched):
    tab = await open_report(tides, "view=text")
    await tab.locator("#sheet .image-mark").hover()
    await expect(tab.locator("#text .piece.pointed")).to_contain_text("The bay at noon")
    await tab.locator("#text .line.image .piece").hover()
    await expect(tab.locator("#sheet .image-mark.hovered")).to_have_attribute("aria-label", "Image: The bay at noon")
    home = tab.locator("#sheet .block", has_text="Tides of the bay")
    await home.hover()
    await expect(tab.locator("#text summary.pointed")).to_contain_text("Tides of the bay")
    await home.click()
    await expect(tab.locator("#text details[open] .piece.found")).to_have_text("Home Tides of the bay")
    await tab.keyboard.press("Escape")
    await tab.keyboard.press("o")
    await tab.locator("#text .dropped .piece", has_text="All rights reserved").hover()
    await expect(tab.locator("#sheet .block.hovered")).to_have_text("All rights reserved")
    await tab.keyboard.press("2")
    await tab.keyboard.press("g")
    await expect(tab.locator("#detail .pill")).to_have_text("Kept")
    await expect(tab.locator("#detail blockquote")).to_have_text("The bay at noon")
    assert watched.witness.errors == [] and await tab.locator("#text img, #detail img").count() == 0


async def test_of_a_page_of_many_blocks_only_those_near_the_window_have_elements(open_report, watched):
    page = make_page("https://many.example/", [BODY(f"Paragraph {row} of many.") if row % 3 else NAV(f"Link {row}") for row in range(1500)])
    found = np.full(1500, 0.9)
    document = build_document(page, Prediction(found))
    findings = Findings(JobSummary("Many", page.url), [page], predictions=[found], documents=[document])
    tab = await open_report(findings, "view=blocks&page=0&block=1499")
    await expect(tab.locator("#block-1499")).to_be_in_viewport()
    assert 10 < await tab.locator("#sheet .block").count() < 500
    await tab.locator("#scroller").evaluate("(scroller) => scroller.scrollTo(0, 0)")
    await expect(tab.locator("#block-0")).to_be_in_viewport()
    await tab.keyboard.press("3")
    await tab.locator("#text .piece", has_text="Link 900").hover()
    await expect(tab.locator("#block-900")).to_be_in_viewport()
    await expect(tab.locator("#block-900")).to_have_class("block hovered")
    assert watched.witness.errors == []


def test_the_map_holds_an_even_sample_of_more_blocks_than_can_be_drawn(findings):
    whole = build_map(findings)
    assert whole.total == len(whole.page) == sum(block.box is not None for page in findings.pages for block in page.blocks)
    assert [whole.flags[entry] & 1 for entry in range(len(whole.page)) if whole.page[entry] == 2] == [
        int(value >= 0.5) for value in findings.predictions[2]
    ]
    page = make_page("https://x.test/", [BODY("One.") for _ in range(700)])
    assert whole.sizes[0] == Size(*(round(side) for side in whole.sizes[0]))
    many = build_map(Findings(JobSummary("x", ""), [page] * 100))
    assert (many.total, len(many.page)) == (70_000, MOST_POINTS)
    assert len(set(many.page)) == 100 and len(set(zip(many.page, many.block, strict=True))) == MOST_POINTS
