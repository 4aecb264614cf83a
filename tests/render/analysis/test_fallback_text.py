"""Pages that show no text and declare it to machines, in JSON-LD, scripts or <noscript>."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sightread
from sightread.render.analysis.fallback_text import recover
from sightread.render.analysis.jsonld import MAX_NODES, Linked, read_linked
from sightread.render.errors import Unusable
from sightread.render.static.parse import read_html
from tests.pages.shown import texts


def page_of(*reported, body="<div id=app></div>"):
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(each)}</script>' for each in reported)
    return f"<!doctype html><title>The ferry</title>{scripts}<body>{body}"


ARTICLE = {"@type": "NewsArticle", "headline": "The ferry", "articleBody": "It runs all night.\n\nNobody &amp; nothing stops it."}
THREAD = {
    "@type": "QAPage",
    "mainEntity": {
        "@type": "Question",
        "text": "<p>Which boat?</p><p>A <b>small</b> one?</p>",
        "acceptedAnswer": {"@type": "Answer", "text": "A dinghy."},
        "suggestedAnswer": [{"@type": "Answer", "text": "A canoe."}, "nonsense", {"text": 7}],
    },
}


@pytest.mark.parametrize(
    ("reported", "paragraphs"),
    [
        (ARTICLE, ["It runs all night.", "Nobody & nothing stops it."]),
        (THREAD, ["Which boat?", "A small one?", "A dinghy.", "A canoe."]),
        ({"@type": "Product", "description": "A boat."}, ["A boat."]),
        ({"@type": "Organization", "description": "We sell boats."}, []),
        ({"@type": "Article", "articleBody": ["no", "text"]}, []),
    ],
    ids=["an article", "a thread", "a product", "who made the page", "no text"],
)
def test_what_the_page_is_about_is_recovered(reported, paragraphs):
    page = recover(read_html(page_of(reported)), ())
    assert texts(page) == paragraphs
    assert page.recovered_from == ("json-ld" if paragraphs else "")
    assert all(block.hidden == "display" for block in page.blocks)


NIGHT = "It runs all night. " * 30
TOLD = f"<h1>The ferry</h1><p>{NIGHT}</p><ul><li><a href=/a>Boats</a></ul><p>Best viewed with JavaScript enabled</p>"
TOLD = f"<noscript>{TOLD}</noscript>"
PLEA = "<noscript><div>Please enable JavaScript to see this page.</div></noscript>"
MENU = f"<ul>{'<li><a href=/a>Boats of the harbour</a>' * 100}</ul>"


def test_what_readers_without_scripts_are_reported_is_recovered_with_its_structure():
    page = recover(read_html(page_of()), (), TOLD)
    assert texts(page) == ["The ferry", ("It runs all night. " * 30).strip(), "Boats"]
    assert ([block.heading for block in page.blocks], page.recovered_from) == ([1, 0, 0], "noscript")
    assert all(block.hidden == "display" for block in page.blocks)
    assert page.elements[page.blocks[2].element].tag == "li"


@pytest.mark.parametrize("markup", ["", PLEA, MENU, PLEA * 50, "\0\1\2" * 9000], ids=["nothing", "plea", "menu", "pleas", "binary"])
def test_a_plea_for_scripts_or_a_menu_is_not_recovered(markup):
    page = read_html(page_of())
    assert recover(page, (), markup) is page


PARAGRAPHS = (
    "The ferry runs all night from the old quay to the island. Nobody knows who pays for it, and the council has never asked.",
    "Its captain was born on board in the winter of 1961. A second boat was bought last year; it has not left the yard.",
)
RICH = [
    {"_type": "block", "style": "h2", "children": [{"_type": "span", "text": "Night"}]},
    *({"_type": "block", "children": [{"_type": "span", "text": p[:20]}, {"_type": "span", "text": p[20:]}]} for p in PARAGRAPHS),
]
DOCUMENT = [{"type": "paragraph", "content": [{"type": "text", "text": p[:9]}, {"type": "link", "text": p[9:]}]} for p in PARAGRAPHS]
RECORDS = {
    "HTML": {"title": "The ferry", "body": "".join(f"<p>{p}</p>" for p in PARAGRAPHS)},
    "plain text": {"headline": "The ferry", "articleText": "\n\n".join(PARAGRAPHS)},
    "rich text": {"title": "The ferry", "body": RICH},
    "a document": {"content": {"type": "doc", "content": DOCUMENT}},
    "blocks": {
        "blocks": [{"type": "header", "data": {"text": "Night"}}, *({"type": "paragraph", "data": {"text": p}} for p in PARAGRAPHS)]
    },
    "values": {"fields": {"body": {"content": [{"nodeType": "paragraph", "content": [{"value": p}]} for p in PARAGRAPHS]}}},
    "nested": {"body": [{"type": "text", "model": {"blocks": [{"type": "paragraph", "model": {"text": p}}]}} for p in PARAGRAPHS]},
    "paragraphs": {"headline": "The ferry", "paragraphs": PARAGRAPHS},
    "JSON in a string": {"body": json.dumps({"blocks": [{"type": "paragraph", "text": p} for p in PARAGRAPHS]})},
}
OTHERS = {
    "i18n": {"cookies": {"text": "We set cookies. You may refuse them. " * 30}},
    "related": [{"title": "The train", "body": "It stops here. It goes on at noon. " * 30}],
    "topics": [{"title": "The bus", "slug": "bus", "body": "It stops here. It goes on at night. " * 30}],
}


def indexed(value, values):
    """Return the index of a value in a list of values, in which objects and lists hold indices."""
    place = len(values)
    values.append(None)
    if isinstance(value, dict):
        values[place] = {key: indexed(each, values) for key, each in value.items()}
    else:
        values[place] = [indexed(each, values) for each in value] if isinstance(value, list | tuple) else value
    return place


def in_scripts(record):
    state = {"props": {"page": record} | (OTHERS if record.keys() & {"title", "headline"} else {})}
    values = []
    indexed(state, values)
    return {
        "a script of its own": f"<script type=application/json>{json.dumps(state)}</script>",
        "assigned": f"<script>var n = 1; window.__STATE__ = {json.dumps(state)}; (function () {{ n = [2]; }}());</script>",
        "in a string": f"<script>window.state = JSON.parse({json.dumps(json.dumps(state))})</script>",
        "by indices": f"<script type=application/json>{json.dumps(values)}</script>",
    }


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS.keys())
def test_the_body_of_an_article_in_the_data_of_scripts_is_read_where_a_page_shows_a_few_words_at_most(record):
    for place, script in in_scripts(record).items():
        for body in ("", "<p>Loading…", "<noscript>Enable JavaScript.</noscript>"):
            document = sightread.extract(f"<title>The ferry | News</title><body><div id=app>{body}</div>{script}")
            assert [text for text in texts(document.page) if text != "Night"] == list(PARAGRAPHS), place
            assert (document.page.recovered_from, document.notes[-1].code) == ("data", "text-recovered")
    shown = f"<title>The ferry</title><body><p>{'The page shows its own text. ' * 10}{script}"
    assert not sightread.extract(shown).page.recovered


@pytest.mark.parametrize(
    "data",
    [
        "={" * 9000,
        "[" * 200_000,
        "='" + "\\'" * 90_000,
        json.dumps([[1, 1], [0, 0], [1]]),
        json.dumps({"text": "no(); {}; " * 90}),
        '{"text": "I',
    ],
    ids=["assignments", "deep", "a string without end", "a circle", "code", "cut short"],
)
def test_scripts_without_a_body_leave_a_page_as_it_is(data):
    page = read_html(page_of())
    assert recover(page, (data,)) is page


async def test_an_application_that_never_fills_itself_is_read_by_what_it_tells(browser, site_server):
    data = {"/data": page_of(body=f"<p>Loading…{in_scripts(RECORDS['rich text'])['assigned']}")}
    site = await site_server({"/": page_of(ARTICLE), "/mute": page_of(), "/shown": page_of(ARTICLE, body="<p>Shown")} | data)
    page = (await browser.render(site.url())).page
    assert (texts(page), page.recovered) == (["It runs all night.", "Nobody & nothing stops it."], True)
    shown = (await browser.render(site.url("/shown"))).page
    assert (texts(shown), shown.recovered) == (["Shown"], False)
    filled = (await browser.render(site.url("/data"))).page
    assert (texts(filled), filled.recovered_from) == (["Night", *PARAGRAPHS], "data")
    with pytest.raises(Unusable, match="no text on the page"):
        await browser.render(site.url("/mute"))


async def test_what_is_reported_to_readers_without_scripts_is_read_where_a_page_shows_nothing_else(browser, site_server):
    site = await site_server(
        {
            "/": page_of(body=f"<img name=querySelectorAll>{TOLD}"),
            "/both": page_of(ARTICLE, body=TOLD),
            "/shown": page_of(body=f"<p>Shown{TOLD}"),
            "/plea": page_of(body=PLEA),
        }
    )
    for path in ("/", "/both"):
        page = (await browser.render(site.url(path))).page
        assert (texts(page)[0], page.recovered) == ("The ferry", True)
    shown = (await browser.render(site.url("/shown"))).page
    assert (texts(shown)[0], shown.recovered) == ("Shown", False)
    with pytest.raises(Unusable, match="no text on the page"):
        await browser.render(site.url("/plea"))


def read(*nodes: object, titles: tuple[str, ...] = ()) -> Linked:
    return read_scripts(*map(json.dumps, nodes), titles=titles)


def read_scripts(*scripts: str, titles: tuple[str, ...] = ()) -> Linked:
    page = read_html("")
    return read_linked(replace(page, json_ld=scripts, titles=titles))


def article(headline: str, **more: object) -> dict[str, object]:
    return {"@type": "NewsArticle", "headline": headline, **more}


@pytest.mark.parametrize(
    "wrap", [lambda node: [node], lambda node: {"@graph": [node]}, lambda node: {"@type": "WebPage", "mainEntity": node}]
)
def test_it_may_stand_in_lists_graphs_and_pages(wrap):
    assert read(wrap(article("Rain"))).title == "Rain"


@pytest.mark.parametrize("name", ["Article", "BlogPosting", "https://schema.org/Report", "Recipe", ["Thing", "NewsArticle"]])
def test_types_that_a_page_may_be_about_are_known_with_and_without_their_vocabulary(name: object):
    assert read({"@type": name, "headline": "Rain"}).title == "Rain"


@pytest.mark.parametrize("name", ["Person", "BreadcrumbList", "ImageObject", "Organization"])
def test_what_only_stands_on_the_page_has_no_say(name: str):
    assert read({"@type": name, "name": "Rain"}).title == ""


def test_of_several_articles_the_one_in_the_pages_titles_counts_and_without_one_none():
    several = [article(name, description=name.upper()) for name in ("sun", "rain", "snow")]
    assert read(*several, titles=("rain | Post",)).description == "RAIN"
    assert read(*several, titles=("Latest",)) == Linked()


@pytest.mark.parametrize("wrapped", ["<!-- {} -->", "// <![CDATA[\n{}\n// ]]>", "<![CDATA[{}]]>"])
def test_a_script_inside_a_comment_is_read(wrapped: str):
    assert read_scripts(wrapped.replace("{}", json.dumps(article("Rain")))).title == "Rain"


@pytest.mark.parametrize("broken", ["", "{", "null", "7", "[" * 100_000, '{"@type": "Article", "headline": {"a": []}}'])
def test_a_broken_script_leaves_the_others_alone(broken: str):
    assert read_scripts(broken, json.dumps(article("Rain")), titles=("Rain",)).title == "Rain"


def test_of_endless_nodes_only_the_first_are_read():
    filler = [{"@type": "Thing"}] * (MAX_NODES - 1)
    assert read([*filler, article("Rain")]).title == "Rain"
    assert read([*filler, {"@type": "Thing"}, article("Rain")]).title == ""


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(("Article", "WebPage", "#a")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("@type", "@id", "@graph", "mainEntity", "headline", "name", "author", "image", "url", "description")), inner
        )
    ),
    max_leaves=12,
)


@given(st.lists(anything, max_size=3), st.lists(st.text(max_size=8), max_size=2))
def test_json_of_any_shape_gives_texts(nodes: list[object], titles: list[str]):
    found = read(*nodes, titles=tuple(titles))
    assert all(isinstance(text, str) for text in (found.title, found.description, found.image, found.site_name, *found.authors))
