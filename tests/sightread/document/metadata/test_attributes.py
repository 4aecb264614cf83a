"""What a page says in pairs."""

import json

import numpy as np

from sightread.document.document import build_document
from sightread.render.static.parse import read_html


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
