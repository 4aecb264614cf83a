"""Blocks and formulas from HTML without a browser: the same as with one, as far as HTML without CSS allows."""

import gc
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.render.errors import Unusable
from sightread.render.page import Link
from sightread.render.static.parse import NODE_CAP, read_html


def texts(page):
    return [block.text for block in page.blocks]


ARTICLE = """<!doctype html><html lang=de><head><title>Ein  Titel</title><meta name=description content="Worum es geht">
<meta property=og:title content="Ein Titel"><link rel=canonical href=/kanonisch></head><body class="page wide">
<nav><ul><li><a href=/>Start</a><li><a href=/mehr>Mehr</a> <b>neu</b></ul></nav>
<main id=main><h1>Über <em>Löwen</em></h1><p>Ein Löwe&nbsp;ist <a href="katze#x">eine <b>Katze</b></a>.<br>Zweite
Zeile 😀.</p>vorher<blockquote><p>Zitat</p></blockquote>nachher <code>x</code>
<pre>
  if a:
    b
</pre><table><caption>Tafel</caption><tr><th>A<td colspan=2>B</table><img src=bild.png alt=Bild>
<div role=heading aria-level=3>Unter</div><p>Klick <button>hier</button> jetzt<p>今天
天气</p><dl><dt>Wort<dd>Sinn</dl><details open><summary>Kurz</summary>Lang</details></main>
<script>var a = "<p>nein</p>"</script><style>p {}</style><select><option>nein</select><textarea>nein</textarea></body></html>"""

FORUM = """<table><tr><td>1<td><div>Frage<p>Absatz eins<p>Absatz <i>zwei</i><ul><li>a<li>b<ol><li>c</ol>danach</ul></div></table>
<center><font>Alt</font></center><noscript><p>ohne Skript</p></noscript><a href=/x><h2>Titel</h2><p>Anriss</p></a><hr>Rest <sup>1</sup>
<pre class=wide><code class="language-py">x = 1</code></pre><pre><code class=lang-c>y</code></pre>"""

WITHOUT_STYLE = {"an article": ARTICLE, "tables and lists": FORUM, "loose text": "eins<p>zwei</p>drei", "no body": "<title>t</title>x"}


def test_code_in_a_preformatted_block_lends_it_its_classes():
    page = read_html('<pre class=wide><code class="language-py">x = 1</code></pre>')
    assert page.elements[page.blocks[0].element].classes == ("wide", "language-py")


@pytest.mark.parametrize("html", WITHOUT_STYLE.values(), ids=WITHOUT_STYLE.keys())
async def test_a_page_without_style_gives_what_the_browser_gives(browser, html):
    rendered = (await browser.render_html(html, "http://site.test/a/")).page
    static = read_html(html, "http://site.test/a/")

    def fields(page):
        paths = page.selector_paths()
        return [(block.text, paths[block.element], block.inlines, block.link_chars, block.heading, block.hidden) for block in page.blocks]

    assert fields(static) == fields(rendered)
    assert static.elements == rendered.elements
    assert [image._replace(box=None) for image in rendered.images] == list(static.images)
    for name in ("titles", "descriptions", "metas", "json_ld", "canonical", "language", "links"):
        assert getattr(static, name) == getattr(rendered, name), name


HIDDEN = {
    "<p hidden>x": "display",
    "<div style='color: red; DISPLAY : none'><p>x</div>": "display",
    "<dialog>x</dialog>": "display",
    "<details><summary></summary>x</details>": "display",
    "<details><summary>x</summary></details>": "",
    "<dialog open>x</dialog>": "",
    "<p style='display:block'>x": "",
}


@pytest.mark.parametrize(("html", "kind"), HIDDEN.items(), ids=HIDDEN.keys())
def test_what_html_alone_hides_is_kept_and_marked(html, kind):
    assert [(block.text, block.hidden) for block in read_html(html).blocks] == [("x", kind)]


