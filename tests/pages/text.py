"""Hand-made pages, one per hard case of text and structure: name, markup, and its blocks in reading order.

A block is written as its text; `[how] text` is text kept from view, `marker| text` has a list marker. Words are used once a page.
"""

TEXT = {
    "paragraphs": ("<p>alpha beta</p><p>gamma</p>", ["alpha beta", "gamma"]),
    "inline elements": (
        "<p>alpha <b>beta <i>gamma</i></b> <a href=x>delta</a> <code>epsilon</code></p>",
        ["alpha beta gamma delta epsilon"],
    ),
    "loose text around a block": ("<div>alpha<p>beta</p>gamma</div>", ["alpha", "beta", "gamma"]),
    "a block inside a link": ("<div>alpha <a href=x>beta<div>gamma</div>delta</a> epsilon</div>", ["alpha beta", "gamma", "delta epsilon"]),
    "nested blocks": ("<section><div><div>alpha</div></div><article><p>beta</article></section>", ["alpha", "beta"]),
    "display contents": ("<div>alpha <p style='display:contents'>beta</p> gamma</div>", ["alpha beta gamma"]),
    "display contents around blocks": ("<section style='display:contents'><p>alpha</p><p>beta</p></section>", ["alpha", "beta"]),
    "flex items": ("<div style='display:flex'><span>alpha</span><span>beta</span></div>", ["alpha", "beta"]),
    "loose text in a flex container": ("<div style='display:flex'>alpha<span>beta</span>gamma</div>", ["alpha", "beta", "gamma"]),
    "a grid": (
        "<div style='display:grid;grid-template-columns:1fr 1fr'><p>alpha</p><p>beta</p><p>gamma</p></div>",
        ["alpha", "beta", "gamma"],
    ),
    "columns": ("<div style='columns:2;width:400px'><p>alpha</p><p>beta</p><p>gamma</p></div>", ["alpha", "beta", "gamma"]),
    "a float": ("<p>alpha <span style='float:right'>beta</span> gamma</p>", ["alpha gamma", "beta"]),
    "a drop cap": ("<p><span style='float:left;font-size:60px'>A</span>lpha beta</p>", ["Alpha beta"]),
    "a positioned child": (
        "<p style='position:relative'>alpha <span style='position:absolute;left:300px'>beta</span> gamma</p>",
        ["alpha gamma", "beta"],
    ),
    "a fixed bar": ("<div style='position:fixed;top:0;height:40px'>alpha</div><p style='margin-top:80px'>beta</p>", ["alpha", "beta"]),
    "a sticky heading": ("<h2 style='position:sticky;top:0'>alpha</h2><p>beta</p>", ["alpha", "beta"]),
    "inline-blocks alone": (
        "<nav><a style='display:inline-block'>alpha</a> <a style='display:inline-block'>beta</a></nav>",
        ["alpha", "beta"],
    ),
    "inline-blocks of a heading": (
        "<h1><span style='display:inline-block'>alpha</span> <span style='display:inline-block'>beta</span></h1>",
        ["alpha beta"],
    ),
    "a button in a sentence": ("<p>alpha<button>beta</button>gamma</p>", ["alpha gamma", "beta"]),
    "line breaks": ("<p>alpha<br>beta<br><br>gamma</p>", ["alpha\nbeta\n\ngamma"]),
    "white space folds": ("<p>\n alpha \t beta\n\n gamma  </p>", ["alpha beta gamma"]),
    "a word in pieces": ("<p>al<b>ph</b>a</p>", ["alpha"]),
    "preformatted": ("<pre>\n  alpha\n    beta\n</pre>", ["  alpha\n    beta"]),
    "highlighted code": ("<pre><code><span>alpha</span> = <span>beta</span>\n\tgamma</code></pre>", ["alpha = beta\n\tgamma"]),
    "white-space pre-wrap": ("<p style='white-space:pre-wrap'>alpha  beta\n gamma</p>", ["alpha  beta\n gamma"]),
    "white-space pre-line": ("<p style='white-space:pre-line'> alpha beta \n  gamma </p>", ["alpha beta\ngamma"]),
    "a code listing by divs": (
        "<div style='white-space:pre;font-family:monospace'><div>alpha  x</div><div>  beta</div></div>",
        ["alpha  x", "  beta"],
    ),
    "textual listing tags": ("<listing>alpha\n  beta</listing><xmp><b>gamma</b></xmp>", ["alpha\n  beta", "<b>gamma</b>"]),
    "a table": ("<table><tr><th>alpha<th>beta<tr><td>gamma<td>delta</table>", ["alpha", "beta", "gamma", "delta"]),
    "a table with a caption": (
        "<table><caption>alpha</caption><thead><tr><td>beta</thead><tbody><tr><td>gamma</table>",
        ["alpha", "beta", "gamma"],
    ),
    "a table with empty cells": ("<table border=1><tr><td>alpha<td><td>beta<tr><td><td>gamma<td></table>", ["alpha", "beta", "gamma"]),
    "spans beyond all limits": ("<table><tr><td colspan=10000000000000000>alpha<tr><td rowspan=1e16>beta</table>", ["alpha", "beta"]),
    "a table by css": (
        "<div style='display:table'><div style='display:table-row'><span style='display:table-cell'>alpha</span>"
        "<span style='display:table-cell'>beta</span></div></div>",
        ["alpha", "beta"],
    ),
    "a definition list": ("<dl><dt>alpha<dd>beta<dt>gamma<dd>delta</dl>", ["alpha", "beta", "gamma", "delta"]),
    "a fieldset": ("<form><fieldset><legend>alpha</legend><label>beta <input value=nothing></label></fieldset></form>", ["alpha", "beta"]),
    "a figure": ("<figure><img alt='a picture' src=x.png><figcaption>alpha</figcaption></figure>", ["alpha"]),
    "a quote of blocks": ("<blockquote><p>alpha</p><footer>beta</footer></blockquote>", ["alpha", "beta"]),
    "ruby": ("<p>alpha <ruby>beta<rt>gamma</rt></ruby> delta</p>", ["alpha betagamma delta"]),
    "a formula": ("<p>alpha <math><mi>x</mi><mo>=</mo><mn>2</mn></math> beta</p>", ["alpha \\(x=2\\) beta"]),
    "a displayed formula": (
        "<p>alpha</p><math display=block><mfrac><mi>beta</mi><mi>gamma</mi></mfrac></math>",
        ["alpha", "\\[\\frac{\\mathrm{beta}}{\\mathrm{gamma}}\\]"],
    ),
    "a formula with its source": (
        "<p>alpha <math><semantics><mi>x</mi><annotation encoding='application/x-tex'>y</annotation></semantics></math></p>",
        ["alpha \\(y\\)"],
    ),
    "a formula of KaTeX": (
        "<p>alpha <span class=katex><span class=katex-mathml style='position:absolute;clip:rect(1px,1px,1px,1px)'>"
        "<math><semantics><mi>E</mi>"
        "<annotation encoding='application/x-tex'>E=mc^2</annotation></semantics></math></span><span class=katex-html aria-hidden=true>"
        "<span>E=mc</span><span>2</span></span></span> beta</p>",
        ["alpha \\(E=mc^2\\) beta"],
    ),
    "a formula of MathJax 2": (
        "<p>alpha <span class=MathJax_Preview></span><span class=MathJax><nobr>x2</nobr></span><script type=math/tex>x^2</script> beta</p>",
        ["alpha \\(x^2\\) beta"],
    ),
    "a drawing": ("<svg width=200 height=50><title>no</title><text y=20>alpha</text></svg><p>beta</p>", ["alpha", "beta"]),
    "html in a drawing": ("<svg width=200 height=50><foreignObject width=200 height=50><p>alpha</p></foreignObject></svg>", ["alpha"]),
    "time": ("<p>alpha <time datetime=2024-02-29>beta</time></p>", ["alpha beta"]),
    "noscript": ("<noscript><p>alpha</p></noscript><p>beta</p>", ["alpha", "beta"]),
    "open details": ("<details open><summary>alpha</summary><p>beta</p></details>", ["▾| alpha", "beta"]),
    "an open dialog": ("<dialog open><p>alpha</p></dialog>", ["alpha"]),
    "object fallback": ("<p>alpha</p><object data='missing.bin' type='application/x-none'><p>beta</p></object>", ["alpha", "beta"]),
    "unknown elements": ("<x-card>alpha <x-name>beta</x-name></x-card>", ["alpha beta"]),
    "headings by role": ("<div role=heading aria-level=3>alpha</div><p>beta</p>", ["alpha", "beta"]),
    "soft hyphens and zero-width spaces": ("<p>al&shy;pha be&#8203;ta</p>", ["al\u00adpha be\u200bta"]),
    "no-break spaces": ("<p>alpha&nbsp;beta</p>", ["alpha\u00a0beta"]),
    "entities": ("<p>alpha &amp; beta &lt;gamma&gt;</p>", ["alpha & beta <gamma>"]),
    "emoji beyond the basic plane": ("<p>alpha 👩‍👩‍👧 beta</p>", ["alpha 👩‍👩‍👧 beta"]),
    "Chinese lines": ("<p>今天\n天气 好</p>", ["今天天气 好"]),
    "Thai": ("<p>สวัสดี ครับ</p>", ["สวัสดี ครับ"]),
    "bare links": ("<a href=x>alpha</a> <a href=y>beta</a>", ["alpha beta"]),
    "a nested list": (
        "<ul style='list-style:none'><li>alpha<ul style='list-style:none'><li>beta</ul><li>gamma</ul>",
        ["alpha", "beta", "gamma"],
    ),
    "a form of a thousand names": (
        "<form><input name=firstChild><input name=parentNode><input name=nodeType><p>alpha</p></form>",
        ["alpha"],
    ),
    "a frameset's body": ("<p>alpha</p><frameset><frame></frameset>", ["alpha"]),
    "an empty block between": ("<div>alpha<div></div>beta</div>", ["alpha", "beta"]),
    "text past a deep nest": ("<div>" * 400 + "alpha" + "</div>" * 400 + "<p>beta</p>", ["alpha", "beta"]),
    "letters apart": ("<p style='letter-spacing:9px'>alpha</p><p style='text-transform:uppercase'>beta</p>", ["alpha", "beta"]),
    "clamped lines": (
        "<p style='width:90px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap'>alpha beta gamma delta</p>",
        ["alpha beta gamma delta"],
    ),
}
