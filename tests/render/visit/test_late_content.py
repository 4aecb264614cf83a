"""Content that comes after the load event without a request that can be seen."""

import asyncio

from sightread.render.browser.browser import RenderOptions
from tests.pages.late_pages import LAST, SHELLS, WAYS, serve_late_pages
from tests.pages.shown import texts

PATIENT = True
LONG = "<p>The towns along the river keep their markets.</p>" * 40


async def page_of(browser, site, **options):
    return (await browser.render(site.url(), RenderOptions(**options))).page


async def test_content_that_comes_late_is_read_by_whichever_way_it_comes(browser):
    async with serve_late_pages() as root:
        paths = [f"{shell}/{way}/3000" for shell, way in zip(list(SHELLS) * 2, WAYS, strict=False)]
        pages = await asyncio.gather(*(browser.render(f"{root}/{path}") for path in paths))
    missed = {path: page.unfinished for path, (page, *_) in zip(paths, pages, strict=True) if not texts(page)[-1].startswith(LAST)}
    assert not any(reason == "" for reason in missed.values())  # on a busy machine a page may be late, but is marked then
    assert len(missed) <= 1


UNFINISHED = {
    "<div id=root></div><p>Menu": "the element for its content is empty",
    "<p>Loading…": "its text is a loading message",
    "<h1>News</h1><div class=spinner style='height:9px'></div>": "it shows a loading indicator",
    f"{LONG}<main></main>": "its main element is empty",
    f"{LONG}<div class=skeleton style='position:fixed;top:0;width:900px;height:900px'></div>": "it shows placeholders",
    "<h1>News</h1><img class=lazyloading src=data:, width=90 height=90>": "",
    "<body class=page-loader-done><h1>News</h1><p>The towns along the river keep their markets every Friday.": "",
    f"<main><img src=data:, width=9 height=9></main>{LONG}": "",
    "<form class=loading><input name=textContent><input name=matches><p>Sign up": "",
}


async def test_a_page_that_never_fills_is_marked_with_what_looks_unfinished_and_a_finished_one_is_not(read_all):
    pages = await read_all({html: f"{html}<script>1</script>" for html in UNFINISHED})
    assert {html: page.unfinished for html, page in pages.items()} == UNFINISHED


async def test_text_that_is_there_but_shown_late_is_waited_for_and_timers_of_a_page_with_enough_text_are_not(read_all):
    show = "setTimeout(() => { while (late.firstChild) document.body.append(late.firstChild) }, 1000)"
    timers = "setTimeout(() => document.title = 'late', 2500); setTimeout(() => document.body.append('An offer'), 3500)"
    late = f"<!doctype html><div hidden id=late>{LONG}</div><script>{show}</script>"
    pages = await read_all({"late": late, "timers": f"{LONG}<script>{timers}</script>"})
    assert [len(page.blocks) for page in pages.values()] == [40, 40]
    assert pages["timers"].titles == ()


async def test_timers_keep_their_arguments_results_and_errors(browser, site_server):
    script = (
        "const done = []; const id = setTimeout((a, b) => done.push(a + b), 40, 'x', 'y');"
        " clearTimeout(setTimeout(() => done.push('no'), 40));"
        " setTimeout('done.push(`text`)', 40); requestAnimationFrame(now => done.push(typeof now));"
        " requestIdleCallback(deadline => done.push(typeof deadline.timeRemaining()));"
        " try { requestAnimationFrame(1) } catch (error) { done.push(error.name) }"
        " setTimeout(() => document.body.append(typeof id, ' ', done.sort().join(' ')), 300)"
    )
    site = await site_server({"/": f"<p>Loading…<script>{script}</script>"})
    assert texts(await page_of(browser, site)) == ["Loading…", "number TypeError number number text xy"]


async def test_the_page_cannot_see_what_requests_its_timers(browser, site_server):
    script = (
        "const seen = []; const listen = EventTarget.prototype.addEventListener;"
        " for (const key of Object.keys(window)) if (/sightread/i.test(key)) seen.push(key);"
        " EventTarget.prototype.dispatchEvent = () => { throw 1 }; Document.prototype.dispatchEvent = () => { throw 1 };"
        " window.CustomEvent = null; JSON.stringify = () => { throw 1 };"
        " setTimeout(() => out.textContent = `names: ${seen.length}`, 700)"
    )
    site = await site_server({"/": f"<p id=out>Loading…</p><script>{script}</script>"})
    assert texts(await page_of(browser, site)) == ["names: 0"]
