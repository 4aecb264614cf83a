"""Wikis, papers, books and interfaces: a document is written in a wiki's markup, and headings and notes are where the page has them."""

import pytest

from benchmarks.sites.parts import PARTS
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.books import tufte_gold
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.documentation import aglio_gold
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.papers import _inline, paper_gold
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.recipes import PAGE_GENERATORS, PAGE_THEMES
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.wikis import _DIDI_MARKS, _USEMOD_MARKS, _part, _record
from benchmarks.sites.texts.documents import Part, gold_text, write_documents
from benchmarks.sites.texts.sentences import language_of


@pytest.fixture(scope="module")
def documents():
    return write_documents(language_of("fr"), 25, "seed")


def test_each_generator_has_one_theme_and_a_part():
    assert sorted(theme.generator for theme in PAGE_THEMES) == sorted(PAGE_GENERATORS)
    assert set(PAGE_GENERATORS) <= {name for part in PARTS.values() for name in part}


@pytest.mark.parametrize(
    ("part", "usemod", "didiwiki"),
    [
        (Part("heading", (("`a_b(c)`",),), 2), "== a_b(c) ==", "== a_b(c)"),
        (Part("bullets", (("one **two**",), ("three",))), "* one '''two'''\n* three", "* one *two*\n* three"),
        (Part("table", (("a", "b"), ("c", "d"))), "||a||b||\n||c||d||", "|a|b\n|c|d"),
        (Part("code", (("a = 1",), ("  b",))), "<pre>\na = 1\n  b\n</pre>", " a = 1\n   b"),
        (
            Part("paragraph", (("[two](https://example.org/2) words",),)),
            "[https://example.org/2 two] words",
            "[https://example.org/2 two] words",
        ),
    ],
)
def test_a_part_is_written_in_the_markup_of_each_wiki(part, usemod, didiwiki):
    assert _part(part, _USEMOD_MARKS) == usemod
    assert _part(part, _DIDI_MARKS) == didiwiki


def test_a_record_of_usemod_has_names_and_values_in_turn():
    record = _record("3", text="one", minor="0")
    assert record.split("\x1e\ufffe\x1e3") == ["text", "one", "minor", "0"]


def test_latex_shows_the_signs_of_a_text():
    assert _inline("50 % of `read_tide` -- it's") == r"50 \% of \texttt{read\_tide} -{}-{} it\textquotesingle{}s"
    assert _inline("[two](https://example.org/2)") == r"\href{https://example.org/2}{two}"


def test_sections_of_a_paper_have_numbers_after_the_abstract(documents):
    reference = documents[2]
    lines = paper_gold(reference).splitlines()
    heading = next(part.rows[0][0].strip("`") for part in reference.parts if part.kind == "heading")
    assert lines[:3] == [reference.title, "Résumé", reference.summary]
    assert f"1 {heading}" in lines
    assert len(lines) == len(gold_text(reference).splitlines()) + 2


def test_every_second_section_of_a_chapter_has_a_note_after_its_first_paragraph(documents):
    article = documents[0]
    lines = tufte_gold(article).splitlines()
    notes = [line for line in lines if line.startswith("Ada Quay, ")]
    assert notes
    assert [line for line in lines if line not in notes] == [article.title, article.summary, *gold_text(article).splitlines()[1:]]


def test_a_group_of_an_interface_has_an_action_after_its_text(documents):
    guide = documents[4]
    lines = aglio_gold(guide).splitlines()
    assert lines.count("Response 200") == sum(part.kind == "heading" for part in guide.parts)
    assert lines[-1] == "Response 200"
