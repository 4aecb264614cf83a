"""A learned site without a browser: its student, the pages whose HTML is not enough, and which of them the browser renders."""

import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from aiohttp import web

from sightread.classify.model import Prediction
from sightread.crawler.crawl import CrawlOptions, crawl
from sightread.document.document import build_document
from sightread.reading import read_static
from sightread.reading.html_first import HtmlFirst
from sightread.reading.reader import Reader
from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.errors import Private, Retryable, Unusable
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.network.egress import LOCAL
from sightread.render.network.http import NO_HEADERS, PageHeaders
from sightread.render.page import Size
from sightread.render.static.parse import read_html
from sightread.render.visit.capture import CaptureOptions
from sightread.render.visit.device import Device
from sightread.render.visit.requests import Access
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_current
from sightread.sites.learn import learn_corpus
from sightread.sites.store import LearnedSite, SiteStore
from sightread.sites.student import lesson
from tests.pages.websites import Website, serving

WORDS = ("harbour", "ferry", "tide", "council", "bridge", "market", "winter", "lantern", "boat", "quay", "station", "archive", "letter")
STYLE = "<style>body{font:16px serif} nav,aside{font:12px sans-serif;color:#777} aside{float:right;width:200px} main{width:700px}</style>"
TEMPLATES = ("news", "app", "swap")


def sentences(seed: str, count: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=30)).capitalize() + "." for _ in range(count)]


def article(kind: str, number: int) -> str:
    """An article of one of three templates: whole in the HTML, built by a script, or in place of other text."""
    title, texts = f"{kind.title()} of {' '.join(random.Random(number).sample(WORDS, 4))}", sentences(f"{kind}{number}", 6)
    body = "".join(f"<p>{text}</p>" for text in texts)
    links = "".join(f'<li><a href="/{each}/{row}">{each} {row}</a></li>' for each in TEMPLATES for row in range(10))
    head = f'<title>{title}</title><meta name=description content="{texts[0]}">{STYLE}'
    side = "".join(f"<p>{text}</p>" for text in sentences(f"side {number}", 2))
    around = f"<nav><ul>{links}</ul></nav><aside>{side}</aside>"
    if kind == "news":
        return f"{head}<body class=news>{around}<main><h1>{title}</h1>{body}</main><footer>All the news of the estuary</footer>"
    build = f"document.querySelector('main').innerHTML = {json.dumps(f'<h1>{title}</h1>{body}')}"
    other = "".join(f"<p class=teaser>{text}</p>" for text in sentences("subscribe", 4)) if kind == "swap" else ""
    return f"{head}<body class={kind}>{around}<section class={kind}><main>{other}</main></section><script>{build}</script>"


PAGES = {f"/{kind}/{row}": article(kind, row) for kind in TEMPLATES for row in range(10)}
LEARNING = RenderOptions(capture=CaptureOptions(source=True))
AUTO = RenderOptions(render="auto")


@dataclass(frozen=True, slots=True)
class Learned:
    site: Website
    home: Path
    reader: Reader

    @property
    def learned(self) -> LearnedSite:
        current = SiteHome.of(self.site.root, self.home).current
        assert current is not None
        return LearnedSite.load(current)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def learned(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Learned]:
    home = tmp_path_factory.mktemp("home")
    with serving(PAGES) as site:
        folder = open_current(SiteHome.of(site.root, home))
        await crawl(
            site.url("/news/0"), folder.path, lambda url: browser.render(url, LEARNING), CrawlOptions(pages=len(PAGES), egress=LOCAL)
        )
        await asyncio.to_thread(learn_corpus, folder.path)
        async with Reader(home=home, egress=LOCAL) as reader:
            yield Learned(site, home, reader)


def test_a_student_is_measured_template_by_template(learned):
    assert learned.learned.by_html is not None
    agreement = learned.learned.by_html.agreement
    assert agreement is not None
    assert sorted((template.pages, template.needs_browser) for template in agreement.templates) == [(10, False), (20, True)]
    assert agreement.distrust_reason == ""
    assert agreement.brought == pytest.approx(2 / 3, abs=0.02)
    assert 0.1 < agreement.hidden < 0.4


