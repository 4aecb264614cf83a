r"""Formulas of a parsed document as TeX: MathML, KaTeX and MathJax show letters in a layout that plain text loses.

Each formula is replaced by its TeX between `\(` and `\)`, or `\[` and `\]` if it is on a line of its own: the TeX that the page declares
(`alttext`, an `annotation`, a MathJax script), else a translation of its presentation MathML. The rendering beside it is removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from unicodedata import lookup

from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST_STYLES = 10
"""Size commands around a formula that are removed, one inside the other."""
STYLED = re.compile(r"\{\\(?:displaystyle|textstyle|scriptstyle) (.*)\}", re.DOTALL)
_SURELY_TEX = re.compile(r"\\[A-Za-z]+|[\^_=<>+]|\A(?:[A-Za-z]'*|-?\d+(?:\.\d+)?)\Z")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n")
_RENDERING = re.compile(r"\bMathJax(?:_\w+)?\b|\bmjx-chtml\b")
"""Class names of what MathJax 2 renders before its script."""

MOST_FORMULAS = 2000
"""Formulas of one page; the rest keeps its text."""
MOST_DEPTH = 40
"""Levels of nested MathML, from which on a part is its text."""

_TEX_OF = r"""
    − -; × \times; · \cdot; ⋅ \cdot; ∗ *; ∑ \sum; ∏ \prod; ∫ \int; ∂ \partial; ∞ \infty; ∇ \nabla; ∈ \in; ∉ \notin; ⊂ \subset
    ; ⊆ \subseteq; ∪ \cup; ∩ \cap; ∅ \emptyset; ≤ \le; ≥ \ge; ≠ \ne; ≈ \approx; ≡ \equiv; ∼ \sim; ∝ \propto; ± \pm; → \to
    ; ⇒ \Rightarrow; ↦ \mapsto; ∀ \forall; ∃ \exists; ¬ \neg; ∧ \wedge; ∨ \vee; … \ldots; ⋯ \cdots; ′ '; ⟨ \langle; ⟩ \rangle
    ; ∥ \|; { \{; } \}; % \%; # \#; & \&; $ \$; _ \_; ϕ \phi; ϵ \epsilon; φ \varphi; ε \varepsilon; ℓ \ell; ℝ \mathbb{R}
    ; ℕ \mathbb{N}; ℤ \mathbb{Z}; ℂ \mathbb{C}; ℚ \mathbb{Q}; ^ \hat; ˆ \hat; ¯ \bar; ‾ \bar; ~ \tilde; ˜ \tilde; ˙ \dot; ⃗ \vec
"""
_GREEK = (
    "alpha beta gamma delta zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
COMMANDS = {
    **{
        lookup(f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER {name.replace('ambda', 'amda')}"): rf"\{name}"
        for name in _GREEK.split()
    },
    **dict(pair.split() for pair in _TEX_OF.split(";")),
    **dict.fromkeys("\u2061\u2062\u2063\u2064", ""),
}
"""TeX of characters; of invisible operators nothing."""
ACCENTS = {r"\hat": r"\hat", r"\bar": r"\bar", r"\tilde": r"\tilde", r"\dot": r"\dot", ".": r"\dot", r"\to": r"\vec", r"\vec": r"\vec"}
_FUNCTION_NAMES = "sin cos tan log ln exp lim max min det dim arg inf sup gcd ker deg"
FUNCTIONS = frozenset(_FUNCTION_NAMES.split())
_WHITE = re.compile(r"[ \t\n\r\f]+")
_COMMAND_END = re.compile(r"\\[A-Za-z]+\Z")
_ONE_TOKEN = re.compile(r"\\[A-Za-z]+|.", re.DOTALL)


def replace_formulas(tree: LexborHTMLParser) -> None:
    """Replace the formulas of the document by their TeX, in place.

    Those of Wikipedia stay, whose images have TeX as their description, and those with links.
    """
    for script in tree.css('script[type^="math/tex"]')[:MOST_FORMULAS]:
        if tex := normalised(f"{script.text()}\n"):
            for rendered in _renderings(script):
                rendered.decompose()
            script.replace_with(_delimited(tex, "display" in (script.attributes.get("type") or "")))
    for math in tree.css("math")[:MOST_FORMULAS]:
        around = _around(math)
        if "mwe-math" in around or math.css_first("a") is not None:
            continue
        tex = normalised(f"{_declared(math) or _row(math, 0)}\n")
        is_block = (math.attributes.get("display") or "").lower() == "block"
        for rendered in _katex_renderings(math):
            rendered.decompose()
        for child in list(math.iter(include_text=True)):
            child.decompose()
        if tex:
            math.insert_child(_delimited(tex, is_block or "katex-display" in around or 'display="true"' in around))


def _declared(math: LexborNode) -> str:
    """Return the TeX that a formula declares; empty if it declares none."""
    if alt := (math.attributes.get("alttext") or "").strip():
        return alt
    for note in math.css("annotation"):
        if "tex" in (note.attributes.get("encoding") or "").lower() and (tex := note.text().strip()):
            return tex
    return ""


def _delimited(tex: str, is_display: bool) -> str:
    delimited = tex if _SURELY_TEX.search(tex) else rf"{{\textstyle {tex}}}"  # else its letters could be taken for text in brackets
    return rf"\[{delimited}\]" if is_display else rf"\({delimited}\)"


def normalised(tex: str) -> str:
    """Return TeX on one line, without comments that end with their line, and without size commands."""
    tex = " ".join(_COMMENT.sub(" ", tex).split())
    for _ in range(MOST_STYLES):
        if not ((styled := STYLED.fullmatch(tex)) and _is_balanced(styled[1])):
            break
        tex = styled[1].strip()
    return tex


def _is_balanced(tex: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _around(math: LexborNode) -> str:
    """Return class names and `display` attributes of the four elements around a formula."""
    found, node = [], math.parent
    for _ in range(4):
        if node is None:
            break
        found.append(f'{node.attributes.get("class") or ""} display="{node.attributes.get("display") or ""}"')
        node = node.parent
    return " ".join(found)


def _renderings(script: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements right before a MathJax script that show its formula."""
    node = script.prev
    while node is not None and node.tag != "-text" and _RENDERING.search(f"{node.attributes.get('class') or ''} {node.id or ''}"):
        before = node.prev
        yield node
        node = before


