"""Books of all documents, and the numbers of their headings."""

from __future__ import annotations

from datetime import date

from benchmarks.sites.manuals.books import linuxdoc_gold, plastex_gold, write_linuxdoc, write_plastex
from benchmarks.sites.texts.documents import Part, SourceDocument

PARTS = (
    Part("paragraph", (("Tides & `max_depth` of **harbours** by [charts](https://example.org/1).",),)),
    Part("heading", (("First",),), 2),
    Part("heading", (("Deeper",),), 3),
    Part("table", (("Name", "Size"), ("`buoy`", "12"))),
    Part("heading", (("Second",),), 2),
    Part("heading", (("Below",),), 3),
    Part("code", (("{",), ('  "a": [1]',), ("}",)), language="json"),
)
DOCUMENT = SourceDocument("guide-04", "Tide 100%", "en", date(2024, 1, 8), ("travel",), "Summary.", PARTS)


def test_headings_of_a_plastex_chapter_are_numbered_on_all_levels():
    headings = [line for line in plastex_gold(DOCUMENT).split("\n") if line[0].isdigit()]
    assert headings == ["5 Tide 100%", "5.1 First", "5.1.1 Deeper", "5.2 Second", "5.2.1 Below"]


def test_headings_of_a_linuxdoc_section_are_numbered_on_two_levels():
    lines = linuxdoc_gold(DOCUMENT).split("\n")
    assert lines[:4] == ["5. Tide 100%", "Tides & max_depth of harbours by charts.", "5.1 First", "Deeper"]


def test_latex_escapes_signs_outside_code(tmp_path):
    write_plastex(tmp_path, "blue", [DOCUMENT])
    book = (tmp_path / "book.tex").read_text()
    assert r"\chapter{Tide 100\%}\label{guide-04}" in book
    assert r"Tides \& \texttt{max\_depth} of \textbf{harbours} by \href{https://example.org/1}{charts}." in book
    assert '\\begin{verbatim}\n{\n  "a": [1]\n}\n\\end{verbatim}' in book


def test_sgml_escapes_signs(tmp_path):
    write_linuxdoc(tmp_path, "html", [DOCUMENT])
    book = (tmp_path / "html/tide.sgml").read_text()
    assert '<p>Tides &amp; <tt>max_depth</tt> of <bf>harbours</bf> by <url url="https://example.org/1" name="charts">.' in book
    assert "Name<colsep>Size<rowsep><tt>buoy</tt><colsep>12<rowsep>" in book
