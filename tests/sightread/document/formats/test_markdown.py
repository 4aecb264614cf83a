"""What a CommonMark parser reads from our Markdown is what the page said."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from sightread.document.formats.markdown import to_markdown
from sightread.document.tree.inlines import Inlines, Span, plain, read_inlines
from sightread.document.tree.nodes import Cell, Code, Heading, List, Node, Paragraph, Quote, Table, lines
from sightread.render.page import Block, Inline, InlineKind

PARSER = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
KINDS: tuple[InlineKind, ...] = ("strong", "emphasis", "code", "deleted", "subscript", "superscript", "link")
TRICKY = "ab1 \n*_`[]()<>#!~|&;-+=.:\\/\"'é汉—\u00a0$©"


def parse(markdown: str) -> SyntaxTreeNode:
    return SyntaxTreeNode(PARSER.parse(markdown))


def words(markdown: str) -> list[str]:
    """The words that a reader of the parsed Markdown sees."""

    def texts(node: SyntaxTreeNode) -> Iterator[str]:
        if node.type in ("text", "code_inline", "fence"):
            yield node.content
        elif node.type in ("hardbreak", "softbreak") or (node.type == "html_inline" and node.content == "<br>"):
            yield " "
        elif node.type != "image":
            yield from (text for child in node.children for text in texts(child))
        if node.type in ("inline", "fence"):
            yield "\n"

    return "".join(texts(parse(markdown))).split()


def outline(node: SyntaxTreeNode) -> object:
    """The structure of a parsed block, as `shape` tells it of ours."""
    match node.type:
        case "heading":
            return ("heading", int(node.tag[1]))
        case "fence":
            return ("code", node.info, node.content.removesuffix("\n"))
        case "blockquote":
            return ("quote", *map(outline, node.children))
        case "bullet_list" | "ordered_list":
            start = node.attrs.get("start", 1) if node.type == "ordered_list" else None
            return ("list", start, *(tuple(map(outline, item.children)) for item in node.children))
        case "table":
            rows = [row for part in node.children for row in part.children]
            return ("table", len(rows), {len(row.children) for row in rows})
    return node.type


def shape(node: Node) -> object:
    match node:
        case Heading(level=level):
            return ("heading", level)
        case Code(text=text, language=language):
            return ("code", language, text)
        case Quote(children=children):
            return ("quote", *map(shape, children))
        case List(items=items, start=start):
            return ("list", start, *(tuple(map(shape, item)) for item in items))
        case Table(rows=rows, headers=headers):
            return ("table", len(rows) + (not headers), {len(rows[0])})
    return "paragraph"


def paragraphs(text: str, marks: list[tuple[int, int, InlineKind]] | None = None) -> tuple[Inlines, ...]:
    inlines = [Inline(a, b, kind, "https://e.org/a_(b)*?c=1&copy;" if kind == "link" else "") for a, b, kind in marks or []]
    return read_inlines(Block(text, 0, inlines=tuple(inlines)))


@st.composite
def marked(draw: st.DrawFn, alphabet: str = TRICKY) -> tuple[Inlines, ...]:
    """The paragraphs of a block with any text and any marks, crossing ones too."""
    text = draw(st.text(alphabet, min_size=1, max_size=25))
    ends = st.integers(0, len(text) - 1)
    ranges = draw(st.lists(st.tuples(ends, ends, st.sampled_from(KINDS)), max_size=5))
    return paragraphs(text, [(min(a, b), max(a, b) + 1, kind) for a, b, kind in ranges])


def has_formula(inlines: Inlines) -> bool:
    """Formulas stand between dollars in Markdown: `test_formulas.py` reads them back."""
    return any(isinstance(part, Span) and (part.kind in ("math", "display") or has_formula(part.children)) for part in inlines)


TEXT = marked().filter(lambda found: len(found) > 0 and not any(map(has_formula, found))).map(lambda found: found[0])
LEAVES = st.one_of(
    st.builds(Heading, st.integers(1, 6), TEXT),
    st.builds(Paragraph, TEXT),
    st.builds(Code, st.text("ab`~ \n#", min_size=1).map(lambda text: text.strip("\n")).filter(bool), st.sampled_from(["", "c++", "py"])),
)
CELLS = st.lists(st.builds(lambda text: Cell((Paragraph(text),)), TEXT), min_size=2, max_size=2).map(tuple)
TABLES = st.builds(Table, st.lists(CELLS, min_size=1, max_size=3).map(tuple), st.integers(0, 1))
NODES = st.recursive(
    st.one_of(LEAVES, TABLES),
    lambda inner: st.one_of(
        st.builds(Quote, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(
            List,
            st.lists(st.lists(inner, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple),
            st.one_of(st.none(), st.integers(0, 1000)),
        ),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(marked().filter(lambda found: not any(map(has_formula, found))))
@example(((Span("code", ("1",)), Span("code", ("1`",)), Span("code", ("a`b",))),))  # code behind code, with backticks of its own
def test_any_text_under_any_marks_reads_back_as_paragraphs_of_the_same_words(found: tuple[Inlines, ...]) -> None:
    markdown = to_markdown(map(Paragraph, found))
    assert [node.type for node in parse(markdown).children] == ["paragraph"] * len(found)
    assert words(markdown) == [word for paragraph in found for word in plain(paragraph).split()]


@settings(max_examples=50, deadline=None)
@given(st.lists(NODES, max_size=4))
@example([Paragraph((Span("code", ("a\\~",)),))])
@example([Paragraph((Span("code", ("a\\",)), Span("code", ("b",))))])  # the first does not end in an escaped backtick
def test_any_structure_reads_back_with_the_same_shape_and_words(nodes: list[Node]) -> None:
    markdown = to_markdown(nodes)
    assert [outline(node) for node in parse(markdown).children] == [shape(node) for node in nodes]
    assert words(markdown) == [word for line in lines(nodes) for word in plain(line).split()]


WORDS = st.tuples(
    st.sampled_from(["ab", "é", "汉字", "(c)", "1."]), st.permutations(["strong", "emphasis", "deleted", "link"]), st.integers(0, 4)
)


@settings(max_examples=50, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=4))
def test_marks_around_whole_words_are_all_written(chosen: list[tuple[str, list[InlineKind], int]]) -> None:
    pieces: list[str | Span] = []
    for word, kinds, depth in chosen:
        piece: str | Span = word
        for kind in kinds[:depth]:
            piece = Span(kind, (piece,), "https://e.org/")
        pieces += [piece, " and "]

    def marks(node: SyntaxTreeNode) -> int:
        return (node.type in ("strong", "em", "s", "link")) + sum(map(marks, node.children))

    assert marks(parse(to_markdown([Paragraph(tuple(pieces))]))) == sum(depth for _, _, depth in chosen)


@pytest.mark.parametrize(
    ("text", "marks", "markdown"),
    [
        ("snake_case stays, *this* and _that_ do not", [], r"snake_case stays, \*this\* and \_that\_ do not"),
        ("# no heading", [], r"\# no heading"),
        ("1986. A year", [], r"1986\. A year"),
        ("- no item\n+ nor this", [], "\\- no item\\\n\\+ nor this"),
        ("Title\n===", [], "Title\\\n\\==="),
        ("a | b\n--- | ---", [], "a | b\\\n\\--- | ---"),
        ("a < b, AT&T, &amp; and <b>", [], r"a < b, AT&T, \&amp; and \<b>"),
        ("a bold  word", [(2, 7, "strong")], "a **bold**  word"),
        ("half-bold", [(0, 4, "strong")], "**half**-bold"),
        ("a(b)c", [(1, 4, "strong")], "a(b)c"),
        ("bold italic", [(0, 11, "strong"), (5, 11, "emphasis")], "**bold _italic_**"),
        ("onetwo", [(0, 3, "strong"), (3, 6, "strong")], "**onetwo**"),
        ("use `tick` now", [(4, 10, "code")], "use `` `tick` `` now"),
        ("H2O is 10m2", [(1, 2, "subscript"), (10, 11, "superscript")], "H<sub>2</sub>O is 10m<sup>2</sup>"),
        ("Wow!link", [(4, 8, "link")], "Wow\\![link](https://e.org/a_%28b%29*?c=1&amp;copy;)"),
    ],
)
def test_text_is_escaped_and_marked_no_more_than_it_must_be(text: str, marks: list[tuple[int, int, InlineKind]], markdown: str) -> None:
    assert to_markdown(map(Paragraph, paragraphs(text, marks))) == markdown


def test_a_table_without_head_gets_an_empty_one_and_pipes_and_breaks_stay_in_their_cell() -> None:
    row = (Cell((Paragraph(("a|b\nc",)),)), Cell((Paragraph((Span("code", ("x|y",)),)),)))
    assert to_markdown([Table((row,))]) == "|  |  |\n| --- | --- |\n| a\\|b<br>c | `x\\|y` |"


def test_cells_stand_at_their_place_in_the_grid_whatever_spans_before_them() -> None:
    def cell(text: str, columns: int = 1, rows: int = 1) -> Cell:
        return Cell((Paragraph((text,)),), True, columns, rows)

    table = Table(((cell("name", rows=2), cell("size", columns=2)), (cell("w"), cell("h")), (cell("x"), cell("1"), cell("2"))), headers=1)
    assert to_markdown([table]).split("\n") == ["| name | size |  |", "| --- | --- | --- |", "|  | w | h |", "| x | 1 | 2 |"]
