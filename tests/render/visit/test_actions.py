"""What a caller asks for before a page is read: conditions, actions and the hook."""

import time

import pytest

from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.errors import ConditionNotMet, Rejected, TimedOut, Unusable
from sightread.render.network.egress import Egress
from sightread.render.visit.actions import Click, Press, ScrollTo, TypeText, WaitFor
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


@pytest.mark.parametrize("action", [Click("##"), TypeText('""', "towns"), Press("Enter", "p:nosuch"), ScrollTo("p[")], ids=repr)
async def test_an_action_whose_selector_cannot_be_parsed_is_refused(browser, site_server, action):
    site = await site_server({"/": LONG})
    if isinstance(action, Click):
        with pytest.raises(Rejected, match="is no CSS selector"):
            await seen(browser, site, wait_for="div[")
        site.requests.clear()
    with pytest.raises(Rejected, match=rf"^{type(action).__name__}: (selector|target) is '.*', no CSS selector: correct it$"):
        await seen(browser, site, actions=(action,))
    assert site.requests == ["/"]
