"""How kept blocks become headings, lists, tables, code, quotes and figures."""

import numpy as np
import pytest

from classify.document import Document, build_document
from render.static import read_html


def document(html: str, without: tuple[str, ...] = ()) -> Document:
    """The document of an HTML fragment; blocks whose text begins with one of `without` are dropped."""
    page = read_html(f"<html><body>{html}</body></html>", "https://example.org/a/page")
    return build_document(page, np.array([0.0 if block.text.startswith(without or "\0") else 1.0 for block in page.blocks]))


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>Head <b>of</b></h2><p>Text", "## Head **of**\n\nText"),
        ("<h3><strong>All bold</strong></h3>", "### All bold"),
        ('<div role="heading" aria-level="4">Told by ARIA</div>', "#### Told by ARIA"),
        ("<p>One<br>two<br><br>three", "One\\\ntwo\n\nthree"),
        ("<p><b>Bold </b>and <i> italic</i>.", "**Bold** and *italic*."),
        (
            '<p><a href="../b">link <b>bold</b></a> <a href="javascript:alert(1)">no link</a>',
            "[link **bold**](https://example.org/b) no link",
        ),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"),
        ("<ol start=4><li>a<li>b</ol>", "4. a\n5. b"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
        ("<ul><li>a<ul><li>b</ul></ul><ol><li>c</ol>", "- a\n  - b\n\n1. c"),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
        ("<li>a<li>b", "- a\n- b"),
        ("<ul><li><p>a<p>b<li><p>c</ul>", "- a\n\n  b\n\n- c"),
        ("<div role=list><div role=listitem>a</div><div role=listitem>b</div></div>", "- a\n- b"),
        ("<ul><li><h3>Card</h3><p>text</ul>", "### Card\n\ntext"),
        ("<blockquote><p>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
        ("<pre class='language-py'>if x:\n    y\n</pre>", "```py\nif x:\n    y\n```"),
        ("<div class='highlight-source-c++'><pre>a*b</pre></div>", "```c++\na*b\n```"),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "**a**\\\nb\n\n**c**\\\nd"),
    ],
)
def test_tags_become_structure(html: str, markdown: str) -> None:
    assert document(html).markdown == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<table><caption>Sizes</caption><tr><th>a<td>1<tr><th>b<td>2</table>", "Sizes\n\n|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |"),
        ("<table><thead><tr><td>a<td>b<tbody><tr><td>1<td>2</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<table><tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3</table>", "| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |"),
        ("<table><tr><th>a<th>b<tr><td>1<td><p>x<p>y</table>", "| a | b |\n| --- | --- |\n| 1 | x<br>y |"),
    ],
)
def test_tables_of_data_stay_tables(html: str, markdown: str) -> None:
    assert document(html).markdown == markdown


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>one<tr><td>two</table>",
        "<table><tr><td>one<td>two</table>",
        "<table role=presentation><tr><td>one<td><tr><td>two<td></table>",
        "<table><tr><td><table><tr><td>one</table><td>two</table>",
    ],
)
def test_tables_that_arrange_a_page_vanish(html: str) -> None:
    assert document(html).markdown == "one\n\ntwo"


def test_a_table_of_headings_and_paragraphs_is_layout() -> None:
    html = "<table><tr><td><h2>Left</h2><p>text<td><p>side<tr><td>a<td>b</table>"
    assert document(html).markdown == "## Left\n\ntext\n\nside\n\na\n\nb"


def test_a_dropped_cell_leaves_its_place_empty_and_a_dropped_row_goes() -> None:
    html = "<table><tr><th>a<th>b<th>c<tr><td>1<td>AD<td>3<tr><td>AD<td>AD<td>AD</table>"
    assert document(html, without=("AD",)).markdown == "| a | b | c |\n| --- | --- | --- |\n| 1 |  | 3 |"


def test_a_cell_with_an_image_keeps_its_column() -> None:
    html = '<table><tr><th>a<th>b<tr><td>1<td><img src="x.png" alt="icon"> two</table>'
    row = document(html).markdown.split("\n")[-1]
    assert row == "| 1 | ![icon](https://example.org/a/x.png)<br>two |"


def test_the_line_numbers_beside_code_are_left_out() -> None:
    html = "<table><tr><td><pre>1\n2</pre><td><pre class=lang-sh>ls\ncd</pre></table>"
    assert document(html).markdown == "```sh\nls\ncd\n```"


def test_a_list_whose_parent_words_were_dropped_moves_up() -> None:
    html = "<ul><li>DROP<ul><li>a<li>b</ul><li>c</ul>"
    assert document(html, without=("DROP",)).markdown == "- a\n- b\n- c"


@pytest.mark.parametrize("tag", ["blockquote", "ul><li", "ol><li", "div role=list><div role=listitem"])
def test_nesting_beyond_all_reason_does_no_harm(tag: str) -> None:
    assert document(f"<{tag}>" * 3000 + "deep").text.endswith("deep")


def test_a_table_that_claims_huge_spans_stays_small() -> None:
    cells = "<td colspan=1000 rowspan=65534>x" * 30
    assert len(document(f"<table><tr>{cells}<tr>{cells}</table>").markdown) < 100_000


def test_a_figure_takes_its_caption() -> None:
    html = '<p>a<figure><img src="/m.jpg" alt="Map"><figcaption>The <i>map</i></figcaption></figure><p>b'
    assert document(html).markdown == "a\n\n![Map](https://example.org/m.jpg)\n\nThe *map*\n\nb"
    assert document(html).text == "a\n\nThe map\n\nb"


@pytest.mark.parametrize(
    ("html", "is_kept"),
    [
        ('<div><p>one</p><img src="/x.jpg"><p>two</p></div>', True),
        ('<div><img src="/x.jpg"><p>one</p><p>two</p></div>', True),
        ('<p>one</p><figure><img src="/x.jpg"><figcaption>DROP credit</figcaption></figure><p>two</p>', True),
        ('<p>one</p><div class=teaser><img src="/x.jpg"><b>DROP teaser</b></div><p>two</p>', False),
        ('<p>one</p><p>two</p><p>DROP</p><img src="/x.jpg">', False),
        ('<p>one</p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><p>two</p>', False),
        ('<p>one</p><img src="/track?id=1"><p>two</p>', False),
    ],
)
def test_images_are_kept_where_the_content_is(html: str, is_kept: bool) -> None:
    assert ("![" in document(html, without=("DROP",)).markdown) == is_kept


def test_an_image_that_the_page_repeats_is_shown_once() -> None:
    assert document('<p>a<p><img src="/x.jpg">b<p><img src="/x.jpg">c').markdown.count("x.jpg") == 1


def test_text_lists_and_tables_are_plain_lines() -> None:
    html = "<h1>T</h1><ul><li>a<ul><li>b</ul></ul><ol><li>c</ol><table><tr><th>x<th>y<tr><td>1<td>2</table><pre>k  v</pre>"
    assert document(html).text == "T\n\n- a\n  - b\n\n1. c\n\nx\ty\n1\t2\n\nk  v"
