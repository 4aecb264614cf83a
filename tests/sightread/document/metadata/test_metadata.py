"""Title, authors, dates and the like from what pages declare, and what a page states in pairs."""

import json
import subprocess
import sys

import numpy as np
import pytest

from sightread.document.document import build_document
from sightread.document.metadata.metadata import Metadata, read_metadata, split_names
from sightread.render.static.parse import read_html
from sightread.render.text.words import split_title

URL = "https://www.daily-post.example/2024/rain"


def metadata(head: str = "", body: str = "<p>text", lang: str = "", url: str = URL) -> Metadata:
    return read_metadata(read_html(f'<html lang="{lang}"><head>{head}</head><body>{body}</body></html>', url))


def linked(*nodes: object) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(node)}</script>' for node in nodes)


def test_open_graph_and_metas_are_read() -> None:
    head = """<title>Rain - The Daily Post</title><meta property="og:title" content="Rain over Lisbon">
    <meta name="author" content="By Ana Sá">
    <meta property="og:site_name" content="The Daily Post"><meta name="description" content="Three days &amp;amp; nights of rain.">
    <meta property="article:published_time" content="2024-02-03T23:30:00-05:00"><meta property="article:modified_time" content="2024-02-05">
    <meta property="og:locale" content="pt_BR"><meta property="og:image" content="/lead image.jpg"><link rel="canonical" href="/rain">"""
    assert metadata(head) == Metadata(
        title="Rain over Lisbon",
        authors=("Ana Sá",),
        published="2024-02-03",
        modified="2024-02-05",
        language="pt-BR",
        description="Three days & nights of rain.",
        site_name="The Daily Post",
        canonical_url="https://www.daily-post.example/rain",
        image="https://www.daily-post.example/lead%20image.jpg",
    )


def test_json_ld_is_read_through_graphs_references_and_lists() -> None:
    people = [{"@type": "Person", "@id": "#a", "name": "Ana &amp; Co"}, {"@type": "Person", "@id": "#b", "name": "Bo Li"}]
    article = {
        "@type": ["NewsArticle", "Thing"],
        "headline": "Rain  over\nLisbon",
        "author": [{"@id": "#a"}, {"@id": "#b"}, {"name": "Bo Li"}],
        "datePublished": "2024-02-03T10:00Z",
        "dateModified": "20240204",
        "inLanguage": "en-GB",
        "description": "Wet.",
        "publisher": {"@type": "Organization", "name": "The Daily Post"},
        "image": [{"@type": "ImageObject", "url": "https://i.example/1.jpg"}],
    }
    assert metadata(linked({"@context": "https://schema.org", "@graph": [article, *people]})) == Metadata(
        title="Rain over Lisbon",
        authors=("Ana & Co", "Bo Li"),
        published="2024-02-03",
        modified="2024-02-04",
        language="en-GB",
        description="Wet.",
        site_name="The Daily Post",
        image="https://i.example/1.jpg",
        page_type="article",
    )


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Rain over Lisbon | The Daily Post", ("Rain over Lisbon", "The Daily Post")),
        ("The Daily Post: Rain over Lisbon", ("Rain over Lisbon", "The Daily Post")),
        ("Rain - again - The daily post!", ("Rain - again", "The daily post!")),
        ("雨下了三天_dailypost", ("雨下了三天", "dailypost")),
        ("A headline — Another Name", ("A headline", "Another Name")),
        ("Self-made: a story of Covid-19", ("Self-made: a story of Covid-19", "")),
        ("The Daily Post", ("The Daily Post", "")),
        (" | ", (" | ", "")),
    ],
)
def test_the_name_of_the_site_is_taken_off_the_title(title: str, expected: tuple[str, str]) -> None:
    assert split_title(title, ["The Daily Post", "daily-post", "dailypost"], ["A Headline"]) == expected


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Ana Sá", ["Ana Sá"]),
        ("By Ana Sá and Bo Li", ["Ana Sá", "Bo Li"]),
        ("Ana Sá, Bo Li & Cy Tan", ["Ana Sá", "Bo Li", "Cy Tan"]),
        ("Sá, Ana", ["Sá, Ana"]),
        ("https://example.org/ana", []),
        ("", []),
    ],
)
def test_bylines_are_parted_into_names(byline: str, names: list[str]) -> None:
    assert split_names(byline) == names


