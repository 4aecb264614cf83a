"""A document as TEI P5, valid against its content models, and as clean HTML: known tags, everything escaped."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from sightread.document.document import build_document
from sightread.document.formats.tei import to_tei
from sightread.document.metadata.metadata import Metadata
from sightread.document.tree.inlines import Span
from sightread.document.tree.nodes import Cell, Code, Definitions, Entry, Figure, Footnote, Heading, List, Paragraph, Quote, Table
from sightread.render.static.parse import read_html

TEI = "{http://www.tei-c.org/ns/1.0}"
GRAMMAR = """<grammar xmlns="http://relaxng.org/ns/structure/1.0" ns="http://www.tei-c.org/ns/1.0"
  datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
<start><element name="TEI"><optional><attribute name="xml:lang"/></optional><ref name="header"/>
  <element name="text"><element name="body"><oneOrMore><ref name="div"/></oneOrMore></element></element></element></start>
<define name="header"><element name="teiHeader"><element name="fileDesc">
  <element name="titleStmt"><oneOrMore><element name="title"><text/></element></oneOrMore><ref name="authors"/></element>
  <element name="publicationStmt"><element name="publisher"><text/></element><optional><ref name="date"/></optional><element name="availability">
    <choice><element name="licence"><optional><ref name="target"/></optional><text/></element><element name="p"><text/></element></choice></element></element>
  <element name="sourceDesc"><element name="bibl"><element name="title"><text/></element><ref name="authors"/><element name="publisher"><text/></element>
    <optional><ref name="date"/></optional><optional><element name="ptr"><ref name="target"/></element></optional></element></element></element>
  <optional><element name="profileDesc"><optional><element name="abstract"><element name="p"><text/></element></element></optional>
    <optional><element name="textClass"><element name="keywords"><element name="term"><attribute name="type"/><text/></element></element></element>
    </optional></element></optional>
  <optional><element name="revisionDesc"><element name="change"><optional><ref name="when"/></optional><text/></element></element></optional></element></define>
<define name="authors"><zeroOrMore><element name="author"><text/></element></zeroOrMore></define>
<define name="date"><element name="date"><optional><ref name="when"/></optional><text/></element></define>
<define name="when"><attribute name="when"><choice><data type="date"/><data type="gYearMonth"/><data type="gYear"/></choice></attribute></define>
<define name="target"><attribute name="target"><data type="anyURI"/></attribute></define>
<define name="div"><element name="div"><optional><attribute name="type"/></optional><optional><attribute name="n"/></optional>
  <optional><ref name="head"/></optional><oneOrMore><ref name="blocks"/></oneOrMore></element></define>
<define name="head"><element name="head"><ref name="phrase"/></element></define>
<define name="phrase"><zeroOrMore><choice><text/><element name="lb"><empty/></element>
  <element name="hi"><attribute name="rend"/><ref name="phrase"/></element><element name="ref"><optional><attribute name="type"/></optional><optional><ref name="target"/></optional>
    <ref name="phrase"/></element>
  <element name="formula"><attribute name="notation"/><attribute name="rend"/><text/></element>
  <ref name="code"/></choice></zeroOrMore></define>
<define name="code"><element name="code"><optional><attribute name="lang"/></optional><text/></element></define>
<define name="blocks"><choice>
  <element name="p"><optional><attribute name="rend"/></optional><ref name="phrase"/></element>
  <element name="ab"><attribute name="type"/><attribute name="xml:space"/><ref name="code"/></element>
  <element name="figure"><optional><ref name="head"/></optional><optional><element name="figDesc"><text/></element></optional>
    <optional><element name="graphic"><attribute name="url"><data type="anyURI"/></attribute></element></optional></element>
  <element name="note"><attribute name="xml:id"><data type="ID"/></attribute><attribute name="n"/><zeroOrMore><ref name="blocks"/></zeroOrMore></element>
  <element name="quote"><zeroOrMore><ref name="blocks"/></zeroOrMore></element>
  <element name="list"><attribute name="rend"/><oneOrMore><element name="item"><optional><attribute name="n"/></optional>
    <optional><attribute name="rend"/></optional><zeroOrMore><ref name="blocks"/></zeroOrMore></element></oneOrMore></element>
  <element name="table"><optional><ref name="head"/></optional><oneOrMore><element name="row"><attribute name="role"/><oneOrMore><element name="cell">
    <optional><attribute name="role"/></optional><optional><attribute name="cols"/></optional><optional><attribute name="rows"/></optional>
    <zeroOrMore><ref name="blocks"/></zeroOrMore></element></oneOrMore></element></oneOrMore></element>