def test_html_of_a_learned_site_is_read_by_its_student_where_it_is_enough(learned):
    for kind, model, codes in (
        ("news", "student", ()),
        ("app", "global", ("page-needs-browser",)),
        ("swap", "global", ("page-needs-browser",)),
    ):
        document = read_static(article(kind, 77), learned.site.url(f"/{kind}/77"), home=learned.home).document
        assert (document.model, tuple(note.code for note in document.notes)[: len(codes)]) == (model, codes)
        assert (sentences(f"{kind}77", 6)[3] in document.text) == (kind == "news")
    strange = f"<title>Tide</title><body class=news><table class=grid><tr><td>{'</td><td>'.join(sentences('strange', 8))}</td></tr></table>"
    document = read_static(strange, learned.site.url("/news/tide"), home=learned.home).document
    assert (document.model, document.notes[0].level) == ("global", "warning")


async def test_the_browser_renders_what_the_html_lacks(learned):
    for kind, sources in (("news", {"static", "browser"}), ("app", {"browser"}), ("swap", {"browser"})):  # some news is read both ways
        for row in range(5):
            url = learned.site.url(f"/{kind}/{row}")
            rendered, found = await learned.reader.read(url), await learned.reader.read(url, options=AUTO)
            assert found.page.source in sources
            assert found.document.text == rendered.document.text
        stored = await learned.reader.read_html(PAGES[f"/{kind}/3"], url, options=RenderOptions(render="auto", javascript=False))
        assert stored.page.source == ("static" if kind == "news" else "stored")
    assert learned.reader.ways["html"] > 1
    for options in (RenderOptions(render="auto", picture=True), RenderOptions(render="auto", wait_for="main")):
        assert (await learned.reader.read(learned.site.url("/news/3"), options=options)).page.source == "browser"


async def test_a_page_is_requested_as_the_browser_requests_it(learned):
    access = Access(learned.site.root, headers=(("X-Team", "tide"),), cookies=(("seen", "yes"),))
    device = Device(viewport=Size(800, 600), language="de-AT", user_agent="Estuary/1.0")
    for given in ({}, {"access": access, "device": device}):
        headers = []
        for render in ("always", "auto"):
            learned.site.received.clear()
            learned.site.requests.clear()
            await learned.reader.read(learned.site.url("/news/4?utm_source=x&b=%C3%A4#part"), options=RenderOptions(render=render, **given))
            headers.append(learned.site.received[0] | {"path": learned.site.requests[0]})
        for name in ("path", "user-agent", "accept-language", "cookie", "x-team"):
            assert headers[0].get(name) == headers[1].get(name), name


async def test_a_rendered_page_is_requested_again_by_its_headers(browser, site_server, tmp_path):
    async def tagged(request):
        if request.headers.get("If-None-Match") == '"a"':
            return web.Response(status=304)
        return web.Response(text=article("news", 60), content_type="text/html", headers={"ETag": '"a"', "X-Robots-Tag": "noindex"})

    site = await site_server({"/": tagged, "/old": (301, {"Location": "/"}, ""), "/moves": "<script>location = '/'</script>"})
    pages, options = HtmlFirst(browser, SiteStore(tmp_path), LOCAL), RenderOptions(capture=CaptureOptions(source=True))
    first = await pages.render_again(site.url(), options, NO_HEADERS)
    assert (first.headers, first.source.startswith("<title>")) == (PageHeaders('"a"', "", "noindex"), True)
    again = await pages.render_again(site.url(), options, first.headers)
    assert (again.status, again.body) == (304, b"")
    moved = await pages.render_again(site.url("/old"), options, first.headers)
    assert (moved.status, moved.location) == (301, site.url())
    assert (await pages.render_again(site.url("/moves"), options, NO_HEADERS)).headers == NO_HEADERS  # those of the stub are not the page's
    await pages.close()


async def test_headers_for_the_site_do_not_follow_a_redirect_to_another_origin(learned):
    with serving({"/": article("news", 50)}) as other:
        learned.site.pages["/hop"] = (302, other.url("/"), b"")
        options = RenderOptions(render="auto", access=Access(learned.site.root, headers=(("X-Team", "tide"),)))
        assert (await learned.reader.read(learned.site.url("/hop"), options=options)).page.source == "browser"
        assert len(other.received) >= 2  # by our client, then by the browser
        assert not any("x-team" in headers for headers in other.received)