HEADLINE, RAIN = "<h1>Rain over Lisbon</h1>", "<p>" + "It rained for three days and nights, as nobody remembered. " * 9


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Written by Sam Hill on 4 May 2026", ("Sam Hill",)),
        ("By Ida Holm · Published 3 March 2026", ("Ida Holm",)),
        ("4 May 2026 by Sam Hill Leave a comment", ("Sam Hill",)),
        ("By Ada Lind, Senior Writer", ("Ada Lind",)),
        ("By <a href=/ada>Ada Lind</a> Lisbon", ("Ada Lind",)),
        ("BY ADA LIND AND BO LI", ("ADA LIND", "BO LI")),
        ("By Ada Lind, Bo Li & Cy Tan | 3 March", ("Ada Lind", "Bo Li", "Cy Tan")),
        ("Von Ada Lind und Bo Li, 3. März 2026", ("Ada Lind", "Bo Li")),
        ("Par Émile Petit le 3 mars 2026", ("Émile Petit",)),
        ("Por Juan Pérez y Ana Sá", ("Juan Pérez", "Ana Sá")),
        ("Por José Ortega y Gasset", ("José Ortega y Gasset",)),
        ("Di Maria Rossi", ("Maria Rossi",)),
        ("Door Jan de Vries - 3 maart", ("Jan de Vries",)),
        ("Af Ida Holm", ("Ida Holm",)),
        ("Av Åsa Öberg", ("Åsa Öberg",)),
        ("作者：王小明 2026-01-01", ("王小明",)),
        ("文／山田 太郎", ("山田 太郎",)),
        ("Автор: Анна Иванова", ("Анна Иванова",)),
        ("By our staff", ()),
        ("By Written By", ()),
        ("By The Newsroom", ()),
        ("By NBC's Ada Lind", ()),
        ("By Christmas, it was dry", ()),
        ("By 2030", ()),
        ("Von Köln nach Berlin", ()),
        ("By Ada Lind is a brand of umbrellas", ()),
        ("By Ada Lind, the writer, all of it was written in the rain of three days.", ()),
    ],
)
def test_a_byline_below_the_headline_names_the_authors(byline: str, names: tuple[str, ...]) -> None:
    assert metadata(body=f"{HEADLINE}<p>{byline}</p>{RAIN}").authors == names


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (f"<p class=byline>By Ada Lind</p>{RAIN}", ("Ada Lind",)),
        (f"<div class=p-author>Ada Lind</div>{HEADLINE}{RAIN}", ("Ada Lind",)),
        (f"{HEADLINE}<div class=meta><span>By</span><div>Ada Lind</div></div>{RAIN}", ("Ada Lind",)),
        (f"{HEADLINE}<div itemprop=author><div itemprop=name>Ada Lind</div></div>{RAIN}", ("Ada Lind",)),
        (f"{HEADLINE}<ul><li class=post-author>Ada Lind<li class=post-author>Bo Li</ul>{RAIN}", ("Ada Lind", "Bo Li")),
        (f"{HEADLINE}{RAIN}<div class=author-box><h4>About Ada Lind</h4><p>Writes of the weather.</div>", ("Ada Lind",)),
        (f"{HEADLINE}{RAIN}<p>Posted by Ada Lind at 3:00 AM", ("Ada Lind",)),
        (f"{HEADLINE}{RAIN}<p>By Ada Lind", ()),
        (f"{HEADLINE}<div class=author>Full Bio</div>{RAIN}", ()),
        (f"{HEADLINE}{RAIN}<div class=comments><p class=author>Ada Lind</div>", ()),
        ("<h1>News</h1>" + "".join(f"<h2><a href=/{name}>It rains</a></h2><p>By {name} Lind" for name in ("Ada", "Bo", "Cy")), ()),
        (RAIN + "".join(f"<p class=author>{name} Lind" for name in ("Ada", "Bo", "Cy")), ()),
    ],
)
def test_authors_are_those_of_the_headline_or_of_an_element_named_after_them(body: str, names: tuple[str, ...]) -> None:
    assert metadata(body=body).authors == names


def test_declared_authors_precede_those_of_a_byline() -> None:
    body = f"{HEADLINE}<p>By Ada Lind{RAIN}"
    assert metadata('<meta name=author content="Bo Li">', body).authors == ("Bo Li",)
    assert metadata(body=f"{body}<a rel=author href=/cy>Cy Tan</a>").authors == ("Cy Tan",)


