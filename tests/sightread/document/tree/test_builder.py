"""How kept blocks become headings, lists, tables, code, quotes and figures."""

import numpy as np
import pytest

from sightread.document.document import Document, build_document
from sightread.render.static.parse import read_html


def document(html: str, without: tuple[str, ...] = ()) -> Document:
    """The document of an HTML fragment; blocks whose text begins with one of `without` are dropped."""
    page = read_html(f"<html><body>{html}</body></html>", "https://example.org/a/page")
    return build_document(page, np.array([0.0 if block.text.startswith(without or "\0") else 1.0 for block in page.blocks]))


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>Head <b>of</b> <i>it</i></h2><p>Text", "## Head of *it*\n\nText"),
        ("<h3><strong>All bold</strong></h3>", "### All bold"),
        ('<div role="heading" aria-level="4">Told by ARIA</div>', "#### Told by ARIA"),
        ("<p>One<br>two<br><br>three", "One\\\ntwo\n\nthree"),
        ("<p><b>Bold </b>and <i> italic</i>.", "**Bold** and *italic*."),
        (
            '<p><a href="../b">link <b>bold</b></a> <a href="javascript:alert(1)">no link</a>',
            "[link **bold**](https://example.org/b) no link",
        ),
        ('<p><a href="/a">one</a><a href="/b">two</a>', "[one](https://example.org/a) [two](https://example.org/b)"),
        ('<p><a href="/a">新</a><a href="/b">的</a>', "[新](https://example.org/a)[的](https://example.org/b)"),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"),
        ("<ol start=4><li>a<li>b</ol>", "4. a\n5. b"),
        ("<ul><li>a</ul><p>&nbsp;</p><ul><li>b</ul><ul><li>c</ul>", "- a\n- b\n- c"),
        ("<div><ul><li>a</ul></div><div><ul><li>b</ul></div>", "- a\n- b"),
        ("<div><ul><li>a<li>b</ul></div><div><ul><li>c</ul></div>", "- a\n- b\n\n* c"),
        ("<ul><li>a</ul><img src=/x.jpg><ul><li>b</ul>", "- a\n\n![](https://example.org/x.jpg)\n\n- b"),
        ("<ol><li>a</ol><ol start=2><li>b</ol><ol><li>c</ol>", "1. a\n2. b\n\n1) c"),
        ("<ul><li>a<ul><li>b</ul></ul><ol><li>c</ol>", "- a\n  - b\n\n1. c"),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
        ("<li>a<li>b", "- a\n- b"),
        ("<ul><li><p>a<p>b<li><p>c</ul>", "- a\n\n  b\n\n- c"),
        ("<div role=list><div role=listitem>a</div><div role=listitem>b</div></div>", "- a\n- b"),
        ("<ul><li><h3>Card</h3><p>text<li><h3>Card</h3></ul>", "### Card\n\ntext\n\n### Card"),
        ("<ul><li><h3>Large</h3><li><h3>an <i>item</i></h3><ul><li>c</ul></ul>", "- Large\n- an *item*\n  - c"),
        ("<ol><li><h3>a</h3><li><h3>b</h3></ol>", "1. a\n2. b"),
        ("<blockquote><p>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
        ("<pre class='language-py'>if x:\n    y\n</pre>", "```py\nif x:\n    y\n```"),
        ("<div class='highlight-source-c++'><pre>a*b</pre></div>", "```c++\na*b\n```"),
        ("<blockquote class=outer><blockquote><p>a</blockquote></blockquote>", "> a"),
        ("<blockquote><h2>Changes</h2><p>one<blockquote>two</blockquote></blockquote><p>three", "## Changes\n\none\n\n> two\n\nthree"),
        ("<p>one is long<blockquote><h2>Part</h2><p>b</blockquote>", "one is long\n\n> ## Part\n>\n> b"),
        ("<blockquote><table><tr><th>a<th>b<tr><td>1<td>2</table></blockquote>", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<p><code>if x:<br>&nbsp;&nbsp;y</code>", "```\nif x:\n  y\n```"),
        ("<ul class=block><li><pre>void f()</pre><p>Does it.</ul>", "```\nvoid f()\n```\n\nDoes it."),
        (
            "<div class=fragment><div class=line><span>  9</span>&#160;int f() {</div><div class=line><span> 10</span>&#160;    return 0; }"
            "</div></div>",
            "```\nint f() {\n    return 0; }\n```",
        ),
        ("<div class=fragment><p>not code</p></div>", "not code"),
        ("<h2><a href='#f'>◆</a> Function</h2>", "## Function"),
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
        (
            "<table><tr><td colspan=2><h2>Types</h2><tr><td>1<td>2<tr><td>3<td>4</table>",
            "## Types\n\n|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
        ),
        ("<table><tr><th>a<th>b<tr><td>1<td><pre>x\ny</pre></table>", "| a | b |\n| --- | --- |\n| 1 | `x`<br>`y` |"),
        ("<table><thead><tr><td>a<td>b<tbody><tr><td>1<td>2</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<table><tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3</table>", "| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |"),
        (
            "<table><tr><td><h3>a</h3><td><h3>b</h3><tr><td colspan=2><h4>c</h4><tr><td>1<td>2<tr><td>3<td>4</table>",
            "| **a** | **b** |\n| --- | --- |\n| **c** |  |\n| 1 | 2 |\n| 3 | 4 |",
        ),
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


@pytest.mark.parametrize(
    ("cells", "markdown"),
    [
        ("<td><h2>Left</h2><p>text<td><p>side", "## Left\n\ntext\n\nside"),
        ("<td><h1>Name of the page</h1><td>", "# Name of the page"),
        (f"<td><h2>Left</h2><td>{'long ' * 50}", f"## Left\n\n{'long ' * 49}long"),
        ("<td><h2>A</h2><td><h2>B</h2><td><h2>C</h2><td><h2>D</h2><td><h2>E</h2>", "## A\n\n## B\n\n## C\n\n## D\n\n## E"),
    ],
)
def test_a_table_of_headings_and_paragraphs_is_layout(cells: str, markdown: str) -> None:
    html = f"<table><tr>{cells}<tr><td>a<td>b<tr><td>c<td>d</table>"
    assert document(html).markdown == f"{markdown}\n\na\n\nb\n\nc\n\nd"


def test_a_dropped_cell_leaves_its_place_empty_and_a_dropped_row_goes() -> None:
    html = "<table><tr><th>a<th>b<th>c<tr><td>1<td>AD<td>3<tr><td>AD<td>AD<td>AD</table>"
    assert document(html, without=("AD",)).markdown == "| a | b | c |\n| --- | --- | --- |\n| 1 |  | 3 |"


def test_lists_stay_apart_where_something_between_them_was_dropped() -> None:
    assert document("<ul><li>a</ul><h3>DROP</h3><ul><li>b</ul>", without=("DROP",)).markdown == "- a\n\n* b"


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
        ('<p>one</p><div class=teaser><a href="/t"><img src="/x.jpg"><b>DROP teaser</b></a></div><p>two</p>', False),
        ('<p>one</p><p>two</p><p>DROP</p><img src="/x.jpg">', False),
        ('<p>one</p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><p>two</p>', False),
        ('<p>one</p><img src="/track?id=1"><p>two</p>', False),
    ],
)
def test_images_are_kept_where_the_content_is(html: str, is_kept: bool) -> None:
    assert ("![" in document(html, without=("DROP",)).markdown) == is_kept


