"""From probabilities to a document."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from sightread.classify.evaluation import expected_f1
from sightread.document.document import SELECTORS, blocks_within, build_document, choose_blocks
from sightread.document.formats.json import DocumentRecord
from sightread.reading import read_static
from sightread.render.errors import Rejected
from sightread.render.page import Block, Element, Page
from sightread.render.static.parse import read_html

ARTICLE = """<html lang="en"><head><title>Rain over Lisbon | The Daily Post</title>
<meta property="og:site_name" content="The Daily Post"></head><body><nav><a href="/">Home</a></nav>
<article><h1>Rain over Lisbon</h1><p>It rained for <b>three</b> days.</p><ul><li>Monday<li>Tuesday</ul><p>Then it stopped.</p></article>
<footer>All rights reserved</footer></body></html>"""
PAGE = read_html(ARTICLE, "https://post.example/rain")
CONTENT = np.array([0.1, 0.9, 0.95, 0.8, 0.8, 0.5, 0.499])


def test_blocks_from_one_half_on_are_kept_in_document_order() -> None:
    document = build_document(PAGE, CONTENT)
    assert [block.text for block in document.blocks] == [
        "Rain over Lisbon",
        "It rained for three days.",
        "Monday",
        "Tuesday",
        "Then it stopped.",
    ]
    assert document.probabilities.tolist() == [0.9, 0.95, 0.8, 0.8, 0.5]
    assert document.text == "Rain over Lisbon\n\nIt rained for three days.\n\n- Monday\n- Tuesday\n\nThen it stopped."
    assert document.markdown == "# Rain over Lisbon\n\nIt rained for **three** days.\n\n- Monday\n- Tuesday\n\nThen it stopped."
    assert (document.url, document.reason) == ("https://post.example/rain", "")


def test_a_headline_without_a_heading_tag_is_known_by_the_page_title() -> None:
    page = read_html(ARTICLE.replace("h1>", "div>"), "https://post.example/rain")
    assert build_document(page, CONTENT).markdown.startswith("# Rain over Lisbon\n")


def test_a_page_of_which_nothing_is_kept_gives_an_empty_document_that_states_why() -> None:
    document = build_document(PAGE, np.full(7, 0.3))
    assert (document.text, document.markdown, document.blocks, document.expected_f1) == ("", "", (), 0.0)
    assert document.html == '<article lang="en">\n</article>'
    assert document.reason == "no block reaches a probability of 0.5 (the highest is 0.30)"
    assert document.metadata.title == "Rain over Lisbon"


def test_a_page_without_text_gives_an_empty_document() -> None:
    page = read_html("<html><body><img src=x.png></body></html>", "https://post.example/")
    document = build_document(page, np.zeros(0))
    assert (document.text, document.reason) == ("", "the page shows no text")


def test_json_holds_the_documented_keys() -> None:
    record = json.loads(build_document(PAGE, CONTENT, model="stub").to_json())
    assert list(record) == [
        *("schema", "url", "model", "version", "expected_f1", "forecast"),
        *("reason", "note", "notes", "metadata", "text", "markdown", "blocks", "hidden"),
    ]
    assert (record["schema"], record["model"], record["metadata"]["site_name"]) == (1, "stub", "The Daily Post")
    assert [block["kind"] for block in record["blocks"]] == ["heading", "paragraph", "item", "item", "paragraph"]
    item = {"kind": "item", "text": "Monday", "probability": 0.8, "tag_path": "body/article/ul/li", "box": None, "reason": "probability"}
    assert record["blocks"][2] == item


def test_each_block_is_reported_by_what_it_is_in_the_document() -> None:
    html = """<p>a<pre>b</pre><blockquote>c<ul><li>d</ul></blockquote><dl><dt>e<dd>f</dl>
    <figure><img src=x.png><figcaption>g</figcaption></figure>
    <table><caption>h</caption><tr><th>i<th>j<tr><td>k<td>l</table><table><tr><td>layout</table><ul><li><h2>card</h2></ul>
    <ul><li><h2>m</h2><li><h2>n</h2></ul><table><tr><td><h2>o</h2><td>p<tr><td>q<td>r<tr><td>s<td>t</table>"""
    page = read_html(html, "https://post.example/")
    kinds = {block["text"]: block["kind"] for block in json.loads(build_document(page, np.ones(len(page.blocks))).to_json())["blocks"]}
    assert kinds == {
        **{"a": "paragraph", "b": "code", "c": "quote", "d": "item", "e": "definition", "f": "definition", "g": "caption", "h": "caption"},
        **dict.fromkeys("ijklopqrst", "cell"),
        **dict.fromkeys("mn", "item"),
        **{"layout": "paragraph", "card": "heading"},
    }


def test_what_is_left_out_is_reported_with_its_reason() -> None:
    page = Page(
        url="",
        final_url="",
        source="browser",
        elements=(Element("body", -1), Element("p", 0), Element("h2", 0)),
        blocks=(Block("Twice", 2, heading=2), Block("Twice", 2, heading=2), Block("unseen", 1, hidden="display"), Block("weak", 1)),
    )
    document = build_document(page, np.array([0.9, 0.9, 0.4, 0.2]))
    assert [(each.row, each.text, each.probability, each.reason) for each in document.left_out] == [
        *((1, "Twice", 0.9, "duplicate"), (2, "unseen", 0.4, "hidden"), (3, "weak", 0.2, "low probability")),
    ]
    assert "left_out" not in json.loads(document.to_json())
    assert json.loads(document.to_json("left_out"))["left_out"][2] == {
        "row": 3,
        "text": "weak",
        "probability": 0.2,
        "reason": "low probability",
    }


def test_another_threshold_gives_another_document() -> None:
    document = build_document(PAGE, CONTENT)
    assert len(document.from_threshold(0.85).blocks) == 2
    assert len(document.from_threshold(0.4).blocks) == 6
    assert [each.text for each in document.from_threshold(0.4).left_out] == ["Home"]


def test_json_is_what_its_schema_says() -> None:
    also = ("posts", "attributes", "left_out", "spans")
    reported = build_document(PAGE, CONTENT).to_json(*also)
    assert msgspec.json.decode(reported, type=DocumentRecord, strict=True).text.startswith("Rain over Lisbon")
    formats = Path("docs/formats.md").read_text()
    section = formats[formats.index("## Document") :]
    keys = [*json.loads(reported), *json.loads(reported)["metadata"], *json.loads(reported)["blocks"][0]]
    assert [key for key in keys if f"`{key}`" not in section] == []


def test_confidence_is_full_where_the_model_is_sure_and_falls_with_doubt() -> None:
    def promised(probabilities: list[float]) -> float:
        found = np.array(probabilities)
        return expected_f1(found, np.array([10.0, 10.0]), found >= 0.5)

    assert promised([1.0, 0.0]) == 1.0
    assert promised([0.5, 0.0]) == pytest.approx(2 / 3)
    assert promised([1.0, 0.4]) == pytest.approx(2 / 2.4)
    assert promised([0.4, 0.4]) == 0.0


def test_what_was_recovered_is_kept_whole_and_said_whatever_a_model_thinks_of_it():
    page = replace(read_html("<p>It runs all night.<p>Nobody stops it."), source="browser", recovered_from="noscript")
    page = replace(page, blocks=tuple(msgspec.structs.replace(block, hidden="display") for block in page.blocks))
    document = build_document(page, np.zeros(2))
    assert [block.text for block in document.blocks] == ["It runs all night.", "Nobody stops it."]
    assert (document.reason, document.note) == (
        "",
        "the page shows no text: this is its <noscript> text",
    )
    reported = replace(page, recovered_from="json-ld")
    assert build_document(reported, np.zeros(2)).note == "the page shows no text: this is the text of its JSON-LD"


def test_comments_that_were_excluded_stay_out_at_another_level_and_their_reason_is_given() -> None:
    byline = '<a href="/user/7">Ann</a> <time datetime="2024-05-0{0}">May</time>'
    comment = f'<div class="comment">{byline}<p>I saw it fall on day {{0}}, from the pier.<img src="/c{{0}}.jpg"></p></div>'
    html = "<h1>Bridge</h1><p>The old bridge fell into the river.</p>" + "".join(map(comment.format, (1, 2, 3)))
    page = read_html(html, "https://a.example/news/1")
    document = build_document(page, np.ones(len(page.blocks)))
    assert "from the pier" in document.text and "c1.jpg" in document.markdown
    for without in (document.without("comments"), document.without("comments").from_threshold(0.4)):
        assert without.markdown == "# Bridge\n\nThe old bridge fell into the river."
        assert {each.reason for each in without.left_out if "pier" in each.text} == {"unwanted"}
        assert without.rows == without.selection.rows


HEADINGS = {
    "Form<span>[<a href=/e>edit</a>]</span>": "Form",
    "Form <span>[<a href=/e>edit</a> | <a href=/s>edit source</a>]</span>": "Form",
    "Form<a href=#form>\U0001f517</a>": "Form",
    "Form <a href=#form>Permalink to this heading</a>": "Form",
    "Form <button>Copy link</button> <span>Link copied!</span>": "Form",
    "C#": "C#",
    "Issue #4": "Issue #4",
    "[draft] Plan": "[draft] Plan",
}


@pytest.mark.parametrize("html", HEADINGS)
def test_controls_of_a_heading_are_in_no_format(html: str) -> None:
    page = read_html(f"<h1>{html}</h1><p>Text", "https://example.org/a")
    found = build_document(page, np.ones(len(page.blocks)))
    assert [block.text for block in found.blocks] == [HEADINGS[html], "Text"]
    assert found.metadata.title == HEADINGS[html]


SHORTCODES = {
    '<p>[vc_row type="full"][vc_column]<p>[vc_text]Dry.[/vc_text]<p>[/vc_column][/vc_row]': "Dry.",
    "<p>[caption id=\u201da\u201d width=\u201d3\u2033]A boat[/caption]": "A boat",
    '<p>[gallery ids="1,2"]<p>[embed]https://e.example/[/embed]': "https://e.example/",
    '<p>{{< figure src="a.png" >}}<p>So.': "So.",
    "<p>He [sic] said [1] [...] [Update: no] array[i], a[my_key] [note from the editor]": None,
    '<p>Write <code>[gallery ids="1"]</code>': None,
}


@pytest.mark.parametrize("html", SHORTCODES)
def test_shortcodes_are_no_text_and_brackets_of_people_are(html: str) -> None:
    page = read_html(html)
    found = build_document(page, np.ones(len(page.blocks)))
    assert found.text == (SHORTCODES[html] or page.blocks[0].text)


# Documents of what CSS selectors match, and of the whole page.


STORY = "The lighthouse at the end of the pier was painted green last summer, and nobody in the town could say who had done it. " * 3
SELECTED_PAGE = f"""<html lang="en"><head><title>The green lighthouse</title></head><body>
<nav class="top main"><a href="/">Home page of the paper</a></nav>
<article id="story"><h1>The green lighthouse</h1><p>{STORY}</p><p class="aside note">An aside by the editors.</p>
<table><tr><td>1701</td><td>green</td></tr></table></article>
<footer role="contentinfo"><p>All rights reserved.</p></footer></body></html>"""


@pytest.fixture(scope="module")
def document():
    return read_static(SELECTED_PAGE, "https://post.example/lighthouse", "boilerpipe").document


def texts(document, selector):
    return [document.page.blocks[row].text for row in sorted(blocks_within(document.page, [selector]))]


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("footer", ["All rights reserved."]),
        ("[role=contentinfo]", ["All rights reserved."]),
        ("nav.main.top", ["Home page of the paper"]),
        ("article > p + .note", ["An aside by the editors."]),
        ("#story td:first-child", ["1701"]),
        ("p:not(#story p)", ["All rights reserved."]),
        ("video", []),
    ],
)
def test_selectors_match_as_in_a_browser(document, selector, found):
    assert texts(document, selector) == found


def test_keep_takes_the_matched_elements_alone_and_drop_leaves_some_out(document):
    kept = choose_blocks(document, keep=["#story", "footer"], drop=[".note", "table"])
    assert kept.text.startswith("The green lighthouse\n") and kept.text.endswith("All rights reserved.")
    assert "editors" not in kept.text and "1701" not in kept.text and "Home page" not in kept.text
    assert kept.model == SELECTORS and "unwanted" in kept.selection.reasons


def test_what_is_no_selector_is_refused(document):
    with pytest.raises(Rejected, match=r"'p\[' is no CSS selector: correct it"):
        choose_blocks(document, drop=["p["])
