"""Chunks for retrieval: they cover the Markdown, respect the limit, and cut no structure."""

import json
import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sightread
from sightread.document.chunks import Chunk, estimate_tokens, to_chunks
from sightread.document.formats.markdown import to_markdown
from sightread.document.tree.inlines import Span
from sightread.document.tree.nodes import Cell, Code, Heading, List, Node, Paragraph, Quote, Table
from tests.sightread.document.formats.test_markdown import LEAVES, NODES, TABLES, parse

WHOLE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)|!?\[(?s:.*?)(?<!\\)\]\(\S*?\)|<code>.*?</code>|\\.|\$\S[^`\[\]\n]*\$")
LINK = Span("link", ("A text.\nWith two sentences [1]",), "https://e.org/a_(b)")
CELLS = (Cell((Paragraph(("a",)),)), Cell((Paragraph(("b",)),)))
GAP = re.compile(r"\\?\s*")


def chunked(nodes: list[Node], limit: int, overlap: int = 0) -> tuple[str, tuple[Chunk, ...]]:
    """The Markdown and its chunks; a character is a token."""
    markdown = to_markdown(nodes)
    return markdown, to_chunks(nodes, markdown, "", limit, overlap, len)


def is_undivided(body: str) -> bool:
    """Whether a chunk is a single heading, code block, table row, link, formula or word, below headings."""
    below = re.sub(r"\A(?:#{1,6} .*\n\n)+", "", body).lstrip(" >")
    is_block = re.match(r"#{1,6} |[ >*.)\d-]*(`{3,}|\|.*\|[\s>]*\Z)|\|.*\|\n\|( --- \|)+\Z", below)
    return bool(is_block) or not re.search(r"[^\s>]\s+[^\s>]|汉字", WHOLE.sub("", below))


@settings(max_examples=100, deadline=None)
@given(st.lists(NODES, max_size=6), st.integers(1, 80), st.integers(0, 40))
@example([Quote((Table((CELLS,)), Paragraph(("c",)), Code("a b\n\n> c", "py"), List(((Paragraph(("d e",)), Code("```\nf g")),), 7)))], 3, 0)
def test_chunks_cover_the_markdown_and_exceed_the_limit_only_where_nothing_can_be_cut(nodes: list[Node], limit: int, overlap: int) -> None:
    markdown, chunks = chunked(nodes, limit, min(overlap, limit // 2))
    assert bool(chunks) == bool(nodes)
    end = 0
    for chunk in chunks:
        body = markdown[chunk.start : chunk.end]
        assert chunk.text == chunk.table_head + body and chunk.tokens == len(chunk.text)
        assert GAP.fullmatch(markdown, end, chunk.start + chunk.overlap) and 0 <= chunk.overlap <= limit // 2
        assert chunk.tokens <= limit or is_undivided(body)
        end = chunk.end
    assert end == len(markdown)


def structures(markdown: str) -> Counter[str]:
    """The links with their words, code spans and code blocks of parsed Markdown."""
    found = Counter[str]()
    for node in parse(markdown).walk():
        if node.type in ("fence", "code_inline"):
            found[f"{node.type} {node.content}".replace("\\|", "|")] += 1  # a row alone is a paragraph
        elif node.type == "link":
            found[f"link {node.attrs['href']} {[each.content for each in node.walk() if each.type == 'text']}"] += 1
    return found


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(LEAVES, TABLES), min_size=1, max_size=5), st.integers(1, 60))
@example([Paragraph(("See. ", LINK, " there. ", Span("code", ("a. B ` c",)), " Go."))], 4)
def test_no_link_code_or_table_row_is_cut(nodes: list[Node], limit: int) -> None:
    markdown, chunks = chunked(nodes, limit)
    parts: Counter[str] = sum((structures(markdown[chunk.start : chunk.end]) for chunk in chunks), Counter())
    assert parts == structures(markdown)
    rows = Counter(line for node in nodes if isinstance(node, Table) for line in to_markdown([node]).split("\n"))
    assert rows <= Counter(line for chunk in chunks for line in markdown[chunk.start : chunk.end].split("\n"))


