"""Formulas in TeX, as a text writes them and as images describe them."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sightread.document.document import Document, build_document
from sightread.document.tree.inlines import find_formulas, image_tex
from sightread.render.page import Image
from sightread.render.static.parse import read_html

DRAWN = "https://wiki.example/media/math/render/svg/ab12"


def document(body: str) -> Document:
    page = read_html(f"<html><body>{body}</body></html>", "https://notes.example/")
    return build_document(page, np.ones(len(page.blocks)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"Let \(x_1\) be", [("x_1", False)]),
        (r"so \[E = mc^2\].", [("E = mc^2", True)]),
        (r"of $n$ and $\alpha$, $f(x)$", [("n", False), (r"\alpha", False), ("f(x)", False)]),
        (r"$$\sum_{i=1}^n i$$", [(r"\sum_{i=1}^n i", True)]),
        (
            r"\begin{align*}a &= b \\[2pt] c &= \begin{cases}1\\2\end{cases}\end{align*}",
            [(r"\begin{align*}a &= b \\[2pt] c &= \begin{cases}1\\2\end{cases}\end{align*}", True)],
        ),
        (r"\[{\displaystyle {\displaystyle a_1}}\]", [("a_1", True)]),
        ("$a_1$,$b^2$", [("a_1", False), ("b^2", False)]),
    ],
    ids=["round", "square", "dollar", "dollars", "environment", "sized", "beside"],
)
def test_what_stands_between_delimiters_and_looks_like_tex_is_a_formula(text: str, found: list[tuple[str, bool]]) -> None:
    assert [(each.tex, each.is_display) for each in find_formulas(text)] == found
    assert all(text[each.start] in "$\\" and text[each.end - 1] in "$)]}" for each in find_formulas(text))


@pytest.mark.parametrize(
    "text",
    [
        "from $5 to $10, or US$5/US$10 in $ and $",
        "Price: $$ · Italian · $$ · Mexican, $$$ and $$$",
        "set $FOO_BAR and $BAZ_QUX, or $a_1 and $b_2",
        r"item\(s\) and \[Update: more of this\] and \(see there\)",
        r"an escaped \\(x_1\\) and \$x_1\$",
        "$we like to write prose with an_underscore here and there$",
        "$5$",
    ],
)
def test_prices_variables_of_a_shell_and_escaped_brackets_are_none(text: str) -> None:
    assert find_formulas(text) == []


def test_each_notation_writes_a_formula_once() -> None:
    found = document(r"<p>Let \(x_1 &lt; y\) cost $5.<p>\[E = mc^2\]")
    assert found.markdown == "Let $x_1 < y$ cost \\$5.\n\n$$E = mc^2$$"
    assert found.text == "Let x_1 < y cost $5.\n\nE = mc^2"
    assert '<p>Let <code class="language-math">x_1 &lt; y</code> cost $5.</p>' in found.html
    assert '<pre><code class="language-math">E = mc^2</code></pre>' in found.html
    assert '<formula notation="TeX" rend="inline">x_1 &lt; y</formula>' in found.tei
    assert '<formula notation="TeX" rend="display">E = mc^2</formula>' in found.tei


def test_marks_inside_a_formula_go_and_marks_that_cut_it_stay() -> None:
    assert document(r"<p><b>so \(a_1\)</b> x").markdown == "**so $a_1$** x"
    assert document(r"<p>so \(<i>a</i>_1\) x").markdown == "so $a_1$ x"
    assert document(r"<p><b>so \(a</b>_1\) x").text == r"so \(a_1\) x"


def test_code_is_no_formula() -> None:
    assert document("<p>escape <code>\\*</code> so").markdown == "escape `\\*` so"
    assert document("<p>write <code>$a_1$</code> or <code>\\(</code>x_1<code>\\)</code>").markdown == "write `$a_1$` or `\\(`x_1`\\)`"
    assert document("<pre>$a_1$</pre>").markdown == "```\n$a_1$\n```"


def letters(tex: str) -> str:
    """The TeX without what it does not heed, or a CommonMark parser takes away."""
    return re.sub(r"[\s\\~]", "", tex)


@pytest.mark.parametrize(
    "tex", [r"a*b \quad c*d", "{a}_{1}b + {c}_{2}d", "a<b>c</b>", "f[x](y)", r"a~~b~~c", r"|x| \mid y", r"\operatorname*{argmax}_{x}x*y"]
)
def test_a_parser_that_knows_no_formulas_finds_no_marks_in_them(tex: str) -> None:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    formula = f"x_1 + {tex.replace('<', '&lt;')}"
    for body in (f"<p>*\\({formula}\\)*", f"<table><tr><th>a<th>b<tr><td>*\\({formula}\\)*<td></table>"):
        tokens = [child for token in parser.parse(document(body).markdown) for child in token.children or ()]
        assert {token.type for token in tokens} == {"text"}
        assert letters(tokens[-1].content) == letters(f"*$x_1 + {tex}$*")


@pytest.mark.parametrize(
    ("source", "alt", "tex"),
    [
        (DRAWN, r"{\displaystyle E=mc^{2}}", "E=mc^{2}"),
        (DRAWN, "x", "x"),
        ("https://notes.example/a.png", r"$$\frac{a}{b}$$", r"\frac{a}{b}"),
        ("https://notes.example/a.png", r"\frac{a}{b}", r"\frac{a}{b}"),
        ("https://s0.example/latex.php?latex=x%5E2", "x^2", "x^2"),
        ("https://notes.example/a.png", "", ""),
        ("https://notes.example/a.png", r"A photo of C:\Users\me", ""),
        ("https://notes.example/a.png", "file_{name} of the picture that shows nothing like this", ""),
        ("https://notes.example/a.png", "$5 and $6", ""),
    ],
)
def test_an_image_is_a_formula_where_its_description_is_tex(source: str, alt: str, tex: str) -> None:
    assert image_tex(Image(source, alt, 0, 0)) == tex


def test_images_of_formulas_are_formulas_and_what_says_the_same_unseen_is_left_out() -> None:
    mathml = '<span style="display:none"><math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math></span>'
    drawn = f'<span>{mathml}<img src="{DRAWN}" alt="{{\\displaystyle E=mc^{{2}}}}"></span>'
    body = f"<p>Energy is<dl><dd>{drawn}</dl><p>by mass, or<dl><dd>{drawn}</dl><p>again"
    whole = "Energy is\n\n$$E=mc^{2}$$\n\nby mass, or\n\n$$E=mc^{2}$$\n\nagain"
    assert document(body).markdown == whole
    assert document(body).without("images").markdown == whole
    assert "E=mc^2" in document(body.replace(DRAWN, "/photo.jpg").replace("displaystyle E", "displaystyle F")).text


@settings(max_examples=50, deadline=None)
@given(st.text("$\\()[]{}ab_^ \n*=<", max_size=60))
def test_any_text_is_read(text: str) -> None:
    found = find_formulas(text)
    assert all(first.end <= second.start for first, second in pairwise(found))
    shown = text.replace("<", "&lt;")
    assert isinstance(document(f"<p>{shown}").markdown, str)
