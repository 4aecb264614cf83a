"""Walls: what stands in the place of a page, and what only looks like it."""

import pickle

import pytest

import sightread
from sightread.crawler.crawl import CrawlOptions, crawl
from sightread.render.analysis.block_pages import check_wall, find_wall, script_notices
from sightread.render.errors import Walled
from sightread.render.network.egress import LOCAL
from sightread.render.static.parse import read_html
from tests.pages.shown import texts

BOT = {
    "English": "<title>Just a moment...</title><h1>news.example</h1><p>Verifying you are human. This may take a few seconds.</p>",
    "scripts wanted": "<h1>shop.example</h1><p>Enable JavaScript and cookies to continue</p>",
    "denied by a CDN": '<title>Access Denied</title><h1>Access Denied</h1><p>You don\'t have permission to access "/" on this server.</p>',
    "a captcha": "<h2>Are you a robot?</h2><p>Please complete the security check to go on.</p>",
    "German": "<h1>Sicherheitsprüfung</h1><p>Bitte bestätigen Sie, dass Sie ein Mensch sind.</p>",
    "French": "<p>Vérifiez que vous êtes humain en cochant la case.</p>",
    "Spanish": "<h1>Acceso denegado</h1><p>Su red hace demasiadas peticiones.</p>",
    "Russian": "<p>Подтвердите, что вы не робот</p>",
    "Chinese": "<title>人机验证</title><p>请稍候</p>",
    "Japanese": "<p>ロボットではありません</p>",
}
LOGIN = {
    "English": "<h1>Sign in</h1><form><label>Email<input></label><label>Password<input type=password></label></form>",
    "German": "<h2>Bitte anmelden</h2><form>Passwort <input type=password> <a href=/neu>Passwort vergessen?</a></form>",
    "Japanese": "<h1>ログイン</h1><form><input type=password><button>ログイン</button></form>",
}
ERROR = {
    "English": "<title>Page not found | Example</title><h1>Oops! Page not found</h1><p>Try the search.</p>",
    "a number": "<h1>404</h1><p>Nothing here.</p>",
    "with the site's menu": "<nav><a href=/a>Sport</a> <a href=/b>Weather report</a></nav><h1>Error 404</h1><p>Sorry.</p>",
    "German": "<h1>Seite nicht gefunden</h1>",
    "French": "<h1>Page introuvable</h1><p>Retournez à l’accueil.</p>",
    "Italian": "<h2>Pagina non trovata</h2>",
    "Polish": "<h1>Nie znaleziono strony</h1>",
    "Korean": "<h1>페이지를 찾을 수 없습니다</h1>",
    "out of order": "<h1>Service Temporarily Unavailable</h1><p>nginx</p>",
}
SENTENCE = "The towns along the river have kept their markets for longer than anyone who trades there can remember, and mean to keep them. "
PAGES = {
    "an article about captchas": f"<title>Are you a robot?</title><h1>Are you a robot?</h1><p>{SENTENCE * 4}</p>",
    "an article about an error": f"<h1>Page not found: a history of error 404</h1><p>{SENTENCE * 4}</p>",
    "an article beside a login": f"<form>Log in <input type=password></form><h1>Markets</h1><p>{SENTENCE * 4}</p>",
    "many short paragraphs": "<h1>Access denied</h1>" + "".join(f"<p>{n}. {SENTENCE}</p>" for n in range(12)),
    "a short page": "<h1>Opening hours</h1><p>Nine to five.</p>",
    "a car": "<h1>Peugeot 404</h1><p>Built from 1960 on.</p>",
    "a login without a password": "<h1>Log in to vote</h1><p>You can read without.</p>",
    "no text": "<title>Just a moment...</title><img src=a.png>",
}


@pytest.mark.parametrize("html", BOT.values(), ids=BOT.keys())
def test_a_challenge_is_a_bot_wall(html):
    assert find_wall(read_html(html)).kind == "bot"


@pytest.mark.parametrize("html", LOGIN.values(), ids=LOGIN.keys())
def test_a_password_field_and_hardly_more_is_a_login_wall(html):
    assert find_wall(read_html(html)).kind == "login"


@pytest.mark.parametrize("html", ERROR.values(), ids=ERROR.keys())
def test_a_page_that_says_that_nothing_is_there_is_an_error(html):
    assert find_wall(read_html(html)).kind == "error"