def test_hidden_text_within_a_visible_block_is_a_block_apart():
    page = read_html("<p>one <span hidden>two</span> three")
    assert [(block.text, block.hidden) for block in page.blocks] == [("one three", ""), ("two", "display")]


TAGS = ["div", "p", "span", "b", "a href=x", "ul", "li", "button", "q", "h2", "b role=heading", "h3 role=none", "details", "summary"]
TAGS += ["span hidden", "div hidden", "a href=y hidden", "pre", "code", "table", "td", "svg", "x-y", "br", "hr", "img alt=x"]
WORD = "w"


@settings(deadline=None)  # a machine may be busy
@given(st.lists(st.sampled_from([*TAGS, *(f"/{tag.split()[0]}" for tag in TAGS), WORD, WORD, " "]), max_size=60))
def test_however_tags_nest_every_word_is_read_once_and_bytes_give_what_characters_give(pieces):
    words = [f"w{number}" for number, piece in enumerate(pieces) if piece == WORD]
    html = "".join(f" w{number} " if piece == WORD else f"<{piece}>" if piece.strip() else " " for number, piece in enumerate(pieces))
    page = read_html(html, "http://site.test/")
    assert sorted(re.findall(r"w\d+", " ".join(texts(page)))) == sorted(words)
    assert page == read_html(html.encode(), "http://site.test/")


REFERENCES = {
    "b": "http://site.test/a/b",
    "/b?c=d e": "http://site.test/b?c=d%20e",
    "#top": "http://site.test/a/#top",
    "//other.test/x": "http://other.test/x",
    "../../up": "http://site.test/up",
    "?q": "http://site.test/a/?q",
    "HTTPS://other.test/": "https://other.test/",
    " /b ": "http://site.test/b",
    "mailto:a@b": "mailto:a@b",
    "javascript:x": "",
    "//[broken": "",
}


@pytest.mark.parametrize(("reference", "url"), REFERENCES.items(), ids=REFERENCES.keys())
def test_references_become_absolute(reference, url):
    (block,) = read_html(f"<p><a href='{reference}'>x</a>", "http://site.test/a/").blocks
    assert block.inlines[0].target == url


def test_a_base_element_changes_what_references_are_relative_to():
    page = read_html("<base href=/deep/er/><a href=x>y</a>", "http://site.test/")
    assert page.links == (Link("http://site.test/deep/er/x", "y"),)


@pytest.mark.parametrize("url", ["", "http://site.test/"])
async def test_links_within_a_page_need_no_address(browser, url):
    html = "<p><a href='#notes'>a</a> <a href=' #\u00fc '>b</a> <a href='#'>c</a> <a href='/x#notes'>d</a> <a href=y>e</a>"
    static, rendered = read_html(html, url), (await browser.render_html(html, url)).page
    assert static.blocks[0].inlines == rendered.blocks[0].inlines
    elsewhere = [url and f"{url}x#notes", url and f"{url}y"]
    assert [mark.target for mark in static.blocks[0].inlines] == [f"{url}#notes", f"{url}#%C3%BC", f"{url}#", *elsewhere]


def test_the_collector_of_garbage_runs_afterwards_if_it_did_before_and_only_then():
    read_html("<p>x")
    with pytest.raises(Unusable):
        read_html(b"%PDF-1.7")
    assert gc.isenabled()
    gc.disable()
    try:
        read_html("<p>x")
        assert not gc.isenabled()
    finally:
        gc.enable()


CHARSETS = {
    "utf-8 undeclared": "<p>é你".encode(),
    "byte order mark before the declaration": b"\xef\xbb\xbf<meta charset=latin1>" + "<p>é你".encode(),
    "utf-16": "\ufeff<p>é你".encode("utf-16-le"),
    "declared": "<meta charset='GBK'><p>é你".encode("gb18030"),
    "declared by http-equiv": b"<meta http-equiv=content-type content='text/html; charset=big5'><p>" + "é你".encode("big5hkscs"),
    "declared behind much else": b"<!--" + b"x" * 2000 + b"--><meta charset=utf-8><p>" + "é你".encode(),
    "declared as XML": "<?xml version='1.0' encoding='gbk'?><p>é你".encode("gb18030"),
}