def test_a_long_table_is_cut_between_rows_below_its_head_again() -> None:
    rows = tuple((Cell((Paragraph((f"row {row}",)),)), Cell((Paragraph((f"{row} euros",)),))) for row in range(8))
    markdown, chunks = chunked([Heading(1, ("Prices",)), Table(rows, 1)], 120, 25)
    assert [chunk.table_head for chunk in chunks] == ["", *["| row 0 | 0 euros |\n| --- | --- |\n"] * (len(chunks) - 1)] and len(chunks) > 2
    assert all([each.type for each in parse(chunk.text).children][-1] == "table" for chunk in chunks)
    assert all(markdown[before.end :].startswith("\n") and after.overlap == 20 for before, after in pairwise(chunks))


def test_sections_stay_together_below_the_path_of_their_titles() -> None:
    def section(level: int, title: str, size: int) -> list[Node]:
        return [Heading(level, (title,)), Paragraph(("It runs. " * size,))]

    nodes = [*section(1, "Ferry", 2), *section(2, "Past", 6), *section(3, "War", 1), *section(2, "Now", 6), *section(2, "Next", 30)]
    _, chunks = chunked(nodes, 100, 20)
    begun = [(chunk.headings, chunk.text.split("\n")[0], chunk.overlap) for chunk in chunks]
    assert begun[:3] == [((), "# Ferry", 0), (("Ferry",), "## Past", 0), (("Ferry",), "## Now", 0)]
    assert begun[3] == (("Ferry",), "## Next", 0) and all(each[0] == ("Ferry", "Next") and each[2] == 18 for each in begun[4:])
    assert "### War" in chunks[1].text and not any(re.search(r"^#.*\Z", chunk.text, re.MULTILINE) for chunk in chunks)


def test_the_tokenizer_sees_text_of_a_length_that_grows_with_that_of_the_document() -> None:
    nodes: list[Node] = [Heading(each % 6 + 1, (f"{each} $5 [",)) for each in range(500)]
    nodes += [Paragraph(("It costs $5 [ and `. " * 5000,)), List(tuple((Paragraph(("An item. " * each,)),) for each in range(1, 100)))]
    markdown, seen = to_markdown(nodes), 0

    def count(text: str) -> int:
        nonlocal seen
        seen += len(text)
        return estimate_tokens(text)

    for tokens, overlap in ((4, 2), (100, 50), (100_000, 50_000)):
        seen = 0
        assert to_chunks(nodes, markdown, "", tokens, overlap, count)
        assert seen < 12 * len(markdown)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("four", 1), ("fives", 2), ("渡轮已经运行", 6), ("абвг", 1)])
def test_a_token_is_four_characters_or_one_of_a_dense_script(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


HTML = (
    "<h1>The night ferry</h1>" + "<p>It has carried shift workers across the estuary for ninety years. By now it runs half empty.</p>" * 3
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tokens": 0}, "Document.chunks(): tokens is 0: give 1 or more"),
        ({"tokens": "many"}, "Document.chunks(): tokens is 'many' (str): give a whole number"),
        ({"tokens": 9, "overlap": 9}, "Document.chunks(): overlap is 9, more than half of a chunk: give 4 or less"),
        ({"overlap": -1}, "Document.chunks(): overlap is -1: give 0 or more"),
        ({"count": 4}, "Document.chunks(): count is 4 (int): give a function"),
        ({"count": str.split}, "Document.chunks(): number that count returned is ["),
    ],
)
def test_impossible_arguments_are_refused_with_the_remedy(arguments, message):
    with pytest.raises(sightread.Rejected, match=f"^{re.escape(message)}"):
        sightread.extract(HTML).chunks(**arguments)


def test_the_command_prints_a_line_per_chunk(request, tmp_path):
    page, twin = tmp_path / "page.html", tmp_path / "twin.html"
    page.write_text(HTML)
    twin.write_text(HTML.replace("night", "day"))
    run = request.getfixturevalue("sightread")
    options = ("--static", "--format", "chunks", "--chunk-tokens", "40")
    found = [json.loads(line) for line in run("extract", page, *options).out.splitlines()]
    assert [each["headings"] for each in found] == [[], ["The night ferry"], ["The night ferry"]]
    assert len(run("extract", page, twin, *options).out.splitlines()) == 2 * len(found)
    run("extract", page, *options, "--output-dir", tmp_path / "out")
    (written,) = (path for path in (tmp_path / "out").glob("*.jsonl") if path.name != "index.jsonl")
    assert [json.loads(line) for line in written.read_text().splitlines()] == found
