"""Chunks for retrieval, which cover the Markdown and cut no structure; spans, whose URLs scroll Chromium to their text."""

import json
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sightread
from sightread.document.chunks import Chunk, estimate_tokens, to_chunks
from sightread.document.document import build_document
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


STORY = "".join(f"<p>Ferry number {n} leaves the harbour at {n} in the morning, and comes back with the tide.</p>" for n in range(3))
REPEATED = "<div style='height:3000px'></div><h2>More of it</h2><p>Read on&nbsp;here</p>"
PAGE = f"""<title>x</title><style>p {{ margin: 2000px 0 }}</style><x:y></x:y>
<h1>The night <em>ferry</em></h1><!-- c --><p>Über — the <a href=/a>first</a>, "quoted" 50% & more: <b>bold</b> text, one-two.</p>{STORY}
{REPEATED}{REPEATED}<p>Read on&nbsp;here, and further</p>
<p>Two lines of<br>a paragraph that goes on for long enough<br>to be named by its ends</p>
<ul><li>One <a href=/b>item</a><ul><li>Inner</li></ul></ul><blockquote><p>Quoted by <a href=/c>her</a></blockquote>
<table><tr><th>Port<th>Hour<tr><td>North | South<td>5</table><pre><code>print("a  b")
# no heading</code></pre>
<p>長い文章は、単語の間に空白がない。だから句読点で区切る。これはもう一つの文である。そして最後の文はここで終わる。まだ八十字には足りないので、もう少し書く。</p>
<details><summary>And</summary><p>Where it is closed</details>
<section><template shadowrootmode=open><p>In a shadow</p></template></section><iframe srcdoc='<p>In a frame'></iframe>"""


async def test_a_span_leads_to_its_text_in_chromium(site_server, browser, chromium):
    site = await site_server({"/": PAGE})
    page = (await browser.render(site.url())).page
    document = build_document(page, np.ones(len(page.blocks)))
    assert {span.block for span in document.spans} == set(document.rows)
    context = await chromium.new_context(viewport={"width": 1280, "height": 800})
    tab = await context.new_page()
    for span in document.spans:
        assert page.text[span.start : span.end] == span.text
        await tab.goto("about:blank")
        await tab.goto(span.url)
        found = await tab.evaluate(
            """selector => {
              const all = document.querySelectorAll(selector);
              const { top, bottom } = all[0].getBoundingClientRect();
              return [all.length, all[0].tagName, all[0].textContent, top < innerHeight && bottom > 0];
            }""",
            span.selector,
        )
        if span.text.startswith("In a "):
            assert found[:2] == [1, "SECTION" if "shadow" in span.text else "IFRAME"]
            continue
        assert found[0] == 1 and found[3], span
        assert "".join(span.text.split()) in "".join(found[2].split())
    await context.close()


@pytest.mark.parametrize("marks", ["comments", "footnotes"])
def test_marks_are_behind_the_text_that_they_name_and_change_nothing_else(marks):
    document = sightread.extract(PAGE, url="https://e.org/")
    text, _, notes = document.cited_markdown(marks).partition("\n\n[^s1]: ")
    mark = re.compile(r"(?:\n[> ]*| )(?:<!-- s|\[\^s)(\d+)(?: -->|\])")
    assert mark.sub("", text) == document.markdown
    blocks = [span for span in document.spans if span.kind != "link"]
    assert [int(number) for number in mark.findall(text)] == [span.number for span in blocks]
    assert notes.count("text=") == (len(blocks) if marks == "footnotes" else 0)
    for span in blocks:
        written = document.markdown[span.markdown_start : span.markdown_end]
        assert re.findall(r"\w+", span.text) == re.findall(r"\w+", re.sub(r"\]\(.*?\)", "", written))


def test_chunks_have_the_spans_that_are_in_them():
    document = sightread.extract(PAGE, url="https://e.org/")
    chunks = document.chunks(40, citations=True)
    assert {span for chunk in chunks for span in chunk.spans} == {span for span in document.spans if span.kind != "link"}
    assert all(span.markdown_start < chunk.end and span.markdown_end > chunk.start for chunk in chunks for span in chunk.spans)


def test_the_command_marks_markdown_and_adds_spans(sightread, tmp_path):
    (tmp_path / "page.html").write_text(PAGE)
    run = ("extract", tmp_path / "page.html", "--url", "https://e.org/", "--static", "--citations", "footnotes")
    assert "# The night *ferry* [^s1]\n" in sightread(*run).out and "\n[^s1]: <https://e.org/#:~:text=" in sightread(*run).out
    assert json.loads(sightread(*run, "--json").out)["spans"][0]["selector"] == "body > h1:nth-child(2)"
    assert json.loads(sightread(*run, "--format", "chunks").out.splitlines()[0])["spans"]
    assert "--citations marks Markdown, JSON and chunks" in sightread(*run, "--format", "tei").err