@pytest.mark.parametrize("html", CHARSETS.values(), ids=CHARSETS.keys())
def test_bytes_are_decoded_by_mark_declaration_or_content(html):
    assert texts(read_html(html)) == ["é你"]


SENTENCES = {
    "gbk": "海湾办公室保存着自1911年冬天以来的登记册",
    "big5": "港務局自一九一一年冬天起保存登記冊",
    "shift_jis": "港の事務所は冬から台帳を保管しています。",
    "euc-jp": "港の事務所は冬から台帳を保管しています。",
    "euc-kr": "항만 사무소는 겨울부터 등록부를 보관하고 있다",
    "windows-1251": "Контора порта хранит журнал с зимы",
    "koi8-r": "Контора порта хранит журнал с зимы",
    "windows-1250": "Přístavní úřad vede rejstřík všech lodí již od zimy",
    "iso-8859-2": "Książka leżała w sieni, później ktoś ją wyniósł i ślad zaginął",
    "windows-1252": "Das Café öffnet um zwölf und schließt “früh”",
    "windows-1253": "Το γραφείο του λιμανιού κρατά ένα μητρώο",
    "windows-1254": "Liman ofisi kıştan beri gelen gemilerin kaydını tutuyor, şimdi açık değil",
    "windows-1255": "משרד הנמל מנהל יומן מאז החורף",
    "windows-1256": "يحتفظ مكتب الميناء بسجل منذ الشتاء",
    "windows-874": "สำนักงานท่าเรือเก็บทะเบียนเรือตั้งแต่ฤดูหนาว",
}


@pytest.mark.parametrize("charset", SENTENCES)
def test_a_charset_that_is_not_declared_or_contradicted_by_the_bytes_is_detected_in_a_short_page(charset):
    sentence, codec = SENTENCES[charset], {"windows-874": "cp874"}.get(charset, charset)
    is_latin = charset in ("windows-1250", "iso-8859-2", "windows-1252", "windows-1254")
    for declared in (charset, "utf-8", "", *(() if is_latin else ("iso-8859-1",))):
        meta = f"<meta charset={declared}>" if declared else ""
        page = read_html(f"<html><head>{meta}<title>{sentence[:12]}</title><body><p>{sentence}".encode(codec))
        assert (texts(page), page.guessed_charset) == ([sentence], "" if declared == charset else charset), declared


def test_utf_8_is_recognised_whatever_is_declared_and_if_a_few_bytes_are_broken():
    for declared, guessed in (("utf-8", ""), ("iso-8859-1", "utf-8"), ("gb2312", "utf-8"), ("nonsense", "")):
        page = read_html(f"<meta charset={declared}><p>Das Café öffnet um zwölf – 你好".encode() + b" a\xffb")
        assert (texts(page), page.guessed_charset) == (["Das Café öffnet um zwölf – 你好 a\ufffdb"], guessed)
    assert read_html(b"<meta charset=iso-8859-1><p>plain").guessed_charset == ""


@pytest.mark.parametrize("label", ["base64", "rot13", "unicode_escape", "idna", "nonsense"])
def test_a_declaration_that_names_no_charset_of_the_web_is_ignored(label):
    assert texts(read_html(f"<meta charset={label}><p>é".encode())) == ["é"]


@pytest.mark.parametrize(
    "data", [bytes(range(32)) * 40, b"\x89PNG\r\n\x1a\n" + b"\0" * 500, b"%PDF-1.7\n1 0 obj"], ids=["bytes", "png", "pdf"]
)
def test_binary_data_is_unusable(data):
    with pytest.raises(Unusable, match=r"http://site\.test/x: not HTML"):
        read_html(data, "http://site.test/x")