async def test_failures_are_those_of_the_browser(learned):
    learned.site.pages["/busy"] = (503, "text/html", b"<p>later")
    learned.site.pages["/away"] = (302, "http://192.0.2.1/", b"")
    for path, error in (("/news/none", Unusable), ("/busy", Retryable)):
        learned.site.requests.clear()
        with pytest.raises(error):
            await learned.reader.read(learned.site.url(path), options=AUTO)
        assert learned.site.requests.count(path) == 1
    async with Reader(home=learned.home) as outside:
        with pytest.raises(Private):
            await outside.read(learned.site.url("/news/3"), options=AUTO)


async def test_a_command_reads_every_page_of_the_site(learned, tmp_path):
    allowed = [path for path in PAGES if not path.startswith("/app/")]
    learned.site.pages["/robots.txt"] = (200, "text/plain", b"User-agent: *\nDisallow: /app/")
    entries = "".join(f"<url><loc>{learned.site.url(path)}</loc></url>" for path in PAGES)
    learned.site.pages["/sitemap.xml"] = (200, "application/xml", f"<urlset>{entries}</urlset>".encode())
    command = ["extract", "--site", learned.site.root, "--local", "--render", "auto", "--output-dir", tmp_path, "--home", learned.home]
    for _ in range(2):
        learned.site.requests.clear()
        ran = await asyncio.create_subprocess_exec(sys.executable, "-m", "sightread.cli.parser", *map(str, command))
        assert await ran.wait() == 0
        found = map(json.loads, (tmp_path / "index.jsonl").read_text().splitlines())
        lines = [line["article"] for line in found if "article" in line]  # there is no start page
        assert sorted(line["url"] for line in lines) == sorted(map(learned.site.url, allowed))
        models = Counter(line["model"] for line in lines)
        assert models["student"] >= 5 and models["student"] + models["site"] == 20  # some are read both ways
        assert all((tmp_path / line["file"]).is_file() for line in lines)
    assert not learned.site.requests  # the second time


async def test_a_template_whose_html_is_no_longer_enough_is_noticed(learned):
    both = RenderOptions(render="auto", check_every=1)
    old = {path: page for path, page in learned.site.pages.items() if path.startswith("/news/")}
    for path, page in old.items():
        learned.site.pages[path] = page.replace("</footer>", "</footer><script>document.querySelector('main p').remove()</script>")
    before = learned.reader.ways["both"]
    found = [await learned.reader.read(learned.site.url(path), options=both) for path in list(old)[:4]]
    assert {reading.page.source for reading in found} == {"browser"}
    assert learned.reader.ways["both"] - before == 2  # from then on its pages are rendered
    assert "site-changed" in {note.code for note in found[-1].document.notes}
    note = read_static(old["/news/5"], learned.site.url("/news/5"), home=learned.home).document.notes[0]
    assert (note.code, "--refresh" in note.message) == ("site-changed", True)
    await asyncio.to_thread(learn_corpus, learned.learned.folder.path)  # another student, of which nothing is known yet
    assert read_static(old["/news/5"], learned.site.url("/news/5"), home=learned.home).document.model == "student"


@pytest.mark.parametrize(
    ("html", "shown", "kept", "expected"),
    [
        ("<p>One fish</p><p>Two fish</p>", "<p>One fish</p><p>Two fish</p>", [1], [BOILERPLATE, CONTENT]),
        (
            "<p>More</p><p>Two red fish swim</p><p>More</p>",
            "<p>More</p><p>Two red fish swim</p><p>More</p>",
            [0, 1],
            [CONTENT, CONTENT, BOILERPLATE],
        ),
        ("<ul><li>Home</li><li>News</li></ul>", "<p>Home News</p><p>Text</p>", [1], [BOILERPLATE, BOILERPLATE]),
        ("<p>A long line of text, and more of it</p>", "<p>A long line of text,</p><p>and more of it</p>", [0, 1], [CONTENT]),
        ("<p>Please switch scripts on, reader</p><p>Oh</p>", "<p>What scripts built</p>", [0], [BOILERPLATE, UNKNOWN]),
    ],
)
def test_blocks_are_matched_by_text_and_place(html, shown, kept, expected):
    page = read_html(shown)
    document = build_document(page, Prediction(np.array([float(row in kept) for row in range(len(page.blocks))])))
    assert lesson(read_html(html), document).labels.tolist() == expected
