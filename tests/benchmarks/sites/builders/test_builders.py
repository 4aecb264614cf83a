"""Generators of the fifth part: what they are given holds the documents, and kept pages have no scripts."""

import json

import pytest

from benchmarks.sites.builders.blogs import subtitle_gold
from benchmarks.sites.builders.recipes import BUILDER_GENERATORS, BUILDER_THEMES
from benchmarks.sites.builders.references import BUILDER_MANUALS
from benchmarks.sites.generators.rendered_pages import without_scripts
from benchmarks.sites.parts import PARTS
from benchmarks.sites.texts.documents import gold_text, write_documents
from benchmarks.sites.texts.sentences import language_of


@pytest.fixture(scope="module")
def documents():
    return write_documents(language_of("fr"), 5, "seed")


def test_each_generator_has_one_theme_and_a_part():
    assert sorted(theme.generator for theme in BUILDER_THEMES) == sorted(BUILDER_GENERATORS)
    assert {*BUILDER_GENERATORS, *(manual.generator for manual in BUILDER_MANUALS)} <= {name for part in PARTS.values() for name in part}


@pytest.mark.parametrize("name", sorted(BUILDER_GENERATORS))
def test_a_project_names_every_document(name, documents, tmp_path):
    theme = next(theme for theme in BUILDER_THEMES if theme.generator == name)
    BUILDER_GENERATORS[name].write(tmp_path, theme.name, documents)
    written = "\n".join(path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file())
    for document in documents:
        assert document.title in written or json.dumps(document.title)[1:-1] in written
        assert any(document.slug in path.name for path in tmp_path.rglob("*"))


def test_a_standfirst_is_below_the_title(documents):
    for document in documents:
        lines = subtitle_gold(document).split("\n")
        assert lines[:2] == [document.title, document.summary]
        assert [lines[0], *lines[2:]] == gold_text(document).split("\n")


def test_a_kept_page_has_its_text_and_no_scripts():
    head = '<head><link rel="preload" href="a.js"><script src="a.js"></script></head>'
    kept = without_scripts(f"<html lang='fr'>{head}<body><p>Là</p><script>b()</script></body></html>")
    assert "<p>Là</p>" in kept
    assert "script" not in kept
    assert "a.js" not in kept
