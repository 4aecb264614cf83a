"""The clean HTML of a document: known tags, everything escaped."""

import re

import numpy as np
import pytest

from sightread.document.document import build_document
from sightread.render.static.parse import read_html

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


def test_html_read_again_gives_the_same_html() -> None:
    once = html_of(PAGE.replace(' class="language-js"', ""))
    assert html_of(once).split("\n")[1:] == once.split("\n")[1:]