HOSTILE = {
    "a stray NUL": ("<p>x\0y", "xy"),
    "a lone surrogate": ("<p>x\ud800", "x"),
    "60,000 levels of div": ("<div>" * 60_000 + "x", "x"),
    "60,000 levels of lists": ("<ul><li>" * 60_000 + "x" + "</ul>" * 60_000, "x"),
    "60,000 levels of unknown elements": ("<x-y>" * 60_000 + "x", "x"),
    "a million angle brackets": ("<" * 1_000_000, "<" * 1_000_000),
    "a tag that never ends": ("<p>x</p><a href='" + "y" * 1_000_000, "x"),
    "200,000 attributes": ("<p " + "".join(f"a{i}=1 " for i in range(20_000)) + ">x", "x"),
}


@pytest.mark.parametrize(("html", "text"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_markup_is_read_in_little_time(html, text):
    started = time.process_time()
    assert texts(read_html(html)) == [text]
    assert time.process_time() - started < 5


def test_a_huge_page_is_cut_and_states_so():
    page = read_html("<p>some <b>text</b></p>" * 60_000)
    assert page.truncated
    assert NODE_CAP / 5 < len(page.blocks) < NODE_CAP
    assert not read_html("<p>x").truncated


def text(math: str) -> str:
    return read_html(f"<p>A {math} b.</p>").blocks[0].text


@pytest.mark.parametrize(
    ("math", "tex"),
    [
        ("<math><mfrac><mn>1</mn><msup><mi>x</mi><mn>2</mn></msup></mfrac></math>", r"\(\frac{1}{x^2}\)"),
        (
            "<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi></math>",
            r"\(\sum_{i=1}^ni\)",
        ),
        ("<math><msqrt><mi>α</mi><mo>&#8290;</mo><mi>Λ</mi></msqrt><mi>sin</mi><mi>x</mi></math>", r"\(\sqrt{\alpha\Lambda}\sin x\)"),
        ("<math><mover><mi>v</mi><mo>→</mo></mover><mo>∈</mo><mtext>all  of it</mtext></math>", r"\(\vec{v}\in\text{all of it}\)"),
        ("<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable></math>", r"\(\begin{matrix}1 & 2\end{matrix}\)"),
        ("<math><mover><mi>v</mi><mo>⃗</mo></mover><mtext>&nbsp;if </mtext></math>", r"\(\vec{v}\text{ if}\)"),
        ("<math><mn>2</mn><mo>,</mo><mn>3</mn></math>", r"\({\textstyle 2,3}\)"),
        ("<math><msup><mi>x</mi></msup></math>", r"\(x\)"),
        (r"<math alttext='{\displaystyle \alpha}' display=inline><mi>a</mi></math>", r"\(\alpha\)"),
        ("<span class=katex-display><span class=katex><math><mi>a</mi></math></span></span>", r"\[a\]"),
        ("<i class=katex><b class=katex-mathml><math><mi>a</mi></math></b><b class=katex-html>a</b></i>", r"\(a\)"),
        ("<script type='math/tex; mode=display'>y^2 % comment</script>", r"\[y^2\]"),
    ],
)
def test_a_formula_is_its_tex(math: str, tex: str) -> None:
    assert text(math) == f"A {tex} b."


def test_an_empty_formula_leaves_nothing() -> None:
    assert text("<math></math>") == "A b."


@given(
    st.lists(
        st.sampled_from(
            ["<math>", "</math>", "<mi>x", "<mfrac>", "</mfrac>", "<msup>", "<mtable><mtr>", "<annotation encoding=tex>", "y", "<p>"]
        )
    )
)
def test_any_markup_is_read(parts: list[str]) -> None:
    assert read_html("".join(parts)).source == "static"


def test_deep_nesting_is_read() -> None:
    assert text("<math>" + "<msqrt>" * 500 + "<mi>x</mi>" + "</msqrt>" * 500 + "</math>").count("sqrt") < 50
