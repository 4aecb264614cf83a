"""Specifications and companies' pages: headings have the numbers of their sections, and a page that is given holds its gold text."""

import pytest

from benchmarks.sites.parts import PARTS
from benchmarks.sites.programs.publications.company import _fill, introduced_gold, services_gold
from benchmarks.sites.programs.publications.papers import ecmarkup_gold, sections
from benchmarks.sites.programs.publications.recipes import PUBLICATION_GENERATORS, PUBLICATION_THEMES
from benchmarks.sites.texts.documents import gold_text, write_documents
from benchmarks.sites.texts.sentences import language_of

LANDING = """<html><head><title>Sample</title><link rel="stylesheet" href="https://example.org/"></head><body><h1>Sample</h1><p>Sample</p>
<div id="our-services"><h3>Sample</h3><div><div class="feature a"><h5>Sample</h5><p>Sample</p></div></div></div>
<div class="testimonials">Sample</div><div class="card-body"><h4>Sample</h4><p>Sample</p></div></body></html>"""


@pytest.fixture(scope="module")
def documents():
    return write_documents(language_of("fr"), 25, "seed")


def test_each_generator_has_one_theme_and_a_part():
    assert sorted(theme.generator for theme in PUBLICATION_THEMES) == sorted(PUBLICATION_GENERATORS)
    assert set(PUBLICATION_GENERATORS) <= {name for part in PARTS.values() for name in part}


def test_sections_hold_all_parts_of_a_document_in_order(documents):
    for document in documents:
        before, found = sections(document)
        assert [*before, *(part for section in found for part in section)] == list(document.parts)
        assert all(section[0].kind == "heading" for section in found)


def test_headings_of_a_specification_have_numbers(documents):
    reference = documents[2]
    lines = ecmarkup_gold(reference).splitlines()
    heading = next(part.rows[0][0].strip("`") for part in reference.parts if part.kind == "heading")
    assert lines[:2] == [reference.title, "Introduction"]
    assert f"1 {heading}" in lines
    assert len(lines) == len(gold_text(reference).splitlines()) + 1


def test_a_companys_page_holds_its_gold_text_and_no_testimonials(documents):
    for document in documents:
        page = _fill(LANDING, document, [documents[0]])
        assert "Sample" not in page
        assert "https://" not in page
        place = 0
        for line in services_gold(document).splitlines():
            place = page.index(line.replace("&", "&amp;").replace("<", "&lt;"), place)


def test_a_heading_of_services_has_a_text_of_its_own(documents):
    for document in documents:
        lines = introduced_gold(document).splitlines()
        assert lines[:2] == [document.title, document.summary]
        assert len(lines) % 2 == 0