def test_text_lists_and_tables_are_plain_lines() -> None:
    html = "<h1>T</h1><ul><li>a<ul><li>b</ul></ul><ol><li>c</ol><table><tr><th>x<th>y<tr><td>1<td>2</table><pre>k  v</pre>"
    assert document(html).text == "T\n\n- a\n  - b\n\n1. c\n\nx\ty\n1\t2\n\nk  v"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<h2>Sizes<a href="#sizes" title="Permalink">¶</a></h2>', "## Sizes"),
        ('<h2><a href="#sizes">#</a> Sizes</h2>', "## Sizes"),
        ('<h2><a href="/a/page#sizes">Sizes and <i>weights</i></a></h2>', "## Sizes and *weights*"),
        ('<h2><a href="/other#sizes">Sizes</a></h2>', "## [Sizes](https://example.org/other#sizes)"),
        ('<h2>Sizes</h2><h2><a href="#sizes">#</a></h2><p>Text', "## Sizes\n\nText"),
        ("<h2>Issue #12</h2>", "## Issue #12"),
        ('<h1><a href="/a/page">A <b>page</b></a></h1>', "# A page"),
        ('<h1><a href="/a/other">A page</a></h1>', "# [A page](https://example.org/a/other)"),
        ('<h2><b><a href="#sizes">Sizes</a></b></h2>', "## Sizes"),
        ('<h2>Sizes<span>[<a href="/w?t=S&action=edit&section=1">edit</a>]</span></h2>', "## Sizes"),
        (
            '<h2>Maße<span>[<a href="/w?t=S&veaction=edit">Bearbeiten</a> | <a href="/w?t=S&action=edit">Quelle</a>]</span></h2>',
            "## Maße",
        ),
        ('<h2><a href="/w?action=edit">Edit</a> a page</h2>', "## [Edit](https://example.org/w?action=edit) a page"),
        ("<h3>1. Make a budget<br>2. Choose</h3>", "1. Make a budget\n2. Choose"),
        ("<h3>No gaps.<br>No guesswork.<br>None.</h3>", "### No gaps. No guesswork. None."),
        (f"<h2>{'Standing first. ' * 10}</h2>", "Standing first. " * 9 + "Standing first."),
        (f"<h1>{'Standing first. ' * 10}</h1>", "# " + "Standing first. " * 9 + "Standing first."),
        ('<p><a href="#">Show more</a> of <a href="#it">it</a>', "Show more of [it](https://example.org/a/page#it)"),
        ("<h3>Card</h3><h3>Card</h3><p>text", "### Card\n\ntext"),
        ("<h3>Card</h3><h4>Card</h4>", "### Card\n\n#### Card"),
        ("<p>yes<p>yes", "yes\n\nyes"),
        ("<p><b>one</b> <b>two</b> three", "**one two** three"),
        ('<p><a href="/x">one</a> <a href="/x">two</a>', "[one two](https://example.org/x)"),
        ('<p><b>one</b>&nbsp;<b><a href="/x">two</a></b>&nbsp; <b>three</b>', "**one [two](https://example.org/x) three**"),
        ("<p>In&nbsp;the end.&nbsp; \u200b&nbsp;<i>Yes</i>&nbsp;", "In the end. *Yes*"),
        (
            '<p><a href="/x"><code>flex</code></a> <code><a href="/y">it</a></code>',
            "[`flex`](https://example.org/x) [`it`](https://example.org/y)",
        ),
        ("<p><i><b>Both</b></i> and <b><i>both:</i></b> and <i>not <b>all</b></i>", "***Both*** and ***both:*** and *not __all__*"),
        ('<p>See <a href="https://a.example/b_c">https://a.example/b_c</a>.', "See <https://a.example/b_c>."),
        ('<p>See <a href="https://a.example/">a.example</a>.', "See [a.example](https://a.example/)."),
        ("<p>soft\u00adly \u200bspoken<b>\u200b</b>", "softly spoken"),
        ("<p>• one<br>• two<br>end", "- one\n- two\n\nend"),
        ("<p>• one<p>• <b>two</b>", "- one\n- **two**"),
        ("<p>● only one", "● only one"),
        ("<p>The ranking:<br>1. Finland<br>2. <b>Norway</b><br>end", "The ranking:\n\n1. Finland\n2. **Norway**\n\nend"),
        ("<p>1) Apples<p><b>2) </b>Pears<p>So:<p>3) Plums<br>ripe<p>4) Figs", "1. Apples\n2. Pears\n\nSo:\n\n3. Plums\\\n   ripe\n4. Figs"),
        ("<p>1. Apples<p>Pears", "1\\. Apples\n\nPears"),
        ("<p>1) Apples<p>Pears<p>2) Plums<p>3) Figs", "1\\) Apples\n\nPears\n\n2\\) Plums\n\n3\\) Figs"),
        ("<p>1. <i>Apples<br>2. Pears</i>", "1. *Apples*\n2. *Pears*"),
        ("<p>1. Apples<p>Pears<p>2. Plums", "1\\. Apples\n\nPears\n\n2\\. Plums"),
        ("<p>1. Apples<br>3. Pears<p>2) Plums<p>2019. a year", "1\\. Apples\\\n3\\. Pears\n\n2\\) Plums\n\n2019\\. a year"),
        ("<ul><li>▢ 400 g flour<li>☐ salt</ul>", "- 400 g flour\n- salt"),
        ("<ul><li>• one<li>•two</ul>", "- one\n- two"),
        ("<blockquote><div><ul><li>one<li>two</ul></div></blockquote>", "- one\n- two"),
        ("<blockquote class=wise><ul><li>one</ul></blockquote>", "> - one"),
        ("<p>a<p>___<h2>______</h2><p>* * *<p>b<p>-----", "a\n\nb"),
        ("<pre>-----</pre>", "```\n-----\n```"),
        ("<table><tr><th>a<th>b<tr><td>x<td><p>--</table>", "| a | b |\n| --- | --- |\n| x | -- |"),
        ("<blockquote><pre>x = 1</pre></blockquote><p>y", "```\nx = 1\n```\n\ny"),
        ("<div>one</div><div>|</div><div>two</div>", "one\n\ntwo"),
        ("<table><tr><th>a<th>b<tr><td>x<td>•</table>", "| a | b |\n| --- | --- |\n| x | • |"),
        ("<p>8 kHz* and [Name] and ~5 &amp; more", "8 kHz* and [Name] and ~5 & more"),
        ("<p>* a note", "\\* a note"),
        ("<p>[x] done [^1] [a](b) [c]", "\\[x\\] done \\[^1\\] \\[a\\](b) [c]"),
        (
            "<h1>Room [1 of 2]</h1><p>[a]<sub>(b)</sub> <b>[c]</b>: [d]<time datetime=1>:</time>",
            "# Room [1 of 2]\n\n[a]<sub>(b)</sub> **[c]**: \\[d\\]:",
        ),
        ("<p>one<img src=/x.jpg alt='a [b] *c* [d]'><p>two", "one\n\n![a [b] \\*c\\* [d]](https://example.org/x.jpg)\n\ntwo"),
        ("<table><tr><td><b>a</b><td><b>b</b><tr><td>1<td>2</table>", "| **a** | **b** |\n| --- | --- |\n| 1 | 2 |"),
    ],
)
def test_what_pages_add_to_their_text_is_no_part_of_it(html: str, markdown: str) -> None:
    assert document(html).markdown == markdown


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<div class="highlight-python3 notranslate"><div class="highlight"><pre>x', "python"),
        ('<div class="highlight-default"><pre>x', ""),
        ('<pre class="brush: js notranslate">x', "js"),
        ('<pre class="brush:php;">x', "php"),
        ('<pre><code class="hljs rust">x', "rust"),
        ('<pre class="src src-elisp">x', "elisp"),
        ('<pre class="lang:c++ decode:true">x', "c++"),
        ('<pre class="language-plaintext">x', ""),
        ('<div class="python"><pre class="wide">x', ""),
    ],
)
def test_the_classes_around_code_tell_its_language(html: str, language: str) -> None:
    assert document(html).markdown == f"```{language}\nx\n```"


