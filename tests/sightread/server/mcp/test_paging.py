"""Pages of a document, divided at its blocks."""

from hypothesis import given
from hypothesis import strategies as st

from sightread.server.mcp.tools import PageHeading, paginate

WORD = st.sampled_from(["storm", "ferry", "pier", "green"])
PARAGRAPH = st.lists(WORD, min_size=1, max_size=12).map(" ".join)
HEADING = st.tuples(st.integers(1, 4), WORD).map(lambda pair: f"{'#' * pair[0]} {pair[1]}")
CODE = st.lists(WORD | st.just(""), min_size=1, max_size=6).map(lambda lines: "\n".join(["```", *lines, "```"]))
DOCUMENT = st.lists(PARAGRAPH | HEADING | CODE, min_size=1, max_size=20).map("\n\n".join)


@given(DOCUMENT, st.integers(100, 300))
def test_pages_are_the_document_whole_and_none_is_too_long(markdown, size):
    pages = paginate(markdown, size)
    assert "\n\n".join(pages.texts) == markdown
    assert all(0 < len(text) <= size for text in pages.texts)
    assert not any(text.rpartition("\n\n")[2].startswith("# ") for text in pages.texts[:-1])


@given(DOCUMENT)
def test_the_headings_are_those_outside_of_code(markdown):
    found = paginate(markdown, 200).headings
    assert [heading.text for heading in found] == [
        line.lstrip("# ") for block in markdown.split("\n\n") for line in block.split("\n") if line.startswith("#")
    ]


def test_a_heading_goes_with_what_follows_and_has_its_page():
    pages = paginate("# One\n\n" + "a" * 80 + "\n\n## Two\n\n" + "b" * 80, 100)
    assert pages.texts == ("# One\n\n" + "a" * 80, "## Two\n\n" + "b" * 80)
    assert pages.headings == (PageHeading(1, "One", 1), PageHeading(2, "Two", 2))


def test_a_block_that_is_longer_than_a_page_is_divided():
    table = "\n".join(["| a | b |", "| --- | --- |", *(f"| {row} | {row} |" for row in range(100))])
    pages = paginate(table, 200)
    assert "".join(pages.texts).replace("\n", "") == table.replace("\n", "") and all(len(text) <= 200 for text in pages.texts)
    assert all(text.startswith("|") and text.endswith("|") for text in pages.texts)
    assert [len(text) for text in paginate("x" * 500, 200).texts] == [198, 198, 104]


def test_an_empty_document_has_no_page():
    assert paginate("", 100) == ((), ())
