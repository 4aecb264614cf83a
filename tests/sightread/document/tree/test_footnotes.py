"""Footnotes: references and their notes, in every notation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt

from sightread.document.document import Document, build_document
from sightread.render.static.parse import read_html

URL = "https://notes.example/rain"
BODY = """<p>It rained<sup id="fnref1"><a href="#fn1">1</a></sup> and blew<sup><a href="#fn2">2</a></sup>.</p><h2>Notes</h2>
<ol><li id="fn1"><p>For <b>three</b> days. <a href="#fnref1">↩</a></p></li>
<li id="fn2"><p>As <a href="/told">told</a>.</p><p>And more.</p></li></ol>
<p>The end."""


def document(body: str, *dropped: str, url: str = URL) -> Document:
    page = read_html(f"<html><body>{body}</body></html>", url)
    return build_document(page, np.array([float(not any(word in block.text for word in dropped)) for block in page.blocks]))


def test_notes_stand_at_the_end_of_the_markdown_and_references_name_them() -> None:
    assert document(BODY).markdown == (
        "It rained[^1] and blew[^2].\n\n## Notes\n\nThe end.\n\n[^1]: For **three** days.\n\n"
        "[^2]: As [told](https://notes.example/told). And more."
    )


def test_each_notation_has_its_notes() -> None:
    found = document(BODY)
    assert found.text == "It rained[1] and blew[2].\n\nNotes\n\nThe end.\n\n[1] For three days.\n\n[2] As told.\nAnd more."
    assert '<p>It rained<sup><a href="#note-1">[1]</a></sup>' in found.html
    assert '<div id="note-1"><p><sup>1</sup> For <strong>three</strong> days.</p></div>' in found.html
    root = etree.fromstring(found.tei.encode())
    notes = root.findall(".//{*}note")
    assert [(note.get("n"), note.get("{http://www.w3.org/XML/1998/namespace}id")) for note in notes] == [("1", "note-1"), ("2", "note-2")]
    assert [ref.get("target") for ref in root.iterfind(".//{*}ref[@type='note']")] == ["#note-1", "#note-2"]


def test_html_read_again_has_the_same_notes() -> None:
    once = document(BODY).html
    assert document(once).html == once


def test_the_note_of_a_kept_mark_is_kept_whatever_its_probability() -> None:
    found = document(BODY, "three", "told", "more")
    assert found.markdown == document(BODY).markdown
    assert [found.reasons[place] for place in (2, 3, 4)] == ["footnote"] * 3


def test_a_mark_whose_note_is_not_on_the_page_is_its_text() -> None:
    assert document('<p>It rained<sup><a href="#fn9">9</a></sup>.').markdown == "It rained<sup>9</sup>."


NOTATIONS = pytest.mark.parametrize(
    ("reference", "note"),
    [
        ('<sup class="reference"><a href="#cite_note-1"><span>[</span>1<span>]</span></a></sup>',
         '<ol><li id="cite_note-1"><span><b><a href="#cite_ref-1">^</a></b></span> <span>Said Ana.</span></li></ol>'),
        ('<a href="#_ftn1" name="_ftnref1">[1]</a>', '<p><a href="#_ftnref1" name="_ftn1">[1]</a> Said Ana.</p>'),
        ('<a href="#sdfootnote1sym"><sup>1</sup></a>', '<div><p><a href="#sdfootnote1anc">1</a> Said Ana.</p></div>'),
        ('[<a href="#id3">1</a>]', '<table><tr id="id3"><td>[1]</td><td>Said Ana.</td></tr></table>'),
        ('<a href="#id3">[1]</a>', '<aside id="id3"><span>[<a href="#id2">1</a>]</span><p>Said Ana.</p></aside>'),
        ('<sup><a href="#x" role="doc-noteref">1</a></sup>', '<p id="x">1. Said Ana. <a href="#y">Back to the text</a></p>'),
        ('<a href="https://notes.example/rain#note1">1</a>', '<p id="note1"><sup>1</sup> Said Ana.</p>'),
        ('<a href="#footnote-1">1</a>', '<div><a href="#footnote-anchor-1">1</a><div><p>Said Ana.</p></div></div>'),
        ('<a href="#id2" id="id1">1</a>', '<dl><dt id="id2"><span>[<a href="#id1">1</a>]</span></dt><dd><p>Said Ana.</p></dd></dl>'),
        ('<a href="#n1">1</a>', '<aside role="doc-footnote" id="n1"><p>Said Ana. <a role="doc-backlink" href="#r1">Zurück</a></p></aside>'),
        ('<a href="#n1" id="r1"><sup>1</sup></a>', '<ol><li id="n1">Said Ana. <a href="#r1">本文に戻る</a></li></ol>'),
        ('<sup><a href="#n1">1</a></sup>', '<p><a name="n1"></a>1. Said Ana. <a href="#r1">↩</a></p>'),
        ('<sup><a href="#n1">1</a></sup>', '<ol><li><span id="n1"></span>Said Ana.</li></ol>'),
        ('<a href="#n1" id="r1">1</a>', '<div><a id="n1" href="#r1">1</a><div><p>Said Ana.</p></div></div>'),
    ],
    ids=[
        *("wikipedia", "word", "libreoffice", "docutils", "sphinx", "roles", "named", "newsletter", "definitions", "plain with a role"),
        *("back in words", "an empty anchor", "an anchor in an item", "an anchor that is the mark"),
    ],
)  # fmt: skip


@NOTATIONS
def test_the_ways_of_writing_notes_are_all_read(reference: str, note: str) -> None:
    assert document(f"<p>It rained{reference}.{note}<p>End").markdown == "It rained[^1].\n\nEnd\n\n[^1]: Said Ana."


def test_a_note_may_be_before_its_mark_and_hold_lists_and_code() -> None:
    before = '<p id="n1">1. Said Ana. <a href="#r1">back</a></p><p>It rained<sup id="r1"><a href="#n1">1</a></sup>.'
    assert document(before).markdown == "It rained[^1].\n\n[^1]: Said Ana."
    held = '<p>It rained<sup><a href="#n1">1</a></sup>.<ol><li id="n1"><p>Said Ana.</p><ul><li>once</ul><pre>x = 1</pre></li></ol>'
    assert document(held).markdown == "It rained[^1].\n\n[^1]: Said Ana.\n\n    - once\n\n    ```\n    x = 1\n    ```"


@pytest.mark.parametrize(
    "body",
    [
        '<p>Pages <a href="#page1">1</a> <a href="#page2">2</a><p id="page1">One<p id="page2">Two',
        '<p><a href="#top">[1]</a><p id="top">One',
        '<p>See<sup><a href="#part">1</a></sup><div id="part"><h2>Part</h2><p>Long</div>',
        f'<p>See<sup><a href="#part">1</a></sup><div id="part">{"<p>line" * 21}</div>',
        f'<p>See<sup><a href="#part">1</a></sup><div id="part">{"word " * 1001}</div>',
        '<p id="x">Before</p><p>See<sup><a href="#x">1</a></sup>',
        '<div id="all"><p>See<sup><a href="#all">1</a></sup><p>More</div>',
        '<p>See <sup><a href="https://other.example/#x">1</a></sup><p id="x">Text',
        '<p>See <a href="#x">[the chapter on rain]</a><p id="x">Text',
    ],
    ids=["pages", "alone", "section", "many", "long", "before", "around", "elsewhere", "words"],
)
def test_what_only_looks_like_a_reference_is_none(body: str) -> None:
    assert "[^" not in document(body).markdown


def test_notes_of_one_mark_have_names_of_their_own() -> None:
    text = "".join(f'word<sup><a href="#x{number}">{mark}</a></sup> ' for number, mark in enumerate("**1"))
    body = f"<p>{text}<p id=x0>* One<p id=x1>* Two<p id=x2>Three"
    assert document(body).markdown == "word[^1] word[^2] word[^1-2]\n\n[^1]: One &nbsp;\n\n[^2]: Two &nbsp;\n\n[^1-2]: Three &nbsp;"


@pytest.mark.parametrize(
    "note", ["Word", "https://e.example/", '<a href="https://e.example/">it</a>', "Ana (2020)", 'Ana "Rain"', "Ana 'x", "Two words"]
)
def test_a_commonmark_parser_takes_no_note_for_the_definition_of_a_link(note: str) -> None:
    tree = MarkdownIt("commonmark").parse(document(f"<p>See<sup><a href='#x'>1</a></sup><p id=x>{note}").markdown)
    texts = ["".join(child.content for child in token.children or ()) for token in tree if token.type == "inline"]
    assert texts[0] == "See[^1]"
    assert texts[1].startswith("[^1]: ")


def test_what_follows_a_reference_makes_no_link_and_no_definition_of_it() -> None:
    marks = '<sup><a href="#x">1</a></sup>'
    written = document(f"<p>{marks}: so{marks}(see){marks}<p id=x>The note").markdown
    assert written.startswith("[^1]\\: so[^1]\\(see)[^1]\n")
    tokens = MarkdownIt("commonmark").parse(written)[1].children or ()
    assert "".join(token.content for token in tokens) == "[^1]: so[^1](see)[^1]"


def test_text_that_looks_like_a_reference_in_markdown_is_escaped() -> None:
    assert document("<p>write [^1] so").markdown == "write \\[^1\\] so"


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(['<sup><a href="#{}">1</a></sup>', '<p id="{}">', "[", "]", "<b>", "text ", '<a href="#{}">^</a>']), max_size=12
    )
)
def test_any_page_has_notes_or_none(parts: list[str]) -> None:
    html = "<p>".join(part.replace("{}", f"x{place % 3}") for place, part in enumerate(parts))
    for written in (document(html).markdown, document(html).html, document(html).text):
        assert isinstance(written, str)
    etree.fromstring(document(html).tei.encode())
