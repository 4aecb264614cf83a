"""Words of any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sightread
from sightread.document.formats import format_names
from sightread.render.static.parse import read_html
from sightread.render.text.words import count_words, well_formed, well_formed_json, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Old Bridge", ["the", "old", "bridge"]),
        ("naïve, re-read; 3 times!", ["naïve", "re", "read", "3", "times"]),
        ("Straße ＦＬＯＯＤ ﬁre", ["strasse", "flood", "fire"]),
        ("新的桥 built", ["新", "的", "桥", "built"]),
        ("ひらがなカナ", ["ひ", "ら", "が", "な", "カ", "ナ"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("বাংলাদেশের নদী।", ["বাংলাদেশের", "নদী"]),
        ("नदी पर पुल। दूसरा", ["नदी", "पर", "पुल", "दूसरा"]),
        ("كَتَبَ الولد", ["كَتَبَ", "الولد"]),
        ("می‌خواهم", ["می‌خواهم"]),
        ("", []),
        (" — … !", []),
    ],
)
def test_words_are_found_in_every_script(text: str, found: list[str]):
    assert words(text) == found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The flood took the old bridge.", 6),
        ("বাংলাদেশের নদী ভাঙন", 3),
        ("नदी पर पुल।", 3),
        ("السيول جرفت الجسر", 3),
        ("한국어 문장", 2),
        ("", 0),
        ("?!", 0),
    ],
)
def test_words_between_spaces_count_one_each(text: str, count: int):
    assert count_words(text) == count


@pytest.mark.parametrize("text", ["昨天的洪水冲走了旧桥上的行人车辆牛", "ไฟไหม้บ้านหลังเก่า", "ហើយទៅផ្ទះ", "မြန်မာစာ"])
def test_scripts_without_spaces_count_a_word_for_1_7_characters(text: str):
    assert count_words(text) == pytest.approx(len(text) / 1.7)


# Characters that no format can write, or that would turn what follows: normalised where text enters, with a browser or without.


CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CASES = {
    "\ud800 x": "\ufffd x",
    "a\0b": "a\ufffdb",
    "\u202eabc": "\u2060abc",
    "abc\u202c": "abc\u2060",
    "\u2067abc\u2069": "\u2067abc\u2069",
    "\u202babc\u202c": "\u202babc\u202c",
    "\u2067a\u202eb\u2069c": "\u2067a\u2060b\u2069c",
    "\u2066\u202aa\u2069\u202c": "\u2066\u2060a\u2069\u2060",
    **{text: text for text in ("\u200f\u05d0\u200e", "\U0001f469\u200d\U0001f52c", "\u0627\u0644\u200c\u0639")},
}
PARAGRAPH = "<p>The ferry has carried workers across the estuary for ninety years, and it runs half empty most of the time.</p>"


@pytest.mark.parametrize(("text", "normal"), CASES.items(), ids=ascii)
def test_each_character_that_cannot_stay_is_replaced_by_one(text, normal):
    assert well_formed(text) == normal


@given(st.text(st.characters(codec=None) | st.sampled_from(CONTROLS), max_size=60))
def test_normal_text_can_be_encoded_and_each_character_stays_or_is_replaced(text):
    normal = well_formed(text)
    normal.encode()
    assert "\0" not in normal
    assert len(normal) == len(text)
    assert all(new in (old, "\ufffd", "\u2060") for old, new in zip(text, normal, strict=True))
    assert well_formed(normal) == normal


def texts_in(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in (*value, *(value.values() if isinstance(value, dict) else ())):
            yield from texts_in(each)


TEXT = st.text(st.characters(codec=None))


@given(st.recursive(st.none() | st.integers() | TEXT, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=20))
def test_all_texts_of_a_json_value_are_normalised(value):
    for text in texts_in(well_formed_json(value)):
        assert text == well_formed(text)


@pytest.mark.parametrize("text", CASES, ids=ascii)
async def test_the_collector_has_the_same_rule(browser, text):
    written = text.encode("utf-8", "ignore").decode()
    html = f"<p>{written} <img src=/i.png width=90 height=90 alt='{written}'>{PARAGRAPH}"
    static, page = read_html(html), (await browser.render_html(html)).page
    assert [block.text for block in page.blocks] == [block.text for block in static.blocks]


HOSTILE = {
    "a lone surrogate in JSON-LD": '<script type="application/ld+json">'
    r'{"@type":"Article","headline":"\ud800 x","author":{"name":"\udfff"}}</script>',
    "a date with an offset of a day": "<p class=date><i>2024 0:0+24</i></p>",
    "a date with an offset of a hundred hours": '<time datetime="2024-05-01T00:00:00+99:99">1 May</time>',
    "a date that cannot be": '<meta property="article:published_time" content="9999-99-99T99:99:99+24:00">',
    "NUL and controls": "<p>a\0b\x01c\x1bd\x7f</p><p title='\0'>e&#0;f&#xD800;g&#x1F;</p>",
    "controls of direction": "<p>\u202e\u2067a</p><p>\u2069\u202cb</p>",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("output_format", format_names())
def test_every_format_is_written_whatever_a_page_holds(name, output_format):
    html = f"<title>Ferry</title><main><h1>Ferry</h1>{HOSTILE[name]}{PARAGRAPH}</main>"
    text = sightread.extract(html, url="https://example.org/a", output_format=output_format)
    assert "ninety years" in text and text.encode()


@pytest.mark.parametrize("name", ["a lone surrogate in JSON-LD", "a date with an offset of a day"])
async def test_a_rendered_page_keeps_its_text_whatever_its_metadata_are(browser, name):
    page = (await browser.render_html(f"<main>{HOSTILE[name]}{PARAGRAPH}</main>")).page
    assert any("ninety years" in block.text for block in page.blocks)


LINKS = """<p>See <svg width=90 height=20><a xlink:href="b.html"><text y=15>Chart</text></a></svg></p>
  <svg><a href="/c"><text y=15>Other</text></a><area xlink:href="/d"/></svg><math><mrow><a href="/e"><mi>x</mi></a></mrow></math>"""


async def test_links_of_svg_and_mathml_are_read_alike_with_a_browser_and_without(browser):
    url = "https://example.org/a/"
    static, page = read_html(LINKS, url), (await browser.render_html(LINKS, url)).page
    assert {(link.url, link.text) for link in static.links} == {(link.url, link.text) for link in page.links}
    assert {link.url for link in static.links} == {f"https://example.org{path}" for path in ("/a/b.html", "/c", "/d", "/e")}
    targets = [{mark.target for block in each.blocks for mark in block.inlines} for each in (static, page)]
    assert targets[0] == targets[1] >= {"https://example.org/a/b.html", "https://example.org/c"}
