"""Content that comes when a reader scrolls to it."""

from dataclasses import replace

from sightread.render.browser.browser import RenderOptions
from sightread.render.visit.settle import ENDLESS
from tests.pages.shown import texts

PATIENT = True
TEXT = "".join(f"<p>Paragraph {n}. {'The towns along the river keep their markets. ' * 40}</p>" for n in range(12))
FILL = "last.className = ''; last.textContent = 'Comments of readers'"


def seen_on(act, element="last"):
    """Return a script that acts whenever the element comes into view."""
    return (
        f"<script>let n = 0; const seen = new IntersectionObserver(all => {{ if (all.some(one => one.isIntersecting)) {{ {act} }} }});"
        f" seen.observe({element})</script>"
    )


WAITING = {
    "a skeleton": f"<div id=last class=comments-skeleton style='height:300px'></div>{seen_on(FILL)}",
    "a box that says that it is busy": f"<div id=last aria-busy=true style='height:300px'></div>{seen_on(FILL)}",
    "an empty box": f"<section id=last style='height:300px'></section>{seen_on(FILL)}",
    "what is fetched": (
        "<div id=last class=skeleton style='height:300px'></div>"
        + seen_on("fetch('/text').then(r => r.text()).then(t => { last.className = ''; last.textContent = t })")
    ),
    "in a box that scrolls": (
        f"</main><style>body{{margin:0}}main{{height:100vh;overflow:auto}}</style>{seen_on(FILL)}",
        "<div id=last class=skeleton style='height:300px'></div>",
    ),
}


def page(ending):
    end, inside = ending if isinstance(ending, tuple) else (f"</main>{ending}", "")
    return f"<!doctype html><main>{TEXT}{inside}{end}"


async def test_what_waits_to_be_scrolled_to_is_read(read_all):
    pages = {name: page(ending) for name, ending in WAITING.items()}
    for found in (await read_all(pages, {"/text": "Comments of readers"})).values():
        assert (len(found.blocks), texts(found)[-1]) == (13, "Comments of readers")
    assert {len(found.blocks) for found in (await read_all(pages, scroll="none")).values()} == {12}


async def test_text_that_fades_in_when_it_is_reached_is_not_marked_hidden(browser, site_server):
    style = "<style>.reveal{opacity:0}.reveal.on{opacity:1}</style>"
    ending = f"{style}<p class=reveal id=last>Seen at last</p>{seen_on('last.classList.add(`on`)')}"
    site = await site_server({"/": page(ending)})
    assert [block.hidden for block in (await browser.render(site.url())).page.blocks][-1] == ""
    as_it_loads = (await browser.render(site.url(), RenderOptions(scroll="none"))).page
    assert as_it_loads.blocks[-1].hidden == "opacity"


async def test_a_page_is_collected_from_its_top(browser, site_server):
    head = "<header style='position:fixed;top:0'>Menu</header>"
    note = "<script>let most = 0; addEventListener('scroll', () => { document.title = most = Math.max(most, scrollY) })</script>"
    ending = f"{head}<div id=last class=skeleton style='height:300px'></div>{note}{seen_on(FILL)}"
    site = await site_server({"/": page(ending)})
    rendered = (await browser.render(site.url())).page
    assert float(rendered.titles[0]) > 1000  # it was scrolled
    menu = next(block for block in rendered.blocks if block.text == "Menu")
    assert menu.box.y == 0
    assert not menu.hidden


COUNTING = "<script>let scrolls = 0; addEventListener('scroll', () => { document.title = `scrolled ${++scrolls}` })</script>"
IDLE = {
    "nothing waits": COUNTING,
    "images wait": f"<img loading=lazy data-src=/a.png width=600 height=400>{COUNTING}",
    "a form waits for words": f"<textarea class=input-placeholder></textarea>{COUNTING}",
    "an advertisement waits": f"<div class=ad-slot style='height:300px'></div>{COUNTING}",
    "it scrolls for ever": f"<div id=last></div>{COUNTING}{seen_on('document.body.append(1)')}",
}


async def test_a_page_where_no_text_waits_is_not_scrolled(read_all):
    pages = await read_all({name: page(ending) for name, ending in IDLE.items()})
    assert {name: found.titles for name, found in pages.items()} == dict.fromkeys(IDLE, ())


GROWING = "last.insertAdjacentHTML('beforebegin', `<p style='height:900px'>More ${++n}</p>`); seen.unobserve(last); seen.observe(last)"


async def test_a_page_that_grows_for_ever_is_followed_only_when_asked_and_for_so_many_steps(browser, site_server, monkeypatch):
    monkeypatch.setattr("sightread.render.visit.settle.ENDLESS", replace(ENDLESS, steps=15))
    site = await site_server({"/": page(f"<div id=last style='height:1px'></div>{seen_on(f'setTimeout(() => {{ {GROWING} }}, 20)')}")})
    assert len(texts((await browser.render(site.url())).page)) == 12
    grown = len(texts((await browser.render(site.url(), RenderOptions(scroll="endless"))).page))
    assert 12 + 5 < grown <= 12 + 2 * 15


async def test_a_page_that_grows_to_an_end_is_followed_to_it(browser, site_server):
    act = f"if (n < 3) setTimeout(() => {{ {GROWING} }}, 300)"
    site = await site_server({"/": page(f"<div id=last style='height:1px'></div>{seen_on(act)}")})
    assert texts((await browser.render(site.url(), RenderOptions(scroll="endless"))).page)[-1] == "More 3"
