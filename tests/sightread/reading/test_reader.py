"""The public interface of a program: `sightread.Reader` and `sightread.extract`."""

import asyncio

import pytest

import sightread
from sightread.data.demo import HELD_OUT
from sightread.render.errors import Private, WrongCall
from sightread.render.network.egress import LOCAL

TEXT = "It has carried shift workers across the estuary for ninety years, and by now it runs half empty most of the time."
ARTICLE = f"<!doctype html><title>The night ferry</title><h1>The night ferry</h1><p>{TEXT}</p>"


@pytest.fixture
def reader(demo_reader):
    return demo_reader


async def test_a_reader_renders_a_url(reader, site_server):
    site = await site_server({"/": "<script>document.title = 'By script'</script>" + ARTICLE})
    document = await reader.extract(site.url())
    assert TEXT in document.text
    assert document.url == site.url()
    assert all(block.box is not None for block in document.blocks)


async def test_an_image_is_kept_whether_it_has_failed_or_is_still_under_way(reader, site_server):
    async def hang(_):
        await asyncio.sleep(20)

    image = "<img src=/ferry.jpg alt='The ferry' width=700 height=400>"
    site = await site_server({"/": ARTICLE + image + f"<p>{TEXT}", "/ferry.jpg": (404, {}, "")})
    slow = await site_server({"/": ARTICLE + image + f"<p>{TEXT}", "/ferry.jpg": hang})
    failed, under_way = [(await reader.extract(each.url())).markdown.replace(each.url(), "") for each in (site, slow)]
    assert failed == under_way and "![The ferry](ferry.jpg)" in failed


async def test_a_reader_renders_stored_html_and_asks_nobody_for_anything(reader, site_server):
    site = await site_server({})
    html = f"{ARTICLE}<img src='{site.url('/pixel.png')}'><link rel=stylesheet href='{site.url('/a.css')}'>"
    document = await reader.extract_html(html, site.url("/ferry"))
    assert (document.url, TEXT in document.text, site.requests) == (site.url("/ferry"), True, [])


async def test_a_reading_holds_the_page_and_why_the_model_was_taken(reader, site_server):
    site = await site_server({"/": ARTICLE})
    reading = await reader.read(site.url())
    assert reading.page.status == 200
    assert reading.note.startswith("global read the page: 127.0.0.1:")
    assert (await reader.read(site.url(), model="boilerpipe")).note == ""
    assert reading.model.name == reading.document.model
    kept = [block for block, probability in zip(reading.page.blocks, reading.prediction.relative, strict=True) if probability >= 0.5]
    assert kept == list(reading.document.blocks) != []


async def test_the_model_of_one_call_goes_before_that_of_the_reader(reader):
    assert (await reader.extract_html(ARTICLE, model="boilerpipe-density")).model == "boilerpipe-density"
    assert (await reader.extract_html(ARTICLE)).model == "global"


async def test_a_wrong_model_costs_no_page(reader, site_server):
    site = await site_server({"/": ARTICLE})
    with pytest.raises(sightread.UnknownModel):
        await reader.extract(site.url(), model="gpt")
    with pytest.raises(sightread.Rejected, match="was never learned"):
        await reader.extract(site.url(), model="site")
    assert site.requests == []


async def test_errors_state_what_the_caller_can_do(reader, site_server):
    site = await site_server({"/busy": (503, {}, "<p>Later")})
    with pytest.raises(sightread.Unusable):
        await reader.extract(site.url("/gone"))
    with pytest.raises(sightread.Retryable):
        await reader.extract(site.url("/busy"))
    with pytest.raises(sightread.Rejected):
        await reader.extract("file:///etc/passwd")
    with pytest.raises(sightread.Unusable):
        await reader.extract_html(b"\x89PNG\r\n\x1a\n" + bytes(range(32)) * 8)


async def test_a_redirect_into_a_learned_site_is_read_with_its_model(reader, demo, site_server):
    site = await site_server({"/r": (302, {"Location": demo.site.url(HELD_OUT[0])}, "")})
    document = await reader.extract(site.url("/r"))
    assert (document.model, document.url) == ("site", demo.site.url(HELD_OUT[0]))


async def test_outside_its_block_a_reader_states_so():
    reader = sightread.Reader()
    with pytest.raises(sightread.Rejected, match="use it inside `async with`"):
        await reader.extract_html(ARTICLE)
    async with reader:
        pass
    with pytest.raises(sightread.Rejected, match="use it inside `async with`"):
        await reader.extract("http://courier.invalid/")


async def test_a_reader_without_a_browser_does_not_open(monkeypatch):
    monkeypatch.setenv("SIGHTREAD_BROWSER", "/nonexistent/chromium")
    with pytest.raises(sightread.NoBrowser, match="/nonexistent/chromium: no such program"):
        await sightread.Reader().__aenter__()


def test_extract_reads_html_without_a_browser(monkeypatch):
    monkeypatch.setenv("SIGHTREAD_BROWSER", "/nonexistent/chromium")
    document = sightread.extract(
        ARTICLE + "<p><a href='/map'>Map of the estuary, with all its landing stages</a></p>", "https://courier.example/"
    )
    assert (document.model, TEXT in document.markdown, document.metadata.title) == ("global", True, "The night ferry")
    assert all(block.box is None for block in document.blocks)


async def test_what_a_layout_shows_in_another_order_is_read_as_it_is_shown(reader):
    parts = [f"<p>{name} part. {TEXT} {TEXT}</p>" for name in ("First", "Second", "Third")]
    style = "<style>article{display:flex;flex-direction:column}p:nth-of-type(1){order:3}p:nth-of-type(3){order:-1}</style>"
    document = await reader.extract_html(f"{style}<article>{''.join(parts)}</article>", model="boilerpipe")
    assert [block.text.split()[0] for block in document.blocks] == ["Third", "Second", "First"]
    plain = await reader.extract_html(f"<article>{''.join(parts)}</article>", model="boilerpipe")
    assert [block.text.split()[0] for block in plain.blocks] == ["First", "Second", "Third"]


async def test_a_script_reads_pages_with_one_browser_and_inside_a_running_loop(demo):
    url = demo.site.url(HELD_OUT[0])
    assert sightread.read(url, "global", egress=LOCAL).text == sightread.read(url, "global", output_format="text", egress=LOCAL).rstrip(
        "\n"
    )
    with pytest.raises(Private):
        sightread.read(url)
    with pytest.raises(WrongCall):
        sightread.read(url, modle="global")
