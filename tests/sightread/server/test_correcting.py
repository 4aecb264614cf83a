"""Corrections in the inspector: by keyboard and by mouse, on desktop and phone, and only from the inspector's own page."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from functools import partial

import aiohttp
import pytest_asyncio
from playwright.async_api import expect

from sightread.server.http import serve_on_loopback
from sightread.server.inspector import app_of, inspect_corpus
from sightread.sites.corrections.records import load_corrections


@pytest_asyncio.fixture(loop_scope="session")
async def address(trained, tmp_path) -> AsyncIterator[str]:
    async with serve_on_loopback(app_of(inspect_corpus(shutil.copytree(trained, tmp_path / "corpus"), "ada"))) as url:
        yield url


def made(folder):
    return load_corrections(folder / "corpus" / "corrections.json").made


async def test_questions_are_answered_and_blocks_corrected_with_the_keyboard_alone(address, watched, tmp_path):
    tab, panel = watched.tab, watched.tab.locator("#correct")
    await tab.goto(f"{address}/#view=correct")
    await expect(panel.get_by_role("heading", name="Is this content?")).to_be_visible()
    await tab.keyboard.press("y")
    await expect(panel.locator(".corrections li").or_(panel.get_by_role("alert")).first).to_be_visible()
    if not made(tmp_path):  # the evidence contradicts it: it counts when it is given again
        await tab.keyboard.press("y")
    await expect(panel.locator(".corrections li")).to_have_count(1)
    await expect(panel.locator(".progress, .muted").first).to_be_visible()
    assert [each.is_content for each in made(tmp_path)] == [True]
    await tab.keyboard.press("z")
    await expect(panel.locator(".corrections li")).to_have_count(0)
    await tab.keyboard.press("2")
    await tab.keyboard.press("ArrowRight")
    await tab.keyboard.press("y")
    await expect(panel.locator(".preview")).to_contain_text("Changes")
    assert made(tmp_path) == ()
    await tab.keyboard.press("Escape")
    await expect(panel.locator(".preview")).to_have_count(0)
    await tab.keyboard.press("y")
    await expect(panel.locator(".preview .page-changes, .preview .muted").first).to_be_visible()
    await expect(panel.get_by_role("button", name="Save")).to_be_visible()
    await tab.keyboard.press("Enter")
    await expect(panel.locator(".corrections li")).to_have_count(1)
    assert [each.target for each in made(tmp_path)] == ["look"]
    assert watched.witness.errors == [] and all(url.startswith(address) for url in watched.witness.requests)


async def test_a_text_on_one_page_is_corrected_by_mouse_on_a_phone_in_the_dark(address, watched, tmp_path):
    tab = watched.tab
    await tab.set_viewport_size({"width": 390, "height": 800})
    await tab.emulate_media(color_scheme="dark")
    seen = asyncio.Event()

    async def late(route):
        await seen.wait()
        await route.continue_()

    await tab.route("**/corrections", late)  # they come after the block that the address names
    await tab.goto(f"{address}/#view=blocks&page=1&block=3")
    detail, panel = tab.locator("#detail"), tab.locator("#correct")
    await expect(detail.locator(".cause")).to_contain_text("Kept: its probability")
    seen.set()
    await detail.get_by_label("What is corrected").select_option("block")
    await detail.get_by_label("Where it is corrected").select_option("page")
    await detail.get_by_role("button", name="Boilerplate").click()
    await expect(panel.locator(".page-changes > li").first).to_be_visible()
    await expect(panel.locator(".preview")).to_contain_text("Decides1 block")
    await panel.get_by_role("button", name="Save").click()
    await expect(panel.locator(".corrections .pill")).to_have_text("boilerplate")
    (correction,) = made(tmp_path)
    assert (correction.target, correction.scope.kind, correction.scope.value, correction.by) == ("block", "page", "/1", "ada")
    await expect(tab.locator("#block-3")).not_to_have_attribute("data-kept", "")
    assert await tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert watched.witness.errors == []


async def test_the_first_view_waits_for_no_reading_and_each_action_shows_that_it_works_and_what_it_did(address, watched, tmp_path):
    tab, read, trained = watched.tab, asyncio.Event(), asyncio.Event()
    for path, event in (("complete.json", read), ("corrections/train*", trained)):
        await tab.route(f"**/{path}", partial(held_back, event))
    await tab.goto(f"{address}/#view=correct&page=1")
    await expect(tab.locator("#page-list .page")).not_to_have_count(0)
    await expect(tab.locator("#doing")).to_contain_text("The pages are being read")
    await expect(tab.locator("#correct")).to_contain_text("questions follow")
    read.set()
    await expect(tab.locator("#done")).to_contain_text("All pages are read")
    await expect(tab.locator("#sheet .asked")).to_have_count(1)
    await tab.locator("#page-list .page").nth(2).click()
    await expect(tab.locator("#sheet .asked")).to_have_count(1)
    await tab.wait_for_url("**page=2*")
    await tab.keyboard.press("x")
    await expect(tab.locator("#done")).to_have_text("The answer is saved.")
    await expect(tab.locator("#doing")).to_contain_text("Training the site")
    assert len(made(tmp_path)) == 1
    trained.set()
    await expect(tab.locator("#done")).to_contain_text("Trained: expected F1")
    await tab.get_by_role("button", name="Learn again").click()
    await expect(tab.locator("#done")).to_contain_text("Learned again, with the report", timeout=60_000)
    await expect(tab.get_by_role("button", name="Learn again")).to_be_disabled()
    assert watched.witness.errors == []


async def held_back(event, route):
    await event.wait()
    await route.continue_()


async def test_no_other_page_can_correct_a_site(address, tmp_path):
    own = {"Origin": address, "Content-Type": "application/json"}
    proposal = b'{"page": 0, "block": 0, "is_content": true}'
    async with aiohttp.ClientSession() as client:
        for headers in ({"Content-Type": "application/json"}, own | {"Origin": "https://evil.example"}, {"Origin": address}):
            async with client.post(f"{address}/corrections/preview", data=proposal, headers=headers) as response:
                assert response.status == 403
        for body, status in ((b"{", 400), (b'{"page": 99, "block": 0, "is_content": true}', 400), (b"x" * 70_000, 413), (proposal, 200)):
            async with client.post(f"{address}/corrections/preview", data=body, headers=own) as response:
                assert response.status == status and "default-src 'none'" in response.headers["Content-Security-Policy"]
        async with client.get(f"{address}/corrections/save") as response:
            assert response.status == 405
        async with client.get(f"{address}/why?page=0&block=1") as response:
            assert {"why", "would_change", "contributions", "neighbours"} <= set(await response.json())
    assert made(tmp_path) == ()