NOTICES = {
    "English": "Please enable JavaScript or switch to a supported browser to continue.",
    "German": "Bitte schalten Sie JavaScript ein, um fortzufahren.",
    "Polish": "Włącz obsługę Javascript w przeglądarce",
    "Chinese": "请启用JavaScript或更换受支持的浏览器",
    "Japanese": "このサイトを利用するにはJavaScriptを有効にしてください。",
    "Russian": "Для работы сайта включите Джава-скрипт",
    "Arabic": "يرجى تفعيل جافا سكريبت في متصفحك",
    "Korean": "자바스크립트를 활성화하세요",
}
PLACES = ("<noscript>{}</noscript>", "<noscript><div><h2>{}</h2></div></noscript>", "<div id=no-js>{}</div>", "<p>{}")


@pytest.mark.parametrize("notice", NOTICES.values(), ids=NOTICES.keys())
def test_a_notice_that_scripts_are_required_is_a_wall_if_alone_and_left_out_beside_content(notice):
    for place in PLACES:
        shown = place.format(notice)
        wall = find_wall(read_html(f"<title>Shop</title><body>{shown}<div id=root>Loading…</div><footer>The Shop</footer>"))
        assert (wall.kind, wall.words) == ("scripts", notice), place
        for html in (f"{shown}<article><h1>Markets</h1><p>{SENTENCE}</article>", f"<h1>Markets</h1><div>{SENTENCE}</div>{shown}"):
            document = sightread.extract(f"<title>Markets</title><body>{html}", model="boilerpipe").from_threshold(0.0)
            assert SENTENCE.strip() in document.text
            assert notice not in document.text, html
            assert [left.reason for left in document.left_out] == ["script notice"]


@pytest.mark.parametrize(
    "html",
    [
        "<title>JavaScript</title><body><h1>JavaScript</h1><p>JavaScript is a language of the web.",
        f"<title>My year</title><body><h1>My year</h1><p>{SENTENCE}<p>I learned JavaScript.<p>{SENTENCE}",
        f"<body><p>{SENTENCE}<p>First JavaScript.<p>{SENTENCE}<p>Then more JavaScript.",
        f"<title>Harbour</title><body><noscript><h1>Harbour</h1><p>{SENTENCE * 3}<p>A reply.</noscript>",
    ],
    ids=["a short page about it", "a mention", "mentions", "content for readers without scripts"],
)
def test_text_about_javascript_and_content_of_a_noscript_are_no_notices(html):
    page = read_html(html)
    assert find_wall(page) is None
    assert not script_notices(page)


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())
def test_a_page_with_anything_to_read_and_one_without_text_are_no_walls(html):
    assert find_wall(read_html(html)) is None


def test_a_wall_states_what_stands_there_and_what_to_do():
    page = read_html("<title>Attention</title><h1>You have been blocked</h1>", "https://shop.example/")
    with pytest.raises(Walled, match=r"https://shop\.example/: .*You have been blocked.*request access") as raised:
        check_wall(page)
    assert "\n" not in str(raised.value)
    assert pickle.loads(pickle.dumps(raised.value)).kind == "bot"


async def test_a_wall_is_reported_from_a_page_in_the_browser_too(browser, site_server):
    site = await site_server({"/wall": LOGIN["English"], "/page": PAGES["an article beside a login"]})
    with pytest.raises(Walled, match="login page") as raised:
        await browser.render(site.url("/wall"))
    assert raised.value.kind == "login"
    page = (await browser.render(site.url("/page"))).page
    assert page.password_fields == 1
    assert "Markets" in texts(page)


@pytest.mark.parametrize("status", [403, 503])
async def test_a_status_that_guards_send_is_explained_by_what_the_page_says(browser, site_server, status):
    site = await site_server({"/": (status, {}, BOT["English"])})
    with pytest.raises(Walled, match=f"HTTP status {status}.*Verifying you are human|HTTP status {status}.*Just a moment") as raised:
        await browser.render(site.url())
    assert raised.value.kind == "bot"


async def test_a_crawl_counts_a_wall_as_a_failure_with_its_reason(browser, site_server, tmp_path):
    links = "".join(f"<a href=/{name}>{name}</a> " for name in ("page", "wall"))
    site = await site_server(
        {"/": links + PAGES["an article about an error"], "/page": PAGES["many short paragraphs"], "/wall": BOT["English"]}
    )
    corpus = await crawl(site.url(), tmp_path / "site", browser.render, CrawlOptions(pages=3, delay=0, egress=LOCAL))
    assert [(failure.url, "block page" in failure.reason) for failure in corpus.failures] == [(site.url("/wall"), True)]
