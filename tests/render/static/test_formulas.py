"""Formulas as TeX: what the page declares, or its MathML translated. tests/pages has pages for both readers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.render.static.parse import read_html


def text(math: str) -> str:
    return read_html(f"<p>A {math} b.</p>").blocks[0].text


@pytest.mark.parametrize(
    ("math", "tex"),
    [
        ("<math><mfrac><mn>1</mn><msup><mi>x</mi><mn>2</mn></msup></mfrac></math>", r"\(\frac{1}{x^2}\)"),
        (
            "<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi></math>",
            r"\(\sum_{i=1}^ni\)",
        ),
        ("<math><msqrt><mi>α</mi><mo>&#8290;</mo><mi>Λ</mi></msqrt><mi>sin</mi><mi>x</mi></math>", r"\(\sqrt{\alpha\Lambda}\sin x\)"),
        ("<math><mover><mi>v</mi><mo>→</mo></mover><mo>∈</mo><mtext>all  of it</mtext></math>", r"\(\vec{v}\in\text{all of it}\)"),
        ("<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable></math>", r"\(\begin{matrix}1 & 2\end{matrix}\)"),
        ("<math><mover><mi>v</mi><mo>⃗</mo></mover><mtext>&nbsp;if </mtext></math>", r"\(\vec{v}\text{ if}\)"),
        ("<math><mn>2</mn><mo>,</mo><mn>3</mn></math>", r"\({\textstyle 2,3}\)"),
        ("<math><msup><mi>x</mi></msup></math>", r"\(x\)"),
        (r"<math alttext='{\displaystyle \alpha}' display=inline><mi>a</mi></math>", r"\(\alpha\)"),
        ("<span class=katex-display><span class=katex><math><mi>a</mi></math></span></span>", r"\[a\]"),
        ("<script type='math/tex; mode=display'>y^2 % comment</script>", r"\[y^2\]"),
    ],
)
def test_a_formula_is_its_tex(math: str, tex: str) -> None:
    assert text(math) == f"A {tex} b."


def test_an_empty_formula_leaves_nothing() -> None:
    assert text("<math></math>") == "A b."


@given(
    st.lists(
        st.sampled_from(
            ["<math>", "</math>", "<mi>x", "<mfrac>", "</mfrac>", "<msup>", "<mtable><mtr>", "<annotation encoding=tex>", "y", "<p>"]
        )
    )
)
def test_any_markup_is_read(parts: list[str]) -> None:
    assert read_html("".join(parts)).source == "static"


def test_deep_nesting_is_read() -> None:
    assert text("<math>" + "<msqrt>" * 500 + "<mi>x</mi>" + "</msqrt>" * 500 + "</math>").count("sqrt") < 50