def test_a_title_that_links_to_the_address_that_the_page_names_as_its_own_is_no_link() -> None:
    page = read_html('<link rel=canonical href=/rain><h1><a href="/rain">Rain</a></h1><p>x', "https://example.org/?p=7")
    assert build_document(page, np.ones(2)).markdown == "# Rain\n\nx"


def test_headings_of_a_page_without_an_address_have_no_permalinks() -> None:
    html = "<h2>Rain<a href='#rain'>¶</a></h2><h2><a href='#wind'>Wind</a></h2><p>See <a href='#rain'>rain</a>, <a href='#'>more</a>."
    page = read_html(html)
    assert build_document(page, np.ones(len(page.blocks))).markdown == "## Rain\n\n## Wind\n\nSee rain, more."


def test_the_label_of_code_is_its_language() -> None:
    block = "<p>one<div><span>CSS</span></div><div>Copy</div><pre{}>a {{}}</pre><p>CSS"
    assert document(block.format("")).markdown == "one\n\n```css\na {}\n```\n\nCSS"
    assert document(block.format(" class=language-css")).markdown == "one\n\n```css\na {}\n```\n\nCSS"
    assert document(block.format(" class=language-scss")).markdown == "one\n\nCSS\n\n```scss\na {}\n```\n\nCSS"