def _katex_renderings(math: LexborNode) -> Iterator[LexborNode]:
    """Yield the rendering of KaTeX, which is behind the MathML."""
    holder = math.parent
    if holder is not None and "katex-mathml" in (holder.attributes.get("class") or ""):
        node = holder.next
        if node is not None and node.tag != "-text" and "katex-html" in (node.attributes.get("class") or ""):
            yield node


# Presentation MathML (MathML Core, section 3) to TeX.


def _row(node: LexborNode, depth: int) -> str:
    return _joined(_tex(child, depth + 1) for child in node.iter())


def _tex(node: LexborNode, depth: int) -> str:
    tag = node.tag or ""
    if depth > MOST_DEPTH or tag in ("mi", "mn", "mo"):
        text = "".join(node.text().split())
        if tag == "mi" and len(text) > 1 and text.isalpha():
            return rf"\{text}" if text in FUNCTIONS else rf"\mathrm{{{text}}}"
        return _joined(COMMANDS.get(sign, sign) for sign in text)
    if tag in ("mtext", "ms"):
        text = _WHITE.sub(" ", node.text()).strip(" ").replace("\u00a0", " ")
        return rf"\text{{{text}}}" if text.strip() else ""
    if tag in ("annotation", "annotation-xml", "mspace", "mphantom", "none", "mprescripts"):
        return ""
    if tag in _LAYOUTS:
        parts = [_tex(child, depth + 1) for child in node.iter()]
        least, write = _LAYOUTS[tag]
        return write(parts) if len(parts) >= least else _joined(iter(parts))
    if tag == "mtable":
        rows = (" & ".join(_row(cell, depth + 2) for cell in row.iter()) for row in node.iter())
        return rf"\begin{{matrix}}{_ROW_END.join(rows)}\end{{matrix}}"
    if tag == "mfenced":
        inner = ",".join(_tex(child, depth + 1) for child in node.iter())
        return f"{node.attributes.get('open') or '('}{inner}{node.attributes.get('close') or ')'}"
    return rf"\sqrt{{{_row(node, depth)}}}" if tag == "msqrt" else _row(node, depth)


def _joined(parts: Iterable[str]) -> str:
    """Return TeX one after another, with a space between a command and a letter."""
    whole = ""
    for part in parts:
        whole += f" {part}" if part[:1].isalnum() and _COMMAND_END.search(whole) else part
    return whole


def _group(tex: str) -> str:
    """Return TeX as one token or in braces."""
    return tex if _ONE_TOKEN.fullmatch(tex) else f"{{{tex}}}"


def _accented(base: str, accent: str) -> str:
    return f"{ACCENTS[accent]}{{{base}}}" if accent in ACCENTS else f"{_group(base)}^{_group(accent)}"


_ROW_END = r" \\ "
_LAYOUTS: dict[str, tuple[int, Callable[[list[str]], str]]] = {
    "mfrac": (2, lambda parts: rf"\frac{{{parts[0]}}}{{{parts[1]}}}"),
    "mroot": (2, lambda parts: rf"\sqrt[{parts[1]}]{{{parts[0]}}}"),
    "msup": (2, lambda parts: f"{_group(parts[0])}^{_group(parts[1])}"),
    **dict.fromkeys(("msub", "munder"), (2, lambda parts: f"{_group(parts[0])}_{_group(parts[1])}")),
    **dict.fromkeys(("msubsup", "munderover"), (3, lambda parts: f"{_group(parts[0])}_{_group(parts[1])}^{_group(parts[2])}")),
    "mover": (2, lambda parts: _accented(parts[0], parts[1])),
}
"""Least number of children of an element, and how they are written."""
