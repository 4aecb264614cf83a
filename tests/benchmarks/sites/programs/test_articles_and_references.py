"""Gold texts of laws, books, release notes and schemas."""

from __future__ import annotations

from datetime import date

from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.books import chapter_gold
from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.design_systems import law_gold, release_gold
from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.documentation import bikeshed_gold, schema_gold
from benchmarks.sites.texts.documents import Part, SourceDocument

HEADING = Part("heading", (("Tides",),), 2)
DOCUMENT = SourceDocument(
    "guide-13",
    "The quay",
    "en",
    date(2024, 1, 8),
    (),
    "All of it.",
    (
        Part("paragraph", (("Before.",),)),
        HEADING,
        Part("paragraph", (("First.",),)),
        Part("code", (("run",),)),
        Part("heading", (("Deeper",),), 3),
        Part("paragraph", (("Second.",),)),
        HEADING,
    ),
)


def test_articles_and_paragraphs_of_a_law_are_numbered_and_code_is_left_out() -> None:
    lines = law_gold(DOCUMENT).split("\n")
    assert lines == ["The quay", "All of it.", "Art. 1.", "(1) Before.", "Art. 2. Tides", "(1) First.", "(2) Second.", "Art. 3. Tides"]


def test_sections_of_a_chapter_have_its_number() -> None:
    lines = ["Chapter 14 The quay", "Before.", "14.1 Tides", "First.", "run", "Deeper", "Second.", "14.2 Tides"]
    assert chapter_gold(DOCUMENT).split("\n") == lines


def test_subsections_of_a_specification_are_counted_within_their_section() -> None:
    lines = bikeshed_gold(DOCUMENT).split("\n")
    assert [line for line in lines if line[0].isdigit()] == ["1. Introduction", "2. Tides", "2.1. Deeper", "3. Tides"]


def test_release_notes_begin_with_their_version() -> None:
    assert release_gold(DOCUMENT).startswith("5.3.0: The quay\nAll of it.\nBefore.\nAdded Tides\nFirst.")


def test_a_second_property_of_a_name_gets_a_number() -> None:
    assert [line for line in schema_gold(DOCUMENT).split("\n") if line.startswith("Tides")] == ["Tides", "Tides 1"]