def test_the_authors_of_a_forum_are_those_of_its_posts() -> None:
    assert metadata(body=f"{HEADLINE}<p>By Ada Lind{RAIN}", url="https://example.org/forum/rain").authors == ()


@pytest.mark.parametrize(
    ("head", "body", "published"),
    [
        ("", "<h1>Rain</h1><p>Published on 3 February 2024<p>It rained.", "2024-02-03"),
        ("", "<h1>Rain</h1><p>February 3, 2024<p>It rained.", "2024-02-03"),
        ("", "<h1>Rain</h1><p>It rained. " + "So much. " * 30 + "On 3 February 2020 it was dry.", ""),
        ('<meta name="date" content="yesterday">', "<p>text", ""),
        ('<meta name="date" content="0001-01-01T00:00:00"><meta name="dc.date" content="2024-02-03">', "<p>text", "2024-02-03"),
        ("", "<p>© 2019 The Daily Post", ""),
    ],
)
def test_a_date_that_only_the_text_tells_is_found_near_the_headline(head: str, body: str, published: str) -> None:
    assert metadata(head, body, url="https://post.example/").published == published


def test_htmldate_is_loaded_only_when_a_date_must_be_searched() -> None:
    program = "import sys, sightread.document.document; sys.exit('htmldate' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def pairs(html: str) -> list[tuple[str, str]]:
    page = read_html(html, "https://shop.example/kettle")
    return [(pair.name, pair.value) for pair in build_document(page, np.ones(len(page.blocks))).attributes]


def test_a_definition_list_a_table_of_two_columns_and_labels_are_pairs() -> None:
    html = """<dl><dt>Colour:<dd>blue<dt>Weight<dd>2 kg</dl><table><tr><th>Height<td>30 cm<tr><th>Width<td>20 cm</table>
    <ul><li>Material: steel<li>Origin: Portugal</ul>"""
    assert pairs(html) == [
        *(("Colour", "blue"), ("Weight", "2 kg"), ("Height", "30 cm"), ("Width", "20 cm"), ("Material", "steel"), ("Origin", "Portugal")),
    ]


def test_wide_tables_single_pairs_sentences_and_footers_are_none() -> None:
    assert pairs("<table><tr><th>a<th>b<th>c<tr><td>1<td>2<td>3</table>") == []
    assert pairs("<dl><dt>Colour<dd>blue</dl>") == []
    assert pairs("<ul><li>We say: nothing at all.<li>It rains again<li>And again</ul>") == []
    assert pairs("<ul><li>Note: it rains<li>Ada rowed<li>Bo slept<li>Then: nothing</ul>") == []
    assert pairs("<table><tr><td>Oats<td>2 kg<tr><td>Rye<td>3 kg<tr><td>Sown<tr><td>Reaped</table>") == []
    assert pairs("<p>x<footer><dl><dt>Phone<dd>1<dt>Fax<dd>2</dl></footer>") == []


def test_json_ld_adds_what_the_page_does_not_show() -> None:
    product = {
        "@type": "Product",
        "brand": {"@type": "Brand", "name": "Harbour"},
        "sku": 4711,
        "weight": {"value": 2.0, "unitText": "kg"},
        "additionalProperty": [{"name": "Colour", "value": "red"}, {"name": "Lid", "value": "yes"}, {"value": "lost"}, 7],
        "offers": [{"price": 19.5, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}],
    }
    html = f'<script type="application/ld+json">{json.dumps(product)}</script><dl><dt>Colour<dd>blue<dt>Size<dd>L</dl>'
    assert pairs(html) == [
        *(("Colour", "blue"), ("Size", "L"), ("brand", "Harbour"), ("sku", "4711"), ("weight", "2 kg"), ("Lid", "yes")),
        *(("price", "19.5"), ("priceCurrency", "EUR"), ("availability", "InStock")),
    ]


def test_malformed_products_say_nothing() -> None:
    for reported in ('{"@type": "Product", "offers": [[]], "brand": [], "sku": null, "additionalProperty": "x"}', "{", '{"@type": 3}'):
        assert pairs(f'<script type="application/ld+json">{reported}</script><p>Text') == []
