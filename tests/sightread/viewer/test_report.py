"""The report in a browser: what it shows where, what leads where, and the text beside the page."""

from dataclasses import replace

import numpy as np
import pytest
import pytest_asyncio
from playwright.async_api import expect

from sightread.classify.model import Prediction
from sightread.document.document import build_document
from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import StorageFailed
from sightread.render.page import Size
from sightread.render.visit.device import Device
from sightread.viewer.build import MOST_POINTS, Findings, build_map
from sightread.viewer.records import JobSummary
from sightread.viewer.report import report_parts, write_report
from tests.labeling.sites import BODY, NAV, make_page

PLACES = """
[...document.querySelectorAll('#sheet .block')].map((element) => {
    const [box, sheet] = [element.getBoundingClientRect(), document.getElementById('sheet').getBoundingClientRect()];
    return [Number(element.dataset.number), box.x - sheet.x, box.y - sheet.y, box.width, box.height];
})
"""
NARROW = Device(Size(320, 800))


def number(tab, text):
    return tab.locator("#sheet .block", has_text=text).get_attribute("data-number")


async def test_blocks_are_drawn_over_the_picture_where_the_page_has_them_at_every_zoom(open_report, findings):
    tab = await open_report(findings)
    hidden = tab.locator("#sheet .block[data-hidden]").first
    await expect(hidden).to_have_css("display", "none")
    await tab.locator("#toggle-hidden").click()
    await expect(hidden).to_have_css("display", "block")
    page = findings.pages[0]
    zoom = float(await tab.locator("#sheet").get_attribute("data-zoom"))
    picture, sheet = await tab.locator(".picture").bounding_box(), await tab.locator("#sheet").bounding_box()
    assert 0.3 < zoom < 1 and picture == pytest.approx(sheet, abs=1.5)
    drawn = {row: place for row, *place in await tab.evaluate(PLACES)}
    assert sorted(drawn) == list(range(len(page.blocks)))
    for row, place in drawn.items():
        assert place == pytest.approx([side * zoom for side in page.blocks[row].box], abs=0.6), page.blocks[row].text
    await tab.keyboard.press("h")
    await expect(hidden).to_have_css("display", "none")
    await tab.keyboard.press("+")
    larger = float(await tab.locator("#sheet").get_attribute("data-zoom"))
    for row, *place in await tab.evaluate(PLACES):
        if not page.blocks[row].hidden:
            assert place == pytest.approx([side * larger for side in page.blocks[row].box], abs=0.6)
    await tab.keyboard.press("0")
    assert float(await tab.locator("#sheet").get_attribute("data-zoom")) == zoom < larger


async def test_the_report_requests_nothing_but_itself(open_report, findings, watched):
    tab = await open_report(findings)
    await tab.keyboard.press("j")
    await expect(tab.locator("#page-list [aria-current]")).to_contain_text("العبّارة")
    await tab.locator(".picture").evaluate("(picture) => picture.decode()")
    assert [url for url in watched.witness.requests if not url.startswith("data:")] == [tab.url.partition("#")[0]]


def test_no_text_of_a_page_can_end_the_data_it_stands_in(findings):
    html = "".join(report_parts(findings))
    own_scripts = 2 + len(findings.pages) * 2 + 1
    assert html.count("<script") == html.count("</script") == own_scripts
    assert "\u2028" not in html and "<svg" not in html and "<img" not in html


async def test_a_swatch_shows_only_harmless_properties(open_report, findings, watched):
    tab = await open_report(replace(findings, pictures=()), "view=looks")
    swatch = tab.locator("#looks .swatch").first
    style = await swatch.evaluate(
        "(element) => [element.style.cssText, getComputedStyle(element).fontSize, getComputedStyle(element).position]"
    )
    assert style == ["color: rgb(10, 20, 30); font-size: 26px;", "26px", "static"]
    await tab.locator("#looks .look-card").first.click()
    await expect(tab.locator("#looks .css")).to_contain_text("background-image: url(http://127.0.0.1:9/pixel);")
    assert not any("127.0.0.1" in url for url in watched.witness.requests)