</choice></define></grammar>"""  # noqa: E501  (a schema is read by columns)
"""What TEI P5 allows in the elements that we write, no more than we use of it: all that it takes `tei_all.rng` takes too."""
SCHEMA = etree.RelaxNG(etree.fromstring(GRAMMAR))

TARGETS = {"link": "https://e.org/a b?c=<d>[e]#f#g%", "note": "1"}
SPANS = ["link", "strong", "emphasis", "code", "deleted", "subscript", "superscript", "math", "display", "note"]
TEXTS = st.lists(
    st.one_of(
        st.text("a\n<&\x00\x0b\ud800é", min_size=1, max_size=8),
        st.builds(lambda text, kind: Span(kind, (text,), TARGETS.get(kind, "")), st.text("b&\n", min_size=1), st.sampled_from(SPANS)),
    ),
    min_size=1,
    max_size=3,
).map(tuple)  # fmt: skip
LEAVES = st.one_of(
    st.builds(Heading, st.integers(1, 6), TEXTS),
    st.builds(Paragraph, TEXTS),
    st.builds(Code, st.text("x<\n\x01"), st.sampled_from(["", "c++", '"<']))
    | st.builds(Figure, st.just('https://e.org/a"b.png'), st.text("a<"), TEXTS | st.just(())),
)
CHILDREN = st.lists(LEAVES, min_size=1, max_size=3).map(tuple)
ROWS = st.lists(st.builds(Cell, CHILDREN, st.booleans(), st.integers(1, 3)), max_size=2).map(tuple)
NODES = st.one_of(
    LEAVES,
    st.builds(Quote, CHILDREN),
    st.builds(List, st.lists(CHILDREN, min_size=1, max_size=2).map(tuple), st.none() | st.integers(0, 9)),
    st.builds(Definitions, st.lists(st.builds(Entry, st.booleans(), CHILDREN), min_size=1, max_size=3).map(tuple)),
    st.builds(Table, st.lists(ROWS, min_size=1, max_size=2).map(tuple), st.integers(0, 1), TEXTS | st.just(())),
)


def check(tei: str) -> etree._Element:
    root = etree.fromstring(tei.encode())
    SCHEMA.assertValid(root)
    return root


NOTES = st.lists(st.builds(Footnote, st.sampled_from(["1", "a-2", "3"]), st.text("1*<\x01"), CHILDREN), unique_by=lambda note: note.label)


@settings(max_examples=60, deadline=None)
@given(st.lists(NODES, max_size=4), NOTES)
def test_any_content_is_valid(nodes: list, notes: list) -> None:
    check(to_tei([*nodes, *notes], Metadata(), ""))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["", "http:", "https://e.org", "https://e.org:80", "mailto:"]), st.text("ab1:/?#[]%@é \\|<{^`&\"'\x00\n", max_size=12)
)
def test_any_address_and_date_is_valid_or_left_out(start: str, rest: str) -> None:
    text = start + rest
    known = Metadata(title=text, published=rest, modified=rest, canonical_url=text, licence=text, language=rest)
    check(to_tei([Paragraph((Span("link", ("a",), text),)), Figure(text, "a")], known, text))


def test_the_header_holds_what_is_known() -> None:
    known = Metadata(
        title="Rain & wind",
        authors=("Ana", "Bo"),
        published="2024-02-03",
        modified="2024-02-04",
        language="pt-BR",
        description="Wet <all> day",
        site_name="The Post",
        page_type="article",
        licence="https://creativecommons.org/licenses/by/4.0/",
    )
    root = check(to_tei([Paragraph(("Text",))], known, "https://post.example/rain"))
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "pt-BR"
    assert [each.text for each in root.iterfind(f".//{TEI}titleStmt/{TEI}author")] == ["Ana", "Bo"]
    assert root.find(f".//{TEI}titleStmt/{TEI}title").text == "Rain & wind"
    assert root.find(f".//{TEI}publicationStmt/{TEI}date").get("when") == "2024-02-03"
    assert root.find(f".//{TEI}licence").get("target") == known.licence
    assert root.find(f".//{TEI}ptr").get("target") == "https://post.example/rain"


def test_a_page_becomes_divisions_with_heads() -> None:
    html = """<p>Lead<h2>One</h2><p>a<br>b <a href="/x">link</a><h2>Two</h2><ol start=3><li>c</ol><ul><li>d</ul>
    <pre class="language-py">x = 1</pre><table><tr><th>h<th>i<tr><td colspan=2>j</table>"""
    page = read_html(html, "https://post.example/")
    root = check(build_document(page, np.ones(len(page.blocks))).tei)
    body = root.find(f".//{TEI}body")
    assert [each.findtext(f"{TEI}head") for each in body] == [None, "One", "Two"]
    assert root.find(f".//{TEI}ref").get("target") == "https://post.example/x"
    lists = [(each.get("rend"), each.find(f"{TEI}item").get("n")) for each in root.iterfind(f".//{TEI}list")]
    assert lists == [("numbered", "3"), ("bulleted", None)]
    assert root.find(f".//{TEI}code").get("lang") == "py"
    assert [row.get("role") for row in root.iterfind(f".//{TEI}row")] == ["label", "data"]


BLOCKS = "article h1 h2 h3 h4 h5 h6 p pre code figure img figcaption blockquote ul ol li dl dt dd table caption thead tbody tr th td"
ALLOWED = {*BLOCKS.split(), "a", "strong", "em", "del", "sub", "sup", "br"}
PAGE = """<html lang="en"><body><h1 onclick="x()">A &lt;script&gt; &amp; more</h1>
<p>a <a href="/x?a=1&b=%22">link</a> <a href="JavaScript:x()">not</a> <a href="mailto:a@example.org">mail</a><br>next</p>
<ol start="3"><li>one<ul><li>two</ul></ol><pre class="language-js">a &lt; b</pre><blockquote>said</blockquote>
<table><caption>c</caption><tr><th colspan="2">h<tr><td rowspan="2">1<td>2<tr><td>3</table>
<figure><img src="/i.png" alt='"quoted"'><figcaption>cap</figcaption></figure><dl><dt>t<dd>d</dl><p>end</body></html>"""


def html_of(source: str) -> str:
    page = read_html(source, "https://example.org/")
    return build_document(page, np.ones(len(page.blocks))).html


def test_each_structure_has_its_tag() -> None:
    assert html_of(PAGE).split("\n") == [
        '<article lang="en">',
        "<h1>A &lt;script&gt; &amp; more</h1>",
        '<p>a <a href="https://example.org/x?a=1&amp;b=%22">link</a> not <a href="mailto:a@example.org">mail</a><br>next</p>',
        '<ol start="3"><li>one<ul><li>two</li></ul></li></ol>',
        '<pre><code class="language-js">a &lt; b</code></pre>',
        "<blockquote><p>said</p></blockquote>",
        '<table><caption>c</caption><thead><tr><th colspan="2">h</th></tr></thead>'
        '<tbody><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></tbody></table>',
        '<figure><img src="https://example.org/i.png" alt="&quot;quoted&quot;"><figcaption>cap</figcaption></figure>',
        "<dl><dt>t</dt><dd>d</dd></dl>",
        "<p>end</p>",
        "</article>",
    ]


@pytest.mark.parametrize("text", ["&lt;img src=x onerror=alert(1)&gt;", "&quot;&gt;&lt;b&gt;", "&amp;lt;"])
def test_text_never_becomes_a_tag(text: str) -> None:
    for html in (f"<p>{text}", f"<pre>{text}</pre>", f"<h2>{text}</h2>", f"<p>a<p><img src='/a.png' alt='{text}'>b"):
        written = html_of(f"<html><body>{html}")
        assert set(re.findall(r"<([a-z0-9]+)", written)) <= ALLOWED
        assert "onerror" not in re.sub(r'&[a-z]+;[^&"]*&[a-z]+;|alt="[^"]*"', "", written)