async def test_keys_choose_what_the_colours_mean_and_lead_to_doubts_and_a_click_states_why_a_block_was_kept(open_report, findings):
    tab = await open_report(findings)
    content = tab.locator("#sheet .block[data-label='1']").first
    for key, colour, legend in (
        ("l", "rgb(0, 114, 178)", "content 3"),
        ("c", "rgb(0, 114, 178)", "7 body 3"),
        ("p", "rgb(0, 114, 178)", "kept 4"),
    ):
        await tab.keyboard.press(key)
        await expect(content).to_have_css("border-top-color", colour)
        await expect(tab.locator("#legend")).to_contain_text(legend)
    await expect(tab.locator("#sheet .block:not([data-kept])").first).to_have_css("border-top-style", "dashed")
    first = tab.locator("#block-0")
    await expect(first).to_have_css("box-shadow", "rgb(176, 31, 201) 0px 0px 0px 2.5px")
    await tab.keyboard.press("d")
    await expect(first).to_have_css("box-shadow", "none")
    await tab.keyboard.press("n")
    await expect(first).to_have_attribute("aria-selected", "true")
    await expect(tab.locator("#detail .verdict")).to_contain_text(
        "Kept: the model gives it 0.60, and keeps from 0.50. Its label says otherwise: boilerplate."
    )
    row = await number(tab, "half empty")
    await tab.locator(f"#block-{row}").click()
    detail = tab.locator("#detail")
    await expect(detail.locator("blockquote")).to_have_text("It runs half empty.")
    await expect(detail).to_contain_text("body › main › p")
    await expect(detail).to_contain_text("text of template 1")
    weights = await detail.locator(".reasons .weight").all_text_contents()
    assert len(weights) == 5 and weights[0] == "−2.00" and weights[2:] == ["+0.01"] * 3
    bars = await detail.locator(".reasons i").evaluate_all("(bars) => bars.map((bar) => [bar.className, bar.style.width])")
    assert bars[0] == ["against", "50%"] and bars[1][0] == "for"


async def test_j_and_k_walk_the_list_in_its_order_and_the_filter_keeps_pages_by_title_or_address(open_report, findings):
    tab = await open_report(findings, "view=overview")
    await tab.locator("#sort").select_option("expected")
    await tab.locator("#sort").evaluate("(select) => select.blur()")
    titles = await tab.locator("#page-list button .title").all_text_contents()
    assert titles == ["</title><script>window.pwned=3</script>", "العبّارة الليلية", "The night ferry"]
    await tab.keyboard.press("k")
    await expect(tab.locator("#detail h2")).to_have_text("العبّارة الليلية")
    await tab.keyboard.press("j")
    await expect(tab.locator("#detail h2")).to_have_text("The night ferry")
    await tab.keyboard.press("/")
    await tab.keyboard.type("TIDES")
    assert await tab.locator("#page-list li").all_text_contents() == ["/files/tides.pdffailednot HTML but application/pdf"]


async def test_the_text_stands_beside_the_picture_and_follows_the_block(open_report, findings):
    tab = await open_report(findings, "view=text&page=1")
    await expect(tab.locator("#text .heading")).to_have_text("# العبّارة الليلية")
    await expect(tab.locator("#text .heading")).to_have_css("direction", "rtl")
    await tab.locator(f"#block-{await number(tab, 'نقلت العمال')}").click()
    await expect(tab.locator("#text .found")).to_have_text("نقلت العمال عبر المصب منذ تسعين عاما.")


async def test_a_page_without_picture_and_labels_is_a_sheet_of_text_without_looks(open_report, bare):
    tab = await open_report(bare, "")
    assert await tab.locator(".picture").count() == 0
    assert float((await tab.locator("#block-1").evaluate("(block) => getComputedStyle(block).fontSize"))[:-2]) > 5
    assert (await tab.locator("#sheet").bounding_box())["width"] > 600
    await expect(tab.get_by_role("tab", name="Looks")).to_be_hidden()
    await expect(tab.get_by_role("radio", name="Label")).to_be_hidden()
    await tab.keyboard.press("l")
    await tab.locator("#block-1").click()
    await expect(tab.locator("#detail .verdict")).to_contain_text("Kept: the model gives it 0.96")
    await expect(tab.locator("#detail")).not_to_contain_text("Cluster")


def test_a_report_is_the_same_however_often_it_is_written_and_one_that_cannot_be_written_states_so(bare, tmp_path):
    for name in ("one.html", "two.html"):
        write_report(bare, tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"one.html", "two.html"}
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFailed, match=r"file/report\.html"):
        write_report(bare, tmp_path / "file" / "report.html")


async def test_the_tiles_of_a_tall_page_stand_one_below_the_other(open_report, browser):
    html = "<!doctype html><title>Tall</title><body style='margin:0'><p>Top</p><p style='margin:0;padding-top:39900px'>End</p>"
    page, picture, *_ = await browser.render_html(html, "http://site.test/", RenderOptions(picture=True, device=NARROW))
    tab = await open_report(Findings(JobSummary("Tall", page.url), [page], [picture]))
    tiles = [await tile.bounding_box() for tile in await tab.locator(".picture").all()]
    assert len(tiles) == 2
    assert tiles[1]["y"] == pytest.approx(tiles[0]["y"] + tiles[0]["height"], abs=0.5)
    assert sum(tile["height"] for tile in tiles) == pytest.approx((await tab.locator("#sheet").bounding_box())["height"], abs=2)


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
